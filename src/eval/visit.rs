//! Limits how much of a value an operation may visit.

use std::cell::Cell;

use super::Context;
use crate::eval::python::{Result, limit_depth, max_members, too_large};

/// Counts the values that an operation visits. A list may hold the same list twice, sixty
/// levels deep: 2^60 visits, although the value takes little memory.
pub(super) struct VisitCounter<'c> {
    context: &'c Context,
    met: Cell<usize>,
}

impl<'c> VisitCounter<'c> {
    pub(super) fn new(context: &'c Context) -> VisitCounter<'c> {
        VisitCounter { context, met: Cell::new(0) }
    }

    /// Counts a value at a depth. Raises beyond the limits of operations.
    pub(super) fn visit(&self, depth: usize) -> Result<()> {
        self.met.set(self.met.get() + 1);
        let most = max_members();
        if self.met.get() > most {
            let message = format!(
                "an operation meets more than {most} values; what stands in many places is \
                 met in each"
            );
            return Err(too_large(message));
        }
        limit_depth(depth, "")?;
        self.context.spend(1)
    }
}
