//! What JavaScript gets from functions that join versions of a document.

use interpolate::{Document, Merge, Problem};
use serde::Serialize;

use crate::failure::Fault;

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
