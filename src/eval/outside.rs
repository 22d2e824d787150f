//! The world as a run sees it: what the run writes is there for the run at once, and for
//! others once all went well.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{fmt, io, mem};

use crate::source::{Moment, Replacement, World};

/// The world and what is to be written to it.
pub struct Outside {
    world: Arc<dyn World + Send + Sync>,
    drafts: Mutex<BTreeMap<PathBuf, Draft>>,
}

struct Draft {
    bytes: Vec<u8>,
    ready: Replacement,
}

impl Outside {
    /// A world to which nothing is to be written yet.
    pub(super) fn new(world: Arc<dyn World + Send + Sync>) -> Outside {
        Outside { world, drafts: Mutex::default() }
    }

    /// Has a file written if all goes well. One that is `private` can be read by nobody
    /// else, and gets the folders that are missing.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, path: &Path, bytes: &[u8], private: bool) -> io::Result<()> {
        let ready = self.world.prepare(path, bytes, private)?;
        let draft = Draft { bytes: bytes.to_vec(), ready };
        self.drafts().insert(path.to_owned(), draft);
        Ok(())
    }

    /// Writes what was to be written.
    ///
    /// # Errors
    /// A file that cannot be written, and why.
    pub fn commit(&self) -> Result<(), (PathBuf, io::Error)> {
        let drafts = mem::take(&mut *self.drafts());
        drafts.into_iter().try_for_each(|(path, draft)| {
            draft.ready.commit().map_err(|error| (path, error))
        })
    }

    fn drafts(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Draft>> {
        self.drafts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Deref for Outside {
    type Target = dyn World + Send + Sync;

    fn deref(&self) -> &Self::Target {
        self
    }
}

impl World for Outside {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self.drafts().get(path) {
            Some(draft) => Ok(draft.bytes.clone()),
            None => self.world.read(path),
        }
    }

    fn head(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        match self.drafts().get(path) {
            Some(draft) => Ok(draft.bytes.iter().copied().take(most as usize).collect()),
            None => self.world.head(path, most),
        }
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        match self.drafts().contains_key(path) {
            true => Ok(path.to_owned()),
            false => self.world.real(path),
        }
    }

    fn fetch(&self, url: &str, most: u64) -> io::Result<Vec<u8>> {
        self.world.fetch(url, most)
    }

    fn run(
        &self,
        command: &str,
        folder: &Path,
        most: u64,
    ) -> io::Result<(Vec<u8>, Option<i32>)> {
        self.world.run(command, folder, most)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<PathBuf>> {
        self.world.list(folder)
    }

    fn is_folder(&self, path: &Path) -> bool {
        self.world.is_folder(path)
    }

    fn prepare(
        &self,
        path: &Path,
        bytes: &[u8],
        private: bool,
    ) -> io::Result<Replacement> {
        self.world.prepare(path, bytes, private)
    }

    fn is_same(&self, one: &Path, other: &Path) -> bool {
        self.world.is_same(one, other)
    }

    fn env(&self, name: &str) -> Option<String> {
        self.world.env(name)
    }

    fn environment(&self) -> Vec<(String, String)> {
        self.world.environment()
    }

    fn moment(&self) -> io::Result<Moment> {
        self.world.moment()
    }
}

impl fmt::Debug for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Outside")
    }
}
