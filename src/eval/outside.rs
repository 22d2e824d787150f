//! The world as a run sees it. The run sees its own writes at once; the files change when
//! the run has succeeded. Programs that it runs see the old files.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::{fmt, io, mem};

use crate::eval::python::Lock;
use crate::source::World;

/// A world with files that are still to be written.
pub struct Outside {
    world: Arc<dyn World + Send + Sync>,
    /// The drafts by their canonical paths.
    drafts: Lock<BTreeMap<PathBuf, FileDraft>>,
}

struct FileDraft {
    bytes: Vec<u8>,
    private: bool,
}

impl Outside {
    pub(super) fn new(world: Arc<dyn World + Send + Sync>) -> Outside {
        Outside { world, drafts: Lock::default() }
    }

    /// Drafts a file. A `private` one will be readable by its owner only.
    pub fn write(&self, path: &Path, bytes: &[u8], private: bool) {
        let path = self.place(path);
        self.drafts.write().insert(path, FileDraft { bytes: bytes.to_vec(), private });
    }

    /// Returns true if there is a file to write.
    pub fn has_drafts(&self) -> bool {
        !self.drafts.read().is_empty()
    }

    /// Writes all drafts, with the folders that they need. Returns what files lose, where the
    /// world allows that.
    ///
    /// # Errors
    /// The path of a file that cannot be written, and the error. Then no file is written.
    pub fn commit(&self) -> Result<Vec<(PathBuf, String)>, (PathBuf, io::Error)> {
        let mut ready = Vec::new();
        for (path, draft) in mem::take(&mut *self.drafts.write()) {
            let prepared = self.world.prepare(&path, &draft.bytes, draft.private);
            let prepared = prepared.or_else(|error| match error.kind() {
                // `prepare` makes missing folders for private files only.
                io::ErrorKind::NotFound => self.world.prepare(&path, &draft.bytes, true),
                _ => Err(error),
            });
            match prepared {
                Ok(prepared) => ready.push((path, prepared)),
                Err(error) => return Err((path, error)),
            }
        }
        let mut losses = Vec::new();
        for (path, ready) in ready {
            let unkept = ready.unkept().map(ToString::to_string);
            losses.extend(unkept.map(|unkept| (path.clone(), unkept)));
            ready.commit().map_err(|error| (path, error))?;
        }
        Ok(losses)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The system's error.
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.draft(path).map_or_else(|| self.world.read(path), Ok)
    }

    /// Reads at most so many bytes at the start of a file.
    ///
    /// # Errors
    /// The system's error.
    pub fn head(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        match self.draft(path) {
            Some(bytes) => Ok(bytes.into_iter().take(most as usize).collect()),
            None => self.world.head(path, most),
        }
    }

    /// Returns the canonical path of a file or folder.
    ///
    /// # Errors
    /// The system's error, if it does not exist.
    pub fn real(&self, path: &Path) -> io::Result<PathBuf> {
        match self.draft(path) {
            Some(_) => Ok(self.place(path)),
            None => self.world.real(path),
        }
    }

    fn draft(&self, path: &Path) -> Option<Vec<u8>> {
        if self.drafts.read().is_empty() {
            return None;
        }
        self.drafts.read().get(&self.place(path)).map(|draft| draft.bytes.clone())
    }

    /// Returns the canonical path of a file that need not exist.
    fn place(&self, path: &Path) -> PathBuf {
        // A bare file name has no parent folder that could be resolved.
        let path = Path::new(".").join(path);
        let known = |above: &Path| {
            let rest = path.strip_prefix(above).ok()?;
            Some((self.world.real(above).ok()?, rest.components()))
        };
        let Some((mut place, rest)) = path.ancestors().find_map(known) else {
            return path;
        };
        for part in rest {
            match part {
                Component::ParentDir => drop(place.pop()),
                part => place.push(part),
            }
        }
        place
    }
}

/// The world without drafts, for everything that they do not change.
impl Deref for Outside {
    type Target = dyn World + Send + Sync;

    fn deref(&self) -> &Self::Target {
        &*self.world
    }
}

impl fmt::Debug for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Outside")
    }
}
