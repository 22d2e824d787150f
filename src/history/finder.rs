//! Finding timelines: a place comes in, what stood there in the order of time goes out.
//! The way leads from the root, child by child; nothing recurses.

use super::change::{ChangeSource, PastPlace};
use super::changes::{Changes, written};
use super::child_index::ChildIndex;
use super::derivation::Waypoint;
use super::name_lookup::NameLookup;
use super::orders::Orders;
use super::timeline::{Interval, Timeline, Track};
use crate::node::{Kind, NodeId, Path, Step, Tree};
use crate::pointer::Pointer;

/// A search for timelines in one tree with its changes.
pub(super) struct Finder<'h> {
    tree: &'h Tree,
    changes: &'h Changes,
    index: ChildIndex,
    orders: Orders<'h>,
}

/// A part of a timeline.
struct Part {
    /// The newest first.
    intervals: Vec<Interval>,
    source: Option<(usize, ChangeSource)>,
}

impl<'h> Finder<'h> {
    pub(super) fn new(tree: &'h Tree, changes: &'h Changes) -> Finder<'h> {
        let (index, orders) = (ChildIndex::default(), Orders::new(tree, changes));
        Finder { tree, changes, index, orders }
    }

    /// Returns the timeline of a whole document, up to a moment.
    pub(super) fn root(&self, root: usize, moment: usize) -> Timeline {
        let now = Some(self.tree.roots()[root]);
        let part = self.split(self.changes.of_root(root), (0, moment), now);
        timeline(root, Path::new(), part)
    }

    /// Returns the timeline of a place, which is known by its path at a moment.
    pub(super) fn at(&mut self, place: &PastPlace) -> Timeline {
        let root = self.root(place.root, place.moment);
        place.path.iter().fold(root, |around, step| {
            let track = match *step {
                Step::Key(key) => Track::Key(key),
                Step::Index(index) => Track::Index(index),
            };
            self.child(around, track)
        })
    }

    /// Returns what stood at each step of a path before all changes. The path is that
    /// before all changes, too.
    pub(super) fn way(&mut self, root: usize, path: &[Step]) -> Vec<Waypoint> {
        let first = self.root(root, self.changes.len()).intervals.first().copied();
        let mut node = first.and_then(|first| first.node);
        let mut way = Vec::new();
        for step in path {
            let around = node.map(|node| self.tree.follow(node));
            let (op, child) = match (around, *step) {
                (None, _) => (None, None),
                (Some(NodeId::Opened(id)), Step::Index(index)) => {
                    let at = self.orders.get(id, 0).slots.get(index as usize).copied();
                    let child =
                        at.and_then(|at| self.changes.in_slot(self.tree, (id, at), 0));
                    // A copy has the ops of later edits.
                    let oldest = self.changes.lineage(id).last().unwrap_or(id);
                    let slot = at.and_then(|at| self.tree.children(oldest).find(at));
                    (slot.and_then(|slot| slot.by), child)
                }
                (Some(around), Step::Index(index)) => {
                    (None, self.index.item(self.tree, around, index))
                }
                (Some(around), Step::Key(key)) => {
                    let whole = Interval { from: 0, to: 0, node: Some(around) };
                    let part = self.child_in(around, whole, &mut Track::Key(key));
                    (None, part.intervals.first().and_then(|it| it.node))
                }
            };
            let node_there = child.and_then(|it| written(self.tree, it));
            way.push(Waypoint { op, node: node_there });
            node = child;
        }
        way
    }

    /// Returns the timeline of the place that a pointer leads to, and its path. It may have
    /// been removed. `None` if nothing ever was there.
    pub(super) fn find(
        &mut self,
        root: usize,
        pointer: &Pointer,
    ) -> Option<(Timeline, Path)> {
        let (mut found, mut path) = (self.root(root, self.changes.len()), Path::new());
        for token in &pointer.tokens {
            let Finder { tree, changes, index, orders } = self;
            let mut names = NameLookup { tree, changes, index, orders };
            // A collection that was replaced may have held it.
            let around = found.intervals.iter().enumerate().rev();
            let mut filled = around.filter(|(_, it)| it.node.is_some());
            let (at, (track, step)) = filled
                .find_map(|(at, &around)| Some((at, names.child(around, token)?)))?;
            for later in &mut found.intervals[at + 1..] {
                later.node = None;
            }
            found = self.child(found, track);
            path.push(step);
        }
        found.last_filled()?;
        Some((found, path))
    }

    /// Returns the intervals of a place, those before it was moved there included, the oldest
    /// first; and the numbers of the changes that moved or copied it.
    pub(super) fn whole(&mut self, last: Timeline) -> (Timeline, Vec<usize>) {
        let (mut whole, mut moves) = (last, Vec::new());
        let mut moment = usize::MAX;
        while let Some((number, source)) = whole.source.take() {
            // Time goes back with each step, so that the loop ends.
            if !source.below.is_empty() || source.place.moment >= moment {
                break;
            }
            moment = source.place.moment;
            let mut earlier = self.at(&source.place);
            whole.intervals.retain(|it| it.from > number);
            earlier.intervals.append(&mut whole.intervals);
            moves.push(number);
            whole = earlier;
        }
        (whole, moves)
    }

    /// Returns the timeline of a child.
    pub(super) fn child(&mut self, around: Timeline, mut track: Track) -> Timeline {
        let (mut intervals, mut source) = (Vec::new(), None);
        let mut known = true;
        let around_all = around.intervals.iter().flat_map(|&it| self.followed(it));
        let around_all: Vec<Interval> = around_all.collect();
        for interval in around_all.into_iter().rev() {
            let Some(node) = interval.node else {
                intervals.push(interval);
                continue;
            };
            let part = self.child_in(node, interval, &mut track);
            intervals.extend(part.intervals);
            source = source.or(part.source);
            known =
                !is_whole(source.as_ref()) && self.go_back(node, interval, &mut track);
            if !known {
                break;
            }
        }
        let step = match track {
            Track::Key(key) => Step::Key(key),
            Track::Index(index) => Step::Index(index),
            Track::Slot(..) => Step::Index(0),
        };
        // The path and the source are taken over: copied at each step, those of a deep place
        // would take quadratic time.
        let Timeline { root, mut path, source: from, .. } = around;
        if known
            && source.is_none()
            && let Some((number, from)) = from
        {
            source = self.source_of_child(from, step).map(|from| (number, from));
        }
        path.push(step);
        timeline(root, path, Part { intervals, source })
    }

    /// Returns the intervals of the nodes that an alias stood for during one.
    fn followed(&self, interval: Interval) -> Vec<Interval> {
        let Interval { from: first, to, node: Some(node) } = interval else {
            return vec![interval];
        };
        let (mut from, during) = (first, first..to);
        let mut intervals = Vec::new();
        let numbers = self.changes.of_alias(self.tree, node).iter().copied();
        for number in numbers.filter(|number| during.contains(number)) {
            let node = self.changes.get(number).effect.before;
            intervals.push(Interval { from, to: number, node });
            from = number + 1;
        }
        let node = Some(self.changes.follow(self.tree, node, to));
        intervals.push(Interval { from, to, node });
        intervals
    }

    /// Returns the source of a child of what was moved.
    fn source_of_child(
        &self,
        mut from: ChangeSource,
        step: Step,
    ) -> Option<ChangeSource> {
        if from.below.is_empty() {
            from.place.path.push(step);
            return Some(from);
        }
        let is_same = match (from.below.remove(0), step) {
            (Step::Key(a), Step::Key(b)) => self.tree.is_same_key(a, b),
            (a, b) => a == b,
        };
        is_same.then_some(from)
    }

    /// Returns what stood at a child while `node` stood around it.
    fn child_in(&mut self, node: NodeId, around: Interval, track: &mut Track) -> Part {
        let (from, to) = (around.from, around.to);
        let nothing = Interval { node: None, ..around };
        let is_list = self.tree.kind(node) == Kind::Sequence;
        let is_mapping = self.tree.kind(node) == Kind::Mapping;
        match (*track, node) {
            (Track::Key(key), NodeId::Opened(id)) if is_mapping => {
                let now = self.index.value(self.tree, node, key);
                let numbers = self.changes.of_key(self.tree, id, key);
                self.split(&numbers, (from, to), now)
            }
            (Track::Key(key), NodeId::Clean(..)) if is_mapping => {
                let value = self.index.value(self.tree, node, key);
                self.split(&[], (from, to), value)
            }
            (Track::Slot(other, at), NodeId::Opened(id))
                if is_list && self.changes.are_one(id, other) =>
            {
                self.slot(id, at, (from, to))
            }
            (Track::Index(index), NodeId::Opened(id)) if is_list => {
                let at = self.orders.get(id, to).slots.get(index as usize).copied();
                let Some(at) = at else { return Part::of(nothing) };
                *track = Track::Slot(id, at);
                self.slot(id, at, (from, to))
            }
            (Track::Index(index), NodeId::Clean(..)) if is_list => {
                let item = self.index.item(self.tree, node, index);
                self.split(&[], (from, to), item)
            }
            _ => Part::of(nothing),
        }
    }

    fn slot(&self, id: u32, at: u32, moments: (usize, usize)) -> Part {
        let slots = self.tree.children(id);
        let now = slots.holds(at).then(|| slots.get(at).value);
        self.split(&self.changes.of_slot(id, at), moments, now)
    }

    /// Prepares the track for what stood around the child before an interval. Returns false
    /// if the child was not there yet when the interval began.
    fn go_back(&mut self, node: NodeId, around: Interval, track: &mut Track) -> bool {
        let (Track::Slot(other, at), NodeId::Opened(id)) = (*track, node) else {
            return true;
        };
        if !self.changes.are_one(id, other) {
            return true;
        }
        let position = self.orders.get(id, around.from).position(at);
        if let Some(position) = position {
            *track = Track::Index(position);
        }
        position.is_some()
    }

    /// Returns the intervals between some changes of a place, in a range of moments. `now` is
    /// what stands there at the end of time.
    fn split(
        &self,
        numbers: &[usize],
        (from, to): (usize, usize),
        now: Option<NodeId>,
    ) -> Part {
        let next = numbers.iter().find(|&&number| number >= to);
        let mut node = next.map_or(now, |&next| self.changes.get(next).effect.before);
        let (mut intervals, mut source, range) = (Vec::new(), None, from..to);
        let mut to = to;
        for &number in numbers.iter().rev().filter(|it| range.contains(it)) {
            intervals.push(Interval { from: number + 1, to, node });
            let change = self.changes.get(number);
            (node, to) = (change.effect.before, number);
            if source.is_none() {
                source = change.source.clone().map(|source| (number, source));
            }
            if is_whole(source.as_ref()) {
                break;
            }
        }
        intervals.push(Interval { from, to, node });
        Part { intervals, source }
    }
}

impl Part {
    fn of(interval: Interval) -> Part {
        Part { intervals: vec![interval], source: None }
    }
}

/// Returns true if a whole value was moved or copied, and not only a part of it.
fn is_whole(source: Option<&(usize, ChangeSource)>) -> bool {
    source.is_some_and(|(_, source)| source.below.is_empty())
}

fn timeline(root: usize, path: Path, mut part: Part) -> Timeline {
    part.intervals.reverse();
    Timeline { root, path, intervals: part.intervals, source: part.source }
}
