//! Options for reading a text.

use crate::scalar::Dialect;

/// Options for reading a text.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The dialect: the meaning of plain scalars, and the grammar.
    pub dialect: Dialect,
    /// True to refuse what YAML 1.2 forbids although common readers accept it.
    pub strict: bool,
    /// Maximum depth of nested collections.
    pub depth: u32,
    /// The type that the text is decoded into; yaml.v2 checks only what it needs for it.
    pub target: DecodeTarget,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            dialect: Dialect::Core,
            strict: false,
            // The limit of yaml.v2.
            depth: 10_000,
            target: DecodeTarget::default(),
        }
    }
}

/// The type that yaml.v2 decodes a text into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DecodeTarget {
    /// Any value.
    #[default]
    Value,
    /// A list of records with these fields.
    Records(&'static [&'static str]),
    /// A mapping whose keys are text.
    Entries,
}
