//! Parsed values → what their calls stand for; what is wrong with them; which resources
//! they need.

use crate::eval::python::{Dict, Exception, Key, Result, Value};

use super::Stack;
use super::exception::{at, failed};
use super::function::{Call, Nothing};
use super::path::{Path, joined};
use super::stack::deep;

impl Stack {
    /// A value with all of its calls resolved, arguments first.
    ///
    /// # Errors
    /// What a function raises, at the place of its call.
    pub(super) fn resolve(&self, value: &Value) -> Result<Value> {
        match self.change(value, 0)? {
            None => Ok(value.clone()),
            Some(nothing) if nothing.downcast::<Nothing>().is_some() => Ok(Value::None),
            Some(changed) => Ok(changed),
        }
    }

    /// What a value becomes, if it is not what it was.
    fn change(&self, value: &Value, depth: usize) -> Result<Option<Value>> {
        match value {
            Value::Object(_) => match Call::of(value) {
                Some(call) => self.call(call).map(Some),
                None => Ok(None),
            },
            Value::List(items) => {
                deep(depth)?;
                let items = items.read();
                self.context.spend(items.len() as u64)?;
                let mut changed: Option<Vec<Value>> = None;
                for (at, item) in items.iter().enumerate() {
                    match (self.change(item, depth + 1)?, &mut changed) {
                        (None, None) => {}
                        (None, Some(changed)) => changed.push(item.clone()),
                        (Some(new), changed) => changed
                            .get_or_insert_with(|| items[..at].to_vec())
                            .extend(something(new)),
                    }
                }
                Ok(changed.map(Value::list))
            }
            Value::Dict(entries) => {
                self.change_entries(entries, depth, |_, raised| raised)
            }
            _ => Ok(None),
        }
    }

    /// A mapping with all of its calls resolved; `fail` says for which key one failed.
    pub(super) fn resolve_entries(
        &self,
        entries: &Dict,
        fail: impl Fn(&Key, Box<Exception>) -> Box<Exception>,
    ) -> Result<Value> {
        let changed = self.change_entries(entries, 0, fail)?;
        Ok(changed.unwrap_or_else(|| Value::Dict(entries.clone())))
    }

    fn change_entries(
        &self,
        entries: &Dict,
        depth: usize,
        fail: impl Fn(&Key, Box<Exception>) -> Box<Exception>,
    ) -> Result<Option<Value>> {
        deep(depth)?;
        let entries = entries.read();
        self.context.spend(entries.len() as u64)?;
        let mut changed: Option<Vec<(Key, Value)>> = None;
        for (at, (key, value)) in entries.iter().enumerate() {
            let before = || {
                let before = entries.iter().take(at);
                before.map(|(key, value)| (key.clone(), value.clone())).collect()
            };
            match (
                self.change(value, depth + 1).map_err(|raised| fail(key, raised))?,
                &mut changed,
            ) {
                (None, None) => {}
                (None, Some(changed)) => {
                    changed.push((key.clone(), value.clone()));
                }
                (Some(new), changed) => changed
                    .get_or_insert_with(before)
                    .extend(something(new).map(|new| (key.clone(), new))),
            }
        }
        Ok(changed.map(|changed| Value::Dict(changed.into_iter().collect())))
    }

    fn call(&self, call: &Call) -> Result<Value> {
        self.context.spend(1)?;
        let secrets = &self.parameters.secrets;
        let before = secrets.count();
        secrets.meet_given(&call.arguments, &self.template.given);
        let resolved = self.nested(|| {
            if call.function.is_macro {
                Ok(self.change(&call.arguments, 0)?.unwrap_or(call.arguments.clone()))
            } else {
                self.kept(call)
            }
        });
        let value = resolved.map_err(|raised| at(raised, call.span))?;
        secrets.make(before, &value, &call.arguments);
        Ok(value)
    }

    /// The result of a call, or the call itself if it needs what is to be kept.
    fn kept(&self, call: &Call) -> Result<Value> {
        if !self.keeps() {
            return (call.function.resolve)(call, self);
        }
        let before = self.kept_calls();
        let arguments = self.resolve(&call.arguments)?;
        if self.kept_calls() > before {
            return Ok(written(call, arguments));
        }
        let call = Call { function: call.function, arguments, span: call.span };
        (call.function.resolve)(&call, self)
    }

    /// Checks the arguments of a call.
    ///
    /// # Errors
    /// What a call among them finds wrong, with the path that leads to it.
    pub(super) fn validate_arguments(&self, call: &Call) -> Result<()> {
        self.validate(&call.arguments, &[])
    }

    /// Checks all calls in a value, which stands where these names lead.
    pub(super) fn validate(&self, value: &Value, names: &[&str]) -> Result<()> {
        if matches!(value, Value::None) {
            return Ok(());
        }
        self.validate_at(value, &mut Path::from(joined(names)))
    }

    fn validate_at(&self, value: &Value, path: &mut Path) -> Result<()> {
        deep(path.depth())?;
        match value {
            Value::Object(_) => {
                let Some(call) = Call::of(value) else { return Ok(()) };
                let valid = self.nested(|| (call.function.validate)(call, self));
                valid.map_err(|raised| {
                    path.push_name(call.name());
                    at(failed(&path.validated(), raised), call.span)
                })
            }
            Value::Dict(entries) => entries.read().iter().try_for_each(|(key, value)| {
                path.push_key(key);
                self.validate_at(value, path)?;
                path.pop();
                Ok(())
            }),
            Value::List(items) => {
                items.read().iter().enumerate().try_for_each(|(at, item)| {
                    path.push_index(at);
                    self.validate_at(item, path)?;
                    path.pop();
                    Ok(())
                })
            }
            _ => Ok(()),
        }
    }

    /// The names of the resources that the calls in a value need, which stands at a path.
    ///
    /// # Errors
    /// There is no such resource.
    pub(super) fn needs(
        &self,
        value: &Value,
        path: impl FnOnce() -> String,
    ) -> Result<Vec<String>> {
        if matches!(value, Value::None) {
            return Ok(Vec::new());
        }
        let mut needs =
            Needs { stack: self, path: Path::from(path()), found: Vec::new() };
        needs.value(value)?;
        Ok(needs.found)
    }
}

struct Needs<'a> {
    stack: &'a Stack,
    path: Path,
    found: Vec<String>,
}

impl Needs<'_> {
    fn value(&mut self, value: &Value) -> Result<()> {
        deep(self.path.depth())?;
        match value {
            Value::Object(_) => match Call::of(value) {
                Some(call) => self.call(call).map_err(|raised| at(raised, call.span)),
                None => Ok(()),
            },
            Value::Dict(entries) => entries.read().iter().try_for_each(|(key, value)| {
                self.path.push_key(key);
                self.value(value)?;
                self.path.pop();
                Ok(())
            }),
            Value::List(items) => {
                items.read().iter().enumerate().try_for_each(|(at, item)| {
                    self.path.push_index(at);
                    self.value(item)?;
                    self.path.pop();
                    Ok(())
                })
            }
            _ => Ok(()),
        }
    }

    fn call(&mut self, call: &Call) -> Result<()> {
        self.path.push_name(call.name());
        self.value(&call.arguments)?;
        self.path.pop();
        if let Some(name) = (call.function.resource)(call, self.stack)? {
            let found = self.stack.find_for(&name, || self.path.parsed())?;
            self.found.push(found.name.clone());
        }
        Ok(())
    }
}

/// A call as it would be written, with these arguments.
pub(super) fn written(call: &Call, arguments: Value) -> Value {
    Value::Dict(Dict::from_iter([(Key::text(call.name()), arguments)]))
}

fn something(value: Value) -> Option<Value> {
    value.downcast::<Nothing>().is_none().then_some(value)
}
