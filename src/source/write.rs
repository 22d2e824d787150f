//! A path and bytes come in; a file as a whole goes out, or nothing.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// So many links lead to a file at most.
const LINKS: usize = 40;

/// What is to stand at a path. Dropping it leaves everything as it was.
#[derive(Debug)]
pub struct Replacement(Way);

#[derive(Debug)]
enum Way {
    /// A file that is complete, and the one whose place it takes.
    File { file: NamedTempFile, path: PathBuf },
    /// A device or a pipe, open.
    Stream(File, Vec<u8>),
}

impl Replacement {
    /// Gets ready to write what no link leads on from.
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
            // What may not be written is not replaced either.
            let stream = OpenOptions::new().write(true).open(path)?;
            if old.as_ref().is_some_and(|old| !old.is_file()) {
                return Ok(Replacement(Way::Stream(stream, bytes.to_vec())));
            }
        }
        let file = new_file(path, old.as_ref(), bytes, private)?;
        Ok(Replacement(Way::File { file, path: path.to_owned() }))
    }

    /// Puts it there.
    ///
    /// # Errors
    /// It cannot be put there, and what was there still is.
    pub fn commit(self) -> io::Result<()> {
        let (file, path) = match self.0 {
            Way::File { file, path } => (file, path),
            Way::Stream(mut stream, bytes) => return stream.write_all(&bytes),
        };
        file.persist(&path)?;
        // Not every system lets a folder be opened or synced.
        let folder = File::open(folder(&path));
        folder.and_then(|folder| folder.sync_all()).or(Ok(()))
    }

    /// Puts it there if what is there is still `old`; whether it did. Of several runs that do
    /// so one comes after the other.
    ///
    /// # Errors
    /// As for [`commit`](Replacement::commit).
    pub fn commit_over(self, old: Option<&[u8]>) -> io::Result<bool> {
        let Way::File { path, .. } = &self.0 else { return self.commit().map(|()| true) };
        // Where a folder cannot be locked there remains a moment between looking and writing.
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

/// Where the links at `path` lead, whether something is there or not.
pub(super) fn target(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
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
) -> io::Result<NamedTempFile> {
    let folder = folder(path);
    if private {
        make_folders(folder)?;
    }
    // It gets the permissions of the old one when it is complete.
    let file = temporary(folder, private || old.is_some());
    let mut file = file.map_err(|error| match error.kind() {
        io::ErrorKind::PermissionDenied => {
            let why = format!("permission denied in folder '{}'", folder.display());
            io::Error::new(error.kind(), why)
        }
        _ => error,
    })?;
    file.write_all(bytes)?;
    if let Some(old) = old {
        keep_owner(file.path(), old);
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file().sync_all()?;
    Ok(file)
}

#[cfg(unix)]
fn temporary(folder: &Path, private: bool) -> io::Result<NamedTempFile> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::Permissions::from_mode(if private { 0o600 } else { 0o666 });
    tempfile::Builder::new().permissions(mode).tempfile_in(folder)
}

#[cfg(not(unix))]
fn temporary(folder: &Path, _: bool) -> io::Result<NamedTempFile> {
    NamedTempFile::new_in(folder)
}

/// Makes the folders that are missing, for their owner only.
fn make_folders(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Only root can give a file away; for everybody else the owner stays who writes.
#[cfg(unix)]
fn keep_owner(path: &Path, old: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, chown};
    chown(path, Some(old.uid()), Some(old.gid())).ok();
}

#[cfg(not(unix))]
fn keep_owner(_: &Path, _: &fs::Metadata) {}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;
    use crate::source::{Os, World};

    #[test]
    fn modes_and_links() {
        let home = tempfile::tempdir().unwrap();
        let (file, link) = (home.path().join("file"), home.path().join("link"));
        symlink("file", &link).unwrap();
        write(&link, b"new", true).unwrap();
        assert_eq!(mode(&file), 0o600);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        write(&link, b"newer", false).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"newer");
        assert_eq!(mode(&file), 0o640);
        assert!(link.is_symlink());
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 2);
        assert!(write(home.path(), b"", false).is_err());
        write(Path::new("/dev/null"), b"x", false).unwrap();
    }

    #[test]
    fn nothing_before_commit() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("a/b/file");
        let ready = Os::default().prepare(&file, b"mine", true).unwrap();
        assert!(!file.exists());
        assert_eq!(mode(file.parent().unwrap()), 0o700);
        fs::write(&file, "another's").unwrap();
        assert!(!ready.commit_over(None).unwrap());
        drop(Os::default().prepare(&file, b"mine", true).unwrap());
        assert_eq!(fs::read(&file).unwrap(), b"another's");
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn links_out_of_the_root() {
        let (home, outside) =
            (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let link = home.path().join("link");
        symlink(outside.path().join("new"), &link).unwrap();
        let jailed = Os::jailed(home.path()).unwrap();
        assert!(jailed.prepare(&link, b"x", true).is_err());
        symlink("b", home.path().join("a")).unwrap();
        symlink("a", home.path().join("b")).unwrap();
        assert!(jailed.prepare(&home.path().join("a"), b"x", true).is_err());
    }

    #[test]
    fn new_files_inside_the_root() {
        let home = tempfile::tempdir().unwrap();
        let jailed = Os::jailed(home.path()).unwrap();
        let new = |path: &str| jailed.prepare(&home.path().join(path), b"x", true);
        new("a/b").unwrap().commit().unwrap();
        assert_eq!(fs::read(home.path().join("a/b")).unwrap(), b"x");
        assert!(new("c/../../d").is_err());
        assert!(new("../d").is_err());
    }

    fn write(path: &Path, bytes: &[u8], private: bool) -> io::Result<()> {
        Os::default().prepare(path, bytes, private)?.commit()
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).map_or(0, |found| found.permissions().mode() & 0o777)
    }
}
