//! The result of a merge.

use std::fmt::{self, Write};

/// The number of signs in a conflict marker of git.
pub const MARKER_SIZE: usize = 7;

/// The result of a merge.
#[derive(Clone, Debug)]
pub struct Merged {
    pub(super) pieces: Vec<Piece>,
    /// The places that both sides changed differently; of a merge by lines none.
    pub conflicts: Vec<Conflict>,
}

impl Merged {
    /// Returns a result without conflicts.
    pub(super) fn clean(text: &str) -> Merged {
        Merged::new(vec![Piece::Merged(text.to_owned())], Vec::new())
    }

    /// Returns the result that has conflicts at some paths of a document.
    pub(super) fn new(pieces: Vec<Piece>, paths: Vec<String>) -> Merged {
        let conflict = |path| Conflict { document: None, path };
        Merged { pieces, conflicts: paths.into_iter().map(conflict).collect() }
    }

    /// Returns the result in which the whole document is one conflict.
    pub(super) fn conflict(pieces: Vec<Piece>) -> Merged {
        Merged::new(pieces, vec![String::new()])
    }

    /// Returns the merge of base, ours and theirs if it needs no look at what changed: the
    /// sides are the same, or one side is as the base.
    pub(super) fn obvious([base, ours, theirs]: [&str; 3]) -> Option<Merged> {
        if ours == theirs || base == theirs {
            return Some(Merged::clean(ours));
        }
        (base == ours).then(|| Merged::clean(theirs))
    }

    /// Returns true if a part of the text has no merged form.
    pub fn has_conflicts(&self) -> bool {
        let conflicts = |piece: &Piece| matches!(piece, Piece::Conflict { .. });
        !self.conflicts.is_empty() || self.pieces.iter().any(conflicts)
    }

    /// Returns the merged text with ours at all conflicts.
    pub fn ours(&self) -> String {
        self.pieces.iter().map(Piece::ours).collect()
    }

    /// Returns the merged text with theirs at all conflicts.
    pub fn theirs(&self) -> String {
        self.pieces.iter().map(Piece::theirs).collect()
    }

    /// Returns the merged text with the conflict markers of git, of `size` signs, around the
    /// lines of each conflict.
    pub fn marked(&self, size: usize) -> String {
        let crlf = self.pieces.iter().any(|piece| piece.ours().contains("\r\n"));
        let newline = if crlf { "\r\n" } else { "\n" };
        let mut text = String::new();
        for piece in &self.pieces {
            let (ours, theirs) = match piece {
                Piece::Merged(merged) => {
                    text.push_str(merged);
                    continue;
                }
                Piece::Conflict { ours, theirs } => (ours, theirs),
            };
            let sides = [('<', " ours", ours), ('=', "", theirs)];
            for (sign, name, lines) in sides {
                end_line(&mut text, newline);
                let marker = sign.to_string().repeat(size);
                // A `String` takes all that is written.
                write!(text, "{marker}{name}{newline}{lines}").ok();
            }
            end_line(&mut text, newline);
            write!(text, "{} theirs{newline}", ">".repeat(size)).ok();
        }
        text
    }
}

fn end_line(text: &mut String, newline: &str) {
    if !text.is_empty() && !text.ends_with(['\n', '\r']) {
        text.push_str(newline);
    }
}

/// A place that both sides changed differently.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflict {
    /// In a stream of documents: which of them, as `where` of an op selects it, or
    /// `document=2` if they have no names.
    pub document: Option<String>,
    /// The path in the document: `/a/name=x/b`; empty for all of it.
    pub path: String,
}

/// Prints the path, behind the document if there are several. An empty path, which nobody
/// would see, prints as `/ (the document)`; `/` alone is the entry with an empty key.
impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(document) = &self.document {
            write!(f, "{document} ")?;
        }
        f.write_str(if self.path.is_empty() { "/ (the document)" } else { &self.path })
    }
}

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
