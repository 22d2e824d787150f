//! Evaluates sources in a scope. Names and a source in, a value out. Members of
//! containers become thunks, which are evaluated when they are needed, once.

use std::mem;
use std::sync::Arc;

use super::Context;
use crate::eval::python::{Class, Dict, Exception, Lazy, Lock, Result, Value};

/// The names and the start of relative expressions at a place of evaluation.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The run.
    pub context: Arc<Context>,
    /// The variables. An inner name hides an outer one.
    pub names: Names,
    /// The start of relative expressions, and `SELF`.
    pub here: Value,
    /// The handling of undefined names and cycles.
    pub strict: Strict,
}

/// Variables, in front of those of the outer scopes.
#[derive(Clone, Debug, Default)]
pub struct Names {
    own: Dict,
    outer: Option<Arc<Names>>,
}

/// The handling of undefined names, cycles and missing results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strict {
    /// A template shows an undefined name as it was written; a cycle is null.
    Lenient,
    /// An undefined name in a template is an error.
    #[default]
    Undefined,
    /// A cycle is an error, too.
    Cycles,
    /// An expression without a result is an error, too.
    Required,
    /// An expression whose result is null is an error, too.
    NotNull,
}

impl Names {
    /// Returns names that hide these.
    #[must_use]
    pub fn within(&self, own: Dict) -> Names {
        Names { own, outer: Some(Arc::new(self.clone())) }
    }

    /// Returns the value of a name.
    pub fn get(&self, name: &str) -> Result<Option<Value>> {
        let mut level = Some(self);
        while let Some(names) = level {
            if names.own.has_text(name) {
                return names.own.get_text(name);
            }
            level = names.outer.as_deref();
        }
        Ok(None)
    }

    /// Returns every name once, inner ones first.
    pub fn all(&self) -> Vec<String> {
        let mut all = indexmap::IndexSet::new();
        let mut level = Some(self);
        while let Some(names) = level {
            let own = names.own.read();
            all.extend(own.keys().filter_map(|key| key.as_str().map(str::to_owned)));
            level = names.outer.as_deref();
        }
        all.into_iter().collect()
    }
}

impl From<Dict> for Names {
    fn from(own: Dict) -> Names {
        Names { own, outer: None }
    }
}

impl Scope {
    /// Returns the scope with more names.
    #[must_use]
    pub fn within(&self, names: Dict) -> Scope {
        Scope { names: self.names.within(names), ..self.clone() }
    }

    /// Evaluates a source in the language it is written in. A container that is written
    /// in none becomes a container of thunks.
    pub fn evaluate(&self, source: &Value) -> Result<Value> {
        let source = source.force()?;
        let mut dialects = self.context.dialects.iter();
        if let Some(dialect) = dialects.find(|d| d.speaks(&source, &self.context)) {
            return dialect.evaluate(&source, self);
        }
        Ok(match &source {
            Value::List(items) => {
                Value::list(items.read().iter().map(|item| Thunk::of(item, self)))
            }
            Value::Tuple(items) => {
                Value::tuple(items.iter().map(|item| Thunk::of(item, self)))
            }
            Value::Dict(entries) => {
                let entries = entries.read();
                let thunks = entries.iter().map(|(k, v)| (k.clone(), Thunk::of(v, self)));
                Value::Dict(thunks.collect())
            }
            _ => source,
        })
    }
}

/// A source that is evaluated once, when its value is needed.
#[derive(Debug)]
pub struct Thunk {
    source: Value,
    scope: Scope,
    state: Lock<ThunkState>,
}

#[derive(Clone, Debug)]
enum ThunkState {
    Waiting,
    Running,
    /// The value, and true if it differs from run to run.
    Done(Result<Value>, bool),
}

impl Thunk {
    /// Returns a source as a lazy value. One that evaluates to itself is returned as it
    /// is.
    pub fn of(source: &Value, scope: &Scope) -> Value {
        let settled = match source {
            Value::Str(text) => text.is_quoted() || !scope.context.speaks(source),
            Value::List(_) | Value::Dict(_) | Value::Tuple(_) | Value::Lazy(_) => false,
            _ => true,
        };
        if settled {
            return source.clone();
        }
        let source = source.clone();
        let scope = scope.clone();
        let state = Lock::new(ThunkState::Waiting);
        Value::Lazy(Arc::new(Thunk { source, scope, state }))
    }

    fn change(&self, state: ThunkState) -> ThunkState {
        let mut held = self.state.write();
        match *held {
            ThunkState::Done(..) => held.clone(),
            _ => mem::replace(&mut *held, state),
        }
    }
}

impl Lazy for Thunk {
    fn force(&self) -> Result<Value> {
        // The lock is not held while evaluating: a cycle comes back here.
        match self.change(ThunkState::Running) {
            ThunkState::Done(value, by_chance) => {
                if by_chance {
                    self.scope.context.mark_volatile();
                }
                return value;
            }
            ThunkState::Running if self.scope.strict < Strict::Cycles => {
                return Ok(Value::None);
            }
            ThunkState::Running => {
                let message = "Recursive loop detected: the value needs itself";
                let loops = Exception::new(Class::Recursion, message);
                return Err(loops.located(&self.source));
            }
            ThunkState::Waiting => {}
        }
        let context = &self.scope.context;
        let chances = context.volatile_reads();
        let value = context.nested(|| self.scope.evaluate(&self.source));
        let value = value.map_err(|exception| exception.located(&self.source));
        self.change(ThunkState::Done(value.clone(), context.volatile_reads() > chances));
        value
    }

    fn known(&self) -> Option<Value> {
        let state = self.state.read();
        let ThunkState::Done(Ok(value), _) = &*state else { return None };
        Some(value.clone())
    }
}
