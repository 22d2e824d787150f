//! The file of the vars-store, replaced only if nobody changed it meanwhile.

#[cfg(unix)]
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;

use interpolate::unstable::diagnostic::Diagnostic;
use interpolate::unstable::source::{Os, Sources};
use interpolate::unstable::variables::Store;

use super::failure::{Failure, unwritable, warn};
use super::options::Output;
use super::replacement::prepare;

/// The bits of a mode that let the group or others read.
const OTHERS_READ: u32 = 0o044;

pub struct StoreFile {
    pub store: Store,
    pub path: PathBuf,
    /// The bytes that were read; `None` if there was no file.
    pub read: Option<Vec<u8>>,
    pub world: Os,
}

impl StoreFile {
    /// Warns if others can read the secrets in it.
    pub fn warn_of_readers(&self, output: &Output) {
        let mode = mode(&self.path).unwrap_or_default();
        if mode & OTHERS_READ == 0 || !self.store.has_secrets() {
            return;
        }
        let path = self.path.display();
        let message =
            format!("'{path}' holds secrets, and others can read it (mode {mode:o})");
        let warning = Diagnostic::warning(message).hint(format!("`chmod 600 '{path}'`"));
        // It is read again for each BASE.
        static TOLD: Once = Once::new();
        TOLD.call_once(|| warn(&[*warning], &Sources::default(), output));
    }

    /// Writes the new values. Returns false, and writes nothing, if the file was changed
    /// since it was read.
    pub fn write(&self, output: &Output) -> Result<bool, Failure> {
        let Some(text) = self.store.changed() else { return Ok(true) };
        let wrong = |error| unwritable(&self.path, &error);
        let ready = prepare(&self.world, (&self.path, text.as_bytes()), true, output)?;
        ready.commit_over(self.read.as_deref()).map_err(wrong)
    }

    /// Returns the failure of a run whose vars-store changes all the time.
    pub fn outdated(&self) -> Failure {
        let path = self.path.display();
        Failure::file(format!("{path} was changed meanwhile; nothing was written"))
            .hint(Some("run again: what is in it by then is used".into()))
    }
}

/// Returns the permissions of a file, where the system has modes.
#[cfg(unix)]
fn mode(path: &Path) -> Option<u32> {
    let found = fs::metadata(path).ok()?;
    Some(std::os::unix::fs::MetadataExt::mode(&found) & 0o777)
}

#[cfg(not(unix))]
fn mode(_: &Path) -> Option<u32> {
    None
}
