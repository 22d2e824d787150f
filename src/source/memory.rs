//! A world in memory: texts by path and an environment, for embedders and tests. Nothing
//! is written.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use super::world::{Moment, World};
use super::write::Replacement;

/// Files and an environment in memory.
///
/// ```
/// use interpolate::{Memory, Reader};
///
/// let mut files = Memory::default();
/// files.files.insert("base.yml".into(), "a: 1\n".into());
/// let document = Reader::new().world(files).read("base.yml")?;
/// assert_eq!(document.to_string(), "a: 1\n");
/// # Ok::<(), interpolate::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Memory {
    /// The files, by paths without `.` and `..`.
    pub files: BTreeMap<PathBuf, String>,
    /// The environment.
    pub environment: BTreeMap<String, String>,
    /// The time and the random bytes; without them both are unsupported.
    pub moment: Option<(SystemTime, [u8; 32])>,
}

impl World for Memory {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        Ok(self.files.get(&plain(path)).ok_or_else(missing)?.clone().into_bytes())
    }

    fn head(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = self.read(path)?;
        bytes.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        Ok(bytes)
    }

    fn fetch(&self, _: &str, _: u64) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn run(&self, _: &str, _: &Path, _: u64) -> io::Result<(Vec<u8>, Option<i32>)> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        let real = plain(path);
        let there = self.files.keys().any(|file| file.starts_with(&real));
        there.then_some(real).ok_or_else(missing)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        let folder = plain(folder);
        let files = self.files.keys().filter(|file| file.parent() == Some(&folder));
        Ok(files.cloned().collect())
    }

    fn is_folder(&self, path: &Path) -> bool {
        let path = plain(path);
        self.files.keys().any(|file| *file != path && file.starts_with(&path))
    }

    fn prepare(&self, _: &Path, _: &[u8], _: bool) -> io::Result<Replacement> {
        Err(io::ErrorKind::PermissionDenied.into())
    }

    fn is_same(&self, one: &Path, other: &Path) -> bool {
        plain(one) == plain(other)
    }

    fn env(&self, name: &str) -> Option<String> {
        self.environment.get(name).cloned()
    }

    fn environment(&self) -> Vec<(String, String)> {
        self.environment
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    fn moment(&self) -> io::Result<Moment> {
        let (now, seed) = self.moment.ok_or(io::ErrorKind::Unsupported)?;
        Ok(Moment { now, seed })
    }
}

/// Returns a path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => {
                plain.push(part);
            }
        }
    }
    plain
}

fn missing() -> io::Error {
    io::Error::new(io::ErrorKind::NotFound, "not found")
}
