//! Functions that every template knows: arguments come in, a value goes out.

mod builtin;
mod callable;
mod lookup;
mod namespace;
mod text;
mod turn;
mod value;

use super::plugin::{Entry, Table};

pub(super) use callable::Function;

/// Every function, in the order of their names.
pub const FUNCTIONS: Table = &[
    Entry::new("cycler", turn::cycler),
    Entry::new("dict", builtin::dict),
    Entry::new("joiner", turn::joiner),
    Entry::new("lipsum", text::lipsum),
    Entry::lenient("lookup", lookup::lookup),
    Entry::new("namespace", namespace::namespace),
    Entry::new("now", value::now),
    Entry::lenient("q", lookup::query),
    Entry::lenient("query", lookup::query),
    Entry::new("range", builtin::range),
    Entry::new("undef", value::undef),
];
