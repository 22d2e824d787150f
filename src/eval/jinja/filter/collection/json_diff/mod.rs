//! `json_diff`: the JSON Patch that makes one value of another, with the operations that the
//! Python package `jsonpatch` chooses.

mod array;
mod builder;
mod runs;

use super::patch::json_object;
use crate::eval::jinja::filter::parameter::value_error;
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::{Bound, Class, Result, Value};
use builder::PatchBuilder;

pub(super) const FILTERS: PluginTable = &[Plugin::new(
    "community.general.json_diff",
    "FilterModule.json_diff",
    &["inp", "target"],
    &[],
    json_diff,
)];

fn json_diff(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([inp, target], []) = arguments.split();
    let inp = json_object("json_diff", "input", inp)?;
    let target = json_object("json_diff", "target", target)?;
    let mut builder = PatchBuilder::new(&call.scope.context);
    let made = builder.compare(inp, target).and_then(|()| builder.operations());
    match made {
        Err(error) if !matches!(error.class, Class::Limit | Class::Recursion) => {
            value_error(format!("JSON diff failed: {}", error.message))
        }
        made => made,
    }
}
