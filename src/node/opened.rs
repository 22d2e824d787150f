//! The nodes that edits opened or made.

use std::ops::{Index, IndexMut, Range};

use hashbrown::HashSet;

use super::index::Lookup;
use super::slots::{NodeId, SlotId, Slots};
use crate::arena;
use crate::scalar::Scalar;
use crate::source::FileId;

/// A node that an edit opened or made.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    /// The written node it was opened from, which has its style, comments and anchor.
    pub(super) was: Option<(FileId, arena::Index)>,
    /// The node that it and other copies were made of, while both stand in one tree.
    pub(super) copy_of: Option<u32>,
    /// The written node whose tag it has, or the lack of one.
    pub(super) tagged_as: Option<(FileId, arena::Index)>,
    pub(super) body: Body,
    /// True if it stands in the place of the written node, or where an op has moved that: it
    /// is not a copy.
    pub(super) is_home: bool,
    /// The entries with the key `<<`, in order.
    pub(super) merges: Vec<SlotId>,
    pub(super) lookup: Lookup,
}

impl Opened {
    /// Creates a node that was opened from a written one, whose tag it has.
    pub(super) fn new(
        was: Option<(FileId, arena::Index)>,
        body: Body,
        merges: Vec<SlotId>,
    ) -> Opened {
        let lookup = Lookup::default();
        let copy_of = None;
        Opened { was, copy_of, tagged_as: was, body, is_home: false, merges, lookup }
    }

    /// Returns the children; none of a scalar.
    pub(super) fn slots(&self) -> &Slots {
        match &self.body {
            Body::Sequence(slots) | Body::Mapping(slots) => slots,
            Body::Scalar(_) => Slots::NONE,
        }
    }

    pub(super) fn slots_mut(&mut self) -> &mut Slots {
        match &mut self.body {
            Body::Sequence(slots) | Body::Mapping(slots) => slots,
            Body::Scalar(_) => unreachable!("only collections are opened"),
        }
    }

    pub(crate) fn origin(&self) -> Option<(FileId, arena::Index)> {
        self.was
    }

    pub(crate) fn body(&self) -> &Body {
        &self.body
    }

    /// Returns the same node in a list of opened nodes that `by` others precede.
    pub(crate) fn shifted(&self, by: u32) -> Opened {
        let body = self.body.clone();
        let merges = self.merges.clone();
        let lookup = Lookup::default();
        let mut shifted =
            Opened { body, copy_of: None, is_home: false, merges, lookup, ..*self };
        shifted.map_nodes(|node| node.shifted(by));
        shifted
    }

    /// Replaces each node in a collection.
    pub(super) fn map_nodes(&mut self, map: impl Fn(NodeId) -> NodeId) {
        match &mut self.body {
            Body::Sequence(slots) | Body::Mapping(slots) => slots.map_nodes(map),
            Body::Scalar(_) => {}
        }
    }
}

/// The content of an opened node.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Scalar(Scalar<'static>),
    Sequence(Slots),
    Mapping(Slots),
}

/// The kind of a node, aliases followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `text`
    Scalar,
    /// `[a]`
    Sequence,
    /// `{a: b}`
    Mapping,
}

/// The nodes of a tree that edits opened or made, by number. An edit copies those that may
/// stand in several places before it changes them.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenedNodes {
    nodes: Vec<Opened>,
    /// Those before this number may stand in several places.
    frozen: u32,
    /// Later ones that ops have copied since.
    shared: HashSet<u32>,
    /// Those of other documents that were appended since.
    appended: Vec<Range<u32>>,
}

impl Index<u32> for OpenedNodes {
    type Output = Opened;

    fn index(&self, id: u32) -> &Opened {
        &self.nodes[id as usize]
    }
}

impl IndexMut<u32> for OpenedNodes {
    fn index_mut(&mut self, id: u32) -> &mut Opened {
        &mut self.nodes[id as usize]
    }
}

impl OpenedNodes {
    pub(super) fn get(&self, id: u32) -> Option<&Opened> {
        self.nodes.get(id as usize)
    }

    pub(super) fn as_slice(&self) -> &[Opened] {
        &self.nodes
    }

    pub(super) fn into_vec(self) -> Vec<Opened> {
        self.nodes
    }

    /// Adds a node. Returns its number.
    pub(super) fn push(&mut self, node: Opened) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// Appends nodes of another document. Returns the shift of their numbers.
    pub(super) fn append(&mut self, nodes: &[Opened]) -> u32 {
        let by = self.nodes.len() as u32;
        self.nodes.extend(nodes.iter().map(|node| node.shifted(by)));
        // An expansion may be the import of several directives. The nodes that were opened
        // before stand where they stood: many small patches need not copy them each time.
        let end = self.nodes.len() as u32;
        match self.appended.last_mut() {
            Some(last) if last.end == by => last.end = end,
            _ if by < end => self.appended.push(by..end),
            _ => {}
        }
        by
    }

    /// Declares that all nodes may stand in several places from now on.
    pub(super) fn freeze(&mut self) {
        self.frozen = self.nodes.len() as u32;
        self.appended.clear();
        self.shared.clear();
    }

    /// Declares that a node may stand in several places from now on.
    pub(super) fn share(&mut self, id: u32) {
        self.shared.insert(id);
    }

    /// Returns true for a node that may stand in several places.
    pub(super) fn is_frozen(&self, id: u32) -> bool {
        let next = self.appended.partition_point(|range| range.end <= id);
        id < self.frozen
            || self.appended.get(next).is_some_and(|it| it.start <= id)
            || self.shared.contains(&id)
    }
}
