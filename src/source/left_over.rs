//! Temporary files that a killed run has left over. The next run in their folder removes
//! them.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rustix::fs::OFlags;

use super::temporary_name::is_temporary;

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
    let (Ok(entries), Ok(own)) = (fs::read_dir(folder), own.metadata()) else { return };
    let entries = entries.take(MAX_ENTRIES).flatten();
    for entry in entries.filter(|it| it.file_name().to_str().is_some_and(is_temporary)) {
        remove_one(&entry.path(), own.uid());
    }
}

/// Removes a file of that user, unless its writer still lives.
fn remove_one(path: &Path, user: u32) -> Option<()> {
    // A pipe would keep us waiting, and a link leads to a file of another name.
    let careful = OFlags::NONBLOCK | OFlags::NOFOLLOW;
    let careful = careful.bits().cast_signed();
    let file = OpenOptions::new().write(true).custom_flags(careful).open(path).ok()?;
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
    let (there, open) = (fs::symlink_metadata(path), file.metadata());
    let identity = |found: fs::Metadata| (found.dev(), found.ino());
    there.is_ok_and(|there| open.is_ok_and(|open| identity(there) == identity(open)))
}
