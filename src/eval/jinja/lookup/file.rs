//! Lookups of files: their paths, their content, and what they are as templates.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::option::{LookupOptions, each, term};
use super::outside::allowed;
use crate::eval::jinja::filter::parameter::value_error;
use crate::eval::jinja::filter::path::glob;
use crate::eval::jinja::{CallSite, Plugin, PluginTable, defined, refuse};
use crate::eval::python::{
    Arguments, Class, Dict, Exception, Key, Result, Str, Value, iterate, path,
};
use crate::eval::{Context, TemplateOptions, read_text};
use crate::source::reason;

pub(super) const LOOKUPS: PluginTable = &[
    Plugin::variadic("file", file),
    Plugin::variadic("fileglob", fileglob),
    Plugin::variadic("first_found", first_found).lenient(),
    Plugin::variadic("template", template),
    Plugin::variadic("unvault", unvault),
];

fn file(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    each(call, arguments, |call, name, mut options| {
        let name = term(name)?;
        let left = options.flag("lstrip", false)?;
        let right = options.flag("rstrip", true)?;
        let text = read(call, "files", name)?;
        let text = if left { text.trim_start() } else { &text };
        Ok(read_text(if right { text.trim_end() } else { text }))
    })
}

/// `unvault`: the content of files. Encrypted ones are refused: there is no secret.
fn unvault(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    each(call, arguments, |call, name, _| {
        let text = read(call, "files", term(name)?)?;
        if text.starts_with("$ANSIBLE_VAULT;") {
            let message = "lookup('unvault') has no secret to open a vault with";
            return Err(Exception::new(Class::Unsupported, message));
        }
        Ok(read_text(&text))
    })
}

/// `fileglob`: the files that match patterns, from the first folder that has any.
fn fileglob(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    allowed(call, "file")?;
    let context = &call.scope.context;
    let world = &context.world;
    let mut found = Vec::new();
    for pattern in &arguments.positional {
        let pattern = term(pattern)?;
        for folder in ["files", ""] {
            let whole = absolute(call, folder).join(pattern);
            let paths = glob(context, &whole.display().to_string())?;
            let files = paths.into_iter().filter(|path| !world.is_folder(path.as_ref()));
            let before = found.len();
            found.extend(files.map(Value::text));
            if found.len() > before {
                break;
            }
        }
    }
    Ok(Value::list(found))
}

fn first_found(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    refuse(&arguments)?;
    allowed(call, "file")?;
    let mut options = FirstFound::read(LookupOptions::new(arguments.keywords))?;
    let terms = match &arguments.positional[..] {
        [] => options.files.iter().map(|file| Value::text(&**file)).collect(),
        terms => terms.to_vec(),
    };
    let mut wanted = Vec::new();
    for term in &terms {
        wanted.extend(options.names(call, term)?);
    }
    match wanted.iter().find_map(|name| search(call, "", name)) {
        Some(path) => {
            let path = path::normpath(&path.display().to_string());
            Ok(Value::list([Value::text(path)]))
        }
        None if options.skip => Ok(Value::list([])),
        None => {
            let message = "No file was found when using first_found.";
            // A file that exists but must not be accessed is named in the hint:
            // otherwise its absence could not be explained.
            let missing = Exception::new(Class::Missing, message);
            Err(match wanted.iter().find_map(|name| Some((name, outside(call, name)?))) {
                Some((name, why)) => missing.hint(format!("'{name}' is {why}")),
                None => missing,
            })
        }
    }
}

/// The options of `first_found`. A term that is a mapping replaces all of them, also for the
/// terms after it.
struct FirstFound {
    files: Vec<String>,
    paths: Vec<String>,
    skip: bool,
}

impl FirstFound {
    fn read(mut options: LookupOptions) -> Result<FirstFound> {
        Ok(FirstFound {
            files: options.texts("files", &[','])?,
            paths: options.texts("paths", &[','])?,
            skip: options.flag("skip", false)?,
        })
    }

    /// Returns the names that a term stands for.
    fn names(&mut self, call: &CallSite<'_>, term: &Value) -> Result<Vec<String>> {
        call.scope.context.step()?;
        let files = match defined(term.force()?)? {
            Value::Str(text) => vec![text.to_string()],
            Value::Dict(own) => {
                let keyword =
                    |(key, value): (Key, Value)| Some((Str::from(key.as_str()?), value));
                let own = own.entries()?.into_iter().filter_map(keyword);
                *self = FirstFound::read(LookupOptions::new(own.collect()))?;
                self.files.clone()
            }
            list @ (Value::List(_) | Value::Tuple(_)) => {
                let mut all = Vec::new();
                for item in iterate(&list)? {
                    all.extend(self.names(call, &item)?);
                }
                return Ok(all);
            }
            _ => {
                let what = "Invalid term supplied. A string, dict or list is required.";
                return value_error(what);
            }
        };
        let files = parts(&files, &[',', ';']);
        let mut paths = parts(&self.paths, &[',', ':', ';']).peekable();
        if paths.peek().is_none() {
            return Ok(files.map(str::to_owned).collect());
        }
        let paths = paths.flat_map(|path| {
            files.clone().map(|file| Path::new(path).join(file).display().to_string())
        });
        Ok(paths.collect())
    }
}

fn parts<'t>(all: &'t [String], by: &'t [char]) -> impl Iterator<Item = &'t str> + Clone {
    all.iter().flat_map(move |one| one.split(by))
}

/// Returns the content of a file, which is searched in a folder and beside it.
pub(super) fn read(call: &CallSite<'_>, folder: &str, name: &str) -> Result<String> {
    allowed(call, "file")?;
    let wrong = |why: String| {
        let message = format!("Unable to access the file '{name}': {why}");
        Exception::new(Class::Missing, message)
    };
    let path = search(call, folder, name);
    // A missing file is read all the same, for the error that the system gives.
    let path = path.unwrap_or_else(|| absolute(call, "").join(name));
    let bytes = call.scope.context.read(&path)?.map_err(|error| match error.kind() {
        ErrorKind::NotFound => wrong("there is no such file".into()),
        _ => wrong(reason(&error)),
    })?;
    String::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8".into()))
}

/// Returns the path of an existing file in a folder or beside it.
fn search(call: &CallSite<'_>, folder: &str, name: &str) -> Option<PathBuf> {
    let world = &call.scope.context.world;
    // Joining an absolute name drops the folder: such a name is found as it is.
    let candidates = [absolute(call, folder).join(name), absolute(call, "").join(name)];
    candidates.into_iter().find(|path| world.real(path).is_ok())
}

/// Returns the reason why a file must not be accessed.
fn outside(call: &CallSite<'_>, name: &str) -> Option<String> {
    let error = call.scope.context.world.real(&absolute(call, "").join(name)).err()?;
    (error.kind() == ErrorKind::PermissionDenied).then(|| reason(&error))
}

/// Returns the absolute path of a folder in the one that paths start at.
fn absolute(call: &CallSite<'_>, folder: &str) -> PathBuf {
    let home = home(&call.scope.context);
    if folder.is_empty() { home } else { home.join(folder) }
}

/// Returns the absolute path of the folder that paths start at.
pub(in crate::eval::jinja) fn home(context: &Context) -> PathBuf {
    let folder = if context.folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        &context.folder
    };
    context.world.real(folder).unwrap_or_else(|_| folder.to_owned())
}

const SYNTAX_OPTIONS: &[&str] = &[
    "variable_start_string",
    "variable_end_string",
    "comment_start_string",
    "comment_end_string",
    "trim_blocks",
];

/// `template`: the results of files as templates.
fn template(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    each(call, arguments, |call, name, mut options| {
        let name = term(name)?;
        let text = read(call, "templates", name).map_err(|error| {
            // The message of Ansible would hide that the file must not be accessed.
            if error.class != Class::Missing || outside(call, name).is_some() {
                return error;
            }
            let message =
                format!("the template file {name} could not be found for the lookup");
            Exception::new(Class::Missing, message)
        })?;
        if text.is_empty() {
            return Ok(Value::text(""));
        }
        let names = template_names(call, name, options.take("template_vars"))?;
        let scope = call.scope.within(names);
        let folder = search(call, "templates", name).and_then(|path| {
            let folder = path.parent()?;
            let home = home(&call.scope.context);
            Some(folder.strip_prefix(home).unwrap_or(folder).to_owned())
        });
        let overrides = overrides(&mut options);
        let options = TemplateOptions { overrides, folder };
        let rendered = scope.render(&Str::from(text), &options);
        rendered.map_err(|exception| exception.in_file(name))
    })
}

/// Returns the settings of the template engine among the options.
fn overrides(options: &mut LookupOptions) -> Option<Dict> {
    let set = SYNTAX_OPTIONS.iter().filter_map(|name| Some((*name, options.take(name)?)));
    let overrides = Dict::named(set);
    (!overrides.is_empty()).then_some(overrides)
}

/// Returns the variables of a template: its paths and the option `template_vars`.
fn template_names(call: &CallSite<'_>, name: &str, given: Option<Value>) -> Result<Dict> {
    let found = search(call, "templates", name);
    let whole = found.map_or_else(|| name.to_owned(), |path| path.display().to_string());
    let names = Dict::named([
        ("template_path", Value::text(path::normpath(name))),
        ("template_fullpath", Value::text(path::normpath(&whole))),
        ("ansible_managed", Value::text("Ansible managed")),
    ]);
    if let Some(Value::Dict(given)) = given {
        for (key, value) in given.entries()? {
            names.set(key, value);
        }
    }
    Ok(names)
}
