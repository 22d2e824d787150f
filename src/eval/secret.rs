//! A value or a failure and what it was made from → the same without a secret in it that
//! could be seen: texts made of secrets are secrets, messages do not say them.

use std::collections::HashSet;
use std::sync::Arc;

use super::Context;
use super::sensitive::{REDACTED, mark_new, under};
use crate::python::{DEPTH, Dict, Exception, Key, List, Result, Set, Tuple, Value, repr};

/// How careful a run must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Guard {
    /// There are no secrets.
    None,
    /// Variables were given, which no message may say.
    Given,
    /// Something is marked, which is never shown.
    Marked,
}

/// What came of something: a result that is made of secrets is marked, a failure does not
/// say them.
pub(super) fn keep(
    made: Result<Value>,
    from: &[&Value],
    context: &Context,
) -> Result<Value> {
    if context.guard() == Guard::None {
        return made;
    }
    match made {
        Err(exception) => Err(conceal(exception, from)),
        Ok(value) if context.guard() == Guard::Marked && is_text_in(&value) => {
            let seen = Seen::of(from);
            context.spend((seen.known.len() + seen.plain.len()) as u64)?;
            match seen.is_marked {
                true => Ok(seen.cover(&value, 0).unwrap_or(value)),
                false => Ok(value),
            }
        }
        made => made,
    }
}

/// A failure that does not say what is secret in what it came from.
pub(super) fn conceal(mut exception: Box<Exception>, from: &[&Value]) -> Box<Exception> {
    let mut secrets: Vec<Arc<str>> = Seen::of(from).secrets;
    secrets.sort_by_key(|text| std::cmp::Reverse(text.len()));
    for secret in secrets.iter().filter(|secret| !secret.is_empty()) {
        let quoted = repr(&Value::text(secret.clone())).unwrap_or_default();
        let quoted = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
        for written in [&**secret, quoted] {
            let hide = |text: &str| without(text, written);
            if exception.message.contains(written) {
                exception.message = hide(&exception.message);
            }
            exception.hint = exception.hint.as_deref().map(hide);
        }
    }
    exception
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
pub(super) fn is_in(value: &Value) -> bool {
    let seen = Seen::of(&[value]);
    seen.is_marked || !seen.secrets.is_empty()
}

/// Whether there may be texts in a value.
fn is_text_in(value: &Value) -> bool {
    match value {
        Value::Str(text) => !text.is_sensitive(),
        Value::None | Value::Bool(_) | Value::Int(_) | Value::Big(_) => false,
        Value::Float(_) | Value::Range(_) | Value::Lazy(_) | Value::Object(_) => false,
        Value::Bytes(_) | Value::List(_) | Value::Tuple(_) => true,
        Value::Dict(_) | Value::Set(_) => true,
    }
}

/// What is in some values, as far as it has been worked out.
#[derive(Default)]
struct Seen {
    /// The addresses of all containers.
    known: HashSet<usize>,
    /// The texts that may be shown.
    plain: HashSet<Arc<str>>,
    /// The texts that must not be said.
    secrets: Vec<Arc<str>>,
    /// Whether something must not be shown.
    is_marked: bool,
}

impl Seen {
    fn of(values: &[&Value]) -> Seen {
        let mut seen = Seen::default();
        let mut todo: Vec<Value> = values.iter().copied().cloned().collect();
        while let Some(value) = todo.pop() {
            seen.meet(&value, &mut todo);
        }
        seen
    }

    fn meet(&mut self, value: &Value, todo: &mut Vec<Value>) {
        if let Some(address) = address(value)
            && !self.known.insert(address)
        {
            return;
        }
        match value {
            Value::Str(text) => {
                self.is_marked |= text.is_sensitive();
                if !text.is_sensitive() {
                    self.plain.insert(text.shared());
                }
                if text.is_sensitive() || text.is_private() {
                    self.secrets.push(text.shared());
                }
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
                    self.is_marked = true;
                    self.hide(hidden);
                }
            }
            _ => {}
        }
    }

    /// All that is in a marked value is secret.
    fn hide(&mut self, hidden: &Value) {
        let all = Seen::within(hidden);
        self.known.extend(all.known);
        self.secrets.extend(all.secrets);
    }

    /// What is in a marked value.
    fn within(hidden: &Value) -> Seen {
        let (mut seen, mut todo) = (Seen::default(), vec![hidden.clone()]);
        while let Some(value) = todo.pop() {
            match &value {
                Value::Str(text) => seen.secrets.push(text.shared()),
                Value::Bytes(bytes) => {
                    seen.secrets.push(String::from_utf8_lossy(bytes).into());
                }
                _ => {}
            }
            seen.meet(&value, &mut todo);
        }
        seen
    }

    /// The value with every text marked that was not there before, if there is one.
    fn cover(&self, value: &Value, depth: usize) -> Option<Value> {
        let is_known =
            address(value).is_some_and(|address| self.known.contains(&address));
        if is_known || depth > DEPTH {
            return None;
        }
        let cover = |value: &Value| self.cover(value, depth + 1);
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
            Value::Str(_) | Value::Bytes(_) => Some(mark_new(value)),
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
