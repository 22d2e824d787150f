//! Keys and values of block context: which of them a node is shows only behind it.

use crate::arena::{Index, Style, flag};
use crate::diagnostic::Result;

use super::Parser;
use super::block::MISPLACED_VALUE;
use super::build::Leaf;
use super::scan::PLAIN;
use super::state::State;

/// Longer keys need a `?`.
const KEY_LENGTH: usize = 1024;

impl Parser<'_> {
    /// A plain scalar: a key if `: ` follows on its line.
    #[inline]
    pub(super) fn plain(&mut self) -> Result<bool> {
        let start = self.at;
        let stop = self.plain_line(start, PLAIN);
        let end = self.trim(start, stop);
        self.at = stop;
        if self.byte(stop) == b':' {
            self.block_key(Leaf::new(Style::Plain, 0, start, end))?;
            return self.after_indicator(false);
        }
        if !self.top.state.takes_node() {
            return self.unexpected(start, end);
        }
        self.plain_value(start, end)
    }

    /// Pushes the plain scalar that began at `start`, with the lines it goes on in.
    #[inline]
    fn plain_value(&mut self, start: usize, mut end: usize) -> Result<bool> {
        let mut flags = 0;
        let mut comment = self.byte(self.at) == b'#';
        while !(self.next_line() | comment)
            && self.at < self.text.len()
            && self.column as i64 > self.top.column
            && !self.document_ends()
        {
            let from = self.at;
            self.at = self.plain_line(from, PLAIN);
            if self.at > from {
                flags = flag::MULTILINE | flag::COOKED;
                end = self.trim(from, self.at);
            }
            comment = self.byte(self.at) == b'#';
            if self.byte(self.at) == b':' {
                return self.colon_after_lines(Leaf::new(
                    Style::Plain,
                    flags,
                    start,
                    end,
                ));
            }
        }
        self.value(Leaf::new(Style::Plain, flags, start, end))?;
        Ok(false)
    }

    /// `: ` behind a plain scalar of several lines.
    #[cold]
    fn colon_after_lines(&mut self, leaf: Leaf) -> Result<bool> {
        if self.go && self.top.state == State::Root {
            self.value(leaf)?;
        }
        self.misplaced(MISPLACED_VALUE)
    }

    /// A quoted scalar.
    pub(super) fn block_quoted(&mut self) -> Result<bool> {
        let line = self.line;
        let leaf = self.quoted()?;
        self.key_or_value(leaf, line)
    }

    /// `*name`
    pub(super) fn block_alias(&mut self) -> Result<bool> {
        let leaf = self.alias()?;
        self.key_or_value(leaf, self.line)
    }

    /// Pushes a leaf that began in `line` and ends at the cursor.
    fn key_or_value(&mut self, leaf: Leaf, line: usize) -> Result<bool> {
        if self.colon_follows(line)? {
            self.block_key(leaf)?;
            return self.after_indicator(false);
        }
        self.value(leaf)?;
        self.end_line()
    }

    /// Whether the node that began in `line` and ends at the cursor is a key; goes to its
    /// `:`.
    #[inline]
    fn colon_follows(&mut self, line: usize) -> Result<bool> {
        self.skip_blanks();
        let follows = self.byte(self.at) == b':' && self.spaced(self.at + 1);
        if follows && self.line != line {
            self.misplaced(MISPLACED_VALUE)
        } else {
            Ok(follows)
        }
    }

    /// Pushes a key whose `:` is at the cursor, and passes it.
    #[inline]
    pub(super) fn block_key(&mut self, leaf: Leaf) -> Result<()> {
        let start = self.outer_of(leaf.start());
        self.entry(start)?;
        self.check_key(start)?;
        self.key(leaf)?;
        self.top.state = State::Value;
        self.indicate();
        Ok(())
    }

    /// A key is no longer than 1,024 characters.
    #[inline(always)]
    pub(super) fn check_key(&self, start: usize) -> Result<()> {
        if self.at - start > KEY_LENGTH { self.check_long_key(start) } else { Ok(()) }
    }

    #[cold]
    fn check_long_key(&self, start: usize) -> Result<()> {
        let bytes = &self.text[start..self.at];
        let characters = bytes.iter().filter(|&&byte| !(0x80..0xC0).contains(&byte));
        if self.at - start > 4 * KEY_LENGTH || characters.count() > KEY_LENGTH {
            self.error("could not find expected ':'", start, self.at)
        } else {
            Ok(())
        }
    }

    /// A flow collection.
    pub(super) fn block_flow(&mut self) -> Result<bool> {
        let (start, line) = (self.outer_of(self.at), self.line);
        let first = self.nodes.len() as Index;
        if !self.top.state.takes_node() && self.top.state != State::NextKey {
            return self.unexpected(self.at, self.at + 1);
        }
        self.flow()?;
        if self.colon_follows(line)? {
            self.check_key(start)?;
            self.flow_key(first, start)?;
            return self.after_indicator(false);
        }
        let Some(filled) = self.top.state.filled() else {
            return self.unexpected(start, self.last);
        };
        self.join_outer(first)?;
        self.top.state = filled;
        self.end_line()
    }

    /// Makes the flow collection `first` a key.
    fn flow_key(&mut self, first: Index, start: usize) -> Result<()> {
        match self.top.state.filled() {
            Some(filled) if self.fresh => {
                let column = start - self.line;
                self.top.state = filled;
                self.enclose(first, Style::BlockMapping, column as i64)?;
                self.nodes[first as usize].column = column as u32;
            }
            _ => self.entry(start)?,
        }
        self.top.state = State::Value;
        self.indicate();
        Ok(())
    }
}
