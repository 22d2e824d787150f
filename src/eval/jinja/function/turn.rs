//! `cycler` and `joiner`: values that give something else at every turn.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::eval::jinja::plugin::Call;
use crate::python::{Arguments, Class, Exception, Object, Result, Value};

/// `cycler('odd', 'even')`
#[derive(Debug)]
struct Cycler {
    items: Vec<Value>,
    at: AtomicUsize,
}

/// `joiner(', ')`
#[derive(Debug)]
struct Joiner {
    between: Value,
    used: AtomicBool,
}

/// `cycler(*items)`
pub(super) fn cycler(_: &Call<'_>, arguments: Arguments) -> Result<Value> {
    let items = arguments.positional;
    match items.is_empty() {
        true => Err(Exception::of_value("at least one item has to be provided")),
        false => Ok(Value::object(Cycler { items, at: AtomicUsize::new(0) })),
    }
}

/// `joiner(sep=', ')`
pub(super) fn joiner(_: &Call<'_>, arguments: Arguments) -> Result<Value> {
    let [between] = arguments.bind("joiner", ["sep"], 0)?;
    let between = between.unwrap_or_else(|| Value::text(", "));
    Ok(Value::object(Joiner { between, used: AtomicBool::new(false) }))
}

impl Cycler {
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
        Ok((name == "current").then(|| self.current()))
    }

    fn call_method(&self, name: &str, _arguments: Arguments) -> Result<Value> {
        match name {
            "next" | "__next__" => {
                let current = self.current();
                self.at.fetch_add(1, Ordering::Relaxed);
                Ok(current)
            }
            "reset" => {
                self.at.store(0, Ordering::Relaxed);
                Ok(Value::None)
            }
            _ => Err(Exception::new(
                Class::Undefined,
                format!("object of type 'Cycler' has no attribute '{name}'"),
            )),
        }
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
        Ok(match self.used.swap(true, Ordering::Relaxed) {
            true => self.between.clone(),
            false => Value::text(""),
        })
    }
}
