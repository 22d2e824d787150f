//! Collections that are made of nothing, or of a value.

use std::collections::{HashSet, VecDeque};

use super::super::argument::Call;
use super::super::flow::flow;
use super::super::key::key;
use super::super::measure::{list_size, set_size};
use super::super::overload::Kind::{Any, Bool, Int, Iterable, Lambda};
use super::super::overload::{Overload, function, may, method, need};
use crate::eval::python::{Exception, Result, Value, add, room};

pub(super) const TABLE: &[Overload] = &[
    method("cycle", &[need("collection", Iterable)], cycle),
    function(
        "generate",
        &[
            need("initial", Any),
            need("predicate", Lambda),
            need("producer", Lambda),
            may("selector", Lambda),
            may("decycle", Bool),
        ],
        generate,
    ),
    function(
        "generateMany",
        &[
            need("initial", Any),
            need("producer", Lambda),
            may("selector", Lambda),
            may("decycle", Bool),
            may("depthFirst", Bool),
        ],
        generate_many,
    ),
    function(
        "range",
        &[need("start", Int), need("stop", Int), may("step", Int)],
        |call| range(call, call.int(0, 0)?, call.int(1, 0)?, call.int(2, 1)?),
    ),
    function("range", &[need("stop", Int)], |call| range(call, 0, call.int(0, 0)?, 1)),
    method("repeat", &[need("value", Any), may("times", Int)], repeat),
    function("sequence", &[may("start", Int), may("step", Int)], sequence),
];

fn range(call: &Call, start: i64, stop: i64, step: i64) -> Result<Value> {
    if step == 0 {
        return Err(Exception::of_value("range() arg 3 must not be zero"));
    }
    let mut next = Some(start);
    call.iter(move || {
        let within = |at: &i64| if step > 0 { *at < stop } else { *at > stop };
        let Some(at) = next.filter(within) else { return Ok(None) };
        next = at.checked_add(step);
        Ok(Some(Value::Int(at)))
    })
}

fn sequence(call: &Call) -> Result<Value> {
    let mut next = call.given(0).cloned().unwrap_or(Value::Int(0));
    let step = call.given(1).cloned().unwrap_or(Value::Int(1));
    call.iter(move || {
        let after = add(&next, &step)?;
        Ok(Some(std::mem::replace(&mut next, after)))
    })
}

fn repeat(call: &Call) -> Result<Value> {
    let (value, times) = (call.value(0), call.int(1, -1)?);
    let mut left = u64::try_from(times).ok();
    call.iter(move || {
        left = match left {
            Some(0) => return Ok(None),
            some => some.map(|left| left - 1),
        };
        Ok(Some(value.clone()))
    })
}

fn cycle(call: &Call) -> Result<Value> {
    let (mut members, mut seen, mut at) = (call.flow(0)?, Vec::new(), None);
    call.iter(move || {
        if at.is_none() {
            if let Some(member) = members.next()? {
                seen.push(member.clone());
                room(seen.len())?;
                return Ok(Some(member));
            }
            at = Some(0);
        }
        let place = at.unwrap_or(0);
        at = Some(if place + 1 < seen.len() { place + 1 } else { 0 });
        Ok(seen.get(place).cloned())
    })
}

fn generate(call: &Call) -> Result<Value> {
    let (predicate, producer) = (call.lambda(1)?, call.lambda(2)?);
    let (selector, engine) = (call.maybe_lambda(3), call.engine.clone());
    let mut seen = call.flag(4)?.then(HashSet::new);
    let (mut next, mut last) = (Some(call.value(0)), None);
    call.iter(move || {
        if let Some(last) = last.take() {
            next = Some(producer.call([last])?);
        }
        let Some(item) = next.take() else { return Ok(None) };
        if !predicate.holds([item.clone()])? {
            return Ok(None);
        }
        if let Some(seen) = &mut seen {
            if !seen.insert(key(&item)?) {
                return Ok(None);
            }
            engine.keep(seen.len(), set_size)?;
        }
        last = Some(item.clone());
        match &selector {
            Some(selector) => selector.call([item]).map(Some),
            None => Ok(Some(item)),
        }
    })
}

fn generate_many(call: &Call) -> Result<Value> {
    let (producer, selector) = (call.lambda(1)?, call.maybe_lambda(2));
    let (engine, depth_first) = (call.engine.clone(), call.flag(4)?);
    let mut seen = call.flag(3)?.then(HashSet::new);
    let mut queue = VecDeque::from([call.value(0)]);
    let mut last = None;
    call.iter(move || {
        if let Some(last) = last.take() {
            let produced = flow(&producer.call([last])?)?.rest()?;
            engine.spend(produced.len())?;
            if depth_first {
                produced.into_iter().rev().for_each(|item| queue.push_front(item));
            } else {
                queue.extend(produced);
            }
            engine.keep(queue.len(), list_size)?;
        }
        while let Some(item) = queue.pop_front() {
            if let Some(seen) = &mut seen {
                if !seen.insert(key(&item)?) {
                    continue;
                }
                engine.keep(seen.len(), set_size)?;
            }
            last = Some(item.clone());
            return match &selector {
                Some(selector) => selector.call([item]).map(Some),
                None => Ok(Some(item)),
            };
        }
        Ok(None)
    })
}
