//! Replaces files as a whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{error, fmt};

#[cfg(unix)]
use super::attributes::Attributes;
use super::temporary::Temporary;

/// Maximum number of symbolic links that lead to a file, as in the Linux kernel.
pub(super) const MAX_LINKS: usize = 40;

/// The new content of a path, not yet in its place. Dropping it changes nothing.
#[derive(Debug)]
pub struct Replacement {
    destination: Destination,
    unkept: Option<Unkept>,
}

#[derive(Debug)]
enum Destination {
    /// A complete temporary file, and the path it is moved to.
    File { file: Temporary, path: PathBuf },
    /// A device, a pipe, or a file that was handed over open.
    Stream(File, Vec<u8>),
}

impl Replacement {
    /// Prepares the content of a path that is no link. An old file keeps its attributes; what
    /// it would lose is an error, unless the replacement is `forced`.
    pub(super) fn prepare(
        path: &Path,
        bytes: &[u8],
        private: bool,
        forced: bool,
    ) -> io::Result<Replacement> {
        // A file is replaced by a rename, which asks for the permissions of the folder only.
        // A read-only file has to stay.
        let old = match OpenOptions::new().write(true).open(path) {
            Ok(old) => Some(old),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if let Some(stream) = old.as_ref().filter(|old| !is_file(old)) {
            let destination = Destination::Stream(stream.try_clone()?, bytes.to_vec());
            return Ok(Replacement { destination, unkept: None });
        }
        let (file, unkept) = new_file(path, old.as_ref(), bytes, private)?;
        match unkept {
            Some(unkept) if !forced => Err(unkept.into()),
            unkept => {
                let destination = Destination::File { file, path: path.to_owned() };
                Ok(Replacement { destination, unkept })
            }
        }
    }

    /// Prepares the content of an open file that `path` leads to, such as `/dev/stdout`:
    /// it follows what is there. Returns `None` for any other path.
    pub(super) fn of_open_file(
        path: &Path,
        bytes: &[u8],
    ) -> io::Result<Option<Replacement>> {
        let open = open_descriptor(path)?;
        Ok(open.map(|open| {
            let destination = Destination::Stream(open, bytes.to_vec());
            Replacement { destination, unkept: None }
        }))
    }

    /// Returns what the old file loses.
    pub fn unkept(&self) -> Option<&Unkept> {
        self.unkept.as_ref()
    }

    /// Moves the content to its place.
    ///
    /// # Errors
    /// The system's error; the old content is then still there.
    pub fn commit(self) -> io::Result<()> {
        let (file, path) = match self.destination {
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
        let Destination::File { path, .. } = &self.destination else {
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
    follow(path, |_| false)
}

/// Follows the symbolic links at `path`, up to one that stops it.
fn follow(path: &Path, stops: fn(&Path) -> bool) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(link) if !stops(&path) => path = folder(&path).join(link),
            Ok(_) | Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many links"))
}

/// Opens the open file that `path` leads to, such as `/dev/stdout`. Returns `None` for any
/// other path.
// The text of such a link may name a file, which others write to as well, or nothing.
fn open_descriptor(path: &Path) -> io::Result<Option<File>> {
    let path = follow(path, is_descriptor)?;
    if !is_descriptor(&path) {
        return Ok(None);
    }
    match own_stream(&path) {
        Some(stream) => stream.map(Some),
        // Opened anew, a regular file would be written at a position of its own, over or
        // under what others write.
        None if fs::metadata(&path)?.is_file() => {
            let why = "this open file can only be written by its own name";
            Err(io::Error::new(io::ErrorKind::Unsupported, why))
        }
        None => OpenOptions::new().append(true).open(path).map(Some),
    }
}

/// Returns true for the path of an open file.
fn is_descriptor(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name.as_encoded_bytes().iter().all(u8::is_ascii_digit))
        && fs::canonicalize(folder(path)).is_ok_and(|folder| {
            let is_of_process = folder.starts_with("/proc") && folder.ends_with("fd");
            is_of_process || folder == Path::new("/dev/fd")
        })
}

/// Returns a copy of the standard stream that `path` names. It writes at the position that
/// others left, which a file that is opened anew does not know.
#[cfg(unix)]
fn own_stream(path: &Path) -> Option<io::Result<File>> {
    use std::os::fd::AsFd;
    if fs::canonicalize(folder(path)).ok() != fs::canonicalize("/dev/fd").ok() {
        return None;
    }
    let stdout = io::stdout();
    let stderr = io::stderr();
    let stream = match path.file_name()?.to_str()? {
        "1" => stdout.as_fd(),
        "2" => stderr.as_fd(),
        _ => return None,
    };
    Some(stream.try_clone_to_owned().map(File::from))
}

#[cfg(not(unix))]
fn own_stream(_: &Path) -> Option<io::Result<File>> {
    None
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        Some(_) | None => Path::new("."),
    }
}

fn is_file(file: &File) -> bool {
    file.metadata().is_ok_and(|found| found.is_file())
}

/// Creates a complete temporary file with the attributes of the old one. Returns what it
/// cannot have.
fn new_file(
    path: &Path,
    old: Option<&File>,
    bytes: &[u8],
    private: bool,
) -> io::Result<(Temporary, Option<Unkept>)> {
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
    let losses = old.map_or(Ok(Vec::new()), |old| give_attributes(old, &file.file))?;
    file.file.sync_all()?;
    Ok((file, (!losses.is_empty()).then_some(Unkept(losses))))
}

#[cfg(unix)]
fn give_attributes(old: &File, new: &File) -> io::Result<Vec<String>> {
    Attributes::give(old, new)
}

#[cfg(not(unix))]
fn give_attributes(old: &File, new: &File) -> io::Result<Vec<String>> {
    new.set_permissions(old.metadata()?.permissions())?;
    Ok(Vec::new())
}

/// Makes the missing folders, for their owner only.
fn make_folders(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// The attributes of a file that its replacement cannot have. There is at least one.
#[derive(Debug)]
pub struct Unkept(Vec<String>);

impl Unkept {
    /// Returns true for an error that is about attributes alone.
    pub fn is_cause(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<Unkept>())
    }
}

impl fmt::Display for Unkept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot keep {}", self.0.join(", nor "))
    }
}

impl error::Error for Unkept {}

impl From<Unkept> for io::Error {
    fn from(unkept: Unkept) -> io::Error {
        io::Error::new(io::ErrorKind::PermissionDenied, unkept)
    }
}
