//! The interface to everything outside of the program.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::write::Replacement;

/// The time and the randomness of a run. They are asked for once, so that a run is a
/// function of its input.
pub struct Moment {
    /// The time.
    pub now: SystemTime,
    /// Unpredictable bytes, from which all generated secrets follow.
    pub seed: [u8; 32],
}

/// Everything outside the program. No other code reads a file, the environment or a
/// clock.
pub trait World {
    /// Returns the bytes of the file at `path`; `-` is standard input.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// Returns the first bytes of the file at `path`, at most `most`.
    fn head(&self, path: &Path, most: u64) -> io::Result<Vec<u8>>;
    /// Returns the first bytes of the resource at a URL, at most `most`.
    fn fetch(&self, url: &str, most: u64) -> io::Result<Vec<u8>>;
    /// Runs a shell command in `folder`, and returns at most `most` bytes of its output
    /// and its exit code (`None` if a signal ended it).
    fn run(
        &self,
        command: &str,
        folder: &Path,
        most: u64,
    ) -> io::Result<(Vec<u8>, Option<i32>)>;
    /// Returns the canonical path of a file.
    fn real(&self, path: &Path) -> io::Result<PathBuf>;
    /// Returns the entries of a folder, in no particular order.
    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>>;
    /// Returns true if `path` is a folder.
    fn is_folder(&self, path: &Path) -> bool;
    /// Prepares to replace the file at `path` as a whole or not at all. A new file that
    /// is `private` is readable for its owner only, and its missing folders are made.
    fn prepare(
        &self,
        path: &Path,
        bytes: &[u8],
        private: bool,
    ) -> io::Result<Replacement>;
    /// Returns true if two paths lead to the same file, which need not exist.
    fn is_same(&self, one: &Path, other: &Path) -> bool;
    /// Returns a variable of the environment.
    fn env(&self, name: &str) -> Option<String>;
    /// Returns every variable of the environment that is text, sorted by name.
    fn environment(&self) -> Vec<(String, String)>;
    /// Returns the time and unpredictable bytes.
    fn moment(&self) -> io::Result<Moment>;
}
