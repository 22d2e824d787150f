//! A new file that becomes complete under a name of its own.
//!
//! The crate tempfile does the same. With it, a library that writes no files would compile
//! four more crates.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(all(unix, feature = "system"))]
use super::left_over;
use super::temporary_name;

/// Maximum number of names that are tried.
// One in 2^64 names exists already: a hundred collisions mean that the folder answers
// wrongly, and an endless loop would hide it.
const MAX_ATTEMPTS: usize = 100;

/// The files of this process that are not in their places yet.
static LIVE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// A file in the folder of the path it will be moved to. Dropping it removes it.
///
/// It is locked while this process lives, so that another one can tell it from a file that
/// was left over.
#[derive(Debug)]
pub(super) struct Temporary {
    pub(super) file: File,
    path: PathBuf,
}

impl Temporary {
    /// Creates a file in `folder`; on Unix only its owner may read it if it is `private`.
    pub(super) fn create(folder: &Path, private: bool) -> io::Result<Temporary> {
        let options = options(private);
        let mut result = Err(io::ErrorKind::AlreadyExists.into());
        for _ in 0..MAX_ATTEMPTS {
            result = Temporary::open(&options, folder.join(temporary_name::new()));
            let exists = |error: &io::Error| error.kind() == io::ErrorKind::AlreadyExists;
            if !result.as_ref().is_err_and(exists) {
                break;
            }
        }
        #[cfg(all(unix, feature = "system"))]
        if let Ok(made) = &result {
            left_over::remove(folder, &made.file);
        }
        result
    }

    fn open(options: &OpenOptions, path: PathBuf) -> io::Result<Temporary> {
        // `remove_temporary_files` holds this lock until the process ends, so no file is made
        // after it.
        let mut live = live();
        let file = options.open(&path)?;
        live.insert(path.clone());
        drop(live);
        let made = Temporary { file, path };
        // A file system without locks keeps what is left over.
        made.file.lock().ok();
        #[cfg(all(unix, feature = "system"))]
        if !left_over::is_there(&made.path, &made.file) {
            // Another process took it for left over before it was locked.
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        Ok(made)
    }

    /// Moves the file to `path`, in place of the file that is there.
    pub(super) fn persist(self, path: &Path) -> io::Result<()> {
        let mut live = live();
        fs::rename(&self.path, path)?;
        live.remove(&self.path);
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut live = live();
        if live.remove(&self.path) {
            fs::remove_file(&self.path).ok();
        }
    }
}

/// Removes the temporary files of this process, for its end. No file is made or moved while
/// the result lives.
pub fn remove_temporary_files() -> impl Drop {
    let live = live();
    for path in live.iter() {
        fs::remove_file(path).ok();
    }
    live
}

fn live() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
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
