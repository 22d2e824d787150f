//! Variables of expressions, the settings that travel with them under names that no
//! expression can write (all begin with a dot), and the steps that the setting `trace` shows.

use crate::eval::hidden_text::REDACTED;
use crate::eval::python::{self, Result, Secrecy, Value};
use crate::eval::{Context, Scope, secret};

use super::Unfurl;

/// Length from which a text is shown by its size only, in bytes: about what fits a line
/// of the terminal beside the step.
const MAX_SHOWN_BYTES: usize = 60;

/// The output of steps, if it is on.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExpressionTrace<'s>(Option<&'s Context>);

impl<'s> ExpressionTrace<'s> {
    pub(super) fn of(scope: &'s Scope) -> ExpressionTrace<'s> {
        let asked =
            matches!(scope.names.get(TRACE), Ok(Some(Value::Int(level))) if level > 0);
        ExpressionTrace(asked.then_some(&*scope.context))
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

/// The value that the outermost expression starts from: `$start`.
pub(super) const START: &str = ".start";

/// Set if paths start from an item of a loop instead of a resource.
pub(super) const ITEM: &str = ".item";

/// The resource that the items of a loop were found in.
pub(super) const RESOURCE: &str = ".resource";

/// The level of `trace`.
pub(super) const TRACE: &str = ".trace";

/// The folder that `src` stands for, relative to the document's.
pub(super) const FOLDER: &str = ".base_dir";

/// Returns the value of `$name`.
pub(super) fn variable(scope: &Scope, name: &str) -> Result<Option<Value>> {
    // Settings are no variables.
    if name.starts_with('.') {
        return Ok(None);
    }
    if name == "start" {
        let start = scope.names.get(START)?;
        return Ok(Some(start.unwrap_or_else(|| scope.here.clone())));
    }
    if let Some(value) = scope.names.get(name)? {
        return Ok(Some(value));
    }
    Ok(match name {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        "null" => Some(Value::None),
        _ => None,
    })
}
