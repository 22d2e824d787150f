//! Lists and what all collections have in common.

use super::super::argument::Call;
use super::super::flow::{Flow, flow, is_iterable, is_iterator};
use super::super::key;
use super::super::measure::measure;
use super::super::overload::Kind::{Any, Int, Iterable, Iterator, Ordered, Sequence};
use super::super::overload::{Overload, Parameter, both, function, method, need};
use crate::eval::python::{
    self, Object, Operator, Result, Value, View, binary, equal, item, wrong_count,
};

const COLLECTION: &[Parameter] = &[need("collection", Iterable)];

pub(super) const TABLE: &[Overload] = &[
    function("#indexer", &[need("list", Sequence), need("index", Int)], |call| {
        item(&call.value(0), &Value::Int(call.int(1, 0)?))
    }),
    function("#list", &[], literal).more(Any),
    function("#operator_*", &[need("left", Sequence), need("right", Int)], |call| {
        repeat(call, 0, 1)
    }),
    function("#operator_*", &[need("left", Int), need("right", Sequence)], |call| {
        repeat(call, 1, 0)
    }),
    function("#operator_+", &[need("left", Iterable), need("right", Iterable)], add),
    function(
        "#operator_in",
        &[need("value", Any), need("collection", Iterable)],
        |call| has(call, 1, 0),
    ),
    both("concat", &[], concat).more(Iterable),
    method("contains", &[need("collection", Iterable), need("value", Any)], |call| {
        has(call, 0, 1)
    }),
    method("count", COLLECTION, count),
    method("flatten", COLLECTION, flatten),
    method(
        "insert",
        &[need("collection", Ordered), need("position", Int), need("value", Any)],
        insert,
    ),
    method(
        "insert",
        &[need("collection", Sequence), need("position", Int), need("value", Any)],
        insert_at,
    ),
    function("isIterable", &[need("value", Any)], |call| {
        Ok(Value::Bool(is_iterable(&call.value(0))))
    }),
    function("isList", &[need("arg", Any)], |call| {
        Ok(Value::Bool(Sequence.accepts(&call.value(0))))
    }),
    both("len", &[need("sequence", Sequence)], |call| {
        Ok(Value::Int(python::length(&call.value(0))? as i64))
    }),
    both("len", &[need("collection", Iterator)], count),
    function("list", &[], list).more(Any),
    method("toList", COLLECTION, to_list),
];

fn literal(call: &Call) -> Result<Value> {
    let members = call.more();
    call.engine.weigh_all(members.iter().map(|member| (1, measure(member))))?;
    Ok(Value::tuple(members))
}

fn repeat(call: &Call, list: usize, times: usize) -> Result<Value> {
    let (list, count) = (call.value(list), i128::from(call.place(times, 0)?));
    call.engine.weigh_all([(1 - count, 56), (count, measure(&list))])?;
    binary(Operator::Mul, &list, &call.value(times))
}

/// Two lists are a list, two sets are a set; anything else is gone through in turn.
fn add(call: &Call) -> Result<Value> {
    let (left, right) = (call.value(0), call.value(1));
    let weigh = || call.engine.weigh_all([(1, measure(&left)), (1, measure(&right))]);
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

fn concat(call: &Call) -> Result<Value> {
    chain(call, call.more())
}

fn chain(call: &Call, collections: Vec<Value>) -> Result<Value> {
    let mut collections = collections.into_iter();
    let mut open: Option<Flow> = None;
    call.iter(move || {
        loop {
            if let Some(members) = &mut open
                && let Some(member) = members.next()?
            {
                return Ok(Some(member));
            }
            let Some(next) = collections.next() else { return Ok(None) };
            open = Some(flow(&next)?);
        }
    })
}

fn has(call: &Call, collection: usize, value: usize) -> Result<Value> {
    let value = call.value(value);
    if let Value::Set(members) = call.value(collection) {
        return Ok(Value::Bool(members.0.contains(&key::key(&value)?)));
    }
    if let Some(view) = call.value(collection).downcast::<View>()
        && !matches!(call.value(collection).type_name(), "dict_values")
    {
        return has_entry(view, &value).map(Value::Bool);
    }
    let mut members = call.flow(collection)?;
    while let Some(member) = members.next()? {
        call.engine.spend(1)?;
        if equal(&member, &value)? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

/// Whether a dict has a key, or an entry.
fn has_entry(view: &View, wanted: &Value) -> Result<bool> {
    if view.type_name() == "dict_keys" {
        return Ok(view.dict().read().contains_key(&key::key(wanted)?));
    }
    let pair = flow(wanted)?.rest()?;
    let [name, value] = &*pair else {
        return Err(wrong_count(2, pair.len()));
    };
    match view.dict().get(&key::key(name)?)? {
        Some(known) => equal(&known, value),
        None => Ok(false),
    }
}

fn count(call: &Call) -> Result<Value> {
    /// What a member costs beside being made: nothing else may end an iterator.
    const STEPS: usize = 16;
    let (mut members, mut count) = (call.flow(0)?, 0);
    while members.next()?.is_some() {
        call.engine.spend(STEPS)?;
        count += 1;
    }
    Ok(Value::Int(count))
}

/// The members of collections among the members, too, however deep.
fn flatten(call: &Call) -> Result<Value> {
    let mut open = vec![call.flow(0)?];
    call.iter(move || {
        while let Some(members) = open.last_mut() {
            match members.next()? {
                Some(inner) if is_iterable(&inner) => {
                    open.push(flow(&inner)?);
                    python::room(open.len())?;
                }
                Some(member) => return Ok(Some(member)),
                None => drop(open.pop()),
            }
        }
        Ok(None)
    })
}

/// Values, and what iterators among them give.
pub(super) fn unpacked(call: &Call) -> Result<Vec<Value>> {
    let mut open = vec![Flow::of(call.more())];
    let mut all = Vec::new();
    while let Some(members) = open.last_mut() {
        match members.next()? {
            Some(inner) if is_iterator(&inner) => {
                open.push(flow(&inner)?);
                python::room(open.len())?;
            }
            Some(member) => {
                all.push(member);
                call.engine.admit(all.len())?;
                python::room(all.len())?;
            }
            None => drop(open.pop()),
        }
    }
    Ok(all)
}

fn list(call: &Call) -> Result<Value> {
    unpacked(call).map(Value::tuple)
}

fn to_list(call: &Call) -> Result<Value> {
    match call.value(0) {
        Value::Tuple(members) => Ok(Value::Tuple(members)),
        _ => call.members(0).map(Value::tuple),
    }
}

/// A value before the member at a place, or after the last if there is none.
fn insert(call: &Call) -> Result<Value> {
    let (mut members, position) = (call.flow(0)?, call.place(1, 0)?);
    let (mut value, mut at, mut held) = (Some(call.value(2)), -1, None);
    call.iter(move || {
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

fn insert_at(call: &Call) -> Result<Value> {
    let mut members = call.members(0)?;
    let length = members.len() as i64;
    let position = match call.int(1, 0)? {
        at if at < 0 => at.saturating_add(length).max(0),
        at => at.min(length),
    };
    members.insert(position as usize, call.value(2));
    Ok(Value::list(members))
}
