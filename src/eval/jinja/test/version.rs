//! Versions: two texts and the way to read them come in, their order goes out.

use std::cmp::Ordering;

use crate::eval::jinja::CallSite;
use crate::eval::jinja::filter::parameter::{given, text};
use crate::eval::python::version::{Scheme, compare};
use crate::eval::python::{self, Bound, Exception, Result, Value};

/// `version`, `version_compare`
pub(super) fn version(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, other], [operator, strict, kind]) = arguments.split();
    let (strict, kind) = (given(strict), given(kind));
    if strict.is_some() && kind.is_some() {
        let message = "Cannot specify both 'strict' and 'version_type'";
        return Err(Exception::of_value(message));
    }
    for (value, name) in [
        (&value, "Input version value"),
        (&other, "Version parameter to compare against"),
    ] {
        if !python::truth(value)? {
            return Err(Exception::of_value(format!("{name} cannot be empty")));
        }
    }
    let strict = strict.map_or(Ok(false), |strict| python::truth(&strict))?;
    let kind = text(kind, if strict { "strict" } else { "loose" })?;
    let holds = holds(&text(operator, "eq")?)?;
    let scheme = match &*kind {
        "loose" => Scheme::Loose,
        "strict" => Scheme::Strict,
        "semver" | "semantic" => Scheme::Semantic,
        "pep440" => Scheme::Pep440,
        other => {
            return Err(Exception::of_value(format!(
                "Invalid version type ({other}). Must be one of 'loose', 'strict', 'semver', \
                 'semantic', 'pep440'"
            )));
        }
    };
    let order = compare(&python::str(&value)?, &python::str(&other)?, scheme);
    let order = order.map_err(|error| {
        Exception::of_value(format!("Version comparison failed: {}", error.message))
    })?;
    Ok(Value::Bool(holds(order)))
}

/// For which order an operator holds.
fn holds(operator: &str) -> Result<fn(Ordering) -> bool> {
    Ok(match operator {
        "==" | "=" | "eq" => Ordering::is_eq,
        "<" | "lt" => Ordering::is_lt,
        "<=" | "le" => Ordering::is_le,
        ">" | "gt" => Ordering::is_gt,
        ">=" | "ge" => Ordering::is_ge,
        "!=" | "<>" | "ne" => Ordering::is_ne,
        other => {
            return Err(Exception::of_value(format!(
                "Invalid operator type ({other}). Must be one of '==', '=', 'eq', '<', 'lt', \
                 '<=', 'le', '>', 'gt', '>=', 'ge', '!=', '<>', 'ne'"
            )));
        }
    })
}
