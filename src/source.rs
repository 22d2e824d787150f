//! Texts and places: file names and bytes come in through [`World`]; [`Sources`]
//! numbers them, so that every later value can say where it was written.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// The number of a text in [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub(crate) u32);

/// A range of bytes of one text: `start..end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The text.
    pub file: FileId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

/// How a text was stored; it is written back the same way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark (which stays part of the text).
    #[default]
    Utf8,
    /// UTF-16, most significant byte first.
    Utf16Be,
    /// UTF-16, least significant byte first.
    Utf16Le,
}

/// A text that is never changed and cheap to share. It may hold secrets, and is not
/// printed for debugging.
#[derive(Clone, Default)]
pub struct Text(Arc<String>);

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Text({} bytes)", self.len())
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Text(Arc::new(text))
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        text.to_owned().into()
    }
}

/// One text and the name people know it by.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name as it was given: a path, or `-` for standard input.
    pub name: String,
    /// The text, decoded.
    pub text: Text,
    /// How it was stored.
    pub encoding: Encoding,
    /// Whether it holds secrets, which are never shown.
    pub secret: bool,
}

/// Every text of a run, numbered in the order it was added.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    /// Adds a text under a name.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Text>) -> FileId {
        self.push(Source {
            name: name.into(),
            text: text.into(),
            encoding: Encoding::Utf8,
            secret: false,
        })
    }

    /// Adds a source that has been read.
    pub fn push(&mut self, source: Source) -> FileId {
        self.files.push(source);
        FileId(self.files.len() as u32 - 1)
    }

    /// The source of that number.
    pub fn get(&self, file: FileId) -> &Source {
        &self.files[file.0 as usize]
    }
}

/// What is asked for once and never comes again.
pub struct Moment {
    /// The time.
    pub now: SystemTime,
    /// Bytes nobody can guess; whoever knows them knows what is made of them.
    pub seed: [u8; 32],
}

/// Everything outside the program. No other code reads a file, the environment or a clock.
pub trait World {
    /// The bytes of the file at `path`; `-` is standard input.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// The entries of a folder, in no particular order.
    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>>;
    /// Whether `path` is a folder.
    fn is_folder(&self, path: &Path) -> bool;
    /// Replaces the file at `path` as a whole or not at all. A new one that is `private`
    /// can be read by nobody else.
    fn write(&self, path: &Path, bytes: &[u8], private: bool) -> io::Result<()>;
    /// A variable of the environment.
    fn env(&self, name: &str) -> Option<String>;
    /// Every variable of the environment that is text, by name.
    fn environment(&self) -> Vec<(String, String)>;
    /// The time, and bytes that nobody can guess.
    fn moment(&self) -> io::Result<Moment>;
}

/// The machine the program runs on.
#[derive(Clone, Debug, Default)]
pub struct Os {
    root: Option<PathBuf>,
}

impl Os {
    /// A world in which nothing outside `root` is read.
    ///
    /// # Errors
    /// There is no such folder.
    pub fn jailed(root: &Path) -> io::Result<Os> {
        Ok(Os { root: Some(fs::canonicalize(root)?) })
    }

    /// Where `path` leads, which must be inside the root.
    fn resolve<'p>(&self, path: &'p Path) -> io::Result<Cow<'p, Path>> {
        let Some(root) = &self.root else { return Ok(path.into()) };
        let found = fs::canonicalize(path);
        let nearest = match &found {
            Ok(real) => Some(real.clone()),
            Err(_) => std::path::absolute(path)?
                .ancestors()
                .skip(1)
                .find_map(|above| fs::canonicalize(above).ok()),
        };
        if nearest.is_some_and(|real| real.starts_with(root)) {
            return found.map(Cow::from);
        }
        Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            format!("outside of the folder '{}' given as --root", root.display()),
        ))
    }
}

impl World for Os {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        if path.as_os_str() == "-" {
            io::stdin().lock().read_to_end(&mut bytes)?;
            return Ok(bytes);
        }
        fs::read(self.resolve(path)?)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let entries = fs::read_dir(self.resolve(folder)?)?;
        entries.map(|entry| Ok(folder.join(entry?.file_name()))).collect()
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.resolve(path).is_ok_and(|path| path.is_dir())
    }

    fn write(&self, path: &Path, bytes: &[u8], private: bool) -> io::Result<()> {
        match fs::metadata(path) {
            Ok(found) if found.is_file() => {
                replace(&fs::canonicalize(path)?, Some(&found), bytes, private)
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound && !path.is_symlink() => {
                replace(path, None, bytes, private)
            }
            // A device, a pipe or a link to what is not there yet.
            Ok(_) | Err(_) => File::create(path)?.write_all(bytes),
        }
    }

    fn env(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn environment(&self) -> Vec<(String, String)> {
        let text = |(name, value): (OsString, OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        let mut all: Vec<_> = std::env::vars_os().filter_map(text).collect();
        all.sort_unstable();
        all
    }

    fn moment(&self) -> io::Result<Moment> {
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(io::Error::other)?;
        Ok(Moment { now: SystemTime::now(), seed })
    }
}

/// Puts a new file in the place of the one at `path`, if any, in one step.
fn replace(
    path: &Path,
    old: Option<&fs::Metadata>,
    bytes: &[u8],
    private: bool,
) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        Some(_) | None => Path::new("."),
    };
    let mut file = new_file(folder, private)?;
    file.write_all(bytes)?;
    if let Some(old) = old {
        keep_owner(file.path(), old);
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(path)?;
    // Not every system lets a folder be opened or synced.
    File::open(folder).and_then(|folder| folder.sync_all()).or(Ok(()))
}

#[cfg(unix)]
fn new_file(folder: &Path, private: bool) -> io::Result<tempfile::NamedTempFile> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::Permissions::from_mode(if private { 0o600 } else { 0o666 });
    tempfile::Builder::new().permissions(mode).tempfile_in(folder)
}

#[cfg(not(unix))]
fn new_file(folder: &Path, _: bool) -> io::Result<tempfile::NamedTempFile> {
    tempfile::NamedTempFile::new_in(folder)
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

    #[test]
    fn write() {
        let home = tempfile::tempdir().unwrap();
        let (file, link) = (home.path().join("file"), home.path().join("link"));
        symlink("file", &link).unwrap();
        Os::default().write(&link, b"new", false).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        Os::default().write(&link, b"newer", false).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"newer");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(link.is_symlink());
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 2);
        assert!(Os::default().write(home.path(), b"", false).is_err());
        Os::default().write(Path::new("/dev/null"), b"x", false).unwrap();
    }
}
