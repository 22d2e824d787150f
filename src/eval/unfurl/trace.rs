//! Shows the steps of an expression to the user: `trace: 1`.

use std::fmt::Display;

use crate::eval::hidden_text::REDACTED;
use crate::eval::python::{self, Secrecy, Value};
use crate::eval::{Context, Scope, secret};

use super::Unfurl;
use super::variable::TRACE;

/// Length from which a text is shown by its size only, in bytes: about what fits a line
/// of the terminal beside the step.
const MAX_SHOWN_BYTES: usize = 60;

/// The output of steps, if it is on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trace<'s>(Option<&'s Context>);

impl<'s> Trace<'s> {
    pub(super) fn of(scope: &'s Scope) -> Trace<'s> {
        let asked =
            matches!(scope.names.get(TRACE), Ok(Some(Value::Int(level))) if level > 0);
        Trace(asked.then_some(&*scope.context))
    }

    /// Shows a message. It is built only if the output is on.
    pub(super) fn show(self, words: impl FnOnce(&Context) -> String) {
        if let Some(context) = self.0 {
            trace(format!("trace: {}", words(context)), &[], context);
        }
    }

    /// Shows a source. A text that stands in a document is shown as it stands there.
    pub(super) fn source(self, words: &str, source: &Value) {
        if let Some(context) = self.0 {
            let shown = summary(source, context);
            let line = format!("trace: {words} {shown}");
            let is_written = matches!(source, Value::Str(text) if text.is_open_literal());
            let names = if is_written { vec![shown] } else { Vec::new() };
            trace(line, &names, context);
        }
    }

    /// Shows the values that a segment leads to.
    pub(super) fn step(
        self,
        value: &Value,
        segment: &dyn Display,
        found: usize,
        kept: &[Value],
    ) {
        self.show(|context| {
            let (from, what) = (summary(value, context), segment);
            match kept {
                [] if found > 0 => format!("{what} of {from}: filtered out"),
                [] => format!("{what} of {from}: nothing"),
                [one] => format!("{what} of {from}: {}", summary(one, context)),
                many => format!("{what} of {from}: {} values", many.len()),
            }
        });
    }

    /// Shows that a segment is followed from each item of a list.
    pub(super) fn flatten(self, segment: &dyn Display, count: usize) {
        self.show(|_| format!("{segment} of each of {count} items"));
    }
}

/// Traces a line, without the secrets in it.
pub(super) fn trace(line: String, names: &[String], context: &Context) {
    if let Some(Unfurl(settings)) = context.language() {
        (settings.trace)(&context.redact(line, names));
    }
}

/// Describes a value in a few words.
pub(super) fn summary(value: &Value, context: &Context) -> String {
    match value {
        Value::Dict(entries) => format!("a mapping of {}", entries.len()),
        Value::List(items) => format!("a list of {}", items.len()),
        Value::Lazy(_) => "a value that is not evaluated yet".to_owned(),
        Value::Str(text) if text.secrecy() > Secrecy::Open => REDACTED.to_owned(),
        Value::Str(text) if text.len() > MAX_SHOWN_BYTES => {
            format!("a text of {} bytes", text.len())
        }
        // A list or mapping is shown by its size, so only scalars can reveal a secret.
        other if secret::is_in(other, context) => REDACTED.to_owned(),
        other => python::repr(other).unwrap_or_else(|_| other.type_name().to_owned()),
    }
}
