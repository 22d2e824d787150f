//! The nodes that are compared, the paths to them, and the tree that is edited.

use std::iter::successors;

use hashbrown::HashSet;

use crate::arena::Index;
use crate::compare::{Features, Side, Values, pair_certain, visit_limit};
use crate::node::{Aliases, Kind, NodeId, Seat, Tree};
use crate::pointer::JsonPointer;
use crate::source::FileId;

/// An entry of a mapping in one version.
#[derive(Clone, Copy)]
pub(super) struct VersionEntry {
    pub key: NodeId,
    pub value: NodeId,
}

/// The nodes of the three versions, and the tree of ours with the edits so far.
pub(super) struct Versions<'a> {
    /// The tree that holds the nodes of all versions.
    pub tree: &'a Tree,
    values: Values<'a>,
    /// The values of keys, whose tags do not count: `!local a` and `a` are one key.
    key_values: Values<'a>,
    /// Number of nodes that may still be looked into.
    // Nested aliases stand for exponentially many. At 0, values are merged as a whole.
    visits_left: usize,
    /// True if the aliases of an edited node have its new value.
    pub follows: bool,
    /// The tree of ours with the edits.
    pub ours: Tree,
    pub paths: Paths,
}

impl<'a> Versions<'a> {
    /// Starts without edits.
    pub(super) fn new(tree: &'a Tree, follows: bool) -> Versions<'a> {
        let mut ours = tree.clone();
        if follows {
            ours.start_alias_edits(Aliases::Follow, false);
        }
        Versions {
            tree,
            values: Values::within(tree).with_tags(true),
            key_values: Values::within(tree),
            visits_left: visit_limit([tree]),
            follows,
            ours,
            paths: Paths::default(),
        }
    }

    /// Counts nodes that are looked into. Returns true if any were left before.
    pub(super) fn count(&mut self, nodes: usize) -> bool {
        let had_any = self.visits_left > 0;
        self.visits_left = self.visits_left.saturating_sub(nodes);
        had_any
    }

    /// Returns true if two nodes have equal values.
    pub(super) fn is_equal(&mut self, a: NodeId, b: NodeId) -> bool {
        self.class(a) == self.class(b)
    }

    /// Returns a number, the same one for equal values.
    pub(super) fn class(&mut self, node: NodeId) -> u32 {
        self.values.class(node, Side::Old)
    }

    /// Returns a number for each node, the same one for equal values.
    pub(super) fn classes(&mut self, nodes: &[NodeId]) -> Vec<u32> {
        self.values.classes(nodes, Side::Old)
    }

    /// Returns for each new item the old one that it surely was; `None` if the items have
    /// more entries than may still be looked into.
    pub(super) fn pairs(
        &mut self,
        old: &[NodeId],
        new: &[NodeId],
    ) -> Option<Vec<Option<usize>>> {
        let left = &mut self.visits_left;
        let old = Features::of_items(&mut self.values, old, left)?;
        let new = Features::of_items(&mut self.values, new, left)?;
        Some(pair_certain(&old, &new).into_old_of())
    }

    /// Returns a number for each key, the same one for equal keys.
    pub(super) fn classes_of_keys(&mut self, keys: &[NodeId]) -> Vec<u32> {
        self.key_values.classes(keys, Side::Old)
    }

    /// Returns true if two entries have equal values, and keys with equal tags.
    pub(super) fn is_equal_entry(&mut self, a: VersionEntry, b: VersionEntry) -> bool {
        self.is_equal(a.key, b.key) && self.is_equal(a.value, b.value)
    }

    /// Puts a value in the place of that of ours. An alias is replaced itself.
    pub(super) fn set(&mut self, Visit { seat, ours, .. }: Visit, value: NodeId) {
        if self.tree.follow(ours) == ours {
            self.ours.set_at(seat, value, None);
        } else {
            self.ours.set_as_is(seat, value);
        }
    }

    /// Opens a collection of ours. An alias is written out.
    pub(super) fn open(&mut self, Visit { seat, ours, .. }: Visit) -> Option<u32> {
        if self.tree.follow(ours) == ours {
            self.ours.open(seat, true)
        } else {
            self.ours.open_as_is(seat)
        }
    }
}

/// Nodes of three versions at the same place.
#[derive(Clone, Copy)]
pub(super) struct Visit {
    pub seat: Seat,
    pub base: Option<NodeId>,
    pub ours: NodeId,
    pub theirs: NodeId,
    pub path: Option<u32>,
}

impl Visit {
    /// Returns the nodes, first the one of the base.
    pub(super) fn nodes(self) -> [Option<NodeId>; 3] {
        [self.base, Some(self.ours), Some(self.theirs)]
    }

    /// Returns true if all versions are an alias of the same name.
    pub(super) fn is_one_alias(self, tree: &Tree) -> bool {
        let Visit { base, ours, theirs, .. } = self;
        let name = |node: NodeId| match node {
            NodeId::Clean(file, i) if tree.follow(node) != node => {
                Some(tree.arena(file).raw(i))
            }
            _ => None,
        };
        let base = base.map_or(name(ours), name);
        name(ours).is_some() && name(ours) == name(theirs) && name(ours) == base
    }

    /// Returns true if all versions have this kind, and both sides have one tag.
    pub(super) fn is_all(self, tree: &Tree, kind: Kind) -> bool {
        self.nodes().iter().flatten().all(|&it| tree.kind(it) == kind)
            && tree.own_tag(self.ours) == tree.own_tag(self.theirs)
    }
}

/// A step from a collection to one of its children.
#[derive(Clone, Copy)]
pub(super) enum PathStep {
    Key(NodeId),
    /// The item in which the key has this value.
    Name(&'static str, NodeId),
    Index(usize),
}

/// All paths that were met, each as its last step and the number of the path before it.
#[derive(Default)]
pub(super) struct Paths(Vec<(Option<u32>, PathStep)>);

impl Paths {
    /// Adds a step to a path; to the root, if there is none.
    pub(super) fn join(&mut self, path: Option<u32>, step: PathStep) -> Option<u32> {
        self.0.push((path, step));
        u32::try_from(self.0.len() - 1).ok()
    }

    /// Returns the spelling of a path: `/a/name=x/b`; empty for the root.
    pub(super) fn spell(&self, tree: &Tree, path: Option<u32>) -> String {
        let steps = successors(path, |&at| self.0[at as usize].0);
        let steps: Vec<PathStep> = steps.map(|at| self.0[at as usize].1).collect();
        let mut text = String::new();
        for step in steps.into_iter().rev() {
            text.push('/');
            match step {
                PathStep::Key(key) => {
                    let name = tree.member_name(key);
                    let written = || match key {
                        NodeId::Clean(file, i) => tree.arena(file).raw(i),
                        NodeId::Opened(_) => "?",
                    };
                    push_token(&mut text, name.as_deref().unwrap_or_else(written));
                }
                PathStep::Name(key, value) => {
                    text.push_str(key);
                    text.push('=');
                    push_token(&mut text, &tree.text_of(value));
                }
                PathStep::Index(at) => text.push_str(&at.to_string()),
            }
        }
        text
    }
}

/// Adds a token with its escapes, on one line.
fn push_token(text: &mut String, token: &str) {
    for c in JsonPointer::escape(token).chars() {
        if c.is_control() {
            text.extend(c.escape_default());
        } else {
            text.push(c);
        }
    }
}

/// Returns true if two documents have equal values, with equal tags, those of keys too.
pub(super) fn is_equal(a: &Tree, b: &Tree) -> bool {
    Values::new([a, b]).with_tags(true).equal(a.root(), b.root())
}

/// Returns the number of keys of a written mapping that an earlier entry has; 0 for another node.
pub(super) fn repeated_keys_of(tree: &Tree, file: FileId, i: Index) -> usize {
    let arena = tree.arena(file);
    if !arena.style(i).is_mapping() {
        return 0;
    }
    let mut known = HashSet::new();
    let keys = arena.entries(i).map(|(key, _)| NodeId::Clean(file, key));
    let scalars = keys.filter(|&key| tree.kind(key) == Kind::Scalar);
    scalars.filter(|&key| !known.insert(tree.scalar(key).identity().digest())).count()
}
