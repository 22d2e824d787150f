//! Flow context: from a bracket to the one that closes it.

use crate::arena::{NONE, Props, Style, flag};
use crate::diagnostic::Result;

use super::Parser;
use super::build::State;
use super::scan::{FLOW, QUESTION};

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
        self.at += 1;
        self.after = self.at;
        Ok(())
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
        let shallow = self.column as i32 <= self.top.column;
        match self.strict && shallow && self.at < self.text.len() {
            true => self.unexpected(self.at, self.at),
            false => Ok(()),
        }
    }

    fn flow_token(&mut self) -> Result<()> {
        match self.byte(self.at) {
            b'[' | b'{' => {
                self.flow_slot()?;
                self.open_flow()
            }
            b']' | b'}' => self.close_flow(),
            b',' => self.comma(),
            b':' if self.value_indicator(self.at, self.json) => self.colon(),
            b'?' if self.go || self.spaced(self.at + 1) => self.question(),
            b'?' if !self.strict && self.flow_indicator(self.at + 1) => self.question(),
            b'"' | b'\'' => {
                let (start, line) = (self.at, self.line);
                let (style, flags) = self.quoted()?;
                self.leaf(style, flags, start, self.at, self.line == line, true)
            }
            b'&' | b'!' if self.top.state.takes_node() => self.property(),
            b'&' | b'!' => self.unexpected(self.at, self.at + 1),
            b'*' => {
                let start = self.at;
                self.alias()?;
                self.leaf(Style::Alias, flag::HAS_ALIAS, start, self.at, true, false)
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

    /// Whether the `:` at `at` separates key and value. `json`: behind a quote or bracket.
    #[inline(always)]
    fn value_indicator(&self, at: usize, json: bool) -> bool {
        let key_before = matches!(
            self.top.state,
            State::AfterFlowKey | State::AfterPairKey | State::FlowItem
        );
        self.spaced(at + 1)
            || self.go
            || self.flow_indicator(at + 1)
            || json && key_before
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

    /// Pushes a scalar or an alias, as the key of a pair if `:` follows.
    #[inline]
    fn leaf(
        &mut self,
        style: Style,
        flags: u8,
        start: usize,
        end: usize,
        one_line: bool,
        json: bool,
    ) -> Result<()> {
        if style == Style::Alias && self.inner.start != NONE {
            return self.property_of_alias(start, end);
        }
        let mut flags = flags;
        match self.top.state {
            State::FlowItem => {
                let one_line = one_line && self.outer_of(start) >= self.line;
                if self.pair_follows(one_line, json) {
                    return self.pair(style, flags, start, end);
                }
            }
            State::FlowKey | State::FlowExplicitKey => {
                flags |= self.merge_flag(style, start, end);
            }
            _ => {}
        }
        self.json = json;
        self.value(style, flags, start, end)
    }

    /// Whether `:` makes the item that ends at the cursor a key; goes to it.
    #[inline(always)]
    fn pair_follows(&mut self, one_line: bool, json: bool) -> bool {
        self.skip_blanks();
        one_line && self.byte(self.at) == b':' && self.value_indicator(self.at, json)
    }

    /// Opens a pair with its key; `:` is at the cursor.
    fn pair(&mut self, style: Style, flags: u8, start: usize, end: usize) -> Result<()> {
        let outer = self.outer_of(start);
        self.check_key(outer)?;
        self.open_pair(outer)?;
        let flags = flags | self.merge_flag(style, start, end) | self.note_inner();
        self.push(style, flags, start, end, NONE);
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
        self.indicator = self.at as u32;
        self.at += 1;
        self.after = self.at;
    }

    /// `:` that does not stand on the line of an item of `[]`.
    fn colon(&mut self) -> Result<()> {
        match self.top.state {
            State::FlowKey | State::FlowExplicitKey => {
                self.fill()?;
                self.flow_value(State::FlowValue);
            }
            State::AfterFlowKey => self.flow_value(State::FlowValue),
            State::FlowItem => {
                let at = match self.inner.start {
                    NONE => self.at,
                    _ => self.after,
                };
                return self.pair(Style::Empty, 0, at, at);
            }
            State::PairKey => {
                self.fill()?;
                self.flow_value(State::PairValue);
            }
            State::AfterPairKey => self.flow_value(State::PairValue),
            _ => return self.unexpected(self.at, self.at),
        }
        Ok(())
    }

    /// `?`
    fn question(&mut self) -> Result<()> {
        match self.top.state {
            _ if self.inner.start != NONE => return self.unexpected(self.at, self.at),
            State::FlowKey => self.top.state = State::FlowExplicitKey,
            State::FlowItem => self.open_pair(self.at)?,
            _ => return self.unexpected(self.at, self.at),
        }
        self.indicator = self.at as u32;
        self.at += 1;
        self.after = self.at;
        Ok(())
    }

    /// `,`
    fn comma(&mut self) -> Result<()> {
        self.finish_entry()?;
        self.top.state = match self.top.state {
            State::NextFlowItem => State::FlowItem,
            State::NextFlowKey => State::FlowKey,
            _ => {
                return self.error_at("did not find expected node content", self.at);
            }
        };
        self.at += 1;
        self.after = self.at;
        self.json = false;
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
        let expected = match self.top.state {
            State::FlowItem | State::NextFlowItem => b']',
            _ => b'}',
        };
        if self.byte(self.at) != expected {
            return self.unclosed();
        }
        self.at += 1;
        self.top.state = match expected {
            b']' => State::NextFlowItem,
            _ => State::NextFlowKey,
        };
        let first = self.top.node;
        self.last = self.at;
        self.close()?;
        self.json = true;
        self.pair_of_collection(first)
    }

    #[cold]
    fn unclosed(&self) -> Result<()> {
        let message = match self.top.state {
            State::FlowItem | State::NextFlowItem => "did not find expected ',' or ']'",
            _ => "did not find expected ',' or '}'",
        };
        self.error_at(message, self.at)
    }

    /// `[[a]: b]`: the collection that was closed is the key of a pair.
    fn pair_of_collection(&mut self, first: u32) -> Result<()> {
        if self.top.state != State::NextFlowItem {
            return Ok(());
        }
        self.skip_blanks();
        if self.byte(self.at) != b':' {
            return Ok(());
        }
        let start = self.start_of(first);
        let one_line = start as usize >= self.line;
        if !one_line {
            return self.unexpected(self.at, self.at);
        }
        self.check_key(start as usize)?;
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
            let byte = self.byte(self.at);
            let ended = comment
                || self.at >= self.text.len()
                || byte == b':' && self.spaced(self.at + 1)
                || byte == b':' && !self.go && self.flow_indicator(self.at + 1)
                || byte == b'?' && self.go
                || self.flow_indicator(self.at);
            if ended {
                break;
            }
            flags = flag::MULTILINE | flag::COOKED;
            let from = self.at;
            self.at = self.plain_line(from, classes);
            end = self.trim(from, self.at);
        }
        let one_line = flags == 0 && end >= self.line;
        self.leaf(Style::Plain, flags, start, end, one_line, false)
    }
}
