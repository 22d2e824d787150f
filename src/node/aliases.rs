//! The effect of edits on aliases.

use std::str::FromStr;
use std::sync::Arc;

use hashbrown::HashSet;

use crate::arena::{Arena, Index};
use crate::source::FileId;

/// The effect of an edit of a node that has an anchor on the aliases of the anchor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Aliases {
    /// They keep the old value, as in bosh.
    #[default]
    Keep,
    /// They have the new value, and an edit of an alias edits the anchor's node.
    Follow,
    /// The op fails.
    Refuse,
}

impl Aliases {
    /// All effects.
    pub const ALL: [Aliases; 3] = [Aliases::Keep, Aliases::Follow, Aliases::Refuse];

    /// Returns the name, as the field `anchors` of an op has it: `copy`, `follow` or
    /// `refuse`.
    ///
    /// ```
    /// use interpolate::Aliases;
    ///
    /// assert_eq!("copy".parse(), Ok(Aliases::Keep));
    /// assert_eq!(Aliases::Keep.name(), "copy");
    /// assert!("keep".parse::<Aliases>().is_err());
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Aliases::Keep => "copy",
            Aliases::Follow => "follow",
            Aliases::Refuse => "refuse",
        }
    }
}

impl FromStr for Aliases {
    type Err = String;

    fn from_str(name: &str) -> Result<Aliases, String> {
        let found = Aliases::ALL.into_iter().find(|aliases| aliases.name() == name);
        found.ok_or_else(|| format!("'anchors' is copy, follow or refuse, not '{name}'"))
    }
}

/// The nodes with aliases, and which of them an op has edited.
#[derive(Clone, Debug)]
pub(super) struct AliasEdits {
    /// True if the aliases follow.
    pub follows: bool,
    named: Arc<HashSet<Index>>,
    file: FileId,
    edited: Vec<Index>,
    is_edited: HashSet<Index>,
}

impl AliasEdits {
    /// Begins to note edits of nodes of a text, of which `named` have aliases.
    pub(super) fn new(
        file: FileId,
        named: Arc<HashSet<Index>>,
        follows: bool,
    ) -> AliasEdits {
        let (edited, is_edited) = (Vec::new(), HashSet::new());
        AliasEdits { follows, named, file, edited, is_edited }
    }

    /// Returns the nodes of a text that have aliases.
    pub(super) fn named(arena: &Arena) -> Arc<HashSet<Index>> {
        Arc::new(arena.aliases().iter().map(|&(_, target)| target).collect())
    }

    /// Notes that a written node is edited. Returns true if it has aliases.
    pub(super) fn note(&mut self, (file, i): (FileId, Index)) -> bool {
        let is_named = file == self.file && self.named.contains(&i);
        if is_named && self.is_edited.insert(i) {
            self.edited.push(i);
        }
        is_named
    }

    /// Returns the nodes with aliases that were edited.
    pub(super) fn edited(self) -> Vec<Index> {
        self.edited
    }
}
