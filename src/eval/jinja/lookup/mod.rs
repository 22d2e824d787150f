//! Lookups: terms and options come in, what they lead to goes out.

use super::plugin::Table;

/// Every lookup, in the order of their names.
pub const LOOKUPS: Table = &[];
