//! Follows a path from values to the values that it leads to.

use crate::eval::Scope;
use crate::eval::python::{Result, Value, equal};

use super::external::FileValue;
use super::path::{Operand, Segment, Selector, Test, integer};
use super::quantity::Quantity;
use super::resource::{Resource, child};
use super::trace::Trace;
use super::variable::variable;

/// The context of following a path.
pub(super) struct PathWalk<'a> {
    pub(super) scope: &'a Scope,
    pub(super) trace: Trace<'a>,
}

/// Values from which a segment is to be followed.
struct Level {
    /// In reverse order: the next one is the last.
    waiting: Vec<Value>,
    /// True if a value before led to a result.
    found: bool,
}

impl Level {
    fn new(mut values: Vec<Value>) -> Level {
        values.reverse();
        Level { waiting: values, found: false }
    }
}

impl PathWalk<'_> {
    /// Follows a path from some values. A segment that does not exist leads to no value.
    pub(super) fn walk(&self, from: Vec<Value>, path: &[Segment]) -> Result<Vec<Value>> {
        // Depth first with an explicit stack: `?` needs to know whether anything below
        // one value led to a result before the next one is tried.
        let (mut levels, mut results) = (vec![Level::new(from)], Vec::new());
        while let Some(segment) = path.get(levels.len().wrapping_sub(1)) {
            let last = levels.len() == path.len();
            let Some(level) = levels.last_mut() else { break };
            let next =
                if level.found && segment.first { None } else { level.waiting.pop() };
            let Some(value) = next else {
                let found = level.found;
                levels.pop();
                if let Some(above) = levels.last_mut() {
                    above.found |= found;
                }
                continue;
            };
            self.scope.context.spend(1)?;
            let value = value.force()?;
            if let (Value::List(items), true) = (&value, is_flat(segment)) {
                let mut items = items.items()?;
                self.trace.flatten(segment, items.len());
                // Values are taken from the end.
                items.reverse();
                level.waiting.append(&mut items);
                continue;
            }
            let mut reached = self.reach(&value, segment)?;
            if last && segment.first {
                reached.truncate(1);
            }
            if last {
                level.found |= !reached.is_empty();
                results.append(&mut reached);
            } else {
                levels.push(Level::new(reached));
            }
        }
        Ok(results)
    }

    /// Follows a segment from one value.
    fn reach(&self, value: &Value, segment: &Segment) -> Result<Vec<Value>> {
        let mut reached = match &segment.step {
            Selector::Same | Selector::Whole => vec![value.clone()],
            Selector::Every => match value {
                Value::Dict(entries) => {
                    entries.entries()?.into_iter().map(|(_, value)| value).collect()
                }
                _ => Vec::new(),
            },
            step => self.look_up(value, step)?.into_iter().collect(),
        };
        let found = reached.len();
        if !segment.filters.is_empty() || segment.test.is_some() {
            let mut kept = Vec::new();
            for value in reached {
                if self.passes(&value, segment)? {
                    kept.push(value);
                }
            }
            reached = kept;
        }
        self.trace.step(value, segment, found, &reached);
        Ok(reached)
    }

    fn look_up(&self, value: &Value, step: &Selector) -> Result<Option<Value>> {
        let key = match step {
            Selector::Key(name) => Value::text(name.as_str()),
            Selector::Index(index, _) => Value::Int(*index),
            Selector::Variable(name) => match variable(self.scope, name)? {
                Some(key) => key,
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        let found = child(value, &key)?;
        match (found, step) {
            // In a mapping `1` may also be a key that is a string.
            (None, Selector::Index(_, text)) if !matches!(value, Value::List(_)) => {
                child(value, &Value::text(text.as_str()))
            }
            (found, _) => Ok(found),
        }
    }

    /// Returns true if a value satisfies the filters and the comparison of a segment.
    fn passes(&self, value: &Value, segment: &Segment) -> Result<bool> {
        for filter in &segment.filters {
            let indexes =
                matches!(filter.first(), Some(Segment { step: Selector::Index(..), .. }));
            // A filter keeps a whole list if one of its items matches, unless it selects
            // by index.
            let candidates = match value {
                Value::List(items) if !indexes => items.items()?,
                _ => vec![value.clone()],
            };
            let not = filter.first().is_some_and(|segment| segment.not);
            if self.walk(candidates, filter)?.is_empty() != not {
                return Ok(false);
            }
        }
        match &segment.test {
            Some(test) => self.holds(value, test),
            None => Ok(true),
        }
    }

    fn holds(&self, value: &Value, test: &Test) -> Result<bool> {
        let same = match &test.right {
            Operand::Text(text) => is_written(value, text),
            Operand::Variable(name) => match variable(self.scope, name)? {
                Some(other) => is_same(value, &other)?,
                None => false,
            },
        };
        Ok(same == test.equal)
    }
}

/// Returns true if a segment is followed from the items of a list instead of the list.
fn is_flat(segment: &Segment) -> bool {
    !matches!(segment.step, Selector::Index(..) | Selector::Whole | Selector::Every)
}

/// Returns true if a value equals a text that is read as the value's type.
fn is_written(value: &Value, text: &str) -> bool {
    match value {
        Value::Str(known) => **known == *text,
        // Unfurl's `bool(text)` is true for `false`, too; this reads the text as YAML.
        Value::Bool(known) => *known == is_true(text),
        Value::Int(known) => integer(text) == Some(*known),
        Value::Big(known) => text.trim().parse().is_ok_and(|number| **known == number),
        Value::Float(known) => text.trim().replace('_', "").parse() == Ok(*known),
        Value::Object(_) => match value.downcast::<Quantity>() {
            Some(quantity) => {
                Quantity::read(text).is_some_and(|other| quantity.is_like(&other))
            }
            None => value.downcast::<FileValue>().is_some_and(|file| file.name() == text),
        },
        _ => false,
    }
}

/// Returns the truth of a text in YAML. Texts that are no boolean are true, empty ones
/// false.
fn is_true(text: &str) -> bool {
    let text = text.trim().to_ascii_lowercase();
    !matches!(&*text, "" | "false" | "no" | "off" | "n" | "0" | "null" | "~")
}

/// Returns true if two values are equal, or the same resource.
pub(super) fn is_same(a: &Value, b: &Value) -> Result<bool> {
    match (a.downcast::<Resource>(), b.downcast::<Resource>()) {
        (Some(a), Some(b)) => Ok(a.is_same(b)),
        _ => equal(a, b),
    }
}

/// Returns the value of results: null if there is none, a list if there are several.
pub(super) fn one_of(mut results: Vec<Value>) -> Value {
    match results.len() {
        0 => Value::None,
        1 => results.remove(0),
        _ => Value::list(results),
    }
}

/// Returns the results of a value: the items of a list, none for null.
pub(super) fn spread(value: Value) -> Result<Vec<Value>> {
    Ok(match value {
        Value::None => Vec::new(),
        Value::List(items) => items.items()?,
        other => vec![other],
    })
}
