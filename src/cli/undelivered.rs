//! The reasons why a result is not where it belongs.

use super::failure::Failure;
use super::store_file::StoreFile;

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
