//! Collections, member by member: what has members comes in, a flow of them goes out; a
//! flow as a value is an iterator, which gives each member once.

use std::fmt;
use std::sync::Arc;

use super::engine::Engine;
use super::key;
use super::measure::list_size;
use super::ordering::Ordering;
use crate::eval::python::{
    Exception, Lock, Object, Result, Tuple, Value, View, discard, iterate, room,
};

type Step = Box<dyn FnMut() -> Result<Option<Value>> + Send + Sync>;

/// Members, one after the other.
pub(super) struct Flow(Step);

impl Flow {
    /// What a function gives until it gives nothing.
    pub(super) fn new(
        step: impl FnMut() -> Result<Option<Value>> + Send + Sync + 'static,
    ) -> Flow {
        Flow(Box::new(step))
    }

    /// These.
    pub(super) fn of(values: Vec<Value>) -> Flow {
        let mut values = values.into_iter();
        Flow::new(move || Ok(values.next()))
    }

    /// The next one.
    pub(super) fn next(&mut self) -> Result<Option<Value>> {
        (self.0)()
    }

    /// All that are left.
    pub(super) fn rest(mut self) -> Result<Vec<Value>> {
        let mut all = Vec::new();
        while let Some(value) = self.next()? {
            all.push(value);
            room(all.len())?;
        }
        Ok(all)
    }
}

/// An iterator. What one takes from it, nobody else gets.
pub(super) struct Iter {
    engine: Arc<Engine>,
    flow: Lock<Option<Flow>>,
}

/// An iterator that can be gone through again: what was taken is kept.
#[derive(Clone, Debug)]
pub(super) struct Memo {
    engine: Arc<Engine>,
    source: Value,
    taken: Arc<Lock<Vec<Value>>>,
}

impl Iter {
    /// A flow as a value.
    pub(super) fn value(engine: &Arc<Engine>, flow: Flow) -> Value {
        let (engine, flow) = (engine.clone(), Lock::new(Some(flow)));
        Value::object(Iter { engine, flow })
    }

    fn next(&self) -> Result<Option<Value>> {
        let Some(mut flow) = self.flow.write().take() else {
            return Err(Exception::of_value("generator already executing"));
        };
        let next = self.engine.within(2, || flow.next());
        // After the end and after an error there is nothing more.
        *self.flow.write() =
            Some(if let Ok(Some(_)) = next { flow } else { Flow::of(Vec::new()) });
        next
    }
}

impl Memo {
    /// An iterator that is kept.
    pub(super) fn value(engine: &Arc<Engine>, source: &Value) -> Value {
        if source.downcast::<Memo>().is_some() {
            return source.clone();
        }
        let (engine, source) = (engine.clone(), source.clone());
        Value::object(Memo { engine, source, taken: Arc::default() })
    }

    fn flow(&self) -> Flow {
        let (memo, mut at) = (self.clone(), 0);
        Flow::new(move || {
            at += 1;
            let known = memo.taken.read().get(at - 1).cloned();
            if known.is_some() {
                return Ok(known);
            }
            let next = match memo.source.downcast::<Iter>() {
                Some(source) => source.next()?,
                None => None,
            };
            memo.taken.write().extend(next.clone());
            memo.engine.keep(memo.taken.read().len(), list_size)?;
            Ok(next)
        })
    }
}

/// Whether a value gives its members once.
pub(super) fn is_iterator(value: &Value) -> bool {
    value.downcast::<Iter>().is_some() || value.downcast::<Memo>().is_some()
}

/// Whether a value is a collection: not a string, and no dict.
pub(super) fn is_iterable(value: &Value) -> bool {
    match value {
        Value::Tuple(_) | Value::List(_) | Value::Set(_) => true,
        other => {
            is_iterator(other)
                || other.downcast::<View>().is_some()
                || other.downcast::<Ordering>().is_some()
        }
    }
}

/// The members of a value, as Python's `iter` has them.
///
/// # Errors
/// It has none.
pub(super) fn flow(value: &Value) -> Result<Flow> {
    if let Some(memo) = value.downcast::<Memo>() {
        return Ok(memo.flow());
    }
    if let Some(ordering) = value.downcast::<Ordering>() {
        return ordering.sorted().map(Flow::of);
    }
    match value {
        Value::Set(members) => Ok(Flow::of(key::members(members))),
        Value::Tuple(members) => Ok(walk(members)),
        Value::Object(object) if value.downcast::<Iter>().is_some() => {
            let object = Value::Object(object.clone());
            Ok(Flow::new(move || object.downcast::<Iter>().map_or(Ok(None), Iter::next)))
        }
        Value::Object(_) => {
            let thawed = |member: &Value| match member {
                Value::Tuple(pair) => Value::tuple(pair.iter().map(key::thaw)),
                other => key::thaw(other),
            };
            Ok(Flow::of(iterate(value)?.iter().map(thawed).collect()))
        }
        other => Ok(Flow::of(iterate(other)?.iter().map(key::thaw).collect())),
    }
}

fn walk(members: &Tuple) -> Flow {
    let (members, mut at) = (members.clone(), 0);
    Flow::new(move || {
        at += 1;
        Ok(members.get(at - 1).cloned())
    })
}

/// A collection that is not too large, or an iterator that ends where it becomes so.
///
/// # Errors
/// It is too large.
pub(super) fn limit(engine: &Arc<Engine>, value: &Value) -> Result<Value> {
    let sized = match value {
        Value::Tuple(members) => Some(members.len()),
        Value::List(items) => Some(items.len()),
        Value::Set(members) => Some(members.0.len()),
        Value::Dict(entries) => Some(entries.len()),
        Value::Object(object) if object.type_name() != "dict_values" => object.length(),
        _ => None,
    };
    if let Some(length) = sized {
        engine.admit(length)?;
        return Ok(value.clone());
    }
    let (source, counting, mut count) = (value.clone(), engine.clone(), 0);
    let mut opened = None;
    let step = move || {
        let members = match &mut opened {
            Some(members) => members,
            none => none.insert(flow(&source)?),
        };
        let next = members.next()?;
        count += usize::from(next.is_some());
        counting.admit(count)?;
        Ok(next)
    };
    Ok(Iter::value(engine, Flow::new(step)))
}

impl Drop for Iter {
    fn drop(&mut self) {
        let flow = self.flow.get_mut();
        discard(flow.take());
    }
}

impl fmt::Debug for Iter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Iter")
    }
}

impl Object for Iter {
    fn type_name(&self) -> &str {
        "generator"
    }
}

impl Object for Memo {
    fn type_name(&self) -> &str {
        "RememberingIterator"
    }
}
