//! The printer of any patch, in the language that holds most of its ops.

use std::fmt::Write;

use super::op_fields::{OpFields, is_plain};
use super::{json, ops};
use crate::diagnostic::Result;
use crate::patch::{Combination, Content, Edit, Op, Patch};

/// A language of patches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PatchLanguage {
    JsonPatch,
    OpsFile,
    Overlay,
    MergePatch,
}

/// Prints a patch so that it is read as the same patch: as an ops-file, a JSON Patch, an
/// Overlay or a Merge Patch, by its ops. An op that this language cannot hold becomes a
/// comment.
pub fn print_patch(patch: &Patch) -> String {
    let language = PatchLanguage::of(patch);
    let (held, lost): (Vec<Op>, Vec<Op>) =
        patch.ops.iter().cloned().partition(|op| language.holds(op));
    let mut text = String::new();
    for op in &lost {
        let path = json::quoted(&op.at.to_string());
        let why = if op.edit.merges() {
            "merge directives stay in their document"
        } else {
            language.refusal()
        };
        writeln!(text, "# Left out: an op at {path}; {why}").ok();
    }
    match language.print(&Patch { ops: held, ..patch.clone() }) {
        Ok(ops) => text + &ops,
        Err(error) => text + &format!("# {}\n", error.to_string().replace('\n', " ")),
    }
}

impl PatchLanguage {
    /// Returns the language that holds most ops.
    fn of(patch: &Patch) -> PatchLanguage {
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
        let most = all
            .into_iter()
            .max_by_key(|it| patch.ops.iter().filter(|op| it.holds(op)).count());
        most.unwrap_or(PatchLanguage::OpsFile)
    }

    fn holds(self, op: &Op) -> bool {
        let fields = match self {
            PatchLanguage::OpsFile => OpFields::of(op),
            PatchLanguage::JsonPatch => OpFields::of_json_patch(op),
            PatchLanguage::Overlay => OpFields::of_overlay(op),
            PatchLanguage::MergePatch => {
                let rules = Combination::MERGE_PATCH;
                let is_root = op.at == Default::default();
                return is_root
                    && is_plain(op)
                    && matches!(&op.edit, Edit::Combine(Content::Written(_), it) if *it == rules);
            }
        };
        fields.is_ok_and(|fields| fields.is_some())
    }

    fn refusal(self) -> &'static str {
        match self {
            PatchLanguage::OpsFile => "an ops-file cannot hold it",
            PatchLanguage::JsonPatch => "a JSON Patch cannot hold it",
            PatchLanguage::Overlay => "an Overlay cannot hold it",
            PatchLanguage::MergePatch => "a Merge Patch cannot hold it",
        }
    }

    /// Prints a patch whose ops the language holds.
    fn print(self, patch: &Patch) -> Result<String> {
        match (self, patch.ops.first().map(|op| &op.edit)) {
            (PatchLanguage::JsonPatch, _) => Ok(ops::json_patch(patch)?.to_string()),
            (PatchLanguage::Overlay, _) => Ok(ops::overlay(patch)?.to_string()),
            (
                PatchLanguage::MergePatch,
                Some(Edit::Combine(Content::Written(node), _)),
            ) => Ok(ops::value(patch, *node)?.to_string()),
            (PatchLanguage::OpsFile | PatchLanguage::MergePatch, _) => {
                ops::print_ops(patch)
            }
        }
    }
}
