//! Functions that every template knows: arguments come in, a value goes out.

mod builtin;
mod callable;
mod namespace;

use super::plugin::{Entry, Table};

pub(super) use callable::Function;

/// Every function, in the order of their names.
pub const FUNCTIONS: Table = &[
    Entry::new("dict", builtin::dict),
    Entry::new("namespace", namespace::namespace),
    Entry::new("range", builtin::range),
];
