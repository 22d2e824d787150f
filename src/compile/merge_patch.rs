//! Compiles a JSON Merge Patch (RFC 7396): any document is one.

use super::language::is_patch;
use super::single::{check_single, patch_of};
use crate::diagnostic::{Diagnostic, Result};
use crate::node::Tree;
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
    let ops = vec![Op::new(Target::default(), edit, Some(origin))];
    Ok(patch_of(document, ops))
}
