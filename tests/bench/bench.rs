//! Runs of whole processes in a folder of their own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use interpolate_fixtures::manifest;
use wait4::Wait4;

use crate::cost::Cost;

/// Number of runs of each command; the fastest counts, because noise only adds time.
pub(crate) const RUNS: usize = 7;

pub(crate) struct Bench<'a> {
    pub(crate) folder: &'a Path,
}

impl Bench<'_> {
    /// Writes an input.
    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.join(name);
        fs::write(&path, text).expect("inputs can be written");
        path
    }

    /// Writes an ops-file that replaces the value of `count` paths.
    pub(crate) fn ops(
        &self,
        name: &str,
        count: usize,
        path: impl Fn(usize) -> String,
        value: &str,
    ) -> PathBuf {
        self.file(&format!("{name}-{count}.yml"), &manifest::ops(count, path, value))
    }

    /// Runs `interpolate` with these words; its output is discarded.
    pub(crate) fn ours(&self, words: &[&str]) -> Cost {
        self.command(RUNS, || {
            let mut command = Command::new(env!("CARGO_BIN_EXE_interpolate"));
            command.args(words);
            command
        })
    }

    /// Runs a command several times and returns the cost of the cheapest run.
    pub(crate) fn command(&self, runs: usize, make: impl Fn() -> Command) -> Cost {
        let run = || self.once(&mut make());
        (0..runs).map(|_| run()).min_by_key(|cost| cost.cpu).expect("runs is not 0")
    }

    fn once(&self, command: &mut Command) -> Cost {
        command.current_dir(self.folder).stdout(Stdio::null()).stderr(Stdio::null());
        let done = command.spawn().and_then(|child| child.wait4());
        let done = done.expect("the program runs");
        assert!(done.status.success(), "{command:?} failed");
        let used = done.rusage;
        Cost { cpu: used.utime + used.stime, peak: Some(used.maxrss) }
    }
}
