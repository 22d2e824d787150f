//! Collections made from other collections, member by member.

use hashbrown::HashSet;

use super::super::call::FunctionCall;
use super::super::iterable::{
    RememberingIterator, Stream, is_iterable, is_iterator, stream,
};
use super::super::key::key;
use super::super::measure::set_size;
use super::super::overload::{Function, both, method};
use crate::eval::python::{
    Exception, Result, Value, add, equal, limit_members, positive, slice, truth,
};

#[rustfmt::skip] // One row for each overload.
pub const TABLE: &[Function] = &[
    both("append", "collection:Iterable *:Any", append),
    method("delete", "collection:Iterable position:Int count:Int?", |call| exchange(call, 2, None)),
    both("distinct", "collection:Iterable keySelector:Lambda?", distinct),
    both("enumerate", "collection:Iterable start:Int|Null?", enumerate),
    method("filter", "collection:Iterable predicate:Lambda", filter),
    method("insertMany", "collection:Iterable position:Int values:Iterable", insert_many),
    method("join", "collection1:Iterable collection2:Iterable predicate:Lambda selector:Lambda", join),
    method("limit", "collection:Iterable count:Int", take),
    method("map", "collection:Iterable selector:Lambda", map),
    method("replace", "collection:Iterable position:Int value:Any count:Int?",
        |call| exchange(call, 3, Some(Value::tuple([call.value(2)])))),
    method("replaceMany", "collection:Iterable position:Int values:Iterable count:Int?",
        |call| exchange(call, 3, Some(call.value(2)))),
    method("select", "collection:Iterable selector:Lambda", map),
    method("selectMany", "collection:Iterable selector:Lambda", select_many),
    method("skip", "collection:Iterable count:Int", skip),
    method("skipWhile", "collection:Iterable predicate:Lambda", skip_while),
    method("slice", "collection:Iterable length:Int", chunks),
    method("sliceWhere", "collection:Iterable predicate:Lambda", |call| cut(call, slice_where)),
    method("splitAt", "collection:Iterable index:Int", split_at),
    method("splitWhere", "collection:Iterable predicate:Lambda", |call| cut(call, split)),
    method("take", "collection:Iterable count:Int", take),
    method("takeWhile", "collection:Iterable predicate:Lambda", take_while),
    method("where", "collection:Iterable predicate:Lambda", filter),
    method("zip", "*:Iterable", zip),
    method("zipLongest", "*:Iterable **", zip_longest),
];

fn filter(call: &FunctionCall) -> Result<Value> {
    let (mut members, predicate) = (call.stream(0)?, call.lambda(1)?);
    call.generator(move || {
        while let Some(member) = members.next()? {
            if predicate.holds([member.clone()])? {
                return Ok(Some(member));
            }
        }
        Ok(None)
    })
}

fn map(call: &FunctionCall) -> Result<Value> {
    let (mut members, selector) = (call.stream(0)?, call.lambda(1)?);
    call.generator(move || {
        let member = members.next()?;
        member.map(|member| selector.call([member])).transpose()
    })
}

fn select_many(call: &FunctionCall) -> Result<Value> {
    let (mut members, selector) = (call.stream(0)?, call.lambda(1)?);
    let mut open: Option<Stream> = None;
    call.generator(move || {
        loop {
            if let Some(member) = Stream::next_of(&mut open)? {
                return Ok(Some(member));
            }
            let Some(member) = members.next()? else { return Ok(None) };
            let selected = selector.call([member])?;
            if !is_iterable(&selected) {
                return Ok(Some(selected));
            }
            open = Some(stream(&selected)?);
        }
    })
}

fn append(call: &FunctionCall) -> Result<Value> {
    let (mut members, mut more) = (call.stream(0)?, call.variadic().into_iter());
    call.generator(move || Ok(members.next()?.or_else(|| more.next())))
}

fn distinct(call: &FunctionCall) -> Result<Value> {
    let (mut members, selector) = (call.stream(0)?, call.maybe_lambda(1));
    let (engine, mut seen) = (call.engine().clone(), HashSet::new());
    call.generator(move || {
        while let Some(member) = members.next()? {
            let is_new = match &selector {
                Some(selector) => seen.insert(key(&selector.call([member.clone()])?)?),
                None => seen.insert(key(&member)?),
            };
            if is_new {
                engine.check_growth(seen.len(), set_size)?;
                return Ok(Some(member));
            }
        }
        Ok(None)
    })
}

fn enumerate(call: &FunctionCall) -> Result<Value> {
    let mut members = call.stream(0)?;
    let mut at = match call.get(1) {
        None => Value::Int(0),
        Some(Value::None) => {
            let message = "'NoneType' object cannot be interpreted as an integer";
            return Err(Exception::of_type(message));
        }
        Some(start) => positive(start)?,
    };
    call.generator(move || {
        let Some(member) = members.next()? else { return Ok(None) };
        let next = add(&at, &Value::Int(1))?;
        Ok(Some(Value::list([std::mem::replace(&mut at, next), member])))
    })
}

/// Returns the count argument of `islice`. `stops` selects the message for -1.
fn count(call: &FunctionCall, stops: bool) -> Result<usize> {
    let count = call.position(1, 0)?;
    usize::try_from(count).ok().filter(|_| count < i64::MAX).ok_or_else(|| {
        let what = match (stops, count) {
            (true, -1) => "Stop argument for islice() must be None or",
            _ => "Indices for islice() must be None or",
        };
        Exception::of_value(format!("{what} an integer: 0 <= x <= sys.maxsize."))
    })
}

fn take(call: &FunctionCall) -> Result<Value> {
    let mut left = count(call, true)?;
    let mut members = call.stream(0)?;
    call.generator(move || {
        if left == 0 {
            return Ok(None);
        }
        left -= 1;
        members.next()
    })
}

fn skip(call: &FunctionCall) -> Result<Value> {
    let mut left = count(call, false)?;
    let mut members = call.stream(0)?;
    call.generator(move || {
        while left > 0 && members.next()?.is_some() {
            left -= 1;
        }
        members.next()
    })
}

fn take_while(call: &FunctionCall) -> Result<Value> {
    let (mut members, predicate) = (call.stream(0)?, call.lambda(1)?);
    let mut ended = false;
    call.generator(move || {
        if ended {
            return Ok(None);
        }
        let Some(member) = members.next()? else { return Ok(None) };
        ended = !predicate.holds([member.clone()])?;
        Ok((!ended).then_some(member))
    })
}

fn skip_while(call: &FunctionCall) -> Result<Value> {
    let (mut members, predicate) = (call.stream(0)?, call.lambda(1)?);
    let mut skipping = true;
    call.generator(move || {
        while let Some(member) = members.next()? {
            skipping = skipping && predicate.holds([member.clone()])?;
            if !skipping {
                return Ok(Some(member));
            }
        }
        Ok(None)
    })
}

/// Replaces `count` members from a position on (all if negative) by other values.
fn exchange(call: &FunctionCall, count: usize, by: Option<Value>) -> Result<Value> {
    let (mut members, from) = (call.stream(0)?, call.position(1, 0)?);
    let count = call.position(count, 1)?;
    let end = if count < 0 { i64::MAX } else { from.saturating_add(count) };
    let (mut by, mut open, mut at) = (by, None::<Stream>, -1);
    call.generator(move || {
        loop {
            if let Some(value) = Stream::next_of(&mut open)? {
                return Ok(Some(value));
            }
            let Some(member) = members.next()? else { return Ok(None) };
            at += 1;
            if !(from..end).contains(&at) {
                return Ok(Some(member));
            }
            open = by.take().map(|values| stream(&values)).transpose()?;
        }
    })
}

/// Inserts values before a position, which is limited to the start and the end.
fn insert_many(call: &FunctionCall) -> Result<Value> {
    let (mut members, position) = (call.stream(0)?, call.position(1, 0)?);
    let values = call.value(2);
    let (mut at, mut held, mut ended) = (-1, None, false);
    let mut open = if position < 0 { Some(stream(&values)?) } else { None };
    call.generator(move || {
        loop {
            if let Some(value) = Stream::next_of(&mut open)? {
                return Ok(Some(value));
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
                    // Kept until the inserted values are exhausted.
                    held = Some(member);
                    open = Some(stream(&values)?);
                }
                None => {
                    ended = true;
                    if position > at {
                        open = Some(stream(&values)?);
                    }
                }
            }
        }
    })
}

fn chunks(call: &FunctionCall) -> Result<Value> {
    let (mut members, length) = (call.stream(0)?, count(call, true));
    let engine = call.engine().clone();
    call.generator(move || {
        // The error is raised when the result is used, as `islice` is called then.
        let length = length.clone()?;
        let mut chunk = Vec::new();
        while chunk.len() < length
            && let Some(member) = members.next()?
        {
            chunk.push(member);
            engine.check_length(chunk.len())?;
            limit_members(chunk.len())?;
        }
        Ok((!chunk.is_empty()).then(|| Value::tuple(chunk)))
    })
}

fn split_at(call: &FunctionCall) -> Result<Value> {
    let (all, index) = (Value::tuple(call.members(0)?), call.value(1));
    let none = &Value::None;
    Ok(Value::list([slice(&all, none, &index, none)?, slice(&all, &index, none, none)?]))
}

/// Decides if a part ends before a member, by the results of the predicate for the
/// previous member and for this one. Returns the number of members to skip.
type Cut = fn(Option<&Value>, &Value) -> Result<Option<usize>>;

/// Returns an iterator over the parts of a collection.
fn cut(call: &FunctionCall, cuts: Cut) -> Result<Value> {
    let (source, predicate) = (call.value(0), call.lambda(1)?);
    let (mut members, mut from) = (None, 0);
    call.generator(move || {
        // Read on first use: the call itself must not consume the collection.
        let all: &Vec<Value> = match &mut members {
            Some(all) => all,
            none => none.insert(stream(&source)?.rest()?),
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
fn join(call: &FunctionCall) -> Result<Value> {
    let (mut left, mut right) = (call.stream(0)?, call.value(1));
    let (predicate, selector) = (call.lambda(2)?, call.lambda(3)?);
    if is_iterator(&right) {
        right = RememberingIterator::value(call.engine(), &right);
    }
    let mut open: Option<(Value, Stream)> = None;
    call.generator(move || {
        loop {
            if let Some((own, others)) = &mut open {
                while let Some(other) = others.next()? {
                    let pair = [own.clone(), other];
                    if predicate.holds(pair.clone())? {
                        return selector.call(pair).map(Some);
                    }
                }
            }
            let Some(own) = left.next()? else { return Ok(None) };
            open = Some((own, stream(&right)?));
        }
    })
}

fn streams(call: &FunctionCall) -> Result<Vec<Stream>> {
    call.variadic().iter().map(stream).collect()
}

fn zip(call: &FunctionCall) -> Result<Value> {
    let mut streams = streams(call)?;
    call.generator(move || {
        let mut row = Vec::with_capacity(streams.len());
        for stream in &mut streams {
            match stream.next()? {
                Some(member) => row.push(member),
                None => return Ok(None),
            }
        }
        Ok((!row.is_empty()).then(|| Value::tuple(row)))
    })
}

fn zip_longest(call: &FunctionCall) -> Result<Value> {
    let mut streams = streams(call)?;
    let filler = call.keywords.iter().find(|(name, _)| &**name == "default");
    let filler = filler.map_or(Value::None, |(_, value)| value.clone());
    call.generator(move || {
        let (mut row, mut found) = (Vec::with_capacity(streams.len()), false);
        for stream in &mut streams {
            let next = stream.next()?;
            found = found || next.is_some();
            row.push(next.unwrap_or_else(|| filler.clone()));
        }
        Ok(found.then(|| Value::tuple(row)))
    })
}
