//! A part of the merged text.

/// A part of the merged text, in whole lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Merged(String),
    Conflict { ours: String, theirs: String },
}

impl Piece {
    pub(super) fn ours(&self) -> &str {
        match self {
            Piece::Merged(text) => text,
            Piece::Conflict { ours, .. } => ours,
        }
    }

    pub(super) fn theirs(&self) -> &str {
        match self {
            Piece::Merged(text) => text,
            Piece::Conflict { theirs, .. } => theirs,
        }
    }
}
