//! Collections: streams of members, and iterators, which are streams as values.

use std::cmp;
use std::fmt;
use std::sync::{Arc, OnceLock};

use super::engine::Engine;
use super::key;
use super::measure::list_size;
use crate::eval::python::{
    Exception, Lock, Object, Result, Tuple, Value, View, discard, iterate, limit_members,
};

/// A function that returns the next member; `None` at the end.
type NextMember = Box<dyn FnMut() -> Result<Option<Value>> + Send + Sync>;

/// A lazy sequence of values.
pub struct Stream(NextMember);

impl Stream {
    /// Returns a stream of the results of a function, up to the first `None`.
    pub fn new(
        step: impl FnMut() -> Result<Option<Value>> + Send + Sync + 'static,
    ) -> Stream {
        Stream(Box::new(step))
    }

    pub fn of(values: Vec<Value>) -> Stream {
        let mut values = values.into_iter();
        Stream::new(move || Ok(values.next()))
    }

    pub fn next(&mut self) -> Result<Option<Value>> {
        (self.0)()
    }

    /// Returns the next value of an open stream, and closes it at its end.
    pub fn next_of(open: &mut Option<Stream>) -> Result<Option<Value>> {
        let Some(stream) = open else { return Ok(None) };
        let next = stream.next()?;
        if next.is_none() {
            *open = None;
        }
        Ok(next)
    }

    pub fn rest(mut self) -> Result<Vec<Value>> {
        let mut all = Vec::new();
        while let Some(value) = self.next()? {
            all.push(value);
            limit_members(all.len())?;
        }
        Ok(all)
    }
}

/// An iterator: a value whose members can be members once.
pub struct Generator {
    engine: Arc<Engine>,
    stream: Lock<Option<Stream>>,
}

/// An iterator that keeps its members, so that it can be used repeatedly.
#[derive(Clone, Debug)]
pub struct RememberingIterator {
    engine: Arc<Engine>,
    source: Value,
    members: Arc<Lock<Vec<Value>>>,
}

impl Generator {
    pub fn value(engine: &Arc<Engine>, stream: Stream) -> Value {
        let (engine, stream) = (engine.clone(), Lock::new(Some(stream)));
        Value::object(Generator { engine, stream })
    }

    fn next(&self) -> Result<Option<Value>> {
        // Taken out while it runs: a nested use is an error, as in Python.
        let Some(mut stream) = self.stream.write().take() else {
            return Err(Exception::of_value("generator already executing"));
        };
        let next = self.engine.nested(2, || stream.next());
        // As a Python generator, an iterator is exhausted after an error, too.
        *self.stream.write() =
            Some(if let Ok(Some(_)) = next { stream } else { Stream::of(Vec::new()) });
        next
    }
}

impl RememberingIterator {
    /// Returns an iterator that keeps the members of another one.
    pub fn value(engine: &Arc<Engine>, source: &Value) -> Value {
        if source.downcast::<RememberingIterator>().is_some() {
            return source.clone();
        }
        let (engine, source) = (engine.clone(), source.clone());
        Value::object(RememberingIterator { engine, source, members: Arc::default() })
    }

    fn stream(&self) -> Stream {
        let (iterator, mut at) = (self.clone(), 0);
        Stream::new(move || {
            at += 1;
            let known = iterator.members.read().get(at - 1).cloned();
            if known.is_some() {
                return Ok(known);
            }
            let next = match iterator.source.downcast::<Generator>() {
                Some(source) => source.next()?,
                None => None,
            };
            iterator.members.write().extend(next.clone());
            iterator.engine.check_growth(iterator.members.read().len(), list_size)?;
            Ok(next)
        })
    }
}

pub fn is_iterator(value: &Value) -> bool {
    value.downcast::<Generator>().is_some()
        || value.downcast::<RememberingIterator>().is_some()
}

/// Returns true if a value is a collection other than a dict.
pub fn is_iterable(value: &Value) -> bool {
    match value {
        Value::Tuple(_) | Value::List(_) | Value::Set(_) => true,
        other => {
            is_iterator(other)
                || other.downcast::<View>().is_some()
                || other.downcast::<OrderingIterable>().is_some()
        }
    }
}

/// Returns the members, as Python's `iter`. Raises a `TypeError` if not iterable.
pub fn stream(value: &Value) -> Result<Stream> {
    if let Some(iterator) = value.downcast::<RememberingIterator>() {
        return Ok(iterator.stream());
    }
    if let Some(ordering) = value.downcast::<OrderingIterable>() {
        return ordering.sorted().map(Stream::of);
    }
    match value {
        Value::Set(members) => Ok(Stream::of(key::members(members))),
        Value::Tuple(members) => Ok(walk(members)),
        Value::Object(object) if value.downcast::<Generator>().is_some() => {
            let object = Value::Object(object.clone());
            Ok(Stream::new(move || {
                object.downcast::<Generator>().map_or(Ok(None), Generator::next)
            }))
        }
        Value::Object(_) => {
            let thawed = |member: &Value| match member {
                Value::Tuple(pair) => Value::tuple(pair.iter().map(key::thaw)),
                other => key::thaw(other),
            };
            Ok(Stream::of(iterate(value)?.iter().map(thawed).collect()))
        }
        other => Ok(Stream::of(iterate(other)?.iter().map(key::thaw).collect())),
    }
}

fn walk(members: &Tuple) -> Stream {
    let (members, mut at) = (members.clone(), 0);
    Stream::new(move || {
        at += 1;
        Ok(members.get(at - 1).cloned())
    })
}

/// Limits a collection. An iterator fails at the first member beyond the limit.
pub fn limit(engine: &Arc<Engine>, value: &Value) -> Result<Value> {
    let sized = match value {
        Value::Tuple(members) => Some(members.len()),
        Value::List(items) => Some(items.len()),
        Value::Set(members) => Some(members.0.len()),
        Value::Dict(entries) => Some(entries.len()),
        // yaql checks `len()` of sequences and sets; `dict_values` is neither.
        Value::Object(object) if object.type_name() != "dict_values" => object.length(),
        _ => None,
    };
    if let Some(length) = sized {
        engine.check_length(length)?;
        return Ok(value.clone());
    }
    let (source, counting, mut count) = (value.clone(), engine.clone(), 0);
    let mut opened = None;
    let step = move || {
        let members = match &mut opened {
            Some(members) => members,
            none => none.insert(stream(&source)?),
        };
        let next = members.next()?;
        count += usize::from(next.is_some());
        counting.check_length(count)?;
        Ok(next)
    };
    Ok(Generator::value(engine, Stream::new(step)))
}

impl Drop for Generator {
    fn drop(&mut self) {
        let stream = self.stream.get_mut();
        // Streams nest in streams, so a chain must not be dropped recursively.
        discard(stream.take());
    }
}

impl fmt::Debug for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Generator")
    }
}

impl Object for Generator {
    fn type_name(&self) -> &str {
        "generator"
    }
}

impl Object for RememberingIterator {
    fn type_name(&self) -> &str {
        "RememberingIterator"
    }
}

/// Comparison of two members by one key.
pub type Compare = Arc<dyn Fn(&Value, &Value) -> Result<cmp::Ordering> + Send + Sync>;

/// The result of `orderBy`: a collection that is sorted on first use.
pub struct OrderingIterable {
    collection: Value,
    keys: Lock<Vec<Compare>>,
    sorted: OnceLock<Vec<Value>>,
}

impl OrderingIterable {
    pub fn new(collection: Value, compare: Compare) -> OrderingIterable {
        let keys = Lock::new(vec![compare]);
        OrderingIterable { collection, keys, sorted: OnceLock::new() }
    }

    /// Adds a key for members that are equal by all previous keys.
    pub fn refine(&self, compare: Compare) {
        self.keys.write().push(compare);
    }

    pub fn sorted(&self) -> Result<Vec<Value>> {
        if let Some(sorted) = self.sorted.get() {
            return Ok(sorted.clone());
        }
        // Sorted outside of the cell, since a key may use this ordering recursively.
        let sorted = self.sort(stream(&self.collection)?.rest()?)?;
        Ok(self.sorted.get_or_init(|| sorted).clone())
    }

    /// Sorts stably, by merging runs of doubled length.
    fn sort(&self, mut members: Vec<Value>) -> Result<Vec<Value>> {
        let mut size = 1;
        // Written here, because `slice::sort_by` cannot stop at an error of a comparison.
        while size < members.len() {
            let mut merged = Vec::with_capacity(members.len());
            for pair in members.chunks(size * 2) {
                let (mut left, mut right) = pair.split_at(size.min(pair.len()));
                while let ([a, rest @ ..], [b, others @ ..]) = (left, right) {
                    if self.compare(b, a)?.is_lt() {
                        merged.push(b.clone());
                        right = others;
                    } else {
                        merged.push(a.clone());
                        left = rest;
                    }
                }
                merged.extend(left.iter().chain(right).cloned());
            }
            members = merged;
            size *= 2;
        }
        Ok(members)
    }

    fn compare(&self, a: &Value, b: &Value) -> Result<cmp::Ordering> {
        // Cloned, so that the lock is free if a key uses this ordering itself.
        let keys = self.keys.read().clone();
        for compare in keys {
            let order = compare(a, b)?;
            if order.is_ne() {
                return Ok(order);
            }
        }
        Ok(cmp::Ordering::Equal)
    }
}

impl fmt::Debug for OrderingIterable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OrderingIterable")
    }
}

impl Object for OrderingIterable {
    fn type_name(&self) -> &str {
        "OrderingIterable"
    }
}
