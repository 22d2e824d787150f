//! Shared by the printers that write aliases out: the size limit and the indentation.

use crate::diagnostic::{Diagnostic, Result};

/// The most bytes that a document printed with its aliases written out may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expansion(pub usize);

impl Default for Expansion {
    fn default() -> Self {
        Expansion(256 << 20)
    }
}

impl Expansion {
    /// Refuses a text that has grown past the limit. An entry that was skipped over because
    /// its key was there already counts as much as a short one that is printed.
    pub(super) fn check(self, length: usize, skipped: usize) -> Result<()> {
        if length + 16 * skipped <= self.0 {
            return Ok(());
        }
        let message = format!("the printed document exceeds {} bytes", self.0);
        Err(Diagnostic::error(message).hint("`--limit expansion=N` raises the limit"))
    }
}

const SPACES: &str = "                                                                ";

/// Appends `width` spaces.
pub(super) fn pad(out: &mut String, mut width: usize) {
    while width > SPACES.len() {
        out.push_str(SPACES);
        width -= SPACES.len();
    }
    out.push_str(&SPACES[..width]);
}
