//! Lookups of files: their paths, their content, and what they are as templates.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::option::{Options, data, each, term, texts};
use super::outside::allowed;
use crate::eval::jinja::filter::path::glob;
use crate::eval::jinja::{CallSite, Plugin, PluginTable, refuse};
use crate::eval::python::{
    Arguments, Class, Dict, Exception, Key, Result, Str, Value, path,
};
use crate::eval::{Context, Style};
use crate::source::reason;

pub(super) const LOOKUPS: PluginTable = &[
    Plugin::variadic("file", file),
    Plugin::variadic("fileglob", fileglob),
    Plugin::variadic("first_found", first_found).lenient(),
    Plugin::variadic("template", template),
    Plugin::variadic("unvault", unvault),
];

/// What is in files.
fn file(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    each(call, arguments, |call, name, mut options| {
        let name = term(name)?;
        let (left, right) =
            (options.flag("lstrip", false)?, options.flag("rstrip", true)?);
        let text = read(call, "files", name)?;
        let text = if left { text.trim_start() } else { &text };
        Ok(data(if right { text.trim_end() } else { text }))
    })
}

/// What is in files that may be encrypted.
fn unvault(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    each(call, arguments, |call, name, _| {
        let text = read(call, "files", term(name)?)?;
        if text.starts_with("$ANSIBLE_VAULT;") {
            let message = "lookup('unvault') has no secret to open a vault with";
            return Err(Exception::new(Class::Unsupported, message));
        }
        Ok(data(&text))
    })
}

/// The files that patterns stand for; the first folder that has any wins.
fn fileglob(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    allowed(call, "file")?;
    let context = &call.scope.context;
    let mut found = Vec::new();
    for pattern in &arguments.positional {
        let pattern = term(pattern)?;
        for folder in ["files", ""] {
            let whole = absolute(call, folder).join(pattern);
            let paths = glob(context, &whole.display().to_string())?;
            let files = paths.into_iter().filter(|path| !is_folder(call, path.as_ref()));
            let before = found.len();
            found.extend(files.map(Value::text));
            if found.len() > before {
                break;
            }
        }
    }
    Ok(Value::list(found))
}

/// The first file that is there.
fn first_found(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    refuse(&arguments)?;
    allowed(call, "file")?;
    let mut options = Options(arguments.keywords);
    let skip = options.flag("skip", false)?;
    let paths = options.texts("paths", &[',', ':', ';'])?;
    let mut files = options.texts("files", &[',', ';'])?;
    let mut wanted = Vec::new();
    for term in &arguments.positional {
        for name in names(call, term)? {
            match name {
                Name::File(file) => files.push(file),
                Name::Whole(path) => wanted.push(path),
            }
        }
    }
    wanted.extend(Wanted { files, paths }.names());
    let there = wanted.iter().find_map(|name| {
        search(call, "files", name).filter(|path| !is_folder(call, path))
    });
    match there {
        Some(path) => Ok(Value::list([Value::text(path.display().to_string())])),
        None if skip => Ok(Value::list([])),
        None => {
            let message = "No file was found when using first_found.";
            let missing = Exception::new(Class::Missing, message);
            Err(match wanted.iter().find_map(|name| Some((name, outside(call, name)?))) {
                Some((name, why)) => missing.hint(format!("'{name}' is {why}")),
                None => missing,
            })
        }
    }
}

/// What a term of `first_found` asks for.
enum Name {
    /// A file, to be looked for in the folders that are given.
    File(String),
    /// A path of its own.
    Whole(String),
}

/// Files, each to be looked for in folders.
struct Wanted {
    files: Vec<String>,
    paths: Vec<String>,
}

impl Wanted {
    fn names(self) -> Vec<String> {
        if self.paths.is_empty() {
            return self.files;
        }
        if self.files.is_empty() {
            return self.paths;
        }
        let within = |path: &String| -> Vec<String> {
            let joined = |file: &String| Path::new(path).join(file);
            self.files.iter().map(|file| joined(file).display().to_string()).collect()
        };
        self.paths.iter().flat_map(within).collect()
    }
}

/// The names of files that a term of `first_found` asks for.
fn names(call: &CallSite<'_>, term: &Value) -> Result<Vec<Name>> {
    match term {
        Value::List(items) => {
            let mut all = Vec::new();
            for item in items.items()? {
                let item = crate::eval::jinja::defined(item)?;
                all.extend(match item {
                    // Lists within lists are flattened; they nest no deeper than written.
                    Value::List(inner) => {
                        let texts = texts(&Value::list(inner.items()?), &[',', ';'])?;
                        texts.into_iter().map(Name::File).collect()
                    }
                    one => names_of_one(call, &one)?,
                });
            }
            Ok(all)
        }
        one => names_of_one(call, one),
    }
}

fn names_of_one(call: &CallSite<'_>, term: &Value) -> Result<Vec<Name>> {
    match term {
        Value::Str(text) if text.is_quoted() => Ok(vec![Name::File(text.to_string())]),
        Value::Str(_) => {
            Ok(vec![Name::File(crate::eval::python::str(&call.scope.evaluate(term)?)?)])
        }
        Value::Dict(options) => {
            let part = |name: &str, between: &[char]| match options.get_text(name)? {
                Some(value) => texts(&value, between),
                None => Ok(Vec::new()),
            };
            let files = part("files", &[',', ';'])?;
            let wanted = Wanted { files, paths: part("paths", &[',', ':', ';'])? };
            Ok(wanted.names().into_iter().map(Name::Whole).collect())
        }
        _ => Err(Exception::of_value(
            "Invalid term supplied. A string, dict or list is required.",
        )),
    }
}

/// The text of a file that is looked for in a folder and beside it.
pub(super) fn read(call: &CallSite<'_>, folder: &str, name: &str) -> Result<String> {
    allowed(call, "file")?;
    let wrong = |why: String| {
        let message = format!("Unable to access the file '{name}': {why}");
        Exception::new(Class::Missing, message)
    };
    let path = search(call, folder, name);
    let path = path.unwrap_or_else(|| absolute(call, "").join(name));
    let bytes =
        call.scope.context.world.read(&path).map_err(|error| match error.kind() {
            ErrorKind::NotFound => wrong("there is no such file".into()),
            _ => wrong(reason(&error)),
        })?;
    String::from_utf8(bytes).map_err(|_| wrong("it is not UTF-8".into()))
}

/// Where a file is: in the folder of its kind, or beside it.
pub(super) fn search(call: &CallSite<'_>, folder: &str, name: &str) -> Option<PathBuf> {
    let world = &call.scope.context.world;
    let candidates = [absolute(call, folder).join(name), absolute(call, "").join(name)];
    candidates.into_iter().find(|path| world.real(path).is_ok())
}

/// Why a file may not be looked for, if that is so.
pub(super) fn outside(call: &CallSite<'_>, name: &str) -> Option<String> {
    let path = absolute(call, "").join(name);
    let error = call.scope.context.world.real(&path).err()?;
    (error.kind() == ErrorKind::PermissionDenied).then(|| reason(&error))
}

fn is_folder(call: &CallSite<'_>, path: &Path) -> bool {
    call.scope.context.world.is_folder(path)
}

/// A folder within the one that paths start at, as a whole path.
fn absolute(call: &CallSite<'_>, folder: &str) -> PathBuf {
    let home = home(&call.scope.context);
    if folder.is_empty() { home } else { home.join(folder) }
}

/// The folder that paths start at, as a whole path.
pub(in crate::eval::jinja) fn home(context: &Context) -> PathBuf {
    let folder = if context.folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        &context.folder
    };
    context.world.real(folder).unwrap_or_else(|_| folder.to_owned())
}

/// How templates may be read differently.
const SETTINGS: &[&str] = &[
    "variable_start_string",
    "variable_end_string",
    "comment_start_string",
    "comment_end_string",
    "trim_blocks",
];

/// What files are as templates; each may have more variables.
fn template(call: &CallSite<'_>, arguments: Arguments) -> Result<Value> {
    each(call, arguments, |call, name, mut options| {
        let name = term(name)?;
        let text = read(call, "templates", name).map_err(|error| {
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
        let rendered = scope.render(&Str::from(text), &style(&mut options));
        rendered.map_err(|exception| exception.in_file(name))
    })
}

fn style(options: &mut Options) -> Style {
    let set = |name: &&str| Some((Key::text(name), options.take(name)?));
    let overrides: Dict = SETTINGS.iter().filter_map(set).collect();
    Style { overrides: (!overrides.is_empty()).then_some(overrides) }
}

/// What a template knows of itself, and what it is given.
fn template_names(call: &CallSite<'_>, name: &str, given: Option<Value>) -> Result<Dict> {
    let found = search(call, "templates", name);
    let whole = found.map_or_else(|| name.to_owned(), |path| path.display().to_string());
    let names: Dict = [
        ("template_path", name),
        ("template_fullpath", &whole),
        ("template_destpath", ""),
        ("ansible_managed", "Ansible managed"),
    ]
    .into_iter()
    .filter(|(_, value)| !value.is_empty())
    .map(|(key, value)| (Key::text(key), Value::text(path::normpath(value))))
    .collect();
    names.set(Key::text("ansible_managed"), Value::text("Ansible managed"));
    if let Some(Value::Dict(given)) = given {
        for (key, value) in given.entries()? {
            names.set(key, value);
        }
    }
    Ok(names)
}
