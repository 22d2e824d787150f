//! The change that an op makes.

use super::{Combination, Content, Merge};
use crate::node::NodeId;

/// The change that an op makes.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// `type: test`
    Test(Expect),
    /// `type: replace`: sets, inserts, appends, creates what is optional.
    Replace(NodeId),
    /// `type: remove`
    Remove,
    /// `type: replace` without a value: only comments are changed.
    Keep,
    /// JSON Patch's `add`: sets the value of a key, or inserts an item before an index.
    Add(Content),
    /// `type: merge`, a Merge Patch, `update`: a collection takes in another.
    Combine(Content, Combination),
    /// Directives, not an op of a file: a mapping takes in what its directives import.
    Merge(Merge),
    /// After all merges: removes whiteouts that met nothing, and turns nullouts to null.
    RemoveWhiteouts,
}

/// The expectation of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expect {
    /// `value: …`
    Equal(NodeId),
    /// The `value` of a JSON Patch: 1 equals 1.0.
    EqualJson(NodeId),
    /// `value: null` beside `absent: false`
    Null,
    /// `absent: true`
    Absent,
}

impl Edit {
    /// Returns true for the changes of directives, which are applied before all others.
    pub(crate) fn merges(&self) -> bool {
        matches!(self, Edit::Merge(_) | Edit::RemoveWhiteouts)
    }

    /// Returns the same change in a list of opened nodes that `by` others precede.
    pub(super) fn shifted(self, by: u32) -> Edit {
        match self {
            Edit::Replace(node) => Edit::Replace(node.shifted(by)),
            Edit::Test(Expect::Equal(node)) => {
                Edit::Test(Expect::Equal(node.shifted(by)))
            }
            Edit::Test(Expect::EqualJson(node)) => {
                Edit::Test(Expect::EqualJson(node.shifted(by)))
            }
            Edit::Add(content) => Edit::Add(content.shifted(by)),
            Edit::Combine(content, rules) => Edit::Combine(content.shifted(by), rules),
            Edit::Merge(mut merge) => {
                merge.site = merge.site.iter().map(|step| step.shifted(by)).collect();
                for import in &mut merge.imports {
                    import.key = import.key.shifted(by);
                    import.found = import.found.map(|node| node.shifted(by));
                }
                Edit::Merge(merge)
            }
            Edit::Test(Expect::Null | Expect::Absent)
            | Edit::Remove
            | Edit::Keep
            | Edit::RemoveWhiteouts => self,
        }
    }
}
