//! Two sequences → what is in one, the other or both. Members that can be keys are told
//! apart as Python's sets do; the order is that in which they come first.

use super::order::{distinct, has};
use super::parameter::members;
use crate::eval::jinja::CallSite;
use crate::eval::python::{self, Bound, Key, Result, Set, Value};

/// The two sequences, and both as sets if all of their members can be keys.
type Both = ((Value, Value), Option<(Set, Set)>);

fn both(arguments: Bound) -> Both {
    let ([a, b], []) = arguments.split();
    let (left, right) = (members(&a), members(&b));
    let sets = match (left, right) {
        (Ok(left), Ok(right)) => set(left).ok().zip(set(right).ok()),
        _ => None,
    };
    ((a, b), sets)
}

/// `set(members)`
pub(crate) fn set(members: Vec<Value>) -> Result<Set> {
    members.into_iter().map(Key::new).collect::<Result<Vec<Key>>>().map(Set::from_iter)
}

fn listed<'a>(keys: impl Iterator<Item = &'a Key>) -> Value {
    Value::list(keys.map(|key| key.value().clone()))
}

pub(super) fn union(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ((a, b), sets) = both(arguments);
    match sets {
        Some((left, right)) => Ok(listed(left.0.union(&right.0))),
        None => joined(call, &a, &b).map(Value::list),
    }
}

/// The members of both, each once.
fn joined(call: &CallSite<'_>, a: &Value, b: &Value) -> Result<Vec<Value>> {
    distinct(call, members(&python::add(a, b)?)?)
}

pub(super) fn intersect(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ((a, b), sets) = both(arguments);
    match sets {
        Some((left, right)) => Ok(listed(left.0.intersection(&right.0))),
        None => kept(call, &a, &b, true).map(Value::list),
    }
}

pub(super) fn difference(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ((a, b), sets) = both(arguments);
    match sets {
        Some((left, right)) => Ok(listed(left.0.difference(&right.0))),
        None => kept(call, &a, &b, false).map(Value::list),
    }
}

/// The members of one that are, or are not, in the other, each once.
fn kept(call: &CallSite<'_>, a: &Value, b: &Value, wanted: bool) -> Result<Vec<Value>> {
    let mut kept = Vec::new();
    for member in members(a)? {
        call.scope.context.spend(1)?;
        if python::contains(b, &member)? == wanted {
            kept.push(member);
        }
    }
    distinct(call, kept)
}

pub(super) fn symmetric_difference(
    call: &CallSite<'_>,
    arguments: Bound,
) -> Result<Value> {
    let ((a, b), sets) = both(arguments);
    if let Some((left, right)) = sets {
        return Ok(listed(left.0.symmetric_difference(&right.0)));
    }
    let (common, mut others) = (kept(call, &a, &b, true)?, Vec::new());
    for member in joined(call, &a, &b)? {
        if !has(call, &common, &member)? {
            others.push(member);
        }
    }
    Ok(Value::list(others))
}
