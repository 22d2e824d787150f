//! Signals that end the run. The temporary files are removed first.

/// Watches for signals. A run that writes no file does not need it, and does not pay for it.
#[cfg(unix)]
pub fn watch() {
    static STARTED: std::sync::Once = std::sync::Once::new();
    // Without it the next run removes what is left over.
    STARTED.call_once(|| unix::start().unwrap_or_default());
}

#[cfg(not(unix))]
pub fn watch() {}

#[cfg(unix)]
mod unix {
    use std::io;
    use std::sync::Arc;
    use std::thread;

    use interpolate::unstable::source::remove_temporary_files;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::flag;
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    pub(super) fn start() -> io::Result<()> {
        // Writing beyond the limit of the user then fails as on a full disk, with a message.
        flag::register(SIGXFSZ, Arc::default())?;
        let ignored = ignored();
        let ends = [SIGINT, SIGTERM, SIGHUP].into_iter();
        let mut signals = Signals::new(ends.filter(|signal| !ignored.contains(signal)))?;
        thread::Builder::new().name("signals".into()).spawn(move || {
            for signal in signals.forever() {
                let kept = remove_temporary_files();
                // The shell sees which signal ended the run.
                emulate_default_handler(signal).ok();
                drop(kept);
            }
        })?;
        Ok(())
    }

    /// Returns the signals that this process ignores, as `nohup` asks for. They must not end
    /// it.
    // Only Linux tells without unsafe code.
    fn ignored() -> Vec<i32> {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        let mask = mask.unwrap_or_default();
        (1..=64).filter(|signal| mask >> (signal - 1) & 1 == 1).collect()
    }
}
