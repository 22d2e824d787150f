//! A place of a document: its source and scope come in, its value goes out, worked out
//! once, when somebody asks.

use std::mem;
use std::sync::Arc;

use super::{Scope, Strict};
use crate::eval::python::{Class, Exception, Lazy, Lock, Result, Value};

/// A source that waits to be evaluated.
#[derive(Debug)]
pub struct Place {
    source: Value,
    scope: Scope,
    state: Lock<State>,
}

#[derive(Clone, Debug)]
enum State {
    Waiting,
    Running,
    /// What it is, and whether it may be something else each time.
    Done(Result<Value>, bool),
}

impl Place {
    /// A source as a lazy value; one that evaluates to itself is not made lazy.
    pub fn of(source: &Value, scope: &Scope) -> Value {
        let settled = match source {
            Value::Str(text) => text.is_quoted() || !scope.context.speaks(source),
            Value::List(_) | Value::Dict(_) | Value::Tuple(_) | Value::Lazy(_) => false,
            _ => true,
        };
        if settled {
            return source.clone();
        }
        let (source, scope) = (source.clone(), scope.clone());
        let state = Lock::new(State::Waiting);
        Value::Lazy(Arc::new(Place { source, scope, state }))
    }

    fn change(&self, state: State) -> State {
        let mut held = self.state.write();
        match *held {
            State::Done(..) => held.clone(),
            _ => mem::replace(&mut *held, state),
        }
    }
}

impl Lazy for Place {
    fn force(&self) -> Result<Value> {
        match self.change(State::Running) {
            State::Done(value, by_chance) => {
                if by_chance {
                    self.scope.context.chance();
                }
                return value;
            }
            State::Running if self.scope.strict < Strict::Cycles => {
                return Ok(Value::None);
            }
            State::Running => {
                let loops = Exception::new(
                    Class::Recursion,
                    "Recursive loop detected: the value needs itself",
                );
                return Err(loops.located(&self.source));
            }
            State::Waiting => {}
        }
        let context = &self.scope.context;
        let chances = context.chances();
        let value = context.nested(|| self.scope.evaluate(&self.source));
        let value = value.map_err(|exception| exception.located(&self.source));
        self.change(State::Done(value.clone(), context.chances() > chances));
        value
    }

    fn known(&self) -> Option<Value> {
        match &*self.state.read() {
            State::Done(Ok(value), _) => Some(value.clone()),
            State::Done(Err(_), _) | State::Waiting | State::Running => None,
        }
    }
}
