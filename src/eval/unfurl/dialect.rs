//! Unfurl as one of the languages of a document, and the names, filters and the lookup that
//! it adds to templates of other languages.

use std::path::Path;

use crate::eval::python::{
    self, Arguments, Callable, Class, Dict, Exception, Key, Object, Result, Stamp, Str,
    Value, truth,
};
use crate::eval::{
    Context, Dialect, DocumentView, LookupKind, Scope, Start, TemplateOptions, Thunk,
    hidden_text, secret, sensitive,
};

use super::Unfurl;
use super::expression::{data, embedded, is_embedded, is_template, one, query, render};
use super::external::file_to_path;
use super::function::{self, UnfurlCall};
use super::resource::{Instances, attributes_of};
use super::trace::trace;

const NAMES: &[&str] = &["SELF", "Self", "__now", "__python_executable", "__unfurl"];

#[rustfmt::skip]
const FILTERS: &[&str] = &[
    "abspath", "eval", "get_dir", "mapValue", "map_value", "ref", "scalar", "sensitive",
    "to_dns_label", "to_googlecloud_label", "to_kubernetes_label", "to_label", "to_yaml", "which",
];

const LOOKUPS: &[&str] = &["unfurl"];

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
        // Every expression contains one of these, so a document without them is not searched.
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
        if is_ansible || !self.known_names(kind).contains(&name) {
            return None;
        }
        Some(match kind {
            LookupKind::Variable => name_value(name, scope),
            LookupKind::Filter => filter(name, scope, arguments.clone()),
            LookupKind::Lookup => {
                let found = arguments.positional.iter().map(|term| one(term, scope));
                found.collect::<Result<Vec<_>>>().map(Value::list)
            }
        })
    }

    fn known_names(&self, kind: LookupKind) -> &'static [&'static str] {
        match kind {
            LookupKind::Variable => NAMES,
            LookupKind::Filter => FILTERS,
            LookupKind::Lookup => LOOKUPS,
        }
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

/// Returns the value of a name.
fn name_value(name: &str, scope: &Scope) -> Result<Value> {
    match name {
        "SELF" => attributes_of(&scope.here),
        "Self" => Ok(scope.here.clone()),
        "__unfurl" => Ok(Value::object(FunctionNamespace(scope.clone()))),
        "__now" => {
            let now = scope.context.moment()?;
            let since = now.now.duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
            Ok(Value::Float(since.as_secs_f64()))
        }
        _ => Ok(match find_program(scope, "python3") {
            // The name is enough to run it, also where looking for it is not allowed.
            Ok(Value::None) | Err(_) => Value::text("python3"),
            Ok(found) => found,
        }),
    }
}

/// Returns the result of a filter.
fn filter(name: &str, scope: &Scope, mut arguments: Arguments) -> Result<Value> {
    match name {
        "eval" | "ref" => {
            let wants_list = arguments.take("wantList");
            let piped = piped(name, &arguments)?;
            ask(&piped, &with_names(scope, arguments), wants_list)
        }
        "map_value" | "mapValue" => {
            let piped = piped(name, &arguments)?;
            data(&piped, &with_names(scope, arguments))
        }
        "sensitive" => {
            let [value] = arguments.bind("sensitive", ["value"], 1)?;
            sensitive::mark(&value.unwrap_or(Value::None), &scope.context)
        }
        "to_yaml" => {
            let text = function::to_yaml(&data(&piped(name, &arguments)?, scope)?)?;
            // YAML text may contain `{{`, which must not be rendered again.
            Ok(Value::Str(Str::stamped(text, Stamp { quoted: true, ..Stamp::default() })))
        }
        "which" => {
            let [program] = arguments.bind("which", ["name"], 1)?;
            let program = program.unwrap_or(Value::None);
            find_program(scope, program.as_str().unwrap_or_default())
        }
        _ => {
            let piped = piped(name, &arguments)?;
            let argument = match name {
                // These take their further arguments by position.
                "abspath" | "get_dir" => Value::list(arguments.positional.clone()),
                _ => piped,
            };
            Ok(file_to_path(invoke(name, argument, arguments, scope)?))
        }
    }
}

/// Returns the result of an expression, or the list of all results.
fn ask(source: &Value, scope: &Scope, wants_list: Option<Value>) -> Result<Value> {
    match wants_list {
        Some(wanted) if truth(&wanted)? => Ok(Value::list(query(source, scope)?)),
        _ => Ok(file_to_path(one(source, scope)?)),
    }
}

fn piped(name: &str, arguments: &Arguments) -> Result<Value> {
    arguments.positional.first().cloned().ok_or_else(|| {
        Exception::of_type(format!("the filter '{name}' needs something to work on"))
    })
}

/// Makes the keyword arguments known as variables of an expression.
fn with_names(scope: &Scope, arguments: Arguments) -> Scope {
    if arguments.keywords.is_empty() {
        return scope.clone();
    }
    let names = arguments.keywords.into_iter();
    scope.within(Dict::named(names.map(|(name, value)| (name, Thunk::of(&value, scope)))))
}

/// Returns the path of a program in `PATH`; null if there is none.
fn find_program(scope: &Scope, name: &str) -> Result<Value> {
    let context = &scope.context;
    context.permit("env", "what looks for programs")?;
    context.permit("file", "what looks for programs")?;
    let folders = context.world.env("PATH").unwrap_or_default();
    let is_there = |path: &Path| {
        let world = &context.world;
        world.real(path).is_ok_and(|real| !world.is_folder(&real))
    };
    let mut paths = folders.split(':').map(|folder| Path::new(folder).join(name));
    let found = paths.find(|path| !name.is_empty() && is_there(path));
    Ok(found.map_or(Value::None, |path| Value::text(path.to_string_lossy().into_owned())))
}

/// Calls a function of expressions with evaluated arguments.
fn invoke(name: &str, argument: Value, given: Arguments, scope: &Scope) -> Result<Value> {
    let Some(function) = function::find(name) else {
        let unknown = Exception::new(
            Class::Undefined,
            format!("'RefContext' object has no attribute '{name}'"),
        );
        return Err(unknown.did_you_mean(function::names(), name));
    };
    let keywords = Dict::named(given.keywords);
    UnfurlCall::new(scope, function, argument, keywords).run()
}

/// `__unfurl`: an object with all functions of expressions as methods.
#[derive(Debug)]
struct FunctionNamespace(Scope);

impl Object for FunctionNamespace {
    fn type_name(&self) -> &str {
        "RefContext"
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        let known = matches!(name, "query" | "trace") || function::find(name).is_some();
        let scope = self.0.clone();
        let name = name.to_owned();
        Ok(known.then(|| {
            Callable::value("function", move |arguments| call(&name, arguments, &scope))
        }))
    }

    fn call_method(&self, name: &str, arguments: Arguments) -> Result<Value> {
        call(name, arguments, &self.0)
    }
}

/// Calls a method of `__unfurl`.
fn call(name: &str, mut arguments: Arguments, scope: &Scope) -> Result<Value> {
    match name {
        "query" => {
            let [expression, vars, list] =
                arguments.bind("query", ["expr", "vars", "wantList"], 1)?;
            let scope = match vars {
                Some(Value::Dict(vars)) => scope.within(vars),
                _ => scope.clone(),
            };
            ask(&expression.unwrap_or(Value::None), &scope, list)
        }
        "trace" => {
            let context = &scope.context;
            let word = |value: &Value| {
                if secret::is_in(value, context) {
                    Ok(hidden_text::REDACTED.to_owned())
                } else {
                    python::str(value)
                }
            };
            let words = arguments.positional.iter().map(word);
            let words = words.collect::<Result<Vec<_>>>()?.join(" ");
            trace(format!("trace: {words}"), &[], context);
            Ok(Value::None)
        }
        name => {
            let given = std::mem::take(&mut arguments.positional);
            let argument = match function::find(name) {
                Some(function) => function.argument(given),
                None => Value::list(given),
            };
            Ok(file_to_path(invoke(name, argument, arguments, scope)?))
        }
    }
}
