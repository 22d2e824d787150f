//! Output beside the result.

use interpolate::unstable::eval::Session;

use super::failure::{Failure, unwritable};
use super::store_file::StoreFile;

/// Output beside the result: the vars-store and the files that templates write.
#[derive(Default)]
pub struct SideOutput {
    pub store: Option<StoreFile>,
    pub session: Option<Session>,
}

impl SideOutput {
    /// Writes the vars-store and the files.
    pub fn write(&self) -> Result<(), Failure> {
        if let Some(store) = &self.store {
            store.write()?;
        }
        let Some(session) = &self.session else { return Ok(()) };
        session.context.world.commit().map_err(|(path, error)| unwritable(&path, &error))
    }
}
