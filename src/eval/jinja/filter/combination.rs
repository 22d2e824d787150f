//! Sequences → tuples of their members: products, permutations, combinations, pairs.

use super::parameter::{given, index, members};
use crate::eval::jinja::CallSite;
use crate::eval::python::{Bound, Exception, Result, Value, room};

/// Returns the members of the sequences that are given by position.
fn sequences(arguments: &Bound) -> Result<Vec<Vec<Value>>> {
    arguments.rest.iter().map(members).collect()
}

pub(super) fn product(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let repeat = arguments.get(0).map_or(Ok(1), index)?;
    let repeat = usize::try_from(repeat)
        .map_err(|_| Exception::of_value("repeat argument cannot be negative"))?;
    let once = sequences(&arguments)?;
    room(once.len().saturating_mul(repeat))?;
    let pools: Vec<&Vec<Value>> = once.iter().cycle().take(once.len() * repeat).collect();
    let total = if pools.iter().any(|pool| pool.is_empty()) {
        0
    } else {
        pools.iter().map(|pool| pool.len()).fold(1, usize::saturating_mul)
    };
    room(total.saturating_mul(pools.len().max(1)))?;
    // The last of them changes fastest, as the digits of a number do.
    let tuple = |mut number: usize| {
        let digit = |pool: &&Vec<Value>| {
            let at = number % pool.len();
            number /= pool.len();
            pool.get(at).cloned().unwrap_or(Value::None)
        };
        let mut members: Vec<Value> = pools.iter().rev().map(digit).collect();
        members.reverse();
        Value::tuple(members)
    };
    Ok(Value::list((0..total).map(tuple)))
}

/// How many members each is to have.
fn size(value: &Value) -> Result<usize> {
    usize::try_from(index(value)?)
        .map_err(|_| Exception::of_value("r must be non-negative"))
}

pub(super) fn permutations(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [r]) = arguments.split();
    let pool = members(&value)?;
    let r = given(r).map_or(Ok(pool.len()), |r| size(&r))?;
    if r > pool.len() {
        return Ok(Value::list([]));
    }
    let total = (pool.len() - r + 1..=pool.len()).fold(1usize, usize::saturating_mul);
    room(total.saturating_mul(r.max(1)))?;
    let mut chosen: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..r {
        let longer = |places: Vec<usize>| {
            let free = (0..pool.len()).filter({
                let places = places.clone();
                move |at| !places.contains(at)
            });
            free.map(move |at| places.iter().copied().chain([at]).collect())
        };
        chosen = chosen.into_iter().flat_map(longer).collect();
    }
    Ok(tuples(&pool, chosen))
}

pub(super) fn combinations(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value, r], []) = arguments.split();
    let (pool, r) = (members(&value)?, size(&r)?);
    if r > pool.len() {
        return Ok(Value::list([]));
    }
    let fewer = r.min(pool.len() - r);
    let total = (1..=fewer).try_fold(1usize, |total, at| {
        total.checked_mul(pool.len() - fewer + at).map(|product| product / at)
    });
    room(total.unwrap_or(usize::MAX).saturating_mul(r.max(1)))?;
    let (mut chosen, mut places) = (Vec::new(), (0..r).collect::<Vec<usize>>());
    loop {
        chosen.push(places.clone());
        // The last place that can still move does, and those behind it follow.
        let last = pool.len() - r;
        let Some(at) = (0..r).rev().find(|at| places[*at] < last + at) else { break };
        let next = places[at] + 1;
        places.splice(at.., next..next + r - at);
    }
    Ok(tuples(&pool, chosen))
}

/// The members of a pool that stand at each choice of places.
fn tuples(pool: &[Value], chosen: Vec<Vec<usize>>) -> Value {
    let member = |at: usize| pool.get(at).cloned().unwrap_or(Value::None);
    let tuple = |places: Vec<usize>| Value::tuple(places.into_iter().map(member));
    Value::list(chosen.into_iter().map(tuple))
}

pub(super) fn zip(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let strict = arguments.flag(0, false)?;
    let sequences = sequences(&arguments)?;
    let length = sequences.iter().map(Vec::len).min().unwrap_or(0);
    let first = sequences.first().map_or(0, Vec::len);
    if let Some(at) = sequences.iter().position(|s| s.len() != first)
        && strict
    {
        let other = sequences.get(at).map_or(0, Vec::len);
        let than = if other < first { "shorter" } else { "longer" };
        let others =
            if at == 1 { "argument 1".to_owned() } else { format!("arguments 1-{at}") };
        let message = format!("zip() argument {} is {than} than {others}", at + 1);
        return Err(Exception::of_value(message));
    }
    Ok(rows(&sequences, length, &Value::None))
}

pub(super) fn zip_longest(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let fill = arguments.value(0);
    let sequences = sequences(&arguments)?;
    let length = sequences.iter().map(Vec::len).max().unwrap_or(0);
    room(length.saturating_mul(sequences.len()))?;
    Ok(rows(&sequences, length, &fill))
}

fn rows(sequences: &[Vec<Value>], length: usize, fill: &Value) -> Value {
    let row = |at: usize| {
        let member = |sequence: &Vec<Value>| sequence.get(at).unwrap_or(fill).clone();
        Value::tuple(sequences.iter().map(member))
    };
    Value::list((0..length).map(row))
}
