//! Tests of the file at a path. Most of them need permission to read files.

use std::path::{Component, Path, PathBuf};

use crate::eval::jinja::filter::parameter::bytes;
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::{Bound, Class, Exception, Result, Value};

pub(super) const TESTS: PluginTable = &[
    Plugin::of_value("abs", "isabs", abs),
    Plugin::of_value("directory", "directory", look),
    Plugin::of_value("exists", "exists", look),
    Plugin::of_value("file", "file", look),
    Plugin::of_value("is_abs", "isabs", abs),
    Plugin::of_value("is_dir", "is_dir", look),
    Plugin::of_value("is_file", "is_file", look),
    Plugin::of_value("is_link", "is_link", look),
    Plugin::of_value("is_mount", "is_mount", look),
    Plugin::new("is_same_file", "samefile", &["f1", "f2"], &[], same_file),
    Plugin::of_value("link", "link", look),
    Plugin::of_value("link_exists", "link_exists", look),
    Plugin::of_value("mount", "mount", look),
    Plugin::new("same_file", "samefile", &["f1", "f2"], &[], same_file),
    Plugin::of_value("vaulted_file", "vaulted_file", vaulted_file),
];

/// The message about a path that is not a string.
const NOT_A_PATH: &str = "expected str, bytes or os.PathLike object, not {}";

/// Returns the path of an argument. Raises if it is none, or if files must not be read.
fn path(call: &CallSite<'_>, value: &Value, wrong: &str) -> Result<PathBuf> {
    let text = String::from_utf8_lossy(bytes(value, wrong)?);
    let context = &call.scope.context;
    context.permit("file", &format!("the test '{}'", call.name))?;
    Ok(context.folder.join(&*text))
}

/// Tests the file at the path of the only argument.
fn look(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = arguments.only();
    // Python reads a number as a file descriptor. None is open.
    if let Value::Bool(_) | Value::Int(_) = &value {
        return Ok(Value::Bool(false));
    }
    let wrong = "stat: path should be string, bytes, os.PathLike or integer, not {}";
    let path = path(call, &value, wrong)?;
    // No file has an empty path.
    if value.as_str() == Some("") {
        return Ok(Value::Bool(false));
    }
    let world = &call.scope.context.world;
    Ok(Value::Bool(match call.name {
        "directory" | "is_dir" => world.is_folder(&path),
        "file" | "is_file" => world.real(&path).is_ok() && !world.is_folder(&path),
        "link" | "is_link" => is_link(call, &path),
        "link_exists" => world.real(&path).is_ok() || is_link(call, &path),
        "mount" | "is_mount" => is_mount(call, &path),
        _ => world.real(&path).is_ok(),
    }))
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

fn is_mount(call: &CallSite<'_>, path: &Path) -> bool {
    let world = &call.scope.context.world;
    let Ok(real) = world.real(path) else { return false };
    // The device number that Python compares is not available; the table of mounts is, on
    // Linux.
    let mounts = world.read(Path::new("/proc/mounts")).unwrap_or_default();
    let mounts = String::from_utf8_lossy(&mounts).into_owned();
    let mut places = mounts.lines().filter_map(|line| line.split(' ').nth(1));
    !is_link(call, path)
        && (real == Path::new("/") || places.any(|at| Path::new(at) == real))
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
    Ok(Value::Bool(bytes(&arguments.only(), NOT_A_PATH)?.starts_with(b"/")))
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
