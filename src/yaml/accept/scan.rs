//! Text to tokens, one at a time, with the indentation and the candidates for keys that
//! decide what a token is.

use std::collections::VecDeque;

use super::cursor::Cursor;
use super::token::{Candidate, Kind, Token};
use super::{Refusal, Result};

const MAX_DEPTH: usize = 10_000;
/// Characters from the beginning of a key without `?` to its `:`.
const MAX_KEY: usize = 1024;

/// The tokens of a text.
pub(super) struct Scanner<'a> {
    pub(super) at: Cursor<'a>,
    /// Scanned, but not taken.
    queue: VecDeque<Token>,
    /// How many tokens were taken.
    taken: usize,
    /// Where the last one ends.
    pub(super) end: u32,
    /// Column of the innermost block collection, or -1.
    pub(super) indent: isize,
    indents: Vec<isize>,
    /// One for each flow level, the block level included.
    candidates: Vec<Candidate>,
    /// Whether a key without `?` may begin here.
    pub(super) key_allowed: bool,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(at: Cursor<'a>) -> Scanner<'a> {
        Scanner {
            at,
            queue: VecDeque::new(),
            taken: 0,
            end: 0,
            indent: -1,
            indents: Vec::new(),
            candidates: vec![Candidate::default()],
            key_allowed: true,
        }
    }

    /// The next token, left where it is.
    #[inline]
    pub(super) fn peek(&mut self) -> Result<Token> {
        match self.queue.front() {
            Some(token) if token.key.is_none() => Ok(*token),
            _ => self.settle(),
        }
    }

    /// Scans until the next token is there and known not to begin a key.
    fn settle(&mut self) -> Result<Token> {
        loop {
            match self.queue.front().copied() {
                Some(token) if !self.may_be_key(&token)? => return Ok(token),
                _ => self.scan()?,
            }
        }
    }

    /// Takes the token that was looked at.
    pub(super) fn take(&mut self) {
        self.end = self.queue.pop_front().map_or(self.end, |token| token.end);
        self.taken += 1;
    }

    /// Takes the token that was looked at and looks at the next one.
    pub(super) fn advance(&mut self) -> Result<Token> {
        self.take();
        self.peek()
    }

    pub(super) fn in_flow(&self) -> bool {
        self.candidates.len() > 1
    }

    fn may_be_key(&mut self, token: &Token) -> Result<bool> {
        token.key.map_or(Ok(false), |level| self.is_possible(level.into()))
    }

    fn scan(&mut self) -> Result<()> {
        self.at.need(1)?;
        self.skip_to_token()?;
        self.close_blocks(self.at.column() as isize);
        self.at.need(4)?;
        if self.at.ended() {
            return self.stream_end();
        }
        if self.at.column() == 0 && self.at.byte() == b'%' {
            return self.directive();
        }
        if self.at.is_document_marker() {
            return self.document_marker();
        }
        match self.at.byte() {
            b'[' => self.open(Kind::FlowSequence),
            b'{' => self.open(Kind::FlowMapping),
            b']' => self.close(Kind::FlowSequenceEnd),
            b'}' => self.close(Kind::FlowMappingEnd),
            b',' => self.comma(),
            b'-' if self.at.is_word_end(1) => self.item(),
            b'?' if self.in_flow() || self.at.is_word_end(1) => self.key(),
            b':' if self.in_flow() || self.at.is_word_end(1) => self.value(),
            b'*' => self.name(Kind::Alias),
            b'&' => self.name(Kind::Anchor),
            b'!' => self.tag(),
            b'|' | b'>' if !self.in_flow() => self.block_scalar(),
            b'\'' | b'"' => self.quoted(),
            b'\t' | b'|' | b'>' | b'%' | b'@' | b'`' => {
                Err(self.at.refusal("found character that cannot start any token"))
            }
            _ => self.plain(),
        }
    }

    fn skip_to_token(&mut self) -> Result<()> {
        loop {
            let tabs = self.in_flow() || !self.key_allowed;
            while self.at.byte() == b' ' || tabs && self.at.byte() == b'\t' {
                self.at.skip();
            }
            self.at.need(1)?;
            if matches!(self.at.byte(), b'-'..=b'~') {
                return Ok(());
            }
            self.at.skip_comment()?;
            if !self.at.is_break() {
                return Ok(());
            }
            self.at.need(2)?;
            self.at.skip_break();
            self.key_allowed |= !self.in_flow();
            self.at.need(1)?;
        }
    }

    fn stream_end(&mut self) -> Result<()> {
        if self.at.column() != 0 {
            self.at.end_line();
        }
        self.end_blocks()?;
        self.push_here(Kind::StreamEnd, 0);
        Ok(())
    }

    fn document_marker(&mut self) -> Result<()> {
        let start = self.at.byte() == b'-';
        self.end_blocks()?;
        self.push_here(if start { Kind::DocumentStart } else { Kind::DocumentEnd }, 3);
        Ok(())
    }

    /// Closes everything before a directive, a marker or the end.
    pub(super) fn end_blocks(&mut self) -> Result<()> {
        self.close_blocks(-1);
        self.drop_candidate()?;
        self.key_allowed = false;
        Ok(())
    }

    fn open(&mut self, kind: Kind) -> Result<()> {
        let token = self.candidate(kind)?;
        let number = self.next_number();
        self.candidates.push(Candidate { number, ..Candidate::default() });
        if self.candidates.len() > MAX_DEPTH + 1 {
            return Err(self.too_deep());
        }
        self.key_allowed = true;
        self.at.skip();
        self.push(token);
        Ok(())
    }

    fn close(&mut self, kind: Kind) -> Result<()> {
        self.drop_candidate()?;
        if self.in_flow()
            && let Some(candidate) = self.candidates.pop()
        {
            // In `[]` this is the number of the bracket itself, which thereby stops
            // being a candidate in the queue, though not in its own level.
            self.forget(candidate.number);
        }
        self.key_allowed = false;
        self.push_here(kind, 1);
        Ok(())
    }

    fn comma(&mut self) -> Result<()> {
        self.drop_candidate()?;
        self.key_allowed = true;
        self.push_here(Kind::Comma, 1);
        Ok(())
    }

    fn item(&mut self) -> Result<()> {
        let refused = "block sequence entries are not allowed in this context";
        self.indicate(Kind::BlockSequence, refused)?;
        self.drop_candidate()?;
        self.key_allowed = true;
        self.push_here(Kind::Item, 1);
        Ok(())
    }

    fn key(&mut self) -> Result<()> {
        self.indicate(
            Kind::BlockMapping,
            "mapping keys are not allowed in this context",
        )?;
        self.drop_candidate()?;
        self.key_allowed = !self.in_flow();
        self.push_here(Kind::Key, 1);
        Ok(())
    }

    fn value(&mut self) -> Result<()> {
        let level = self.candidates.len() - 1;
        if self.is_possible(level)? {
            self.found_key(level)?;
        } else {
            let refused = "mapping values are not allowed in this context";
            self.indicate(Kind::BlockMapping, refused)?;
            self.key_allowed = !self.in_flow();
        }
        self.push_here(Kind::Value, 1);
        Ok(())
    }

    /// Makes the candidate of this level a key.
    fn found_key(&mut self, level: usize) -> Result<()> {
        let Candidate { number, line, start, column, .. } = self.candidates[level];
        self.candidates[level].possible = false;
        self.forget(number);
        self.key_allowed = false;
        let token = |kind| Token { kind, line, start, end: start, key: None };
        self.insert(number, token(Kind::Key));
        if self.open_block(column)? {
            self.insert(number, token(Kind::BlockMapping));
        }
        Ok(())
    }

    /// Prepares for `-`, `?` or `:` in block context.
    fn indicate(&mut self, kind: Kind, refused: &str) -> Result<()> {
        if self.in_flow() {
            return Ok(());
        }
        if !self.key_allowed {
            return Err(self.at.refusal(refused));
        }
        if self.open_block(self.at.column())? {
            self.push_here(kind, 0);
        }
        Ok(())
    }

    /// Whether a block collection begins at `column`.
    fn open_block(&mut self, column: usize) -> Result<bool> {
        let column = column as isize;
        if self.in_flow() || self.indent >= column {
            return Ok(false);
        }
        self.indents.push(self.indent);
        self.indent = column;
        if self.indents.len() > MAX_DEPTH { Err(self.too_deep()) } else { Ok(true) }
    }

    fn too_deep(&self) -> Box<Refusal> {
        self.at.refusal(&format!("exceeded max depth of {MAX_DEPTH}"))
    }

    /// Ends the block collections that are indented more than `column`.
    fn close_blocks(&mut self, column: isize) {
        while !self.in_flow() && self.indent > column {
            self.push_here(Kind::BlockEnd, 0);
            self.indent = self.indents.pop().unwrap_or(-1);
        }
    }

    /// Begins a token with which a key may begin.
    pub(super) fn candidate(&mut self, kind: Kind) -> Result<Token> {
        let mut token = self.at.token(kind);
        if !self.key_allowed {
            return Ok(token);
        }
        self.drop_candidate()?;
        let level = self.candidates.len() - 1;
        token.key = Some(level as u16);
        self.candidates[level] = Candidate {
            possible: true,
            required: !self.in_flow() && self.indent == self.at.column() as isize,
            number: self.next_number(),
            line: token.line,
            start: token.start,
            index: self.at.index(),
            column: self.at.column(),
        };
        Ok(token)
    }

    /// Gives up the candidate of this level.
    pub(super) fn drop_candidate(&mut self) -> Result<()> {
        let level = self.candidates.len() - 1;
        let candidate = &mut self.candidates[level];
        if !candidate.possible {
            return Ok(());
        }
        if candidate.required {
            return Err(self.at.refusal(NO_COLON));
        }
        candidate.possible = false;
        let number = candidate.number;
        self.forget(number);
        Ok(())
    }

    /// Whether the candidate of a level can still become a key: in its line, and soon.
    fn is_possible(&mut self, level: usize) -> Result<bool> {
        let (line, index) = (self.at.line as u32, self.at.index());
        let Some(candidate) = self.candidates.get_mut(level) else { return Ok(false) };
        let late = candidate.line < line || candidate.index + MAX_KEY < index;
        if candidate.possible && late {
            if candidate.required {
                return Err(self.at.refusal(NO_COLON));
            }
            candidate.possible = false;
        }
        Ok(candidate.possible)
    }

    fn next_number(&self) -> usize {
        self.taken + self.queue.len()
    }

    /// Takes the mark of a candidate from the token of that number.
    fn forget(&mut self, number: usize) {
        let place = number.checked_sub(self.taken);
        if let Some(token) = place.and_then(|place| self.queue.get_mut(place)) {
            token.key = None;
        }
    }

    /// Inserts a token before the one of that number; one that was taken already is
    /// missed, and the new token comes last.
    fn insert(&mut self, number: usize, token: Token) {
        match number.checked_sub(self.taken) {
            Some(place) if place < self.queue.len() => self.queue.insert(place, token),
            _ => self.queue.push_back(token),
        }
    }

    /// Appends the token of the next `width` characters, all of them ASCII.
    fn push_here(&mut self, kind: Kind, width: usize) {
        let token = self.at.token(kind);
        self.at.pos += width;
        self.push(token);
    }

    /// Appends a token that ends here.
    pub(super) fn push(&mut self, token: Token) {
        self.push_until(token, self.at.pos);
    }

    /// Appends a token.
    pub(super) fn push_until(&mut self, token: Token, end: usize) {
        self.queue.push_back(Token { end: end as u32, ..token });
    }
}

const NO_COLON: &str = "could not find expected ':'";
