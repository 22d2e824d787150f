//! The instructions of a compiled pattern.

use super::class::Class;

/// Maximum number of instructions: repetitions such as `(a{100}){100}` multiply.
// A name of Kubernetes, `[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?`, has 130; half a MB is the most.
pub(super) const MAX_INSTRUCTIONS: usize = 10_000;

/// One step. A jump counts from its own place.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Instruction {
    /// Reads a character.
    Take(Class),
    /// Goes on elsewhere.
    Jump(isize),
    /// Goes on with the next instruction, and elsewhere.
    Split(isize),
}
