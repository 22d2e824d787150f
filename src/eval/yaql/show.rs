//! Python's `str` of values, with yaql's names of sets and views.

use std::cell::Cell;

use crate::eval::python::{
    Class, Exception, MAX_DEPTH, Object, Result, Value, View, limit_members, repr, str,
};

use super::key::{members, view_name};

/// Returns `str(value)`.
pub fn show(value: &Value) -> Result<String> {
    str(&displayed(value, 0, &Cell::new(0))?)
}

/// A value with a fixed text.
#[derive(Debug)]
struct FixedText(String);

impl Object for FixedText {
    fn type_name(&self) -> &str {
        "object"
    }

    fn display(&self) -> Result<String> {
        Ok(self.0.clone())
    }
}

/// Replaces sets and views by values that show as those of yaql.
fn displayed(value: &Value, depth: usize, count: &Cell<usize>) -> Result<Value> {
    count.set(count.get() + 1);
    // Python shows a shared value each time it occurs.
    limit_members(count.get())?;
    if depth > MAX_DEPTH {
        let message =
            "maximum recursion depth exceeded while getting the repr of an object";
        return Err(Exception::new(Class::Recursion, message));
    }
    let all = |values: &[Value]| -> Result<Vec<Value>> {
        values.iter().map(|value| displayed(value, depth + 1, count)).collect()
    };
    let fixed = |text: String| Ok(Value::object(FixedText(text)));
    match value {
        Value::Tuple(members) => all(members).map(Value::tuple),
        Value::List(items) => all(&items.items()?).map(Value::list),
        Value::Dict(entries) => {
            let members = entries.entries()?.into_iter();
            let entry = |(key, value)| Ok((key, displayed(&value, depth + 1, count)?));
            Ok(Value::Dict(members.map(entry).collect::<Result<_>>()?))
        }
        Value::Set(set) => {
            let members: Vec<String> =
                all(&members(set))?.iter().map(repr).collect::<Result<_>>()?;
            if members.is_empty() {
                fixed("frozenset()".to_owned())
            } else {
                fixed(format!("frozenset({{{}}})", members.join(", ")))
            }
        }
        other => match other.downcast::<View>() {
            Some(view) => {
                let dict =
                    displayed(&Value::Dict(view.dict().clone()), depth + 1, count)?;
                fixed(format!("{}({})", view_name(other), repr(&dict)?))
            }
            None => Ok(other.clone()),
        },
    }
}
