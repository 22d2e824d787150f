//! Tokens.

use std::ops::Range;

use super::refusal::Refusal;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    StreamEnd,
    /// `%YAML`, and whether it is 1.1.
    Version(bool),
    /// `%TAG`; the token's range is the handle.
    Handle,
    /// `---`
    DocumentStart,
    /// `...`
    DocumentEnd,
    BlockSequence,
    BlockMapping,
    /// Less indentation.
    BlockEnd,
    FlowSequence,
    FlowSequenceEnd,
    FlowMapping,
    FlowMappingEnd,
    /// `-`
    Item,
    /// `,`
    Comma,
    /// `?`, written or not.
    Key,
    /// `:`
    Value,
    Alias,
    Anchor,
    /// The token's range is the handle.
    Tag,
    Scalar,
}

/// A token and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) line: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    /// The flow level at which this token may turn out to begin a key.
    pub(super) key: Option<u16>,
}

impl Token {
    /// The bytes of the token.
    pub(super) fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The grammar's refusal of this token.
    pub(super) fn refusal(&self, message: &str) -> Box<Refusal> {
        let line = self.line as usize;
        Refusal::in_line(line, line, message, self.start as usize)
    }
}
