//! What JavaScript gets from a rebase.

use std::collections::BTreeMap;

use interpolate::{Rebased, RebasedOp};
use serde::Serialize;

use crate::failure::Spot;

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
            status: op.status.name(),
            to: op.to,
            sure: op.sure,
            is_done: op.is_done,
            why: op.why,
        }
    }
}
