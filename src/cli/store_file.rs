//! The file of the vars-store, replaced only if nobody changed it meanwhile.

use std::path::PathBuf;

use interpolate::unstable::source::Os;
use interpolate::unstable::variables::Store;

use super::failure::{Failure, unwritable};
use super::options::Output;
use super::replacement::prepare;

pub struct StoreFile {
    pub store: Store,
    path: PathBuf,
    /// The bytes that were read; `None` if there was no file.
    read: Option<Vec<u8>>,
    world: Os,
}

impl StoreFile {
    pub fn new(
        store: Store,
        path: PathBuf,
        read: Option<Vec<u8>>,
        world: Os,
    ) -> StoreFile {
        StoreFile { store, path, read, world }
    }

    pub fn write(&self, output: &Output) -> Result<(), Failure> {
        let Some(text) = self.store.changed() else { return Ok(()) };
        let wrong = |error| unwritable(&self.path, &error);
        let ready = prepare(&self.world, (&self.path, text.as_bytes()), true, output)?;
        if ready.commit_over(self.read.as_deref()).map_err(wrong)? {
            return Ok(());
        }
        let path = self.path.display();
        Err(Failure::file(format!("{path} was changed meanwhile; nothing was written"))
            .hint(Some("run again: what is in it by then is used".into())))
    }
}
