//! The size limit and the indentation of output with aliases written out.

use crate::diagnostic::{Diagnostic, Result};

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
    /// Checks that `length` bytes and `skipped` entries are within the limit.
    pub(crate) fn check(self, length: usize, skipped: usize) -> Result<()> {
        // An entry whose key was there already takes time but no space: it counts as a
        // short one. Otherwise merges of merges would take exponential time without
        // reaching the limit.
        if length + 16 * skipped <= self.0 {
            return Ok(());
        }
        let message = format!("the printed document exceeds {} bytes", self.0);
        Err(Diagnostic::error(message).hint("`--limit expansion=N` raises the limit"))
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
