//! Generators of collections.

use std::collections::VecDeque;

use hashbrown::HashSet;

use super::super::call::FunctionCall;
use super::super::iterable::stream;
use super::super::key::key;
use super::super::measure::{list_size, set_size};
use super::super::overload::{Function, function, method};
use crate::eval::python::{Exception, Result, Value, add, limit_members};

#[rustfmt::skip] // One row for each overload.
pub const TABLE: &[Function] = &[
    method("cycle", "collection:Iterable", cycle),
    function("generate", "initial:Any predicate:Lambda producer:Lambda selector:Lambda? decycle:Bool?",
        generate),
    function("generateMany", "initial:Any producer:Lambda selector:Lambda? decycle:Bool? depthFirst:Bool?",
        generate_many),
    function("range", "start:Int stop:Int step:Int?",
        |call| range(call, call.int(0, 0)?, call.int(1, 0)?, call.int(2, 1)?)),
    function("range", "stop:Int", |call| range(call, 0, call.int(0, 0)?, 1)),
    method("repeat", "value:Any times:Int?", repeat),
    function("sequence", "start:Int? step:Int?", sequence),
];

fn range(call: &FunctionCall, start: i64, stop: i64, step: i64) -> Result<Value> {
    if step == 0 {
        return Err(Exception::of_value("range() arg 3 must not be zero"));
    }
    let mut next = Some(start);
    call.generator(move || {
        let within = |at: &i64| if step > 0 { *at < stop } else { *at > stop };
        let Some(at) = next.filter(within) else { return Ok(None) };
        next = at.checked_add(step);
        Ok(Some(Value::Int(at)))
    })
}

fn sequence(call: &FunctionCall) -> Result<Value> {
    let mut next = call.get(0).cloned().unwrap_or(Value::Int(0));
    let step = call.get(1).cloned().unwrap_or(Value::Int(1));
    call.generator(move || {
        let after = add(&next, &step)?;
        Ok(Some(std::mem::replace(&mut next, after)))
    })
}

fn repeat(call: &FunctionCall) -> Result<Value> {
    let (value, times) = (call.value(0), call.int(1, -1)?);
    let mut left = u64::try_from(times).ok();
    call.generator(move || {
        left = match left {
            Some(0) => return Ok(None),
            some => some.map(|left| left - 1),
        };
        Ok(Some(value.clone()))
    })
}

fn cycle(call: &FunctionCall) -> Result<Value> {
    let (mut members, mut seen, mut at) = (call.stream(0)?, Vec::new(), None);
    call.generator(move || {
        if at.is_none() {
            if let Some(member) = members.next()? {
                seen.push(member.clone());
                // yaql has no quota for `cycle`: only this limit bounds what is kept.
                limit_members(seen.len())?;
                return Ok(Some(member));
            }
            at = Some(0);
        }
        let place = at.unwrap_or(0);
        at = Some(if place + 1 < seen.len() { place + 1 } else { 0 });
        Ok(seen.get(place).cloned())
    })
}

fn generate(call: &FunctionCall) -> Result<Value> {
    let (predicate, producer) = (call.lambda(1)?, call.lambda(2)?);
    let (selector, engine) = (call.maybe_lambda(3), call.engine().clone());
    let mut seen = call.flag(4)?.then(HashSet::new);
    let (mut next, mut last) = (Some(call.value(0)), None);
    call.generator(move || {
        // Produced on demand: a producer that fails costs nothing before.
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
            engine.check_growth(seen.len(), set_size)?;
        }
        last = Some(item.clone());
        match &selector {
            Some(selector) => selector.call([item]).map(Some),
            None => Ok(Some(item)),
        }
    })
}

fn generate_many(call: &FunctionCall) -> Result<Value> {
    let (producer, selector) = (call.lambda(1)?, call.maybe_lambda(2));
    let (engine, depth_first) = (call.engine().clone(), call.flag(4)?);
    let mut seen = call.flag(3)?.then(HashSet::new);
    let mut queue = VecDeque::from([call.value(0)]);
    let mut last = None;
    call.generator(move || {
        if let Some(last) = last.take() {
            let produced = stream(&producer.call([last])?)?.rest()?;
            engine.spend(produced.len())?;
            if depth_first {
                produced.into_iter().rev().for_each(|item| queue.push_front(item));
            } else {
                queue.extend(produced);
            }
            engine.check_growth(queue.len(), list_size)?;
        }
        while let Some(item) = queue.pop_front() {
            if let Some(seen) = &mut seen {
                if !seen.insert(key(&item)?) {
                    continue;
                }
                engine.check_growth(seen.len(), set_size)?;
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
