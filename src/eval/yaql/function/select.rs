//! Collections that are made of one collection, member by member.

use std::collections::HashSet;

use super::super::argument::Call;
use super::super::flow::{Flow, flow, is_iterable};
use super::super::key::key;
use super::super::measure::set_size;
use super::super::overload::Kind::{Any, Int, Iterable, Lambda};
use super::super::overload::{Overload, Parameter, both, may, method, need};
use crate::eval::python::{Exception, Result, Value, add, positive};

const COLLECTION: &[Parameter] = &[need("collection", Iterable)];
const COUNT: &[Parameter] = &[need("collection", Iterable), need("count", Int)];
const SELECTOR: &[Parameter] = &[need("collection", Iterable), need("selector", Lambda)];
const PREDICATE: &[Parameter] =
    &[need("collection", Iterable), need("predicate", Lambda)];

pub(super) const TABLE: &[Overload] = &[
    both("append", COLLECTION, append).more(Any),
    both(
        "distinct",
        &[need("collection", Iterable), may("keySelector", Lambda)],
        distinct,
    ),
    both(
        "enumerate",
        &[need("collection", Iterable), may("start", Int).or_null()],
        enumerate,
    ),
    method("filter", PREDICATE, filter),
    method("limit", COUNT, take),
    method("map", SELECTOR, map),
    method("select", SELECTOR, map),
    method("selectMany", SELECTOR, select_many),
    method("skip", COUNT, skip),
    method("skipWhile", PREDICATE, skip_while),
    method("take", COUNT, take),
    method("takeWhile", PREDICATE, take_while),
    method("where", PREDICATE, filter),
];

fn filter(call: &Call) -> Result<Value> {
    let (mut members, predicate) = (call.flow(0)?, call.lambda(1)?);
    call.iter(move || {
        while let Some(member) = members.next()? {
            if predicate.holds([member.clone()])? {
                return Ok(Some(member));
            }
        }
        Ok(None)
    })
}

fn map(call: &Call) -> Result<Value> {
    let (mut members, selector) = (call.flow(0)?, call.lambda(1)?);
    call.iter(move || {
        let member = members.next()?;
        member.map(|member| selector.call([member])).transpose()
    })
}

fn select_many(call: &Call) -> Result<Value> {
    let (mut members, selector) = (call.flow(0)?, call.lambda(1)?);
    let mut open: Option<Flow> = None;
    call.iter(move || {
        loop {
            if let Some(inner) = &mut open
                && let Some(member) = inner.next()?
            {
                return Ok(Some(member));
            }
            let Some(member) = members.next()? else { return Ok(None) };
            let selected = selector.call([member])?;
            if !is_iterable(&selected) {
                return Ok(Some(selected));
            }
            open = Some(flow(&selected)?);
        }
    })
}

fn append(call: &Call) -> Result<Value> {
    let (mut members, mut more) = (call.flow(0)?, call.more().into_iter());
    call.iter(move || Ok(members.next()?.or_else(|| more.next())))
}

fn distinct(call: &Call) -> Result<Value> {
    let (mut members, selector) = (call.flow(0)?, call.maybe_lambda(1));
    let (engine, mut seen) = (call.engine.clone(), HashSet::new());
    call.iter(move || {
        while let Some(member) = members.next()? {
            let is_new = match &selector {
                Some(selector) => seen.insert(key(&selector.call([member.clone()])?)?),
                None => seen.insert(key(&member)?),
            };
            if is_new {
                engine.keep(seen.len(), set_size)?;
                return Ok(Some(member));
            }
        }
        Ok(None)
    })
}

fn enumerate(call: &Call) -> Result<Value> {
    let mut members = call.flow(0)?;
    let mut at = match call.given(1) {
        None => Value::Int(0),
        Some(Value::None) => {
            let message = "'NoneType' object cannot be interpreted as an integer";
            return Err(Exception::of_type(message));
        }
        Some(start) => positive(start)?,
    };
    call.iter(move || {
        let Some(member) = members.next()? else { return Ok(None) };
        let next = add(&at, &Value::Int(1))?;
        Ok(Some(Value::list([std::mem::replace(&mut at, next), member])))
    })
}

/// How many members; there may not be fewer than none. Python tells of -1 where the
/// members stop in words of its own.
pub(super) fn count(call: &Call, stops: bool) -> Result<usize> {
    let count = call.place(1, 0)?;
    usize::try_from(count).ok().filter(|_| count < i64::MAX).ok_or_else(|| {
        let what = match (stops, count) {
            (true, -1) => "Stop argument for islice() must be None or",
            _ => "Indices for islice() must be None or",
        };
        Exception::of_value(format!("{what} an integer: 0 <= x <= sys.maxsize."))
    })
}

fn take(call: &Call) -> Result<Value> {
    let mut left = count(call, true)?;
    let mut members = call.flow(0)?;
    call.iter(move || {
        if left == 0 {
            return Ok(None);
        }
        left -= 1;
        members.next()
    })
}

fn skip(call: &Call) -> Result<Value> {
    let mut left = count(call, false)?;
    let mut members = call.flow(0)?;
    call.iter(move || {
        while left > 0 && members.next()?.is_some() {
            left -= 1;
        }
        members.next()
    })
}

fn take_while(call: &Call) -> Result<Value> {
    let (mut members, predicate) = (call.flow(0)?, call.lambda(1)?);
    let mut ended = false;
    call.iter(move || {
        if ended {
            return Ok(None);
        }
        let Some(member) = members.next()? else { return Ok(None) };
        ended = !predicate.holds([member.clone()])?;
        Ok((!ended).then_some(member))
    })
}

fn skip_while(call: &Call) -> Result<Value> {
    let (mut members, predicate) = (call.flow(0)?, call.lambda(1)?);
    let mut skipping = true;
    call.iter(move || {
        while let Some(member) = members.next()? {
            skipping = skipping && predicate.holds([member.clone()])?;
            if !skipping {
                return Ok(Some(member));
            }
        }
        Ok(None)
    })
}
