//! The open collections, and nodes pushed into them in pre-order.

use crate::arena::{Index, NONE, Raw, Style, flag};
use crate::diagnostic::Result;

use super::Parser;

/// What an open collection takes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// The root of the document
    Root,
    /// The document has its root
    Rooted,
    /// `-` was read: the item
    Item,
    /// The next `-`
    NextItem,
    /// `?` was read: the key
    Key,
    /// The key of `?` was read: `:`
    AfterKey,
    /// `:` was read: the value
    Value,
    /// The next key
    NextKey,
    /// `[` or `,` was read: an item
    FlowItem,
    /// An item was read: `,` or `]`
    NextFlowItem,
    /// `{` or `,` was read: a key
    FlowKey,
    /// `?` was read inside `{}`: the key
    FlowExplicitKey,
    /// A key was read inside `{}`
    AfterFlowKey,
    /// `:` was read inside `{}`: the value
    FlowValue,
    /// A value was read: `,` or `}`
    NextFlowKey,
    /// `?` was read inside `[]`: the key
    PairKey,
    /// The key of `?` was read inside `[]`
    AfterPairKey,
    /// `:` was read inside `[]`: the value
    PairValue,
    /// The pair inside `[]` is complete
    AfterPair,
}

impl State {
    /// The state after a node, if this one takes a node.
    #[inline(always)]
    pub(super) fn filled(self) -> Option<State> {
        Some(match self {
            State::Root => State::Rooted,
            State::Item => State::NextItem,
            State::Key => State::AfterKey,
            State::Value => State::NextKey,
            State::FlowItem => State::NextFlowItem,
            State::FlowKey | State::FlowExplicitKey => State::AfterFlowKey,
            State::FlowValue => State::NextFlowKey,
            State::PairKey => State::AfterPairKey,
            State::PairValue => State::AfterPair,
            State::Rooted
            | State::NextItem
            | State::AfterKey
            | State::NextKey
            | State::NextFlowItem
            | State::AfterFlowKey
            | State::NextFlowKey
            | State::AfterPairKey
            | State::AfterPair => return None,
        })
    }

    pub(super) fn takes_node(self) -> bool {
        self.filled().is_some()
    }

    pub(super) fn is_pair(self) -> bool {
        use State::{AfterPair, AfterPairKey, PairKey, PairValue};
        matches!(self, PairKey | AfterPairKey | PairValue | AfterPair)
    }
}

/// A collection that is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) node: Index,
    /// The column of its entries; what belongs to an entry stands deeper. -1 is the
    /// document's. A flow collection has that of the block collection around it.
    pub(super) column: i32,
    pub(super) state: State,
    /// What its descendants hold: HAS_ALIAS, HAS_ANCHOR.
    pub(super) flags: u8,
}

impl Frame {
    /// The document.
    pub(super) fn root() -> Frame {
        Frame { node: NONE, column: -1, state: State::Root, flags: 0 }
    }
}

impl Parser<'_> {
    /// Pushes a scalar or an alias into the place that waits for a node.
    #[inline]
    pub(super) fn value(
        &mut self,
        style: Style,
        mut flags: u8,
        start: usize,
        end: usize,
    ) -> Result<()> {
        let Some(state) = self.top.state.filled() else {
            return self.unexpected(start, end);
        };
        if self.outer.start & self.inner.start != NONE {
            let props = self.join_props()?;
            flags |= self.note(props);
        }
        self.top.state = state;
        let indicator = std::mem::replace(&mut self.indicator, NONE);
        self.push(style, flags, start, end, indicator);
        Ok(())
    }

    /// Pushes a node behind the last one.
    #[inline(always)]
    pub(super) fn push(
        &mut self,
        style: Style,
        flags: u8,
        start: usize,
        end: usize,
        indicator: u32,
    ) {
        self.top.flags |= flags & (flag::HAS_ALIAS | flag::HAS_ANCHOR);
        if flags & flag::HAS_ALIAS != 0 {
            self.aliases.push((self.nodes.len() as Index, self.alias));
        }
        let (start, end) = (start as u32, end as u32);
        self.nodes.push(Raw { style, flags, start, end, len: 1, indicator, column: 0 });
        self.last = end as usize;
    }

    /// Opens a collection; its node ends when it is closed.
    pub(super) fn open(
        &mut self,
        style: Style,
        start: usize,
        column: i32,
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
        self.push(style, flags, start, start, indicator);
        self.last = last;
        self.nodes[node as usize].len = 0;
        self.frames.push(std::mem::replace(
            &mut self.top,
            Frame { node, column, state, flags: 0 },
        ));
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
        self.open(style, start, column as i32, state, flags)?;
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
        self.value(Style::Empty, 0, at, at)
    }

    /// Gives a key that has no `:` an empty value.
    pub(super) fn fill_value(&mut self) {
        self.top.state = match self.top.state {
            State::AfterKey => State::NextKey,
            State::AfterFlowKey => State::NextFlowKey,
            State::AfterPairKey => State::AfterPair,
            _ => return,
        };
        self.push(Style::Empty, 0, self.last, self.last, NONE);
    }

    /// Puts a collection around the complete node `first`, the last one of its own, and
    /// opens it. (A key is at most 1,024 characters long: few nodes move.)
    pub(super) fn enclose(
        &mut self,
        first: Index,
        style: Style,
        column: i32,
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
