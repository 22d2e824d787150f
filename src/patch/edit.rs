//! The change that an op makes, with its value or its directives.

use crate::arena::Index;
use crate::node::{NodeId, Path};
use crate::source::FileId;
use crate::target::Target;

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

    /// Returns the value that the patch has for the change, if it puts one somewhere.
    pub(crate) fn written_value(&self) -> Option<NodeId> {
        match self {
            Edit::Replace(node)
            | Edit::Add(Content::Written(node))
            | Edit::Combine(Content::Written(node), _) => Some(*node),
            _ => None,
        }
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

/// The rules by which a collection takes in another. Mappings are combined deeply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Combination {
    /// A null removes the entry with its key.
    pub null_removes: bool,
    /// The effect of a list on a list.
    pub lists: Joining,
    /// True if values of different kinds cannot be combined; else the new one replaces.
    pub is_strict: bool,
}

/// The effect of a new list on one that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joining {
    /// It takes its place.
    Replace,
    /// Its items come after those that are there.
    Append,
}

impl Combination {
    /// `type: merge` of an ops-file.
    pub const MERGE: Combination =
        Combination { null_removes: false, lists: Joining::Replace, is_strict: false };
    /// JSON Merge Patch (RFC 7396).
    pub const MERGE_PATCH: Combination =
        Combination { null_removes: true, ..Self::MERGE };
    /// `update` of an OpenAPI Overlay.
    pub const OVERLAY: Combination =
        Combination { null_removes: false, lists: Joining::Append, is_strict: true };
}

/// The value that an op puts somewhere.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// As the patch has it.
    Written(NodeId),
    /// A copy of the value at another place.
    Copied(Target),
    /// The value at another place, from which it is removed first.
    Moved(Target),
}

impl Content {
    /// Returns the same content in a list of opened nodes that `by` others precede.
    pub(crate) fn shifted(self, by: u32) -> Content {
        match self {
            Content::Written(node) => Content::Written(node.shifted(by)),
            Content::Copied(_) | Content::Moved(_) => self,
        }
    }
}

/// A mapping with merge directives, and their imports. The mapping's own entries stay in
/// the document and override the imports. Removed are the keys of the imports, `+&`, and,
/// if there is any import, `+%`.
#[derive(Clone, Debug, PartialEq)]
pub struct Merge {
    /// The mapping. Inner sites are merged before outer ones, later items before earlier,
    /// so that no merge moves a site that is still to come.
    pub site: Path,
    /// In the order of their keys: a later one overrides an earlier one.
    pub imports: Vec<Import>,
    /// The effect of an own list on an imported one.
    pub lists: Lists,
}

/// One directive.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The key, as it was written.
    pub key: NodeId,
    /// Its target, as written.
    pub source: Source,
    /// The imported node with its own directives expanded; `None` if none was required.
    pub found: Option<NodeId>,
}

/// The effect of an own list on the list that is imported for the same key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lists {
    /// It replaces the imported list, as Unfurl's documentation says.
    #[default]
    Replace,
    /// Its items are added to the imported ones, as Unfurl's code does.
    Union,
}

/// The target of a directive: `+?include*anchor../a/b`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// `?`: it may be missing.
    pub optional: bool,
    /// `raw`: its own directives are not expanded.
    pub raw: bool,
    /// The node at which the pointer starts.
    pub base: Base,
    /// The keys and indices from there, unescaped (RFC 6901).
    pub pointer: Vec<String>,
}

/// The node at which the pointer of a directive starts.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Base {
    /// The root of the document.
    #[default]
    Root,
    /// `.` is the mapping that holds the directive, `..` the collection around it.
    Parent(u32),
    /// The node with an anchor, or with a name by `+&`.
    Anchor(String),
    /// The root, or an anchor, of an included file; no file if its condition is not met.
    File(Option<FileId>, Option<String>),
}

/// A directive and one node that it refers to, as both were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Link {
    /// The mapping that holds the directive.
    pub holder: (FileId, Index),
    /// The key of the directive.
    pub key: (FileId, Index),
    /// The node it refers to, without the imports of its own directives.
    pub referent: (FileId, Index),
}
