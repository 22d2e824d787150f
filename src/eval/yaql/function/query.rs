//! Searches in collections, and their order.

use std::cmp;
use std::sync::Arc;

use super::super::call::FunctionCall;
use super::super::iterable::{
    Compare, OrderingIterable, RememberingIterator, is_iterator, stream,
};
use super::super::overload::{Function, both, method};
use super::super::resolve::call_function;
use crate::eval::python::{Class, Exception, Result, Value, equal, truth};

#[rustfmt::skip] // One row for each overload.
pub const TABLE: &[Function] = &[
    both("all", "collection:Iterable predicate:Lambda?", all),
    both("any", "collection:Iterable predicate:Lambda?", any),
    method("defaultIfEmpty", "collection:Iterable default:Iterable", default_if_empty),
    method("first", "collection:Iterable default:Any?", first),
    method("indexOf", "collection:Iterable item:Any", |call| index(call, false, equals_item)),
    method("indexWhere", "collection:Iterable predicate:Lambda",
        |call| index(call, false, satisfies_predicate)),
    method("last", "collection:Iterable default:Any?", last),
    method("lastIndexOf", "collection:Iterable item:Any", |call| index(call, true, equals_item)),
    method("lastIndexWhere", "collection:Iterable predicate:Lambda",
        |call| index(call, true, satisfies_predicate)),
    method("memorize", "collection:Iterable", |call| Ok(memorized(call))),
    method("orderBy", "collection:Iterable selector:Lambda", |call| order(call, false)),
    method("orderByDescending", "collection:Iterable selector:Lambda", |call| order(call, true)),
    method("reverse", "collection:Iterable", reverse),
    method("single", "collection:Iterable", single),
    method("thenBy", "collection:Ordering selector:Lambda", |call| refine(call, false)),
    method("thenByDescending", "collection:Ordering selector:Lambda", |call| refine(call, true)),
];

/// Returns the collection, made repeatable if it is an iterator.
fn memorized(call: &FunctionCall) -> Value {
    match call.value(0) {
        iterator if is_iterator(&iterator) => {
            RememberingIterator::value(call.engine(), &iterator)
        }
        other => other,
    }
}

/// Returns the error for a missing member.
pub fn ended() -> Box<Exception> {
    Exception::new(Class::Value, "StopIteration")
}

fn all(call: &FunctionCall) -> Result<Value> {
    let (mut members, predicate) = (call.stream(0)?, call.maybe_lambda(1));
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

fn any(call: &FunctionCall) -> Result<Value> {
    let (mut members, predicate) = (call.stream(0)?, call.maybe_lambda(1));
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

fn default_if_empty(call: &FunctionCall) -> Result<Value> {
    let collection = memorized(call);
    // Reads one member, so an iterator has to be kept.
    let is_empty = stream(&collection)?.next()?.is_none();
    Ok(if is_empty { call.value(1) } else { collection })
}

fn first(call: &FunctionCall) -> Result<Value> {
    call.stream(0)?.next()?.or_else(|| call.get(1).cloned()).ok_or_else(ended)
}

fn last(call: &FunctionCall) -> Result<Value> {
    let (mut members, mut last) = (call.stream(0)?, None);
    while let Some(member) = members.next()? {
        last = Some(member);
    }
    last.or_else(|| call.get(1).cloned()).ok_or_else(ended)
}

fn single(call: &FunctionCall) -> Result<Value> {
    let mut members = call.stream(0)?;
    match (members.next()?, members.next()?) {
        (Some(only), None) => Ok(only),
        (Some(_), Some(_)) => {
            Err(Exception::new(Class::Value, "Collection contains more than one item"))
        }
        (None, _) => Err(ended()),
    }
}

/// Returns the index of the first or last member that `matches`; -1 if none does.
fn index(
    call: &FunctionCall,
    last: bool,
    matches: fn(&FunctionCall, &Value) -> Result<bool>,
) -> Result<Value> {
    let (mut members, mut index) = (call.stream(0)?, -1);
    for at in 0.. {
        let Some(member) = members.next()? else { break };
        if matches(call, &member)? {
            index = at;
            if !last {
                break;
            }
        }
    }
    Ok(Value::Int(index))
}

fn equals_item(call: &FunctionCall, member: &Value) -> Result<bool> {
    equal(member, &call.value(1))
}

fn satisfies_predicate(call: &FunctionCall, member: &Value) -> Result<bool> {
    call.lambda(1)?.holds([member.clone()])
}

fn reverse(call: &FunctionCall) -> Result<Value> {
    let mut members = call.members(0)?.into_iter().rev();
    call.generator(move || Ok(members.next()))
}

fn order(call: &FunctionCall, descending: bool) -> Result<Value> {
    Ok(Value::object(OrderingIterable::new(call.value(0), comparison(call, descending)?)))
}

fn refine(call: &FunctionCall, descending: bool) -> Result<Value> {
    let ordering = call.value(0);
    if let Some(ordering) = ordering.downcast::<OrderingIterable>() {
        ordering.refine(comparison(call, descending)?);
    }
    Ok(ordering)
}

/// Returns the comparison of two members by the selector of a call.
fn comparison(call: &FunctionCall, descending: bool) -> Result<Compare> {
    let (env, selector) = (call.env.clone(), call.lambda(1)?);
    Ok(Arc::new(move |a: &Value, b: &Value| {
        let pair = [selector.call([a.clone()])?, selector.call([b.clone()])?];
        let order = if truth(&call_function(&env, "#operator_<", &pair)?)? {
            cmp::Ordering::Less
        } else if truth(&call_function(&env, "#operator_>", &pair)?)? {
            cmp::Ordering::Greater
        } else {
            cmp::Ordering::Equal
        };
        Ok(if descending { order.reverse() } else { order })
    }))
}
