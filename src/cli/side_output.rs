//! Output beside the result: the vars-store, whose file is replaced only if nobody changed it
//! meanwhile, the diff of `-i`, and files of templates; and the reasons why a result is not where it belongs.

#[cfg(unix)]
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;

use interpolate::unstable::diagnostic::{Diagnostic, listed};
use interpolate::unstable::eval::Session;
use interpolate::unstable::node::Tree;
use interpolate::unstable::source::{Os, Sources};
use interpolate::unstable::variables::Store;

use super::failure::{Failure, Result, unwritable, warn};
use super::options::{Format, Output};
use super::replacement::{prepare, remove_files_on_signals, warn_of_loss};

/// Output beside the result: the vars-store, the diff and the files that templates write.
#[derive(Default)]
pub struct SideOutput {
    pub store: Option<StoreFile>,
    pub session: Option<Session>,
    /// The diff of a file that is replaced.
    pub diff: Option<String>,
}

impl SideOutput {
    /// Writes the vars-store.
    pub fn write_store(
        &mut self,
        output: &Output,
    ) -> std::result::Result<(), Undelivered> {
        let Some(store) = self.store.take() else { return Ok(()) };
        if !store.write(output)? {
            return Err(Undelivered::Outdated(store.into()));
        }
        store.tell_generated(output);
        Ok(())
    }

    /// Writes the files of templates.
    pub fn write_files(self, output: &Output) -> Result<()> {
        let Some(session) = self.session else { return Ok(()) };
        let world = &session.context.world;
        if world.has_drafts() {
            remove_files_on_signals();
        }
        let losses = world.commit().map_err(|(path, error)| unwritable(&path, &error))?;
        for (path, unkept) in losses {
            warn_of_loss(&path, &unkept, output);
        }
        Ok(())
    }
}

pub enum Undelivered {
    Failed(Failure),
    /// Another run has changed the vars-store since it was read. Nothing is written.
    Outdated(Box<StoreFile>),
}

impl From<Failure> for Undelivered {
    fn from(failure: Failure) -> Undelivered {
        Undelivered::Failed(failure)
    }
}

impl From<Undelivered> for Failure {
    fn from(undelivered: Undelivered) -> Failure {
        match undelivered {
            Undelivered::Failed(failure) => failure,
            Undelivered::Outdated(store) => store.outdated(),
        }
    }
}

/// BASE, patched, filled in and evaluated.
pub struct Patched {
    pub document: Tree,
    pub side: SideOutput,
    /// The documents of the stream that are printed where not all are, by position.
    pub printed: Vec<usize>,
}

/// Maximum number of generated values that are named.
// Three lines of a terminal; the file has them all.
const MAX_NAMED: usize = 10;

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

    /// Tells which values were generated. `--format bosh` tells nothing.
    fn tell_generated(&self, output: &Output) {
        let mut names: Vec<&str> = self.store.generated().collect();
        if names.is_empty() || output.format() == Format::Bosh {
            return;
        }
        let more = names.len().saturating_sub(MAX_NAMED);
        names.truncate(MAX_NAMED);
        let names = listed(names.iter().map(|name| format!("'{name}'")).collect(), more);
        let path = self.path.display();
        let note = Diagnostic::note(format!("generated {names}, kept in '{path}'"));
        warn(&[*note], &Sources::default(), output);
    }

    /// Writes the new values. Returns false, and writes nothing, if the file was changed
    /// since it was read.
    pub fn write(&self, output: &Output) -> Result<bool> {
        let Some(text) = self.store.changed() else { return Ok(true) };
        prepare(&self.world, &self.path, text.as_bytes(), true, output)?
            .commit_over(self.read.as_deref())
            .map_err(|error| unwritable(&self.path, &error))
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
    Some(std::os::unix::fs::MetadataExt::mode(&fs::metadata(path).ok()?) & 0o777)
}

#[cfg(not(unix))]
fn mode(_: &Path) -> Option<u32> {
    None
}
