//! The languages of patches: an ops-file, a JSON Patch, a Merge Patch, an Overlay, and the
//! arguments of a command. Each reads its document to ops, and writes ops as its document.

mod argument;
mod given;
mod json_patch;
mod merge_patch;
mod ops_file;
mod overlay;
mod unmarshal;
mod writer;

use std::fmt::Write;

use crate::diagnostic::{Diagnostic, Diagnostics, Result};
use crate::node::{Kind, NodeId, Tree};
use crate::patch::{Op, Patch};
use crate::yaml::json;

pub use argument::{Verb, appended_item, argument};
pub use given::is_patch;
pub use json_patch::write as json_patch;
pub use merge_patch::read as merge_patch;
pub use ops_file::{FIELDS, field_names, ops, print_each, print_ops};
#[cfg(feature = "generate")]
pub(crate) use unmarshal::mismatch;
pub(crate) use unmarshal::{
    TypeMismatch, check_static_variables, mismatch_message, text, unmarshal_list,
    variable_name,
};

use given::{check_single, has};

/// Fields of kustomize's patches, which are not read yet.
const KUSTOMIZE: [&str; 2] = ["patches", "replacements"];

/// A language of patches that are files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PatchLanguage {
    JsonPatch,
    OpsFile,
    Overlay,
    MergePatch,
}

/// Compiles a patch: an ops-file, a JSON Patch (a list whose first item has
/// `op`) or an OpenAPI Overlay (a mapping with `overlay`). `name` is the name of the file
/// in messages.
///
/// # Errors
/// One diagnostic for each part that is wrong, or a hint at the option that reads the file.
pub fn patch(document: &Tree, name: &str) -> std::result::Result<Patch, Diagnostics> {
    match PatchLanguage::of_document(document)? {
        PatchLanguage::JsonPatch => {
            check_single(document, "a JSON Patch")?;
            json_patch::read(document)
        }
        PatchLanguage::Overlay => {
            check_single(document, "an Overlay")?;
            overlay::read(document)
        }
        PatchLanguage::MergePatch => Ok(merge_patch::read(document)?),
        PatchLanguage::OpsFile => ops_file::read(document, name, true),
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

/// Prints a patch so that it is read as the same patch: as an ops-file, a JSON Patch, an
/// Overlay or a Merge Patch, by its ops. An op that this language cannot hold becomes a
/// comment.
pub fn print_patch(patch: &Patch) -> String {
    let language = PatchLanguage::of_patch(patch);
    let (held, lost): (Vec<Op>, Vec<Op>) =
        patch.ops.iter().cloned().partition(|op| language.holds(op));
    let mut text = String::new();
    for op in &lost {
        let path = json::quoted(&op.at.to_string());
        let why = if op.edit.merges() {
            "merge directives stay in their document".into()
        } else {
            format!("{} cannot hold it", language.name())
        };
        writeln!(text, "# Left out: an op at {path}; {why}").ok();
    }
    match language.print(&Patch { ops: held, ..patch.clone() }) {
        Ok(ops) => text + &ops,
        Err(error) => text + &format!("# {}\n", error.to_string().replace('\n', " ")),
    }
}

impl PatchLanguage {
    /// Returns the language of a document: its content tells which.
    ///
    /// # Errors
    /// It is a mapping of another kind. A Merge Patch is any mapping, so an option names it.
    fn of_document(document: &Tree) -> Result<PatchLanguage> {
        let root = document.root();
        match document.kind(root) {
            Kind::Sequence if is_json_patch(document, root) => {
                return Ok(PatchLanguage::JsonPatch);
            }
            Kind::Sequence | Kind::Scalar => return Ok(PatchLanguage::OpsFile),
            Kind::Mapping => {}
        }
        let place = document.first_line_of(root);
        if let Some(field) = KUSTOMIZE.into_iter().find(|it| has(document, root, it)) {
            let message = format!("'{field}' of kustomize cannot be read yet");
            return Err(Diagnostic::error(message).at(place));
        }
        if has(document, root, "overlay") {
            return Ok(PatchLanguage::Overlay);
        }
        let is_op = ["type", "op"].into_iter().any(|it| has(document, root, it))
            && has(document, root, "path");
        let hint = if is_op {
            "an op is an item of a list: begin it with `- `"
        } else if has(document, root, "kind") && has(document, root, "metadata") {
            "a Kubernetes patch cannot be read yet; `--merge FILE` merges a mapping, and \
             replaces lists as a whole"
        } else {
            "did you mean `--merge FILE`, which merges a mapping?"
        };
        let message = "a patch is a list of ops, and this is a mapping";
        Err(Diagnostic::error(message).hint(hint).at(place))
    }

    /// Returns the language that holds most ops.
    fn of_patch(patch: &Patch) -> PatchLanguage {
        let mut ops = patch.ops.iter().filter(|op| !op.edit.merges());
        match (ops.next(), ops.next()) {
            (None, _) => return PatchLanguage::OpsFile,
            (Some(op), None) if PatchLanguage::MergePatch.holds(op) => {
                return PatchLanguage::MergePatch;
            }
            _ => {}
        }
        // A removal of an overlay can stand in an ops-file, too, but would not warn there:
        // the last one wins.
        let all =
            [PatchLanguage::JsonPatch, PatchLanguage::OpsFile, PatchLanguage::Overlay];
        let held =
            |it: &PatchLanguage| patch.ops.iter().filter(|op| it.holds(op)).count();
        all.into_iter().max_by_key(held).unwrap_or(PatchLanguage::OpsFile)
    }

    fn holds(self, op: &Op) -> bool {
        let fields = match self {
            PatchLanguage::OpsFile => ops_file::fields_of(op),
            PatchLanguage::JsonPatch => json_patch::fields_of(op),
            PatchLanguage::Overlay => overlay::fields_of(op),
            PatchLanguage::MergePatch => return merge_patch::holds(op),
        };
        fields.is_ok_and(|fields| fields.is_some())
    }

    fn name(self) -> &'static str {
        match self {
            PatchLanguage::OpsFile => "an ops-file",
            PatchLanguage::JsonPatch => "a JSON Patch",
            PatchLanguage::Overlay => "an Overlay",
            PatchLanguage::MergePatch => "a Merge Patch",
        }
    }

    /// Prints a patch whose ops the language holds.
    fn print(self, patch: &Patch) -> Result<String> {
        let document = match self {
            PatchLanguage::OpsFile => return print_ops(patch),
            PatchLanguage::JsonPatch => json_patch::write(patch)?,
            PatchLanguage::Overlay => overlay::write(patch)?,
            PatchLanguage::MergePatch => merge_patch::write(patch)?,
        };
        Ok(document.to_string())
    }
}
