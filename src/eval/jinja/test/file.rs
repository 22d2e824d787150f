//! What is there at a path. Nothing is looked at unless files may be read.

use std::path::{Component, Path, PathBuf};

use crate::eval::jinja::CallSite;

use crate::eval::python::{Bound, Class, Exception, Result, Value};

/// What a path must be.
const WANTED: &str = "expected str, bytes or os.PathLike object,";

/// The path that is given, from the folder that paths start at.
fn path(call: &CallSite<'_>, value: &Value, wanted: &str) -> Result<PathBuf> {
    let text = match value {
        Value::Str(text) => text.to_string(),
        Value::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        other => {
            let message = format!("{wanted} not {}", other.type_name());
            return Err(Exception::of_type(message));
        }
    };
    let context = &call.scope.context;
    context.permit("file", &format!("the test '{}'", call.name))?;
    Ok(context.folder.join(text))
}

/// A test of the path that is given; an empty one leads nowhere.
fn look(
    call: &CallSite<'_>,
    arguments: Bound,
    is: impl Fn(&Path) -> bool,
) -> Result<Value> {
    let value = arguments.only();
    // Python takes a number for a file that is open, and none is.
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

/// The path without a link at its end.
fn beside(call: &CallSite<'_>, path: &Path) -> Option<PathBuf> {
    let Some(Component::Normal(name)) = path.components().next_back() else {
        return None;
    };
    let world = &call.scope.context.world;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = world.real(folder.unwrap_or(Path::new("."))).ok()?;
    let place = folder.join(name);
    let mut entries = world.list(&folder).ok()?.into_iter();
    entries.any(|entry| entry.file_name() == Some(name)).then_some(place)
}

fn is_link(call: &CallSite<'_>, path: &Path) -> bool {
    let Some(place) = beside(call, path) else { return false };
    call.scope.context.world.real(path).map_or(true, |real| real != place)
}

pub(super) fn file(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let world = &call.scope.context.world;
    look(call, arguments, |path| exists(call, path) && !world.is_folder(path))
}

pub(super) fn directory(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(call, arguments, |path| call.scope.context.world.is_folder(path))
}

pub(super) fn link(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(call, arguments, |path| is_link(call, path))
}

pub(super) fn is_there(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(call, arguments, |path| exists(call, path))
}

pub(super) fn link_exists(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    look(call, arguments, |path| exists(call, path) || is_link(call, path))
}

/// Whether another file system starts there.
pub(super) fn mount(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let world = &call.scope.context.world;
    look(call, arguments, |path| {
        let Ok(real) = world.real(path) else { return false };
        let mounts = world.read(Path::new("/proc/mounts")).unwrap_or_default();
        let mounts = String::from_utf8_lossy(&mounts).into_owned();
        let mut places = mounts.lines().filter_map(|line| line.split(' ').nth(1));
        !is_link(call, path)
            && (real == Path::new("/") || places.any(|at| Path::new(at) == real))
    })
}

pub(super) fn same_file(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([one, other], []) = arguments.split();
    let real = |value: &Value| {
        let path = path(call, value, WANTED)?;
        call.scope.context.world.real(&path).map_err(|_| {
            let message = format!("No such file or directory: '{}'", path.display());
            Exception::new(Class::Missing, message)
        })
    };
    Ok(Value::Bool(real(&one)? == real(&other)?))
}

/// Whether a path starts at the root; nothing is looked at.
pub(super) fn abs(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    match arguments.only() {
        Value::Str(text) => Ok(Value::Bool(text.starts_with('/'))),
        Value::Bytes(bytes) => Ok(Value::Bool(bytes.starts_with(b"/"))),
        other => Err(Exception::of_type(format!("{WANTED} not {}", other.type_name()))),
    }
}

/// Whether a file is locked in Ansible's vault.
pub(super) fn vaulted_file(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let path = path(call, &arguments.only(), WANTED)?;
    let head = call.scope.context.world.head(&path, 16).map_err(|error| {
        let message =
            format!("Cannot test if the file '{}' is a vault: {error}", path.display());
        Exception::new(Class::Missing, message)
    })?;
    Ok(Value::Bool(head.starts_with(b"$ANSIBLE_VAULT")))
}
