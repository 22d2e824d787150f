//! Lists, sets, and functions of all collections.

use crate::eval::python::{
    self, Exception, Object, Operator, Result, Value, View, binary, equal, item,
    wrong_count,
};

use super::super::call::FunctionCall;
use super::super::engine::measure;
use super::super::iterable::{Stream, is_iterable, is_iterator, stream};
use super::super::key::{self, set, view_name};
use super::super::overload::ParameterType::{Sequence, Set};
use super::super::overload::{Function, both, function, method};
use super::iterator::insert;

#[rustfmt::skip] // One row for each overload.
pub const TABLE: &[Function] = &[
    function("#indexer", "list:Sequence index:Int", |call| item(&call.value(0), &Value::Int(call.int(1, 0)?))),
    function("#list", "*:Any", literal),
    // 56 bytes are the header of a list.
    function("#operator_*", "left:Sequence right:Int", |call| repeat(call, 0, 1, 56)),
    function("#operator_*", "left:Int right:Sequence", |call| repeat(call, 1, 0, 56)),
    function("#operator_+", "left:Iterable right:Iterable", add),
    function("#operator_-", "left:Set right:Set", |call| combine(call, "difference", call.set(1))),
    function("#operator_in", "value:Any collection:Iterable", |call| has(call, 1, 0)),
    method("add", "set:Set *:Any", |call| combine(call, "union", set(call.variadic()))),
    both("concat", "*:Iterable", |call| chain(call, call.variadic())),
    method("contains", "collection:Iterable value:Any", |call| has(call, 0, 1)),
    method("count", "collection:Iterable", count),
    method("difference", "left:Set right:Set", |call| combine(call, "difference", call.set(1))),
    method("flatten", "collection:Iterable", flatten),
    method("insert", "collection:Ordered position:Int value:Any",
        |call| insert(call, Value::tuple([call.value(2)]), false)),
    method("insert", "collection:Sequence position:Int value:Any", insert_at),
    method("intersect", "left:Set right:Set", |call| combine(call, "intersection", call.set(1))),
    function("isIterable", "value:Any", |call| Ok(Value::Bool(is_iterable(&call.value(0))))),
    function("isList", "arg:Any", |call| Ok(Value::Bool(Sequence.accepts(&call.value(0))))),
    function("isSet", "arg:Any", |call| Ok(Value::Bool(Set.accepts(&call.value(0))))),
    both("len", "sequence:Sequence / set:Set", |call| Ok(Value::Int(python::length(&call.value(0))? as i64))),
    both("len", "collection:Iterator", count),
    function("list", "*:Any", |call| unpacked(call).map(Value::tuple)),
    method("remove", "set:Set *:Any", |call| combine(call, "difference", set(call.variadic()))),
    function("set", "*:Any", |call| set(unpacked(call)?).map(Value::Set)),
    method("symmetricDifference", "left:Set right:Set",
        |call| combine(call, "symmetric_difference", call.set(1))),
    method("toList", "collection:Iterable", to_list),
    method("toSet", "collection:Iterable", |call| set(call.members(0)?).map(Value::Set)),
    method("union", "left:Set right:Set", |call| combine(call, "union", call.set(1))),
];

fn literal(call: &FunctionCall) -> Result<Value> {
    let members = call.variadic();
    // yaql checks a literal as the sum of its members.
    call.engine().check_total(members.iter().map(|member| (1, measure(member))))?;
    Ok(Value::tuple(members))
}

/// Repeats a list or a string. `header` is the size of the part that is not repeated.
pub fn repeat(
    call: &FunctionCall,
    whole: usize,
    times: usize,
    header: usize,
) -> Result<Value> {
    let (whole, count) = (call.value(whole), i128::from(call.position(times, 0)?));
    // Checked before the result is made: `[1] * 1000000000` must not allocate.
    call.engine().check_total([(1 - count, header), (count, measure(&whole))])?;
    binary(Operator::Mul, &whole, &call.value(times))
}

/// Adds two lists to a list and two sets to a set. Other collections are chained.
fn add(call: &FunctionCall) -> Result<Value> {
    let (left, right) = (call.value(0), call.value(1));
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

fn chain(call: &FunctionCall, collections: Vec<Value>) -> Result<Value> {
    // Opened one after the other: an endless collection may come first.
    let members = |one: Value| Stream::flat(stream(&one));
    call.lazy(collections.into_iter().flat_map(members))
}

fn has(call: &FunctionCall, collection: usize, value: usize) -> Result<Value> {
    let value = call.value(value);
    if let Value::Set(members) = call.value(collection) {
        return Ok(Value::Bool(members.0.contains(&key::key(&value)?)));
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
        return Ok(view.dict().read().contains_key(&key::key(wanted)?));
    }
    let pair = stream(wanted)?.rest()?;
    let [name, value] = &*pair else {
        return Err(wrong_count(2, pair.len()));
    };
    match view.dict().get(&key::key(name)?)? {
        Some(known) => equal(&known, value),
        None => Ok(false),
    }
}

fn count(call: &FunctionCall) -> Result<Value> {
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

fn flatten(call: &FunctionCall) -> Result<Value> {
    let mut open = vec![call.stream(0)?];
    call.generator(move || {
        while let Some(members) = open.last_mut() {
            match members.pull()? {
                Some(inner) if is_iterable(&inner) => {
                    open.push(stream(&inner)?);
                    python::limit_members(open.len())?;
                }
                Some(member) => return Ok(Some(member)),
                None => drop(open.pop()),
            }
        }
        Ok(None)
    })
}

/// Returns the arguments, with iterators replaced by their members.
fn unpacked(call: &FunctionCall) -> Result<Vec<Value>> {
    let mut open = vec![Stream::of(call.variadic())];
    let mut all = Vec::new();
    while let Some(members) = open.last_mut() {
        match members.pull()? {
            Some(inner) if is_iterator(&inner) => {
                open.push(stream(&inner)?);
                python::limit_members(open.len())?;
            }
            Some(member) => {
                all.push(member);
                call.engine().check_length(all.len())?;
                python::limit_members(all.len())?;
            }
            None => drop(open.pop()),
        }
    }
    Ok(all)
}

fn to_list(call: &FunctionCall) -> Result<Value> {
    match call.value(0) {
        Value::Tuple(members) => Ok(Value::Tuple(members)),
        _ => call.members(0).map(Value::tuple),
    }
}

fn insert_at(call: &FunctionCall) -> Result<Value> {
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
fn combine(
    call: &FunctionCall,
    method: &str,
    right: Result<python::Set>,
) -> Result<Value> {
    let Value::Set(left) = call.value(0) else {
        let kind = view_name(&call.value(0));
        let message = format!("'{kind}' object has no attribute '{method}'");
        return Err(Exception::of_type(message));
    };
    let (left, right) = (left.0, right?.0);
    Ok(Value::Set(match method {
        "union" => left.union(&right).cloned().collect(),
        "intersection" => left.intersection(&right).cloned().collect(),
        "difference" => left.difference(&right).cloned().collect(),
        _ => left.symmetric_difference(&right).cloned().collect(),
    }))
}
