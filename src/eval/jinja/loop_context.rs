//! The variable `loop` and the items that it hands out: Jinja's `LoopContext` over Python's
//! iterators. Items are pulled one at a time, so a loop sees what its body changes.

use std::sync::Arc;

use minijinja::State;

use crate::eval::Context;
use crate::eval::jinja::filter::parameter::value_error;
use crate::eval::python::{
    self, Arguments, Class, Dict, Exception, IntRange, Key, List, Lock, Object, Result,
    Value, limit_members,
};

/// Decides which items a loop keeps. Macros need the state of the machine.
pub(super) type Filter =
    Arc<dyn Fn(Option<&mut State<'_, '_>>, &Value) -> Result<bool> + Send + Sync>;

/// A running loop, as `loop` shows it.
#[derive(Clone, Debug)]
pub(super) struct LoopContext(Arc<Inner>);

struct Inner {
    iterable: Value,
    filter: Option<Filter>,
    /// The number of recursive calls of the loop around it.
    depth: usize,
    context: Arc<Context>,
    position: Lock<LoopPosition>,
}

#[derive(Debug, Default)]
struct LoopPosition {
    /// The items to come; nothing while one of them is being pulled.
    items: Option<Items>,
    is_filtered: bool,
    /// The number of the current item, from 1.
    index: usize,
    previous: Option<Value>,
    current: Option<Value>,
    /// The item after the current one, if it was asked for.
    next: Option<Value>,
    length: Option<usize>,
    /// The arguments of the last call of `loop.changed`.
    changed: Option<Vec<Value>>,
}

impl LoopContext {
    /// Creates the loop over a value. Raises a `TypeError` if the value is not iterable.
    pub(super) fn over(
        iterable: Value,
        filter: Option<Filter>,
        depth: usize,
        context: Arc<Context>,
    ) -> Result<LoopContext> {
        let iterable = iterable.force()?;
        let items = Some(Items::of(&iterable)?);
        let position = Lock::new(LoopPosition { items, ..LoopPosition::default() });
        Ok(LoopContext(Arc::new(Inner { iterable, filter, depth, context, position })))
    }

    pub(super) fn depth(&self) -> usize {
        self.0.depth
    }

    pub(super) fn advance(&self) -> Result<Option<Value>> {
        self.peek(None)?;
        let position = &mut *self.0.position.write();
        let Some(item) = position.next.take() else { return Ok(None) };
        position.index += 1;
        position.previous = position.current.replace(item.clone());
        Ok(Some(item))
    }

    /// Pulls the item after the current one, if it was not pulled yet.
    pub(super) fn peek(&self, state: Option<&mut State<'_, '_>>) -> Result<()> {
        if self.0.position.read().next.is_none() {
            let next = self.pull(state)?;
            self.0.position.write().next = next;
        }
        Ok(())
    }

    /// Pulls what an attribute of `loop` is computed from.
    pub(super) fn look_ahead(
        &self,
        attribute: &str,
        state: Option<&mut State<'_, '_>>,
    ) -> Result<()> {
        match attribute {
            "last" | "nextitem" => self.peek(state),
            "length" | "revindex" | "revindex0" => self.measure(state),
            _ => Ok(()),
        }
    }

    /// Determines the length. Items without one, such as filtered ones, are exhausted.
    fn measure(&self, mut state: Option<&mut State<'_, '_>>) -> Result<()> {
        if self.0.position.read().length.is_some() {
            return Ok(());
        }
        let length = if self.0.filter.is_none()
            && let Ok(length) = python::length(&self.0.iterable)
        {
            length
        } else {
            let mut rest = Vec::new();
            while let Some(item) = self.pull(state.as_deref_mut())? {
                rest.push(item);
            }
            let position = &mut *self.0.position.write();
            let length =
                position.index + usize::from(position.next.is_some()) + rest.len();
            position.items = Some(Items::Fixed(rest.into_iter()));
            position.is_filtered = true;
            length
        };
        self.0.position.write().length = Some(length);
        Ok(())
    }

    /// Takes the next item that the filter keeps from the iterator.
    fn pull(&self, mut state: Option<&mut State<'_, '_>>) -> Result<Option<Value>> {
        // The filter may look at this loop: the lock is not held while it runs.
        let (items, filter) = {
            let position = &mut *self.0.position.write();
            let filter = self.0.filter.as_ref().filter(|_| !position.is_filtered);
            (position.items.take(), filter)
        };
        let Some(mut items) = items else {
            return value_error("generator already executing");
        };
        let item = loop {
            let Some(item) = items.next()? else { break None };
            // A filter that keeps nothing of a large range would run without a step otherwise.
            self.0.context.spend(1)?;
            match filter {
                Some(keeps) if !keeps(state.as_deref_mut(), &item)? => {}
                _ => break Some(item),
            }
        };
        self.0.position.write().items = Some(items);
        Ok(item)
    }

    fn cycle(&self, values: &[Value]) -> Result<Value> {
        let at = self.0.position.read().index.saturating_sub(1);
        let at = at.checked_rem(values.len());
        at.and_then(|at| values.get(at))
            .cloned()
            .ok_or_else(|| Exception::of_type("no items for cycling given"))
    }

    fn changed(&self, values: Vec<Value>) -> Value {
        // Comparing may evaluate members: the lock is not held meanwhile.
        let before = self.0.position.read().changed.clone();
        let is_same = before.is_some_and(|before| {
            python::equal(&Value::tuple(before), &Value::tuple(values.clone()))
                .unwrap_or(false)
        });
        self.0.position.write().changed = Some(values);
        Value::Bool(!is_same)
    }
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Loop").field("depth", &self.depth).finish_non_exhaustive()
    }
}

impl Object for LoopContext {
    fn type_name(&self) -> &str {
        "LoopContext"
    }

    fn stored(&self) -> Result<Option<Value>> {
        Err(Exception::unstorable(self.type_name()))
    }

    fn display(&self) -> Result<String> {
        self.measure(None)?;
        let position = self.0.position.read();
        let length = position.length.unwrap_or_default();
        Ok(format!("<LoopContext {}/{length}>", position.index))
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        self.look_ahead(name, None)?;
        let position = self.0.position.read();
        let number =
            |number: usize| Value::Int(i64::try_from(number).unwrap_or(i64::MAX));
        let index0 = position.index.saturating_sub(1);
        let length = position.length.unwrap_or_default();
        Ok(Some(match name {
            "index" => number(position.index),
            "index0" => number(index0),
            "length" => number(length),
            "revindex" => Value::Int(length as i64 - index0 as i64),
            "revindex0" => Value::Int(length as i64 - position.index as i64),
            "first" => Value::Bool(index0 == 0),
            "last" => Value::Bool(position.next.is_none()),
            "depth" => number(self.0.depth + 1),
            "depth0" => number(self.0.depth),
            "previtem" => return Ok(position.previous.clone()),
            "nextitem" => return Ok(position.next.clone()),
            "cycle" => Value::object(LoopMethod { of: self.clone(), cycles: true }),
            "changed" => Value::object(LoopMethod { of: self.clone(), cycles: false }),
            _ => return Ok(None),
        }))
    }
}

/// `loop.cycle` and `loop.changed`.
#[derive(Debug)]
pub(super) struct LoopMethod {
    of: LoopContext,
    cycles: bool,
}

impl Object for LoopMethod {
    fn type_name(&self) -> &str {
        "method"
    }

    fn is_callable(&self) -> bool {
        true
    }

    fn call(&self, arguments: Arguments) -> Result<Value> {
        if self.cycles {
            return self.of.cycle(&arguments.positional);
        }
        Ok(self.of.changed(arguments.positional))
    }
}

/// A Python iterator: it sees additions to a list, and raises if a dict changes in size.
#[derive(Debug)]
enum Items {
    List(List, usize),
    Keys(KeyIterator),
    Range(IntRange, usize),
    /// The members of what cannot change.
    Fixed(std::vec::IntoIter<Value>),
}

impl Items {
    fn of(iterable: &Value) -> Result<Items> {
        Ok(match iterable {
            Value::List(list) => Items::List(list.clone(), 0),
            Value::Dict(dict) => Items::Keys(KeyIterator::of(dict)),
            Value::Range(range) => {
                // Refused before the first item: a body with side effects would run in part.
                limit_members(range.len())?;
                Items::Range(*range, 0)
            }
            // Ansible makes a list of a view such as `d.items()` when it is made.
            other => Items::Fixed(python::iterate(other)?.into_iter()),
        })
    }

    fn next(&mut self) -> Result<Option<Value>> {
        let item = match self {
            Items::List(list, at) => {
                *at += 1;
                list.get(*at - 1)?
            }
            Items::Keys(keys) => keys.next()?,
            Items::Range(range, at) => {
                *at += 1;
                range.get(*at - 1).map(Value::Int)
            }
            Items::Fixed(items) => return Ok(items.next()),
        };
        if item.is_none() {
            // A Python iterator that has ended stays at its end.
            *self = Items::Fixed(Vec::new().into_iter());
        }
        Ok(item)
    }
}

#[derive(Debug)]
struct KeyIterator {
    dict: Dict,
    /// The number of entries when the loop began.
    length: usize,
    at: usize,
    /// The key before that.
    last: Option<Key>,
}

impl KeyIterator {
    fn of(dict: &Dict) -> KeyIterator {
        KeyIterator { length: dict.len(), dict: dict.clone(), at: 0, last: None }
    }

    fn next(&mut self) -> Result<Option<Value>> {
        let key_at = |at: usize| {
            let entries = self.dict.read();
            entries.get_index(at).map(|(key, _)| key.clone())
        };
        if self.dict.len() != self.length {
            return Err(changed("dictionary changed size during iteration"));
        }
        // An entry was replaced by a new one: those behind it have moved up.
        if self.at > 0 && key_at(self.at - 1) != self.last {
            return Err(changed("dictionary keys changed during iteration"));
        }
        let Some(key) = key_at(self.at) else { return Ok(None) };
        self.at += 1;
        Ok(Some(self.last.insert(key).value().clone()))
    }
}

/// Python's `RuntimeError`.
fn changed(message: &str) -> Box<Exception> {
    Exception::new(Class::Value, message)
}
