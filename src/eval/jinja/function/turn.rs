//! `cycler` and `joiner`: values that give something else at every turn.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::eval::jinja::plugin::CallSite;
use crate::eval::python::{Arguments, Bound, Exception, Object, Result, Value};

/// `cycler('odd', 'even')`
#[derive(Debug)]
struct Cycler(Arc<Turn>);

/// Where a cycler is.
#[derive(Debug)]
struct Turn {
    items: Vec<Value>,
    at: AtomicUsize,
}

/// `cycler.next` and `cycler.reset`
#[derive(Debug)]
struct Method {
    turn: Arc<Turn>,
    resets: bool,
}

/// `joiner(', ')`
#[derive(Debug)]
struct Joiner {
    between: Value,
    used: AtomicBool,
}

/// `cycler(*items)`
pub(super) fn cycler(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let items = arguments.positional;
    if items.is_empty() {
        Err(Exception::of_value("at least one item has to be provided"))
    } else {
        let at = AtomicUsize::new(0);
        Ok(Value::object(Cycler(Arc::new(Turn { items, at }))))
    }
}

/// `joiner(sep=', ')`
pub(super) fn joiner(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([], [between]) = arguments.split();
    let between = between.unwrap_or_else(|| Value::text(", "));
    Ok(Value::object(Joiner { between, used: AtomicBool::new(false) }))
}

impl Turn {
    fn current(&self) -> Value {
        let at = self.at.load(Ordering::Relaxed) % self.items.len().max(1);
        self.items.get(at).cloned().unwrap_or(Value::None)
    }
}

impl Object for Cycler {
    fn type_name(&self) -> &str {
        "Cycler"
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        let method = |resets| Value::object(Method { turn: self.0.clone(), resets });
        Ok(match name {
            "current" => Some(self.0.current()),
            "next" => Some(method(false)),
            "reset" => Some(method(true)),
            _ => None,
        })
    }
}

impl Object for Method {
    fn type_name(&self) -> &str {
        "method"
    }

    fn is_callable(&self) -> bool {
        true
    }

    fn call(&self, _arguments: Arguments) -> Result<Value> {
        if self.resets {
            self.turn.at.store(0, Ordering::Relaxed);
            return Ok(Value::None);
        }
        let current = self.turn.current();
        self.turn.at.fetch_add(1, Ordering::Relaxed);
        Ok(current)
    }
}

impl Object for Joiner {
    fn type_name(&self) -> &str {
        "Joiner"
    }

    fn is_callable(&self) -> bool {
        true
    }

    fn call(&self, _arguments: Arguments) -> Result<Value> {
        Ok(if self.used.swap(true, Ordering::Relaxed) {
            self.between.clone()
        } else {
            Value::text("")
        })
    }
}
