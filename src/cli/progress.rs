//! A line on the terminal that tells how far a long job is.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

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
