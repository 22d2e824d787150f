//! Tracks secrets. A result and the values it was made of in, the result out: texts that
//! are made of secrets become secret, and messages do not contain secrets.

use std::cell::RefCell;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use super::Context;
use super::hidden_text::{HiddenTexts, SecretOrigin};
use super::sensitive::{mark_new, under};
use crate::eval::python::{
    self, Arguments, Exception, Key, OperationLimits, Result, Secrecy, Stamp, Str, Value,
    time,
};

/// Maximum number of values that are searched for secrets if none of them is marked.
/// Every operation on a large list would otherwise take time proportional to the list;
/// beyond the limit the result counts as secret.
const LOOK: usize = 1024;

/// Marks a result that may be made of secrets, or removes them from an exception.
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

/// As [`keep`], for a call: the names of keyword arguments may be secret, too.
pub(super) fn keep_call(
    made: Result<Value>,
    from: &Arguments,
    context: &Context,
) -> Result<Value> {
    let names: Vec<Value> =
        from.keywords.iter().map(|(name, _)| Value::Str(name.clone())).collect();
    keep(made, &from.values().into_iter().chain(&names).collect::<Vec<_>>(), context)
}

/// Removes the secrets of some values from an exception.
pub(super) fn conceal(
    exception: Box<Exception>,
    from: &[&Value],
    context: &Context,
) -> Box<Exception> {
    let seen = Seen::of(from, context);
    // The exception is more important than the limit, which the next step reports.
    context.spend(seen.cost()).ok();
    HiddenTexts::of(seen.secrets).hide(exception)
}

/// As [`conceal`], of an exception whose message quotes a source. It is shown as it stands
/// if no secret is in it.
pub(super) fn conceal_source(
    exception: Box<Exception>,
    source: &Value,
    context: &Context,
) -> Box<Exception> {
    if is_in(source, context) {
        return conceal(exception, &[source], context);
    }
    let message = exception.message.clone();
    exception.naming(message)
}

/// Hides values of variables in all messages and results: they may be secrets.
pub(super) fn learn(values: Value, context: &Context) {
    let mut todo = vec![values];
    let mut known = HashSet::new();
    while let Some(value) = todo.pop() {
        let Ok(value) = value.force() else { continue };
        if address(&value).is_some_and(|address| !known.insert(address)) {
            continue;
        }
        match &value {
            Value::List(items) => todo.extend(items.read().iter().cloned()),
            Value::Dict(entries) => todo.extend(entries.read().values().cloned()),
            scalar => know(scalar, SecretOrigin::Given, context),
        }
    }
}

/// Hides the text of a scalar in all messages. A scalar that cannot be marked, such as a
/// number, is known by it.
fn know(value: &Value, origin: SecretOrigin, context: &Context) {
    let Some(text) = spelled(value) else { return };
    // A block scalar ends with a line break, which the same text need not have elsewhere.
    let trimmed = text.trim();
    if trimmed.len() < text.len() {
        context.hide_text(trimmed.into(), origin);
    }
    context.hide_text(text, origin);
}

/// Returns a scalar as a text.
fn spelled(value: &Value) -> Option<Arc<str>> {
    match value {
        Value::None | Value::Bool(_) => None,
        Value::Str(text) => Some(text.shared()),
        Value::Bytes(bytes) => Some(String::from_utf8_lossy(bytes).into()),
        other => python::str(other).ok().map(Arc::from),
    }
}

/// Returns the origin of secrets of a secrecy.
fn origin(secrecy: Secrecy) -> SecretOrigin {
    match secrecy {
        Secrecy::Open | Secrecy::Private => SecretOrigin::Given,
        Secrecy::Sensitive => SecretOrigin::Marked,
    }
}

/// Returns true if a value contains a secret.
pub(super) fn is_in(value: &Value, context: &Context) -> bool {
    let is_secret =
        |seen: Seen| context.spend(seen.cost()).is_err() || seen.secrecy > Secrecy::Open;
    context.has_secrets() && is_secret(Seen::of(&[value], context))
}

/// Returns true if a result must not be shown: it was made of a secret, or it is or contains
/// the text of one. A template can print a secret that no operation has touched, letter by
/// letter, by comparisons.
///
/// # Errors
/// No steps are left.
pub(super) fn is_told_by(result: &Value, context: &Context) -> Result<bool> {
    if !context.has_secrets() {
        return Ok(false);
    }
    if is_in(result, context) {
        return Ok(true);
    }
    spelled(result).map_or(Ok(false), |text| context.tells_hidden(&text))
}

/// Returns true if a value may reveal the values it was made of, whose secrecy is `guard`
/// at most. A bool or a small number does not.
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

/// The secrets in some values, as far as they are evaluated.
#[derive(Default)]
struct Seen {
    most: usize,
    /// Number of values that were searched, and the bytes of their texts.
    looked: usize,
    bytes: usize,
    /// The addresses of all containers: members that were there before are not new.
    known: HashSet<usize>,
    /// The texts and numbers that are not secret.
    plain: HashSet<Arc<str>>,
    secrets: Vec<(Arc<str>, SecretOrigin)>,
    secrecy: Secrecy,
    /// True if the search stopped at its limit.
    is_cut: bool,
    /// The marked copies of containers, by their addresses.
    covered: RefCell<HashMap<usize, Option<Value>>>,
}

impl Seen {
    /// Searches values; all of them only if something may be marked.
    fn of(values: &[&Value], context: &Context) -> Seen {
        let is_marked = context.secrecy_in_sight() == Secrecy::Sensitive;
        let most = if is_marked { usize::MAX } else { LOOK };
        let mut seen = Seen { most, ..Seen::default() };
        let mut todo: Vec<Value> = values.iter().copied().cloned().collect();
        while let Some(value) = todo.pop().filter(|_| !seen.is_cut) {
            seen.meet(&value, &mut todo, context);
        }
        seen
    }

    /// Returns the steps that the search costs.
    fn cost(&self) -> u64 {
        let values = if self.most == LOOK { self.looked / 8 } else { self.looked };
        (values + self.bytes / 64) as u64
    }

    fn meet(&mut self, value: &Value, todo: &mut Vec<Value>, context: &Context) {
        self.looked += 1;
        if address(value).is_some_and(|address| !self.known.insert(address)) {
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
                    secrecy => self.secrets.push((text.shared(), origin(secrecy))),
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

    /// Checks a scalar that cannot be marked: it is secret if its text is hidden.
    fn meet_unmarked(&mut self, value: &Value, context: &Context) {
        let Some(text) = spelled(value) else { return };
        if let Some(origin) = context.hidden_origin(&text) {
            self.secrecy = self.secrecy.max(Secrecy::Private);
            self.secrets.push((text, origin));
        } else {
            self.plain.insert(text);
        }
    }

    /// Adds everything in a marked value as secret.
    fn hide(&mut self, hidden: &Value, context: &Context) {
        let mut all = Seen { most: usize::MAX, ..Seen::default() };
        let mut todo = vec![hidden.clone()];
        while let Some(value) = todo.pop() {
            match &value {
                Value::List(_) | Value::Tuple(_) | Value::Dict(_) | Value::Set(_) => {}
                scalar => {
                    let text = spelled(scalar);
                    all.secrets.extend(text.map(|text| (text, SecretOrigin::Marked)));
                }
            }
            all.meet(&value, &mut todo, context);
        }
        self.looked += all.looked;
        self.bytes += all.bytes;
        self.known.extend(all.known);
        let marked =
            all.secrets.into_iter().map(|(text, _)| (text, SecretOrigin::Marked));
        self.secrets.extend(marked);
    }

    /// Returns the value with its new texts marked; nothing if there are none. A scalar
    /// that cannot be marked is hidden in messages.
    fn cover(&self, value: &Value, context: &Context, depth: usize) -> Option<Value> {
        let address = address(value);
        let is_deep = depth > OperationLimits::HIGHEST.depth;
        if is_deep || address.is_some_and(|a| self.known.contains(&a)) {
            return None;
        }
        let covered = address.and_then(|a| self.covered.borrow().get(&a).cloned());
        if let Some(covered) = covered {
            return covered;
        }
        let covered = self.cover_new(value, context, depth);
        if let Some(address) = address {
            self.covered.borrow_mut().insert(address, covered.clone());
        }
        covered
    }

    fn cover_new(&self, value: &Value, context: &Context, depth: usize) -> Option<Value> {
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
            // Its members may be shared with a container that is changed elsewhere.
            _ if self.is_cut => None,
            Value::List(items) => {
                let items = items.read().clone();
                Some(Value::list(self.cover_all(&items, context, depth)?))
            }
            Value::Tuple(items) => {
                Some(Value::tuple(self.cover_all(items, context, depth)?))
            }
            Value::Set(keys) => {
                let members: Vec<_> = keys.0.iter().map(|k| k.value().clone()).collect();
                let keys = self.cover_all(&members, context, depth)?.into_iter();
                Some(Value::Set(keys.filter_map(|key| Key::new(key).ok()).collect()))
            }
            Value::Dict(entries) => {
                let pair =
                    |(key, value): (&Key, &Value)| [key.value().clone(), value.clone()];
                let flat: Vec<_> = entries.read().iter().flat_map(pair).collect();
                let covered = self.cover_all(&flat, context, depth)?;
                let entries = covered.as_chunks().0.iter().filter_map(|[key, value]| {
                    Some((Key::new(key.clone()).ok()?, value.clone()))
                });
                Some(Value::Dict(entries.collect()))
            }
            scalar if may_tell(scalar, self.secrecy) => {
                if spelled(scalar).is_some_and(|text| !self.plain.contains(&text)) {
                    know(scalar, origin(self.secrecy), context);
                }
                None
            }
            _ => None,
        }
    }

    /// Covers the members of a container at a depth; `None` if none of them changes.
    fn cover_all(
        &self,
        values: &[Value],
        context: &Context,
        depth: usize,
    ) -> Option<Vec<Value>> {
        let covered = values.iter().map(|value| self.cover(value, context, depth + 1));
        let covered: Vec<_> = covered.collect();
        let both = covered.iter().zip(values);
        let merged = both.map(|(new, old)| new.as_ref().unwrap_or(old).clone());
        covered.iter().any(Option::is_some).then(|| merged.collect())
    }
}

fn length(value: &Value) -> usize {
    match value {
        Value::List(items) => items.len(),
        Value::Tuple(items) => items.len(),
        Value::Set(keys) => keys.0.len(),
        Value::Dict(entries) => entries.read().len() * 2,
        _ => 0,
    }
}

/// Returns the address of a container, which identifies it.
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
