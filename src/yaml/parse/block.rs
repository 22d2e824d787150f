//! Block context: lines, the tokens on a line, and keys and values.

use super::cursor::PLAIN;
use super::expected::Expected;
use super::{Leaf, NO_DOCUMENT_START, NO_TOKEN, Parser};
use crate::arena::{Index, Style, flag};
use crate::diagnostic::Result;

/// Maximum length in characters of a key without `?`.
const MAX_KEY: usize = 1024;

/// Message for a `:` that cannot separate a key from a value.
const MISPLACED_VALUE: &str = "mapping values are not allowed in this context";

/// Lines, and the tokens on a line.
impl Parser<'_> {
    /// Reads lines up to a `---`, a `...` or the end.
    pub(super) fn lines(&mut self) -> Result<()> {
        while !self.text.is_at_end()
            && !self.text.document_ends()
            && !self.text.go_directive()
        {
            self.close_deeper()?;
            self.block_allowed = !self.text.tab;
            while self.token()? {}
        }
        Ok(())
    }

    /// Closes the collections that end before this line.
    #[inline]
    fn close_deeper(&mut self) -> Result<()> {
        let column = self.text.column as i64;
        while self.top.column > column {
            self.close()?;
        }
        if self.top.column == column {
            return self.next_entry(column);
        }
        if self.top.phase.takes_node() { Ok(()) } else { self.unexpected_here() }
    }

    /// Prepares for a line in the column of the innermost collection.
    #[inline]
    fn next_entry(&mut self, column: i64) -> Result<()> {
        let byte = self.text.peek();
        // Without `-` the line belongs to the mapping around a sequence in its column.
        let dash = byte == b'-' && self.text.stands_alone();
        // YAML 1.2 requires a block scalar to be deeper than its key, libyaml does not.
        let scalar = matches!(byte, b'|' | b'>') && !self.text.strict;
        loop {
            match self.top.phase {
                Expected::Key | Expected::Value if dash || scalar => {
                    return Ok(());
                }
                Expected::Item if scalar => return Ok(()),
                Expected::Item | Expected::Key | Expected::Value => self.push_empty()?,
                Expected::NextItem if dash => return Ok(()),
                Expected::NextItem
                    if self.frames.last().is_some_and(|f| f.column == column) =>
                {
                    self.close()?;
                }
                Expected::NextItem => return self.no_item(),
                Expected::AfterKey
                    if self.text.peek() == b':' && self.text.stands_alone() =>
                {
                    return Ok(());
                }
                Expected::AfterKey => self.push_empty_value(),
                _ => return Ok(()),
            }
        }
    }

    #[cold]
    fn no_item(&self) -> Result<()> {
        match self.text.byte(self.text.plain_line(self.text.at, PLAIN)) {
            b':' => self.unexpected_here(),
            _ => self.misplaced("could not find expected ':'"),
        }
    }

    /// Reads one token. Returns true if the line has another one.
    pub(super) fn token(&mut self) -> Result<bool> {
        match self.text.peek() {
            b'-' if self.text.stands_alone() => self.item(),
            b'?' if self.text.stands_alone() => self.explicit_key(),
            b':' if self.text.stands_alone() => self.explicit_value(),
            b'&' | b'!' => self.block_property(),
            b'*' => self.block_alias(),
            b'[' | b'{' => self.block_flow(),
            b'"' | b'\'' => self.block_quoted(),
            b'|' | b'>' => self.block_scalar(),
            b',' | b']' | b'}' => self.unexpected(self.text.at, self.text.at + 1),
            b'%' | b'@' | b'`' | b'#' | b'\t' => self.error_here(NO_TOKEN),
            _ => self.plain(),
        }
    }

    fn item(&mut self) -> Result<bool> {
        let column = (self.text.at - self.text.line_start) as i64;
        if !self.block_allowed || self.properties.on_line() {
            return self
                .misplaced("block sequence entries are not allowed in this context");
        }
        if self.top.phase == Expected::NextItem && self.top.column == column {
            self.top.phase = Expected::Item;
        } else if self.top.phase.takes_node() {
            self.open_block(Style::BlockSequence, self.text.at, Expected::Item)?;
        } else {
            return self.misplaced("did not find expected key");
        }
        self.take_indicator();
        self.after_indicator(true)
    }

    fn explicit_key(&mut self) -> Result<bool> {
        if !self.block_allowed || self.properties.on_line() {
            return self.misplaced("mapping keys are not allowed in this context");
        }
        self.begin_entry(self.text.at)?;
        self.top.phase = Expected::Key;
        self.take_indicator();
        self.after_indicator(true)
    }

    /// Reads `: ` at the beginning of a line or behind an indicator.
    fn explicit_value(&mut self) -> Result<bool> {
        let column = (self.text.at - self.text.line_start) as i64;
        let bare = !self.properties.on_line() && self.block_allowed;
        if self.top.phase == Expected::AfterKey && self.top.column == column && bare {
            self.top.phase = Expected::Value;
            self.take_indicator();
            return self.after_indicator(true);
        }
        self.block_key(self.empty_key())?;
        // YAML 1.2 has no block collection on the line of a key's `:`.
        self.after_indicator(!self.text.strict)
    }

    /// Returns the empty key of the `:` at the cursor, behind its properties.
    pub(super) fn empty_key(&self) -> Leaf {
        let at =
            if !self.properties.on_line() { self.text.at } else { self.after_prefix };
        Leaf::new(Style::Empty, 0, at, at)
    }

    /// Takes the indicator at the cursor for the node behind it.
    #[inline(always)]
    pub(super) fn take_indicator(&mut self) {
        self.indicator = self.text.at as u32;
        self.text.at += 1;
        self.after_prefix = self.text.at;
    }

    /// Goes to the content behind an indicator. Returns true if it is on the same line.
    #[inline(always)]
    pub(super) fn after_indicator(&mut self, compact: bool) -> Result<bool> {
        self.block_allowed = compact;
        if self.text.skip_spaces() {
            self.block_allowed = false;
            self.text.skip_blanks();
        }
        Ok(!self.line_is_done())
    }

    /// Goes to the next line and returns true if only a comment is left of this one.
    #[inline(always)]
    fn line_is_done(&mut self) -> bool {
        let done = self.text.is_line_end(self.text.at)
            || self.text.peek() == b'#' && self.text.comment_may_start();
        if done {
            self.text.next_line();
        }
        done
    }

    /// Makes the mapping that has an entry at `start` the innermost collection.
    #[inline]
    fn begin_entry(&mut self, start: usize) -> Result<()> {
        if self.block_allowed && self.top.phase.takes_node() {
            return self.open_block(Style::BlockMapping, start, Expected::NextKey);
        }
        let column = (start - self.text.line_start) as i64;
        if self.top.phase == Expected::NextKey
            && self.top.column == column
            && self.block_allowed
        {
            Ok(())
        } else {
            self.misplaced(MISPLACED_VALUE)
        }
    }

    /// Returns an error for the token at the cursor, or for the tab before it.
    #[cold]
    fn misplaced<T>(&self, message: &str) -> Result<T> {
        if self.text.tab {
            let tab = self.text.line_start + self.text.column;
            return self.error(NO_TOKEN, tab, tab + 1);
        }
        self.error(message, self.text.at, self.text.at + 1)
    }

    /// Ends the line, on which only a comment may be left.
    fn end_line(&mut self) -> Result<bool> {
        if self.line_is_done() { Ok(false) } else { self.unexpected_content() }
    }

    #[cold]
    fn unexpected_content(&mut self) -> Result<bool> {
        // libyaml has closed the deeper blocks before its grammar sees the token.
        while self.text.go
            && self.top.column > (self.text.at - self.text.line_start) as i64
        {
            self.close()?;
        }
        let message = match self.top.phase {
            Expected::NextItem => "did not find expected '-' indicator",
            Expected::Rooted => NO_DOCUMENT_START,
            _ => "did not find expected key",
        };
        self.error_here(message)
    }

    /// Reads a block scalar, which is no key.
    fn block_scalar(&mut self) -> Result<bool> {
        if !self.top.phase.takes_node() {
            return self.unexpected(self.text.at, self.text.at + 1);
        }
        let leaf = self.text.block_scalar(self.top.column)?;
        self.push_value(leaf)?;
        self.text.after_content()
    }
}

/// Keys and values.
impl Parser<'_> {
    /// Reads a plain scalar, which is a key if `: ` follows on its line.
    #[inline]
    fn plain(&mut self) -> Result<bool> {
        let start = self.text.at;
        let stop = self.text.plain_line(start, PLAIN);
        let end = self.text.trim(start, stop);
        self.text.at = stop;
        if self.text.byte(stop) == b':' {
            self.block_key(Leaf::new(Style::Plain, 0, start, end))?;
            return self.after_indicator(false);
        }
        if !self.top.phase.takes_node() {
            return self.unexpected(start, end);
        }
        self.plain_value(start, end)
    }

    /// Pushes the plain scalar that began at `start`, with its continuation lines.
    #[inline]
    fn plain_value(&mut self, start: usize, mut end: usize) -> Result<bool> {
        let mut flags = 0;
        let mut comment = self.text.peek() == b'#';
        // Not `||`: the cursor must leave the line in any case.
        while !(self.text.next_line() | comment)
            && !self.text.is_at_end()
            && self.text.column as i64 > self.top.column
            && !self.text.document_ends()
        {
            let from = self.text.at;
            self.text.at = self.text.plain_line(from, PLAIN);
            if self.text.at > from {
                flags = flag::MULTILINE | flag::COOKED;
                end = self.text.trim(from, self.text.at);
            }
            comment = self.text.peek() == b'#';
            if self.text.peek() == b':' {
                return self.colon_after_lines(Leaf::new(
                    Style::Plain,
                    flags,
                    start,
                    end,
                ));
            }
        }
        self.push_value(Leaf::new(Style::Plain, flags, start, end))?;
        Ok(false)
    }

    /// Refuses `: ` behind a plain scalar of several lines.
    #[cold]
    fn colon_after_lines(&mut self, leaf: Leaf) -> Result<bool> {
        // yaml.v2 has a complete document here and never meets the error behind it. A tab
        // before the `:` is one of the blanks that end the scalar.
        if self.text.go && self.top.phase == Expected::Root {
            self.push_value(leaf)?;
            return self.error(MISPLACED_VALUE, self.text.at, self.text.at + 1);
        }
        self.misplaced(MISPLACED_VALUE)
    }

    fn block_quoted(&mut self) -> Result<bool> {
        let line = self.text.line_start;
        let leaf = self.text.quoted(self.top.column)?;
        self.key_or_value(leaf, line)
    }

    fn block_alias(&mut self) -> Result<bool> {
        let leaf = self.alias()?;
        self.key_or_value(leaf, self.text.line_start)
    }

    /// Pushes a leaf that began on the line at `line` and ends at the cursor.
    fn key_or_value(&mut self, leaf: Leaf, line: usize) -> Result<bool> {
        if self.colon_follows(line)? {
            self.block_key(leaf)?;
            return self.after_indicator(false);
        }
        self.push_value(leaf)?;
        self.end_line()
    }

    /// Goes behind a node. Returns true if a `:` follows, which makes it a key.
    #[inline]
    fn colon_follows(&mut self, line: usize) -> Result<bool> {
        self.text.skip_blanks();
        let follows = self.text.peek() == b':' && self.text.stands_alone();
        if follows && self.text.line_start != line {
            self.misplaced(MISPLACED_VALUE)
        } else {
            Ok(follows)
        }
    }

    /// Pushes a key and takes the `:` at the cursor.
    #[inline]
    fn block_key(&mut self, leaf: Leaf) -> Result<()> {
        let start = self.properties.outer_of(leaf.start());
        self.begin_entry(start)?;
        self.check_key(start)?;
        self.push_key(leaf)?;
        self.top.phase = Expected::Value;
        self.take_indicator();
        Ok(())
    }

    /// Checks that the key from `start` to the cursor has at most 1,024 characters.
    #[inline(always)]
    pub(super) fn check_key(&self, start: usize) -> Result<()> {
        if self.text.at - start > MAX_KEY { self.check_long_key(start) } else { Ok(()) }
    }

    #[cold]
    fn check_long_key(&self, start: usize) -> Result<()> {
        let bytes = &self.text.bytes[start..self.text.at];
        let characters = bytes.iter().filter(|&&byte| !(0x80..0xC0).contains(&byte));
        // A character has at most four bytes, so that a long key need not be counted.
        if self.text.at - start > 4 * MAX_KEY || characters.count() > MAX_KEY {
            self.error("could not find expected ':'", start, self.text.at)
        } else {
            Ok(())
        }
    }

    fn block_flow(&mut self) -> Result<bool> {
        let start = self.properties.outer_of(self.text.at);
        let line = self.text.line_start;
        let first = self.nodes.len() as Index;
        if !self.top.phase.takes_node() && self.top.phase != Expected::NextKey {
            return self.unexpected(self.text.at, self.text.at + 1);
        }
        self.flow()?;
        if self.colon_follows(line)? {
            if self.text.go
                && self.top.phase == Expected::Root
                && self.hides_key(first, start)
            {
                return self.colon_after_root(first);
            }
            self.check_key(start)?;
            self.flow_key(first, start)?;
            return self.after_indicator(false);
        }
        let Some(filled) = self.top.phase.after_node() else {
            return self.unexpected(start, self.last_end);
        };
        self.join_outer(first)?;
        self.top.phase = filled;
        self.end_line()
    }

    /// Returns true if yaml.v2 does not see that the flow collection `first` may begin a key:
    /// at the closing bracket it drops the note that the opening one may, unless an entry may
    /// begin a key itself. That is an entry without `?` that does not begin with its `:`.
    #[cold]
    fn hides_key(&self, first: Index, start: usize) -> bool {
        let nodes = &self.nodes;
        let collection = &nodes[first as usize];
        if !self.block_allowed || collection.start as usize != start {
            return false;
        }
        let mut at = first + 1;
        while let Some(entry) = nodes.get(at as usize) {
            let key = if entry.style == Style::FlowPair { at + 1 } else { at };
            let node = &nodes[key as usize];
            let is_written = node.style != Style::Empty || node.flags & flag::PROPS != 0;
            if is_written && nodes.indicator(key).is_none() {
                return false;
            }
            at += entry.len;
            if collection.style == Style::FlowMapping {
                at += nodes.get(at as usize).map_or(0, |value| value.len);
            }
        }
        true
    }

    /// Refuses `:` behind a collection that is a complete document of yaml.v2.
    #[cold]
    fn colon_after_root(&mut self, first: Index) -> Result<bool> {
        self.join_outer(first)?;
        self.top.phase = Expected::Rooted;
        self.error(NO_DOCUMENT_START, self.text.at, self.text.at + 1)
    }

    /// Makes the flow collection `first` a key.
    fn flow_key(&mut self, first: Index, start: usize) -> Result<()> {
        match self.top.phase.after_node() {
            Some(filled) if self.block_allowed => {
                let column = (start - self.text.line_start) as i64;
                self.top.phase = filled;
                self.wrap(first, Style::BlockMapping, column)?;
            }
            _ => self.begin_entry(start)?,
        }
        self.top.phase = Expected::Value;
        self.take_indicator();
        Ok(())
    }

    /// Reads a property in block context. Returns true if the line has another token.
    fn block_property(&mut self) -> Result<bool> {
        let start = self.text.at;
        self.property()?;
        let end = self.text.at;
        self.text.skip_blanks();
        if !self.line_is_done() {
            return Ok(true);
        }
        if !self.top.phase.takes_node() {
            return self.error("could not find expected ':'", start, end);
        }
        self.properties.move_above(&self.text)?;
        Ok(false)
    }
}
