//! The documents of a stream that a patch reaches.

use std::collections::BTreeSet;

use crate::node::Tree;
use crate::patch::Op;

/// The documents of a stream that a patch is applied to, by position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// The documents that an op without a selector is applied to.
    pub default: Vec<usize>,
    /// The documents among which the selector of an op chooses.
    pub selectable: Vec<usize>,
}

impl Reach {
    /// Returns the reach of a patch for some documents, whose selectors choose among all.
    pub fn of(tree: &Tree, default: impl IntoIterator<Item = usize>) -> Reach {
        Reach {
            default: default.into_iter().collect(),
            selectable: (0..tree.roots().len()).collect(),
        }
    }

    /// Returns the reach of a patch for some documents, whose selectors choose among these.
    pub fn only(documents: Vec<usize>) -> Reach {
        Reach { selectable: documents.clone(), default: documents }
    }

    /// Returns the documents to which one of these ops may be applied.
    pub(super) fn of_ops(&self, ops: &[Op]) -> BTreeSet<usize> {
        let selects = ops.iter().any(|op| !op.only.is_empty());
        let selectable = if selects { &self.selectable[..] } else { &[] };
        self.default.iter().chain(selectable).copied().collect()
    }
}
