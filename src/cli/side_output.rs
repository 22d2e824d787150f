//! Output beside the result.

use interpolate::unstable::eval::Session;

use super::failure::unwritable;
use super::interrupt;
use super::options::Output;
use super::replacement::warn_of_loss;
use super::store_file::StoreFile;
use super::undelivered::Undelivered;

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
            interrupt::watch();
        }
        let losses = world.commit().map_err(|(path, error)| unwritable(&path, &error))?;
        for (path, unkept) in losses {
            warn_of_loss(&path, &unkept, output);
        }
        Ok(())
    }
}
