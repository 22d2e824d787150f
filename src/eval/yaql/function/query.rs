//! What a collection is asked: which members there are, and where.

use super::super::argument::Call;
use super::super::flow::{Memo, flow, is_iterator};
use super::super::overload::Kind::{Any, Iterable, Lambda};
use super::super::overload::{Overload, Parameter, both, may, method, need};
use crate::eval::python::{Class, Exception, Result, Value, equal, truth};

const COLLECTION: &[Parameter] = &[need("collection", Iterable)];
const DEFAULT: &[Parameter] = &[need("collection", Iterable), may("default", Any)];
const ITEM: &[Parameter] = &[need("collection", Iterable), need("item", Any)];
const WHERE: &[Parameter] = &[need("collection", Iterable), need("predicate", Lambda)];
const MAY_WHERE: &[Parameter] = &[need("collection", Iterable), may("predicate", Lambda)];

pub(super) const TABLE: &[Overload] = &[
    both("all", MAY_WHERE, all),
    both("any", MAY_WHERE, any),
    method(
        "defaultIfEmpty",
        &[need("collection", Iterable), need("default", Iterable)],
        default_if_empty,
    ),
    method("first", DEFAULT, first),
    method("indexOf", ITEM, |call| index(call, false, is_item)),
    method("indexWhere", WHERE, |call| index(call, false, is_meant)),
    method("last", DEFAULT, last),
    method("lastIndexOf", ITEM, |call| index(call, true, is_item)),
    method("lastIndexWhere", WHERE, |call| index(call, true, is_meant)),
    method("memorize", COLLECTION, |call| Ok(memorized(call))),
    method("single", COLLECTION, single),
];

/// A collection that can be gone through again.
fn memorized(call: &Call) -> Value {
    match call.value(0) {
        iterator if is_iterator(&iterator) => Memo::value(&call.engine, &iterator),
        other => other,
    }
}

/// There is no (other) member.
pub(super) fn ended() -> Box<Exception> {
    Exception::new(Class::Value, "StopIteration")
}

fn all(call: &Call) -> Result<Value> {
    let (mut members, predicate) = (call.flow(0)?, call.maybe_lambda(1));
    while let Some(member) = members.next()? {
        let holds = match &predicate {
            Some(predicate) => predicate.holds([member])?,
            None => truth(&member)?,
        };
        if !holds {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

fn any(call: &Call) -> Result<Value> {
    let (mut members, predicate) = (call.flow(0)?, call.maybe_lambda(1));
    while let Some(member) = members.next()? {
        let holds = match &predicate {
            Some(predicate) => predicate.holds([member])?,
            None => true,
        };
        if holds {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn default_if_empty(call: &Call) -> Result<Value> {
    let collection = memorized(call);
    let is_empty = flow(&collection)?.next()?.is_none();
    Ok(if is_empty { call.value(1) } else { collection })
}

fn first(call: &Call) -> Result<Value> {
    let first = call.flow(0)?.next()?;
    first.or_else(|| call.given(1).cloned()).ok_or_else(ended)
}

fn last(call: &Call) -> Result<Value> {
    let (mut members, mut last) = (call.flow(0)?, None);
    while let Some(member) = members.next()? {
        last = Some(member);
    }
    last.or_else(|| call.given(1).cloned()).ok_or_else(ended)
}

fn single(call: &Call) -> Result<Value> {
    let mut members = call.flow(0)?;
    match (members.next()?, members.next()?) {
        (Some(only), None) => Ok(only),
        (Some(_), Some(_)) => {
            let message = "Collection contains more than one item";
            Err(Exception::new(Class::Value, message))
        }
        (None, _) => Err(ended()),
    }
}

/// The place of the first or of the last member that is meant; -1 if there is none.
fn index(
    call: &Call,
    last: bool,
    meant: fn(&Call, &Value) -> Result<bool>,
) -> Result<Value> {
    let (mut members, mut index) = (call.flow(0)?, -1);
    for at in 0.. {
        let Some(member) = members.next()? else { break };
        if meant(call, &member)? {
            index = at;
            if !last {
                break;
            }
        }
    }
    Ok(Value::Int(index))
}

fn is_item(call: &Call, member: &Value) -> Result<bool> {
    equal(member, &call.value(1))
}

fn is_meant(call: &Call, member: &Value) -> Result<bool> {
    call.lambda(1)?.holds([member.clone()])
}
