//! The patch IR: ops with the places they were written at. Merge directives and
//! ops-files are compiled into it, [`apply`](crate::apply) runs it.

use std::sync::Arc;

use crate::arena::Arena;
use crate::node::{Node, Opened};
use crate::pointer::Pointer;
use crate::source::{FileId, Span};

/// Ops in the order they are applied, and the texts their values stand in.
#[derive(Clone, Debug, Default)]
pub struct Patch {
    /// The ops.
    pub ops: Vec<Op>,
    /// Every text that a node of an op belongs to.
    pub(crate) arenas: Vec<Arc<Arena>>,
    /// What [`Node::Opened`] numbers in the ops stand for: imports that were expanded.
    pub(crate) opened: Vec<Opened>,
    /// How many bytes the merged document may have, more or less.
    pub(crate) limit: Option<usize>,
}

/// One change at one place.
#[derive(Clone, Debug)]
pub struct Op {
    /// Where. For a merge this is how people know the site; [`Merge::site`] is the place.
    pub at: Pointer,
    /// What.
    pub edit: Edit,
    /// Where it was written.
    pub origin: Origin,
}

/// What an op does.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// `type: test`
    Test(Expect),
    /// `type: replace`: sets, inserts, appends, creates what is optional.
    Replace(Node),
    /// `type: remove`
    Remove,
    /// `type: merge`: a mapping takes in what its directives import.
    Merge(Merge),
    /// After all merges: whiteouts that met nothing go, nullouts are null.
    RemoveWhiteouts,
}

/// A mapping with merge directives, and what they import. What the mapping itself says
/// stays in the document and overrides what is imported. The keys of the imports leave it,
/// `+&`, and `+%` if there is any import. (Without imports, only `+&` leaves.)
#[derive(Clone, Debug, PartialEq)]
pub struct Merge {
    /// The mapping. Inner sites are merged before outer ones, later items before earlier,
    /// so that each is where it was written when its turn comes.
    pub site: Path,
    /// In the order of their keys: a later one overrides an earlier one.
    pub imports: Vec<Import>,
    /// What an own list does to an imported one.
    pub lists: Lists,
}

/// One directive.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The key, as it was written.
    pub key: Node,
    /// What it asks for.
    pub source: Source,
    /// What was found, with its own directives expanded; none if that is optional and
    /// missing.
    pub found: Option<Node>,
}

/// What a directive asks for: `+?include*anchor../a/b`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Source {
    /// `?`: it may be missing.
    pub optional: bool,
    /// `raw`: its own directives are not expanded.
    pub raw: bool,
    /// Where the pointer starts.
    pub base: Base,
    /// The keys and indices from there, unescaped (RFC 6901).
    pub pointer: Vec<String>,
}

/// Where the pointer of a directive starts.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Base {
    /// At the root of the document.
    #[default]
    Root,
    /// `.` is the mapping that holds the directive, `..` the collection around it.
    Parent(u32),
    /// At what carries an anchor, or is called so by `+&`.
    Anchor(String),
    /// At the root, or at an anchor, of an included file; none that was left out.
    File(Option<FileId>, Option<String>),
}

/// Where something is, from the root on.
pub type Path = Vec<Step>;

/// From a collection to what is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The value of the entry with this key.
    Key(Node),
    /// The item of this number.
    Index(u32),
}

/// What an own list does to the list that is imported for the same key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lists {
    /// It stands instead, as Unfurl's documentation says.
    #[default]
    Replace,
    /// Its items are added, as Unfurl's code does.
    Union,
}

/// What a test asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expect {
    /// `value: …`
    Equal(Node),
    /// `value: null` beside `absent: false`
    Null,
    /// `absent: true`
    Absent,
}

/// Where an op was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The op.
    pub span: Span,
    /// Its path.
    pub path: Span,
    /// Its number in its file, from 0.
    pub number: u32,
}

impl Edit {
    /// Whether it belongs to the directives, which are applied before all else.
    pub(crate) fn merges(&self) -> bool {
        matches!(self, Edit::Merge(_) | Edit::RemoveWhiteouts)
    }

    /// The same where `by` opened nodes stand before its own.
    fn shifted(self, by: u32) -> Edit {
        match self {
            Edit::Replace(node) => Edit::Replace(node.shifted(by)),
            Edit::Test(Expect::Equal(node)) => {
                Edit::Test(Expect::Equal(node.shifted(by)))
            }
            Edit::Merge(mut merge) => {
                for step in &mut merge.site {
                    if let Step::Key(key) = step {
                        *key = key.shifted(by);
                    }
                }
                for import in &mut merge.imports {
                    import.key = import.key.shifted(by);
                    import.found = import.found.map(|node| node.shifted(by));
                }
                Edit::Merge(merge)
            }
            Edit::Test(Expect::Null | Expect::Absent)
            | Edit::Remove
            | Edit::RemoveWhiteouts => self,
        }
    }
}

impl Patch {
    /// No op.
    pub(crate) const NONE: &Patch =
        &Patch { ops: Vec::new(), arenas: Vec::new(), opened: Vec::new(), limit: None };

    /// Appends the ops of another patch.
    pub fn extend(&mut self, other: Patch) {
        let by = self.opened.len() as u32;
        self.opened.extend(other.opened.iter().map(|one| one.shifted(by)));
        self.limit = self.limit.or(other.limit);
        let shifted = |op: Op| Op { edit: op.edit.shifted(by), ..op };
        self.ops.extend(other.ops.into_iter().map(shifted));
        self.arenas.extend(other.arenas);
    }
}
