//! The effect of edits on aliases, and the values that aliases have after edits.

use std::str::FromStr;
use std::sync::{Arc, OnceLock};

use hashbrown::{HashMap, HashSet};

use super::slots::NodeId;
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

/// The values of aliases, and the effect of edits on them.
#[derive(Clone, Debug, Default)]
pub(super) struct AliasState {
    /// The replacements of written nodes, for all their aliases.
    values: HashMap<(FileId, Index), NodeId>,
    /// True if aliases have followed an edit since the nodes were frozen.
    has_followed: bool,
    /// Frozen nodes that have no aliases in them.
    free: HashSet<u32>,
    effect: AliasEffect,
    /// The nodes of the base that have aliases, in order, once somebody has asked for them.
    named: OnceLock<Arc<[Index]>>,
    /// The aliases of the base with what they name, in the order of that, likewise.
    by_target: OnceLock<Arc<[NamedAlias]>>,
    /// The collection around each node of the base, likewise.
    parents: OnceLock<Arc<[Index]>>,
}

/// The effect of the edits of an op on aliases.
#[derive(Clone, Debug, Default)]
pub(super) struct AliasEffect {
    follows: bool,
    /// The nodes with aliases that were edited, if that is to be told.
    edited: Option<Box<EditedNodes>>,
}

/// An alias, and the node that it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct NamedAlias {
    target: Index,
    alias: Index,
}

/// Nodes with aliases that were edited, each once.
#[derive(Clone, Debug, Default)]
struct EditedNodes {
    list: Vec<Index>,
    met: HashSet<Index>,
}

impl AliasState {
    /// Begins an op. Returns true if all opened nodes may stand in several places, as after
    /// edits that aliases followed.
    pub(super) fn start(&mut self, aliases: Aliases, is_told: bool) -> bool {
        let follows = aliases == Aliases::Follow;
        let is_noted = aliases != Aliases::Keep || is_told;
        let edited = is_noted.then(Box::<EditedNodes>::default);
        self.effect = AliasEffect { follows, edited };
        !follows && std::mem::take(&mut self.has_followed)
    }

    /// Ends an op. Returns the nodes with aliases that it has edited.
    pub(super) fn end(&mut self) -> Vec<Index> {
        self.pause().edited.map(|edited| edited.list).unwrap_or_default()
    }

    /// Suspends the effect of edits on aliases until [`resume`](AliasState::resume).
    pub(super) fn pause(&mut self) -> AliasEffect {
        std::mem::take(&mut self.effect)
    }

    pub(super) fn resume(&mut self, effect: AliasEffect) {
        self.effect = effect;
    }

    pub(super) fn follows(&self) -> bool {
        self.effect.follows
    }

    /// Returns the nodes that have aliases, in order.
    pub(super) fn named(&self, base: &Arena) -> &[Index] {
        self.named.get_or_init(|| {
            let mut named: Vec<Index> =
                base.aliases().iter().map(|&(_, target)| target).collect();
            named.sort_unstable();
            named.dedup();
            named.into()
        })
    }

    /// Returns the aliases of a node of the base, in order.
    pub(super) fn aliases_of(
        &self,
        base: &Arena,
        target: Index,
    ) -> impl Iterator<Item = Index> + '_ {
        let all = self.by_target.get_or_init(|| {
            let aliases = base.aliases().iter();
            let named = aliases.map(|&(alias, target)| NamedAlias { target, alias });
            let mut named: Vec<NamedAlias> = named.collect();
            named.sort_unstable();
            named.into()
        });
        let start = all.partition_point(|it| it.target < target);
        let own = all[start..].iter().take_while(move |it| it.target == target);
        own.map(|it| it.alias)
    }

    /// Returns a node of the base and the collections around it, from the inside to the outside.
    pub(super) fn outwards(
        &self,
        base: &Arena,
        i: Index,
    ) -> impl Iterator<Item = Index> + '_ {
        let parents = self.parents.get_or_init(|| {
            let mut open: Vec<Index> = Vec::new();
            let parents = base.indices().map(|i| {
                while open.pop_if(|&mut outer| base.next(outer) <= i).is_some() {}
                let parent = open.last().copied().unwrap_or(i);
                open.push(i);
                parent
            });
            parents.collect()
        });
        std::iter::successors(Some(i), move |&i| {
            parents.get(i as usize).copied().filter(|&outer| outer != i)
        })
    }

    /// Notes that a node with aliases is edited.
    pub(super) fn note(&mut self, i: Index) {
        if let Some(edited) = &mut self.effect.edited
            && edited.met.insert(i)
        {
            edited.list.push(i);
        }
    }

    /// Gives the aliases of a written node its new value.
    pub(super) fn follow_edit(&mut self, file: FileId, i: Index, node: NodeId) {
        self.set_value(file, i, node);
        self.has_followed = true;
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
