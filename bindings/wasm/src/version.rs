//! What JavaScript gets from functions that compare versions of a document.

use std::collections::BTreeMap;

use interpolate::{Document, Merge, Problem, Rebased, RebasedOp};
use serde::Serialize;

use crate::failure::{Fault, Spot};

/// A document into which an edit was put, with notes.
#[derive(Serialize)]
pub(crate) struct PutAnswer {
    text: String,
    notes: Vec<Fault>,
}

impl PutAnswer {
    pub(crate) fn of(document: &Document, notes: &[Problem]) -> PutAnswer {
        let notes = notes.iter().map(Fault::of).collect();
        PutAnswer { text: document.to_string(), notes }
    }
}

/// A merged document, and where both sides changed it differently.
#[derive(Serialize)]
pub(crate) struct MergeAnswer {
    text: String,
    marked: String,
    conflicts: Vec<ConflictAnswer>,
}

#[derive(Serialize)]
struct ConflictAnswer {
    document: Option<String>,
    path: String,
}

impl MergeAnswer {
    pub(crate) fn of(merged: &Merge) -> MergeAnswer {
        let conflicts = merged.conflicts().iter().map(|conflict| ConflictAnswer {
            document: conflict.document.clone(),
            path: conflict.path.clone(),
        });
        MergeAnswer {
            text: merged.document().to_string(),
            marked: merged.marked(),
            conflicts: conflicts.collect(),
        }
    }
}

/// The ops of a patch, and those of its files that were mended.
#[derive(Serialize)]
pub(crate) struct RebaseAnswer {
    ops: Vec<OpAnswer>,
    files: BTreeMap<String, String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OpAnswer {
    place: Option<Spot>,
    path: String,
    status: &'static str,
    to: Option<String>,
    sure: bool,
    is_done: bool,
    why: String,
}

impl RebaseAnswer {
    pub(crate) fn of(rebased: Rebased) -> RebaseAnswer {
        let ops = rebased.ops.into_iter().map(OpAnswer::of).collect();
        RebaseAnswer { ops, files: rebased.files.into_iter().collect() }
    }
}

impl OpAnswer {
    fn of(op: RebasedOp) -> OpAnswer {
        OpAnswer {
            place: op.place.map(|place| Spot::of(&place, "")),
            path: op.path,
            status: op.status.word(),
            to: op.to,
            sure: op.sure,
            is_done: op.is_done,
            why: op.why,
        }
    }
}
