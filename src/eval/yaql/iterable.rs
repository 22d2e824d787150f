//! Collections: streams of members, and iterators, which are streams as values.

use std::sync::{Arc, OnceLock};
use std::{cmp, fmt, iter};

use crate::eval::python::{
    Exception, Lock, Object, Result, Value, View, discard, iterate, limit_members,
    merge_runs, truth,
};

use super::engine::{Engine, list_size};
use super::evaluate::{Env, Lambda};
use super::key;
use super::resolve::call_function;

/// A lazy sequence of values.
pub struct Stream(Box<dyn Iterator<Item = Result<Value>> + Send + Sync>);

impl Stream {
    pub fn new(
        members: impl Iterator<Item = Result<Value>> + Send + Sync + 'static,
    ) -> Stream {
        Stream(Box::new(members))
    }

    /// Returns a stream of the results of a function, up to the first `None`.
    pub fn of_steps(
        mut step: impl FnMut() -> Result<Option<Value>> + Send + Sync + 'static,
    ) -> Stream {
        Stream::new(iter::from_fn(move || step().transpose()))
    }

    pub fn of(values: Vec<Value>) -> Stream {
        Stream::new(values.into_iter().map(Ok))
    }

    /// Returns the members of a stream, or the error that takes its place.
    pub fn flat(stream: Result<Stream>) -> Stream {
        stream.unwrap_or_else(|raised| Stream::new(iter::once(Err(raised))))
    }

    /// Returns the next value; `None` at the end.
    pub fn pull(&mut self) -> Result<Option<Value>> {
        self.next().transpose()
    }

    pub fn rest(self) -> Result<Vec<Value>> {
        let mut all = Vec::new();
        for value in self {
            all.push(value?);
            limit_members(all.len())?;
        }
        Ok(all)
    }
}

impl Iterator for Stream {
    type Item = Result<Value>;

    fn next(&mut self) -> Option<Result<Value>> {
        self.0.next()
    }
}

/// Returns a member if it satisfies a condition, or the error of either.
pub fn keep(
    member: Result<Value>,
    holds: impl FnOnce(&Value) -> Result<bool>,
) -> Option<Result<Value>> {
    member.and_then(|member| Ok(holds(&member)?.then_some(member))).transpose()
}

/// An iterator: a value whose members can be members once.
pub struct OnceIterator {
    engine: Arc<Engine>,
    stream: Lock<Option<Stream>>,
}

/// An iterator that keeps its members, so that it can be used repeatedly.
#[derive(Clone, Debug)]
pub struct RememberingIterator {
    source: Value,
    members: Arc<Lock<Vec<Value>>>,
}

impl OnceIterator {
    pub fn value(engine: &Arc<Engine>, stream: Stream) -> Value {
        Value::object(OnceIterator {
            engine: engine.clone(),
            stream: Lock::new(Some(stream)),
        })
    }

    fn pull(&self) -> Result<Option<Value>> {
        // Taken out while it runs: a nested use is an error, as in Python.
        let Some(mut stream) = self.stream.write().take() else {
            return Err(Exception::of_value("generator already executing"));
        };
        let next = self.engine.nested(2, || stream.pull());
        // As a Python generator, an iterator is exhausted after an error, too.
        *self.stream.write() =
            Some(if let Ok(Some(_)) = next { stream } else { Stream::of(Vec::new()) });
        next
    }
}

impl RememberingIterator {
    /// Makes a collection repeatable: an iterator becomes one that keeps its members.
    pub fn value(source: Value) -> Value {
        if source.downcast::<OnceIterator>().is_none() {
            return source;
        }
        Value::object(RememberingIterator { source, members: Arc::default() })
    }

    fn stream(&self) -> Stream {
        let iterator = self.clone();
        let mut at = 0;
        Stream::of_steps(move || {
            at += 1;
            let known = iterator.members.read().get(at - 1).cloned();
            if known.is_some() {
                return Ok(known);
            }
            let Some(source) = iterator.source.downcast::<OnceIterator>() else {
                return Ok(None);
            };
            let next = source.pull()?;
            iterator.members.write().extend(next.clone());
            source.engine.check_growth(iterator.members.read().len(), list_size)?;
            Ok(next)
        })
    }
}

pub fn is_iterator(value: &Value) -> bool {
    value.downcast::<OnceIterator>().is_some()
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
        Value::Tuple(members) => {
            let members = members.clone();
            Ok(Stream::new(
                (0..members.len()).map_while(move |at| members.get(at).cloned().map(Ok)),
            ))
        }
        Value::Object(object) if value.downcast::<OnceIterator>().is_some() => {
            let object = Value::Object(object.clone());
            Ok(Stream::of_steps(move || {
                object.downcast::<OnceIterator>().map_or(Ok(None), OnceIterator::pull)
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
    let source = value.clone();
    let counting = engine.clone();
    let mut count = 0;
    // Opened on first use: the call itself must not consume the collection.
    let opened = iter::once_with(move || Stream::flat(stream(&source))).flatten();
    let counted = opened.map(move |member| {
        let member = member?;
        count += 1;
        counting.check_length(count)?;
        Ok(member)
    });
    Ok(OnceIterator::value(engine, Stream::new(counted)))
}

impl Drop for OnceIterator {
    fn drop(&mut self) {
        let stream = self.stream.get_mut();
        // Streams nest in streams, so a chain must not be dropped recursively.
        discard(stream.take());
    }
}

impl fmt::Debug for OnceIterator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OnceIterator")
    }
}

impl Object for OnceIterator {
    fn type_name(&self) -> &str {
        "generator"
    }
}

impl Object for RememberingIterator {
    fn type_name(&self) -> &str {
        "RememberingIterator"
    }
}

/// A key by which members are ordered.
#[derive(Clone, Debug)]
pub struct OrderingKey {
    pub env: Arc<Env>,
    pub selector: Lambda,
    pub is_descending: bool,
}

impl OrderingKey {
    fn compare(&self, a: &Value, b: &Value) -> Result<cmp::Ordering> {
        let pair = [self.selector.call([a.clone()])?, self.selector.call([b.clone()])?];
        let order = if truth(&call_function(&self.env, "#operator_<", &pair)?)? {
            cmp::Ordering::Less
        } else if truth(&call_function(&self.env, "#operator_>", &pair)?)? {
            cmp::Ordering::Greater
        } else {
            cmp::Ordering::Equal
        };
        Ok(if self.is_descending { order.reverse() } else { order })
    }
}

/// The result of `orderBy`: a collection that is sorted on first use.
#[derive(Debug)]
pub struct OrderingIterable {
    collection: Value,
    keys: Lock<Vec<OrderingKey>>,
    sorted: OnceLock<Vec<Value>>,
}

impl OrderingIterable {
    pub fn new(collection: Value, key: OrderingKey) -> OrderingIterable {
        let keys = Lock::new(vec![key]);
        OrderingIterable { collection, keys, sorted: OnceLock::new() }
    }

    /// Adds a key for members that are equal by all previous keys.
    pub fn refine(&self, key: OrderingKey) {
        self.keys.write().push(key);
    }

    pub fn sorted(&self) -> Result<Vec<Value>> {
        if let Some(sorted) = self.sorted.get() {
            return Ok(sorted.clone());
        }
        // Sorted outside of the cell, since a key may use this ordering recursively.
        let members = stream(&self.collection)?.rest()?;
        let places = merge_runs((0..members.len()).collect(), 1, |a, b| {
            Ok(self.compare(&members[a], &members[b])?.is_lt())
        })?;
        let sorted = places.into_iter().map(|at| members[at].clone());
        Ok(self.sorted.get_or_init(|| sorted.collect()).clone())
    }

    fn compare(&self, a: &Value, b: &Value) -> Result<cmp::Ordering> {
        // Cloned, so that the lock is free if a key uses this ordering itself.
        let keys = self.keys.read().clone();
        for key in keys {
            let order = key.compare(a, b)?;
            if order.is_ne() {
                return Ok(order);
            }
        }
        Ok(cmp::Ordering::Equal)
    }
}

impl Object for OrderingIterable {
    fn type_name(&self) -> &str {
        "OrderingIterable"
    }
}
