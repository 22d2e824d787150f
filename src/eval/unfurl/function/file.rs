//! Functions of files and folders: `file`, `tempfile`, `abspath` and `get_dir`; and those that
//! use other languages: `template` and `lookup`.

use std::path::{Path, PathBuf};

use crate::eval::python::{
    self, Arguments, Class, Dict, Exception, Result, Str, Value, json, yaml,
};
use crate::eval::unfurl::expression::render;
use crate::eval::unfurl::external::{self, FileValue, normal};
use crate::eval::unfurl::path::one_of;
use crate::eval::unfurl::trace::FOLDER;
use crate::eval::{LookupKind, Scope, TemplateOptions, sensitive};

use super::call::{ExpressionFunction, UnfurlCall, function, optional_text, text_of};

#[rustfmt::skip]
pub(super) const FUNCTIONS: &[ExpressionFunction] = &[
    function("abspath", abspath).optional(&["path", "folder"]),
    function("file", file).required(&["path"]).keywords(&["dir", "encoding", "contents"]).unary(),
    function("get_dir", get_dir).optional(&["folder"]),
    function("tempfile", tempfile).required(&["contents"]).keywords(&["suffix", "encoding"]).unary(),
    function("lookup", lookup).unary(),
    function("template", template).required(&["source"]).keywords(&["overrides"]).unary(),
];

/// Implements `file`: a file, read by `select`. The setting `contents` is written to it.
fn file(call: &UnfurlCall<'_>) -> Result<Value> {
    let base = named_folder(call.scope, None)?;
    let base = match call.keyword("dir")? {
        Some(folder) => base.join(text_of(&folder, "dir")?),
        None => base,
    };
    let given = text_of(&call.data()?, "a path")?;
    let encoding = call.text("encoding")?;
    let file = FileValue { given, folder: base, encoding, scope: call.scope.clone() };
    if let Some(contents) = call.keyword("contents")? {
        write(call, &file, &contents)?;
    }
    Ok(Value::object(file))
}

/// Implements `tempfile`: a new file with the given contents.
fn tempfile(call: &UnfurlCall<'_>) -> Result<Value> {
    let context = &call.scope.context;
    let moment = context.moment()?;
    // From the seed of the run: a call that is evaluated twice in a run names one file.
    let unique: String = moment.seed.iter().take(8).map(|b| format!("{b:02x}")).collect();
    let suffix = match call.keyword("suffix")? {
        Some(Value::Str(suffix)) => suffix.to_string(),
        _ => String::new(),
    };
    let names = ["UNFURL_TMPDIR", "TMPDIR"];
    // Without permission the environment must not show through a path.
    let names = names.iter().filter(|_| context.allow.env);
    let folder = names.into_iter().find_map(|name| context.world.env(name));
    let given = Path::new(&folder.unwrap_or_else(|| "/tmp".to_owned()))
        .join(format!("tmp{unique}{suffix}"))
        .to_string_lossy()
        .into_owned();
    let folder = PathBuf::new();
    let encoding = call.text("encoding")?;
    let file = FileValue { given, folder, encoding, scope: call.scope.clone() };
    write(call, &file, &call.data()?)?;
    Ok(Value::object(file))
}

fn write(call: &UnfurlCall<'_>, file: &FileValue, contents: &Value) -> Result<()> {
    call.scope.context.permit("write", "what writes a file")?;
    let path = file.path();
    let bytes = encode(&sensitive::bare(contents), &path, file.encoding.as_deref())?;
    call.scope.context.world.write(&path, &bytes, false);
    Ok(())
}

/// Encodes contents by the encoding or the extension. Strings are written as they are.
fn encode(contents: &Value, path: &Path, encoding: Option<&str>) -> Result<Vec<u8>> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let encoding = encoding.filter(|encoding| *encoding != "binary");
    let form = match (encoding, extension) {
        (Some("yaml"), _) | (None, Some("yaml" | "yml")) => "yaml",
        (Some("json"), _) | (None, Some("json")) => "json",
        (Some("env"), _) | (_, Some("env")) => "env",
        (Some("vault"), _) | (_, Some("vault")) => {
            return Err(Exception::new(Class::Unsupported, "vaults need Unfurl itself"));
        }
        _ => "",
    };
    Ok(match (form, contents) {
        ("yaml", contents) => to_yaml(contents)?.into_bytes(),
        ("json", contents) => to_json(contents, json::KeyOrder::Never)?.into_bytes(),
        (_, Value::Str(text)) => text.as_bytes().to_vec(),
        (_, Value::Bytes(bytes)) => bytes.to_vec(),
        ("env", Value::Dict(entries)) => to_dotenv(entries)?.into_bytes(),
        (_, Value::None) => Vec::new(),
        (_, contents) => to_json(contents, json::KeyOrder::Keys)?.into_bytes(),
    })
}

fn to_json(contents: &Value, sort: json::KeyOrder) -> Result<String> {
    let indent = Some("  ".to_owned());
    let style = json::JsonStyle { indent, sort, default: plain, ..Default::default() };
    json::dump(contents, &style)
}

/// Writes a value as YAML in block style, keys in their own order.
pub(in crate::eval::unfurl) fn to_yaml(contents: &Value) -> Result<String> {
    let style = yaml::YamlStyle {
        sort_keys: false,
        unicode: true,
        default: plain,
        ..yaml::YamlStyle::default()
    };
    yaml::dump(contents, &style)
}

/// Returns the plain value of a file, a quantity or a resource.
fn plain(value: &Value) -> Result<Option<Value>> {
    Ok(match value {
        Value::Object(object) => object.plain(),
        _ => None,
    })
}

/// Writes a mapping as lines `NAME='value'`.
fn to_dotenv(entries: &Dict) -> Result<String> {
    let mut lines = Vec::new();
    for (name, value) in entries.entries()? {
        let value = python::str(&value)?;
        let is_plain = !value.is_empty() && value.chars().all(char::is_alphanumeric);
        let quoted = if is_plain {
            format!("'{value}'")
        } else {
            python::repr(&Value::text(value))?
        };
        lines.push(format!("{}={quoted}", python::str(name.value())?));
    }
    Ok(lines.join("\n"))
}

/// Implements `abspath`: an absolute path, relative to a named folder.
fn abspath(call: &UnfurlCall<'_>) -> Result<Value> {
    let given = call.list()?;
    let path = match given.first() {
        Some(path) => text_of(path, "a path")?,
        None => String::new(),
    };
    absolute(call, &path, given.get(1))
}

/// Implements `get_dir`: the path of a named folder.
fn get_dir(call: &UnfurlCall<'_>) -> Result<Value> {
    absolute(call, "", call.list()?.first())
}

fn absolute(call: &UnfurlCall<'_>, path: &str, folder: Option<&Value>) -> Result<Value> {
    let folder = optional_text(folder.cloned(), "a folder")?;
    let folder = if Path::new(path).is_absolute() {
        PathBuf::new()
    } else {
        named_folder(call.scope, folder.as_deref())?
    };
    let given = normal(&folder.join(path)).to_string_lossy().into_owned();
    let scope = call.scope.clone();
    Ok(Value::object(FileValue { given, folder: PathBuf::new(), encoding: None, scope }))
}

/// Returns the path of a named folder. Fails if the name is unknown.
pub(super) fn named_folder(scope: &Scope, name: Option<&str>) -> Result<PathBuf> {
    let folder = &scope.context.folder;
    let folder = if folder.is_absolute() {
        folder.clone()
    } else {
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        scope.context.world.real(here).unwrap_or_else(|_| here.to_owned())
    };
    match name {
        None | Some("" | "." | "ensemble" | "project" | "unfurl.home") => Ok(folder),
        Some("src") => Ok(match scope.names.get(FOLDER)? {
            Some(Value::Str(own)) => folder.join(&*own),
            _ => folder,
        }),
        Some("ensemble.secrets" | "project.secrets") => Ok(folder.join("secrets")),
        // The layout of folders in an Unfurl project.
        Some(name @ ("artifacts" | "secrets" | "local")) => {
            Ok(folder.join(name).join("_default"))
        }
        Some(name) => Err(Exception::new(
            Class::Missing,
            format!("Named directory or repository \"{name}\" not found"),
        )
        .hint("the folders are ., src, ensemble, project, artifacts, secrets and local")),
    }
}

/// Implements `template`: renders a text, or the text of a file.
fn template(call: &UnfurlCall<'_>) -> Result<Value> {
    let source = match &call.argument.force()? {
        Value::Dict(entries) if entries.has_text("path") => {
            let path = entries.get_text("path")?.unwrap_or(Value::None);
            read(call, &text_of(&call.data_of(&path)?, "a path")?)?
        }
        Value::Str(text) => text.clone(),
        other => match call.data_of(other)? {
            Value::Str(text) => text,
            other => {
                return Err(Exception::of_type_of(
                    &other,
                    "Error rendering template: source must be a string, not <class '{}'>",
                ));
            }
        },
    };
    let overrides: Option<Dict> = match call.keyword("overrides")? {
        Some(Value::Dict(overrides)) => Some(overrides),
        _ => None,
    };
    // The text may carry the mark of quoted data, which would keep it from being rendered.
    let options = TemplateOptions { overrides, ..TemplateOptions::default() };
    render(&Str::from(source.shared()), call.scope, &options)
}

fn read(call: &UnfurlCall<'_>, path: &str) -> Result<Str> {
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
fn lookup(call: &UnfurlCall<'_>) -> Result<Value> {
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
    let keywords = entries
        .filter_map(|(key, value)| Some((Str::from(key.as_str()?), value)))
        .collect();
    let arguments = Arguments { positional, keywords };
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
