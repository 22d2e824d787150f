//! A written text with its lines.

use std::ops::Range;

use super::lines::Lines;
use crate::arena::{Arena, Index};

/// A written text with its lines.
pub(super) struct LinedText<'a> {
    pub arena: &'a Arena,
    pub lines: Lines<'a>,
}

impl<'a> LinedText<'a> {
    pub(super) fn new(arena: &'a Arena) -> LinedText<'a> {
        LinedText { arena, lines: Lines::new(arena) }
    }

    /// Returns true if lines of two texts differ in blanks only.
    pub(super) fn is_equal_but_blanks(
        &self,
        lines: &Range<usize>,
        other: &LinedText<'_>,
        others: &Range<usize>,
    ) -> bool {
        let content = |text: &LinedText<'_>, lines: &Range<usize>| -> String {
            let lines = lines.clone().map(|line| text.lines.line(line));
            lines.flat_map(str::chars).filter(|c| !c.is_whitespace()).collect()
        };
        content(self, lines) == content(other, others)
    }

    /// Returns the offsets of the first byte of an entry and after the last.
    pub(super) fn extent(&self, (name, value): (Index, Index)) -> Range<usize> {
        let node = |i: Index| &self.arena.nodes()[i as usize];
        let end = node(name).end.max(node(value).end);
        let end = self.arena.indicator(value).map_or(end, |colon| end.max(colon + 1));
        self.entry_start(name) as usize..end as usize
    }

    /// Returns the offset of the first byte of an item or a key: its indicator, if it has
    /// one.
    pub(super) fn entry_start(&self, i: Index) -> u32 {
        self.arena.indicator(i).unwrap_or_else(|| self.arena.outer_start(i))
    }

    /// Returns the offset of the first byte of a value; `None` for a block collection,
    /// which begins with its first entry.
    pub(super) fn value_start(&self, i: Index) -> Option<u32> {
        let block = self.arena.style(i).is_block_collection();
        (!block).then(|| self.arena.outer_start(i))
    }

    /// Returns the offset of the bracket that closes a collection.
    pub(super) fn closing(&self, i: Index) -> Option<u32> {
        let flow = self.arena.style(i).is_flow();
        flow.then(|| self.arena.nodes()[i as usize].end - 1)
    }
}
