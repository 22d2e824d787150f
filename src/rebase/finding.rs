//! A verdict in the making.

use super::mend::Mend;
use super::verdict::Status;

/// The result of judging an op in one pair of documents.
#[derive(Default)]
pub(super) struct Finding {
    pub status: Status,
    pub to: Option<Mend>,
    pub sure: bool,
    pub is_done: bool,
    pub why: String,
}

impl Finding {
    pub(super) fn new(status: Status, sure: bool, why: impl Into<String>) -> Finding {
        Finding { status, sure, why: why.into(), ..Finding::default() }
    }
}
