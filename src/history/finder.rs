//! Finding timelines: a place, or a pointer to it, comes in; what stood there in the order of
//! time, also what was removed, goes out. The way leads from the root, child by child; nothing
//! recurses.

use std::ops::Range;

use hashbrown::HashSet;

use super::changes::{ChangeLog, ChangeSource, Orders, PastPlace};
use super::child_index::CollectionIndex;
use super::derivation::Waypoint;
use crate::node::{Kind, NodeId, Path, Seat, SlotId, Step, Tree};
use crate::pointer::{Modifier, Pointer, Token};

/// A search for timelines in one tree with its changes.
pub(super) struct Finder<'h> {
    tree: &'h Tree,
    changes: &'h ChangeLog,
    pub index: CollectionIndex,
    orders: Orders<'h>,
}

/// A part of a timeline.
struct TimelinePart {
    /// The newest first.
    intervals: Vec<Interval>,
    source: Option<(usize, ChangeSource)>,
}

impl<'h> Finder<'h> {
    pub(super) fn new(tree: &'h Tree, changes: &'h ChangeLog) -> Finder<'h> {
        let orders = Orders::new(tree, changes);
        Finder { tree, changes, index: CollectionIndex::default(), orders }
    }

    /// Returns the timeline of a whole document, up to a moment.
    pub(super) fn root(&self, root: usize, moment: usize) -> Timeline {
        let now = Some(self.tree.roots()[root]);
        let part = self.split(self.changes.of_root(root), 0..moment, now);
        timeline(root, Path::new(), part)
    }

    /// Returns the timeline of a place, which is known by its path at a moment.
    pub(super) fn at(&mut self, place: &PastPlace) -> Timeline {
        let root = self.root(place.root, place.moment);
        place.path.iter().fold(root, |around, &step| self.child(around, step.into()))
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
                        at.and_then(|at| self.changes.in_slot(self.tree, id, at, 0));
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
            way.push(Waypoint { op, node: child.and_then(|it| self.tree.origin_of(it)) });
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
        let mut found = self.root(root, self.changes.len());
        let mut path = Path::new();
        for token in &pointer.tokens {
            // A collection that was replaced may have held it.
            let around = found.intervals.iter().enumerate().rev();
            let mut filled = around.filter(|(_, it)| it.node.is_some());
            let (at, (track, step)) = filled
                .find_map(|(at, &around)| Some((at, self.named(around, token)?)))?;
            for later in &mut found.intervals[at + 1..] {
                later.node = None;
            }
            found = self.child(found, track);
            path.push(step);
        }
        let is_filled = found.intervals.iter().any(|it| it.node.is_some());
        is_filled.then_some((found, path))
    }

    /// Returns the intervals of a place, those before it was moved there included, the oldest
    /// first; and the numbers of the changes that moved or copied it.
    pub(super) fn whole(&mut self, last: Timeline) -> (Timeline, Vec<usize>) {
        let mut whole = last;
        let mut moves = Vec::new();
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
        let mut intervals = Vec::new();
        let mut source = None;
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
        timeline(root, path, TimelinePart { intervals, source })
    }

    /// Returns the intervals of the nodes that an alias stood for during one.
    fn followed(&self, interval: Interval) -> Vec<Interval> {
        let Interval { from: first, to, node: Some(node) } = interval else {
            return vec![interval];
        };
        let mut from = first;
        let during = first..to;
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
    fn child_in(
        &mut self,
        node: NodeId,
        around: Interval,
        track: &mut Track,
    ) -> TimelinePart {
        let moments = around.from..around.to;
        let nothing = Interval { node: None, ..around };
        let is_list = self.tree.kind(node) == Kind::Sequence;
        let is_mapping = self.tree.kind(node) == Kind::Mapping;
        match (*track, node) {
            (Track::Key(key), _) if is_mapping => self.entry(node, around, key),
            (Track::Slot(other, at), NodeId::Opened(id))
                if is_list && self.changes.are_one(id, other) =>
            {
                self.slot(id, at, moments)
            }
            (Track::Index(index), NodeId::Opened(id)) if is_list => {
                let order = self.orders.get(id, around.to);
                let at = order.slots.get(index as usize).copied();
                let Some(at) = at else { return TimelinePart::of(nothing) };
                *track = Track::Slot(id, at);
                self.slot(id, at, moments)
            }
            (Track::Index(index), NodeId::Clean(..)) if is_list => {
                let item = self.index.item(self.tree, node, index);
                self.split(&[], moments, item)
            }
            _ => TimelinePart::of(nothing),
        }
    }

    /// Returns what stood at a key while a mapping stood around it. An entry that a `<<`
    /// provides has the history of its source.
    fn entry(&mut self, mapping: NodeId, around: Interval, key: NodeId) -> TimelinePart {
        let mut whole = TimelinePart { intervals: Vec::new(), source: None };
        // The oldest first, so that the newest comes next.
        let mut todo = vec![Interval { node: Some(mapping), ..around }];
        let mut met = HashSet::new();
        while let Some(interval) = todo.pop() {
            if !met.insert(interval) {
                continue;
            }
            let merged = interval.node.and_then(|node| self.merged(node, key));
            let Some(MergedEntry { source, until }) = merged else {
                let part = self.own_entry(interval, key);
                whole.intervals.extend(part.intervals);
                whole.source = whole.source.or(part.source);
                continue;
            };
            let mut to = interval.to;
            if until < to {
                let mut part = self.own_entry(interval, key);
                // Before its first change the entry was that of the source.
                to = part.intervals.pop().map_or(until, |first| first.to);
                whole.intervals.extend(part.intervals);
                whole.source = whole.source.or(part.source);
            }
            let node = Some(source);
            todo.extend(self.followed(Interval { node, to, ..interval }));
        }
        whole
    }

    /// Returns the source of a `<<` that provides, or once provided, the entry of a key.
    fn merged(&mut self, mapping: NodeId, key: NodeId) -> Option<MergedEntry> {
        let numbers = match mapping {
            NodeId::Opened(id) => self.changes.of_key(self.tree, id, key),
            NodeId::Clean(..) => Vec::new(),
        };
        let Some(&first) = numbers.first() else {
            let source = self.index.source(self.tree, mapping, key)?;
            return Some(MergedEntry { source, until: usize::MAX });
        };
        let effect = &self.changes.get(first).effect;
        let Seat::Slot(id, at) = effect.seat else { return None };
        // An own entry that was not written came with the change.
        let is_new = self.tree.children(id).find(at)?.was.is_none();
        (is_new && effect.before.is_some()).then_some(())?;
        let source = self.index.overridden_source(self.tree, mapping, key)?;
        Some(MergedEntry { source, until: first })
    }

    /// Returns what stood at a key of a mapping that is there during an interval.
    fn own_entry(&mut self, around: Interval, key: NodeId) -> TimelinePart {
        let Some(node) = around.node else { return TimelinePart::of(around) };
        let value = self.index.value(self.tree, node, key);
        let numbers = match node {
            NodeId::Opened(id) => self.changes.of_key(self.tree, id, key),
            NodeId::Clean(..) => Vec::new(),
        };
        self.split(&numbers, around.from..around.to, value)
    }

    fn slot(&self, id: u32, at: u32, moments: Range<usize>) -> TimelinePart {
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
        moments: Range<usize>,
        now: Option<NodeId>,
    ) -> TimelinePart {
        let next = numbers.iter().find(|&&number| number >= moments.end);
        let mut node = next.map_or(now, |&next| self.changes.get(next).effect.before);
        let mut intervals = Vec::new();
        let mut source = None;
        let mut to = moments.end;
        for &number in numbers.iter().rev().filter(|it| moments.contains(it)) {
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
        intervals.push(Interval { from: moments.start, to, node });
        TimelinePart { intervals, source }
    }
}

impl TimelinePart {
    fn of(interval: Interval) -> TimelinePart {
        TimelinePart { intervals: vec![interval], source: None }
    }
}

/// Returns true if a whole value was moved or copied, and not only a part of it.
fn is_whole(source: Option<&(usize, ChangeSource)>) -> bool {
    source.is_some_and(|(_, source)| source.below.is_empty())
}

/// An entry that a `<<` provides.
struct MergedEntry {
    source: NodeId,
    /// The number of the change that made it an own entry.
    until: usize,
}

fn timeline(root: usize, path: Path, mut part: TimelinePart) -> Timeline {
    part.intervals.reverse();
    Timeline { root, path, intervals: part.intervals, source: part.source }
}

/// The moments during which one node stood at a place, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Interval {
    /// The first moment. Unless that is 0, the change before it began the interval.
    pub from: usize,
    /// The last moment. The change of that number ended the interval.
    pub to: usize,
    pub node: Option<NodeId>,
}

/// The intervals of one place, the oldest first.
#[derive(Clone, Debug)]
pub(super) struct Timeline {
    pub root: usize,
    /// The way to the place, as it was in the first interval.
    pub path: Path,
    pub intervals: Vec<Interval>,
    /// The place at which the value, or a part of it, was before the first interval, and
    /// the change that took it from there.
    pub source: Option<(usize, ChangeSource)>,
}

impl Timeline {
    /// Returns the timeline of a node that was always there. Its path is left out.
    pub(super) fn whole(root: usize, node: NodeId, now: usize) -> Timeline {
        let intervals = vec![Interval { from: 0, to: now, node: Some(node) }];
        Timeline { root, path: Path::new(), intervals, source: None }
    }

    /// Returns what stands at the place at the end, and since when.
    pub(super) fn last(&self) -> Option<Interval> {
        self.intervals.last().copied()
    }
}

/// A child, as it is found in the collections that stood at one place, from the last one
/// back to the first.
#[derive(Clone, Copy, Debug)]
pub(super) enum Track {
    /// The entry with a key.
    Key(NodeId),
    /// The item in a slot of an opened list.
    Slot(u32, SlotId),
    /// The item at an index.
    Index(u32),
}

impl From<Step> for Track {
    fn from(step: Step) -> Track {
        match step {
            Step::Key(key) => Track::Key(key),
            Step::Index(index) => Track::Index(index),
        }
    }
}

impl Finder<'_> {
    /// Returns the child that a token leads to in what stood somewhere, also one that was
    /// removed.
    fn named(&mut self, around: Interval, token: &Token) -> Option<(Track, Step)> {
        let node = self.tree.follow(around.node?);
        let step = match token {
            Token::Key(name) if self.tree.kind(node) == Kind::Sequence => {
                Step::Index(name.parse().ok()?)
            }
            Token::Key(name) => Step::Key(self.key(node, name)?),
            Token::Index(index, _) if self.tree.kind(node) == Kind::Mapping => {
                Step::Key(self.key(node, &index.to_string())?)
            }
            Token::Index(index, modifiers) => {
                let len = self.item_count(node, around.to) as i64;
                let index = index.saturating_add(shift(modifiers));
                let index = if index < 0 { index.saturating_add(len) } else { index };
                Step::Index(u32::try_from(index).ok().filter(|&it| i64::from(it) < len)?)
            }
            Token::Match { key, value, modifiers } => {
                let Some(index) = self.matching(node, around.to, key, value) else {
                    return self.removed_item(node, around.to, key, value);
                };
                let index = i64::from(index).saturating_add(shift(modifiers));
                Step::Index(u32::try_from(index).ok()?)
            }
            Token::End => return None,
        };
        Some((step.into(), step))
    }

    /// Returns the key of an entry that a mapping has or had.
    fn key(&self, mapping: NodeId, name: &str) -> Option<NodeId> {
        if let Some((key, _)) = self.tree.member(mapping, name) {
            return Some(key);
        }
        let NodeId::Opened(id) = mapping else { return None };
        let keys =
            self.changes.of_collection(id).into_iter().rev().filter_map(|number| {
                match self.changes.get(number).effect.path.last() {
                    Some(&Step::Key(key)) => Some(key),
                    _ => None,
                }
            });
        keys.into_iter()
            .find(|key| self.tree.member_name(*key).is_some_and(|it| it == name))
    }

    /// Returns the index of the one item of a list with a text at a key, at a moment.
    fn matching(
        &mut self,
        list: NodeId,
        moment: usize,
        key: &str,
        value: &str,
    ) -> Option<u32> {
        let mut found = (0..self.item_count(list, moment) as u32).filter(|&index| {
            let item = match list {
                NodeId::Clean(..) => self.index.item(self.tree, list, index),
                NodeId::Opened(id) => {
                    let at =
                        self.orders.get(id, moment).slots.get(index as usize).copied();
                    at.and_then(|at| self.changes.in_slot(self.tree, id, at, moment))
                }
            };
            item.is_some_and(|item| has_text(self.tree, item, key, value))
        });
        found.next().filter(|_| found.next().is_none())
    }

    /// Returns the last item with a text at a key that was removed from a list.
    fn removed_item(
        &self,
        list: NodeId,
        moment: usize,
        key: &str,
        value: &str,
    ) -> Option<(Track, Step)> {
        let NodeId::Opened(id) = list else { return None };
        let numbers = self.changes.of_collection(id).into_iter().rev();
        numbers.filter(|&number| number < moment).find_map(|number| {
            let effect = &self.changes.get(number).effect;
            let Seat::Slot(of, at) = effect.seat else { return None };
            let gone = effect.before.filter(|_| effect.after.is_none())?;
            let step = *effect.path.last()?;
            has_text(self.tree, gone, key, value).then_some((Track::Slot(of, at), step))
        })
    }

    fn item_count(&mut self, list: NodeId, moment: usize) -> usize {
        match list {
            NodeId::Opened(id) if self.tree.kind(list) == Kind::Sequence => {
                self.orders.get(id, moment).slots.len()
            }
            _ => self.tree.items(list).len(),
        }
    }
}

fn has_text(tree: &Tree, item: NodeId, key: &str, value: &str) -> bool {
    tree.get(item, key).is_some_and(|part| tree.is_text(part, value))
}

fn shift(modifiers: &[Modifier]) -> i64 {
    modifiers
        .iter()
        .map(|modifier| match modifier {
            Modifier::Prev => -1,
            Modifier::Next => 1,
            Modifier::Before | Modifier::After => 0,
        })
        .sum()
}
