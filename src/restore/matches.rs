//! The lines, entries and mappings that three texts have in common.

use hashbrown::HashSet;

use super::matched_nodes::MatchedNodes;
use crate::arena::Index;

/// The result of a walk over the same document in three texts.
#[derive(Default)]
pub(super) struct Matches {
    pub lines: Vec<MatchedLine>,
    pub entries: Vec<MatchedEntry>,
    /// The mappings, the outer ones first.
    pub mappings: Vec<MatchedNodes>,
    /// The lines of the expansion that are matched.
    met: HashSet<usize>,
}

impl Matches {
    /// Returns true the first time that a line of the expansion is matched.
    pub(super) fn is_new_line(&mut self, expanded: usize) -> bool {
        self.met.insert(expanded)
    }
}

/// The numbers of the lines that hold the same entry. The number behind the last line
/// stands for the end of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct MatchedLine {
    /// The line in the saved document; `None` if the entry is not written there.
    pub saved: Option<usize>,
    pub expanded: usize,
    pub edited: usize,
}

/// An entry, by its key and its value, or an item, twice by itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct MatchedEntry {
    /// The entry in the saved document; `None` if it is inherited.
    pub saved: Option<(Index, Index)>,
    pub edited: (Index, Index),
}
