//! The functions of expressions: a name comes in, what computes it goes out.

mod arithmetic;
mod env;
mod file;
mod folder;
mod label;
mod logic;
mod misc;
mod schema;
mod template;
mod text;
mod url;

pub(super) use file::to_yaml;

use std::cell::RefCell;

use super::expression::{self, spread};
use crate::diagnostic::near;
use crate::eval::python::{Class, Dict, Exception, Result, Value, repr, truth};
use crate::eval::{Scope, secret};

/// What computes a function.
pub(super) type Function = fn(&Call<'_>) -> Result<Value>;

/// A call of a function, with arguments as they were written.
#[derive(Clone, Debug)]
pub(super) struct Call<'a> {
    pub(super) scope: &'a Scope,
    /// The name it was called by.
    pub(super) name: &'a str,
    pub(super) argument: Value,
    /// The whole mapping that the name was found in.
    pub(super) keywords: Dict,
    /// What its arguments turned out to be.
    seen: RefCell<Vec<Value>>,
}

/// Every function, by name.
#[rustfmt::skip]
const FUNCTIONS: &[(&str, Function)] = &[
    ("_generate", misc::generate),
    ("abspath", folder::abspath),
    ("add", arithmetic::calculate),
    ("and", logic::and),
    ("concat", text::concat),
    ("container_image", misc::container_image),
    ("div", arithmetic::calculate),
    ("eq", arithmetic::equal),
    ("file", file::file),
    ("floordiv", arithmetic::calculate),
    ("foreach", logic::foreach),
    ("ge", arithmetic::compare),
    ("generate_string", misc::generate),
    ("get_attribute", misc::get_attribute),
    ("get_dir", folder::get_dir),
    ("get_ensemble_metadata", misc::get_metadata),
    ("get_env", env::get_env),
    ("get_input", misc::get_input),
    ("get_property", misc::get_attribute),
    ("gt", arithmetic::compare),
    ("has_env", env::has_env),
    ("if", logic::choose),
    ("is_function_defined", misc::is_function_defined),
    ("le", arithmetic::compare),
    ("lookup", template::lookup),
    ("lt", arithmetic::compare),
    ("mod", arithmetic::calculate),
    ("mul", arithmetic::calculate),
    ("ne", arithmetic::equal),
    ("not", logic::not),
    ("or", logic::or),
    ("portspec", misc::portspec),
    ("pow", arithmetic::calculate),
    ("q", misc::quote),
    ("scalar", arithmetic::scalar),
    ("scalar_value", arithmetic::scalar_value),
    ("sensitive", misc::sensitive),
    ("sub", arithmetic::calculate),
    ("tempfile", file::tempfile),
    ("template", template::template),
    ("to_dns_label", label::convert),
    ("to_env", env::to_env),
    ("to_googlecloud_label", label::convert),
    ("to_kubernetes_label", label::convert),
    ("to_label", label::convert),
    ("token", text::token),
    ("truediv", arithmetic::calculate),
    ("urljoin", url::join),
    ("validate_json", schema::validate_json),
];

/// Functions that need no `eval` around them if they are the only key.
const TOP: [&str; 11] = [
    "q",
    "get_input",
    "concat",
    "token",
    "get_property",
    "has_env",
    "get_env",
    "get_attribute",
    "get_nodes_of_type",
    "_generate",
    "get_artifact",
];

/// Functions that need more than a document.
const BEYOND: [&str; 15] = [
    "_arguments",
    "computed",
    "external",
    "find_connection",
    "get_artifact",
    "get_nodes_of_type",
    "kubectl",
    "kubernetes_current_namespace",
    "local",
    "python",
    "secret",
    "update_os_environ",
    "validate",
    "discover",
    "document",
];

/// Functions that a template calls with the only argument itself, not with a list of it.
const ONE: [&str; 14] = [
    "if",
    "not",
    "q",
    "file",
    "tempfile",
    "foreach",
    "has_env",
    "to_env",
    "portspec",
    "container_image",
    "sensitive",
    "template",
    "is_function_defined",
    "lookup",
];

/// The function of a name.
pub(super) fn find(name: &str) -> Option<Function> {
    if BEYOND.contains(&name) {
        return Some(refuse);
    }
    let at = FUNCTIONS.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
    FUNCTIONS.get(at).map(|(_, function)| *function)
}

/// The names of all functions.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|(name, _)| *name)
}

/// Whether a mapping with this one key is an expression.
pub(super) fn is_top(name: &str) -> bool {
    TOP.contains(&name)
}

/// Whether the only argument that a template gives is no list.
pub(super) fn takes_one(name: &str) -> bool {
    ONE.contains(&name)
}

/// There is no function in a mapping.
pub(super) fn unknown<'n>(
    source: &Value,
    keys: impl Iterator<Item = &'n str>,
    scope: &Scope,
) -> Box<Exception> {
    let written = repr(source).unwrap_or_default();
    let missing =
        Exception::new(Class::Undefined, format!("Function missing in {written}"));
    let missing = secret::conceal(missing, &[source], &scope.context);
    let mut near = keys.filter_map(|key| near(names(), key));
    match near.next() {
        Some(name) => missing.hint(format!("did you mean '{name}'?")),
        None => missing.hint("`q` around a mapping says that it is data"),
    }
}

fn refuse(call: &Call<'_>) -> Result<Value> {
    let message = format!("the function '{}' needs Unfurl itself", call.name);
    Err(Exception::new(Class::Unsupported, message))
}

impl<'a> Call<'a> {
    pub(super) fn new(
        scope: &'a Scope,
        name: &'a str,
        argument: Value,
        keywords: Dict,
    ) -> Call<'a> {
        Call { scope, name, argument, keywords, seen: RefCell::default() }
    }

    /// What a function makes of it.
    pub(super) fn run(&self, function: Function) -> Result<Value> {
        let context = &self.scope.context;
        let made = context.nested(|| function(self));
        let seen = self.seen.borrow();
        secret::keep(made, &seen.iter().collect::<Vec<_>>(), context)
    }

    /// The argument as data.
    pub(super) fn data(&self) -> Result<Value> {
        self.data_of(&self.argument)
    }

    /// A value that is written as data.
    pub(super) fn data_of(&self, source: &Value) -> Result<Value> {
        self.see(expression::data(source, self.scope)?)
    }

    fn see(&self, value: Value) -> Result<Value> {
        self.seen.borrow_mut().push(value.clone());
        Ok(value)
    }

    /// The argument as a list of data.
    pub(super) fn list(&self) -> Result<Vec<Value>> {
        spread(self.data()?)
    }

    /// The argument as exactly two values.
    pub(super) fn pair(&self) -> Result<(Value, Value)> {
        let data = self.data()?;
        let given = match &data {
            Value::Str(text) => {
                text.chars().map(|c| Value::text(c.to_string())).collect()
            }
            other => spread(other.clone())?,
        };
        match <[Value; 2]>::try_from(given) {
            Ok([a, b]) => Ok((a, b)),
            Err(given) => Err(Exception::of_type(format!(
                "{} expected 2 arguments, got {}",
                self.name,
                given.len()
            ))),
        }
    }

    /// A value that is written as an expression.
    pub(super) fn value(&self, source: &Value) -> Result<Value> {
        match self.keyword("map_value")? {
            Some(wanted) if truth(&wanted)? => self.data_of(source),
            _ => self.see(expression::value(source, self.scope)?),
        }
    }

    /// What is written beside the function, as it is written.
    pub(super) fn written(&self, name: &str) -> Result<Option<Value>> {
        self.keywords.get_text(name)
    }

    /// What is written beside the function, as data.
    pub(super) fn keyword(&self, name: &str) -> Result<Option<Value>> {
        let written = self.written(name)?;
        written.map(|written| self.data_of(&written)).transpose()
    }
}

/// The text of a value that must be one.
fn text_of(value: &Value, what: &str) -> Result<String> {
    match value.as_str() {
        Some(text) => Ok(text.to_owned()),
        None => Err(Exception::of_type(format!(
            "{what} must be a string, not {}",
            value.type_name()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_in_order() {
        assert!(FUNCTIONS.is_sorted_by_key(|(name, _)| *name));
        assert!(TOP.iter().all(|name| find(name).is_some()));
        assert!(ONE.iter().all(|name| find(name).is_some()));
    }
}
