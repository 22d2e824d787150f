//! Tests of the file at a path. Most of them need permission to read files.

use std::path::{Component, Path, PathBuf};

use crate::eval::jinja::filter::parameter::type_error;
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::{Bound, Class, Exception, Result, Value};

pub(super) const TESTS: PluginTable = &[
    Plugin::of_value("abs", "isabs", abs),
    Plugin::of_value("directory", "directory", directory),
    Plugin::of_value("exists", "exists", is_there),
    Plugin::of_value("file", "file", file),
    Plugin::of_value("is_abs", "isabs", abs),
    Plugin::of_value("is_dir", "is_dir", directory),
    Plugin::of_value("is_file", "is_file", file),
    Plugin::of_value("is_link", "is_link", link),
    Plugin::of_value("is_mount", "is_mount", mount),
    Plugin::new("is_same_file", "samefile", &["f1", "f2"], &[], same_file),
    Plugin::of_value("link", "link", link),
    Plugin::of_value("link_exists", "link_exists", link_exists),
    Plugin::of_value("mount", "mount", mount),
    Plugin::new("same_file", "samefile", &["f1", "f2"], &[], same_file),
    Plugin::of_value("vaulted_file", "vaulted_file", vaulted_file),
];

/// The start of the message about a path that is not a string.
const NOT_A_PATH: &str = "expected str, bytes or os.PathLike object,";

/// Returns the path of an argument. Raises if it is none, or if files must not be read.
fn path(call: &CallSite<'_>, value: &Value, wanted: &str) -> Result<PathBuf> {
    let text = match value {
        Value::Str(text) => text.to_string(),
        Value::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        other => return type_error(format!("{wanted} not {}", other.type_name())),
    };
    let context = &call.scope.context;
    context.permit("file", &format!("the test '{}'", call.name))?;
    Ok(context.folder.join(text))
}

/// Tests the path of the only argument. No file has an empty path.
fn look(
    call: &CallSite<'_>,
    arguments: Bound,
    is: impl Fn(&Path) -> bool,
) -> Result<Value> {
    let value = arguments.only();
    // Python reads a number as a file descriptor. None is open.
    if let Value::Bool(_) | Value::Int(_) = &value {
        return Ok(Value::Bool(false));
    }
    let path = path(
        call,
        &value,
        "stat: path should be string, bytes, os.PathLike or integer,",
    )?;
    let empty = matches!(&value, Value::Str(text) if text.is_empty());
    Ok(Value::Bool(!empty && is(&path)))
}

fn exists(call: &CallSite<'_>, path: &Path) -> bool {
    call.scope.context.world.real(path).is_ok()
}

/// Returns the path of an entry of a folder. A link at its end is not followed.
fn beside(call: &CallSite<'_>, path: &Path) -> Option<PathBuf> {
    let Some(Component::Normal(name)) = path.components().next_back() else {
        return None;
    };
    // The world has no way to ask for a link: a link is an entry of a folder whose real
    // path is another one.
    let world = &call.scope.context.world;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = world.real(folder.unwrap_or(Path::new("."))).ok()?;
    let place = folder.join(name);
    let entries = world.list(&folder).ok()?;
    // An error shows with the next step: a test has no other answer than yes or no.
    call.scope.context.spend(entries.len() as u64).ok()?;
    let mut entries = entries.into_iter();
    entries.any(|entry| entry.file_name() == Some(name)).then_some(place)
}

fn is_link(call: &CallSite<'_>, path: &Path) -> bool {
    let Some(place) = beside(call, path) else { return false };
    call.scope.context.world.real(path).map_or(true, |real| real != place)
}

fn file(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let world = &call.scope.context.world;
    look(call, arguments, |path| exists(call, path) && !world.is_folder(path))
}

fn directory(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(call, arguments, |path| call.scope.context.world.is_folder(path))
}

fn link(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(call, arguments, |path| is_link(call, path))
}

fn is_there(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(call, arguments, |path| exists(call, path))
}

fn link_exists(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(call, arguments, |path| exists(call, path) || is_link(call, path))
}

fn mount(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let world = &call.scope.context.world;
    look(call, arguments, |path| {
        let Ok(real) = world.real(path) else { return false };
        // The device number that Python compares is not available; the table of mounts
        // is, on Linux.
        let mounts = world.read(Path::new("/proc/mounts")).unwrap_or_default();
        let mounts = String::from_utf8_lossy(&mounts).into_owned();
        let mut places = mounts.lines().filter_map(|line| line.split(' ').nth(1));
        !is_link(call, path)
            && (real == Path::new("/") || places.any(|at| Path::new(at) == real))
    })
}

fn same_file(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([one, other], []) = arguments.split();
    let real = |value: &Value| {
        let path = path(call, value, NOT_A_PATH)?;
        call.scope.context.world.real(&path).map_err(|_| {
            let message = format!("No such file or directory: '{}'", path.display());
            Exception::new(Class::Missing, message)
        })
    };
    Ok(Value::Bool(real(&one)? == real(&other)?))
}

/// `abs`: true if a path is absolute, whether the file exists or not.
fn abs(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    match arguments.only() {
        Value::Str(text) => Ok(Value::Bool(text.starts_with('/'))),
        Value::Bytes(bytes) => Ok(Value::Bool(bytes.starts_with(b"/"))),
        other => type_error(format!("{NOT_A_PATH} not {}", other.type_name())),
    }
}

fn vaulted_file(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let path = path(call, &arguments.only(), NOT_A_PATH)?;
    let head = call.scope.context.world.head(&path, 16).map_err(|error| {
        let message =
            format!("Cannot test if the file '{}' is a vault: {error}", path.display());
        Exception::new(Class::Missing, message)
    })?;
    Ok(Value::Bool(head.starts_with(b"$ANSIBLE_VAULT")))
}
