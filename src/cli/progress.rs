//! Lines on the terminal that tell how far a long job is, and what it waits for.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Once;
use std::time::{Duration, Instant};

use interpolate::unstable::diagnostic::visible;

/// The time after which a job is long.
const PATIENCE: Duration = Duration::from_secs(1);

/// The progress of making keys, from its start on.
pub struct Progress {
    start: Instant,
    /// The line that is there.
    line: String,
}

impl Progress {
    /// Returns a progress for people, if standard error is a terminal.
    pub fn of_terminal() -> Option<Progress> {
        let is_seen = io::stderr().is_terminal();
        is_seen.then(|| Progress { start: Instant::now(), line: String::new() })
    }

    /// Tells how many keys are made; the line goes with the last one.
    pub fn tell(&mut self, made: usize, all: usize) {
        let is_long = made < all && self.start.elapsed() > PATIENCE;
        let line = format!("generating {} of {all} keys…", made + 1);
        self.show(if is_long { line } else { String::new() });
    }

    fn show(&mut self, line: String) {
        if line == self.line {
            return;
        }
        let blank = " ".repeat(self.line.chars().count());
        let mut stderr = io::stderr().lock();
        // There is no other place to report an error of standard error.
        write!(stderr, "\r{blank}\r{line}").and_then(|()| stderr.flush()).ok();
        self.line = line;
    }
}

/// Tells on standard error, once in a run, that nothing arrives from a stream.
pub fn tell_of_wait(name: &Path) {
    static TOLD: Once = Once::new();
    let mut stderr = io::stderr();
    if !stderr.is_terminal() {
        return;
    }
    let what = match name.to_str() {
        Some("-") => "standard input".to_owned(),
        _ => visible(format!("'{}'", name.display())).into_owned(),
    };
    // There is no other place to report an error of standard error.
    TOLD.call_once(|| writeln!(stderr, "waiting for {what}…").unwrap_or_default());
}
