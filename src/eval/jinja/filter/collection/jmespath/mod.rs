//! `json_query`: queries by JMESPath expressions.

mod expression;
mod parse;

use crate::eval::jinja::filter::parameter::string;
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::{Bound, Class, Result, Value};
use crate::eval::visit::VisitCounter;

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    Plugin::new("community.general.json_query", "json_query", &["data", "expr"], &[], json_query),
];

fn json_query(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([data, query], []) = arguments.split();
    let query = string(&query, "a JMESPath expression is a string,")?;
    let walk = VisitCounter::new(&call.scope.context);
    let found = parse::parse(query).and_then(|found| found.search(&data, &walk));
    found.map_err(|mut error| {
        let kind = match error.class {
            Class::Limit | Class::Recursion => return error,
            Class::Syntax => "JMESPathError",
            _ => "Error in jmespath.search",
        };
        // A syntax error of the query is not one of the template around it.
        error.class = Class::Value;
        error.message = format!("{kind} in json_query filter plugin:\n{}", error.message);
        error
    })
}
