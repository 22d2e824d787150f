//! Flow context: from a bracket to the one that closes it.

use crate::arena::{Index, NONE, Props, Style, flag};
use crate::diagnostic::Result;

use super::Parser;
use super::build::Leaf;
use super::scan::{FLOW, QUESTION};
use super::state::State;

impl Parser<'_> {
    /// Reads the collection that begins at the cursor.
    pub(super) fn flow(&mut self) -> Result<()> {
        let outer = std::mem::replace(&mut self.outer, Props::NONE);
        let result = self.flow_tokens();
        self.outer = outer;
        result
    }

    fn flow_tokens(&mut self) -> Result<()> {
        let depth = self.frames.len();
        self.open_flow()?;
        while self.frames.len() > depth {
            self.flow_space()?;
            self.flow_token()?;
        }
        Ok(())
    }

    /// `[` or `{`
    fn open_flow(&mut self) -> Result<()> {
        let (style, state) = match self.byte(self.at) {
            b'[' => (Style::FlowSequence, State::FlowItem),
            _ => (Style::FlowMapping, State::FlowKey),
        };
        let flags = self.note_inner();
        self.open(style, self.at, self.top.column, state, flags)?;
        self.pass();
        Ok(())
    }

    /// Passes a bracket or `,`.
    #[inline(always)]
    fn pass(&mut self) {
        self.at += 1;
        self.after = self.at;
        self.json = false;
    }

    /// Goes to the next token.
    #[inline]
    fn flow_space(&mut self) -> Result<()> {
        self.skip_blanks();
        let byte = self.byte(self.at);
        if byte > b'#' && byte < 0x80 {
            return Ok(());
        }
        if byte == b'#' && self.strict && !self.after_blank(self.at) {
            return self.error_at("found character that cannot start any token", self.at);
        }
        if byte == b'#' || self.line_break(self.at) > 0 {
            self.next_line();
            return self.check_flow_line();
        }
        Ok(())
    }

    /// A line inside brackets: no marker, and for the standard, deeper than the block.
    fn check_flow_line(&self) -> Result<()> {
        if self.any_marker() {
            return self.error(
                "found unexpected document indicator",
                self.at,
                self.at + 3,
            );
        }
        if self.at < self.text.len() { self.check_indent() } else { Ok(()) }
    }

    fn flow_token(&mut self) -> Result<()> {
        match self.byte(self.at) {
            b'[' | b'{' => {
                self.flow_slot()?;
                self.open_flow()
            }
            b']' | b'}' => self.close_flow(),
            b',' => self.comma(),
            b':' if self.value_indicator(self.json) => self.colon(),
            b'?' if self.go || self.spaced(self.at + 1) => self.question(),
            b'?' if !self.strict && self.flow_indicator(self.at + 1) => self.question(),
            b'"' | b'\'' => {
                let line = self.line;
                let leaf = self.quoted()?;
                self.leaf(leaf, self.line == line, true)
            }
            b'&' | b'!' if self.top.state.takes_node() => self.property(),
            b'&' | b'!' => self.unexpected(self.at, self.at + 1),
            b'*' => {
                let leaf = self.alias()?;
                self.leaf(leaf, true, false)
            }
            b'-' if self.spaced(self.at + 1) => {
                let message = "block sequence entries are not allowed in this context";
                self.error_at(message, self.at)
            }
            b'-' | b'?' if self.strict && self.flow_indicator(self.at + 1) => {
                self.error_at("found character that cannot start any token", self.at)
            }
            b'|' | b'>' | b'%' | b'@' | b'`' | b'#' => {
                self.error_at("found character that cannot start any token", self.at)
            }
            0 => self.unexpected(self.at, self.at),
            _ => self.flow_plain(),
        }
    }

    /// Whether the `:` at the cursor separates key and value. `json`: what stands before
    /// it is quoted or a collection.
    #[inline(always)]
    fn value_indicator(&self, json: bool) -> bool {
        self.spaced(self.at + 1)
            || self.go
            || self.flow_indicator(self.at + 1)
            || json
                && matches!(
                    self.top.state,
                    State::AfterFlowKey | State::AfterPairKey | State::FlowItem
                )
    }

    /// The innermost collection takes the node that begins here.
    #[inline(always)]
    fn flow_slot(&mut self) -> Result<()> {
        match self.top.state.filled() {
            Some(state) => {
                self.top.state = state;
                Ok(())
            }
            None => self.unexpected(self.at, self.at),
        }
    }

    /// Pushes a leaf, as the key of a pair if `:` follows. `one_line`: it does not go over
    /// lines. `json`: it is quoted.
    #[inline]
    fn leaf(&mut self, mut leaf: Leaf, one_line: bool, json: bool) -> Result<()> {
        match self.top.state {
            State::FlowItem => {
                let one_line = one_line && self.outer_of(leaf.start()) >= self.line;
                self.skip_blanks();
                if one_line && self.byte(self.at) == b':' && self.value_indicator(json) {
                    return self.pair(leaf);
                }
            }
            State::FlowKey | State::FlowExplicitKey => {
                leaf.flags |= self.merge_flag(leaf);
            }
            _ => {}
        }
        self.json = json;
        self.value(leaf)
    }

    /// Opens a pair with its key; `:` is at the cursor.
    fn pair(&mut self, key: Leaf) -> Result<()> {
        let start = self.outer_of(key.start());
        self.check_key(start)?;
        self.open_pair(start)?;
        self.key(key)?;
        self.flow_value(State::PairValue);
        Ok(())
    }

    fn open_pair(&mut self, start: usize) -> Result<()> {
        if self.nodes.len() >= (NONE - 4) as usize {
            return self.error("too many nodes", start, start);
        }
        self.top.state = State::NextFlowItem;
        self.open(Style::FlowPair, start, self.top.column, State::PairKey, 0)
    }

    /// Passes the `:` at the cursor.
    #[inline(always)]
    fn flow_value(&mut self, state: State) {
        self.top.state = state;
        self.json = false;
        self.indicate();
    }

    /// `:` that does not stand on the line of an item of `[]`.
    fn colon(&mut self) -> Result<()> {
        match self.top.state {
            State::FlowKey | State::FlowExplicitKey | State::PairKey => self.fill()?,
            State::AfterFlowKey | State::AfterPairKey => {}
            State::FlowItem => {
                let at = if self.inner.start == NONE { self.at } else { self.after };
                return self.pair(Leaf::new(Style::Empty, 0, at, at));
            }
            _ => return self.unexpected(self.at, self.at),
        }
        self.flow_value(match self.top.state {
            State::AfterFlowKey => State::FlowValue,
            _ => State::PairValue,
        });
        Ok(())
    }

    /// `?`
    fn question(&mut self) -> Result<()> {
        match self.top.state {
            State::FlowKey if self.inner.start == NONE => {
                self.top.state = State::FlowExplicitKey;
            }
            State::FlowItem if self.inner.start == NONE => self.open_pair(self.at)?,
            _ => return self.unexpected(self.at, self.at),
        }
        self.indicate();
        Ok(())
    }

    /// `,`
    fn comma(&mut self) -> Result<()> {
        self.finish_entry()?;
        self.top.state = match self.top.state {
            State::NextFlowItem => State::FlowItem,
            State::NextFlowKey => State::FlowKey,
            _ => return self.unexpected(self.at, self.at),
        };
        self.pass();
        Ok(())
    }

    /// Fills in what the entry that ends here left out.
    #[inline]
    fn finish_entry(&mut self) -> Result<()> {
        if self.top.state.is_pair() {
            self.close()?;
        }
        match self.top.state {
            State::FlowItem | State::FlowKey if self.inner.start == NONE => return Ok(()),
            state if state.takes_node() => self.fill()?,
            _ => {}
        }
        self.fill_value();
        Ok(())
    }

    /// `]` or `}`
    fn close_flow(&mut self) -> Result<()> {
        self.finish_entry()?;
        let state = match (self.byte(self.at), self.top.state) {
            (b']', State::FlowItem | State::NextFlowItem) => State::NextFlowItem,
            (b'}', State::FlowKey | State::NextFlowKey) => State::NextFlowKey,
            _ => return self.unexpected(self.at, self.at),
        };
        self.pass();
        self.top.state = state;
        self.last = self.at;
        let first = self.top.node;
        self.close()?;
        self.json = true;
        self.pair_of_collection(first)
    }

    /// `[[a]: b]`: the collection that was closed is the key of a pair.
    fn pair_of_collection(&mut self, first: Index) -> Result<()> {
        if self.top.state != State::NextFlowItem {
            return Ok(());
        }
        self.skip_blanks();
        if self.byte(self.at) != b':' {
            return Ok(());
        }
        let start = self.start_of(first) as usize;
        if start < self.line {
            return self.unexpected(self.at, self.at);
        }
        self.check_key(start)?;
        self.enclose(first, Style::FlowPair, self.top.column)?;
        self.flow_value(State::PairValue);
        Ok(())
    }

    /// A plain scalar, with the lines it goes on in.
    fn flow_plain(&mut self) -> Result<()> {
        let start = self.at;
        let classes = if self.go { FLOW | QUESTION } else { FLOW };
        let stop = self.plain_line(start, classes);
        let mut end = self.trim(start, stop);
        let mut flags = 0;
        self.at = stop;
        while self.line_break(self.at) > 0 {
            let comment = self.next_line();
            self.check_flow_line()?;
            if comment || self.ends_flow_plain() {
                break;
            }
            flags = flag::MULTILINE | flag::COOKED;
            let from = self.at;
            self.at = self.plain_line(from, classes);
            end = self.trim(from, self.at);
        }
        let one_line = flags == 0 && end >= self.line;
        self.leaf(Leaf::new(Style::Plain, flags, start, end), one_line, false)
    }

    /// Whether a plain scalar does not go on in the line that begins at the cursor.
    fn ends_flow_plain(&self) -> bool {
        match self.byte(self.at) {
            b':' => {
                self.spaced(self.at + 1) || !self.go && self.flow_indicator(self.at + 1)
            }
            b'?' => self.go,
            _ => self.at >= self.text.len() || self.flow_indicator(self.at),
        }
    }
}
