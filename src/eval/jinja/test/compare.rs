//! Tests that compare a value with another one: equality, order, membership, versions.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::eval::jinja::filter::parameter::{flag, given, text, value_error};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::version::{Scheme, compare};
use crate::eval::python::{
    self, Bound, Class, Comparison, Exception, Operator, Result, Signature, Value, binary,
};

#[rustfmt::skip]
pub(super) const TESTS: PluginTable = &[
    Plugin::signed("!=", Signature::positional("ne", &["a", "b"], &[]), operator),
    Plugin::signed("<", Signature::positional("lt", &["a", "b"], &[]), operator),
    Plugin::signed("<=", Signature::positional("le", &["a", "b"], &[]), operator),
    Plugin::signed("==", Signature::positional("eq", &["a", "b"], &[]), operator),
    Plugin::signed(">", Signature::positional("gt", &["a", "b"], &[]), operator),
    Plugin::signed(">=", Signature::positional("ge", &["a", "b"], &[]), operator),
    Plugin::new("contains", "contains", &["seq", "value"], &[], within),
    Plugin::new("divisibleby", "test_divisibleby", &["value", "num"], &[], divisible),
    Plugin::signed("eq", Signature::positional("eq", &["a", "b"], &[]), operator),
    Plugin::signed("equalto", Signature::positional("eq", &["a", "b"], &[]), operator),
    Plugin::of_value("even", "test_even", divisible),
    Plugin::signed("ge", Signature::positional("ge", &["a", "b"], &[]), operator),
    Plugin::signed("greaterthan", Signature::positional("gt", &["a", "b"], &[]), operator),
    Plugin::signed("gt", Signature::positional("gt", &["a", "b"], &[]), operator),
    Plugin::new("in", "test_in", &["value", "seq"], &[], within),
    Plugin::of_value("isnan", "isnotanumber", nan),
    Plugin::signed("le", Signature::positional("le", &["a", "b"], &[]), operator),
    Plugin::signed("lessthan", Signature::positional("lt", &["a", "b"], &[]), operator),
    Plugin::signed("lt", Signature::positional("lt", &["a", "b"], &[]), operator),
    Plugin::of_value("nan", "isnotanumber", nan),
    Plugin::signed("ne", Signature::positional("ne", &["a", "b"], &[]), operator),
    Plugin::of_value("odd", "test_odd", divisible),
    Plugin::new("sameas", "test_sameas", &["value", "other"], &[], sameas),
    Plugin::new("version", "version_compare", &["value", "version"],
        &["operator", "strict", "version_type"], version),
    Plugin::new("version_compare", "version_compare", &["value", "version"],
        &["operator", "strict", "version_type"], version),
];

/// `eq`, `ne`, `lt`, `le`, `gt`, `ge`, by all of their names.
fn operator(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([a, b], []) = arguments.split();
    let holds = match call.name {
        "eq" | "==" | "equalto" => python::equal(&a, &b)?,
        "ne" | "!=" => !python::equal(&a, &b)?,
        "lt" | "<" | "lessthan" => python::order(Comparison::Less, &a, &b)?,
        "le" | "<=" => python::order(Comparison::LessEqual, &a, &b)?,
        "gt" | ">" | "greaterthan" => python::order(Comparison::Greater, &a, &b)?,
        _ => python::order(Comparison::GreaterEqual, &a, &b)?,
    };
    Ok(Value::Bool(holds))
}

/// `in`, and `contains`, which has the operands swapped.
fn within(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([a, b], []) = arguments.split();
    let (value, container) = if call.name == "in" { (a, b) } else { (b, a) };
    python::contains(&container, &value).map(Value::Bool)
}

/// `sameas`: `is`.
fn sameas(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, other], []) = arguments.split();
    // Numbers and strings have no identity here: equal ones of one type are the same, which
    // CPython guarantees for small and constant ones only.
    Ok(Value::Bool(match (&value, &other) {
        (Value::None, Value::None) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
        (Value::Str(a), Value::Str(b)) => a == b && a.is_markup() == b.is_markup(),
        (Value::List(a), Value::List(b)) => a.is(b),
        (Value::Dict(a), Value::Dict(b)) => a.is(b),
        (Value::Set(a), Value::Set(b)) => Arc::ptr_eq(&a.0, &b.0),
        (Value::Object(a), Value::Object(b)) => Arc::ptr_eq(a, b),
        _ => false,
    }))
}

/// `even`, `odd` and `divisibleby`.
fn divisible(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let by = arguments.get(1).cloned().unwrap_or(Value::Int(2));
    let rest = binary(Operator::Mod, &arguments.value(0), &by)?;
    let wanted = Value::Int(i64::from(call.name == "odd"));
    python::equal(&rest, &wanted).map(Value::Bool)
}

fn nan(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    Ok(Value::Bool(matches!(arguments.only(), Value::Float(x) if x.is_nan())))
}

fn version(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, other], [operator, strict, kind]) = arguments.split();
    let strict = given(strict);
    let kind = given(kind);
    // Checked before the values, as in Ansible.
    if strict.is_some() && kind.is_some() {
        return value_error("Cannot specify both 'strict' and 'version_type'");
    }
    for (value, name) in [
        (&value, "Input version value"),
        (&other, "Version parameter to compare against"),
    ] {
        if !python::truth(value)? {
            return value_error(format!("{name} cannot be empty"));
        }
    }
    let strict = flag(strict, false)?;
    let kind = text(kind, if strict { "strict" } else { "loose" })?;
    let holds = holds(&text(operator, "eq")?)?;
    let scheme = match &*kind {
        "loose" => Scheme::Loose,
        "strict" => Scheme::Strict,
        "semver" | "semantic" => Scheme::Semantic,
        "pep440" => Scheme::Pep440,
        other => {
            return value_error(format!(
                "Invalid version type ({other}). Must be one of 'loose', 'strict', 'semver', \
                 'semantic', 'pep440'"
            ));
        }
    };
    let order = compare(&python::str(&value)?, &python::str(&other)?, scheme);
    let order = order.map_err(|error| match error.class {
        Class::Limit => error,
        _ => Exception::of_value(format!("Version comparison failed: {}", error.message)),
    })?;
    Ok(Value::Bool(holds(order)))
}

/// Parses an operator of a comparison of versions.
fn holds(operator: &str) -> Result<fn(Ordering) -> bool> {
    Ok(match operator {
        "==" | "=" | "eq" => Ordering::is_eq,
        "<" | "lt" => Ordering::is_lt,
        "<=" | "le" => Ordering::is_le,
        ">" | "gt" => Ordering::is_gt,
        ">=" | "ge" => Ordering::is_ge,
        "!=" | "<>" | "ne" => Ordering::is_ne,
        other => {
            return value_error(format!(
                "Invalid operator type ({other}). Must be one of '==', '=', 'eq', '<', 'lt', \
                 '<=', 'le', '>', 'gt', '>=', 'ge', '!=', '<>', 'ne'"
            ));
        }
    })
}
