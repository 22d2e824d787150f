//! The comments and blank lines between the entries of a block collection, merged.
//!
//! Each version is a sequence of lines and entries. The sequences are merged between the
//! entries that all versions have in the same order, so that each line is in the result once.
//! The result becomes edits of the entries of ours.

use std::ops::Range;

use hashbrown::{HashMap, HashSet};

use super::arrange::{BASE, OURS, THEIRS, moved, places};
use super::entries::{Entries, MergedChild, Task, give, merge_owned};
use super::sequence::{
    EntryOrder, SequencePart, Sign, SurroundingLine, are_alike, blank_lines, is_same,
    lines_at_end, merged_tokens,
};
use super::versions::Versions;
use crate::arena::Index;
use crate::compare::Numbering;
use crate::layout::{Layout, bare_lines};
use crate::node::{EntryComments, NodeId, Seat, SlotId, Slots, Tree};

/// A block collection as it is written in one version.
#[derive(Clone, Copy)]
struct Collection<'a> {
    layout: Layout<'a>,
    of: Index,
    column: usize,
}

/// The merge of what stands between the entries of a collection.
struct Between<'e, 'a> {
    entries: &'e Entries,
    /// The children that are merged, and the others that are written.
    children: Vec<MergedChild>,
    collections: [Option<Collection<'a>>; 3],
    /// The number of the child that begins with a node, in each version.
    by_first: [HashMap<Index, usize>; 3],
    /// The children of the result in order.
    result: Vec<usize>,
    /// Those that all versions have, and no side moved.
    anchors: HashSet<usize>,
    /// The children that come from theirs.
    from_theirs: HashSet<usize>,
    tokens: [Vec<SequencePart<'a>>; 3],
    /// The positions of the children among these.
    places: [HashMap<usize, usize>; 3],
    /// The gaps of the children that moved: the lines above their leading comments.
    gaps: [HashMap<usize, Vec<SurroundingLine<'a>>>; 3],
}

/// Gives the entries of a merged collection the comments and blank lines that theirs changed.
/// Returns the work that is left.
pub(super) fn merge_between(versions: &mut Versions<'_>, entries: Entries) -> Vec<Task> {
    let tree = versions.tree;
    let nodes = entries.visit.nodes();
    let collections = nodes.map(|of| of.and_then(|of| Collection::of(tree, of)));
    let are_blocks =
        (0..3).all(|side| nodes[side].is_some() == collections[side].is_some());
    let between = are_blocks.then(|| Between::new(&versions.ours, &entries, collections));
    for (at, &child) in entries.children.iter().enumerate() {
        let is_moved = between.as_ref().is_none_or(|between| between.is_moved(at));
        merge_owned(versions, entries.visit, entries.id, child, is_moved);
    }
    if let Some(mut between) = between {
        between.read();
        between.merge_gaps(&mut versions.ours);
        between.merge(&mut versions.ours);
    }
    entries.tasks
}

impl<'a> Collection<'a> {
    /// Returns a node as a block collection; `None` for anything else, also for an alias.
    fn of(tree: &'a Tree, node: NodeId) -> Option<Collection<'a>> {
        let NodeId::Clean(file, of) = node else { return None };
        let layout = Layout { arena: tree.arena(file) };
        let is_block = layout.style(of).is_block_collection();
        is_block.then(|| Collection { layout, of, column: layout.column(of) })
    }

    fn lines(self, range: Range<usize>) -> impl Iterator<Item = SurroundingLine<'a>> {
        let text = self.layout.slice(range.start, range.end);
        let column = self.column;
        bare_lines(text).map(move |text| SurroundingLine { text, column })
    }
}

impl<'e, 'a> Between<'e, 'a> {
    fn new(
        ours: &Tree,
        entries: &'e Entries,
        collections: [Option<Collection<'a>>; 3],
    ) -> Between<'e, 'a> {
        let mut children = entries.children.clone();
        let slots = ours.children(entries.id);
        let by_first = by_first(&mut children, collections, slots);
        let at_slot = children.iter().enumerate();
        let at_slot = at_slot.filter_map(|(at, child)| Some((child.slot?, at)));
        let at_slot: HashMap<SlotId, usize> = at_slot.collect();
        let result = slots.ids().filter_map(|slot| at_slot.get(&slot).copied());
        let result: Vec<usize> = result.collect();
        let from_theirs = result.iter().copied().filter(|&at| {
            children[at].slot.is_some_and(|slot| slots.get(slot).was.is_none())
        });
        let from_theirs = from_theirs.collect();
        let mut between = Between {
            entries,
            children,
            collections,
            by_first,
            result,
            anchors: HashSet::new(),
            from_theirs,
            tokens: Default::default(),
            places: Default::default(),
            gaps: Default::default(),
        };
        between.anchors = between.find_anchors();
        between
    }

    /// Returns the children of the result that all versions have, and no side moved.
    fn find_anchors(&self) -> HashSet<usize> {
        let [base, ours, theirs] = self.by_first.each_ref().map(|by_first| {
            let mut there: Vec<(Index, u32)> =
                by_first.iter().map(|(&first, &child)| (first, child as u32)).collect();
            there.sort_unstable();
            there.into_iter().map(|(_, child)| child).collect::<Vec<u32>>()
        });
        let places = [&base, &ours, &theirs].map(|side| places(side));
        let moved = [&ours, &theirs].map(|side| moved(side, &places[0]));
        let stays = |child: &usize| {
            let child = &(*child as u32);
            places.iter().all(|places| places.contains_key(child))
                && moved.iter().all(|moved| !moved.contains(child))
        };
        self.result.iter().copied().filter(stays).collect()
    }

    /// Returns true for a child that does not stand at the same place in all versions.
    fn is_moved(&self, child: usize) -> bool {
        let is_in_all = self.children[child].first.iter().all(Option::is_some);
        is_in_all && !self.anchors.contains(&child)
    }

    /// Reads the sequences of lines and entries.
    fn read(&mut self) {
        let mut numbers = Numbering::default();
        for side in 0..3 {
            let Some(collection) = self.collections[side] else { continue };
            let Collection { layout, of, .. } = collection;
            let mut tokens = Vec::new();
            let mut places = HashMap::new();
            let mut gaps = HashMap::new();
            let mut part = |line: Option<SurroundingLine<'a>>, child, is_gone| {
                let number = numbers.of(match (line, child) {
                    (Some(line), _) => line.sign(),
                    (None, Some(child)) if self.is_moved(child) => {
                        Sign::Moved(child, side)
                    }
                    (None, child) => Sign::Child(child.unwrap_or_default()),
                });
                let is_own = side != BASE
                    && child.is_some_and(|at| {
                        self.children[at].first[OURS + THEIRS - side].is_none()
                    });
                SequencePart { number, line, child, is_gone, is_own }
            };
            for entry in layout.entries(of) {
                let Some(&child) = self.by_first[side].get(&entry.first) else {
                    continue;
                };
                let is_gone = !self.is_at_place(child, side);
                let above = collection.lines(layout.gap(of, &entry));
                // The lines of an entry that moved go with it, and are merged by themselves.
                if self.is_moved(child) {
                    // The head of the file right above an entry is merged as a leading comment.
                    let mut above: Vec<_> = above.collect();
                    let head = layout.head_lines(&entry).len();
                    above.truncate(above.len().saturating_sub(head));
                    gaps.insert(child, above);
                    if is_gone {
                        continue;
                    }
                } else {
                    tokens.extend(above.map(|line| part(Some(line), None, false)));
                    let leading = collection.lines(layout.leading(&entry));
                    let leading =
                        leading.map(|line| part(Some(line), Some(child), is_gone));
                    tokens.extend(leading);
                }
                places.insert(child, tokens.len());
                tokens.push(part(None, Some(child), is_gone));
            }
            let below = collection.lines(layout.tail(of));
            tokens.extend(below.map(|line| part(Some(line), None, false)));
            self.tokens[side] = tokens;
            self.places[side] = places;
            self.gaps[side] = gaps;
        }
    }

    /// Merges the lines above the children that moved.
    fn merge_gaps(&self, tree: &mut Tree) {
        for (&child, theirs) in &self.gaps[THEIRS] {
            let Some(slot) = self.children[child].slot else { continue };
            let [base, ours] = [BASE, OURS]
                .map(|side| self.gaps[side].get(&child).map_or(&[][..], |it| it));
            let is_along = self.entries.follows_theirs && !are_alike(ours, theirs);
            let is_changed = are_alike(base, ours) && !are_alike(base, theirs);
            if is_along || is_changed {
                let gap = Some(self.lines(theirs).into());
                let new = EntryComments { gap, ..EntryComments::default() };
                give(tree, self.entries.id, slot, new);
            }
        }
    }

    /// Returns true if a child is in the result as it stands in a version.
    fn is_at_place(&self, child: usize, side: usize) -> bool {
        let is_there = self.children[child].slot.is_some();
        let is_along = self.entries.follows_theirs || self.from_theirs.contains(&child);
        let from = if is_along { THEIRS } else { OURS };
        is_there && (side == from || !self.is_moved(child))
    }

    /// Merges the sequences from anchor to anchor.
    fn merge(&self, tree: &mut Tree) {
        let anchors = self.result.iter().copied().filter(|at| self.anchors.contains(at));
        let mut from = [0; 3];
        let mut expected = &self.result[..];
        for anchor in anchors.map(Some).chain([None]) {
            let to = [0, 1, 2].map(|side| match anchor {
                Some(anchor) => {
                    self.places[side].get(&anchor).copied().unwrap_or(from[side])
                }
                None => self.tokens[side].len(),
            });
            let count = expected.iter().position(|&at| Some(at) == anchor);
            let (children, rest) = expected.split_at(count.unwrap_or(expected.len()));
            expected = rest.get(1..).unwrap_or_default();
            let stretch = [0, 1, 2].map(|side| {
                self.tokens[side].get(from[side]..to[side]).unwrap_or_default()
            });
            self.merge_stretch(tree, stretch, children, anchor);
            from = to.map(|at| at + 1);
        }
    }

    /// Merges what stands before an anchor, or at the end: lines and other children.
    fn merge_stretch(
        &self,
        tree: &mut Tree,
        stretch: [&[SequencePart<'a>]; 3],
        children: &[usize],
        anchor: Option<usize>,
    ) {
        let is_in_order = |merged: &Vec<SequencePart<'a>>| {
            let there = merged.iter().filter(|token| token.line.is_none());
            there.filter_map(|token| token.child).eq(children.iter().copied())
        };
        let orders = [false, true].into_iter().flat_map(|is_behind| {
            [OURS, THEIRS].map(|first| EntryOrder { first, is_behind })
        });
        let mut merged = orders.map(|order| merged_tokens(stretch, order));
        let Some(merged) = merged.find(is_in_order) else {
            return self.bring_new(tree, stretch, children, anchor);
        };
        let written = groups(stretch[OURS]);
        let written: HashMap<Option<usize>, &Group<'_>> =
            written.iter().map(|group| (group.child, group)).collect();
        for group in groups(&merged) {
            let is_written = written.get(&group.child).is_some_and(|own| {
                own.before == group.before
                    && self.spelled(&own.lines) == self.spelled(&group.lines)
            });
            if !is_written {
                self.edit(tree, group.child.or(anchor), &group.lines);
            }
        }
    }

    fn spelled(&self, lines: &[SurroundingLine<'_>]) -> Vec<String> {
        let column = self.collections[OURS].map_or(0, |ours| ours.column);
        lines.iter().map(|line| line.at(column)).collect()
    }

    /// Returns lines as a text of ours.
    fn lines(&self, lines: &[SurroundingLine<'_>]) -> String {
        self.spelled(lines).iter().map(|line| format!("{line}\n")).collect()
    }

    /// Replaces the lines above a child, or at the end.
    fn edit(&self, tree: &mut Tree, child: Option<usize>, lines: &[SurroundingLine<'_>]) {
        let is_moved = child.is_some_and(|child| self.is_moved(child));
        let has_leading = child.is_some() && !is_moved;
        let owned = lines.iter().rev().take_while(|line| line.is_leading()).count();
        let owned = if has_leading { owned } else { 0 };
        let (gap, leading) = lines.split_at(lines.len() - owned);
        let gap = self.lines(gap);
        let leading: Vec<&str> =
            leading.iter().map(|line| line.text.trim_start()).collect();
        let slot = child.and_then(|child| self.children[child].slot);
        match (slot, self.entries.visit.seat) {
            (Some(slot), _) => {
                let gap = (!is_moved || !gap.is_empty()).then(|| gap.into());
                let leading = has_leading.then(|| leading.join("\n").into());
                let new = EntryComments { gap, leading, ..EntryComments::default() };
                give(tree, self.entries.id, slot, new);
            }
            (None, Seat::Slot(id, at)) => {
                let dangling = Some(gap.into());
                give(
                    tree,
                    id,
                    at,
                    EntryComments { dangling, ..EntryComments::default() },
                );
            }
            (None, Seat::Root(root)) => tree.hints_mut().give_dangling(root, gap.into()),
            (None, Seat::Detached(_)) => {}
        }
    }

    /// Has the children that only theirs has bring the lines that are new. The lines right
    /// above the anchor are those of theirs, if only theirs changed them, else those of ours
    /// and the new comments of theirs.
    fn bring_new(
        &self,
        tree: &mut Tree,
        [base, ours, theirs]: [&[SequencePart<'a>]; 3],
        children: &[usize],
        anchor: Option<usize>,
    ) {
        // A line of an entry that is gone from ours goes with it.
        let in_ours: HashSet<u32> = ours.iter().map(|token| token.number).collect();
        let removed = base.iter().filter(|token| !in_ours.contains(&token.number));
        let left = ours.iter().filter(|token| !token.is_gone);
        let known: HashSet<u32> = removed.chain(left).map(|token| token.number).collect();
        let mut added = blank_lines(theirs).saturating_sub(blank_lines(base));
        let mut above: Vec<&SequencePart<'a>> = Vec::new();
        for token in theirs {
            if token.line.is_some() {
                let is_new = if token.is_blank() {
                    added > 0
                } else {
                    !known.contains(&token.number)
                };
                added -= usize::from(token.is_blank() && is_new);
                above.extend(is_new.then_some(token));
                continue;
            }
            let child = token.child.filter(|child| self.from_theirs.contains(child));
            if let Some(child) = child.filter(|child| children.contains(child)) {
                let lines: Vec<_> = above.drain(..).filter_map(|it| it.line).collect();
                self.edit(tree, Some(child), &lines);
            } else {
                // Lines apart from an entry that is gone are no part of it.
                above.retain(|line| line.child.is_none() && !line.is_blank());
            }
        }
        let [before, here, there] = [base, ours, theirs].map(lines_at_end);
        // With an entry that theirs removed and ours keeps, its own lines are gone, too.
        let mut firsts = children.iter().map(|&child| self.children[child].first);
        let keeps_all = firsts.all(|it| it[BASE].is_none() || it[THEIRS].is_some());
        let takes_all = keeps_all && is_same(before, here);
        let last = if takes_all { there } else { here };
        let known: HashSet<u32> =
            before.iter().chain(last).map(|token| token.number).collect();
        let new = above.into_iter().filter(|token| !known.contains(&token.number));
        let new: Vec<_> = new.filter_map(|token| token.line).collect();
        let last = last.iter().filter_map(|token| token.line);
        let lines: Vec<_> = if takes_all {
            new.iter().copied().chain(last).collect()
        } else {
            last.chain(new.iter().copied()).collect()
        };
        if new.is_empty() && (!takes_all || is_same(before, there)) {
            return;
        }
        self.edit(tree, anchor, &lines);
    }
}

/// Returns the number of the child that begins with a node, in each version. Adds those that
/// are written and not merged, such as `<<`.
fn by_first(
    children: &mut Vec<MergedChild>,
    collections: [Option<Collection<'_>>; 3],
    ours: &Slots,
) -> [HashMap<Index, usize>; 3] {
    let mut others = HashMap::new();
    let written = ours.ids().filter_map(|slot| Some((ours.get(slot).was?, slot)));
    let slots: HashMap<Index, SlotId> = written.collect();
    [0, 1, 2].map(|side| {
        let Some(Collection { layout, of, .. }) = collections[side] else {
            return HashMap::new();
        };
        let file = layout.arena.file();
        let known = children.iter().enumerate().filter_map(|(at, child)| {
            let NodeId::Clean(of_file, first) = child.first[side]? else { return None };
            (of_file == file).then_some((first, at))
        });
        let mut by_first: HashMap<Index, usize> = known.collect();
        let mut counts = HashMap::new();
        for entry in layout.entries(of) {
            if by_first.contains_key(&entry.first) {
                continue;
            }
            // A key may be written twice.
            let key = layout.arena.raw(entry.first);
            let count = counts.entry(key).or_insert(0);
            *count += 1;
            let at = *others.entry((key, *count)).or_insert_with(|| {
                children.push(MergedChild { first: [None; 3], slot: None });
                children.len() - 1
            });
            children[at].first[side] = Some(NodeId::Clean(file, entry.first));
            if side == 1 {
                children[at].slot = slots.get(&entry.first).copied();
            }
            by_first.insert(entry.first, at);
        }
        by_first
    })
}

/// An entry with the lines above it; the last lines stand alone.
struct Group<'t> {
    lines: Vec<SurroundingLine<'t>>,
    child: Option<usize>,
    /// The entry before it.
    before: Option<usize>,
}

/// Divides a sequence behind each entry, also one that is gone.
fn groups<'t>(tokens: &[SequencePart<'t>]) -> Vec<Group<'t>> {
    let mut groups = Vec::new();
    let mut lines = Vec::new();
    let mut before = None;
    for token in tokens {
        match token.line {
            Some(line) => lines.push(line),
            None => {
                let lines = std::mem::take(&mut lines);
                groups.push(Group { lines, child: token.child, before });
                before = token.child;
            }
        }
    }
    groups.push(Group { lines, child: None, before });
    groups
}
