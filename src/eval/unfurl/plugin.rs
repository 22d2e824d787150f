//! Names, filters and a lookup that Unfurl adds to templates.

use std::path::Path;

use crate::eval::python::{
    Arguments, Class, Dict, Exception, Key, Object, Result, Stamp, Str, Value, truth,
};
use crate::eval::{LookupKind, Scope, Thunk, secret};
use crate::eval::{hidden_text, sensitive};

use super::expression::{data, one, query};
use super::external::file_to_path;
use super::function::{self, FunctionCall};
use super::resource::attributes_of;
use super::trace::trace;

const NAMES: &[&str] = &["SELF", "Self", "__now", "__python_executable", "__unfurl"];

#[rustfmt::skip]
const FILTERS: &[&str] = &[
    "abspath", "eval", "get_dir", "mapValue", "map_value", "ref", "scalar", "sensitive",
    "to_dns_label", "to_googlecloud_label", "to_kubernetes_label", "to_label", "to_yaml", "which",
];

const LOOKUPS: &[&str] = &["unfurl"];

/// Returns the names of all plugins of a type.
pub(super) fn names(kind: LookupKind) -> &'static [&'static str] {
    match kind {
        LookupKind::Variable => NAMES,
        LookupKind::Filter => FILTERS,
        LookupKind::Lookup => LOOKUPS,
    }
}

/// Returns the value of a name.
pub(super) fn name_value(name: &str, scope: &Scope) -> Result<Value> {
    match name {
        "SELF" => attributes_of(&scope.here),
        "Self" => Ok(scope.here.clone()),
        "__unfurl" => Ok(Value::object(FunctionNamespace { scope: scope.clone() })),
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
pub(super) fn filter(
    name: &str,
    scope: &Scope,
    mut arguments: Arguments,
) -> Result<Value> {
    match name {
        "eval" | "ref" => {
            let wants_list = arguments.take("wantList");
            let piped = piped(name, &arguments)?;
            ask(&piped, &with_names(scope, arguments), wants_list)
        }
        "map_value" | "mapValue" => {
            let (piped, scope) = (piped(name, &arguments)?, with_names(scope, arguments));
            data(&piped, &scope)
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
    let entry =
        |(name, value): (Str, Value)| (Key::text(&name), Thunk::of(&value, scope));
    scope.within(arguments.keywords.into_iter().map(entry).collect())
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
fn invoke(
    name: &str,
    argument: Value,
    arguments: Arguments,
    scope: &Scope,
) -> Result<Value> {
    let Some(function) = function::find(name) else {
        let unknown = Exception::new(
            Class::Undefined,
            format!("'RefContext' object has no attribute '{name}'"),
        );
        return Err(unknown.did_you_mean(function::names(), name));
    };
    let entries = arguments.keywords.into_iter();
    let keywords: Dict = entries.map(|(name, value)| (Key::text(&name), value)).collect();
    FunctionCall::new(scope, function, argument, keywords).run()
}

/// `__unfurl`: an object with all functions of expressions as methods.
#[derive(Debug)]
struct FunctionNamespace {
    scope: Scope,
}

impl FunctionNamespace {
    fn function(&self, name: &str) -> BoundFunction {
        BoundFunction { name: name.to_owned(), scope: self.scope.clone() }
    }
}

#[derive(Debug)]
struct BoundFunction {
    name: String,
    scope: Scope,
}

impl Object for FunctionNamespace {
    fn type_name(&self) -> &str {
        "RefContext"
    }

    fn attribute(&self, name: &str) -> Result<Option<Value>> {
        let known = matches!(name, "query" | "trace") || function::find(name).is_some();
        Ok(known.then(|| Value::object(self.function(name))))
    }

    fn call_method(&self, name: &str, arguments: Arguments) -> Result<Value> {
        self.function(name).call(arguments)
    }
}

impl Object for BoundFunction {
    fn type_name(&self) -> &str {
        "function"
    }

    fn is_callable(&self) -> bool {
        true
    }

    fn call(&self, mut arguments: Arguments) -> Result<Value> {
        match &*self.name {
            "query" => {
                let [expression, vars, list] =
                    arguments.bind("query", ["expr", "vars", "wantList"], 1)?;
                let scope = match vars {
                    Some(Value::Dict(vars)) => self.scope.within(vars),
                    _ => self.scope.clone(),
                };
                ask(&expression.unwrap_or(Value::None), &scope, list)
            }
            "trace" => {
                let context = &self.scope.context;
                let word = |value: &Value| {
                    if secret::is_in(value, context) {
                        Ok(hidden_text::REDACTED.to_owned())
                    } else {
                        crate::eval::python::str(value)
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
                Ok(file_to_path(invoke(name, argument, arguments, &self.scope)?))
            }
        }
    }
}
