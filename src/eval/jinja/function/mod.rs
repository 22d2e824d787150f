//! Functions that every template knows: arguments come in, a value goes out.

mod builtin;
mod callable;
mod lookup;
mod namespace;
mod text;
mod turn;
mod value;

use super::plugin::{Plugin, PluginTable};

pub(super) use callable::Function;

/// Every function, in the order of their names.
pub const FUNCTIONS: PluginTable = &[
    Plugin::variadic("cycler", turn::cycler),
    Plugin::variadic("dict", builtin::dict),
    Plugin::variadic("joiner", turn::joiner),
    Plugin::variadic("lipsum", text::lipsum),
    Plugin::variadic("lookup", lookup::lookup).lenient(),
    Plugin::variadic("namespace", namespace::namespace),
    Plugin::variadic("now", value::now),
    Plugin::variadic("q", lookup::query).lenient(),
    Plugin::variadic("query", lookup::query).lenient(),
    Plugin::variadic("range", builtin::range),
    Plugin::variadic("undef", value::undef),
];
