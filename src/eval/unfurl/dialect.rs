//! Unfurl as one of the languages of a document.

use crate::eval::python::{Arguments, Exception, Key, Result, Value};
use crate::eval::{
    Context, Dialect, DocumentView, LookupKind, Scope, Start, TemplateOptions,
};

use super::Unfurl;
use super::expression::{embedded, is_embedded, is_template, one, query, render};
use super::plugin;
use super::resource::Instances;

impl Dialect for Unfurl {
    fn name(&self) -> &'static str {
        "unfurl"
    }

    /// Recognizes embedded expressions. Texts are recognized only under Unfurl's own
    /// rules; otherwise the template language decides.
    fn speaks(&self, source: &Value, _context: &Context) -> bool {
        match source {
            Value::Str(text) => {
                let own_rules = self.0.python_literals && self.0.templates;
                own_rules && !text.is_quoted() && is_template(text)
            }
            Value::Dict(entries) => self.0.expressions && is_embedded(entries),
            _ => false,
        }
    }

    fn marks(&self) -> Option<&'static [&'static str]> {
        // Every expression contains one of these, so a document without them is not
        // searched.
        #[rustfmt::skip]
        let marks = &["eval", "ref", "q", "concat", "token", "get_", "has_env", "_generate", "}}", "%}"];
        Some(marks)
    }

    fn evaluate(&self, source: &Value, scope: &Scope) -> Result<Value> {
        match source {
            Value::Str(text) => render(text, scope, &TemplateOptions::default()),
            _ => embedded(source, scope)
                .map_err(|exception| with_quote_hint(exception, source)),
        }
    }

    fn ask(&self, source: &Value, scope: &Scope, all: bool) -> Result<Value> {
        if all { query(source, scope).map(Value::list) } else { one(source, scope) }
    }

    fn view(
        &self,
        document: &Value,
        start: &Start,
        scope: &Scope,
    ) -> Option<Result<DocumentView>> {
        Some(Instances::load(document, start, scope))
    }

    fn look_up(
        &self,
        kind: LookupKind,
        name: &str,
        scope: &Scope,
        arguments: &Arguments,
    ) -> Option<Result<Value>> {
        // Ansible has a filter of the same name; Unfurl's replaces it only under Unfurl's
        // rules.
        let is_ansible =
            kind == LookupKind::Filter && name == "to_yaml" && !self.0.python_literals;
        if is_ansible || !plugin::names(kind).contains(&name) {
            return None;
        }
        Some(match kind {
            LookupKind::Variable => plugin::name_value(name, scope),
            LookupKind::Filter => plugin::filter(name, scope, arguments.clone()),
            LookupKind::Lookup => {
                let found = arguments.positional.iter().map(|term| one(term, scope));
                found.collect::<Result<Vec<_>>>().map(Value::list)
            }
        })
    }

    fn known_names(&self, kind: LookupKind) -> &'static [&'static str] {
        plugin::names(kind)
    }
}

/// Adds a hint for a function called without `eval`: the mapping may be meant as data.
fn with_quote_hint(exception: Box<Exception>, source: &Value) -> Box<Exception> {
    let Value::Dict(entries) = source else { return exception };
    let is_told = exception.is_placed() || exception.hint.is_some();
    match entries.read().keys().next().and_then(Key::as_str) {
        Some(name)
            if entries.len() == 1 && !is_told && name != "eval" && name != "ref" =>
        {
            let hint = format!("if this is data, put it in `q`: {{q: {{{name}: …}}}}");
            exception.hint(hint)
        }
        _ => exception,
    }
}
