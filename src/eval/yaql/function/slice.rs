//! Parts of collections, and collections with parts exchanged.

use super::super::argument::Call;
use super::super::flow::{Flow, flow};
use super::super::overload::Kind::{Any, Int, Iterable, Lambda};
use super::super::overload::{Overload, Parameter, may, method, need};
use super::select::count;
use crate::eval::python::{Result, Value, equal, room, slice, truth};

const PREDICATE: &[Parameter] =
    &[need("collection", Iterable), need("predicate", Lambda)];

pub(super) const TABLE: &[Overload] = &[
    method(
        "delete",
        &[need("collection", Iterable), need("position", Int), may("count", Int)],
        |call| exchange(call, 2, None),
    ),
    method(
        "insertMany",
        &[need("collection", Iterable), need("position", Int), need("values", Iterable)],
        insert_many,
    ),
    method(
        "replace",
        &[
            need("collection", Iterable),
            need("position", Int),
            need("value", Any),
            may("count", Int),
        ],
        |call| exchange(call, 3, Some(Value::tuple([call.value(2)]))),
    ),
    method(
        "replaceMany",
        &[
            need("collection", Iterable),
            need("position", Int),
            need("values", Iterable),
            may("count", Int),
        ],
        |call| exchange(call, 3, Some(call.value(2))),
    ),
    method("slice", &[need("collection", Iterable), need("length", Int)], chunks),
    method("sliceWhere", PREDICATE, |call| cut(call, slice_where)),
    method("splitAt", &[need("collection", Iterable), need("index", Int)], split_at),
    method("splitWhere", PREDICATE, |call| cut(call, split)),
];

/// The members without so many from a place on (with a negative count all of them), and
/// other values for the first of these.
fn exchange(call: &Call, count: usize, by: Option<Value>) -> Result<Value> {
    let (mut members, from) = (call.flow(0)?, call.place(1, 0)?);
    let count = call.place(count, 1)?;
    let end = if count < 0 { i64::MAX } else { from.saturating_add(count) };
    let (mut by, mut open, mut at) = (by, None::<Flow>, -1);
    call.iter(move || {
        loop {
            if let Some(inner) = &mut open {
                if let Some(value) = inner.next()? {
                    return Ok(Some(value));
                }
                open = None;
            }
            let Some(member) = members.next()? else { return Ok(None) };
            at += 1;
            if !(from..end).contains(&at) {
                return Ok(Some(member));
            }
            open = by.take().map(|values| flow(&values)).transpose()?;
        }
    })
}

/// Values before the member at a place: before all if it is negative, after all if there is
/// none.
fn insert_many(call: &Call) -> Result<Value> {
    let (mut members, position) = (call.flow(0)?, call.place(1, 0)?);
    let values = call.value(2);
    let (mut at, mut held, mut ended) = (-1, None, false);
    let mut open = if position < 0 { Some(flow(&values)?) } else { None };
    call.iter(move || {
        loop {
            if let Some(inner) = &mut open {
                if let Some(value) = inner.next()? {
                    return Ok(Some(value));
                }
                open = None;
            }
            if held.is_some() || ended {
                return Ok(held.take());
            }
            match members.next()? {
                Some(member) => {
                    at += 1;
                    if at != position {
                        return Ok(Some(member));
                    }
                    held = Some(member);
                    open = Some(flow(&values)?);
                }
                None => {
                    ended = true;
                    if position > at {
                        open = Some(flow(&values)?);
                    }
                }
            }
        }
    })
}

fn chunks(call: &Call) -> Result<Value> {
    let (mut members, length) = (call.flow(0)?, count(call, true));
    let engine = call.engine.clone();
    call.iter(move || {
        let length = length.clone()?;
        let mut chunk = Vec::new();
        while chunk.len() < length
            && let Some(member) = members.next()?
        {
            chunk.push(member);
            engine.admit(chunk.len())?;
            room(chunk.len())?;
        }
        Ok((!chunk.is_empty()).then(|| Value::tuple(chunk)))
    })
}

fn split_at(call: &Call) -> Result<Value> {
    let (all, index) = (Value::tuple(call.members(0)?), call.value(1));
    let none = &Value::None;
    Ok(Value::list([slice(&all, none, &index, none)?, slice(&all, &index, none, none)?]))
}

/// Whether a part ends before a member, by what the predicate gave for the one before and
/// for it: then how many members stand between the parts.
type Cut = fn(Option<&Value>, &Value) -> Result<Option<usize>>;

/// The parts of a collection.
fn cut(call: &Call, cuts: Cut) -> Result<Value> {
    let (source, predicate) = (call.value(0), call.lambda(1)?);
    let (mut members, mut from) = (None, 0);
    call.iter(move || {
        let all: &Vec<Value> = match &mut members {
            Some(all) => all,
            none => none.insert(flow(&source)?.rest()?),
        };
        let (mut before, mut end, mut next) = (None, all.len(), all.len());
        for (at, member) in all.iter().enumerate().skip(from) {
            let value = predicate.call([member.clone()])?;
            if let Some(between) = cuts(before.as_ref(), &value)? {
                (end, next) = (at, at + between);
                break;
            }
            before = Some(value);
        }
        let part = all.get(from..end).unwrap_or_default();
        let is_last = from >= all.len();
        from = next;
        Ok((!is_last).then(|| Value::tuple(part.iter().cloned())))
    })
}

/// Members for which it holds stand between parts.
fn split(_: Option<&Value>, value: &Value) -> Result<Option<usize>> {
    Ok(truth(value)?.then_some(1))
}

/// A part ends where the value changes.
fn slice_where(before: Option<&Value>, value: &Value) -> Result<Option<usize>> {
    match before {
        Some(before) if !equal(before, value)? => Ok(Some(0)),
        _ => Ok(None),
    }
}
