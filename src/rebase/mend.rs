//! The place that an op has moved to.

use super::name::Way;
use super::respell::Spelled;

/// A new target for an op, and the way that it leads along.
#[derive(Clone)]
pub(super) struct Mend {
    pub at: Spelled,
    pub way: Way,
}
