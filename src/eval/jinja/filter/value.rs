//! Filters of any value: defaults, conditions, types, attributes.

use super::parameter::{given, text, type_error_of};
use crate::eval::jinja::{
    CallSite, Plugin, PluginTable, Undefined, defined, is_undefined,
};
use crate::eval::python::{self, Bound, Class, Exception, Result, Value};

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    Plugin::new("attr", "do_attr", &["obj", "name"], &[], attr),
    Plugin::of_value("bool", "to_bool", bool),
    Plugin::new("d", "ansible_default", &["value"], &["default_value", "boolean"], default).lenient(),
    Plugin::new("default", "ansible_default", &["value"], &["default_value", "boolean"], default).lenient(),
    Plugin::new("mandatory", "mandatory", &["a"], &["msg"], mandatory).lenient(),
    Plugin::of_value("pprint", "do_pprint", pprint),
    Plugin::new("ternary", "ternary", &["value", "true_val", "false_val"], &["none_val"], ternary).lenient(),
    Plugin::of_value("type_debug", "type_debug", type_debug).lenient(),
];

/// `default`, `d`: replaces an undefined value, or a false one if `boolean` is set.
fn default(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [other, boolean]) = arguments.split();
    // Ansible, unlike Jinja, accepts a bool only.
    let falsy = match boolean {
        None => false,
        Some(Value::Bool(falsy)) => falsy,
        Some(other) => {
            let wrong = "The 'boolean' argument must be of type 'bool', not '{}'.";
            return type_error_of(&other, wrong);
        }
    };
    if is_undefined(&value) || (falsy && !python::truth(&defined(value.clone())?)?) {
        return Ok(other.unwrap_or_else(|| Value::text("")));
    }
    Ok(value)
}

fn mandatory(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [message]) = arguments.split();
    let Some(undefined) = value.downcast::<Undefined>().filter(|it| it.is_missing())
    else {
        return Ok(value);
    };
    let why = undefined.exception().message;
    let message = match given(message) {
        Some(message) => python::str(&message)?,
        None => format!("Mandatory variable not defined: {why}"),
    };
    Err(Exception::new(Class::Value, message))
}

fn ternary(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, yes, no], [none]) = arguments.split();
    // The filter accepts undefined results, but the condition must be defined.
    match (defined(value)?, given(none)) {
        (Value::None, Some(none)) => Ok(none),
        (value, _) if python::truth(&value)? => Ok(yes),
        _ => Ok(no),
    }
}

fn type_debug(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = arguments.only();
    // Ansible converts the views of a dict to lists before a template sees them.
    let is_view = value.downcast::<python::View>().is_some();
    Ok(Value::text(if is_view { "list" } else { value.type_name() }))
}

/// `bool`: true for the strings that YAML 1.1 reads as true, and for 1.
fn bool(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let holds = match &arguments.only() {
        Value::Str(text) => {
            matches!(&*text.to_lowercase(), "yes" | "on" | "true" | "1")
        }
        other => python::equal(other, &Value::Int(1))?,
    };
    Ok(Value::Bool(holds))
}

/// `attr`: returns an attribute, but no item.
fn attr(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, name], []) = arguments.split();
    let name = text(Some(name), "")?;
    // Names with an underscore are internals of Python, which templates must not reach.
    let found =
        if name.starts_with('_') { None } else { python::attribute(&value, &name)? };
    let kind = value.type_name();
    let missing = || format!("object of type '{kind}' has no attribute '{name}'");
    Ok(found.unwrap_or_else(|| Undefined::because(missing())))
}

fn pprint(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    python::repr(&arguments.only()).map(Value::from)
}
