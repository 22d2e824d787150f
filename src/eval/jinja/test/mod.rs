//! Tests: a value and arguments come in, whether it passes goes out.

use super::plugin::Table;

/// Every test, in the order of their names.
pub const TESTS: Table = &[];
