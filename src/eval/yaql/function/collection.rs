//! Lists, sets, dicts, and functions of all collections.

use std::cell::Cell;
use std::sync::Arc;

use crate::eval::python::{
    self, Exception, Key, Object, Operator, Result, Value, View, ViewKind, binary, equal,
    limit_members, wrong_count,
};

use super::super::call::BoundCall;
use super::super::engine::{dict_size, measure};
use super::super::evaluate::{Env, Lambda, MappingRule, missing_key};
use super::super::iterable::{Stream, is_iterable, is_iterator, stream};
use super::super::key::{key, set, view_name};
use super::super::overload::YaqlType::{Dict, Iterable, Sequence, Set};
use super::super::overload::{Function, both, function, method};
use super::super::resolve::convert;
use super::iterator::{insert, selected};

#[rustfmt::skip] // One row for each overload.
pub const TABLE: &[Function] = &[
    function("#indexer", "list:Sequence index:Int", |call| python::item(&call.value(0), &Value::Int(call.int(1, 0)?))),
    function("#indexer", "dict:Dict key:Any", item),
    function("#indexer", "dict:Dict key:Any default:Any", get),
    function("#list", "*:Any", literal),
    function("#map", "*:MappingRule", from_rules).rules(),
    // 56 bytes are the header of a list.
    function("#operator_*", "left:Sequence right:Int", |call| repeat(call, 0, 1, 56)),
    function("#operator_*", "left:Int right:Sequence", |call| repeat(call, 1, 0, 56)),
    function("#operator_+", "left:Iterable right:Iterable", add),
    function("#operator_+", "left:Dict right:Dict", |call| with(call, call.dict(1)?.entries()?)),
    function("#operator_-", "left:Set right:Set", |call| combine(call, "difference", call.set(1))),
    function("#operator_in", "value:Any collection:Iterable", |call| has(call, 1, 0)),
    method("add", "set:Set *:Any", |call| combine(call, "union", set(call.variadic()))),
    both("concat", "*:Iterable", |call| chain(call, call.variadic())),
    method("contains", "collection:Iterable value:Any", |call| has(call, 0, 1)),
    method("containsKey", "dict:Dict key:Any",
        |call| Ok(Value::Bool(call.dict(0)?.read().contains_key(&key(&call.value(1))?)))),
    method("containsValue", "dict:Dict value:Any", contains_value),
    method("count", "collection:Iterable", count),
    method("delete", "dict:Dict *:Any", |call| without(call, call.variadic())),
    method("deleteAll", "dict:Dict keys:Iterable", |call| without(call, call.members(1)?)),
    function("dict", "*:MappingRule", from_rules).rules(),
    function("dict", "items:Iterable", from_pairs).rules(),
    method("difference", "left:Set right:Set", |call| combine(call, "difference", call.set(1))),
    method("flatten", "collection:Iterable", flatten),
    method("get", "dict:Dict key:Any default:Any?", get),
    method("insert", "collection:Ordered position:Int value:Any",
        |call| insert(call, Value::tuple([call.value(2)]), false)),
    method("insert", "collection:Sequence position:Int value:Any", insert_at),
    method("intersect", "left:Set right:Set", |call| combine(call, "intersection", call.set(1))),
    function("isDict", "arg:Any", |call| Ok(Value::Bool(Dict.accepts(&call.value(0))))),
    function("isIterable", "value:Any", |call| Ok(Value::Bool(is_iterable(&call.value(0))))),
    function("isList", "arg:Any", |call| Ok(Value::Bool(Sequence.accepts(&call.value(0))))),
    function("isSet", "arg:Any", |call| Ok(Value::Bool(Set.accepts(&call.value(0))))),
    method("items", "dict:Dict", |call| Ok(View::value(&call.dict(0)?, ViewKind::Items))),
    method("keys", "dict:Dict", |call| Ok(View::value(&call.dict(0)?, ViewKind::Keys))),
    both("len", "sequence:Sequence / set:Set", |call| Ok(Value::Int(python::length(&call.value(0))? as i64))),
    both("len", "collection:Iterator", count),
    both("len", "dict:Dict", |call| Ok(Value::Int(call.dict(0)?.len() as i64))),
    function("list", "*:Any", |call| unpacked(call).map(Value::tuple)),
    method("mergeWith", "dict:Dict another:Dict listMerger:Lambda? itemMerger:Lambda? maxLevels:Int?",
        merge_with),
    method("remove", "set:Set *:Any", |call| combine(call, "difference", set(call.variadic()))),
    function("set", "*:Any", |call| set(unpacked(call)?).map(Value::Set)),
    method("set", "dict:Dict *:MappingRule", |call| with(call, rules(call)?)).rules(),
    method("set", "dict:Dict key:Any value:Any",
        |call| with(call, vec![(key(&call.value(1))?, call.value(2))])).rules(),
    method("set", "dict:Dict replacements:Dict", |call| with(call, call.dict(1)?.entries()?)).rules(),
    method("symmetricDifference", "left:Set right:Set",
        |call| combine(call, "symmetric_difference", call.set(1))),
    method("toDict", "collection:Iterable keySelector:Lambda valueSelector:Lambda?", to_dict),
    method("toList", "collection:Iterable", to_list),
    method("toSet", "collection:Iterable", |call| set(call.members(0)?).map(Value::Set)),
    method("union", "left:Set right:Set", |call| combine(call, "union", call.set(1))),
    method("values", "dict:Dict", |call| Ok(View::value(&call.dict(0)?, ViewKind::Values))),
];

fn literal(call: &BoundCall) -> Result<Value> {
    let members = call.variadic();
    // yaql checks a literal as the sum of its members.
    call.engine().check_total(members.iter().map(|member| (1, measure(member))))?;
    Ok(Value::tuple(members))
}

/// Repeats a list or a string. `header` is the size of the part that is not repeated.
pub fn repeat(
    call: &BoundCall,
    whole: usize,
    times: usize,
    header: usize,
) -> Result<Value> {
    let whole = call.value(whole);
    let count = i128::from(call.position(times, 0)?);
    // Checked before the result is made: `[1] * 1000000000` must not allocate.
    call.engine().check_total([(1 - count, header), (count, measure(&whole))])?;
    binary(Operator::Mul, &whole, &call.value(times))
}

/// Adds two lists to a list and two sets to a set. Other collections are chained.
fn add(call: &BoundCall) -> Result<Value> {
    let left = call.value(0);
    let right = call.value(1);
    let are_sets = match (&left, &right) {
        (Value::Tuple(_), Value::Tuple(_)) => false,
        (Value::Set(_), Value::Set(_)) => true,
        _ => return chain(call, vec![left, right]),
    };
    call.engine().check_total([&left, &right].map(|value| (1, measure(value))))?;
    if are_sets {
        combine(call, "union", call.set(1))
    } else {
        binary(Operator::Add, &left, &right)
    }
}

fn chain(call: &BoundCall, collections: Vec<Value>) -> Result<Value> {
    // Opened one after the other: an endless collection may come first.
    call.lazy(collections.into_iter().flat_map(|one| Stream::flat(stream(&one))))
}

fn has(call: &BoundCall, collection: usize, value: usize) -> Result<Value> {
    let value = call.value(value);
    if let Value::Set(members) = call.value(collection) {
        return Ok(Value::Bool(members.0.contains(&key(&value)?)));
    }
    if let Some(view) = call.value(collection).downcast::<View>()
        && !matches!(call.value(collection).type_name(), "dict_values")
    {
        return has_entry(view, &value).map(Value::Bool);
    }
    for member in call.stream(collection)? {
        let member = member?;
        call.engine().spend(1)?;
        if equal(&member, &value)? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

/// Returns true if a view holds a key or an item.
fn has_entry(view: &View, wanted: &Value) -> Result<bool> {
    if view.type_name() == "dict_keys" {
        return Ok(view.dict().read().contains_key(&key(wanted)?));
    }
    let pair = stream(wanted)?.rest()?;
    let [name, value] = &*pair else {
        return Err(wrong_count(2, pair.len()));
    };
    match view.dict().get(&key(name)?)? {
        Some(known) => equal(&known, value),
        None => Ok(false),
    }
}

fn count(call: &BoundCall) -> Result<Value> {
    /// Fuel for each counted member. An endless iterator makes members cheaply, so at one
    /// step each it would count for half a minute until the fuel is spent.
    const FUEL_PER_MEMBER: usize = 16;
    let mut count = 0;
    for member in call.stream(0)? {
        member?;
        call.engine().spend(FUEL_PER_MEMBER)?;
        count += 1;
    }
    Ok(Value::Int(count))
}

fn flatten(call: &BoundCall) -> Result<Value> {
    let mut open = vec![call.stream(0)?];
    call.generator(move || {
        while let Some(members) = open.last_mut() {
            match members.pull()? {
                Some(inner) if is_iterable(&inner) => {
                    open.push(stream(&inner)?);
                    limit_members(open.len())?;
                }
                Some(member) => return Ok(Some(member)),
                None => drop(open.pop()),
            }
        }
        Ok(None)
    })
}

/// Returns the arguments, with iterators replaced by their members.
fn unpacked(call: &BoundCall) -> Result<Vec<Value>> {
    let mut open = vec![Stream::of(call.variadic())];
    let mut all = Vec::new();
    while let Some(members) = open.last_mut() {
        match members.pull()? {
            Some(inner) if is_iterator(&inner) => {
                open.push(stream(&inner)?);
                limit_members(open.len())?;
            }
            Some(member) => {
                all.push(member);
                call.engine().check_length(all.len())?;
                limit_members(all.len())?;
            }
            None => drop(open.pop()),
        }
    }
    Ok(all)
}

fn to_list(call: &BoundCall) -> Result<Value> {
    match call.value(0) {
        Value::Tuple(members) => Ok(Value::Tuple(members)),
        _ => call.members(0).map(Value::tuple),
    }
}

fn insert_at(call: &BoundCall) -> Result<Value> {
    let mut members = call.members(0)?;
    let length = members.len() as i64;
    let position = match call.int(1, 0)? {
        at if at < 0 => at.saturating_add(length).max(0),
        at => at.min(length),
    };
    members.insert(position as usize, call.value(2));
    Ok(Value::list(members))
}

/// Calls a method of Python's sets on the receiver. Views lack these.
fn combine(call: &BoundCall, name: &str, right: Result<python::Set>) -> Result<Value> {
    let Value::Set(left) = call.value(0) else {
        let kind = view_name(&call.value(0));
        let message = format!("'{kind}' object has no attribute '{name}'");
        return Err(Exception::of_type(message));
    };
    let right = right?;
    Ok(Value::Set(match name {
        "union" => left.0.union(&right.0).cloned().collect(),
        "intersection" => left.0.intersection(&right.0).cloned().collect(),
        "difference" => left.0.difference(&right.0).cloned().collect(),
        _ => left.0.symmetric_difference(&right.0).cloned().collect(),
    }))
}

fn dict(entries: impl IntoIterator<Item = (Key, Value)>) -> Value {
    Value::Dict(entries.into_iter().collect())
}

fn item(call: &BoundCall) -> Result<Value> {
    let name = call.value(1);
    let dict = call.dict(0)?;
    match dict.get(&key(&name)?)? {
        Some(found) => Ok(found),
        None => Err(missing_key(&name, &dict)?),
    }
}

fn get(call: &BoundCall) -> Result<Value> {
    Ok(call.dict(0)?.get(&key(&call.value(1))?)?.unwrap_or_else(|| call.value(2)))
}

fn rules(call: &BoundCall) -> Result<Vec<(Key, Value)>> {
    let rules = call.variadic();
    let rules = rules.iter().filter_map(|rule| rule.downcast::<MappingRule>());
    rules.map(|MappingRule(from, to)| Ok((key(from)?, to.clone()))).collect()
}

fn from_rules(call: &BoundCall) -> Result<Value> {
    call.engine().check_total(call.variadic().iter().map(|rule| (1, measure(rule))))?;
    rules(call).map(dict)
}

fn from_pairs(call: &BoundCall) -> Result<Value> {
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

fn with(call: &BoundCall, entries: Vec<(Key, Value)>) -> Result<Value> {
    Ok(dict(call.dict(0)?.entries()?.into_iter().chain(entries)))
}

fn without(call: &BoundCall, names: Vec<Value>) -> Result<Value> {
    let removed = names.iter().map(key).collect::<Result<python::Set>>()?;
    let entries = call.dict(0)?.entries()?;
    Ok(dict(entries.into_iter().filter(|(name, _)| !removed.0.contains(name))))
}

fn contains_value(call: &BoundCall) -> Result<Value> {
    for (_, value) in call.dict(0)?.entries()? {
        if equal(&value, &call.value(1))? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn to_dict(call: &BoundCall) -> Result<Value> {
    let names = call.lambda(1)?;
    let values = call.maybe_lambda(2);
    let entries = python::Dict::default();
    for member in call.stream(0)? {
        let member = member?;
        let name = key(&names.call([member.clone()])?)?;
        entries.set(name, selected(values.as_ref(), member)?);
        call.engine().check_growth(entries.len(), dict_size)?;
    }
    Ok(Value::Dict(entries))
}

fn merge_with(call: &BoundCall) -> Result<Value> {
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
    lists: Option<Lambda>,
    items: Option<Lambda>,
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
                let own = own.type_name();
                let message = format!("Cannot merge <class '{own}'> with <class '{{}}'>");
                Err(Exception::of_type_of(&other, &message))
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
