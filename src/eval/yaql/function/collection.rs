//! Lists, sets, and functions of all collections.

use super::super::call::FunctionCall;
use super::super::iterable::{Stream, is_iterable, is_iterator, stream};
use super::super::key::{self, set, view_name};
use super::super::measure::measure;
use super::super::overload::ParameterType::{Sequence, Set};
use super::super::overload::{Function, both, function, method};
use crate::eval::python::{
    self, Class, Exception, Object, Operator, Result, Value, View, binary, equal, item,
    wrong_count,
};

#[rustfmt::skip] // One row for each overload.
pub const TABLE: &[Function] = &[
    function("#indexer", "list:Sequence index:Int", |call| item(&call.value(0), &Value::Int(call.int(1, 0)?))),
    function("#list", "*:Any", literal),
    function("#operator_*", "left:Sequence right:Int", |call| repeat(call, 0, 1)),
    function("#operator_*", "left:Int right:Sequence", |call| repeat(call, 1, 0)),
    function("#operator_+", "left:Iterable right:Iterable", add),
    function("#operator_-", "left:Set right:Set", difference),
    function("#operator_in", "value:Any collection:Iterable", |call| has(call, 1, 0)),
    method("add", "set:Set *:Any", |call| union(own(call, "union")?, &set(call.variadic())?)),
    both("concat", "*:Iterable", |call| chain(call, call.variadic())),
    method("contains", "collection:Iterable value:Any", |call| has(call, 0, 1)),
    method("count", "collection:Iterable", count),
    method("difference", "left:Set right:Set", difference),
    method("flatten", "collection:Iterable", flatten),
    method("insert", "collection:Ordered position:Int value:Any", insert),
    method("insert", "collection:Sequence position:Int value:Any", insert_at),
    method("intersect", "left:Set right:Set", |call| {
        let (left, right) = (own(call, "intersection")?, call.set(1)?);
        Ok(Value::Set(left.0.intersection(&right.0).cloned().collect()))
    }),
    function("isIterable", "value:Any", |call| Ok(Value::Bool(is_iterable(&call.value(0))))),
    function("isList", "arg:Any", |call| Ok(Value::Bool(Sequence.accepts(&call.value(0))))),
    function("isSet", "arg:Any", |call| Ok(Value::Bool(Set.accepts(&call.value(0))))),
    both("len", "sequence:Sequence / set:Set", |call| Ok(Value::Int(python::length(&call.value(0))? as i64))),
    both("len", "collection:Iterator", count),
    function("list", "*:Any", |call| unpacked(call).map(Value::tuple)),
    method("remove", "set:Set *:Any", |call| minus(own(call, "difference")?, &set(call.variadic())?)),
    function("set", "*:Any", |call| set(unpacked(call)?).map(Value::Set)),
    method("symmetricDifference", "left:Set right:Set", |call| {
        let (left, right) = (own(call, "symmetric_difference")?, call.set(1)?);
        Ok(Value::Set(left.0.symmetric_difference(&right.0).cloned().collect()))
    }),
    method("toList", "collection:Iterable", to_list),
    method("toSet", "collection:Iterable", |call| set(call.members(0)?).map(Value::Set)),
    method("union", "left:Set right:Set", |call| union(own(call, "union")?, &call.set(1)?)),
];

fn literal(call: &FunctionCall) -> Result<Value> {
    let members = call.variadic();
    // yaql checks a literal as the sum of its members.
    call.engine().check_total(members.iter().map(|member| (1, measure(member))))?;
    Ok(Value::tuple(members))
}

fn repeat(call: &FunctionCall, list: usize, times: usize) -> Result<Value> {
    let (list, count) = (call.value(list), i128::from(call.position(times, 0)?));
    // Checked before the list is made: `[1] * 1000000000` must not allocate. 56 bytes are
    // the header of a list, which is not repeated.
    call.engine().check_total([(1 - count, 56), (count, measure(&list))])?;
    binary(Operator::Mul, &list, &call.value(times))
}

/// Adds two lists to a list and two sets to a set. Other collections are chained.
fn add(call: &FunctionCall) -> Result<Value> {
    let (left, right) = (call.value(0), call.value(1));
    let weigh = || call.engine().check_total([(1, measure(&left)), (1, measure(&right))]);
    match (&left, &right) {
        (Value::Tuple(_), Value::Tuple(_)) => {
            weigh()?;
            binary(Operator::Add, &left, &right)
        }
        (Value::Set(a), Value::Set(b)) => {
            weigh()?;
            Ok(Value::Set(a.0.union(&b.0).cloned().collect()))
        }
        _ => chain(call, vec![left, right]),
    }
}

fn chain(call: &FunctionCall, collections: Vec<Value>) -> Result<Value> {
    let mut collections = collections.into_iter();
    let mut open: Option<Stream> = None;
    call.generator(move || {
        loop {
            if let Some(member) = Stream::next_of(&mut open)? {
                return Ok(Some(member));
            }
            // Opened one after the other: an endless collection may come first.
            let Some(next) = collections.next() else { return Ok(None) };
            open = Some(stream(&next)?);
        }
    })
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
    let mut members = call.stream(collection)?;
    while let Some(member) = members.next()? {
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
    let (mut members, mut count) = (call.stream(0)?, 0);
    while members.next()?.is_some() {
        call.engine().spend(FUEL_PER_MEMBER)?;
        count += 1;
    }
    Ok(Value::Int(count))
}

fn flatten(call: &FunctionCall) -> Result<Value> {
    let mut open = vec![call.stream(0)?];
    call.generator(move || {
        while let Some(members) = open.last_mut() {
            match members.next()? {
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
        match members.next()? {
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

/// Inserts a value before a position, or at the end.
fn insert(call: &FunctionCall) -> Result<Value> {
    let (mut members, position) = (call.stream(0)?, call.position(1, 0)?);
    let (mut value, mut at, mut held) = (Some(call.value(2)), -1, None);
    call.generator(move || {
        if held.is_some() {
            return Ok(held.take());
        }
        match members.next()? {
            Some(member) => {
                at += 1;
                if at == position && value.is_some() {
                    held = Some(member);
                    return Ok(value.take());
                }
                Ok(Some(member))
            }
            None if position > at => Ok(value.take()),
            None => Ok(None),
        }
    })
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

/// Returns the receiver if it is a set. Views lack the methods of sets.
fn own(call: &FunctionCall, method: &str) -> Result<python::Set> {
    match call.value(0) {
        Value::Set(members) => Ok(members),
        view => Err(Exception::new(
            Class::Type,
            format!("'{}' object has no attribute '{method}'", view_name(&view)),
        )),
    }
}

fn union(left: python::Set, right: &python::Set) -> Result<Value> {
    Ok(Value::Set(left.0.union(&right.0).cloned().collect()))
}

fn difference(call: &FunctionCall) -> Result<Value> {
    minus(own(call, "difference")?, &call.set(1)?)
}

fn minus(left: python::Set, right: &python::Set) -> Result<Value> {
    Ok(Value::Set(left.0.difference(&right.0).cloned().collect()))
}
