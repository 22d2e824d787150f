//! Dicts.

use std::cell::Cell;
use std::sync::Arc;

use crate::eval::python::{
    self, Exception, Key, Result, Value, View, ViewKind, equal, limit_members,
};

use super::super::call::FunctionCall;
use super::super::engine::{dict_size, measure};
use super::super::evaluate::{self, Env, missing_key};
use super::super::iterable::stream;
use super::super::key::key;
use super::super::overload::ParameterType::{Dict, Iterable};
use super::super::overload::{Function, both, function, method};
use super::super::resolve::convert;

#[rustfmt::skip] // One row for each overload.
pub const TABLE: &[Function] = &[
    function("#indexer", "dict:Dict key:Any", item),
    function("#indexer", "dict:Dict key:Any default:Any", get),
    function("#map", "*:MappingRule", from_rules).rules(),
    function("#operator_+", "left:Dict right:Dict", |call| with(call, call.dict(1)?.entries()?)),
    method("containsKey", "dict:Dict key:Any",
        |call| Ok(Value::Bool(call.dict(0)?.read().contains_key(&key(&call.value(1))?)))),
    method("containsValue", "dict:Dict value:Any", contains_value),
    method("delete", "dict:Dict *:Any", |call| without(call, call.variadic())),
    method("deleteAll", "dict:Dict keys:Iterable", |call| without(call, call.members(1)?)),
    function("dict", "*:MappingRule", from_rules).rules(),
    function("dict", "items:Iterable", from_pairs).rules(),
    method("get", "dict:Dict key:Any default:Any?", get),
    function("isDict", "arg:Any", |call| Ok(Value::Bool(Dict.accepts(&call.value(0))))),
    method("items", "dict:Dict", |call| Ok(View::value(&call.dict(0)?, ViewKind::Items))),
    method("keys", "dict:Dict", |call| Ok(View::value(&call.dict(0)?, ViewKind::Keys))),
    both("len", "dict:Dict", |call| Ok(Value::Int(call.dict(0)?.len() as i64))),
    method("mergeWith", "dict:Dict another:Dict listMerger:Lambda? itemMerger:Lambda? maxLevels:Int?",
        merge_with),
    method("set", "dict:Dict *:MappingRule", |call| with(call, rules(call)?)).rules(),
    method("set", "dict:Dict key:Any value:Any",
        |call| with(call, vec![(key(&call.value(1))?, call.value(2))])).rules(),
    method("set", "dict:Dict replacements:Dict", |call| with(call, call.dict(1)?.entries()?)).rules(),
    method("toDict", "collection:Iterable keySelector:Lambda valueSelector:Lambda?", to_dict),
    method("values", "dict:Dict", |call| Ok(View::value(&call.dict(0)?, ViewKind::Values))),
];

fn dict(entries: impl IntoIterator<Item = (Key, Value)>) -> Value {
    Value::Dict(entries.into_iter().collect())
}

fn item(call: &FunctionCall) -> Result<Value> {
    let name = call.value(1);
    let dict = call.dict(0)?;
    match dict.get(&key(&name)?)? {
        Some(found) => Ok(found),
        None => Err(missing_key(&name, &dict)?),
    }
}

fn get(call: &FunctionCall) -> Result<Value> {
    Ok(call.dict(0)?.get(&key(&call.value(1))?)?.unwrap_or_else(|| call.value(2)))
}

fn rules(call: &FunctionCall) -> Result<Vec<(Key, Value)>> {
    let rules = call.variadic();
    let rules = rules.iter().filter_map(|rule| rule.downcast::<evaluate::MappingRule>());
    rules.map(|evaluate::MappingRule(from, to)| Ok((key(from)?, to.clone()))).collect()
}

fn from_rules(call: &FunctionCall) -> Result<Value> {
    call.engine().check_total(call.variadic().iter().map(|rule| (1, measure(rule))))?;
    rules(call).map(dict)
}

fn from_pairs(call: &FunctionCall) -> Result<Value> {
    let entries = python::Dict::default();
    for pair in call.stream(0)? {
        let mut pair = stream(&pair?)?;
        // Further members are ignored, as yaql takes two by `next`.
        let (Some(name), Some(value)) = (pair.pull()?, pair.pull()?) else {
            return Err(super::query::ended());
        };
        entries.set(key(&name)?, value);
        call.engine().check_growth(entries.len(), dict_size)?;
    }
    Ok(Value::Dict(entries))
}

fn with(call: &FunctionCall, entries: Vec<(Key, Value)>) -> Result<Value> {
    Ok(dict(call.dict(0)?.entries()?.into_iter().chain(entries)))
}

fn without(call: &FunctionCall, names: Vec<Value>) -> Result<Value> {
    let removed = names.iter().map(key).collect::<Result<python::Set>>()?;
    let entries = call.dict(0)?.entries()?;
    Ok(dict(entries.into_iter().filter(|(name, _)| !removed.0.contains(name))))
}

fn contains_value(call: &FunctionCall) -> Result<Value> {
    for (_, value) in call.dict(0)?.entries()? {
        if equal(&value, &call.value(1))? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn to_dict(call: &FunctionCall) -> Result<Value> {
    let (names, values) = (call.lambda(1)?, call.maybe_lambda(2));
    let entries = python::Dict::default();
    for member in call.stream(0)? {
        let member = member?;
        let name = key(&names.call([member.clone()])?)?;
        let value = match &values {
            Some(values) => values.call([member])?,
            None => member,
        };
        entries.set(name, value);
        call.engine().check_growth(entries.len(), dict_size)?;
    }
    Ok(Value::Dict(entries))
}

fn merge_with(call: &FunctionCall) -> Result<Value> {
    let merger = DictMerger {
        env: call.env.clone(),
        lists: call.maybe_lambda(2),
        items: call.maybe_lambda(3),
        count: Cell::new(0),
    };
    merger.dicts(&call.dict(0)?, &call.dict(1)?, call.int(4, 0)?).map(Value::Dict)
}

/// The recursive merge of `mergeWith`.
struct DictMerger {
    env: Arc<Env>,
    lists: Option<evaluate::Lambda>,
    items: Option<evaluate::Lambda>,
    /// Number of merged entries.
    count: Cell<usize>,
}

impl DictMerger {
    /// Merges one dict into another, up to a depth; 0 means any depth.
    fn dicts(
        &self,
        own: &python::Dict,
        other: &python::Dict,
        levels: i64,
    ) -> Result<python::Dict> {
        self.env.engine.nested(1, || {
            let merged = python::Dict::default();
            for (name, value) in own.entries()? {
                self.env.engine.spend(1)?;
                // Shared dicts count each time: a small value may be huge when merged.
                self.count.set(self.count.get() + 1);
                limit_members(self.count.get())?;
                let value = match other.get(&name)? {
                    Some(other) => self.values(value, other, levels)?,
                    None => value,
                };
                merged.set(name, value);
            }
            for (name, value) in other.entries()? {
                if !own.read().contains_key(&name) {
                    merged.set(name, value);
                }
            }
            Ok(merged)
        })
    }

    fn values(&self, own: Value, other: Value, levels: i64) -> Result<Value> {
        // Level 0 means no limit, so only 1 is the last one.
        let deeper = levels != 1;
        match (&own, &other) {
            (Value::Dict(a), Value::Dict(b)) if deeper => {
                let levels = if levels == 0 { 0 } else { levels - 1 };
                self.dicts(a, b, levels).map(Value::Dict)
            }
            (Value::Tuple(_) | Value::List(_), Value::Tuple(_) | Value::List(_))
                if deeper =>
            {
                match &self.lists {
                    Some(merger) => merger.call([own, other]),
                    None => self.union(&own, &other),
                }
            }
            (_, Value::Dict(_) | Value::Tuple(_) | Value::List(_)) if deeper => {
                Err(Exception::of_type(format!(
                    "Cannot merge <class '{}'> with <class '{}'>",
                    own.type_name(),
                    other.type_name()
                )))
            }
            _ => match &self.items {
                Some(merger) => merger.call([own, other]),
                None => Ok(other),
            },
        }
    }

    /// Returns the members of both lists without duplicates.
    fn union(&self, own: &Value, other: &Value) -> Result<Value> {
        let mut seen = indexmap::IndexMap::<Key, Value>::new();
        for member in stream(&python::add(own, other)?)?.rest()? {
            seen.entry(key(&member)?).or_insert(member);
        }
        convert(&self.env.engine, Iterable, Value::tuple(seen.into_values()))
    }
}
