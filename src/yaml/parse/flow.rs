//! Flow context: from a bracket to the one that closes it.

use super::expected::Expected;
use super::{Leaf, NO_TOKEN, Parser};
use crate::arena::{Index, NONE, Style};
use crate::diagnostic::Result;

impl Parser<'_> {
    pub(super) fn flow(&mut self) -> Result<()> {
        // Properties above belong to the collection or its mapping, not to an item.
        let outer = self.properties.enter_flow(self.nodes.len() as Index);
        let result = self.flow_tokens();
        self.properties.leave_flow(outer);
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

    fn open_flow(&mut self) -> Result<()> {
        let (style, phase) = match self.text.peek() {
            b'[' => (Style::FlowSequence, Expected::FlowItem),
            _ => (Style::FlowMapping, Expected::FlowKey),
        };
        let flags = self.push_line_props();
        self.open(style, self.text.at, self.top.column, phase, flags)?;
        self.take_flow_indicator();
        Ok(())
    }

    #[inline(always)]
    fn take_flow_indicator(&mut self) {
        self.text.at += 1;
        self.after_prefix = self.text.at;
        self.json_like = false;
    }

    /// Goes to the next token, over comments and line breaks.
    #[inline]
    fn flow_space(&mut self) -> Result<()> {
        self.text.skip_blanks();
        let byte = self.text.peek();
        if byte > b'#' && byte < 0x80 {
            return Ok(());
        }
        if byte == b'#' && self.text.strict && !self.text.after_blank(self.text.at) {
            return self.error_here(NO_TOKEN);
        }
        if byte == b'#' || self.text.line_break(self.text.at) > 0 {
            self.text.next_line();
            return self.text.check_line(self.top.column);
        }
        Ok(())
    }

    fn flow_token(&mut self) -> Result<()> {
        match self.text.peek() {
            b'[' | b'{' => {
                self.flow_slot()?;
                self.open_flow()
            }
            b']' | b'}' => self.close_flow(),
            b',' => self.comma(),
            b':' if self.value_indicator(self.json_like) => self.colon(),
            b'?' if self.text.go || self.text.stands_alone() => self.question(),
            b'?' if !self.text.strict
                && self.text.is_flow_indicator(self.text.at + 1) =>
            {
                self.question()
            }
            b'"' | b'\'' => {
                let line = self.text.line_start;
                let leaf = self.text.quoted(self.top.column)?;
                self.flow_leaf(leaf, self.text.line_start == line, true)
            }
            b'&' | b'!' if self.top.phase.takes_node() => self.property(),
            b'&' | b'!' => self.unexpected(self.text.at, self.text.at + 1),
            b'*' => {
                let leaf = self.alias()?;
                self.flow_leaf(leaf, true, false)
            }
            b'-' if self.text.stands_alone() => {
                let message = "block sequence entries are not allowed in this context";
                self.error_here(message)
            }
            b'-' | b'?'
                if self.text.strict && self.text.is_flow_indicator(self.text.at + 1) =>
            {
                self.error_here(NO_TOKEN)
            }
            b'|' | b'>' | b'%' | b'@' | b'`' | b'#' => self.error_here(NO_TOKEN),
            0 => self.unexpected_here(),
            _ => {
                let leaf = self.text.flow_plain(self.top.column)?;
                let one_line = leaf.flags == 0 && leaf.end() >= self.text.line_start;
                self.flow_leaf(leaf, one_line, false)
            }
        }
    }

    /// Returns true if the `:` at the cursor ends a key. `json`: behind a JSON-like node.
    #[inline(always)]
    fn value_indicator(&self, json: bool) -> bool {
        self.text.stands_alone()
            || self.text.go
            || self.text.is_flow_indicator(self.text.at + 1)
            || json
                && matches!(
                    self.top.phase,
                    Expected::AfterFlowKey | Expected::AfterPairKey | Expected::FlowItem
                )
    }

    /// Counts the node that begins here as a child of the innermost collection.
    #[inline(always)]
    fn flow_slot(&mut self) -> Result<()> {
        match self.top.phase.after_node() {
            Some(phase) => {
                self.top.phase = phase;
                Ok(())
            }
            None => self.unexpected_here(),
        }
    }

    /// Pushes a leaf or, if `:` follows, a pair with it. `json`: it is quoted.
    #[inline]
    fn flow_leaf(&mut self, mut leaf: Leaf, one_line: bool, json: bool) -> Result<()> {
        match self.top.phase {
            Expected::FlowItem => {
                let one_line = one_line
                    && self.properties.outer_of(leaf.start()) >= self.text.line_start;
                self.text.skip_blanks();
                if one_line && self.text.peek() == b':' && self.value_indicator(json) {
                    return self.pair(leaf);
                }
            }
            Expected::FlowKey | Expected::FlowExplicitKey => {
                leaf.flags |= self.merge_flag(leaf);
            }
            _ => {}
        }
        self.json_like = json;
        self.push_value(leaf)
    }

    /// Opens a pair with its key; `:` is at the cursor.
    fn pair(&mut self, key: Leaf) -> Result<()> {
        let start = self.properties.outer_of(key.start());
        self.check_key(start)?;
        self.open_pair(start)?;
        self.push_key(key)?;
        self.flow_value(Expected::PairValue);
        Ok(())
    }

    fn open_pair(&mut self, start: usize) -> Result<()> {
        // `[:,:,…]` has three nodes for two bytes: the text does not bound them.
        if self.nodes.len() >= (NONE - 4) as usize {
            return self.error("too many nodes", start, start);
        }
        self.top.phase = Expected::NextFlowItem;
        self.open(Style::FlowPair, start, self.top.column, Expected::PairKey, 0)
    }

    /// Takes the `:` at the cursor.
    #[inline(always)]
    fn flow_value(&mut self, phase: Expected) {
        self.top.phase = phase;
        self.json_like = false;
        self.take_indicator();
    }

    /// Reads a `:` that does not follow an item of `[]` on its line.
    fn colon(&mut self) -> Result<()> {
        if self.ends_empty_key() {
            return self.skip_behind_question();
        }
        match self.top.phase {
            Expected::FlowKey | Expected::FlowExplicitKey | Expected::PairKey => {
                self.push_empty()?;
            }
            Expected::AfterFlowKey | Expected::AfterPairKey => {}
            Expected::FlowItem => {
                let key = self.empty_key();
                // The anchor or tag of a key stands on the line of its `:`.
                if self.properties.outer_of(key.start()) < self.text.line_start {
                    self.push_empty()?;
                    return self.unexpected_here();
                }
                return self.pair(key);
            }
            _ => return self.unexpected_here(),
        }
        self.flow_value(match self.top.phase {
            Expected::AfterFlowKey => Expected::FlowValue,
            _ => Expected::PairValue,
        });
        Ok(())
    }

    fn question(&mut self) -> Result<()> {
        match self.top.phase {
            Expected::FlowKey if !self.properties.on_line() => {
                self.top.phase = Expected::FlowExplicitKey;
            }
            Expected::FlowItem if !self.properties.on_line() => {
                self.open_pair(self.text.at)?;
            }
            _ => return self.unexpected_here(),
        }
        self.take_indicator();
        Ok(())
    }

    fn comma(&mut self) -> Result<()> {
        if self.ends_empty_key() {
            return self.skip_behind_question();
        }
        self.finish_entry()?;
        self.top.phase = match self.top.phase {
            Expected::NextFlowItem => Expected::FlowItem,
            Expected::NextFlowKey => Expected::FlowKey,
            _ => return self.unexpected_here(),
        };
        self.take_flow_indicator();
        Ok(())
    }

    /// Returns true if the token at the cursor stands behind a `?` in `[]`: yaml.v2 takes it
    /// for the one after an empty key, whatever it is.
    fn ends_empty_key(&self) -> bool {
        let is_bare = !self.properties.on_line();
        self.text.go && self.top.phase == Expected::PairKey && is_bare
    }

    #[cold]
    fn skip_behind_question(&mut self) -> Result<()> {
        self.push_empty()?;
        self.take_flow_indicator();
        Ok(())
    }

    /// Pushes the empty nodes of the entry that ends here.
    #[inline]
    fn finish_entry(&mut self) -> Result<()> {
        if self.top.phase.is_pair() {
            self.close()?;
        }
        match self.top.phase {
            Expected::FlowItem | Expected::FlowKey if !self.properties.on_line() => {
                return Ok(());
            }
            phase if phase.takes_node() => self.push_empty()?,
            _ => {}
        }
        self.push_empty_value();
        Ok(())
    }

    fn close_flow(&mut self) -> Result<()> {
        if self.text.peek() == b']' && self.ends_empty_key() {
            // The text that yaml.v2 reads behind a bracket that it loses is neither flow nor block.
            let message = "`]` behind `?`, which yaml.v2 loses";
            return self.error(message, self.text.at, self.text.at + 1);
        }
        self.finish_entry()?;
        let phase = match (self.text.peek(), self.top.phase) {
            (b']', Expected::FlowItem | Expected::NextFlowItem) => Expected::NextFlowItem,
            (b'}', Expected::FlowKey | Expected::NextFlowKey) => Expected::NextFlowKey,
            _ => return self.unexpected_here(),
        };
        self.take_flow_indicator();
        self.top.phase = phase;
        self.last_end = self.text.at;
        let first = self.top.node;
        self.close()?;
        self.json_like = true;
        self.pair_of_collection(first)
    }

    /// Makes the collection that was closed the key of a pair, as in `[[a]: b]`.
    fn pair_of_collection(&mut self, first: Index) -> Result<()> {
        if self.top.phase != Expected::NextFlowItem {
            return Ok(());
        }
        self.text.skip_blanks();
        if self.text.peek() != b':' {
            return Ok(());
        }
        let start = self.start_of(first) as usize;
        if start < self.text.line_start {
            return self.unexpected_here();
        }
        self.check_key(start)?;
        self.wrap(first, Style::FlowPair, self.top.column)?;
        self.flow_value(Expected::PairValue);
        Ok(())
    }
}
