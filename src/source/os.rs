//! The machine the program runs on: files, folders, the environment, the network.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::{Moment, World};

/// So long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(30);

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

/// What a server that says there is nothing has in common with a folder.
fn unanswered(error: ureq::Error) -> io::Error {
    match error {
        ureq::Error::StatusCode(404 | 410) => {
            io::Error::new(io::ErrorKind::NotFound, error)
        }
        error => error.into_io(),
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

    fn head(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(self.resolve(path)?)?.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn fetch(&self, url: &str, most: u64) -> io::Result<Vec<u8>> {
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .max_redirects(5)
            .build()
            .into();
        let mut response = agent.get(url).call().map_err(unanswered)?;
        let mut bytes = Vec::new();
        response.body_mut().as_reader().take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(self.resolve(path)?)
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
