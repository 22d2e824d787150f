//! Lookups: terms and options come in, what they lead to goes out.

pub(super) mod collection;

use super::plugin::Table;

/// Every lookup, in the order of their names.
pub const LOOKUPS: Table = &[];
