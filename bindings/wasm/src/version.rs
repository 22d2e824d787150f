//! Results for JavaScript of functions that join versions of a document.

#[cfg(feature = "review")]
use std::collections::BTreeMap;

use interpolate::{Conflict, Document, Merge, Problem};
#[cfg(feature = "review")]
use interpolate::{Rebased, RebasedOp};
use serde::Serialize;

/// A document into which an edit was put, with notes.
#[derive(Serialize)]
pub(crate) struct PutAnswer {
    text: String,
    notes: Vec<Problem>,
}

impl PutAnswer {
    pub(crate) fn of(document: &Document, notes: Vec<Problem>) -> PutAnswer {
        PutAnswer { text: document.to_string(), notes }
    }
}

/// A merged document, and where both sides changed it differently.
#[derive(Serialize)]
pub(crate) struct MergeAnswer {
    text: String,
    marked: String,
    conflicts: Vec<Conflict>,
}

impl MergeAnswer {
    pub(crate) fn of(merged: &Merge) -> MergeAnswer {
        MergeAnswer {
            text: merged.document().to_string(),
            marked: merged.marked(),
            conflicts: merged.conflicts().to_vec(),
        }
    }
}

/// The ops of a patch, and those of its files that were fixed.
#[cfg(feature = "review")]
#[derive(Serialize)]
pub(crate) struct RebaseAnswer {
    ops: Vec<RebasedOp>,
    files: BTreeMap<String, String>,
}

#[cfg(feature = "review")]
impl RebaseAnswer {
    pub(crate) fn of(rebased: Rebased) -> RebaseAnswer {
        RebaseAnswer { ops: rebased.ops, files: rebased.files.into_iter().collect() }
    }
}
