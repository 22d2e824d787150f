//! `foreach` and `select`: evaluates an expression for each result of another one.

use crate::eval::Scope;
use crate::eval::python::{Dict, Key, Object, Result, Value};

use super::expression::{self, data, is_embedded, value};
use super::path::one_of;
use super::resource::ResourceRef;
use super::trace::{ITEM, RESOURCE, START};

/// Values of `$break` and `$continue`.
#[derive(Clone, Copy, Debug, PartialEq)]
enum LoopSignal {
    Break,
    Continue,
}

impl Object for LoopSignal {
    fn type_name(&self) -> &str {
        "signal"
    }
}

/// Evaluates an expression for each result, or for each item if the only result is a list.
pub(super) fn results(
    select: &Value,
    results: Vec<Value>,
    scope: &Scope,
) -> Result<Vec<Value>> {
    // Unfurl's spelling of a loop that keeps its items.
    if select.as_str() == Some("$true") {
        return Ok(results);
    }
    let items = match results.as_slice() {
        [Value::List(items)] => items.items()?,
        _ => results,
    };
    let pairs = items.into_iter().enumerate();
    pass(select, pairs.map(|(at, item)| (Value::from(at as i64), item)).collect(), scope)
}

/// Evaluates an expression for each member of the value that it starts from.
pub(super) fn over_members(select: &Value, scope: &Scope) -> Result<Vec<Value>> {
    let pairs = match &scope.here {
        Value::Dict(entries) => {
            let entries = entries.entries()?.into_iter();
            entries.map(|(key, value)| (key.value().clone(), value)).collect()
        }
        Value::List(items) => {
            let items = items.items()?.into_iter().enumerate();
            items.map(|(at, item)| (Value::from(at as i64), item)).collect()
        }
        other => vec![(Value::Int(0), other.clone())],
    };
    pass(select, pairs, scope)
}

struct ForeachLoop<'a> {
    scope: &'a Scope,
    resource: Value,
    collection: Value,
    key: Option<Value>,
    value: Value,
}

fn pass(select: &Value, pairs: Vec<(Value, Value)>, scope: &Scope) -> Result<Vec<Value>> {
    let resource = match scope.here.downcast::<ResourceRef>() {
        Some(_) => scope.here.clone(),
        None => scope.names.get(RESOURCE)?.unwrap_or(Value::None),
    };
    let collection = Value::list(pairs.iter().map(|(_, item)| item.clone()));
    let mut each =
        ForeachLoop { scope, resource, collection, key: None, value: select.clone() };
    if let Value::Dict(entries) = select {
        each.key = entries.get_text("key")?;
        match entries.get_text("value")? {
            Some(value) => each.value = value,
            // With `key` alone Unfurl fails; the item itself is the obvious value.
            None if each.key.is_some() => each.value = Value::text("$item"),
            None => {}
        }
    }
    let mut found = Vec::new();
    for (index, (key, item)) in pairs.into_iter().enumerate() {
        // An item costs a step even if its expression is a constant.
        scope.context.spend(1)?;
        match each.turn(index, key, item)? {
            Ok(result) => found.push(result),
            Err(LoopSignal::Continue) => {}
            Err(LoopSignal::Break) => break,
        }
    }
    if each.key.is_none() {
        return Ok(found.into_iter().map(|(_, value)| value).collect());
    }
    let map = Dict::default();
    for (key, value) in found {
        map.set(Key::new(key)?, value);
    }
    Ok(vec![Value::Dict(map)])
}

impl ForeachLoop<'_> {
    /// Returns the key and the value of an item, or what the loop does instead.
    fn turn(
        &self,
        index: usize,
        key: Value,
        item: Value,
    ) -> Result<std::result::Result<(Value, Value), LoopSignal>> {
        let scope = self.within(index, key, item)?;
        let mut key = Value::None;
        if let Some(source) = &self.key {
            key = value(source, &scope)?;
            if let Some(signal) = key.downcast::<LoopSignal>() {
                return Ok(Err(*signal));
            }
        }
        let results = match &self.value {
            source @ Value::Str(_) => expression::results(source, &scope)?,
            Value::Dict(entries) if is_embedded(entries) => {
                expression::query(&self.value, &scope)?
            }
            other => vec![data(other, &scope)?],
        };
        if results.is_empty() {
            return Ok(Err(LoopSignal::Continue));
        }
        let value = one_of(results);
        Ok(value.downcast::<LoopSignal>().map_or(Ok((key, value.clone())), |s| Err(*s)))
    }

    /// Returns the scope in which an item is evaluated.
    fn within(&self, index: usize, key: Value, item: Value) -> Result<Scope> {
        let start = self.scope.names.get(START)?;
        let names = [
            ("collection", self.collection.clone()),
            ("index", Value::from(index as i64)),
            ("key", key),
            ("item", item.clone()),
            ("break", Value::object(LoopSignal::Break)),
            ("continue", Value::object(LoopSignal::Continue)),
            (START, start.unwrap_or_else(|| self.scope.here.clone())),
            (ITEM, Value::Bool(true)),
            (RESOURCE, self.resource.clone()),
        ];
        Ok(Scope { here: item, ..self.scope.within(Dict::named(names)) })
    }
}
