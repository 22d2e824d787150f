//! The presentation style of a node.

/// The presentation style of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Style {
    /// Nothing at all: `a:`
    Empty,
    /// `text`
    Plain,
    /// `'text'`
    Single,
    /// `"text"`
    Double,
    /// `|`
    Literal,
    /// `>`
    Folded,
    /// `*name`
    Alias,
    /// `- a`
    BlockSequence,
    /// `a: b`
    BlockMapping,
    /// `[a]`
    FlowSequence,
    /// `{a: b}`
    FlowMapping,
    /// The mapping of one pair in `[a: b]`
    FlowPair,
}

impl Style {
    /// Returns true for the styles of sequences.
    pub fn is_sequence(self) -> bool {
        matches!(self, Style::BlockSequence | Style::FlowSequence)
    }

    /// Returns true for the styles of mappings.
    pub fn is_mapping(self) -> bool {
        matches!(self, Style::BlockMapping | Style::FlowMapping | Style::FlowPair)
    }

    /// Returns true for collections in brackets or braces.
    pub fn is_flow(self) -> bool {
        matches!(self, Style::FlowSequence | Style::FlowMapping)
    }

    /// Returns true for collections whose entries stand on lines of their own.
    pub fn is_block_collection(self) -> bool {
        matches!(self, Style::BlockSequence | Style::BlockMapping)
    }
}
