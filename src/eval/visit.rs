//! What an operation meets on its way through a value comes in; the complaint that it is too
//! much goes out.

use std::cell::Cell;

use super::Context;
use crate::eval::python::{Class, Exception, MAX_DEPTH, MAX_MEMBERS, Result};

/// A way through a value. A list may hold the same list twice, and that one another: what
/// stands in many places is met in each of them, and so there may be more to meet than
/// anybody has time for.
pub(super) struct VisitCounter<'c> {
    context: &'c Context,
    met: Cell<usize>,
}

impl<'c> VisitCounter<'c> {
    /// A way that has met nothing yet.
    pub(super) fn new(context: &'c Context) -> VisitCounter<'c> {
        VisitCounter { context, met: Cell::new(0) }
    }

    /// Meets a value, so deep in the one that the way began at.
    ///
    /// # Errors
    /// It is one more than [`MAX_MEMBERS`], deeper than [`MAX_DEPTH`] or more than the run may take.
    pub(super) fn visit(&self, depth: usize) -> Result<()> {
        self.met.set(self.met.get() + 1);
        if self.met.get() > MAX_MEMBERS {
            let message = format!(
                "an operation meets more than {MAX_MEMBERS} values; what stands in many places is \
                 met in each"
            );
            return Err(Exception::new(Class::Limit, message));
        }
        if depth <= MAX_DEPTH {
            self.context.spend(1)
        } else {
            Err(Exception::new(Class::Recursion, "maximum recursion depth exceeded"))
        }
    }
}
