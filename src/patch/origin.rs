//! The place at which an op was written.

use crate::source::Span;

/// The place at which an op was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The op.
    pub span: Span,
    /// Its path.
    pub path: Span,
    /// The path from which it takes its value.
    pub from: Option<Span>,
    /// Its number in its file, from 0.
    pub number: u32,
}
