//! Patches that are a single document.

use crate::diagnostic::{Diagnostic, Result};
use crate::node::Tree;

/// Fails if there are several documents.
pub(super) fn check_single(document: &Tree, what: &str) -> Result<()> {
    let Some(&second) = document.roots().get(1) else { return Ok(()) };
    let message = format!("{what} is a single document");
    let place = document.span(second).map(|span| document.first_line(span));
    let error = Diagnostic::error(message);
    Err(place.into_iter().fold(error, |error, at| error.label(at, "the second one")))
}
