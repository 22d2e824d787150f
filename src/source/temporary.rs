//! A new file that becomes complete under a name of its own.
//!
//! The crate tempfile does the same. With it, a library that writes no files would compile
//! four more crates.

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

/// Maximum number of names that are tried.
// One in 2^64 names exists already: a hundred collisions mean that the folder answers
// wrongly, and an endless loop would hide it.
const MAX_ATTEMPTS: usize = 100;

/// A file in the folder of the path it will be moved to. Dropping it removes it.
#[derive(Debug)]
pub(super) struct Temporary {
    pub(super) file: File,
    path: PathBuf,
    moved: bool,
}

impl Temporary {
    /// Creates a file in `folder`; on Unix only its owner may read it if it is `private`.
    pub(super) fn create(folder: &Path, private: bool) -> io::Result<Temporary> {
        let options = options(private);
        let mut result = Err(io::ErrorKind::AlreadyExists.into());
        for _ in 0..MAX_ATTEMPTS {
            // The keys of the standard library's hasher are random.
            let name = format!(".tmp{:016x}", RandomState::new().build_hasher().finish());
            let path = folder.join(name);
            result =
                options.open(&path).map(|file| Temporary { file, path, moved: false });
            let exists = |error: &io::Error| error.kind() == io::ErrorKind::AlreadyExists;
            if !result.as_ref().is_err_and(exists) {
                break;
            }
        }
        result
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Moves the file to `path`, in place of the file that is there.
    pub(super) fn persist(mut self, path: &Path) -> io::Result<()> {
        fs::rename(&self.path, path)?;
        self.moved = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.moved {
            fs::remove_file(&self.path).ok();
        }
    }
}

/// Returns the options of a new file, which must not follow a link that exists.
fn options(private: bool) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(
        &mut options,
        if private { 0o600 } else { 0o666 },
    );
    #[cfg(not(unix))]
    let _ = private;
    options
}
