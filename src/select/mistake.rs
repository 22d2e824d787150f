//! A mistake in a path or a selector, for people.

use std::error::Error;
use std::fmt;

/// A mistake in a path or a selector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// The fault.
    pub message: String,
    /// A suggestion.
    pub hint: Option<String>,
}

impl From<String> for Mistake {
    fn from(message: String) -> Mistake {
        Mistake { message, hint: None }
    }
}

/// Prints both on one line.
impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.hint.iter().try_for_each(|hint| write!(f, "; {hint}"))
    }
}

impl Error for Mistake {}
