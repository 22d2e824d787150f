//! The vars-store's file: its bytes come in, the text with what was generated goes out, if
//! nobody else changed the file meanwhile.

use std::io;
use std::path::{Path, PathBuf};

use interpolate::source::{Os, World};
use interpolate::variables::Store;
use interpolate::yaml::Target;

use super::failure::Failure;
use super::option::Interpolate;
use super::output::unwritable;
use super::read::{Reader, nonempty, unreadable};

/// A vars-store and the file it lies in.
pub(crate) struct Kept {
    pub(crate) store: Store,
    path: PathBuf,
    /// What was read; nothing if there was no file.
    read: Option<Vec<u8>>,
    world: Os,
}

impl Interpolate {
    /// The file the result is written to.
    pub(super) fn target(&self) -> Option<PathBuf> {
        let base = || self.output.in_place.then(|| self.base().into());
        self.output.output.clone().or_else(base)
    }
}

impl Reader<'_> {
    /// The vars-store, if there is to be one.
    pub(crate) fn store(
        &mut self,
        target: Option<&Path>,
    ) -> Result<Option<Kept>, Failure> {
        let Some(path) = &self.input.variables.vars_store else { return Ok(None) };
        let wrong = |failure| self.input.argument("vars_store", 0, failure);
        let path = self.home(Path::new(nonempty(path).map_err(wrong)?));
        let path = std::path::absolute(&path).unwrap_or(path);
        if target.is_some_and(|target| self.world.is_same(target, &path)) {
            let message = "the result would be written over the vars-store";
            return Err(Failure::usage(message));
        }
        let read = match self.world.read(&path) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(unreadable(&path, &error)),
        };
        let (name, world) = (path.display().to_string(), self.world.clone());
        let document =
            self.secret(&name, read.clone().unwrap_or_default(), Target::Entries);
        Ok(Some(Kept { store: Store::new(name, document), path, read, world }))
    }
}

impl Kept {
    /// Writes what was generated, if anything was.
    pub(crate) fn write(&self) -> Result<(), Failure> {
        let Some(text) = self.store.changed() else { return Ok(()) };
        let wrong = |error| unwritable(&self.path, &error);
        let ready = self.world.prepare(&self.path, text.as_bytes(), true);
        if ready
            .and_then(|ready| ready.commit_over(self.read.as_deref()))
            .map_err(wrong)?
        {
            return Ok(());
        }
        let path = self.path.display();
        let message = format!("{path} was changed meanwhile; nothing was written");
        Err(Failure::file(message)
            .hint(Some("run again: what is in it by then is used".into())))
    }
}
