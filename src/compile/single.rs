//! Patches that are a single document: a JSON Patch, a Merge Patch or an Overlay.

use crate::diagnostic::{Diagnostic, Result};
use crate::layout;
use crate::node::Tree;
use crate::patch::{Op, Patch};

/// Returns the patch with the ops of a document. If it is written as JSON, its values take
/// the style of what they are put into: its author did not choose quotes and brackets.
pub(super) fn patch_of(document: &Tree, ops: Vec<Op>) -> Patch {
    let arena = document.shared_base().clone();
    let restyled = if layout::is_json(&arena) { vec![arena.file()] } else { Vec::new() };
    Patch { ops, arenas: vec![arena], restyled, ..Patch::default() }
}

/// Fails if there are several documents.
pub(super) fn check_single(document: &Tree, what: &str) -> Result<()> {
    let Some(&second) = document.roots().get(1) else { return Ok(()) };
    let message = format!("{what} is a single document");
    let place = document.span(second).map(|span| document.first_line(span));
    let error = Diagnostic::error(message);
    Err(error.label(place, "the second one"))
}
