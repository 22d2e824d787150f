//! Options for reading a text.

use crate::scalar::Dialect;

/// How a text is to be read.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What plain scalars mean and what is accepted.
    pub dialect: Dialect,
    /// Refuse what YAML 1.2 forbids though common readers accept it.
    pub strict: bool,
    /// How deep collections may nest.
    pub depth: u32,
    /// What the text is to become, which is all that Go's reader looks into.
    pub target: Target,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            dialect: Dialect::Core,
            strict: false,
            depth: 10_000,
            target: Target::default(),
        }
    }
}

/// What Go's reader makes of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Target {
    /// Any value.
    #[default]
    Value,
    /// A list of records with these fields.
    Records(&'static [&'static str]),
    /// A mapping whose keys are taken as text.
    Entries,
}
