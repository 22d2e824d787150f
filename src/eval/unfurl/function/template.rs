//! Functions that use other languages: `template` and `lookup`.

use std::path::Path;

use crate::eval::python::{Arguments, Class, Dict, Exception, Key, Result, Str, Value};
use crate::eval::unfurl::expression::render;
use crate::eval::unfurl::external;
use crate::eval::unfurl::path::one_of;
use crate::eval::{LookupKind, TemplateOptions};

use super::call::{ExpressionFunction, FunctionCall, function, text_of};
use super::file::named_folder;

#[rustfmt::skip]
pub(super) const FUNCTIONS: &[ExpressionFunction] = &[
    function("lookup", lookup).unary(),
    function("template", template).required(&["source"]).keywords(&["overrides"]).unary(),
];

/// Implements `template`: renders a text, or the text of a file.
fn template(call: &FunctionCall<'_>) -> Result<Value> {
    let source = match &call.argument.force()? {
        Value::Dict(entries) if entries.has_text("path") => {
            let path = entries.get_text("path")?.unwrap_or(Value::None);
            read(call, &text_of(&call.data_of(&path)?, "a path")?)?
        }
        Value::Str(text) => text.clone(),
        other => match call.data_of(other)? {
            Value::Str(text) => text,
            other => {
                return Err(Exception::of_type(format!(
                    "Error rendering template: source must be a string, not <class '{}'>",
                    other.type_name()
                )));
            }
        },
    };
    let overrides: Option<Dict> = match call.keyword("overrides")? {
        Some(Value::Dict(overrides)) => Some(overrides),
        _ => None,
    };
    // The text may carry the mark of quoted data, which would keep it from being
    // rendered.
    let options = TemplateOptions { overrides, ..TemplateOptions::default() };
    render(&Str::from(source.shared()), call.scope, &options)
}

fn read(call: &FunctionCall<'_>, path: &str) -> Result<Str> {
    let folder = named_folder(call.scope, Some("src"))?;
    let path = external::normal(&folder.join(Path::new(path)));
    let missing = || {
        let message = format!("No such file or directory: '{}'", path.display());
        Exception::new(Class::Missing, message)
    };
    match String::from_utf8(external::read(call.scope, &path)?.ok_or_else(missing)?) {
        Ok(text) => Ok(Str::from(text)),
        Err(_) => Err(Exception::of_value(format!("{} is not UTF-8", path.display()))),
    }
}

/// Implements `lookup`: calls a lookup plugin; null if it finds nothing.
fn lookup(call: &FunctionCall<'_>) -> Result<Value> {
    let Value::Dict(entries) = call.data()? else {
        return Err(Exception::of_type(
            "'lookup' takes a mapping: the plugin and its terms",
        ));
    };
    let mut entries = entries.entries()?.into_iter();
    let Some((name, terms)) = entries.next() else {
        return Err(Exception::of_type("'lookup' names no plugin"));
    };
    let plugin = text_of(name.value(), "a plugin")?;
    let positional = match terms {
        Value::List(terms) => terms.items()?,
        term => vec![term],
    };
    let keyword = |(key, value): (Key, Value)| Some((Str::from(key.as_str()?), value));
    let arguments =
        Arguments { positional, keywords: entries.filter_map(keyword).collect() };
    let found = call.scope.look_up(LookupKind::Lookup, &plugin, &arguments);
    let unknown = || {
        let message = format!("there is no lookup plugin named '{plugin}'");
        Err(Exception::new(Class::Undefined, message).naming_value(name.value()))
    };
    Ok(match found.unwrap_or_else(unknown)? {
        Value::List(found) => one_of(found.items()?),
        other => other,
    })
}
