//! A value or a failure and what it was made from → the same without a secret in it that
//! could be seen: texts made of secrets are secrets, messages do not say them.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::Context;
use super::hidden_text::{HiddenTexts, SHORT};
use super::sensitive::{mark_new, under};
use crate::eval::python::{
    self, Arguments, Dict, Exception, Key, List, MAX_DEPTH, Result, Secrecy, Set, Stamp,
    Str, Tuple, Value, time,
};

/// So many values are looked at where nothing is marked; what is among more of them may
/// come from any.
const LOOK: usize = 1024;

/// What came of something: a result that is made of secrets is as secret, a failure does
/// not say them.
pub(super) fn keep(
    made: Result<Value>,
    from: &[&Value],
    context: &Context,
) -> Result<Value> {
    let guard = context.secrecy_in_sight();
    if guard == Secrecy::Open {
        return made;
    }
    match made {
        Err(exception) => Err(conceal(exception, from, context)),
        Ok(value) if may_tell(&value, guard) => {
            let seen = Seen::of(from, context);
            context.spend(seen.cost())?;
            match seen.secrecy {
                Secrecy::Open => Ok(value),
                _ => Ok(seen.cover(&value, context, 0).unwrap_or(value)),
            }
        }
        made => made,
    }
}

/// The same of a call: names of arguments may be secret, too.
pub(super) fn keep_call(
    made: Result<Value>,
    from: &Arguments,
    context: &Context,
) -> Result<Value> {
    let names: Vec<Value> =
        from.keywords.iter().map(|(name, _)| Value::Str(name.clone())).collect();
    keep(made, &from.values().into_iter().chain(&names).collect::<Vec<_>>(), context)
}

/// A failure that does not say what is secret in what it came from.
pub(super) fn conceal(
    exception: Box<Exception>,
    from: &[&Value],
    context: &Context,
) -> Box<Exception> {
    let seen = Seen::of(from, context);
    // If that is too much, the next step says so, should there be one.
    context.spend(seen.cost()).ok();
    HiddenTexts::of(seen.secrets).hide(exception)
}

/// Takes note of all that was given to variables: whatever comes of it, no message says it.
pub(super) fn learn(variables: &Dict, context: &Context) {
    let (mut todo, mut known) = (vec![Value::Dict(variables.clone())], HashSet::new());
    while let Some(value) = todo.pop() {
        let Ok(value) = value.force() else { continue };
        if address(&value).is_some_and(|address| !known.insert(address)) {
            continue;
        }
        match &value {
            Value::List(items) => todo.extend(items.read().iter().cloned()),
            Value::Dict(entries) => todo.extend(entries.read().values().cloned()),
            scalar => know(scalar, context),
        }
    }
}

/// Takes note of what cannot be marked, if it is long enough to tell something.
fn know(value: &Value, context: &Context) {
    let text = spelled(value).filter(|text| text.len() >= SHORT);
    text.into_iter().for_each(|text| context.hide_text(text));
}

/// A scalar as a text.
fn spelled(value: &Value) -> Option<Arc<str>> {
    match value {
        Value::None | Value::Bool(_) => None,
        Value::Str(text) => Some(text.shared()),
        Value::Bytes(bytes) => Some(String::from_utf8_lossy(bytes).into()),
        other => python::str(other).ok().map(Arc::from),
    }
}

/// Whether something in a value must not be shown or said.
pub(super) fn is_in(value: &Value, context: &Context) -> bool {
    let is_secret =
        |seen: Seen| context.spend(seen.cost()).is_err() || seen.secrecy > Secrecy::Open;
    context.has_secrets() && is_secret(Seen::of(&[value], context))
}

/// Whether a value may tell something of what it was made of, where that is as secret as
/// `guard` at most.
fn may_tell(value: &Value, guard: Secrecy) -> bool {
    match value {
        Value::Str(text) => text.secrecy() < guard,
        Value::None | Value::Bool(_) | Value::Range(_) | Value::Lazy(_) => false,
        Value::Int(number) => number.unsigned_abs() >= 1000,
        Value::Big(_) | Value::Float(_) | Value::Bytes(_) => true,
        Value::List(_) | Value::Tuple(_) | Value::Dict(_) | Value::Set(_) => true,
        Value::Object(_) => time::is_time(value),
    }
}

/// What is in some values, as far as it has been worked out.
struct Seen {
    /// How many values may be looked at.
    most: usize,
    /// How many were, and the bytes of their texts.
    looked: usize,
    bytes: usize,
    /// The addresses of all containers.
    known: HashSet<usize>,
    /// The texts and numbers that may be said.
    plain: HashSet<Arc<str>>,
    /// The texts that must not be said.
    secrets: Vec<Arc<str>>,
    /// How secret the most secret of them is.
    secrecy: Secrecy,
    /// Whether there is more that nobody has looked at.
    is_cut: bool,
    /// What containers are covered with, by their addresses.
    covered: RefCell<HashMap<usize, Option<Value>>>,
}

impl Seen {
    /// Looks at all of it only if something may be marked.
    fn of(values: &[&Value], context: &Context) -> Seen {
        let is_marked = context.secrecy_in_sight() == Secrecy::Sensitive;
        let mut seen = Seen::new(if is_marked { usize::MAX } else { LOOK });
        let mut todo: Vec<Value> = values.iter().copied().cloned().collect();
        while let Some(value) = todo.pop().filter(|_| !seen.is_cut) {
            seen.meet(&value, &mut todo, context);
        }
        seen
    }

    fn new(most: usize) -> Seen {
        Seen {
            most,
            looked: 0,
            bytes: 0,
            known: HashSet::new(),
            plain: HashSet::new(),
            secrets: Vec::new(),
            secrecy: Secrecy::Open,
            is_cut: false,
            covered: RefCell::default(),
        }
    }

    /// The steps that looking at it is worth: where little is looked at, each value is
    /// like one that is handed on.
    fn cost(&self) -> u64 {
        let values = if self.most == LOOK { self.looked / 8 } else { self.looked };
        (values + self.bytes / 64) as u64
    }

    fn meet(&mut self, value: &Value, todo: &mut Vec<Value>, context: &Context) {
        self.looked += 1;
        if let Some(address) = address(value)
            && !self.known.insert(address)
        {
            return;
        }
        if self.looked + todo.len() + length(value) > self.most {
            self.is_cut = true;
            self.secrecy = Secrecy::Private;
            return;
        }
        match value {
            Value::Str(text) => {
                self.bytes += text.len();
                self.secrecy = self.secrecy.max(text.secrecy());
                match text.secrecy() {
                    Secrecy::Open => drop(self.plain.insert(text.shared())),
                    _ => self.secrets.push(text.shared()),
                }
            }
            Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bytes(_) => {
                self.meet_unmarked(value, context);
            }
            Value::List(items) => todo.extend(items.read().iter().cloned()),
            Value::Tuple(items) => todo.extend(items.iter().cloned()),
            Value::Set(keys) => todo.extend(keys.0.iter().map(|k| k.value().clone())),
            Value::Dict(entries) => {
                for (key, value) in entries.read().iter() {
                    todo.extend([key.value().clone(), value.clone()]);
                }
            }
            Value::Lazy(lazy) => todo.extend(lazy.known()),
            Value::Object(_) => {
                if let Some(hidden) = under(value) {
                    self.secrecy = Secrecy::Sensitive;
                    self.hide(hidden, context);
                } else if time::is_time(value) {
                    self.meet_unmarked(value, context);
                }
            }
            Value::None | Value::Bool(_) | Value::Range(_) => {}
        }
    }

    /// What cannot be marked is secret if note was taken of it.
    fn meet_unmarked(&mut self, value: &Value, context: &Context) {
        let Some(text) = spelled(value) else { return };
        if context.hides_text(&text) {
            self.secrecy = self.secrecy.max(Secrecy::Private);
            self.secrets.push(text);
        } else {
            self.plain.insert(text);
        }
    }

    /// All that is in a marked value is secret.
    fn hide(&mut self, hidden: &Value, context: &Context) {
        let all = Seen::within(hidden, context);
        self.looked += all.looked;
        self.bytes += all.bytes;
        self.known.extend(all.known);
        self.secrets.extend(all.secrets);
    }

    /// What is in a marked value.
    fn within(hidden: &Value, context: &Context) -> Seen {
        let (mut seen, mut todo) = (Seen::new(usize::MAX), vec![hidden.clone()]);
        while let Some(value) = todo.pop() {
            match &value {
                Value::List(_) | Value::Tuple(_) | Value::Dict(_) | Value::Set(_) => {}
                scalar => seen.secrets.extend(spelled(scalar)),
            }
            seen.meet(&value, &mut todo, context);
        }
        seen
    }

    /// The value with every text as secret as this that was not there before, if there is
    /// one. Of what cannot be marked, note is taken.
    fn cover(&self, value: &Value, context: &Context, depth: usize) -> Option<Value> {
        let address = address(value);
        if address.is_some_and(|address| self.known.contains(&address))
            || depth > MAX_DEPTH
        {
            return None;
        }
        if let Some(covered) =
            address.and_then(|a| self.covered.borrow().get(&a).cloned())
        {
            return covered;
        }
        let covered = self.cover_anew(value, context, depth);
        if let Some(address) = address {
            self.covered.borrow_mut().insert(address, covered.clone());
        }
        covered
    }

    fn cover_anew(
        &self,
        value: &Value,
        context: &Context,
        depth: usize,
    ) -> Option<Value> {
        let cover = |value: &Value| self.cover(value, context, depth + 1);
        let all = |values: &[Value]| -> Option<Vec<Value>> {
            let covered: Vec<_> = values.iter().map(cover).collect();
            let both = covered.iter().zip(values);
            let value = |(new, old): (&Option<Value>, &Value)| {
                new.clone().unwrap_or_else(|| old.clone())
            };
            covered.iter().any(Option::is_some).then(|| both.map(value).collect())
        };
        match value {
            Value::Str(text) if self.plain.contains(&**text) => None,
            Value::Str(_) | Value::Bytes(_) | Value::Object(_)
                if self.secrecy == Secrecy::Sensitive =>
            {
                may_tell(value, self.secrecy).then(|| mark_new(value))
            }
            Value::Str(text) => {
                let secrecy = self.secrecy.max(text.secrecy());
                let stamp = Stamp { secrecy, ..text.stamp() };
                Some(Value::Str(Str::stamped(text.shared(), stamp)))
            }
            // What is in it may be another's, to be changed there.
            _ if self.is_cut => None,
            Value::List(items) => {
                let items = items.read().clone();
                Some(Value::List(all(&items)?.into_iter().collect::<List>()))
            }
            Value::Tuple(items) => {
                Some(Value::Tuple(all(items)?.into_iter().collect::<Tuple>()))
            }
            Value::Set(keys) => {
                let members: Vec<_> = keys.0.iter().map(|k| k.value().clone()).collect();
                let keys = all(&members)?.into_iter().filter_map(|k| Key::new(k).ok());
                Some(Value::Set(keys.collect::<Set>()))
            }
            Value::Dict(entries) => {
                let pair =
                    |(key, value): (&Key, &Value)| [key.value().clone(), value.clone()];
                let flat: Vec<_> = entries.read().iter().flat_map(pair).collect();
                let covered = all(&flat)?;
                let pairs = covered.chunks_exact(2);
                let entry = |pair: &[Value]| {
                    Some((Key::new(pair.first()?.clone()).ok()?, pair.get(1)?.clone()))
                };
                Some(Value::Dict(pairs.filter_map(entry).collect::<Dict>()))
            }
            scalar if may_tell(scalar, self.secrecy) => {
                let is_new = |text: &Arc<str>| !self.plain.contains(text);
                if spelled(scalar).as_ref().is_some_and(is_new) {
                    know(scalar, context);
                }
                None
            }
            _ => None,
        }
    }
}

/// How many values are right in a value.
fn length(value: &Value) -> usize {
    match value {
        Value::List(items) => items.len(),
        Value::Tuple(items) => items.len(),
        Value::Set(keys) => keys.0.len(),
        Value::Dict(entries) => entries.read().len() * 2,
        _ => 0,
    }
}

/// What tells a container from others.
fn address(value: &Value) -> Option<usize> {
    match value {
        Value::Bytes(bytes) => Some(bytes.as_ptr() as usize),
        Value::List(items) => Some(items.address()),
        Value::Dict(entries) => Some(entries.address()),
        Value::Tuple(items) => Some(items.as_ptr() as usize),
        Value::Set(keys) => Some(Arc::as_ptr(&keys.0) as usize),
        _ => None,
    }
}
