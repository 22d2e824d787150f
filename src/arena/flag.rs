//! Bits of [`RawNode::flags`](super::RawNode::flags).

/// The scalar spans several lines.
pub const MULTILINE: u8 = 1;
/// This subtree contains an alias.
pub const HAS_ALIAS: u8 = 2;
/// This subtree contains an anchor.
pub const HAS_ANCHOR: u8 = 4;
/// The plain key `<<`.
pub const MERGE_KEY: u8 = 8;
/// The text differs from the bytes between the quotes: escapes, `''`, folding.
pub const COOKED: u8 = 16;
/// The node has properties.
pub const PROPS: u8 = 32;
/// The indicator or the column of the node has no room in its record.
pub const OVERFLOW: u8 = 64;
