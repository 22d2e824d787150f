//! Output beside the result, and the reasons why a result is not where it belongs.

use interpolate::unstable::eval::Session;
use interpolate::unstable::node::Tree;

use super::failure::{Failure, unwritable};
use super::options::Output;
use super::replacement::{remove_files_on_signals, warn_of_loss};
use super::store_file::StoreFile;

/// Output beside the result: the vars-store and the files that templates write.
#[derive(Default)]
pub struct SideOutput {
    pub store: Option<StoreFile>,
    pub session: Option<Session>,
}

impl SideOutput {
    /// Writes the vars-store and the files.
    pub fn write(self, output: &Output) -> Result<(), Undelivered> {
        if let Some(store) = self.store
            && !store.write(output)?
        {
            return Err(Undelivered::Outdated(store.into()));
        }
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
