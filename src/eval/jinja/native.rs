//! Native types. The values that a template printed in, its value out: a single one is
//! the value itself, several are joined as text.

use crate::eval::python::{
    self, Class, Dict, Exception, MAX_DEPTH, Method, Result, Value, charge_new_container,
    limit_members, literal,
};
use crate::eval::{Context, secret};

use super::loop_context::LoopContext;
use super::plugin::FunctionValue;
use super::syntax::TemplateRules;
use super::undefined::{NoBranch, Undefined, is_omit};
use super::value::{ImportedModule, MacroValue};

/// Joins printed values. Fails if the text is longer than the limit.
pub(super) fn concat(
    nodes: Vec<Value>,
    rules: TemplateRules,
    context: &Context,
) -> Result<Value> {
    // The nodes are copied only if a secret is in sight: most runs have none.
    let from = context.has_secrets().then(|| nodes.clone());
    let made = whole(nodes, rules, context);
    match from {
        Some(from) => secret::keep(made, &from.iter().collect::<Vec<_>>(), context),
        None => made,
    }
}

fn whole(nodes: Vec<Value>, rules: TemplateRules, context: &Context) -> Result<Value> {
    // The older rules read a result that looks like a Python literal as one.
    if !rules.older {
        return join(nodes, context.limits.output);
    }
    let is_text = nodes.len() > 1;
    let nodes = nodes.into_iter().map(|node| match node {
        Value::None if is_text => Value::text("None"),
        node => node,
    });
    match join(nodes.collect(), context.limits.output)? {
        Value::Str(text) if !text.is_quoted() && !text.is_sensitive() => {
            Ok(literal::reread(&text))
        }
        range @ Value::Range(_) => python::iterate(&range).map(Value::list),
        other => Ok(other),
    }
}

fn join(mut nodes: Vec<Value>, longest: usize) -> Result<Value> {
    nodes.retain(|node| !matches!(node, Value::None));
    if nodes.len() <= 1 {
        return Ok(nodes.pop().unwrap_or(Value::None));
    }
    let mut text = String::new();
    for node in &nodes {
        match node {
            Value::Str(part) => text.push_str(part),
            node if node.downcast::<NoBranch>().is_some() => {}
            node => match finalize(node) {
                Ok(node) => text += &python::str(&node)?,
                Err(exception) if exception.class == Class::Omitted => {}
                Err(exception) if exception.class == Class::Unsupported => {
                    text += &python::str(node)?;
                }
                Err(exception) => return Err(exception),
            },
        }
        if text.len() > longest {
            return Err(too_long(longest));
        }
    }
    Ok(Value::text(text))
}

pub(super) fn too_long(longest: usize) -> Box<Exception> {
    let message = format!("a template gives more than {longest} characters");
    Exception::new(Class::Limit, message).hint("`--limit output=N` allows more")
}

/// Makes a result storable: sequences become lists, `omit` goes, undefined is raised.
pub(super) fn finalize(value: &Value) -> Result<Value> {
    Ok(storable(value, 0, &mut 0)?.unwrap_or_else(|| value.clone()))
}

/// Returns the storable value if it differs. `visits` counts a member at each place.
fn storable(value: &Value, depth: usize, visits: &mut usize) -> Result<Option<Value>> {
    *visits += 1;
    limit_members(*visits)?;
    if depth > MAX_DEPTH {
        let message = format!("a value nests deeper than {MAX_DEPTH}");
        return Err(Exception::new(Class::Recursion, message));
    }
    match value {
        Value::List(items) => {
            let items: Vec<Value> = items.read().clone();
            Ok(list(&items, depth, visits)?.map(Value::list))
        }
        Value::Tuple(items) => {
            let items = items.to_vec();
            Ok(Some(Value::list(list(&items, depth, visits)?.unwrap_or(items))))
        }
        Value::Set(set) => {
            let items: Vec<Value> = set.0.iter().map(|key| key.value().clone()).collect();
            Ok(Some(Value::list(list(&items, depth, visits)?.unwrap_or(items))))
        }
        Value::Dict(entries) => dict(entries, depth, visits),
        Value::Range(_) => Err(unsupported(value)),
        Value::Object(_) => object(value),
        _ => Ok(None),
    }
}

/// Returns the new members if one of them changes.
fn list(items: &[Value], depth: usize, visits: &mut usize) -> Result<Option<Vec<Value>>> {
    charge_new_container(items.len())?;
    let mut changed = false;
    let mut stored = Vec::with_capacity(items.len());
    for item in items {
        if is_omit(item) {
            changed = true;
            continue;
        }
        let new = storable(item, depth + 1, visits)?;
        changed |= new.is_some();
        stored.push(new.unwrap_or_else(|| item.clone()));
    }
    Ok(changed.then_some(stored))
}

fn dict(entries: &Dict, depth: usize, visits: &mut usize) -> Result<Option<Value>> {
    let entries: Vec<_> =
        entries.read().iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    charge_new_container(entries.len())?;
    let mut changed = false;
    let mut stored = Vec::with_capacity(entries.len());
    for (key, value) in entries {
        if matches!(key.value(), Value::Tuple(_)) {
            return Err(unsupported(key.value()));
        }
        if is_omit(&value) {
            changed = true;
            continue;
        }
        let new = storable(&value, depth + 1, visits)?;
        changed |= new.is_some();
        stored.push((key, new.unwrap_or(value)));
    }
    Ok(changed.then(|| Value::Dict(stored.into_iter().collect())))
}

fn object(value: &Value) -> Result<Option<Value>> {
    if let Some(undefined) = value.downcast::<Undefined>() {
        return match undefined.text() {
            Some(text) => Ok(Some(Value::text(text))),
            None => Err(undefined.exception()),
        };
    }
    if is_omit(value) {
        let message = "A template was resolved to an Omit scalar.";
        return Err(Exception::new(Class::Omitted, message));
    }
    let internal = value.downcast::<NoBranch>().is_some()
        || value.downcast::<ImportedModule>().is_some()
        || value.downcast::<LoopContext>().is_some()
        || value.downcast::<MacroValue>().is_some()
        || value.downcast::<FunctionValue>().is_some()
        || value.downcast::<Method>().is_some();
    if internal { Err(unsupported(value)) } else { Ok(None) }
}

fn unsupported(value: &Value) -> Box<Exception> {
    let name = value.type_name();
    let message = format!("Type '{name}' is unsupported for variable storage.");
    Exception::new(Class::Unsupported, message)
}
