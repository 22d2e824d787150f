//! New contents of files, before they are in their places. A signal removes them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use interpolate::unstable::diagnostic::Diagnostic;
use interpolate::unstable::source::{FileId, Os, Replacement, Sources, World};
use interpolate::unstable::yaml;

use super::failure::{Failure, Result, unwritable, warn};
use super::main_options::MainOptions;
use super::options::Output;

/// Prepares the content of a file, and tells what the file loses. A new file that is
/// `private` is for its owner only.
pub fn prepare(
    world: &Os,
    path: &Path,
    bytes: &[u8],
    private: bool,
    output: &Output,
) -> Result<Replacement> {
    remove_files_on_signals();
    let ready = world.prepare(path, bytes, private);
    let ready = ready.map_err(|error| unwritable(path, &error))?;
    if let Some(unkept) = ready.unkept() {
        warn_of_loss(path, &unkept.to_string(), output);
    }
    Ok(ready)
}

/// Warns about what a file loses that is replaced all the same.
pub fn warn_of_loss(path: &Path, unkept: &str, output: &Output) {
    let warning = Diagnostic::warning(format!("'{}': {unkept}", path.display()));
    warn(&[*warning], &Sources::default(), output);
}

/// Watches for signals. A run that writes no file does not need it, and does not pay for it.
#[cfg(unix)]
pub fn remove_files_on_signals() {
    static STARTED: std::sync::Once = std::sync::Once::new();
    // Without it the next run removes what is left over.
    STARTED.call_once(|| unix::start().unwrap_or_default());
}

#[cfg(not(unix))]
pub fn remove_files_on_signals() {}

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

/// New contents of files by their paths. Dropping them changes nothing.
#[derive(Default)]
pub struct PreparedFiles(BTreeMap<PathBuf, Replacement>);

impl PreparedFiles {
    /// Replaces the files.
    pub fn commit(self) -> Result<()> {
        for (path, new) in self.0 {
            new.commit().map_err(|error| unwritable(&path, &error))?;
        }
        Ok(())
    }
}

/// Prepares new texts of files: all of them, or none. They are written once the report is
/// printed, so that a run whose output is lost changes nothing.
///
/// # Errors
/// A text came from standard input, its file has a name that is no UTF-8, or it cannot be
/// written.
pub fn prepare_texts(
    texts: impl IntoIterator<Item = (FileId, String)>,
    options: &MainOptions,
    sources: &Sources,
) -> Result<PreparedFiles> {
    // A file that was given twice is written once.
    let mut world = Os::default();
    world.forces = options.input.safety.force;
    let mut ready = BTreeMap::new();
    for (file, text) in texts {
        let source = sources.get(file);
        if source.name == "-" {
            let wrong = "--fix needs files to write to, not standard input";
            return Err(Failure::usage(wrong));
        }
        // The name of the source stands for bytes that are lost: another file has that name.
        if source.name.contains(char::REPLACEMENT_CHARACTER) {
            let name = &source.name;
            let message = format!("'{name}' is not written: its name is no UTF-8");
            return Err(Failure::file(message));
        }
        let path = Path::new(&source.name);
        let bytes = yaml::bytes::bytes(&text, source.encoding);
        let new = prepare(&world, path, &bytes, false, &options.output)?;
        ready.insert(path.to_owned(), new);
    }
    Ok(PreparedFiles(ready))
}
