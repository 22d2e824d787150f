//! A value or a failure and what it was made from → the same without a secret in it that
//! could be seen: texts made of secrets are secrets, messages do not say them.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::Context;
use super::sensitive::{REDACTED, mark_new, under};
use crate::python::{
    self, Arguments, DEPTH, Dict, Exception, Key, List, Result, Secrecy, Set, Stamp, Str,
    Tuple, Value, json, repr, time,
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
    let guard = context.guard();
    if guard == Secrecy::Open {
        return made;
    }
    match made {
        Err(exception) => Err(conceal(exception, from, context)),
        Ok(value) if may_tell(&value, guard) => {
            let seen = Seen::of(from, context);
            context.spend(seen.cost(guard))?;
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
    hide(exception, Seen::of(from, context).secrets)
}

/// A failure that does not say some texts.
pub(super) fn hide(
    mut exception: Box<Exception>,
    secrets: impl IntoIterator<Item = Arc<str>>,
) -> Box<Exception> {
    let secrets = secrets.into_iter().collect::<Vec<_>>();
    let Exception { message, hint, .. } = &mut *exception;
    for text in [Some(message), hint.as_mut()].into_iter().flatten() {
        *text = without_all(std::mem::take(text), secrets.iter().cloned());
    }
    exception
}

/// A text without some secrets, the longest first.
pub(super) fn without_all(
    mut text: String,
    secrets: impl Iterator<Item = Arc<str>>,
) -> String {
    let mut forms: Vec<String> = secrets.flat_map(|secret| forms(&secret)).collect();
    forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
    for form in &forms {
        if text.contains(&**form) {
            text = without(&text, form);
        }
    }
    text
}

/// A text as messages write it: as it is, as Python and as JSON.
pub(super) fn forms(text: &str) -> BTreeSet<String> {
    let value = Value::text(text);
    let python = repr(&value).unwrap_or_default();
    let json = json::dump(&value, &json::Style::default()).unwrap_or_default();
    let bare =
        |quoted: &str| quoted.get(1..quoted.len().saturating_sub(1)).map(str::to_owned);
    let forms = [bare(&python), bare(&json), Some(text.to_owned())];
    forms.into_iter().flatten().filter(|form| !form.trim().is_empty()).collect()
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
    text.into_iter().for_each(|text| context.know(text));
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

/// Secrets shorter than this may be parts of words that say nothing of them.
const SHORT: usize = 4;

/// A text without a secret; a short one is taken out where it stands alone.
pub(super) fn without(text: &str, secret: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(secret).filter(|_| !secret.is_empty()) {
        let (before, from) = rest.split_at(at);
        let after = &from[secret.len()..];
        out.push_str(before);
        let joins = |c: char| c.is_alphanumeric() || c == '_';
        let is_part = out.ends_with(joins) || after.starts_with(joins);
        out.push_str(if is_part && secret.len() < SHORT { secret } else { REDACTED });
        rest = after;
    }
    out + rest
}

/// Whether something in a value must not be shown or said.
pub(super) fn is_in(value: &Value, context: &Context) -> bool {
    context.is_guarded() && Seen::of(&[value], context).secrecy > Secrecy::Open
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
#[derive(Default)]
struct Seen {
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
        let guard = context.guard();
        let mut seen = Seen::default();
        let mut todo: Vec<Value> = values.iter().copied().cloned().collect();
        let mut left = LOOK;
        while let Some(value) = todo.pop() {
            seen.meet(&value, &mut todo, context);
            left = left.saturating_sub(1);
            if guard < Secrecy::Sensitive && left < todo.len() {
                seen.is_cut = true;
                seen.secrecy = Secrecy::Private;
                break;
            }
        }
        seen
    }

    /// The steps that looking at it is worth.
    fn cost(&self, guard: Secrecy) -> u64 {
        let all = (self.known.len() + self.plain.len()) as u64;
        if guard == Secrecy::Sensitive { all } else { all / 64 }
    }

    fn meet(&mut self, value: &Value, todo: &mut Vec<Value>, context: &Context) {
        if let Some(address) = address(value)
            && !self.known.insert(address)
        {
            return;
        }
        match value {
            Value::Str(text) => {
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
        if context.knows(&text) {
            self.secrecy = self.secrecy.max(Secrecy::Private);
            self.secrets.push(text);
        } else {
            self.plain.insert(text);
        }
    }

    /// All that is in a marked value is secret.
    fn hide(&mut self, hidden: &Value, context: &Context) {
        let all = Seen::within(hidden, context);
        self.known.extend(all.known);
        self.secrets.extend(all.secrets);
    }

    /// What is in a marked value.
    fn within(hidden: &Value, context: &Context) -> Seen {
        let (mut seen, mut todo) = (Seen::default(), vec![hidden.clone()]);
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
        if address.is_some_and(|address| self.known.contains(&address)) || depth > DEPTH {
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

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn short_secrets_stand_alone() {
        assert_eq!(
            without("a bad value 'a'", "a"),
            "<<REDACTED>> bad value '<<REDACTED>>'"
        );
        assert_eq!(without("hunter2s", "hunter2"), "<<REDACTED>>s");
        assert_eq!(without("x", ""), "x");
    }
}
