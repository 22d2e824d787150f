//! Patches in any language: the content of a file tells which.

use super::json_patch::json_patch;
use super::merge_patch::{check_single, has, is_patch};
use super::ops;
use super::overlay::overlay;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::node::{Kind, NodeId, Tree};
use crate::patch::Patch;

/// Fields of kustomize's patches, which are not read yet.
const KUSTOMIZE: [&str; 2] = ["patches", "replacements"];

/// Compiles a patch: an ops-file, a JSON Patch (a list whose first item has
/// `op`) or an OpenAPI Overlay (a mapping with `overlay`). `name` is the name of the file
/// in messages.
///
/// # Errors
/// One diagnostic for each part that is wrong, or a hint at the option that reads the file.
pub fn patch(document: &Tree, name: &str) -> Result<Patch, Diagnostics> {
    let root = document.root();
    match document.kind(root) {
        Kind::Sequence if is_json_patch(document, root) => {
            check_single(document, "a JSON Patch")?;
            json_patch(document)
        }
        Kind::Mapping => mapping(document, root),
        Kind::Sequence | Kind::Scalar => ops::compile(document, name, true),
    }
}

/// Returns true if a document reads as an ops-file: a list whose first item has a type and a
/// path.
pub fn is_ops_file(document: &Tree) -> bool {
    is_patch(document) && !is_json_patch(document, document.root())
}

fn is_json_patch(document: &Tree, root: NodeId) -> bool {
    let first = document.items(root).into_iter().next();
    first.is_some_and(|op| !has(document, op, "type") && has(document, op, "op"))
}

fn mapping(document: &Tree, root: NodeId) -> Result<Patch, Diagnostics> {
    let place = document.first_line_of(root);
    if let Some(field) = KUSTOMIZE.into_iter().find(|field| has(document, root, field)) {
        let message = format!("'{field}' of kustomize cannot be read yet");
        return Err(Diagnostic::error(message).at(place).into());
    }
    if has(document, root, "overlay") {
        check_single(document, "an Overlay")?;
        return overlay(document);
    }
    let hint = if has(document, root, "kind") && has(document, root, "metadata") {
        "a Kubernetes patch cannot be read yet; `--merge FILE` merges a mapping"
    } else {
        "did you mean `--merge FILE`, which merges a mapping?"
    };
    let message = "a patch is a list of ops, and this is a mapping";
    Err(Diagnostic::error(message).hint(hint).at(place).into())
}
