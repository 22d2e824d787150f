//! Functions that make a value: `dict`, `range`, `namespace`, `cycler`, `joiner`, `now`,
//! `undef`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::eval::jinja::filter::date;
use crate::eval::jinja::filter::parameter::{
    flag, given, index, method, type_error_of, value_error,
};
use crate::eval::jinja::{CallSite, Plugin, PluginTable, Undefined};
use crate::eval::python::time::{DateTime, Zone};
use crate::eval::python::{
    self, Arguments, Bound, Callable, Dict, Key, Object, Range, Result, Value,
};

pub(super) const FUNCTIONS: PluginTable = &[
    Plugin::variadic("cycler", cycler),
    Plugin::variadic("dict", dict),
    Plugin::new("joiner", "joiner", &[], &["sep"], joiner),
    Plugin::variadic("namespace", namespace),
    Plugin::new("now", "_now", &[], &["utc", "fmt"], now),
    Plugin::new("range", "range", &["start"], &["stop", "step"], range),
    Plugin::new("undef", "_undef", &[], &["hint"], undef),
];

fn undef(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([], [hint]) = arguments.split();
    match hint {
        None | Some(Value::None) => {
            Ok(Undefined::because("A required variable is missing: `undef()`"))
        }
        Some(Value::Str(hint)) => Ok(Undefined::because(&*hint)),
        Some(other) => {
            type_error_of(&other, "hint must be of type <class 'str'>, not {}")
        }
    }
}

fn now(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([], [utc, fmt]) = arguments.split();
    let second = date::now(&call.scope.context)?;
    let zone = if flag(utc, false)? {
        Zone::utc()
    } else {
        date::local(&call.scope.context, second)?
    };
    let micros = (second * 1e6) as i128 + i128::from(zone.offset) * 1_000_000;
    let now = DateTime::of_micros(micros, None)?;
    match given(fmt) {
        None => Ok(Value::object(now)),
        Some(fmt) => {
            method(&Value::object(now), "strftime", [Value::text(python::str(&fmt)?)])
        }
    }
}

fn dict(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    python::dict(arguments).map(Value::Dict)
}

fn range(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([first], [second, step]) = arguments.split();
    let number = |value: Option<Value>, default: i64| match value {
        None => Ok(default),
        // Python allows such a range, but nothing could iterate over it.
        Some(Value::Big(_)) => value_error("a range is too long"),
        Some(other) => index(&other),
    };
    let (start, stop) = match second {
        None => (0, number(Some(first), 0)?),
        Some(stop) => (number(Some(first), 0)?, number(Some(stop), 0)?),
    };
    match number(step, 1)? {
        0 => value_error("range() arg 3 must not be zero"),
        step => Ok(Value::Range(Range { start, stop, step })),
    }
}

/// The value of `namespace()`, the only one whose attributes `{% set %}` can change.
#[derive(Debug)]
struct Namespace(Dict);

fn namespace(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    Ok(Value::object(Namespace(python::dict(arguments)?)))
}

impl Object for Namespace {
    fn type_name(&self) -> &str {
        "Namespace"
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        self.0.get_text(name)
    }

    fn item(&self, key: &Value) -> Result<Option<Value>> {
        self.0.get(&Key::new(key.clone())?)
    }

    fn set_attribute(&self, name: &str, value: Value) -> Result<()> {
        self.0.set(Key::text(name), value);
        Ok(())
    }
}

#[derive(Debug)]
struct Cycler(Arc<CyclerState>);

#[derive(Debug)]
struct CyclerState {
    items: Vec<Value>,
    at: AtomicUsize,
}

fn cycler(_: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    let items = arguments.positional;
    if items.is_empty() {
        value_error("at least one item has to be provided")
    } else {
        let at = AtomicUsize::new(0);
        Ok(Value::object(Cycler(Arc::new(CyclerState { items, at }))))
    }
}

fn joiner(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([], [between]) = arguments.split();
    let between = between.unwrap_or_else(|| Value::text(", "));
    let used = AtomicBool::new(false);
    Ok(Callable::value("Joiner", move |_| {
        let is_first = !used.swap(true, Ordering::Relaxed);
        Ok(if is_first { Value::text("") } else { between.clone() })
    }))
}

impl CyclerState {
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
        let state = self.0.clone();
        Ok(match name {
            "current" => Some(state.current()),
            "next" => Some(Callable::value("method", move |_| {
                let current = state.current();
                state.at.fetch_add(1, Ordering::Relaxed);
                Ok(current)
            })),
            "reset" => Some(Callable::value("method", move |_| {
                state.at.store(0, Ordering::Relaxed);
                Ok(Value::None)
            })),
            _ => None,
        })
    }
}
