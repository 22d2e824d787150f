//! The records of the nodes of one text, in pre-order, in 16 bytes each.

use std::ops::{Deref, DerefMut};

use super::flag;

/// The number of a node in its [`Arena`](super::Arena).
pub type Index = u32;

/// Stands for an absent offset or node.
pub const NONE: u32 = u32::MAX;

/// One node: 16 bytes, no pointer.
#[derive(Clone, Copy, Debug)]
pub struct RawNode {
    /// The presentation style.
    pub style: Style,
    /// Bits of [`flag`].
    pub flags: u8,
    /// Number of bytes from the indicator to `start`; 0 if there is no indicator.
    to_indicator: u8,
    /// The byte column of the entries, or the number of spaces before each line.
    column: u8,
    /// Offset of the content's first byte: after the properties, at the quote, bracket or
    /// block header, at the first entry of a block collection. Of an empty node, the
    /// offset after its indicator or properties, else after the node before it.
    pub start: u32,
    /// Offset after the content's last byte: after the closing quote or bracket; of a
    /// block collection the end of its last descendant; of a block scalar after the line
    /// break of its last line of content (all trailing blank lines only for `+`).
    pub end: u32,
    /// Number of nodes in this subtree, this one included.
    pub len: u32,
}

/// The indicator and the column of a node whose record has no room for them.
#[derive(Clone, Copy, Debug)]
struct Overflow {
    node: Index,
    indicator: u32,
    column: u32,
}

/// Every node, in pre-order.
#[derive(Debug, Default)]
pub struct Nodes {
    records: Vec<RawNode>,
    /// Sorted by node. Few nodes are deeper than 255 columns, or that far from their
    /// indicator.
    overflows: Vec<Overflow>,
}

impl Nodes {
    /// Returns an empty table with room for `capacity` nodes.
    pub(crate) fn with_capacity(capacity: usize) -> Nodes {
        Nodes { records: Vec::with_capacity(capacity), overflows: Vec::new() }
    }

    /// Appends a node without descendants.
    ///
    /// `column` is the byte column of the entries of a block collection, or the number of
    /// spaces before each line of a block scalar's content.
    #[inline(always)]
    pub(crate) fn push(
        &mut self,
        (style, mut flags): (Style, u8),
        (start, end): (u32, u32),
        indicator: u32,
        column: u32,
    ) {
        let distance = if indicator == NONE { 0 } else { start.wrapping_sub(indicator) };
        let is_ambiguous = distance == 0 && indicator != NONE;
        if (distance | column) > u32::from(u8::MAX) || is_ambiguous {
            flags |= flag::OVERFLOW;
            self.push_overflow(indicator, column);
        }
        let (to_indicator, column) = (distance as u8, column as u8);
        let len = 1;
        self.records.push(RawNode {
            style,
            flags,
            to_indicator,
            column,
            start,
            end,
            len,
        });
    }

    #[cold]
    fn push_overflow(&mut self, indicator: u32, column: u32) {
        let node = self.records.len() as Index;
        self.overflows.push(Overflow { node, indicator, column });
    }

    /// Returns the offset of the `-` of an item, the `?` of a key or the `:` of a value.
    #[inline]
    pub(crate) fn indicator(&self, i: Index) -> Option<u32> {
        let node = &self.records[i as usize];
        match self.overflow(i) {
            Some(overflow) => {
                Some(overflow.indicator).filter(|&indicator| indicator != NONE)
            }
            None => {
                (node.to_indicator > 0).then(|| node.start - u32::from(node.to_indicator))
            }
        }
    }

    /// Returns the column that was pushed with a node.
    #[inline]
    pub(super) fn column(&self, i: Index) -> u32 {
        match self.overflow(i) {
            Some(overflow) => overflow.column,
            None => u32::from(self.records[i as usize].column),
        }
    }

    #[inline]
    fn overflow(&self, i: Index) -> Option<&Overflow> {
        if self.records[i as usize].flags & flag::OVERFLOW == 0 {
            return None;
        }
        let found = self.overflows.binary_search_by_key(&i, |it| it.node).ok()?;
        self.overflows.get(found)
    }

    /// Keeps the nodes before `first`.
    pub(crate) fn truncate(&mut self, first: Index) {
        self.records.truncate(first as usize);
        self.overflows.truncate(self.overflows_before(first));
    }

    /// Takes the nodes from `first` on. Their numbers begin with 0.
    pub(crate) fn split_off(&mut self, first: Index) -> Nodes {
        let records = self.records.split_off(first as usize);
        let mut overflows = self.overflows.split_off(self.overflows_before(first));
        overflows.iter_mut().for_each(|it| it.node -= first);
        Nodes { records, overflows }
    }

    fn overflows_before(&self, first: Index) -> usize {
        self.overflows.partition_point(|it| it.node < first)
    }

    /// Appends nodes whose numbers begin with 0.
    pub(crate) fn append(&mut self, nodes: Nodes) {
        let first = self.records.len() as Index;
        self.records.extend(nodes.records);
        let moved = |it: Overflow| Overflow { node: first + it.node, ..it };
        self.overflows.extend(nodes.overflows.into_iter().map(moved));
    }

    /// Takes the indicator from the first node, or `NONE`.
    pub(crate) fn take_first_indicator(&mut self) -> u32 {
        if self.records.is_empty() {
            return NONE;
        }
        let indicator = self.indicator(0).unwrap_or(NONE);
        self.records[0].to_indicator = 0;
        if let Some(overflow) = self.overflows.first_mut().filter(|it| it.node == 0) {
            overflow.indicator = NONE;
        }
        indicator
    }
}

impl Deref for Nodes {
    type Target = [RawNode];

    #[inline]
    fn deref(&self) -> &[RawNode] {
        &self.records
    }
}

impl DerefMut for Nodes {
    #[inline]
    fn deref_mut(&mut self) -> &mut [RawNode] {
        &mut self.records
    }
}

/// The presentation style of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Style {
    /// Nothing at all: `a:`
    Empty,
    /// `text`
    Plain,
    /// `'text'`
    Single,
    /// `"text"`
    Double,
    /// `|`
    Literal,
    /// `>`
    Folded,
    /// `*name`
    Alias,
    /// `- a`
    BlockSequence,
    /// `a: b`
    BlockMapping,
    /// `[a]`
    FlowSequence,
    /// `{a: b}`
    FlowMapping,
    /// The mapping of one pair in `[a: b]`
    FlowPair,
}

impl Style {
    /// Returns true for the styles of sequences.
    pub fn is_sequence(self) -> bool {
        matches!(self, Style::BlockSequence | Style::FlowSequence)
    }

    /// Returns true for the styles of mappings.
    pub fn is_mapping(self) -> bool {
        matches!(self, Style::BlockMapping | Style::FlowMapping | Style::FlowPair)
    }

    /// Returns true for the styles of collections.
    pub fn is_collection(self) -> bool {
        self.is_sequence() || self.is_mapping()
    }

    /// Returns true for collections in brackets or braces.
    pub fn is_flow(self) -> bool {
        matches!(self, Style::FlowSequence | Style::FlowMapping)
    }

    /// Returns true for collections whose entries stand on lines of their own.
    pub fn is_block_collection(self) -> bool {
        matches!(self, Style::BlockSequence | Style::BlockMapping)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(places: &[(u32, u32, u32)]) -> Nodes {
        let mut nodes = Nodes::default();
        for &(start, indicator, column) in places {
            nodes.push((Style::BlockSequence, 0), (start, start), indicator, column);
        }
        nodes
    }

    fn places(nodes: &Nodes) -> Vec<(Option<u32>, u32)> {
        (0..nodes.len() as Index).map(|i| (nodes.indicator(i), nodes.column(i))).collect()
    }

    #[test]
    fn a_record_has_16_bytes() {
        assert_eq!(size_of::<RawNode>(), 16);
    }

    #[test]
    fn near_and_far() {
        let nodes = nodes(&[
            (0, NONE, 0),
            (7, 6, 255),
            (255, 0, 1),
            (256, 0, 1),
            (300, NONE, 256),
            (300, 299, 256),
            (5, 5, 0),
        ]);
        let expected = [
            (None, 0),
            (Some(6), 255),
            (Some(0), 1),
            (Some(0), 1),
            (None, 256),
            (Some(299), 256),
            (Some(5), 0),
        ];
        assert_eq!(places(&nodes), expected);
    }

    #[test]
    fn nodes_move_with_their_places() {
        let mut all = nodes(&[(300, 0, 0), (400, 1, 2), (500, 2, 3), (501, 500, 4)]);
        let mut moved = all.split_off(1);
        assert_eq!(moved.take_first_indicator(), 1);
        assert_eq!(places(&moved), [(None, 2), (Some(2), 3), (Some(500), 4)]);
        all.push((Style::BlockMapping, 0), (400, 400), 1, 0);
        all.append(moved);
        let expected =
            [(Some(0), 0), (Some(1), 0), (None, 2), (Some(2), 3), (Some(500), 4)];
        assert_eq!(places(&all), expected);
        all.truncate(3);
        assert_eq!(places(&all), &expected[..3]);
    }
}
