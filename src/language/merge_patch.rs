//! A JSON Merge Patch (RFC 7396), which any document is.

use super::given::{check_single, is_patch, patch_of};
use super::writer;
use crate::diagnostic::{Diagnostic, Result};
use crate::node::Tree;
use crate::patch::{Combination, Content, Edit, Op, Origin, Patch};
use crate::target::Target;

/// Compiles a merge patch to one op, which combines the whole document with it.
///
/// # Errors
/// The text has several documents, or it is a list of ops, which would replace the document.
pub fn read(document: &Tree) -> Result<Patch> {
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

/// Returns true if an op is a whole merge patch.
pub(super) fn holds(op: &Op) -> bool {
    let combines = matches!(
        &op.edit,
        Edit::Combine(Content::Written(_), rules) if *rules == Combination::MERGE_PATCH
    );
    combines && op.at == Target::default() && !writer::has_own_fields(op)
}

/// Returns the merge patch that compiles to `patch`, as a document.
///
/// # Errors
/// The op is not that of a merge patch.
pub(super) fn write(patch: &Patch) -> Result<Tree> {
    match patch.ops.first().map(|op| &op.edit) {
        Some(Edit::Combine(Content::Written(node), _)) => writer::value(patch, *node),
        _ => Err(Diagnostic::error("a Merge Patch cannot hold this op")),
    }
}
