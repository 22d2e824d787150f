//! Nodes in pre-order: leaves, collections that open and close, and what was left out.

use crate::arena::{Index, NONE, RawNode, Style, flag};
use crate::diagnostic::Result;

use super::Parser;
use super::state::{Frame, State};

/// A scalar or alias that was read and not pushed yet.
#[derive(Clone, Copy)]
pub(super) struct Leaf {
    pub(super) style: Style,
    pub(super) flags: u8,
    start: u32,
    end: u32,
}

impl Leaf {
    pub(super) fn new(style: Style, flags: u8, start: usize, end: usize) -> Leaf {
        Leaf { style, flags, start: start as u32, end: end as u32 }
    }

    pub(super) fn start(self) -> usize {
        self.start as usize
    }

    pub(super) fn end(self) -> usize {
        self.end as usize
    }
}

impl Parser<'_> {
    /// Pushes a leaf into the place that waits for a node.
    #[inline]
    pub(super) fn value(&mut self, mut leaf: Leaf) -> Result<()> {
        let Some(state) = self.top.state.filled() else {
            return self.unexpected(leaf.start(), leaf.end());
        };
        if self.outer.start & self.inner.start != NONE {
            if leaf.style == Style::Alias {
                return self.property_of_alias(leaf);
            }
            let props = self.join_props()?;
            leaf.flags |= self.note(props);
        }
        self.top.state = state;
        let indicator = std::mem::replace(&mut self.indicator, NONE);
        self.push(leaf, indicator);
        Ok(())
    }

    /// Pushes a key, which has no indicator of its own.
    #[inline]
    pub(super) fn key(&mut self, mut leaf: Leaf) -> Result<()> {
        leaf.flags |= self.merge_flag(leaf);
        if self.inner.start != NONE {
            if leaf.style == Style::Alias {
                return self.property_of_alias(leaf);
            }
            leaf.flags |= self.note_inner();
        }
        self.push(leaf, NONE);
        Ok(())
    }

    /// MERGE_KEY if a key is one.
    #[inline(always)]
    pub(super) fn merge_flag(&self, key: Leaf) -> u8 {
        let arrows =
            || key.style == Style::Plain && self.text[key.start()..key.end()] == *b"<<";
        let merges = match self.inner.tag {
            (0, 0) => key.end - key.start == 2 && arrows(),
            tag => self.is_merge_tag(tag),
        };
        if merges { flag::MERGE_KEY } else { 0 }
    }

    #[cold]
    fn property_of_alias<T>(&self, alias: Leaf) -> Result<T> {
        let message = "did not find expected node content";
        self.error(message, alias.start(), alias.end())
    }

    /// Pushes a node behind the last one.
    #[inline(always)]
    pub(super) fn push(&mut self, leaf: Leaf, indicator: u32) {
        let Leaf { style, flags, start, end } = leaf;
        self.top.flags |= flags & (flag::HAS_ALIAS | flag::HAS_ANCHOR);
        if flags & flag::HAS_ALIAS != 0 {
            self.aliases.push((self.nodes.len() as Index, self.alias));
        }
        self.nodes.push(RawNode {
            style,
            flags,
            start,
            end,
            len: 1,
            indicator,
            column: 0,
        });
        self.last = end as usize;
    }

    /// Opens a collection; its node ends when it is closed.
    pub(super) fn open(
        &mut self,
        style: Style,
        start: usize,
        column: i64,
        state: State,
        flags: u8,
    ) -> Result<()> {
        if self.frames.len() >= self.depth {
            let message = format!("exceeded max depth of {}", self.depth);
            let raise = "`--limit depth=N` raises the limit";
            return self.error(&message, start, start + 1).map_err(|e| e.hint(raise));
        }
        let node = self.nodes.len() as Index;
        let indicator = std::mem::replace(&mut self.indicator, NONE);
        let last = self.last;
        self.push(Leaf::new(style, flags, start, start), indicator);
        self.last = last;
        self.nodes[node as usize].len = 0;
        let frame = Frame { node, column, state, flags: 0 };
        self.frames.push(std::mem::replace(&mut self.top, frame));
        Ok(())
    }

    /// Opens a block collection in the place that waits for a node.
    pub(super) fn open_block(
        &mut self,
        style: Style,
        start: usize,
        state: State,
    ) -> Result<()> {
        let flags = self.note_outer();
        let column = (start - self.line) as u32;
        if let Some(filled) = self.top.state.filled() {
            self.top.state = filled;
        }
        self.open(style, start, column as i64, state, flags)?;
        self.nodes[self.top.node as usize].column = column;
        Ok(())
    }

    /// Closes the innermost collection, filling in what was left out.
    pub(super) fn close(&mut self) -> Result<()> {
        if self.top.state.takes_node() {
            self.fill()?;
        }
        self.fill_value();
        let Some(outer) = self.frames.pop() else { return Ok(()) };
        let closed = std::mem::replace(&mut self.top, outer);
        let len = self.nodes.len() as u32 - closed.node;
        let node = &mut self.nodes[closed.node as usize];
        node.len = len;
        node.end = self.last as u32;
        node.flags |= closed.flags;
        self.top.flags |= closed.flags;
        Ok(())
    }

    /// Puts an empty node in the place that waits for one.
    pub(super) fn fill(&mut self) -> Result<()> {
        let at = match (self.top.state, self.outer.start & self.inner.start) {
            (State::Root, NONE) if self.after == NONE as usize => self.at,
            (State::FlowKey | State::FlowItem, NONE) => self.at,
            _ => self.after,
        };
        self.value(Leaf::new(Style::Empty, 0, at, at))
    }

    /// Gives a key that has no `:` an empty value.
    pub(super) fn fill_value(&mut self) {
        self.top.state = match self.top.state {
            State::AfterKey => State::NextKey,
            State::AfterFlowKey => State::NextFlowKey,
            State::AfterPairKey => State::AfterPair,
            _ => return,
        };
        self.push(Leaf::new(Style::Empty, 0, self.last, self.last), NONE);
    }

    /// Puts a collection around the complete node `first`, the last one of its own, and
    /// opens it. (A key is at most 1,024 characters long: few nodes move.)
    pub(super) fn enclose(
        &mut self,
        first: Index,
        style: Style,
        column: i64,
    ) -> Result<()> {
        let start = self.start_of(first);
        let mut moved = self.nodes.split_off(first as usize);
        let props = self.props.partition_point(|props| props.node < first);
        let moved_props = self.props.split_off(props);
        if let Some(key) = moved.first_mut() {
            self.indicator = std::mem::replace(&mut key.indicator, NONE);
        }
        let flags = self.note_outer();
        self.open(style, start as usize, column, State::AfterKey, flags)?;
        for node in moved {
            self.top.flags |= node.flags & (flag::HAS_ALIAS | flag::HAS_ANCHOR);
            self.nodes.push(node);
        }
        for mut props in moved_props {
            props.node += 1;
            self.add_props(props);
        }
        for (alias, target) in
            self.aliases.iter_mut().rev().take_while(|(i, _)| *i >= first)
        {
            *alias += 1;
            *target += u32::from(*target >= first);
        }
        Ok(())
    }

    /// Where node `i` begins, properties included.
    pub(super) fn start_of(&self, i: Index) -> u32 {
        let props = self.props.partition_point(|props| props.node < i);
        match self.props.get(props) {
            Some(props) if props.node == i => props.start,
            _ => self.nodes[i as usize].start,
        }
    }

    /// A node or indicator stands where none is expected.
    #[cold]
    pub(super) fn unexpected<T>(&self, start: usize, end: usize) -> Result<T> {
        let message = match self.top.state {
            State::NextItem => "did not find expected '-' indicator",
            State::NextKey if self.is_column(start) => "could not find expected ':'",
            State::AfterKey | State::NextKey => "did not find expected key",
            State::Rooted => "did not find expected <document start>",
            State::NextFlowItem | State::AfterPairKey | State::AfterPair => {
                "did not find expected ',' or ']'"
            }
            State::AfterFlowKey | State::NextFlowKey => {
                "did not find expected ',' or '}'"
            }
            State::Root
            | State::Item
            | State::Key
            | State::Value
            | State::FlowItem
            | State::FlowKey
            | State::FlowExplicitKey
            | State::FlowValue
            | State::PairKey
            | State::PairValue => "did not find expected node content",
        };
        if start == end {
            self.error_at(message, start)
        } else {
            self.error(message, start, end)
        }
    }

    /// Whether `at` stands in the column of the innermost collection's entries.
    fn is_column(&self, at: usize) -> bool {
        let line = self.text[..at].iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
        at - line.map_or(0, |end| end + 1) == self.top.column.max(0) as usize
    }
}
