//! A new file that becomes complete under a name of its own. Files that a killed run has left
//! are known by their names, and removed by the next run in their folder.
//!
//! The crate tempfile does the same. With it, a library that writes no files would compile
//! four more crates.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

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
            result = Temporary::open(&options, folder.join(new_name()));
            match result.as_ref().map_err(io::Error::kind) {
                Err(io::ErrorKind::AlreadyExists) => {}
                _ => break,
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

/// Returns a new name, which no other program gives to a file.
fn new_name() -> String {
    // The keys of the standard library's hasher are random.
    let number = RandomState::new().build_hasher().finish();
    format!(".interpolate-{number:016x}.tmp")
}

/// Returns true for a name that [`new_name`] could return.
#[cfg(any(test, all(unix, feature = "system")))]
fn is_temporary(name: &str) -> bool {
    let number =
        name.strip_prefix(".interpolate-").and_then(|it| it.strip_suffix(".tmp"));
    number.is_some_and(|number| {
        number.len() == 16
            && number.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    })
}

/// Temporary files that a killed run has left over. The next run in their folder removes
/// them.
#[cfg(all(unix, feature = "system"))]
mod left_over {
    use std::collections::BTreeSet;
    use std::fs::{self, File, OpenOptions};
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
    use std::path::{Path, PathBuf};
    use std::sync::{Mutex, PoisonError};

    use rustix::fs::OFlags;

    use super::is_temporary;

    /// Maximum number of entries of a folder that are looked at, of all in no particular order.
    // Some milliseconds, also if the folder has millions of files.
    const MAX_ENTRIES: usize = 10_000;

    /// Maximum number of folders that a process looks through. A process that writes to more of
    /// them leaves the rest to others.
    const MAX_FOLDERS: usize = 1_000;

    /// The folders that this process has looked through.
    static SEEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

    /// Removes what runs of the owner of `own` have left over in a folder.
    pub(super) fn remove(folder: &Path, own: &File) {
        let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.len() >= MAX_FOLDERS || !seen.insert(folder.to_owned()) {
            return;
        }
        drop(seen);
        let (Ok(entries), Ok(own)) = (fs::read_dir(folder), own.metadata()) else {
            return;
        };
        let entries = entries.take(MAX_ENTRIES).flatten();
        for entry in
            entries.filter(|it| it.file_name().to_str().is_some_and(is_temporary))
        {
            remove_one(&entry.path(), own.uid());
        }
    }

    /// Removes a file of that user, unless its writer still lives.
    fn remove_one(path: &Path, user: u32) -> Option<()> {
        // A pipe would keep us waiting, and a link leads to a file of another name.
        let careful = OFlags::NONBLOCK | OFlags::NOFOLLOW;
        let careful = careful.bits().cast_signed();
        let file =
            OpenOptions::new().write(true).custom_flags(careful).open(path).ok()?;
        let found = file.metadata().ok()?;
        if !found.is_file() || found.uid() != user {
            return None;
        }
        // A writer holds the lock until its file has another name.
        file.try_lock().ok()?;
        is_there(path, &file).then(|| fs::remove_file(path).ok())?
    }

    /// Returns true if a path leads to that file.
    pub(super) fn is_there(path: &Path, file: &File) -> bool {
        let there = fs::symlink_metadata(path);
        let open = file.metadata();
        there.is_ok_and(|there| {
            open.is_ok_and(|it| (it.dev(), it.ino()) == (there.dev(), there.ino()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert!(is_temporary(&new_name()));
        for other in
            [".interpolate-0123456789abcde.tmp", ".interpolate-0123456789ABCDEF.tmp"]
        {
            assert!(!is_temporary(other), "{other}");
        }
    }
}
