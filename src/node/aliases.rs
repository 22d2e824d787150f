//! The effect of edits on aliases.

use std::str::FromStr;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use super::slots::NodeId;
use crate::arena::{Arena, Index};
use crate::source::{FileId, Span};

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

/// The values of aliases, and the edits of nodes that have aliases.
#[derive(Clone, Debug, Default)]
pub(super) struct AliasState {
    /// The replacements of written nodes, for all their aliases.
    values: HashMap<(FileId, Index), NodeId>,
    /// True if aliases have followed an edit since the nodes were frozen.
    has_followed: bool,
    /// Frozen nodes that have no aliases in them.
    free: HashSet<u32>,
    /// The edits of nodes with aliases, unless aliases keep their values.
    edits: Option<Box<AliasEdits>>,
    /// The nodes of the base that have aliases, once an op has asked for them.
    named: Option<Arc<HashSet<Index>>>,
}

/// The nodes with aliases, and which of them an op has edited.
#[derive(Clone, Debug)]
pub(super) struct AliasEdits {
    /// True if the aliases follow.
    follows: bool,
    named: Arc<HashSet<Index>>,
    file: FileId,
    edited: Vec<Index>,
    is_edited: HashSet<Index>,
}

impl AliasState {
    /// Begins to note edits of nodes of the base. Returns true if all opened nodes may stand
    /// in several places: a value that aliases have followed does for an op that edits one.
    pub(super) fn start(
        &mut self,
        base: &Arena,
        aliases: Aliases,
        is_told: bool,
    ) -> bool {
        self.edits = None;
        let is_shared =
            aliases != Aliases::Follow && std::mem::take(&mut self.has_followed);
        if aliases != Aliases::Keep || is_told {
            // The base has as many aliases for every op.
            let named = self.named.get_or_insert_with(|| {
                Arc::new(base.aliases().iter().map(|&(_, target)| target).collect())
            });
            self.edits = Some(Box::new(AliasEdits {
                follows: aliases == Aliases::Follow,
                named: named.clone(),
                file: base.file(),
                edited: Vec::new(),
                is_edited: HashSet::new(),
            }));
        }
        is_shared
    }

    /// Returns the nodes with aliases that were edited meanwhile, each with the places of
    /// its aliases.
    pub(super) fn end(&mut self, base: &Arena) -> Vec<(Span, Vec<Span>)> {
        let edited = self.edits.take().map(|edits| edits.edited).unwrap_or_default();
        if edited.is_empty() {
            return Vec::new();
        }
        let mut aliases: HashMap<Index, Vec<Span>> =
            edited.iter().map(|&i| (i, Vec::new())).collect();
        for &(i, target) in base.aliases() {
            if let Some(places) = aliases.get_mut(&target) {
                places.push(base.span(i));
            }
        }
        let edited = edited.into_iter();
        edited
            .map(|i| (anchor_span(base, i), aliases.remove(&i).unwrap_or_default()))
            .collect()
    }

    pub(super) fn has_edits(&self) -> bool {
        self.edits.is_some()
    }

    pub(super) fn take_edits(&mut self) -> Option<Box<AliasEdits>> {
        self.edits.take()
    }

    pub(super) fn restore_edits(&mut self, edits: Option<Box<AliasEdits>>) {
        self.edits = edits;
    }

    /// Notes that a written node is edited. Returns true if it has aliases that follow.
    pub(super) fn note_edit(&mut self, file: FileId, i: Index) -> bool {
        self.edits.as_mut().is_some_and(|edits| edits.note(file, i) && edits.follows)
    }

    /// Notes that a written node is removed, whose aliases keep its value.
    pub(super) fn note_removal(&mut self, file: FileId, i: Index) {
        if let Some(edits) = self.edits.as_mut().filter(|edits| !edits.follows) {
            edits.note(file, i);
        }
    }

    /// Gives the aliases of a written node its new value, if they follow. Returns true if
    /// they do.
    pub(super) fn follow_edit(&mut self, file: FileId, i: Index, node: NodeId) -> bool {
        let edits = self.edits.as_mut();
        let follows = edits.is_some_and(|edits| edits.follows && edits.note(file, i));
        if follows {
            self.set_value(file, i, node);
            self.has_followed = true;
        }
        follows
    }

    pub(super) fn has_followed(&self) -> bool {
        self.has_followed
    }

    /// Replaces a written node for all its aliases.
    pub(super) fn set_value(&mut self, file: FileId, i: Index, node: NodeId) {
        self.values.insert((file, i), node);
    }

    #[inline]
    pub(super) fn value(&self, file: FileId, i: Index) -> Option<NodeId> {
        self.values.get(&(file, i)).copied()
    }

    pub(super) fn has_values(&self) -> bool {
        !self.values.is_empty()
    }

    /// Returns true for a frozen node that is known to have no alias in it.
    pub(super) fn is_free(&self, id: u32) -> bool {
        self.free.contains(&id)
    }

    /// Keeps frozen nodes that have no aliases in them.
    pub(super) fn add_free(&mut self, ids: HashSet<u32>) {
        self.free.extend(ids);
    }
}

impl AliasEdits {
    /// Notes that a written node is edited. Returns true if it has aliases.
    fn note(&mut self, file: FileId, i: Index) -> bool {
        let is_named = file == self.file && self.named.contains(&i);
        if is_named && self.is_edited.insert(i) {
            self.edited.push(i);
        }
        is_named
    }
}

/// Returns the span of a node's anchor, or of the node if it has none.
fn anchor_span(arena: &Arena, i: Index) -> Span {
    let span = arena.span(i);
    match arena.props(i).map(|props| props.anchor) {
        Some((start, end)) if end > start => Span { start: start - 1, end, ..span },
        _ => span,
    }
}
