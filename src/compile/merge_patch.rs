//! Checks patches that are a single document, and compiles one kind of them: a JSON Merge
//! Patch (RFC 7396), which any document is.

use crate::diagnostic::{Diagnostic, Result};
use crate::layout;
use crate::node::{NodeId, Tree};
use crate::patch::{Combination, Content, Edit, Op, Origin, Patch};
use crate::target::Target;

/// Compiles a merge patch to one op, which combines the whole document with it.
///
/// # Errors
/// The text has several documents, or it is a list of ops, which would replace the document.
pub fn merge_patch(document: &Tree) -> Result<Patch> {
    check_single(document, "a merge patch")?;
    let root = document.root();
    let span = document.first_line_of(root);
    if is_patch(document) {
        let message = "this is a list of ops, and a merge patch is a mapping";
        let error = Diagnostic::error(message).at(span);
        return Err(error.hint("`-o FILE` applies ops, those of a JSON Patch too"));
    }
    let origin = Origin { span, path: span, from: None, number: 0 };
    let edit = Edit::Combine(Content::Written(root), Combination::MERGE_PATCH);
    Ok(patch_of(document, vec![Op::new(Target::default(), edit, Some(origin))]))
}

/// Returns true if a document reads as an ops-file or a JSON Patch, and not as a manifest.
pub fn is_patch(document: &Tree) -> bool {
    let first = document.items(document.root()).into_iter().next();
    first.is_some_and(|op| {
        has(document, op, "path")
            && (has(document, op, "type") || has(document, op, "op"))
    })
}

pub(super) fn has(document: &Tree, mapping: NodeId, key: &str) -> bool {
    document.get(mapping, key).is_some()
}

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
    Err(Diagnostic::error(message).label(place, "the second one"))
}
