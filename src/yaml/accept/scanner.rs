//! The scanner: text becomes tokens, one at a time. The indentation and the candidates
//! for keys decide what a token is.

use std::collections::VecDeque;
use std::ops::Range;

use super::reader::BadCharacter;
use super::refusal::{Accepted, Refusal};

/// Maximum number of characters from the start of a key to its `:`.
// As in yaml.v2, which counts blocks and brackets apart.
const MAX_DEPTH: usize = 10_000;

/// Maximum depth of nesting.
// As in libyaml, counted from the first character of the key or its properties.
const MAX_KEY: usize = 1024;

const NO_COLON: &str = "could not find expected ':'";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    StreamEnd,
    /// `%YAML`; true if the version is 1.1.
    Version(bool),
    /// `%TAG`; the range of the token is the handle.
    Handle,
    /// `---`
    DocumentStart,
    /// `...`
    DocumentEnd,
    BlockSequence,
    BlockMapping,
    /// The end of a block collection, where the indentation is less.
    BlockEnd,
    FlowSequence,
    FlowSequenceEnd,
    FlowMapping,
    FlowMappingEnd,
    /// `-`
    Item,
    Comma,
    /// `?`, written or implied.
    Key,
    /// `:`
    Value,
    Alias,
    Anchor,
    /// A tag; the range of the token is the handle.
    Tag,
    Scalar,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ScannedToken {
    pub(super) kind: TokenKind,
    line: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    /// The flow level at which this token may turn out to begin a key.
    key: Option<u16>,
}

impl ScannedToken {
    fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns a refusal of this token by the grammar.
    pub(super) fn refusal(&self, message: &str) -> Box<Refusal> {
        let line = self.line as usize;
        Refusal::in_line(line, line, message, self.start as usize)
    }
}

pub(super) struct Scanner<'a> {
    cursor: Cursor<'a>,
    /// Tokens that were scanned but not taken.
    queue: VecDeque<ScannedToken>,
    tokens_taken: usize,
    /// Offset after the token that was taken last.
    end: u32,
    /// Column of the innermost block collection, or -1.
    indent: isize,
    indents: Vec<isize>,
    /// A candidate for each flow level, the block level included.
    candidates: Vec<KeyCandidate>,
    /// True if a key without `?` may begin here.
    key_allowed: bool,
}

/// The last position of a flow level at which a key may have begun.
#[derive(Clone, Copy, Debug, Default)]
struct KeyCandidate {
    /// True if a `:` would make it a key.
    possible: bool,
    /// True if it must be a key, since it is in the column of the mapping's entries.
    required: bool,
    /// Number of tokens before it.
    number: usize,
    line: u32,
    start: u32,
    index: usize,
    column: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a str, bad: Option<BadCharacter>) -> Scanner<'a> {
        Scanner {
            cursor: Cursor::new(text, bad),
            queue: VecDeque::new(),
            tokens_taken: 0,
            end: 0,
            indent: -1,
            indents: Vec::new(),
            candidates: vec![KeyCandidate::default()],
            key_allowed: true,
        }
    }

    #[inline]
    pub(super) fn peek(&mut self) -> Accepted<ScannedToken> {
        match self.queue.front() {
            Some(token) if token.key.is_none() => Ok(*token),
            _ => self.fetch(),
        }
    }

    /// Scans until the next token is known not to begin a key.
    fn fetch(&mut self) -> Accepted<ScannedToken> {
        loop {
            match self.queue.front().copied() {
                Some(token) => match token.key {
                    Some(level) if self.is_possible(level.into())? => self.scan()?,
                    _ => return Ok(token),
                },
                None => self.scan()?,
            }
        }
    }

    pub(super) fn take(&mut self) {
        self.end = self.queue.pop_front().map_or(self.end, |token| token.end);
        self.tokens_taken += 1;
    }

    /// Takes the next token and returns the one after it.
    pub(super) fn advance(&mut self) -> Accepted<ScannedToken> {
        self.take();
        self.peek()
    }

    pub(super) fn end(&self) -> u32 {
        self.end
    }

    pub(super) fn text(&self, token: &ScannedToken) -> &'a str {
        self.cursor.text.get(token.range()).unwrap_or_default()
    }

    fn in_flow(&self) -> bool {
        self.candidates.len() > 1
    }

    fn scan(&mut self) -> Accepted<()> {
        self.cursor.require(1)?;
        self.skip_to_token()?;
        self.close_blocks(self.cursor.column() as isize);
        self.cursor.require(4)?;
        if self.cursor.ended() {
            return self.stream_end();
        }
        if self.cursor.column() == 0 && self.cursor.byte() == b'%' {
            return self.directive();
        }
        if self.cursor.is_document_marker() {
            return self.document_marker();
        }
        match self.cursor.byte() {
            b'[' => self.open(TokenKind::FlowSequence),
            b'{' => self.open(TokenKind::FlowMapping),
            b']' => self.close(TokenKind::FlowSequenceEnd),
            b'}' => self.close(TokenKind::FlowMappingEnd),
            b',' => self.comma(),
            b'-' if self.cursor.is_word_end(1) => self.item(),
            b'?' if self.in_flow() || self.cursor.is_word_end(1) => self.key(),
            b':' if self.in_flow() || self.cursor.is_word_end(1) => self.value(),
            b'*' => self.name(TokenKind::Alias),
            b'&' => self.name(TokenKind::Anchor),
            b'!' => self.tag(),
            b'|' | b'>' if !self.in_flow() => self.block_scalar(),
            b'\'' | b'"' => self.quoted(),
            b'\t' | b'|' | b'>' | b'%' | b'@' | b'`' => {
                Err(self.cursor.refusal("found character that cannot start any token"))
            }
            _ => self.plain(),
        }
    }

    fn skip_to_token(&mut self) -> Accepted<()> {
        loop {
            let tabs = self.in_flow() || !self.key_allowed;
            while self.cursor.byte() == b' ' || tabs && self.cursor.byte() == b'\t' {
                self.cursor.skip();
            }
            self.cursor.require(1)?;
            // Most tokens begin with one of these, which begin no comment or break.
            if matches!(self.cursor.byte(), b'-'..=b'~') {
                return Ok(());
            }
            self.cursor.skip_comment()?;
            if !self.cursor.is_break() {
                return Ok(());
            }
            self.cursor.require(2)?;
            self.cursor.skip_break();
            self.key_allowed |= !self.in_flow();
            self.cursor.require(1)?;
        }
    }

    fn stream_end(&mut self) -> Accepted<()> {
        if self.cursor.column() != 0 {
            self.cursor.end_line();
        }
        self.end_blocks()?;
        self.push_here(TokenKind::StreamEnd, 0);
        Ok(())
    }

    fn document_marker(&mut self) -> Accepted<()> {
        let start = self.cursor.byte() == b'-';
        self.end_blocks()?;
        self.push_here(
            if start { TokenKind::DocumentStart } else { TokenKind::DocumentEnd },
            3,
        );
        Ok(())
    }

    /// Closes all blocks before a directive, a marker or the end.
    fn end_blocks(&mut self) -> Accepted<()> {
        self.close_blocks(-1);
        self.drop_candidate()?;
        self.key_allowed = false;
        Ok(())
    }

    fn open(&mut self, kind: TokenKind) -> Accepted<()> {
        let token = self.candidate(kind)?;
        let number = self.next_number();
        self.candidates.push(KeyCandidate { number, ..KeyCandidate::default() });
        if self.candidates.len() > MAX_DEPTH + 1 {
            return Err(self.too_deep());
        }
        self.key_allowed = true;
        self.cursor.skip();
        self.push(token);
        Ok(())
    }

    fn close(&mut self, kind: TokenKind) -> Accepted<()> {
        self.drop_candidate()?;
        if self.in_flow()
            && let Some(candidate) = self.candidates.pop()
        {
            // In `[]` this is the number of the bracket itself, which then is no
            // candidate in the queue any more, though it is one in its own level. yaml.v2
            // does the same.
            self.unmark_key(candidate.number);
        }
        self.key_allowed = false;
        self.push_here(kind, 1);
        Ok(())
    }

    fn comma(&mut self) -> Accepted<()> {
        self.drop_candidate()?;
        self.key_allowed = true;
        self.push_here(TokenKind::Comma, 1);
        Ok(())
    }

    fn item(&mut self) -> Accepted<()> {
        let refused = "block sequence entries are not allowed in this context";
        self.indicate(TokenKind::BlockSequence, refused)?;
        self.drop_candidate()?;
        self.key_allowed = true;
        self.push_here(TokenKind::Item, 1);
        Ok(())
    }

    fn key(&mut self) -> Accepted<()> {
        self.indicate(
            TokenKind::BlockMapping,
            "mapping keys are not allowed in this context",
        )?;
        self.drop_candidate()?;
        self.key_allowed = !self.in_flow();
        self.push_here(TokenKind::Key, 1);
        Ok(())
    }

    fn value(&mut self) -> Accepted<()> {
        let level = self.candidates.len() - 1;
        if self.is_possible(level)? {
            self.found_key(level)?;
        } else {
            let refused = "mapping values are not allowed in this context";
            self.indicate(TokenKind::BlockMapping, refused)?;
            self.key_allowed = !self.in_flow();
        }
        self.push_here(TokenKind::Value, 1);
        Ok(())
    }

    /// Makes the candidate of this level a key.
    fn found_key(&mut self, level: usize) -> Accepted<()> {
        let KeyCandidate { number, line, start, column, .. } = self.candidates[level];
        self.candidates[level].possible = false;
        self.unmark_key(number);
        self.key_allowed = false;
        let token =
            ScannedToken { kind: TokenKind::Key, line, start, end: start, key: None };
        self.insert(number, token);
        if self.open_block(column)? {
            self.insert(number, ScannedToken { kind: TokenKind::BlockMapping, ..token });
        }
        Ok(())
    }

    /// Prepares for `-`, `?` or `:` in block context.
    fn indicate(&mut self, kind: TokenKind, refused: &str) -> Accepted<()> {
        if self.in_flow() {
            return Ok(());
        }
        if !self.key_allowed {
            return Err(self.cursor.refusal(refused));
        }
        if self.open_block(self.cursor.column())? {
            self.push_here(kind, 0);
        }
        Ok(())
    }

    /// Returns true if a block collection begins at `column`, and opens it.
    fn open_block(&mut self, column: usize) -> Accepted<bool> {
        let column = column as isize;
        if self.in_flow() || self.indent >= column {
            return Ok(false);
        }
        self.indents.push(self.indent);
        self.indent = column;
        if self.indents.len() > MAX_DEPTH { Err(self.too_deep()) } else { Ok(true) }
    }

    fn too_deep(&self) -> Box<Refusal> {
        self.cursor.refusal(&format!("exceeded max depth of {MAX_DEPTH}"))
    }

    /// Closes the block collections that are indented more than `column`.
    fn close_blocks(&mut self, column: isize) {
        while !self.in_flow() && self.indent > column {
            self.push_here(TokenKind::BlockEnd, 0);
            self.indent = self.indents.pop().unwrap_or(-1);
        }
    }

    /// Returns a token here, as a candidate for a key if one may begin.
    fn candidate(&mut self, kind: TokenKind) -> Accepted<ScannedToken> {
        let mut token = self.cursor.token(kind);
        if !self.key_allowed {
            return Ok(token);
        }
        self.drop_candidate()?;
        let level = self.candidates.len() - 1;
        token.key = Some(level as u16);
        self.candidates[level] = KeyCandidate {
            possible: true,
            required: !self.in_flow() && self.indent == self.cursor.column() as isize,
            number: self.next_number(),
            line: token.line,
            start: token.start,
            index: self.cursor.index(),
            column: self.cursor.column(),
        };
        Ok(token)
    }

    fn drop_candidate(&mut self) -> Accepted<()> {
        let level = self.candidates.len() - 1;
        let candidate = &mut self.candidates[level];
        if !candidate.possible {
            return Ok(());
        }
        if candidate.required {
            return Err(self.cursor.refusal(NO_COLON));
        }
        candidate.possible = false;
        let number = candidate.number;
        self.unmark_key(number);
        Ok(())
    }

    /// Returns true if the candidate of a level can still become a key.
    fn is_possible(&mut self, level: usize) -> Accepted<bool> {
        let line = self.cursor.line as u32;
        let index = self.cursor.index();
        let Some(candidate) = self.candidates.get_mut(level) else { return Ok(false) };
        let late = candidate.line < line || candidate.index + MAX_KEY < index;
        if candidate.possible && late {
            if candidate.required {
                return Err(self.cursor.refusal(NO_COLON));
            }
            candidate.possible = false;
        }
        Ok(candidate.possible)
    }

    fn next_number(&self) -> usize {
        self.tokens_taken + self.queue.len()
    }

    /// Removes the mark of a candidate from the token of that number.
    fn unmark_key(&mut self, number: usize) {
        let place = number.checked_sub(self.tokens_taken);
        if let Some(token) = place.and_then(|place| self.queue.get_mut(place)) {
            token.key = None;
        }
    }

    /// Inserts a token before the one of that number, or last if that one was taken.
    fn insert(&mut self, number: usize, token: ScannedToken) {
        match number.checked_sub(self.tokens_taken) {
            Some(place) if place < self.queue.len() => self.queue.insert(place, token),
            _ => self.queue.push_back(token),
        }
    }

    /// Appends the token of the next `width` characters, all of them ASCII.
    fn push_here(&mut self, kind: TokenKind, width: usize) {
        let token = self.cursor.token(kind);
        self.cursor.pos += width;
        self.push(token);
    }

    /// Appends a token that ends here.
    fn push(&mut self, token: ScannedToken) {
        self.push_until(token, self.cursor.pos);
    }

    /// Appends a token that ends at `end`.
    fn push_until(&mut self, token: ScannedToken, end: usize) {
        self.queue.push_back(ScannedToken { end: end as u32, ..token });
    }
}

/// Anchors, aliases, tags and directives.
impl Scanner<'_> {
    /// Scans `&name` or `*name`.
    fn name(&mut self, kind: TokenKind) -> Accepted<()> {
        let token = self.candidate(kind)?;
        self.key_allowed = false;
        self.cursor.skip();
        let length = self.word()?;
        let after = matches!(
            self.cursor.byte(),
            b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`'
        );
        if length == 0 || !after && !self.cursor.is_word_end(0) {
            let message = "did not find expected alphabetic or numeric character";
            return Err(self.cursor.refusal(message));
        }
        self.push(token);
        Ok(())
    }

    /// Scans `!suffix`, `!handle!suffix` or `!<tag>`.
    fn tag(&mut self) -> Accepted<()> {
        let token = self.candidate(TokenKind::Tag)?;
        self.key_allowed = false;
        self.cursor.require(2)?;
        let end = match self.cursor.byte_at(1) {
            b'<' => self.verbatim()?,
            _ => self.shorthand()?,
        };
        self.cursor.require(1)?;
        if !self.cursor.is_word_end(0) {
            return Err(self
                .cursor
                .refusal("did not find expected whitespace or line break"));
        }
        self.push_until(token, end);
        Ok(())
    }

    /// Skips a tag without a handle. Returns its start.
    fn verbatim(&mut self) -> Accepted<usize> {
        let start = self.cursor.pos;
        self.cursor.skip();
        self.cursor.skip();
        self.uri(false)?;
        if self.cursor.byte() != b'>' {
            return Err(self.cursor.refusal("did not find the expected '>'"));
        }
        self.cursor.skip();
        Ok(start)
    }

    /// Skips a tag. Returns the end of its handle.
    fn shorthand(&mut self) -> Accepted<usize> {
        let start = self.cursor.pos;
        let named = self.handle(false)?;
        let end = if named { self.cursor.pos } else { start + 1 };
        self.uri(!named)?;
        Ok(end)
    }

    /// Skips `!`, `!name` or `!name!`. Returns true for the last one.
    fn handle(&mut self, alone: bool) -> Accepted<bool> {
        self.cursor.require(1)?;
        if self.cursor.byte() != b'!' {
            return Err(self.cursor.refusal("did not find expected '!'"));
        }
        self.cursor.skip();
        let length = self.word()?;
        let named = self.cursor.byte() == b'!';
        if named {
            self.cursor.skip();
        } else if alone && length > 0 {
            return Err(self.cursor.refusal("did not find expected '!'"));
        }
        Ok(named)
    }

    /// Skips the characters of a URI; at least one unless `optional`.
    fn uri(&mut self, optional: bool) -> Accepted<()> {
        let start = self.cursor.pos;
        self.cursor.require(1)?;
        loop {
            match self.cursor.byte() {
                b'%' => self.octets()?,
                byte if is_word(byte) || URI.contains(&byte) => self.cursor.skip(),
                _ => break,
            }
            self.cursor.require(1)?;
        }
        if optional || self.cursor.pos > start {
            Ok(())
        } else {
            Err(self.cursor.refusal("did not find expected tag URI"))
        }
    }

    /// Skips a character written as `%C3%A9`.
    fn octets(&mut self) -> Accepted<()> {
        let mut left = None;
        while left != Some(0) {
            self.cursor.require(3)?;
            let octet = self.octet()?;
            left = Some(match left {
                None => self.octet_count(octet)? - 1,
                Some(left) if octet & 0xc0 == 0x80 => left - 1,
                Some(_) => {
                    let message = "found an incorrect trailing UTF-8 octet";
                    return Err(self.cursor.refusal(message));
                }
            });
            self.cursor.pos += 3;
        }
        Ok(())
    }

    fn octet(&self) -> Accepted<u8> {
        let digits = [1, 2].map(|at| char::from(self.cursor.byte_at(at)).to_digit(16));
        match (self.cursor.byte(), digits) {
            (b'%', [Some(high), Some(low)]) => Ok((high << 4 | low) as u8),
            _ => Err(self.cursor.refusal("did not find URI escaped octet")),
        }
    }

    /// Returns the number of octets of a character that begins with this one.
    fn octet_count(&self, first: u8) -> Accepted<usize> {
        match first.leading_ones() {
            0 => Ok(1),
            count @ 2..=4 => Ok(count as usize),
            _ => Err(self.cursor.refusal("found an incorrect leading UTF-8 octet")),
        }
    }

    fn directive(&mut self) -> Accepted<()> {
        self.end_blocks()?;
        let mut token = self.cursor.token(TokenKind::Handle);
        self.cursor.skip();
        let name = self.cursor.pos;
        let length = self.word()?;
        if length == 0 {
            return Err(self.cursor.refusal("could not find expected directive name"));
        }
        if !self.cursor.is_word_end(0) {
            return Err(self
                .cursor
                .refusal("found unexpected non-alphabetical character"));
        }
        let mut end = self.cursor.pos;
        match &self.cursor.text[name..name + length] {
            "YAML" => token.kind = TokenKind::Version(self.version()?),
            "TAG" => {
                let handle = self.tag_directive()?;
                token.start = handle.start as u32;
                end = handle.end;
            }
            _ => return Err(self.cursor.refusal("found unknown directive name")),
        }
        if !self.cursor.skip_rest_of_line()? {
            return Err(self
                .cursor
                .refusal("did not find expected comment or line break"));
        }
        self.push_until(token, end);
        Ok(())
    }

    /// Skips a version. Returns true if it is 1.1.
    fn version(&mut self) -> Accepted<bool> {
        self.cursor.require(1)?;
        self.cursor.skip_blanks()?;
        let major = self.number()?;
        if self.cursor.byte() != b'.' {
            let message = "did not find expected digit or '.' character";
            return Err(self.cursor.refusal(message));
        }
        self.cursor.skip();
        Ok((major, self.number()?) == (1, 1))
    }

    fn number(&mut self) -> Accepted<u8> {
        self.cursor.require(1)?;
        let mut value = 0;
        let mut length = 0;
        while self.cursor.byte().is_ascii_digit() {
            length += 1;
            if length > 2 {
                return Err(self.cursor.refusal("found extremely long version number"));
            }
            value = value * 10 + (self.cursor.byte() - b'0');
            self.cursor.skip();
            self.cursor.require(1)?;
        }
        match length {
            0 => Err(self.cursor.refusal("did not find expected version number")),
            _ => Ok(value),
        }
    }

    /// Skips a handle and its prefix. Returns the range of the handle.
    fn tag_directive(&mut self) -> Accepted<Range<usize>> {
        self.cursor.require(1)?;
        self.cursor.skip_blanks()?;
        let start = self.cursor.pos;
        self.handle(true)?;
        let end = self.cursor.pos;
        self.cursor.require(1)?;
        if !self.cursor.is_blank() {
            return Err(self.cursor.refusal("did not find expected whitespace"));
        }
        self.cursor.skip_blanks()?;
        self.uri(false)?;
        self.cursor.require(1)?;
        if self.cursor.is_word_end(0) {
            Ok(start..end)
        } else {
            Err(self.cursor.refusal("did not find expected whitespace or line break"))
        }
    }

    /// Skips letters, digits, `_` and `-`. Returns their number.
    fn word(&mut self) -> Accepted<usize> {
        let start = self.cursor.pos;
        self.cursor.require(1)?;
        while is_word(self.cursor.byte()) {
            self.cursor.skip();
            self.cursor.require(1)?;
        }
        Ok(self.cursor.pos - start)
    }
}

const URI: &[u8] = b";/?:@&=+$,.!~*'()[]";

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// Scalars: plain, quoted and block.
impl Scanner<'_> {
    fn plain(&mut self) -> Accepted<()> {
        let token = self.candidate(TokenKind::Scalar)?;
        let mut end = self.cursor.pos;
        let mut new_line = false;
        loop {
            self.cursor.require(4)?;
            if self.cursor.is_document_marker() || self.cursor.byte() == b'#' {
                break;
            }
            if self.plain_word()? {
                end = self.cursor.pos;
                new_line = false;
            }
            if !self.cursor.is_word_end(0) || self.cursor.ended() {
                break;
            }
            new_line = self.plain_gap()?;
            if !self.in_flow() && (self.cursor.column() as isize) <= self.indent {
                break;
            }
        }
        self.push_until(token, end);
        self.key_allowed = new_line;
        Ok(())
    }

    /// Skips words with single spaces between them. Returns true if it skipped anything.
    fn plain_word(&mut self) -> Accepted<bool> {
        let from = self.cursor.pos;
        let flow = if self.in_flow() { FLOW } else { 0 };
        loop {
            self.cursor.skip_until(BREAK | BLANK | COLON | flow);
            match (self.cursor.byte(), self.cursor.byte_at(1)) {
                (b':', _) if !self.cursor.is_word_end(1) => self.cursor.skip(),
                // One space inside text is the common case and needs no look at the gap.
                (b' ', next) if next.is_ascii_alphanumeric() => self.cursor.skip(),
                _ => break,
            }
        }
        let any = self.cursor.pos > from;
        if any {
            self.cursor.require(2)?;
        }
        Ok(any)
    }

    /// Skips blanks and line breaks. Returns true if there was a line break.
    fn plain_gap(&mut self) -> Accepted<bool> {
        let mut new_line = false;
        loop {
            if self.cursor.is_blank() {
                let outside = (self.cursor.column() as isize) <= self.indent;
                if new_line && outside && self.cursor.byte() == b'\t' {
                    let message = "found a tab character that violates indentation";
                    return Err(self.cursor.refusal(message));
                }
                self.cursor.skip();
            } else if self.cursor.is_break() {
                self.cursor.require(2)?;
                self.cursor.skip_break();
                new_line = true;
            } else {
                return Ok(new_line);
            }
            self.cursor.require(1)?;
        }
    }

    fn quoted(&mut self) -> Accepted<()> {
        let token = self.candidate(TokenKind::Scalar)?;
        self.key_allowed = false;
        let quote = self.cursor.byte();
        self.cursor.skip();
        loop {
            self.cursor.require(4)?;
            if self.cursor.is_document_marker() {
                return Err(self.cursor.refusal("found unexpected document indicator"));
            }
            if self.cursor.ended() {
                return Err(self.cursor.refusal("found unexpected end of stream"));
            }
            self.quoted_word(quote)?;
            self.cursor.require(1)?;
            if self.cursor.byte() == quote {
                break;
            }
            self.quoted_gap()?;
        }
        self.cursor.skip();
        self.push(token);
        Ok(())
    }

    /// Skips to the closing quote or a line break, or over an escaped line break.
    fn quoted_word(&mut self, quote: u8) -> Accepted<()> {
        let kind = if quote == b'"' { DOUBLE } else { SINGLE };
        loop {
            let from = self.cursor.pos;
            self.cursor.skip_until(BREAK | kind);
            if self.cursor.pos > from {
                self.cursor.require(2)?;
            }
            match (self.cursor.byte(), self.cursor.byte_at(1)) {
                (b'\'', b'\'') if quote == b'\'' => {
                    self.cursor.skip();
                    self.cursor.skip();
                }
                (b'\\', _) if quote == b'"' => {
                    if self.cursor.break_width(1) > 0 {
                        self.cursor.require(3)?;
                        self.cursor.skip();
                        self.cursor.skip_break();
                        return Ok(());
                    }
                    self.escape()?;
                }
                _ => return Ok(()),
            }
            self.cursor.require(2)?;
        }
    }

    fn escape(&mut self) -> Accepted<()> {
        let digits = match self.cursor.byte_at(1) {
            b'0' | b'a' | b'b' | b't' | b'\t' | b'n' | b'v' | b'f' | b'r' | b'e'
            | b' ' | b'"' | b'\'' | b'\\' | b'N' | b'_' | b'L' | b'P' => 0,
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            _ => return Err(self.cursor.refusal("found unknown escape character")),
        };
        self.cursor.skip();
        self.cursor.skip();
        self.cursor.require(digits)?;
        let mut code = 0u32;
        for ahead in 0..digits {
            let Some(digit) = char::from(self.cursor.byte_at(ahead)).to_digit(16) else {
                return Err(self
                    .cursor
                    .refusal("did not find expected hexdecimal number"));
            };
            code = code << 4 | digit;
        }
        if char::from_u32(code).is_none() {
            let message = "found invalid Unicode character escape code";
            return Err(self.cursor.refusal(message));
        }
        self.cursor.pos += digits;
        Ok(())
    }

    fn quoted_gap(&mut self) -> Accepted<()> {
        loop {
            if self.cursor.is_blank() {
                self.cursor.skip();
            } else if self.cursor.is_break() {
                self.cursor.require(2)?;
                self.cursor.skip_break();
            } else {
                return Ok(());
            }
            self.cursor.require(1)?;
        }
    }

    fn block_scalar(&mut self) -> Accepted<()> {
        self.drop_candidate()?;
        self.key_allowed = true;
        let token = self.cursor.token(TokenKind::Scalar);
        self.cursor.skip();
        let step = self.block_header()?;
        if !self.cursor.skip_rest_of_line()? {
            return Err(self
                .cursor
                .refusal("did not find expected comment or line break"));
        }
        let mut indent = step.map(|step| step + self.indent.max(0) as usize);
        let mut end = self.cursor.pos;
        loop {
            let column = self.block_indent(indent, &mut end)?;
            let indent = *indent.get_or_insert(column);
            if self.cursor.column() != indent || self.cursor.ended() {
                break;
            }
            self.cursor.skip_until(BREAK);
            self.cursor.require(2)?;
            self.cursor.skip_break();
            end = self.cursor.pos;
        }
        self.push_until(token, end);
        Ok(())
    }

    /// Skips the indicators after `|` or `>`. Returns the digit among them.
    fn block_header(&mut self) -> Accepted<Option<usize>> {
        let mut step = None;
        self.cursor.require(1)?;
        let chomped = self.chomping()?;
        if self.cursor.byte().is_ascii_digit() {
            if self.cursor.byte() == b'0' {
                return Err(self
                    .cursor
                    .refusal("found an indentation indicator equal to 0"));
            }
            step = Some(usize::from(self.cursor.byte() - b'0'));
            self.cursor.skip();
            if !chomped {
                self.cursor.require(1)?;
                self.chomping()?;
            }
        }
        self.cursor.require(1)?;
        Ok(step)
    }

    fn chomping(&mut self) -> Accepted<bool> {
        let found = matches!(self.cursor.byte(), b'+' | b'-');
        if found {
            self.cursor.skip();
            self.cursor.require(1)?;
        }
        Ok(found)
    }

    /// Skips empty lines and indentation. Returns `indent`, or the greatest depth.
    fn block_indent(
        &mut self,
        indent: Option<usize>,
        end: &mut usize,
    ) -> Accepted<usize> {
        let mut deepest = 0;
        loop {
            self.cursor.require(1)?;
            let indent_end = indent.unwrap_or(usize::MAX);
            while self.cursor.byte() == b' ' && self.cursor.column() < indent_end {
                self.cursor.skip();
            }
            self.cursor.require(1)?;
            deepest = deepest.max(self.cursor.column());
            if self.cursor.byte() == b'\t' && self.cursor.column() < indent_end {
                let message =
                    "found a tab character where an indentation space is expected";
                return Err(self.cursor.refusal(message));
            }
            if !self.cursor.is_break() {
                let least = (self.indent + 1).max(1) as usize;
                return Ok(indent.unwrap_or(deepest.max(least)));
            }
            self.cursor.require(2)?;
            self.cursor.skip_break();
            *end = self.cursor.pos;
        }
    }
}

/// A line break, or the first byte of one.
const BREAK: u8 = 1;
const BLANK: u8 = 2;
const COLON: u8 = 4;
/// Ends a plain scalar in a flow collection.
const FLOW: u8 = 8;
const SINGLE: u8 = 16;
/// `"` and `\`
const DOUBLE: u8 = 32;
/// A byte of a character after its first one.
const INNER: u8 = 64;

// The classes of each byte; 0xc2 and 0xe2 may begin a line break of YAML 1.1.
const CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'\n' | b'\r' | 0xc2 | 0xe2 => BREAK,
            b' ' | b'\t' => BLANK,
            b':' => COLON,
            b',' | b'?' | b'[' | b']' | b'{' | b'}' => FLOW,
            b'\'' => SINGLE,
            b'"' | b'\\' => DOUBLE,
            0x80..=0xbf => INNER,
            _ => 0,
        };
        byte += 1;
    }
    table
};

const BOM: &[u8] = "\u{feff}".as_bytes();

/// A position in the text. Beyond the end it reads NUL, which no accepted text has.
struct Cursor<'a> {
    text: &'a str,
    /// The bytes before the chunk of the unreadable character.
    bytes: &'a [u8],
    bad: Option<BadCharacter>,
    /// Offset in bytes.
    pos: usize,
    /// Number of the line, from 0.
    line: usize,
    /// [`Cursor::index`] of the line's first character.
    line_index: usize,
    /// Number of INNER bytes before `pos`.
    inner: usize,
}

impl<'a> Cursor<'a> {
    fn new(text: &'a str, bad: Option<BadCharacter>) -> Cursor<'a> {
        let readable = bad.as_ref().map_or(text.len(), |bad| bad.chunk_start);
        let bytes = &text.as_bytes()[..readable];
        let mut at =
            Cursor { text, bytes, bad, pos: 0, line: 0, line_index: 0, inner: 0 };
        if bytes.starts_with(BOM) {
            at.skip();
            at.line_index = at.index();
            // The first mark tells the encoding, a second one is skipped as a character.
            if bytes[BOM.len()..].starts_with(BOM) {
                at.skip();
            }
        }
        at
    }

    /// Returns the number of this character, from 0.
    #[inline]
    fn index(&self) -> usize {
        self.pos - self.inner
    }

    /// Returns the number of this character in its line, from 0.
    #[inline]
    fn column(&self) -> usize {
        self.index() - self.line_index
    }

    /// Checks that the next `count` characters can be read.
    #[inline]
    fn require(&self, count: usize) -> Accepted<()> {
        match &self.bad {
            // Called wherever yaml.v2 fills its buffer: a longer look ahead would meet an
            // unreadable character sooner, a shorter one later.
            Some(bad) if self.count_readable(count) < count => {
                Err(Box::new(bad.refusal.clone()))
            }
            _ => Ok(()),
        }
    }

    /// Returns the number of readable characters from here on, at most `most`.
    fn count_readable(&self, most: usize) -> usize {
        let rest = self.bytes.get(self.pos..).unwrap_or_default();
        rest.iter().filter(|&&byte| CLASS[byte as usize] & INNER == 0).take(most).count()
    }

    /// Returns an empty token here.
    fn token(&self, kind: TokenKind) -> ScannedToken {
        let here = self.pos as u32;
        ScannedToken { kind, line: self.line as u32, start: here, end: here, key: None }
    }

    fn refusal(&self, message: &str) -> Box<Refusal> {
        Refusal::in_line(self.line, self.line + 1, message, self.pos)
    }

    #[inline]
    fn byte(&self) -> u8 {
        self.byte_at(0)
    }

    #[inline]
    fn byte_at(&self, ahead: usize) -> u8 {
        self.bytes.get(self.pos + ahead).copied().unwrap_or(0)
    }

    #[inline]
    fn ended(&self) -> bool {
        self.byte() == 0
    }

    #[inline]
    fn is_blank(&self) -> bool {
        matches!(self.byte(), b' ' | b'\t')
    }

    fn is_break(&self) -> bool {
        self.break_width(0) > 0
    }

    fn is_line_end(&self) -> bool {
        self.is_break() || self.ended()
    }

    #[inline]
    fn is_word_end(&self, ahead: usize) -> bool {
        matches!(self.byte_at(ahead), b' ' | b'\t' | 0) || self.break_width(ahead) > 0
    }

    /// Returns the length of the line break some bytes ahead, or 0.
    fn break_width(&self, ahead: usize) -> usize {
        match (self.byte_at(ahead), self.byte_at(ahead + 1)) {
            (b'\r', b'\n') | (0xc2, 0x85) => 2,
            (b'\r' | b'\n', _) => 1,
            (0xe2, 0x80) if matches!(self.byte_at(ahead + 2), 0xa8 | 0xa9) => 3,
            _ => 0,
        }
    }

    /// Returns true if `---` or `...` stands alone at the beginning of a line.
    #[inline]
    fn is_document_marker(&self) -> bool {
        let rest = self.bytes.get(self.pos..).unwrap_or_default();
        (rest.starts_with(b"---") || rest.starts_with(b"..."))
            && self.column() == 0
            && self.is_word_end(3)
    }

    /// Skips a character that is no line break.
    #[inline]
    fn skip(&mut self) {
        self.pos += 1;
        while CLASS[self.byte() as usize] & INNER != 0 {
            self.pos += 1;
            self.inner += 1;
        }
    }

    fn skip_break(&mut self) {
        let width = self.break_width(0);
        if width == 0 {
            return;
        }
        self.inner += if self.byte() == b'\r' { 0 } else { width - 1 };
        self.pos += width;
        self.end_line();
    }

    /// Makes this the beginning of a line.
    fn end_line(&mut self) {
        self.line += 1;
        self.line_index = self.index();
    }

    fn skip_blanks(&mut self) -> Accepted<()> {
        while self.is_blank() {
            self.skip();
        }
        self.require(1)
    }

    /// Skips blanks, a comment and the break. Returns true if the line had nothing else.
    fn skip_rest_of_line(&mut self) -> Accepted<bool> {
        self.skip_blanks()?;
        self.skip_comment()?;
        let ended = self.is_line_end();
        if self.is_break() {
            self.require(2)?;
            self.skip_break();
        }
        Ok(ended)
    }

    fn skip_comment(&mut self) -> Accepted<()> {
        if self.byte() == b'#' {
            self.skip_until(BREAK);
            self.require(1)?;
        }
        Ok(())
    }

    /// Skips to the next byte of these classes, or to the end.
    fn skip_until(&mut self, stop: u8) {
        while let Some(&byte) = self.bytes.get(self.pos) {
            match CLASS[byte as usize] & (stop | INNER) {
                0 => self.pos += 1,
                INNER => {
                    self.pos += 1;
                    self.inner += 1;
                }
                BREAK if !self.is_break() => self.skip(),
                _ => return,
            }
        }
    }
}
