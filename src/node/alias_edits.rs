//! Edits of nodes that have aliases: where they happen, which aliases follow, and where the
//! [homes](super::homes) are afterwards.

use std::ops::Range;

use hashbrown::HashSet;

use super::aliases::Aliases;
use super::homes::{Home, LiftedNode};
use super::opened::Kind;
use super::path::Seat;
use super::slots::{NodeId, SlotId};
use super::tree::Tree;
use crate::arena::{Arena, Index, Style, flag};
use crate::source::{FileId, Span};

// The effect of an op on aliases.
impl Tree {
    /// Sets the effect of the next edits on aliases. If they keep the old value, edits of
    /// nodes with aliases are noted only if that is to be told.
    pub(crate) fn start_alias_edits(&mut self, aliases: Aliases, is_told: bool) {
        if self.aliases.start(aliases, is_told) {
            self.freeze();
        }
    }

    /// Returns the nodes with aliases that were edited meanwhile, each with the places of
    /// its aliases.
    pub(crate) fn end_alias_edits(&mut self) -> Vec<(Span, Vec<Span>)> {
        if let Some(LiftedNode { written, .. }) = self.homes.moving.take() {
            self.part_written(written, self.base().next(written));
        }
        let edited = self.aliases.end();
        let base = self.base();
        if edited.is_empty() {
            return Vec::new();
        }
        let edited = edited.into_iter().map(|i| {
            let aliases = self.aliases.aliases_of(base, i);
            (anchor_span(base, i), aliases.map(|at| base.span(at)).collect())
        });
        edited.collect()
    }

    /// Returns the first of some written aliases that a `<<` merges although they do not stand
    /// for mappings now.
    pub(crate) fn broken_merge(&self, aliases: &[Span]) -> Option<Span> {
        let base = self.base();
        let edited: HashSet<u32> = aliases.iter().map(|span| span.start).collect();
        let is_broken = |&i: &Index| {
            edited.contains(&base.span(i).start)
                && !self.is_merge_value(NodeId::Clean(base.file(), i))
        };
        let all = base.aliases().iter().map(|&(alias, _)| alias);
        let broken: HashSet<Index> = all.filter(is_broken).collect();
        if broken.is_empty() {
            return None;
        }
        let keys = base.indices().filter(|&key| base.has(key, flag::MERGE_KEY));
        let mut sources = keys.flat_map(|key| {
            let value = base.next(key);
            let is_list = base.style(value).is_sequence();
            let items = is_list.then(|| base.children(value)).into_iter().flatten();
            std::iter::once(value).chain(items)
        });
        sources.find(|source| broken.contains(source)).map(|source| base.span(source))
    }

    /// Returns true for what `<<` merges: a mapping, or a list of mappings.
    fn is_merge_value(&self, node: NodeId) -> bool {
        match self.kind(node) {
            Kind::Mapping => true,
            Kind::Scalar => false,
            Kind::Sequence => {
                let mut items = self.items(node).into_iter();
                items.all(|item| self.kind(item) == Kind::Mapping)
            }
        }
    }

    /// Returns the seat at which an edit has to happen. For an alias that follows its anchor
    /// it is the home of the anchor's node.
    pub(super) fn seat_of_edit(&mut self, seat: Seat) -> Seat {
        if self.base().aliases().is_empty() {
            return seat;
        }
        let follows = self.aliases.follows();
        let linked = self.linked_at(seat);
        if let Some(target) = self.aliased(self.node_at(seat)) {
            self.aliases.note(target);
            if follows {
                return self.home(target).unwrap_or(seat);
            }
        } else if let Some(i) = linked {
            self.aliases.note(i);
        }
        if let Some(i) = linked.filter(|_| !follows) {
            self.homes.part(i);
        }
        seat
    }

    /// Gives the aliases of the node at a seat its new value, if they follow. Returns true if
    /// they do.
    pub(super) fn follow_edit(&mut self, seat: Seat, node: NodeId) -> bool {
        let linked = self.linked_at(seat).filter(|_| self.aliases.follows());
        if let Some(i) = linked {
            self.aliases.note(i);
            self.aliases.follow_edit(self.file(), i, node);
        }
        linked.is_some()
    }

    /// Replaces the node at a seat without an effect on aliases.
    pub(crate) fn set_as_is(&mut self, seat: Seat, node: NodeId) {
        let effect = self.aliases.pause();
        self.set_at(seat, node, None);
        self.aliases.resume(effect);
    }

    /// Opens the collection at a seat without an effect on aliases.
    pub(crate) fn open_as_is(&mut self, seat: Seat) -> Option<u32> {
        let effect = self.aliases.pause();
        let id = self.open(seat, true);
        self.aliases.resume(effect);
        id
    }
}

// Nodes that are removed, opened, copied or moved.
impl Tree {
    /// Returns the node of the base whose home is, or was once, a seat.
    pub(super) fn written_at(&self, seat: Seat) -> Option<Index> {
        let base = self.base();
        let (id, at) = match seat {
            Seat::Root(at) => return Some(base.sections().get(at)?.root),
            Seat::Slot(id, at) => (id, at),
            Seat::Detached(_) => return None,
        };
        if let Some(i) = self.homes.standing(id, at) {
            return Some(i);
        }
        let slot = self.children(id).get(at);
        let was = slot.was.filter(|_| self.opened(id).is_home)?;
        Some(if slot.key.is_some() { base.next(was) } else { was })
    }

    /// Returns the node with aliases whose home is a seat.
    fn linked_at(&self, seat: Seat) -> Option<Index> {
        let i = self.written_at(seat)?;
        let is_here = match (self.homes.get(i), seat) {
            (None, _) => true,
            (Some(Home::Slot(id, at)), seat) => seat == Seat::Slot(id, at),
            (Some(Home::FirstAlias), _) => false,
        };
        (is_here && self.named().binary_search(&i).is_ok()).then_some(i)
    }

    /// Returns the node of the base that an alias stands for.
    fn aliased(&self, node: NodeId) -> Option<Index> {
        let NodeId::Clean(file, i) = node else { return None };
        let arena = self.base();
        let is_alias = file == arena.file() && arena.style(i) == Style::Alias;
        is_alias.then(|| arena.target(i))
    }

    /// Notes that the written node at a seat was opened.
    pub(super) fn note_written(&mut self, seat: Seat, id: u32) {
        if self.base().aliases().is_empty() {
            return;
        }
        let written = self.written_at(seat).map(|i| (self.file(), i));
        self.opened[id].is_home = written.is_some() && written == self.origin(id);
    }

    /// Notes that a copy of an opened collection stands at a seat now.
    pub(super) fn note_home(&mut self, seat: Seat, from: u32, to: u32) {
        let was = self.origin(to).map(|(_, i)| i);
        let is_home = self.opened(from).is_home && self.written_at(seat) == was;
        self.opened[to].is_home = is_home;
        if is_home {
            self.homes.transfer(from, to);
        }
    }

    /// Returns true if a written node, met elsewhere, is a copy: it still stands where it was
    /// written, for its aliases.
    pub(crate) fn is_copied(&self, file: FileId, i: Index) -> bool {
        file == self.file()
            && self.homes.get(i).is_none()
            && (self.aliases.has_followed() || self.alias_value(file, i).is_none())
    }

    /// Notes that the node at a seat is about to be moved: it is the same node afterwards.
    pub(crate) fn lift(&mut self, seat: Seat) {
        let value = self.node_at(seat);
        self.note_moved_anchors(value);
        if self.base().aliases().is_empty() {
            return;
        }
        if self.aliases.follows() {
            // It may be put into what one of its aliases stands for.
            self.freeze_within(value);
        }
        let written = self.written_at(seat).filter(|&i| {
            self.origin_of(value) == Some((self.file(), i))
                || self.linked_at(seat).is_some()
        });
        self.homes.moving = written.map(|written| LiftedNode { written, value });
    }

    /// Notes that the anchors in a value move with it, also those without aliases.
    fn note_moved_anchors(&mut self, value: NodeId) {
        let base = self.shared_base().clone();
        let written = self.origin_of(value).filter(|&(file, _)| file == base.file());
        let Some((_, i)) = written.filter(|&(_, i)| base.has(i, flag::HAS_ANCHOR)) else {
            return;
        };
        let inside = (i..base.next(i)).filter(|&at| base.anchor(at).is_some());
        self.hints_mut().note_moved(inside);
    }

    /// Notes that the lifted node stands at a seat. If that is the home of another one, it is
    /// what the aliases of that one stand for, and no longer what its own do.
    pub(crate) fn put_down(&mut self, seat: Seat) {
        let Some(LiftedNode { written, .. }) = self.homes.moving.take() else { return };
        match seat {
            Seat::Slot(id, at) if self.linked_at(seat).is_none() => {
                self.homes.put(written, id, at);
            }
            _ => self.part_written(written, self.base().next(written)),
        }
    }

    /// Notes that the node at a seat goes, unless it was lifted.
    pub(super) fn leave(&mut self, seat: Seat) {
        if self.base().aliases().is_empty() || self.homes.moving.is_some() {
            return;
        }
        if let Some(i) = self.linked_at(seat) {
            self.homes.part(i);
            if !self.aliases.follows() {
                self.aliases.note(i);
            }
        }
        self.leave_inside(seat);
    }

    /// Notes that all that is inside of the node at a seat goes.
    pub(super) fn leave_inside(&mut self, seat: Seat) {
        if self.base().aliases().is_empty() {
            return;
        }
        let mut todo = vec![seat];
        let mut met = HashSet::new();
        while let Some(inner) = todo.pop() {
            if inner != seat
                && let Some(i) = self.linked_at(inner)
            {
                self.homes.part(i);
            }
            match self.node_at(inner) {
                NodeId::Clean(_, i) if self.written_at(inner) == Some(i) => {
                    self.part_written(i + 1, self.base().next(i));
                }
                // Only what was moved has a home in what is new.
                NodeId::Opened(id)
                    if (self.opened(id).is_home || self.homes.has_moved())
                        && met.insert(id) =>
                {
                    todo.extend(self.children(id).ids().map(|at| Seat::Slot(id, at)));
                }
                NodeId::Clean(..) | NodeId::Opened(_) => {}
            }
        }
    }

    /// Parts written nodes from their aliases, but those that stand elsewhere.
    fn part_written(&mut self, from: Index, to: Index) {
        let named = self.aliases.named(&self.base);
        for &i in &named[range(named, from, to)] {
            self.homes.part_if_there(i);
        }
    }

    /// Returns the nodes of the base that have aliases, in order.
    fn named(&self) -> &[Index] {
        self.aliases.named(self.base())
    }
}

// The way to a home.
impl Tree {
    /// Returns the home of a node with aliases. The collections on the way are opened.
    fn home(&mut self, i: Index) -> Option<Seat> {
        if self.has_gone(i) {
            self.find_home(i);
            self.find_homes_around(i);
        }
        if self.has_gone(i) {
            return None;
        }
        let seat = self.seat_of_written(i)?;
        (!self.is_lifted(seat)).then_some(seat)
    }

    /// Returns true for a seat inside of the node that an op has lifted: what is lifted would
    /// be put into itself there.
    fn is_lifted(&self, seat: Seat) -> bool {
        let (Some(lifted), Seat::Slot(inner, _)) = (self.homes.moving, seat) else {
            return false;
        };
        let mut todo = vec![lifted.value];
        let mut met = HashSet::new();
        while let Some(node) = todo.pop() {
            if let NodeId::Opened(id) = node
                && met.insert(id)
            {
                todo.extend(self.children(id).iter().map(|slot| slot.value));
            }
        }
        met.contains(&inner)
    }

    /// Returns true for a node whose home is the first alias that is left.
    fn has_gone(&self, i: Index) -> bool {
        self.homes.get(i) == Some(Home::FirstAlias)
    }

    /// Returns the seat of a node of the base, if it is still in the document.
    fn seat_of_written(&mut self, i: Index) -> Option<Seat> {
        let base = self.shared_base().clone();
        let moved = self.aliases.outwards(&base, i).find_map(|outer| {
            match self.homes.get(outer)? {
                Home::Slot(id, at) => Some((outer, Seat::Slot(id, at))),
                Home::FirstAlias => None,
            }
        });
        if let Some((outer, seat)) = moved {
            return self.seat_inside(outer, seat, i);
        }
        let root = base.sections().iter().rposition(|it| it.root <= i)?;
        self.seat_inside(base.sections()[root].root, Seat::Root(root), i)
    }

    /// Returns the seat of a written node inside of another one, which stands at `seat`. The
    /// collections on the way are opened.
    fn seat_inside(&mut self, outer: Index, mut seat: Seat, i: Index) -> Option<Seat> {
        let mut here = outer;
        while here != i {
            let is_there = match self.follow(self.node_at(seat)) {
                NodeId::Clean(file, there) => file == self.file() && there == here,
                NodeId::Opened(id) => {
                    self.opened(id).is_home
                        && self.origin(id) == Some((self.file(), here))
                }
            };
            let id = if is_there { self.open_here(seat, true)? } else { return None };
            self.follow_edit(seat, NodeId::Opened(id));
            let inner = self.slot_around(id, i)?;
            here = inner.written;
            seat = Seat::Slot(id, inner.at);
        }
        Some(seat)
    }

    /// Returns the slot of opened collection `id` in which a node was written.
    fn slot_around(&self, id: u32, i: Index) -> Option<WrittenSlot> {
        let slots = self.children(id);
        let likely = slots.likely_around(i).filter(|&at| slots.holds(at));
        likely.into_iter().chain(slots.ids()).find_map(|at| {
            let written = self.written_at(Seat::Slot(id, at))?;
            let is_around = (written..self.base().next(written)).contains(&i);
            is_around.then_some(WrittenSlot { at, written })
        })
    }

    /// Finds the first alias that is left of a node that has gone, or of one around it. Its
    /// place is the home from now on.
    fn find_home(&mut self, i: Index) {
        let base = self.shared_base().clone();
        let around = self.aliases.outwards(&base, i).filter(|&it| self.has_gone(it));
        let around = around.filter(|&outer| self.has_written(outer, i));
        let aliases = around.flat_map(|target| {
            let aliases = self.aliases.aliases_of(&base, target);
            aliases.map(move |alias| (alias, target))
        });
        let mut aliases: Vec<(Index, Index)> = aliases.collect();
        aliases.sort_unstable();
        for (alias, target) in aliases {
            if let Some(seat) = self.alias_seat(alias) {
                return self.make_home(target, alias, seat);
            }
        }
    }

    /// Finds the homes of the nodes around a node that have gone, too: what they have there is an
    /// alias of the node, which follows its edit.
    fn find_homes_around(&mut self, i: Index) {
        let base = self.shared_base().clone();
        let around: Vec<Index> = self.aliases.outwards(&base, i).skip(1).collect();
        for outer in around.into_iter().rev() {
            if self.has_gone(outer) && self.has_written(outer, i) {
                self.find_home(outer);
            }
        }
    }

    /// Returns the seat of an alias, if it is still where it was written.
    fn alias_seat(&mut self, alias: Index) -> Option<Seat> {
        let seat = self.seat_of_written(alias)?;
        (self.node_at(seat) == NodeId::Clean(self.file(), alias)).then_some(seat)
    }

    /// Returns true if written node `i` is in the value of the aliases of `outer`.
    fn has_written(&self, outer: Index, i: Index) -> bool {
        let written = NodeId::Clean(self.file(), outer);
        let mut node = self.alias_value(self.file(), outer).unwrap_or(written);
        let mut here = outer;
        while here != i {
            let NodeId::Opened(id) = node else {
                return node == NodeId::Clean(self.file(), here);
            };
            let Some(inner) = self.slot_around(id, i) else { return false };
            here = inner.written;
            node = self.children(id).get(inner.at).value;
        }
        true
    }

    /// Makes the seat of an alias the home of its node. What is written in the node and has
    /// its home elsewhere, or an alias before this one, is an alias there.
    fn make_home(&mut self, outer: Index, alias: Index, seat: Seat) {
        let named = self.named();
        let base = self.shared_base().clone();
        let mut inside = named[range(named, outer + 1, base.next(outer))].to_vec();
        inside.retain(|&i| self.has_written(outer, i));
        let mut elsewhere = Vec::new();
        let mut end = outer;
        for i in inside {
            // A node inside of an alias stands where the alias leads.
            if i < end {
                continue;
            }
            let aliases = self.aliases.aliases_of(&base, i);
            let before: Vec<Index> = aliases.take_while(|&at| at < alias).collect();
            let has_gone = self.has_gone(i);
            if has_gone && !before.into_iter().any(|at| self.alias_seat(at).is_some()) {
                self.homes.forget(i);
                continue;
            }
            if !has_gone && let Some(Seat::Slot(id, at)) = self.seat_of_written(i) {
                self.homes.put(i, id, at);
            }
            elsewhere.push(i);
            end = base.next(i);
        }
        let Seat::Slot(id, at) = seat else { return };
        self.homes.put(outer, id, at);
        for i in elsewhere {
            let own = self.aliases.aliases_of(&base, i).next();
            if let (Some(own), Some(seat)) = (own, self.seat_inside(outer, seat, i)) {
                self.replace_at(seat, NodeId::Clean(base.file(), own));
            }
        }
    }
}

/// A slot, and the node that was written in it.
struct WrittenSlot {
    at: SlotId,
    written: Index,
}

/// Returns the positions of sorted numbers from `from` to `to`.
fn range(named: &[Index], from: Index, to: Index) -> Range<usize> {
    named.partition_point(|&i| i < from)..named.partition_point(|&i| i < to)
}

/// Returns the span of a node's anchor, or of the node if it has none.
fn anchor_span(arena: &Arena, i: Index) -> Span {
    let span = arena.span(i);
    match arena.props(i).map(|props| props.anchor) {
        Some((start, end)) if end > start => Span { start: start - 1, end, ..span },
        _ => span,
    }
}
