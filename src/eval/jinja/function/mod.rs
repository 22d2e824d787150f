//! Functions that every template knows: arguments come in, a value goes out.

use super::plugin::Table;

/// Every function, in the order of their names.
pub const FUNCTIONS: Table = &[];
