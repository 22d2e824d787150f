//! Functions that every template knows: arguments come in, a value goes out.

mod builtin;
mod callable;
mod lookup;
mod namespace;
mod text;
mod turn;
mod value;

use super::plugin::{Plugin, PluginTable};
use crate::eval::python::Signature;

pub(super) use callable::Function;

/// Every function, in the order of their names.
pub const FUNCTIONS: PluginTable = &[
    Plugin::variadic("cycler", turn::cycler),
    Plugin::variadic("dict", builtin::dict),
    Plugin::new("joiner", Signature::new("joiner", &[], &["sep"]), turn::joiner),
    Plugin::new(
        "lipsum",
        Signature::new("generate_lorem_ipsum", &[], &["n", "html", "min", "max"]),
        text::lipsum,
    ),
    Plugin::variadic("lookup", lookup::lookup).lenient(),
    Plugin::variadic("namespace", namespace::namespace),
    Plugin::new("now", Signature::new("_now", &[], &["utc", "fmt"]), value::now),
    Plugin::variadic("q", lookup::query).lenient(),
    Plugin::variadic("query", lookup::query).lenient(),
    Plugin::new(
        "range",
        Signature::new("range", &["start"], &["stop", "step"]),
        builtin::range,
    ),
    Plugin::new("undef", Signature::new("_undef", &[], &["hint"]), value::undef),
];
