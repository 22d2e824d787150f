//! Replaces files as a whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::temporary::Temporary;

/// Maximum number of symbolic links that lead to a file, as in the Linux kernel.
const MAX_LINKS: usize = 40;

/// The new content of a path, not yet in its place. Dropping it changes nothing.
#[derive(Debug)]
pub struct Replacement(Destination);

#[derive(Debug)]
enum Destination {
    /// A complete temporary file, and the path it is moved to.
    File { file: Temporary, path: PathBuf },
    /// A device or a pipe, open.
    Stream(File, Vec<u8>),
}

impl Replacement {
    /// Prepares the content of a path that is no link.
    pub(super) fn prepare(
        path: &Path,
        bytes: &[u8],
        private: bool,
    ) -> io::Result<Replacement> {
        let old = match fs::metadata(path) {
            Ok(found) => Some(found),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if old.is_some() {
            // A file is replaced by a rename, which asks for the permissions of the
            // folder only. A read-only file has to stay.
            let stream = OpenOptions::new().write(true).open(path)?;
            if old.as_ref().is_some_and(|old| !old.is_file()) {
                return Ok(Replacement(Destination::Stream(stream, bytes.to_vec())));
            }
        }
        let file = new_file(path, old.as_ref(), bytes, private)?;
        Ok(Replacement(Destination::File { file, path: path.to_owned() }))
    }

    /// Moves the content to its place.
    ///
    /// # Errors
    /// The system's error; the old content is then still there.
    pub fn commit(self) -> io::Result<()> {
        let (file, path) = match self.0 {
            Destination::File { file, path } => (file, path),
            Destination::Stream(mut stream, bytes) => return stream.write_all(&bytes),
        };
        file.persist(&path)?;
        // Syncing the folder makes the rename durable. Not every system lets a folder be
        // opened or synced, and the file itself is complete without.
        let folder = File::open(folder(&path));
        folder.and_then(|folder| folder.sync_all()).or(Ok(()))
    }

    /// Moves the content to its place if `old` is still there, and returns true if it
    /// did. Concurrent runs take turns by a lock on the folder.
    ///
    /// # Errors
    /// As for [`commit`](Replacement::commit).
    pub fn commit_over(self, old: Option<&[u8]>) -> io::Result<bool> {
        let Destination::File { path, .. } = &self.0 else {
            return self.commit().map(|()| true);
        };
        // A folder that cannot be locked leaves a race between reading and writing.
        let folder = File::open(folder(path));
        let lock = folder.and_then(|folder| folder.lock().map(|()| folder));
        let found = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            found => Some(found?),
        };
        let same = found.as_deref() == old;
        if same {
            self.commit()?;
        }
        drop(lock);
        Ok(same)
    }
}

/// Follows the symbolic links at `path`; the target need not exist.
pub(super) fn link_target(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(link) => path = folder(&path).join(link),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many links"))
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        Some(_) | None => Path::new("."),
    }
}

fn new_file(
    path: &Path,
    old: Option<&fs::Metadata>,
    bytes: &[u8],
    private: bool,
) -> io::Result<Temporary> {
    let folder = folder(path);
    if private {
        make_folders(folder)?;
    }
    // It gets the permissions of the old file when it is complete: before that nobody
    // else may read a secret in it.
    let file = Temporary::create(folder, private || old.is_some());
    let mut file = file.map_err(|error| match error.kind() {
        io::ErrorKind::PermissionDenied => {
            let why = format!("permission denied in folder '{}'", folder.display());
            io::Error::new(error.kind(), why)
        }
        _ => error,
    })?;
    file.file.write_all(bytes)?;
    if let Some(old) = old {
        keep_owner(file.path(), old);
        file.file.set_permissions(old.permissions())?;
    }
    file.file.sync_all()?;
    Ok(file)
}

/// Makes the missing folders, for their owner only.
fn make_folders(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Gives the new file the owner of the old one. Only root can; others own the file.
#[cfg(unix)]
fn keep_owner(path: &Path, old: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, chown};
    chown(path, Some(old.uid()), Some(old.gid())).ok();
}

#[cfg(not(unix))]
fn keep_owner(_: &Path, _: &fs::Metadata) {}
