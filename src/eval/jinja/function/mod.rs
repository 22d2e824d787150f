//! Functions that every template knows: arguments come in, a value goes out.

mod lipsum;
mod lookup;
mod value;

use super::plugin::{Plugin, PluginTable};
use crate::eval::python::Signature;

/// Every function, in the order of their names.
pub const FUNCTIONS: PluginTable = &[
    Plugin::variadic("cycler", value::cycler),
    Plugin::variadic("dict", value::dict),
    Plugin::new("joiner", Signature::new("joiner", &[], &["sep"]), value::joiner),
    Plugin::new(
        "lipsum",
        Signature::new("generate_lorem_ipsum", &[], &["n", "html", "min", "max"]),
        lipsum::lipsum,
    ),
    Plugin::variadic("lookup", lookup::lookup).lenient(),
    Plugin::variadic("namespace", value::namespace),
    Plugin::new("now", Signature::new("_now", &[], &["utc", "fmt"]), value::now),
    Plugin::variadic("q", lookup::query).lenient(),
    Plugin::variadic("query", lookup::query).lenient(),
    Plugin::new(
        "range",
        Signature::new("range", &["start"], &["stop", "step"]),
        value::range,
    ),
    Plugin::new("undef", Signature::new("_undef", &[], &["hint"]), value::undef),
];
