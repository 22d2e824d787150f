//! Work of the walk over three versions.

use super::remedy::Remedy;
use super::visit::Visit;

/// Work that is left, the next item last.
pub(super) enum Task {
    Visit(Visit),
    Conflict(Option<u32>, Remedy),
}
