//! What an expression does, step by step, for people: `trace: 1`.

use crate::eval::python::{self, Secrecy, Value};
use crate::eval::sensitive::REDACTED;
use crate::eval::{Context, Scope, secret};

use super::path::{Segment, Selector};
use super::variable::TRACE;

/// So much of a value is shown.
const MAX_SHOWN_BYTES: usize = 60;

/// Whether steps are shown, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trace<'s>(Option<&'s Context>);

impl<'s> Trace<'s> {
    /// Whether they are where something is evaluated.
    pub(super) fn of(scope: &'s Scope) -> Trace<'s> {
        let asked =
            matches!(scope.names.get(TRACE), Ok(Some(Value::Int(level))) if level > 0);
        Trace(asked.then_some(&*scope.context))
    }

    /// Says something, which is worked out only if somebody listens.
    pub(super) fn say(self, words: impl FnOnce(&Context) -> String) {
        if let Some(context) = self.0 {
            context.tell(format!("trace: {}", words(context)));
        }
    }

    /// A segment led from a value to some others.
    pub(super) fn step(
        self,
        value: &Value,
        segment: &Segment,
        found: usize,
        kept: &[Value],
    ) {
        self.say(|context| {
            let (from, what) = (summary(value, context), describe(segment));
            match kept {
                [] if found > 0 => format!("{what} of {from}: filtered out"),
                [] => format!("{what} of {from}: nothing"),
                [one] => format!("{what} of {from}: {}", summary(one, context)),
                many => format!("{what} of {from}: {} values", many.len()),
            }
        });
    }

    /// A list takes part item by item.
    pub(super) fn flatten(self, segment: &Segment, count: usize) {
        self.say(|_| format!("{} of each of {count} items", describe(segment)));
    }
}

fn describe(segment: &Segment) -> String {
    let mut words = match &segment.step {
        Selector::Same | Selector::Whole => "the value".to_owned(),
        Selector::Every => "every value".to_owned(),
        Selector::Key(name) | Selector::Index(_, name) => format!("'{name}'"),
        Selector::Variable(name) => format!("${name}"),
    };
    match segment.filters.len() {
        0 => {}
        1 => words.push_str(" with a filter"),
        many => words.push_str(&format!(" with {many} filters")),
    }
    if segment.test.is_some() {
        words.push_str(" with a test");
    }
    words
}

/// A value in few words.
pub(super) fn summary(value: &Value, context: &Context) -> String {
    match value {
        Value::Dict(entries) => format!("a mapping of {}", entries.len()),
        Value::List(items) => format!("a list of {}", items.len()),
        Value::Lazy(_) => "a value that waits".to_owned(),
        Value::Str(text) if text.secrecy() > Secrecy::Open => REDACTED.to_owned(),
        Value::Str(text) if text.len() > MAX_SHOWN_BYTES => {
            format!("a text of {} bytes", text.len())
        }
        other if secret::is_in(other, context) => REDACTED.to_owned(),
        other => python::repr(other).unwrap_or_else(|_| other.type_name().to_owned()),
    }
}
