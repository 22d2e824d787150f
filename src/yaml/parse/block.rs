//! Block context: what the column of a line closes, and the tokens of its content.

use crate::arena::{NONE, Style, flag};
use crate::diagnostic::Result;

use super::Parser;
use super::build::State;
use super::scan::PLAIN;

/// Longer keys need a `?`.
const KEY_LENGTH: usize = 1024;

impl Parser<'_> {
    /// Reads lines up to a `---`, a `...` or the end.
    pub(super) fn lines(&mut self) -> Result<()> {
        while self.at < self.text.len() && !self.document_ends() && !self.go_directive() {
            self.unwind()?;
            self.fresh = !self.tab;
            while self.token()? {}
        }
        Ok(())
    }

    /// For Go's reader a directive ends a document.
    fn go_directive(&self) -> bool {
        self.go && self.at == self.line && self.byte(self.at) == b'%'
    }

    /// Closes what ends before this line.
    #[inline]
    fn unwind(&mut self) -> Result<()> {
        let column = self.column as i32;
        while self.top.column > column {
            self.close()?;
        }
        if self.top.column == column {
            return self.next_entry(column);
        }
        match self.top.state.takes_node() {
            true => Ok(()),
            false => self.unexpected(self.at, self.at),
        }
    }

    /// This line begins an entry of the innermost collection, or of the mapping whose
    /// items stand in its own column.
    #[inline]
    fn next_entry(&mut self, column: i32) -> Result<()> {
        let byte = self.byte(self.at);
        let dash = byte == b'-' && self.spaced(self.at + 1);
        // Only the standard wants a block scalar deeper than its key.
        let scalar = matches!(byte, b'|' | b'>') && !self.strict;
        loop {
            match self.top.state {
                State::Key | State::Value if dash || scalar => return Ok(()),
                State::Item if scalar => return Ok(()),
                State::Item | State::Key | State::Value => self.fill()?,
                State::NextItem if dash => return Ok(()),
                State::NextItem
                    if self.frames.last().is_some_and(|f| f.column == column) =>
                {
                    self.close()?;
                }
                State::NextItem => return self.no_item(),
                State::AfterKey
                    if self.byte(self.at) == b':' && self.spaced(self.at + 1) =>
                {
                    return Ok(());
                }
                State::AfterKey => self.fill_value(),
                _ => return Ok(()),
            }
        }
    }

    #[cold]
    fn no_item(&self) -> Result<()> {
        match self.byte(self.plain_line(self.at, PLAIN)) {
            b':' => self.unexpected(self.at, self.at),
            _ => self.error_at("could not find expected ':'", self.at),
        }
    }

    /// Reads one token; whether the line goes on behind it.
    pub(super) fn token(&mut self) -> Result<bool> {
        match self.byte(self.at) {
            b'-' if self.spaced(self.at + 1) => self.item(),
            b'?' if self.spaced(self.at + 1) => self.explicit_key(),
            b':' if self.spaced(self.at + 1) => self.explicit_value(),
            b'&' | b'!' => self.block_property(),
            b'*' => self.block_alias(),
            b'[' | b'{' => self.block_flow(),
            b'"' | b'\'' => self.block_quoted(),
            b'|' | b'>' => self.block_scalar(),
            b',' | b']' | b'}' => self.unexpected(self.at, self.at + 1),
            b'%' | b'@' | b'`' | b'#' | b'\t' => {
                self.error_at("found character that cannot start any token", self.at)
            }
            _ => self.plain(),
        }
    }

    /// `- `
    fn item(&mut self) -> Result<bool> {
        let column = (self.at - self.line) as i32;
        if !self.fresh || self.inner.start != NONE {
            return self
                .misplaced("block sequence entries are not allowed in this context");
        }
        if self.top.state == State::NextItem && self.top.column == column {
            self.top.state = State::Item;
        } else if self.top.state.takes_node() {
            self.open_block(Style::BlockSequence, self.at, State::Item)?;
        } else {
            return self.misplaced("did not find expected key");
        }
        self.indicate();
        self.after_indicator(true)
    }

    /// `? `
    fn explicit_key(&mut self) -> Result<bool> {
        if !self.fresh || self.inner.start != NONE {
            return self.misplaced("mapping keys are not allowed in this context");
        }
        self.entry(self.at)?;
        self.top.state = State::Key;
        self.indicate();
        self.after_indicator(true)
    }

    /// `: ` at the beginning of a line or of the content behind an indicator.
    fn explicit_value(&mut self) -> Result<bool> {
        let column = (self.at - self.line) as i32;
        let bare = self.inner.start == NONE && self.fresh;
        if self.top.state == State::AfterKey && self.top.column == column && bare {
            self.top.state = State::Value;
            self.indicate();
            return self.after_indicator(true);
        }
        let start = if self.inner.start == NONE { self.at } else { self.after };
        self.key(Style::Empty, 0, start, start)?;
        self.after_indicator(!self.strict)
    }

    /// Notes the indicator at the cursor for the node behind it.
    #[inline(always)]
    fn indicate(&mut self) {
        self.indicator = self.at as u32;
        self.at += 1;
        self.after = self.at;
    }

    /// Goes to the content behind an indicator; whether it is on this line. `compact`: it
    /// may be a block collection even so.
    #[inline(always)]
    fn after_indicator(&mut self, compact: bool) -> Result<bool> {
        while self.byte(self.at) == b' ' {
            self.at += 1;
        }
        self.fresh = compact;
        if self.byte(self.at) == b'\t' {
            self.fresh = false;
            self.skip_blanks();
        }
        Ok(!self.line_is_done())
    }

    /// Whether nothing but a comment is left of this line; then goes to the next one.
    #[inline(always)]
    pub(super) fn line_is_done(&mut self) -> bool {
        let done =
            self.ends(self.at) || self.byte(self.at) == b'#' && self.comment_may_start();
        if done {
            self.next_line();
        }
        done
    }

    fn comment_may_start(&self) -> bool {
        !self.strict || self.after_blank(self.at)
    }

    /// Makes the mapping that has an entry at `start` the innermost collection.
    #[inline]
    fn entry(&mut self, start: usize) -> Result<()> {
        if self.fresh && self.top.state.takes_node() {
            return self.open_block(Style::BlockMapping, start, State::NextKey);
        }
        let column = (start - self.line) as i32;
        match self.top.state == State::NextKey && self.top.column == column && self.fresh
        {
            true => Ok(()),
            false => self.no_entry(),
        }
    }

    #[cold]
    fn no_entry(&self) -> Result<()> {
        if self.tab {
            let tab = self.line + self.column;
            return self.error(
                "found character that cannot start any token",
                tab,
                tab + 1,
            );
        }
        self.misplaced("mapping values are not allowed in this context")
    }

    #[cold]
    fn misplaced<T>(&self, message: &str) -> Result<T> {
        if self.tab && !self.text[self.line..self.at].contains(&b'-') {
            let tab = self.line + self.column;
            return self.error(
                "found character that cannot start any token",
                tab,
                tab + 1,
            );
        }
        self.error(message, self.at, self.at + 1)
    }

    /// Pushes a key whose `:` is at the cursor.
    #[inline]
    fn key(&mut self, style: Style, flags: u8, start: usize, end: usize) -> Result<()> {
        let outer = self.outer_of(start);
        self.entry(outer)?;
        self.check_key(outer)?;
        let flags = flags | self.merge_flag(style, start, end) | self.note_inner();
        self.push(style, flags, start, end, NONE);
        self.top.state = State::Value;
        self.indicate();
        Ok(())
    }

    /// A key is no longer than 1,024 characters.
    #[inline(always)]
    pub(super) fn check_key(&self, start: usize) -> Result<()> {
        match self.at - start > KEY_LENGTH {
            true => self.check_long_key(start),
            false => Ok(()),
        }
    }

    #[cold]
    fn check_long_key(&self, start: usize) -> Result<()> {
        let bytes = &self.text[start..self.at];
        let characters = bytes.iter().filter(|&&byte| !(0x80..0xC0).contains(&byte));
        match self.at - start > 4 * KEY_LENGTH || characters.count() > KEY_LENGTH {
            true => self.error("could not find expected ':'", start, self.at),
            false => Ok(()),
        }
    }

    /// MERGE_KEY if the key at `start..end` is one.
    #[inline(always)]
    pub(super) fn merge_flag(&self, style: Style, start: usize, end: usize) -> u8 {
        let merges = match self.inner.tag {
            (0, 0) => {
                end - start == 2
                    && style == Style::Plain
                    && self.text[start..end] == *b"<<"
            }
            tag => self.is_merge_tag(tag),
        };
        if merges { flag::MERGE_KEY } else { 0 }
    }

    /// A plain scalar: a key if `: ` follows on its line.
    #[inline]
    fn plain(&mut self) -> Result<bool> {
        let start = self.at;
        let stop = self.plain_line(start, PLAIN);
        let end = self.trim(start, stop);
        self.at = stop;
        if self.byte(stop) == b':' {
            self.key(Style::Plain, 0, start, end)?;
            return self.after_indicator(false);
        }
        if !self.top.state.takes_node() {
            return self.unexpected(start, end);
        }
        self.plain_value(start, end)
    }

    #[inline]
    fn plain_value(&mut self, start: usize, mut end: usize) -> Result<bool> {
        let mut flags = 0;
        let mut comment = self.byte(self.at) == b'#';
        while !(self.next_line() | comment)
            && self.at < self.text.len()
            && self.column as i32 > self.top.column
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
                return self.colon_after_lines(flags, start, end);
            }
        }
        self.value(Style::Plain, flags, start, end)?;
        Ok(false)
    }

    /// `: ` behind a plain scalar of several lines.
    #[cold]
    fn colon_after_lines(&mut self, flags: u8, start: usize, end: usize) -> Result<bool> {
        if self.go && self.top.state == State::Root {
            self.value(Style::Plain, flags, start, end)?;
        }
        self.misplaced("mapping values are not allowed in this context")
    }

    fn block_quoted(&mut self) -> Result<bool> {
        let (start, line) = (self.at, self.line);
        let (style, flags) = self.quoted()?;
        self.key_or_value(style, flags, start, line)
    }

    fn block_alias(&mut self) -> Result<bool> {
        let (start, line) = (self.at, self.line);
        self.alias()?;
        self.key_or_value(Style::Alias, flag::HAS_ALIAS, start, line)
    }

    /// Pushes the scalar or alias from `start` to the cursor, which began in `line`.
    fn key_or_value(
        &mut self,
        style: Style,
        flags: u8,
        start: usize,
        line: usize,
    ) -> Result<bool> {
        let end = self.at;
        self.skip_blanks();
        if self.byte(self.at) == b':' && self.spaced(self.at + 1) {
            if self.line != line {
                return self.misplaced("mapping values are not allowed in this context");
            }
            if style == Style::Alias && self.inner.start != NONE {
                return self.property_of_alias(start, end);
            }
            self.key(style, flags, start, end)?;
            return self.after_indicator(false);
        }
        if style == Style::Alias && self.outer.start & self.inner.start != NONE {
            return self.property_of_alias(start, end);
        }
        self.value(style, flags, start, end)?;
        self.end_line()
    }

    /// Nothing but a comment may follow on this line.
    pub(super) fn end_line(&mut self) -> Result<bool> {
        match self.line_is_done() {
            true => Ok(false),
            false => self.junk(),
        }
    }

    #[cold]
    fn junk(&mut self) -> Result<bool> {
        while self.go && self.top.column > (self.at - self.line) as i32 {
            self.close()?;
        }
        let message = match self.top.state {
            State::NextItem => "did not find expected '-' indicator",
            State::Rooted => "did not find expected <document start>",
            _ => "did not find expected key",
        };
        self.error_at(message, self.at)
    }

    fn block_flow(&mut self) -> Result<bool> {
        let (start, line) = (self.at, self.line);
        let first = self.nodes.len() as u32;
        let state = self.top.state;
        if !state.takes_node() && state != State::NextKey {
            return self.unexpected(start, start + 1);
        }
        let outer = self.outer_of(start);
        self.flow()?;
        self.skip_blanks();
        if self.byte(self.at) == b':' && self.spaced(self.at + 1) {
            if self.line != line {
                return self.misplaced("mapping values are not allowed in this context");
            }
            self.check_key(outer)?;
            self.flow_key(first, outer)?;
            self.indicate();
            return self.after_indicator(false);
        }
        let Some(filled) = state.filled() else {
            return self.unexpected(start, self.last);
        };
        self.join_outer(first)?;
        self.top.state = filled;
        self.end_line()
    }

    /// Makes the flow collection `first` a key.
    fn flow_key(&mut self, first: u32, start: usize) -> Result<()> {
        let column = (start - self.line) as i32;
        if self.fresh && self.top.state.takes_node() {
            self.top.state = self.top.state.filled().unwrap_or(self.top.state);
            self.enclose(first, Style::BlockMapping, column)?;
            self.nodes[first as usize].column = column as u32;
        } else {
            self.entry(start)?;
        }
        self.top.state = State::Value;
        Ok(())
    }
}
