//! The budget of a run of a patch: the steps of its queries, the bytes and nodes that its ops
//! copy, and the values that they combine. A copy of a copy doubles a document with each op.

use super::failure::{OpFailure, OpResult};
use super::site::entry_budget;
use crate::node::{EntryComments, PrintedSize};
use crate::patch::{NewComment, NewComments, Patch};
use crate::select::QueryBudget;
use crate::yaml::Expansion;

/// The bytes of the limit for which a node may be copied.
// The slot of a copied node takes 44 bytes, however short its text is: about as many.
const BYTES_PER_NODE: usize = 32;

/// The number of nodes that are copied, or combined, in any case.
// A low limit is meant for large documents, and not for patches of a usual size.
const FEWEST_NODES: usize = 1 << 14;

/// The number of nodes that the copy of a collection counts for, beside its own.
// Once it is opened it takes 256 bytes beside its slots: eight nodes of 32.
const NODES_PER_COLLECTION: u64 = 8;

/// Number of children that are compared, or keys that are read, in the time in which one value
/// is combined: that opens and puts nothing.
const CHILDREN_PER_VALUE: usize = 16;

/// Number of names with which all new ones of a run are compared.
// Each of many ops may add a key beside all the others. A remark is worth some milliseconds.
const MOST_NAMES: usize = 100_000;

/// The remaining budget of the ops of a run.
#[derive(Debug)]
pub(crate) struct OpsBudget {
    limit: usize,
    bytes_left: u64,
    nodes_left: u64,
    /// The values that ops may still combine with others.
    values_left: usize,
    /// The names with which new ones may still be compared, for remarks.
    names_left: usize,
    is_spent: bool,
    pub(crate) queries: QueryBudget,
}

impl OpsBudget {
    /// Creates the budget of a patch.
    pub(crate) fn of(patch: &Patch) -> OpsBudget {
        let limit = patch.limit.unwrap_or(Expansion::default().0);
        OpsBudget {
            limit,
            bytes_left: limit as u64,
            nodes_left: most_nodes(limit) as u64,
            values_left: entry_budget(limit).max(FEWEST_NODES),
            names_left: MOST_NAMES,
            is_spent: false,
            queries: patch.query_budget(),
        }
    }

    /// Takes the bytes and nodes of copies of a value, each with its comments.
    ///
    /// Fails if fewer are left.
    pub(super) fn copy(
        &mut self,
        value: PrintedSize,
        comments: u64,
        copies: usize,
    ) -> OpResult<()> {
        let copies = copies as u64;
        let bytes = value.bytes.saturating_add(comments).saturating_mul(copies);
        let opened = if value.nodes > 1 { NODES_PER_COLLECTION } else { 0 };
        let nodes = value.nodes.saturating_add(opened).saturating_mul(copies);
        let Some(bytes) = self.bytes_left.checked_sub(bytes) else {
            return Err(self.spent("copy", "bytes", self.limit));
        };
        let Some(nodes) = self.nodes_left.checked_sub(nodes) else {
            return Err(self.spent("copy", "nodes", most_nodes(self.limit)));
        };
        self.bytes_left = bytes;
        self.nodes_left = nodes;
        Ok(())
    }

    /// Returns true if an op has failed for want of bytes or steps. Others would fail likewise.
    pub(crate) fn is_spent(&self) -> bool {
        self.is_spent || self.queries.is_spent()
    }

    /// Takes values that are combined with others.
    ///
    /// Fails if fewer are left.
    pub(super) fn combine(&mut self, values: usize) -> OpResult<()> {
        let Some(left) = self.values_left.checked_sub(values) else {
            let most = entry_budget(self.limit).max(FEWEST_NODES);
            return Err(self.spent("combine", "values", most));
        };
        self.values_left = left;
        Ok(())
    }

    /// Takes children of values that were compared, or keys that were read.
    ///
    /// Fails if fewer are left.
    pub(super) fn compare(&mut self, children: usize) -> OpResult<()> {
        self.combine(children / CHILDREN_PER_VALUE)
    }

    /// Returns true if new names may be compared with others.
    pub(super) fn has_names(&self) -> bool {
        self.names_left > 0
    }

    /// Takes names with which a new one is compared.
    pub(super) fn take_names(&mut self, count: usize) {
        self.names_left = self.names_left.saturating_sub(count);
    }

    fn spent(&mut self, verb: &str, what: &str, most: usize) -> OpFailure {
        self.is_spent = true;
        let message = format!("the ops {verb} more than {most} {what}");
        let hint = "`--limit expansion=N` raises the limit";
        OpFailure::new(message, usize::MAX).hint(Some(hint.into()))
    }
}

/// Returns the number of nodes that ops may copy.
fn most_nodes(limit: usize) -> usize {
    (limit / BYTES_PER_NODE).max(FEWEST_NODES)
}

/// Returns the bytes of the comments that an op gives to each place, and of those that come
/// along with its value.
pub(super) fn comment_size(new: &NewComments, brought: Option<&EntryComments>) -> u64 {
    let given = [&new.trailing, &new.leading].into_iter().map(|comment| match comment {
        NewComment::Text(text) => text.len(),
        NewComment::Unchanged | NewComment::Removed => 0,
    });
    let given: usize = given.sum();
    (given + brought.map_or(0, EntryComments::size)) as u64
}
