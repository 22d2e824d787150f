//! The size limit and the indentation of output with aliases written out.

use crate::diagnostic::{Diagnostic, Result};
use crate::node::Tree;

/// The length of an entry that a `<<` provides, as far as the limit is concerned.
// Comparing two documents takes several looks at each entry.
const MERGED_ENTRY: usize = 64;

/// Maximum length in bytes of a document that is printed with its aliases written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expansion(pub usize);

impl Default for Expansion {
    fn default() -> Self {
        // Far above any real document, and below the memory of a small machine.
        Expansion(256 << 20)
    }
}

impl Expansion {
    /// Checks that the mappings of a document are within the limit with their `<<` written
    /// out, each counted once.
    ///
    /// # Errors
    /// They are not.
    pub fn check_merged(self, document: &Tree) -> Result<()> {
        let most = self.0 / MERGED_ENTRY;
        if document.merged_entries(most) <= most {
            return Ok(());
        }
        let what = "the document with its `<<` written out";
        Err(self.exceeded(what).at(document.first_line_of(document.root())))
    }

    /// Checks that `length` bytes and `skipped` entries are within the limit.
    ///
    /// # Errors
    /// The limit is exceeded.
    pub fn check(self, length: usize, skipped: usize) -> Result<()> {
        // An entry whose key was there already takes time but no space: it counts as a
        // short one. Otherwise merges of merges would take exponential time without
        // reaching the limit.
        if length + 16 * skipped <= self.0 {
            return Ok(());
        }
        Err(self.exceeded("the printed document"))
    }

    /// Checks that `bytes` of histories, which are held together, are within the limit.
    ///
    /// # Errors
    /// The limit is exceeded.
    pub fn check_histories(self, bytes: usize) -> Result<()> {
        if bytes <= self.0 {
            return Ok(());
        }
        Err(self.exceeded("the result with the histories of all its places"))
    }

    fn exceeded(self, what: &str) -> Box<Diagnostic> {
        let message = format!("{what} exceeds {} bytes", self.0);
        Diagnostic::error(message).hint("`--limit expansion=N` raises the limit")
    }
}

// Copied in one piece, since a loop over single spaces shows in deep documents.
const SPACES: &str = "                                                                ";

pub(super) fn pad(out: &mut String, mut width: usize) {
    while width > SPACES.len() {
        out.push_str(SPACES);
        width -= SPACES.len();
    }
    out.push_str(&SPACES[..width]);
}
