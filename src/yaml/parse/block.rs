//! Block context: what the column of a line closes, and the tokens of its content.

use crate::arena::{NONE, Style};
use crate::diagnostic::Result;

use super::Parser;
use super::build::Leaf;
use super::scan::PLAIN;
use super::state::State;

/// What is wrong with a `:`.
pub(super) const MISPLACED_VALUE: &str = "mapping values are not allowed in this context";

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
        let column = self.column as i64;
        while self.top.column > column {
            self.close()?;
        }
        if self.top.column == column {
            return self.next_entry(column);
        }
        if self.top.state.takes_node() {
            Ok(())
        } else {
            self.unexpected(self.at, self.at)
        }
    }

    /// This line begins an entry of the innermost collection, or of the mapping whose
    /// items stand in its own column.
    #[inline]
    fn next_entry(&mut self, column: i64) -> Result<()> {
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
        let column = (self.at - self.line) as i64;
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
        let column = (self.at - self.line) as i64;
        let bare = self.inner.start == NONE && self.fresh;
        if self.top.state == State::AfterKey && self.top.column == column && bare {
            self.top.state = State::Value;
            self.indicate();
            return self.after_indicator(true);
        }
        let start = if self.inner.start == NONE { self.at } else { self.after };
        self.block_key(Leaf::new(Style::Empty, 0, start, start))?;
        self.after_indicator(!self.strict)
    }

    /// Notes the indicator at the cursor for the node behind it.
    #[inline(always)]
    pub(super) fn indicate(&mut self) {
        self.indicator = self.at as u32;
        self.at += 1;
        self.after = self.at;
    }

    /// Goes to the content behind an indicator; whether it is on this line. `compact`: it
    /// may be a block collection even so.
    #[inline(always)]
    pub(super) fn after_indicator(&mut self, compact: bool) -> Result<bool> {
        self.fresh = compact;
        if self.skip_spaces() {
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
    pub(super) fn entry(&mut self, start: usize) -> Result<()> {
        if self.fresh && self.top.state.takes_node() {
            return self.open_block(Style::BlockMapping, start, State::NextKey);
        }
        let column = (start - self.line) as i64;
        if self.top.state == State::NextKey && self.top.column == column && self.fresh {
            Ok(())
        } else {
            self.misplaced(MISPLACED_VALUE)
        }
    }

    /// The token at the cursor may not stand here, at the latest since a tab is no
    /// indentation.
    #[cold]
    pub(super) fn misplaced<T>(&self, message: &str) -> Result<T> {
        if self.tab {
            let tab = self.line + self.column;
            return self.error(
                "found character that cannot start any token",
                tab,
                tab + 1,
            );
        }
        self.error(message, self.at, self.at + 1)
    }

    /// Nothing but a comment may follow on this line.
    pub(super) fn end_line(&mut self) -> Result<bool> {
        if self.line_is_done() { Ok(false) } else { self.junk() }
    }

    #[cold]
    fn junk(&mut self) -> Result<bool> {
        while self.go && self.top.column > (self.at - self.line) as i64 {
            self.close()?;
        }
        let message = match self.top.state {
            State::NextItem => "did not find expected '-' indicator",
            State::Rooted => "did not find expected <document start>",
            _ => "did not find expected key",
        };
        self.error_at(message, self.at)
    }
}
