//! Collections made from other collections, member by member, or from nothing.

use std::collections::VecDeque;
use std::{iter, mem};

use hashbrown::HashSet;

use crate::eval::python::{
    Exception, Key, Result, Value, add, equal, limit_members, positive, slice, truth,
};

use super::super::call::BoundCall;
use super::super::engine::{Engine, list_size, set_size};
use super::super::evaluate::Lambda;
use super::super::iterable::{RememberingIterator, Stream, is_iterable, keep, stream};
use super::super::key::key;
use super::super::overload::{Function, both, function, method};

#[rustfmt::skip] // One row for each overload.
pub const TABLE: &[Function] = &[
    both("append", "collection:Iterable *:Any", append),
    method("cycle", "collection:Iterable", cycle),
    method("delete", "collection:Iterable position:Int count:Int?", |call| exchange(call, 2, None)),
    both("distinct", "collection:Iterable keySelector:Lambda?", distinct),
    both("enumerate", "collection:Iterable start:Int|Null?", enumerate),
    method("filter", "collection:Iterable predicate:Lambda", filter),
    function("generate", "initial:Any predicate:Lambda producer:Lambda selector:Lambda? decycle:Bool?",
        generate),
    function("generateMany", "initial:Any producer:Lambda selector:Lambda? decycle:Bool? depthFirst:Bool?",
        generate_many),
    method("insertMany", "collection:Iterable position:Int values:Iterable",
        |call| insert(call, call.value(2), true)),
    method("join", "collection1:Iterable collection2:Iterable predicate:Lambda selector:Lambda", join),
    method("limit", "collection:Iterable count:Int", take),
    method("map", "collection:Iterable selector:Lambda", map),
    function("range", "start:Int stop:Int step:Int?",
        |call| range(call, call.int(0, 0)?, call.int(1, 0)?, call.int(2, 1)?)),
    function("range", "stop:Int", |call| range(call, 0, call.int(0, 0)?, 1)),
    method("repeat", "value:Any times:Int?", repeat),
    method("replace", "collection:Iterable position:Int value:Any count:Int?",
        |call| exchange(call, 3, Some(Value::tuple([call.value(2)])))),
    method("replaceMany", "collection:Iterable position:Int values:Iterable count:Int?",
        |call| exchange(call, 3, Some(call.value(2)))),
    method("select", "collection:Iterable selector:Lambda", map),
    method("selectMany", "collection:Iterable selector:Lambda", select_many),
    function("sequence", "start:Int? step:Int?", sequence),
    method("skip", "collection:Iterable count:Int", skip),
    method("skipWhile", "collection:Iterable predicate:Lambda", skip_while),
    method("slice", "collection:Iterable length:Int", chunks),
    method("sliceWhere", "collection:Iterable predicate:Lambda", |call| cut(call, slice_where)),
    method("splitAt", "collection:Iterable index:Int", split_at),
    method("splitWhere", "collection:Iterable predicate:Lambda", |call| cut(call, split)),
    method("take", "collection:Iterable count:Int", take),
    method("takeWhile", "collection:Iterable predicate:Lambda", take_while),
    method("where", "collection:Iterable predicate:Lambda", filter),
    method("zip", "*:Iterable", |call| zip(call, None)),
    method("zipLongest", "*:Iterable **", zip_longest),
];

fn filter(call: &BoundCall) -> Result<Value> {
    let predicate = call.lambda(1)?;
    call.lazy(call.stream(0)?.filter_map(move |member| predicate.keep(member)))
}

fn map(call: &BoundCall) -> Result<Value> {
    let selector = call.lambda(1)?;
    call.lazy(call.stream(0)?.map(move |member| selector.call([member?])))
}

fn select_many(call: &BoundCall) -> Result<Value> {
    let selector = call.lambda(1)?;
    let selected = move |member: Result<Value>| {
        let selected = selector.call([member?])?;
        if is_iterable(&selected) {
            stream(&selected)
        } else {
            Ok(Stream::of(vec![selected]))
        }
    };
    call.lazy(call.stream(0)?.flat_map(move |member| Stream::flat(selected(member))))
}

fn append(call: &BoundCall) -> Result<Value> {
    call.lazy(call.stream(0)?.chain(call.variadic().into_iter().map(Ok)))
}

fn distinct(call: &BoundCall) -> Result<Value> {
    let selector = call.maybe_lambda(1);
    let engine = call.engine().clone();
    let mut seen = Some(HashSet::new());
    call.lazy(call.stream(0)?.filter_map(move |member| {
        keep(member, |member| {
            add_new(&mut seen, &selected(selector.as_ref(), member.clone())?, &engine)
        })
    }))
}

/// The values that were seen; `None` if they are not collected.
type Seen = Option<HashSet<Key>>;

/// Adds a value to those that were seen. Returns false if it is one of them.
fn add_new(seen: &mut Seen, value: &Value, engine: &Engine) -> Result<bool> {
    let Some(seen) = seen else { return Ok(true) };
    let is_new = seen.insert(key(value)?);
    engine.check_growth(seen.len(), set_size)?;
    Ok(is_new)
}

fn enumerate(call: &BoundCall) -> Result<Value> {
    let mut at = match call.get(1) {
        None => Value::Int(0),
        Some(Value::None) => {
            let message = "'NoneType' object cannot be interpreted as an integer";
            return Err(Exception::of_type(message));
        }
        Some(start) => positive(start)?,
    };
    call.lazy(call.stream(0)?.map(move |member| {
        let member = member?;
        let next = add(&at, &Value::Int(1))?;
        Ok(Value::list([mem::replace(&mut at, next), member]))
    }))
}

/// Returns the count argument of `islice`. `stops` selects the message for -1.
fn count(call: &BoundCall, stops: bool) -> Result<usize> {
    let count = call.position(1, 0)?;
    usize::try_from(count).ok().filter(|_| count < i64::MAX).ok_or_else(|| {
        let what = match (stops, count) {
            (true, -1) => "Stop argument for islice() must be None or",
            _ => "Indices for islice() must be None or",
        };
        Exception::of_value(format!("{what} an integer: 0 <= x <= sys.maxsize."))
    })
}

fn take(call: &BoundCall) -> Result<Value> {
    let count = count(call, true)?;
    call.lazy(call.stream(0)?.take(count))
}

fn skip(call: &BoundCall) -> Result<Value> {
    let count = count(call, false)?;
    let members = call.stream(0)?.enumerate();
    call.lazy(members.filter_map(move |(at, member)| keep(member, |_| Ok(at >= count))))
}

fn take_while(call: &BoundCall) -> Result<Value> {
    let predicate = call.lambda(1)?;
    call.lazy(call.stream(0)?.map_while(move |member| predicate.keep(member)))
}

fn skip_while(call: &BoundCall) -> Result<Value> {
    let predicate = call.lambda(1)?;
    let mut skipping = true;
    let mut is_behind = move |member: &Value| {
        skipping = skipping && predicate.holds([member.clone()])?;
        Ok(!skipping)
    };
    call.lazy(call.stream(0)?.filter_map(move |member| keep(member, &mut is_behind)))
}

/// Replaces `count` members from a position on (all if negative) by other values.
fn exchange(call: &BoundCall, count: usize, mut by: Option<Value>) -> Result<Value> {
    let members = (0..).zip(call.stream(0)?);
    let from = call.position(1, 0)?;
    let count = call.position(count, 1)?;
    let end = if count < 0 { i64::MAX } else { from.saturating_add(count) };
    call.lazy(members.flat_map(move |(at, member)| {
        match member {
            Ok(_) if (from..end).contains(&at) => by
                .take()
                .map_or(Stream::of(Vec::new()), |values| Stream::flat(stream(&values))),
            member => Stream::new(iter::once(member)),
        }
    }))
}

/// Inserts values before a position, or at the end; before a negative one if `at_start`.
pub fn insert(call: &BoundCall, values: Value, at_start: bool) -> Result<Value> {
    let members = call.stream(0)?;
    let position = call.position(1, 0)?;
    let start = (at_start && position < 0).then(|| stream(&values)).transpose()?;
    let rest =
        (0..).zip(members.map(Some).chain([None])).flat_map(move |(at, member)| {
            let is_here = match &member {
                Some(Ok(_)) => at == position,
                Some(Err(_)) => false,
                // No member is left.
                None => at <= position,
            };
            // Opened here: the call itself must not consume the values.
            let inserted = is_here.then(|| Stream::flat(stream(&values)));
            inserted.into_iter().flatten().chain(member)
        });
    call.lazy(start.into_iter().flatten().chain(rest))
}

fn chunks(call: &BoundCall) -> Result<Value> {
    let mut members = call.stream(0)?;
    let length = count(call, true);
    let engine = call.engine().clone();
    call.generator(move || {
        // The error is raised when the result is used, as `islice` is called then.
        let length = length.clone()?;
        let mut chunk = Vec::new();
        while chunk.len() < length
            && let Some(member) = members.pull()?
        {
            chunk.push(member);
            engine.check_length(chunk.len())?;
            limit_members(chunk.len())?;
        }
        Ok((!chunk.is_empty()).then(|| Value::tuple(chunk)))
    })
}

fn split_at(call: &BoundCall) -> Result<Value> {
    let all = Value::tuple(call.members(0)?);
    let index = call.value(1);
    let none = &Value::None;
    Ok(Value::list([slice(&all, none, &index, none)?, slice(&all, &index, none, none)?]))
}

/// Decides if a part ends before a member, by the results of the predicate for the
/// previous member and for this one. Returns the number of members to skip.
type Cut = fn(Option<&Value>, &Value) -> Result<Option<usize>>;

/// Returns an iterator over the parts of a collection.
fn cut(call: &BoundCall, cuts: Cut) -> Result<Value> {
    let source = call.value(0);
    let predicate = call.lambda(1)?;
    let mut members = None;
    let mut from = 0;
    call.generator(move || {
        // Read on first use: the call itself must not consume the collection.
        let all: &Vec<Value> = match &mut members {
            Some(all) => all,
            none => none.insert(stream(&source)?.rest()?),
        };
        let mut before = None;
        let mut end = all.len();
        let mut next = all.len();
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

/// Splits at the members for which the predicate is true.
fn split(_: Option<&Value>, value: &Value) -> Result<Option<usize>> {
    Ok(truth(value)?.then_some(1))
}

/// Splits where the result of the predicate changes.
fn slice_where(before: Option<&Value>, value: &Value) -> Result<Option<usize>> {
    match before {
        Some(before) if !equal(before, value)? => Ok(Some(0)),
        _ => Ok(None),
    }
}

/// Joins two collections: selects from each pair that satisfies the predicate.
fn join(call: &BoundCall) -> Result<Value> {
    let mut left = call.stream(0)?;
    let right = RememberingIterator::value(call.value(1));
    let predicate = call.lambda(2)?;
    let selector = call.lambda(3)?;
    let mut open: Option<(Value, Stream)> = None;
    call.generator(move || {
        loop {
            if let Some((own, others)) = &mut open {
                while let Some(other) = others.pull()? {
                    let pair = [own.clone(), other];
                    if predicate.holds(pair.clone())? {
                        return selector.call(pair).map(Some);
                    }
                }
            }
            let Some(own) = left.pull()? else { return Ok(None) };
            open = Some((own, stream(&right)?));
        }
    })
}

/// Returns an iterator over rows of one member of each collection. It ends with the first
/// collection, or with the last one if there is a filler.
fn zip(call: &BoundCall, filler: Option<Value>) -> Result<Value> {
    let streams = call.variadic();
    let mut streams = streams.iter().map(stream).collect::<Result<Vec<_>>>()?;
    call.generator(move || {
        let mut row = Vec::with_capacity(streams.len());
        let mut found = false;
        for stream in &mut streams {
            let next = stream.pull()?;
            found = found || next.is_some();
            let Some(member) = next.or_else(|| filler.clone()) else { return Ok(None) };
            row.push(member);
        }
        Ok(found.then(|| Value::tuple(row)))
    })
}

fn zip_longest(call: &BoundCall) -> Result<Value> {
    let filler = call.keywords.iter().find(|(name, _)| &**name == "default");
    zip(call, Some(filler.map_or(Value::None, |(_, value)| value.clone())))
}

fn range(call: &BoundCall, start: i64, stop: i64, step: i64) -> Result<Value> {
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

fn sequence(call: &BoundCall) -> Result<Value> {
    let mut next = call.value_or(0, 0);
    let step = call.value_or(1, 1);
    call.generator(move || {
        let after = add(&next, &step)?;
        Ok(Some(mem::replace(&mut next, after)))
    })
}

fn repeat(call: &BoundCall) -> Result<Value> {
    let endless = iter::repeat(call.value(0)).map(Ok);
    match usize::try_from(call.int(1, -1)?) {
        Ok(times) => call.lazy(endless.take(times)),
        Err(_) => call.lazy(endless),
    }
}

fn cycle(call: &BoundCall) -> Result<Value> {
    let mut members = call.stream(0)?.fuse();
    let mut seen = Vec::new();
    let mut at = 0;
    call.generator(move || {
        if let Some(member) = members.next().transpose()? {
            seen.push(member.clone());
            // yaql has no quota for `cycle`: only this limit bounds what is kept.
            limit_members(seen.len())?;
            return Ok(Some(member));
        }
        let member = seen.get(at).cloned();
        at = if at + 1 < seen.len() { at + 1 } else { 0 };
        Ok(member)
    })
}

fn generate(call: &BoundCall) -> Result<Value> {
    let predicate = call.lambda(1)?;
    let producer = call.lambda(2)?;
    let selector = call.maybe_lambda(3);
    let engine = call.engine().clone();
    let mut seen = call.flag(4)?.then(HashSet::new);
    let mut next = Some(call.value(0));
    let mut last = None;
    call.generator(move || {
        // Produced on demand: a producer that fails costs nothing before.
        if let Some(last) = last.take() {
            next = Some(producer.call([last])?);
        }
        let Some(item) = next.take() else { return Ok(None) };
        if !predicate.holds([item.clone()])? {
            return Ok(None);
        }
        if !add_new(&mut seen, &item, &engine)? {
            return Ok(None);
        }
        last = Some(item.clone());
        selected(selector.as_ref(), item).map(Some)
    })
}

/// Returns the value that a selector gives for an item; without one, the item.
pub fn selected(selector: Option<&Lambda>, item: Value) -> Result<Value> {
    selector.map_or(Ok(item.clone()), |selector| selector.call([item]))
}

fn generate_many(call: &BoundCall) -> Result<Value> {
    let producer = call.lambda(1)?;
    let selector = call.maybe_lambda(2);
    let engine = call.engine().clone();
    let depth_first = call.flag(4)?;
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
            if add_new(&mut seen, &item, &engine)? {
                last = Some(item.clone());
                return selected(selector.as_ref(), item).map(Some);
            }
        }
        Ok(None)
    })
}
