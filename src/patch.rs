//! The patch IR: ops with the places they were written at. Merge directives and
//! ops-files are compiled into it, [`apply`](crate::apply) runs it.

use std::fmt;
use std::sync::Arc;

use crate::arena::Arena;
use crate::node::{Aliases, NodeId, Opened, Path};
use crate::select::DocumentSelector;
use crate::source::{FileId, Span};
use crate::target::Target;

/// Ops in the order they are applied, and the texts their values stand in.
#[derive(Clone, Default)]
pub struct Patch {
    /// Private to the crate: a node of an op belongs to one of the arenas or is opened.
    pub(crate) ops: Vec<Op>,
    /// Every text that a node of an op belongs to.
    pub(crate) arenas: Vec<Arc<Arena>>,
    /// The opened nodes of the ops, by number: expanded imports.
    pub(crate) opened: Vec<Opened>,
    /// Maximum size of the merged document in bytes, about.
    pub(crate) limit: Option<usize>,
}

/// One change at one place.
#[derive(Clone, Debug)]
pub struct Op {
    /// The places. Of a merge, only for messages: [`Merge::site`] is exact.
    pub at: Target,
    /// The change.
    pub edit: Edit,
    /// The effect of places that are missing.
    pub missing: Missing,
    /// Of `Add`: an item is not added to a list that has an equal one.
    pub unless_exists: bool,
    /// The documents of the stream that it is applied to: those that all of these select. If
    /// there is none, those that the whole patch is applied to.
    pub only: Vec<DocumentSelector>,
    /// The effect of an edit of a node that has aliases; `None` is that of the whole run.
    pub aliases: Option<Aliases>,
    /// The comments that the entry gets.
    pub comments: NewComments,
    /// The place it was written at; `None` if it was built in code.
    pub origin: Option<Origin>,
}

/// Comments that an op gives to the entry it changes, without `#`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewComments {
    /// The comment behind the entry.
    pub beside: NewComment,
    /// The lines above the entry.
    pub above: NewComment,
}

/// The change of a comment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum NewComment {
    /// It stays as it is.
    #[default]
    Unchanged,
    /// There is none any more.
    Removed,
    /// It has this text, of one line or several.
    Text(String),
}

/// The effect of a target that leads nowhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Missing {
    /// The op fails.
    #[default]
    Fails,
    /// The op has no effect.
    Passes,
    /// The op has no effect, and a warning tells so.
    Warns,
}

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
    /// `type: merge` and its like: a collection takes in another.
    Combine(Content, Combination),
    /// `type: merge`: a mapping takes in what its directives import.
    Merge(Merge),
    /// After all merges: removes whiteouts that met nothing, and turns nullouts to null.
    RemoveWhiteouts,
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

/// The effect of an own list on the list that is imported for the same key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lists {
    /// It replaces the imported list, as Unfurl's documentation says.
    #[default]
    Replace,
    /// Its items are added to the imported ones, as Unfurl's code does.
    Union,
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

/// The place at which an op was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The op.
    pub span: Span,
    /// Its path.
    pub path: Span,
    /// Its number in its file, from 0.
    pub number: u32,
}

impl Op {
    /// Creates an op whose target must be there.
    pub fn new(at: impl Into<Target>, edit: Edit, origin: Option<Origin>) -> Op {
        Op {
            at: at.into(),
            edit,
            missing: Missing::Fails,
            unless_exists: false,
            only: Vec::new(),
            aliases: None,
            comments: NewComments::default(),
            origin,
        }
    }
}

impl Edit {
    /// Returns true for the changes of directives, which are applied before all others.
    pub(crate) fn merges(&self) -> bool {
        matches!(self, Edit::Merge(_) | Edit::RemoveWhiteouts)
    }

    /// Returns the same change in a list of opened nodes that `by` others precede.
    fn shifted(self, by: u32) -> Edit {
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

impl Content {
    /// Returns the same content in a list of opened nodes that `by` others precede.
    pub(crate) fn shifted(self, by: u32) -> Content {
        match self {
            Content::Written(node) => Content::Written(node.shifted(by)),
            Content::Copied(_) | Content::Moved(_) => self,
        }
    }
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

impl Patch {
    pub(crate) const NONE: &Patch =
        &Patch { ops: Vec::new(), arenas: Vec::new(), opened: Vec::new(), limit: None };

    /// Sets the effect on aliases for all ops that do not say it themselves.
    pub fn set_aliases(&mut self, aliases: Aliases) {
        for op in &mut self.ops {
            op.aliases.get_or_insert(aliases);
        }
    }

    /// Appends the ops of another patch. Directives are applied before all other ops.
    pub fn extend(&mut self, other: Patch) {
        let by = self.opened.len() as u32;
        self.opened.extend(other.opened.iter().map(|one| one.shifted(by)));
        self.limit = self.limit.or(other.limit);
        let shifted = |op: Op| Op { edit: op.edit.shifted(by), ..op };
        let (merges, ops): (Vec<Op>, Vec<Op>) =
            other.ops.into_iter().map(shifted).partition(|op| op.edit.merges());
        let first = self.ops.iter().take_while(|op| op.edit.merges()).count();
        self.ops.splice(first..first, merges);
        self.ops.extend(ops);
        self.arenas.extend(other.arenas);
    }
}

/// Prints the number of ops: the values may be secrets, and the texts are long.
impl fmt::Debug for Patch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Patch").field("ops", &self.ops.len()).finish_non_exhaustive()
    }
}

/// Returns the ops of a patch, in the order they are applied.
pub fn ops(patch: &Patch) -> &[Op] {
    &patch.ops
}
