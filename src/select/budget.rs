//! The steps and the memory that queries may take.

use crate::diagnostic::{Diagnostic, Result};

/// Maximum number of steps of the queries of a run, unless a caller sets another. A step
/// visits a child or compares a node.
// Three seconds at most: `$..a` takes as many in a document of 50 million nodes.
pub const MAX_STEPS: u64 = 50_000_000;

/// Maximum number of bytes that the nodes a query meets may take, unless a caller sets another.
// The maximum of a document with its aliases expanded, too.
const MAX_BYTES: usize = 256 << 20;

/// The number of bytes that a query may keep in any case.
// A low limit is meant for large documents.
const FEWEST_BYTES: usize = 1 << 20;

/// The remaining budget of all queries of a run.
#[derive(Clone, Debug)]
pub struct QueryBudget {
    limit: u64,
    pub(super) steps_left: u64,
    /// Maximum number of bytes of what one query keeps at a time.
    bytes: usize,
}

impl Default for QueryBudget {
    fn default() -> Self {
        QueryBudget::new(MAX_STEPS, MAX_BYTES)
    }
}

impl QueryBudget {
    /// Creates a budget of steps for all queries together, and of bytes for what one of them
    /// selects.
    pub fn new(steps: u64, bytes: usize) -> QueryBudget {
        QueryBudget { limit: steps, steps_left: steps, bytes }
    }

    /// Creates a budget of steps.
    pub fn of_steps(steps: u64) -> QueryBudget {
        QueryBudget::new(steps, MAX_BYTES)
    }

    /// Returns true if no step is left.
    pub(crate) fn is_spent(&self) -> bool {
        self.steps_left == 0
    }

    /// Takes steps, and one more.
    ///
    /// # Errors
    /// Fewer steps are left.
    pub(crate) fn take(&mut self, count: usize) -> Result<()> {
        if let Some(left) = self.steps_left.checked_sub(count as u64 + 1) {
            self.steps_left = left;
            return Ok(());
        }
        self.steps_left = 0;
        let message = format!("the queries take more than {} steps", self.limit);
        Err(Diagnostic::error(message).hint("`--limit query-steps=N` raises the limit"))
    }

    /// Checks the number of bytes that a query keeps.
    ///
    /// # Errors
    /// There are too many.
    pub(crate) fn check_kept(&self, bytes: usize) -> Result<()> {
        if bytes <= FEWEST_BYTES { Ok(()) } else { self.check_selected(bytes) }
    }

    /// Checks the number of bytes that what a query selects has when it is printed.
    ///
    /// # Errors
    /// There are too many.
    pub(crate) fn check_selected(&self, bytes: usize) -> Result<()> {
        if bytes <= self.bytes {
            return Ok(());
        }
        let message =
            format!("what the query selects takes more than {} bytes", self.bytes);
        Err(Diagnostic::error(message).hint("`--limit expansion=N` raises the limit"))
    }
}
