//! Attributes that a file would lose by being replaced.

use std::{error, fmt, io};

/// The attributes of a file that its replacement cannot have. There is at least one.
#[derive(Debug)]
pub struct Unkept(Vec<String>);

impl Unkept {
    /// Returns `None` if everything is kept.
    pub(super) fn new(losses: Vec<String>) -> Option<Unkept> {
        (!losses.is_empty()).then_some(Unkept(losses))
    }

    /// Returns true for an error that is about attributes alone.
    pub fn is_cause(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|inner| inner.is::<Unkept>())
    }
}

impl fmt::Display for Unkept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot keep {}", self.0.join(", nor "))
    }
}

impl error::Error for Unkept {}

impl From<Unkept> for io::Error {
    fn from(unkept: Unkept) -> io::Error {
        io::Error::new(io::ErrorKind::PermissionDenied, unkept)
    }
}
