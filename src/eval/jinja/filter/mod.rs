//! Filters: the piped value and arguments come in, a value goes out.

use super::plugin::Table;

/// Every filter, in the order of their names.
pub const FILTERS: Table = &[];
