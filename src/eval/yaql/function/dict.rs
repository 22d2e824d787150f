//! Dicts.

use super::super::argument::Call;
use super::super::evaluate::Rule as Pair;
use super::super::flow::flow;
use super::super::key::key;
use super::super::measure::{dict_size, measure};
use super::super::overload::Kind::{Any, Dict, Iterable, Lambda, Rule};
use super::super::overload::{Overload, Parameter, both, function, may, method, need};
use crate::eval::python::{
    self, Class, Exception, Key, Result, Value, View, equal, repr,
};

const DICT: &[Parameter] = &[need("dict", Dict)];

pub(super) const TABLE: &[Overload] = &[
    function("#indexer", &[need("dict", Dict), need("key", Any)], item),
    function(
        "#indexer",
        &[need("dict", Dict), need("key", Any), need("default", Any)],
        get,
    ),
    function("#map", &[], from_rules).more(Rule).rules(),
    function("#operator_+", &[need("left", Dict), need("right", Dict)], add),
    method("containsKey", &[need("dict", Dict), need("key", Any)], |call| {
        Ok(Value::Bool(call.dict(0)?.read().contains_key(&key(&call.value(1))?)))
    }),
    method("containsValue", &[need("dict", Dict), need("value", Any)], contains_value),
    method("delete", DICT, |call| without(call, call.more())).more(Any),
    method("deleteAll", &[need("dict", Dict), need("keys", Iterable)], |call| {
        without(call, call.members(1)?)
    }),
    function("dict", &[], from_rules).more(Rule).rules(),
    function("dict", &[need("items", Iterable)], from_pairs).rules(),
    method("get", &[need("dict", Dict), need("key", Any), may("default", Any)], get),
    function("isDict", &[need("arg", Any)], |call| {
        Ok(Value::Bool(Dict.accepts(&call.value(0))))
    }),
    method("items", DICT, |call| Ok(Value::object(View::items(&call.dict(0)?)))),
    method("keys", DICT, |call| Ok(Value::object(View::keys(&call.dict(0)?)))),
    both("len", DICT, |call| Ok(Value::Int(call.dict(0)?.len() as i64))),
    method("set", DICT, set_rules).more(Rule).rules(),
    method("set", &[need("dict", Dict), need("key", Any), need("value", Any)], |call| {
        let entry = (key(&call.value(1))?, call.value(2));
        with(call, vec![entry])
    })
    .rules(),
    method("set", &[need("dict", Dict), need("replacements", Dict)], |call| {
        with(call, call.dict(1)?.entries()?)
    })
    .rules(),
    method(
        "toDict",
        &[
            need("collection", Iterable),
            need("keySelector", Lambda),
            may("valueSelector", Lambda),
        ],
        to_dict,
    ),
    method("values", DICT, |call| Ok(Value::object(View::values(&call.dict(0)?)))),
];

fn dict(entries: impl IntoIterator<Item = (Key, Value)>) -> Value {
    Value::Dict(entries.into_iter().collect())
}

fn item(call: &Call) -> Result<Value> {
    let name = call.value(1);
    let found = call.dict(0)?.get(&key(&name)?)?;
    found.map_or_else(|| Err(Exception::new(Class::Key, repr(&name)?)), Ok)
}

fn get(call: &Call) -> Result<Value> {
    let found = call.dict(0)?.get(&key(&call.value(1))?)?;
    Ok(found.unwrap_or_else(|| call.value(2)))
}

fn rules(call: &Call) -> Result<Vec<(Key, Value)>> {
    let rules = call.more();
    let rules = rules.iter().filter_map(|rule| rule.downcast::<Pair>());
    rules.map(|Pair(from, to)| Ok((key(from)?, to.clone()))).collect()
}

fn from_rules(call: &Call) -> Result<Value> {
    call.engine.weigh_all(call.more().iter().map(|rule| (1, measure(rule))))?;
    rules(call).map(dict)
}

fn from_pairs(call: &Call) -> Result<Value> {
    let mut pairs = call.flow(0)?;
    let entries = python::Dict::default();
    while let Some(pair) = pairs.next()? {
        let mut pair = flow(&pair)?;
        let (Some(name), Some(value)) = (pair.next()?, pair.next()?) else {
            return Err(super::query::ended());
        };
        entries.set(key(&name)?, value);
        call.engine.keep(entries.len(), dict_size)?;
    }
    Ok(Value::Dict(entries))
}

fn with(call: &Call, entries: Vec<(Key, Value)>) -> Result<Value> {
    let own = call.dict(0)?.entries()?;
    Ok(dict(own.into_iter().chain(entries)))
}

fn set_rules(call: &Call) -> Result<Value> {
    with(call, rules(call)?)
}

fn add(call: &Call) -> Result<Value> {
    with(call, call.dict(1)?.entries()?)
}

fn without(call: &Call, names: Vec<Value>) -> Result<Value> {
    let gone = names.iter().map(key).collect::<Result<python::Set>>()?;
    let entries = call.dict(0)?.entries()?;
    Ok(dict(entries.into_iter().filter(|(name, _)| !gone.0.contains(name))))
}

fn contains_value(call: &Call) -> Result<Value> {
    for (_, value) in call.dict(0)?.entries()? {
        if equal(&value, &call.value(1))? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn to_dict(call: &Call) -> Result<Value> {
    let (mut members, names) = (call.flow(0)?, call.lambda(1)?);
    let (values, entries) = (call.maybe_lambda(2), python::Dict::default());
    while let Some(member) = members.next()? {
        let name = key(&names.call([member.clone()])?)?;
        let value = match &values {
            Some(values) => values.call([member])?,
            None => member,
        };
        entries.set(name, value);
        call.engine.keep(entries.len(), dict_size)?;
    }
    Ok(Value::Dict(entries))
}
