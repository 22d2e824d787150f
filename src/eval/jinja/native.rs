//! Native types. The values that a template printed in, its value out: a single one is
//! the value itself, several are joined as text.

use crate::eval::finalize::finalize;
use crate::eval::python::{self, Class, Exception, Result, Value, literal};
use crate::eval::{Context, complete, secret};

use super::syntax::TemplateRules;
use super::undefined::NoBranch;

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
        return join(nodes, context, |node| finalize(&complete(node, context)?));
    }
    let is_text = nodes.len() > 1;
    let nodes = nodes.into_iter().map(|node| match node {
        Value::None if is_text => Value::text("None"),
        node => node,
    });
    match join(nodes.collect(), context, finalize)? {
        Value::Str(text) if !text.is_quoted() && !text.is_sensitive() => {
            Ok(literal::reread(&text))
        }
        range @ Value::Range(_) => python::iterate(&range).map(Value::list),
        other => Ok(other),
    }
}

/// Joins values as text. `store` makes one that is no text storable.
fn join(
    mut nodes: Vec<Value>,
    context: &Context,
    store: impl Fn(&Value) -> Result<Value>,
) -> Result<Value> {
    let longest = context.limits.output;
    nodes.retain(|node| !matches!(node, Value::None));
    if nodes.len() <= 1 {
        return Ok(nodes.pop().unwrap_or(Value::None));
    }
    let mut text = String::new();
    for node in &nodes {
        match node {
            Value::Str(part) => text.push_str(part),
            node if node.downcast::<NoBranch>().is_some() => {}
            node => match store(node) {
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
