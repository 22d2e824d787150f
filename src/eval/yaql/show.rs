//! Python's `str` of values, with yaql's names of sets and views.

use std::cell::Cell;

use crate::eval::python::{
    Class, Exception, MAX_DEPTH, Object, Result, Value, View, limit_members, repr, str,
};

use super::key::{members, view_name};

/// Returns `str(value)`.
pub fn show(value: &Value) -> Result<String> {
    str(&dress(value, 0, &Cell::new(0))?)
}

/// A value with a fixed text.
#[derive(Debug)]
struct Shown(String);

impl Object for Shown {
    fn type_name(&self) -> &str {
        "object"
    }

    fn display(&self) -> Result<String> {
        Ok(self.0.clone())
    }
}

/// Replaces sets and views by values that show as those of yaql.
fn dress(value: &Value, depth: usize, met: &Cell<usize>) -> Result<Value> {
    met.set(met.get() + 1);
    // Python shows a shared value each time it occurs.
    limit_members(met.get())?;
    if depth > MAX_DEPTH {
        let message =
            "maximum recursion depth exceeded while getting the repr of an object";
        return Err(Exception::new(Class::Recursion, message));
    }
    let all = |values: &[Value]| -> Result<Vec<Value>> {
        values.iter().map(|value| dress(value, depth + 1, met)).collect()
    };
    let shown = |text: String| Ok(Value::object(Shown(text)));
    match value {
        Value::Tuple(members) => all(members).map(Value::tuple),
        Value::List(items) => all(&items.items()?).map(Value::list),
        Value::Dict(entries) => {
            let dressed = entries.entries()?.into_iter();
            let entry = |(key, value)| Ok((key, dress(&value, depth + 1, met)?));
            Ok(Value::Dict(dressed.map(entry).collect::<Result<_>>()?))
        }
        Value::Set(set) => {
            let members: Vec<String> =
                all(&members(set))?.iter().map(repr).collect::<Result<_>>()?;
            if members.is_empty() {
                shown("frozenset()".to_owned())
            } else {
                shown(format!("frozenset({{{}}})", members.join(", ")))
            }
        }
        other => match other.downcast::<View>() {
            Some(view) => {
                let dict = dress(&Value::Dict(view.dict().clone()), depth + 1, met)?;
                shown(format!("{}({})", view_name(other), repr(&dict)?))
            }
            None => Ok(other.clone()),
        },
    }
}
