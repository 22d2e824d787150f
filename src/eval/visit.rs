//! Limits how much of a value an operation may visit.

use std::cell::Cell;

use super::Context;
use crate::eval::python::{Class, Exception, MAX_DEPTH, MAX_MEMBERS, Result};

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

    /// Counts a value at a depth. Raises beyond [`MAX_MEMBERS`] or [`MAX_DEPTH`].
    pub(super) fn visit(&self, depth: usize) -> Result<()> {
        self.met.set(self.met.get() + 1);
        if self.met.get() > MAX_MEMBERS {
            let message = format!(
                "an operation meets more than {MAX_MEMBERS} values; what stands in many places is \
                 met in each"
            );
            return Err(Exception::new(Class::Limit, message));
        }
        if depth > MAX_DEPTH {
            return Err(Exception::new(
                Class::Recursion,
                "maximum recursion depth exceeded",
            ));
        }
        self.context.spend(1)
    }
}
