//! Path expressions: parses the text of a path, and follows it from a value to the values
//! that it leads to. Only an empty path is an error: missing brackets are added,
//! superfluous ones ignored.

use std::fmt::{self, Display, Formatter};
use std::mem;

use crate::diagnostic::near;
use crate::eval::Scope;
use crate::eval::python::{Class, Exception, Result, Value, equal};

use super::external::FileValue;
use super::quantity::Quantity;
use super::resource::{ResourceRef, child};
use super::trace::{ExpressionTrace, ITEM, RESOURCE, summary, variable};

/// Maximum depth of filters, which are evaluated recursively.
const MAX_FILTER_DEPTH: usize = 100;

/// A segment of a path: a selector, and conditions for the value that it leads to.
#[derive(Clone, Debug, Default, PartialEq)]
struct ValueSegment {
    step: PathSelector,
    filters: Vec<Vec<ValueSegment>>,
    test: Option<SegmentTest>,
    /// `?`: only the first value for which the rest of the path has results is followed.
    first: bool,
    /// `!`: the filter that begins with this segment must have no match.
    not: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
enum PathSelector {
    /// The value itself; of a list, its items.
    #[default]
    Same,
    /// The value itself, also if it is a list.
    Whole,
    /// `*`: all values of a mapping.
    Every,
    /// `name`: a key of a mapping.
    Key(String),
    /// `1`: an index of a list, and its text, for mappings.
    Index(i64, String),
    /// `$name`: the key that a variable holds.
    Variable(String),
}

impl Display for ValueSegment {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.step {
            PathSelector::Same | PathSelector::Whole => f.write_str("the value")?,
            PathSelector::Every => f.write_str("every value")?,
            PathSelector::Key(name) | PathSelector::Index(_, name) => {
                write!(f, "'{name}'")?;
            }
            PathSelector::Variable(name) => write!(f, "${name}")?,
        }
        match self.filters.len() {
            0 => {}
            1 => f.write_str(" with a filter")?,
            many => write!(f, " with {many} filters")?,
        }
        if self.test.is_some() { f.write_str(" with a test") } else { Ok(()) }
    }
}

#[derive(Clone, Debug, PartialEq)]
struct SegmentTest {
    equal: bool,
    right: Comparand,
}

#[derive(Clone, Debug, PartialEq)]
enum Comparand {
    /// A text, read as the type of the left side.
    Text(String),
    Variable(String),
}

/// Parses a path. Raises a `SyntaxError` if it is empty, or its filters nest too deep.
fn parse(text: &str) -> Result<Vec<ValueSegment>> {
    let mut outer = Vec::new();
    let mut level = PathBuilder::default();
    let mut rest = text;
    while let Some(at) = rest.find(['[', ']', ':']) {
        let (piece, from) = rest.split_at(at);
        level.text.push_str(piece);
        rest = from.get(1..).unwrap_or_default();
        match from.as_bytes().first() {
            Some(b'[') => {
                level.take_text();
                outer.push(mem::take(&mut level));
            }
            Some(b']') => level.close(&mut outer),
            _ if rest.starts_with(':') => {
                level.end_segment();
                rest = &rest[1..];
            }
            // A single colon belongs to the key.
            _ => level.text.push(':'),
        }
        if outer.len() >= MAX_FILTER_DEPTH {
            let message = format!("filters nest deeper than {MAX_FILTER_DEPTH}");
            return Err(Exception::new(Class::Syntax, message));
        }
    }
    level.text.push_str(rest);
    while !outer.is_empty() {
        level.close(&mut outer);
    }
    let path = level.finish();
    match path.as_slice() {
        [only]
            if *only
                == ValueSegment {
                    first: only.first,
                    not: only.not,
                    ..ValueSegment::default()
                } =>
        {
            let message = format!("the expression '{text}' is empty");
            Err(Exception::new(Class::Syntax, message).hint("name a key, or `.`"))
        }
        _ => Ok(path),
    }
}

/// A path that is being parsed: the whole one, or one of a filter.
#[derive(Default)]
struct PathBuilder {
    path: Vec<ValueSegment>,
    segment: ValueSegment,
    /// True if the selector of the segment is known: a filter was read.
    keyed: bool,
    text: String,
}

impl PathBuilder {
    /// Reads the text before a bracket or the end of the segment.
    fn take_text(&mut self) {
        let text = mem::take(&mut self.text);
        let mut text = text.trim();
        if let Some(rest) = text.strip_prefix('!') {
            (text, self.segment.not) = (rest, true);
        } else if let Some(rest) = text.strip_suffix('?') {
            (text, self.segment.first) = (rest, true);
        }
        let (key, test) = split_test(text);
        // Text behind a filter is ignored, as in Unfurl: `m[a]b` is `m[a]`.
        if !mem::replace(&mut self.keyed, true) {
            self.segment.step = step(key);
        }
        self.segment.test = test.or(self.segment.test.take());
    }

    fn end_segment(&mut self) {
        self.take_text();
        self.keyed = false;
        self.path.push(mem::take(&mut self.segment));
    }

    /// Ends a filter. A bracket that closes nothing is ignored.
    fn close(&mut self, outer: &mut Vec<PathBuilder>) {
        if let Some(mut above) = outer.pop() {
            above.segment.filters.push(self.finish());
            *self = above;
        }
    }

    fn finish(&mut self) -> Vec<ValueSegment> {
        self.end_segment();
        mem::take(&mut self.path)
    }
}

fn split_test(text: &str) -> (&str, Option<SegmentTest>) {
    let Some((left, right)) = text.split_once('=') else { return (text, None) };
    let (left, equal) = match left.strip_suffix('!') {
        Some(left) => (left, false),
        None => (left, true),
    };
    let right = match right.strip_prefix('$') {
        Some(name) => Comparand::Variable(name.to_owned()),
        None => Comparand::Text(right.to_owned()),
    };
    (left, Some(SegmentTest { equal, right }))
}

fn step(key: &str) -> PathSelector {
    match (key, integer(key)) {
        ("", _) => PathSelector::Same,
        ("*", _) => PathSelector::Every,
        (_, Some(index)) => PathSelector::Index(index, key.to_owned()),
        _ => match key.strip_prefix('$') {
            Some(name) => PathSelector::Variable(name.to_owned()),
            None => PathSelector::Key(key.to_owned()),
        },
    }
}

/// Parses an integer as Python's `int()` does.
fn integer(text: &str) -> Option<i64> {
    let text = text.trim();
    let groups = text.strip_prefix(['+', '-']).unwrap_or(text).split('_');
    let whole =
        |group: &str| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit());
    if !groups.clone().all(whole) {
        return None;
    }
    let number: i64 = groups.collect::<String>().parse().ok()?;
    Some(if text.starts_with('-') { -number } else { number })
}

/// Returns the values that a path leads to.
pub(super) fn follow(text: &str, scope: &Scope) -> Result<Vec<Value>> {
    let mut path = parse(text)?;
    let walk = PathWalk { scope, trace: ExpressionTrace::of(scope) };
    let Some(first) = path.first_mut() else { return Ok(Vec::new()) };
    match &first.step {
        step if is_all(step) && first.filters.is_empty() && first.test.is_none() => {
            path.remove(0);
            let every = every(scope, &path)?;
            return if path.is_empty() { Ok(every) } else { walk.walk(every, &path) };
        }
        PathSelector::Variable(name) => {
            let Some(value) = variable(scope, name)? else {
                walk.trace.show(|_| format!("there is no ${name}"));
                return Ok(Vec::new());
            };
            // `$list::0` indexes the list; in Unfurl the empty segment flattens it first
            // (see COMPATIBILITY.md).
            first.step =
                if first.first { PathSelector::Same } else { PathSelector::Whole };
            return walk.walk(vec![value], &path);
        }
        PathSelector::Key(key) if key.starts_with('.') => {}
        _ if scope.names.get(ITEM)?.is_none()
            && scope.here.downcast::<ResourceRef>().is_some() =>
        {
            first.first = true;
            // A path is looked up on the resource, then on those around it: the first
            // that has the whole rest counts.
            let ancestors = PathSelector::Key(".ancestors".to_owned());
            path.insert(0, ValueSegment { step: ancestors, ..ValueSegment::default() });
        }
        _ => {}
    }
    walk.walk(vec![scope.here.clone()], &path)
}

/// Returns true if a path that begins with this selector starts from all resources.
fn is_all(step: &PathSelector) -> bool {
    match step {
        PathSelector::Key(key) => key == ".all",
        step => *step == PathSelector::Same,
    }
}

/// Returns the start of a path that begins with `::`.
fn every(scope: &Scope, path: &[ValueSegment]) -> Result<Vec<Value>> {
    let here = match scope.here.downcast::<ResourceRef>() {
        Some(_) => Some(scope.here.clone()),
        None => scope.names.get(RESOURCE)?,
    };
    let Some(resource) = here.as_ref().and_then(Value::downcast::<ResourceRef>) else {
        return Ok(Vec::new());
    };
    let all = match path.first().map(|segment| &segment.step) {
        Some(PathSelector::Key(name)) => resource.all_for(name)?,
        _ => resource.all()?,
    };
    Ok(vec![all])
}

/// Returns the key that may have been meant by the first unknown key of a path.
pub(super) fn similar_key(path: &str, scope: &Scope) -> Option<String> {
    let path = parse(path).ok()?;
    let mut value = scope.here.downcast::<ResourceRef>()?.attributes().ok()?;
    for segment in &path {
        let (PathSelector::Key(wanted), Value::Dict(held)) = (&segment.step, &value)
        else {
            return None;
        };
        let Some(found) = held.get_text(wanted).ok()? else {
            let keys = held.keys();
            let similar = near(keys.iter().filter_map(Value::as_str), wanted);
            return similar.map(str::to_owned);
        };
        value = found;
    }
    None
}

struct PathWalk<'a> {
    scope: &'a Scope,
    trace: ExpressionTrace<'a>,
}

/// Values from which a segment is to be followed.
struct WalkLevel {
    /// In reverse order: the next one is the last.
    waiting: Vec<Value>,
    /// True if a value before led to a result.
    found: bool,
}

impl WalkLevel {
    fn new(mut values: Vec<Value>) -> WalkLevel {
        values.reverse();
        WalkLevel { waiting: values, found: false }
    }
}

impl PathWalk<'_> {
    /// Follows a path from some values. A segment that does not exist leads to no value.
    fn walk(&self, from: Vec<Value>, path: &[ValueSegment]) -> Result<Vec<Value>> {
        // Depth first with an explicit stack: `?` needs to know whether anything below
        // one value led to a result before the next one is tried.
        let mut levels = vec![WalkLevel::new(from)];
        let mut results = Vec::new();
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
                let count = items.len();
                self.trace.show(|_| format!("{segment} of each of {count} items"));
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
                levels.push(WalkLevel::new(reached));
            }
        }
        Ok(results)
    }

    /// Follows a segment from one value.
    fn reach(&self, value: &Value, segment: &ValueSegment) -> Result<Vec<Value>> {
        let mut reached = match &segment.step {
            PathSelector::Same | PathSelector::Whole => vec![value.clone()],
            PathSelector::Every => match value {
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
        self.trace.show(|context| {
            let from = summary(value, context);
            match reached.as_slice() {
                [] if found > 0 => format!("{segment} of {from}: filtered out"),
                [] => format!("{segment} of {from}: nothing"),
                [one] => format!("{segment} of {from}: {}", summary(one, context)),
                many => format!("{segment} of {from}: {} values", many.len()),
            }
        });
        Ok(reached)
    }

    fn look_up(&self, value: &Value, step: &PathSelector) -> Result<Option<Value>> {
        let key = match step {
            PathSelector::Key(name) => Value::text(name.as_str()),
            PathSelector::Index(index, _) => Value::Int(*index),
            PathSelector::Variable(name) => match variable(self.scope, name)? {
                Some(key) => key,
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        let found = child(value, &key)?;
        match (found, step) {
            // In a mapping `1` may also be a key that is a string.
            (None, PathSelector::Index(_, text)) if !matches!(value, Value::List(_)) => {
                child(value, &Value::text(text.as_str()))
            }
            (found, _) => Ok(found),
        }
    }

    /// Returns true if a value satisfies the filters and the comparison of a segment.
    fn passes(&self, value: &Value, segment: &ValueSegment) -> Result<bool> {
        for filter in &segment.filters {
            let indexes = matches!(
                filter.first(),
                Some(ValueSegment { step: PathSelector::Index(..), .. })
            );
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

    fn holds(&self, value: &Value, test: &SegmentTest) -> Result<bool> {
        let same = match &test.right {
            Comparand::Text(text) => is_written(value, text),
            Comparand::Variable(name) => match variable(self.scope, name)? {
                Some(other) => is_same(value, &other)?,
                None => false,
            },
        };
        Ok(same == test.equal)
    }
}

/// Returns true if a segment is followed from the items of a list instead of the list.
fn is_flat(segment: &ValueSegment) -> bool {
    !matches!(
        segment.step,
        PathSelector::Index(..) | PathSelector::Whole | PathSelector::Every
    )
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
            None => value.downcast::<FileValue>().is_some_and(|file| file.given == text),
        },
        _ => false,
    }
}

/// Returns the truth of a text in YAML: if it is no boolean, true unless it is empty.
fn is_true(text: &str) -> bool {
    let text = text.trim().to_ascii_lowercase();
    !matches!(&*text, "" | "false" | "no" | "off" | "n" | "0" | "null" | "~")
}

/// Returns true if two values are equal, or the same resource.
pub(super) fn is_same(a: &Value, b: &Value) -> Result<bool> {
    match (a.downcast::<ResourceRef>(), b.downcast::<ResourceRef>()) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<ValueSegment> {
        parse(text).unwrap_or_default()
    }

    #[test]
    fn brackets_are_forgiven() {
        for text in ["m[a]", "m[a", "m[a]]", "m[a]b", "m][a"] {
            assert_eq!(read(text), read(" m[ a ]"), "{text}");
        }
        assert_eq!(read("m[a[b=c]]::d").len(), 2);
        assert_eq!(read("a:b::c").len(), 2);
    }

    #[test]
    fn emptiness_is_an_error() {
        for text in ["", " ", "?", "!", "]"] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(parse(&"[".repeat(1000)).is_err());
    }

    #[test]
    fn integers_are_those_of_python() {
        assert_eq!(["01", "+1", "1_0", "-2"].map(integer), [1, 1, 10, -2].map(Some));
        assert_eq!(["1.0", "", "_1", "0x1", "--1"].map(integer), [None; 5]);
    }
}
