//! Filters of paths, and the search for files by a pattern.

use std::path::Path;

use super::parameter::{is_sequence, members, string, type_error, type_error_of};
use crate::eval::Context;
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::shell::matches;
use crate::eval::python::{self, Bound, Result, Value, limit_members, path};

pub(super) const FILTERS: PluginTable = &[
    Plugin::of_value("community.general.path_join", "path_join", path_join),
    Plugin::of_value("basename", "basename", part),
    Plugin::of_value("commonpath", "commonpath", commonpath),
    Plugin::of_value("dirname", "dirname", part),
    Plugin::of_value("expanduser", "expanduser", expanduser),
    Plugin::of_value("expandvars", "expandvars", expandvars),
    Plugin::of_value("fileglob", "fileglob", fileglob),
    Plugin::of_value("normpath", "normpath", part),
    Plugin::of_value("path_join", "path_join", path_join),
    Plugin::of_value("quote", "quote", quote),
    Plugin::of_value("realpath", "realpath", realpath),
    Plugin::new("relpath", "relpath", &["path"], &["start"], relpath),
    Plugin::of_value("splitext", "splitext", part),
    Plugin::of_value("win_basename", "basename", part),
    Plugin::of_value("win_dirname", "dirname", part),
    Plugin::of_value("win_splitdrive", "splitdrive", part),
];

/// The start of the message about a path that is not a string.
const NOT_A_PATH: &str = "expected str, bytes or os.PathLike object,";

fn of_path(arguments: Bound, run: impl FnOnce(&str) -> Result<Value>) -> Result<Value> {
    run(string(&arguments.only(), NOT_A_PATH)?)
}

/// Filters whose result is a part of the path, two parts, or another spelling of it.
fn part(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    of_path(arguments, |text| {
        let (one, other) = match call.name {
            "basename" => return Ok(Value::text(path::basename(text))),
            "dirname" => return Ok(Value::text(path::dirname(text))),
            "normpath" => return Ok(Value::text(path::normpath(text))),
            "win_basename" => return Ok(Value::text(path::win_split(text).1)),
            "win_dirname" => return Ok(Value::text(path::win_split(text).0)),
            "splitext" => path::splitext(text),
            _ => path::win_splitdrive(text),
        };
        Ok(Value::tuple([Value::text(one), Value::text(other)]))
    })
}

fn expanduser(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    of_path(arguments, |text| {
        // The environment is read only if it is needed, since that takes permission.
        let home = if text.starts_with('~') { environment(call, "HOME")? } else { None };
        Ok(Value::from(path::expanduser(text, home.as_deref())))
    })
}

fn expandvars(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    of_path(arguments, |text| {
        path::expandvars(text, |name| environment(call, name)).map(Value::from)
    })
}

/// Returns a variable of the environment. Raises if the environment must not be read.
fn environment(call: &CallSite<'_>, name: &str) -> Result<Option<String>> {
    let context = &call.scope.context;
    permit(call, "env")?;
    Ok(context.world.env(name))
}

fn permit(call: &CallSite<'_>, word: &str) -> Result<()> {
    call.scope.context.permit(word, &format!("the filter '{}'", call.name))
}

fn realpath(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    of_path(arguments, |text| {
        let context = &call.scope.context;
        permit(call, "file")?;
        let whole = path::abspath(text, &absolute(call));
        // Only the part that exists can have links: the rest is kept as written.
        let mut known = Path::new(&whole);
        loop {
            if let Ok(real) = context.world.real(known) {
                let rest = Path::new(&whole).strip_prefix(known).unwrap_or(Path::new(""));
                return Ok(Value::from(
                    real.join(rest).to_string_lossy().trim_end_matches('/').to_owned(),
                ));
            }
            let Some(parent) = known.parent() else { return Ok(Value::text(&*whole)) };
            known = parent;
        }
    })
}

/// Returns the absolute path of the folder that relative paths start at.
fn absolute(call: &CallSite<'_>) -> String {
    let context = &call.scope.context;
    let folder = context.world.real(&context.folder);
    folder.as_ref().unwrap_or(&context.folder).to_string_lossy().into_owned()
}

fn relpath(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [start]) = arguments.split();
    let text = string(&value, NOT_A_PATH)?;
    let start = start.unwrap_or_else(|| Value::text("."));
    path::relpath(text, string(&start, NOT_A_PATH)?, &absolute(call)).map(Value::from)
}

fn paths(members: &[Value]) -> Result<Vec<&str>> {
    let wanted = "join() argument must be str, bytes, or os.PathLike object,";
    members.iter().map(|member| string(member, wanted)).collect()
}

/// `path_join`; that of `community.general` takes any iterable: the members of a string are
/// its characters.
fn path_join(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = arguments.only();
    let is_own = call.name == "path_join";
    if is_own && value.as_str().is_some() {
        return Ok(value);
    }
    if is_own && !is_sequence(&value) {
        let wrong = "|path_join expects string or sequence, got <class '{}'> instead.";
        return type_error_of(&value, wrong);
    }
    let parts = members(&value)?;
    match paths(&parts)? {
        none if none.is_empty() => {
            type_error("join() missing 1 required positional argument: 'a'")
        }
        parts => Ok(Value::from(path::join(parts))),
    }
}

fn commonpath(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = arguments.only();
    if !is_sequence(&value) {
        let wrong = "|commonpath expects sequence, got <class '{}'> instead.";
        return type_error_of(&value, wrong);
    }
    path::commonpath(&paths(&members(&value)?)?).map(Value::from)
}

fn fileglob(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    of_path(arguments, |pattern| {
        let context = &call.scope.context;
        permit(call, "file")?;
        let found = glob(context, pattern)?;
        // Ansible drops the folders that match.
        let is_file = |path: &String| {
            let path = context.folder.join(path);
            context.world.real(&path).is_ok() && !context.world.is_folder(&path)
        };
        Ok(Value::list(found.into_iter().filter(is_file).map(Value::from)))
    })
}

fn quote(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = match arguments.only() {
        Value::None => String::new(),
        other => python::str(&other)?,
    };
    Ok(Value::from(python::shell::quote(&value)))
}

/// Returns the existing paths that match a pattern, sorted.
pub(crate) fn glob(context: &Context, pattern: &str) -> Result<Vec<String>> {
    let mut found = vec![String::new()];
    let mut parts = pattern.split_inclusive('/').peekable();
    while let Some(part) = parts.next() {
        let last = parts.peek().is_none();
        let (name, slashes) = part.strip_suffix('/').map_or((part, ""), |n| (n, "/"));
        let mut next = Vec::new();
        for before in found {
            if name.contains(['*', '?', '[']) {
                for entry in matching(context, &before, name)? {
                    let path = format!("{before}{entry}");
                    if last || is_folder(context, &path) {
                        next.push(path + slashes);
                    }
                }
            } else {
                next.push(format!("{before}{part}"));
            }
        }
        // Each pattern in a path can multiply the candidates.
        context.spend(next.len() as u64)?;
        limit_members(next.len())?;
        found = next;
    }
    found.retain(|path| {
        !path.is_empty() && context.world.real(&context.folder.join(path)).is_ok()
    });
    Ok(found)
}

fn is_folder(context: &Context, path: &str) -> bool {
    context.world.is_folder(&context.folder.join(path))
}

/// Returns the names in a folder that match a pattern, sorted. Hidden files match only a
/// pattern that starts with a dot.
fn matching(context: &Context, folder: &str, pattern: &str) -> Result<Vec<String>> {
    let entries = context.world.list(&context.folder.join(folder)).unwrap_or_default();
    context.spend(entries.len() as u64)?;
    let names = entries.iter().filter_map(|path| path.file_name()?.to_str());
    let mut names: Vec<String> = names.map(str::to_owned).collect();
    names.retain(|name| pattern.starts_with('.') || !name.starts_with('.'));
    names.retain(|name| matches(pattern, name));
    // The order of a folder's entries differs between systems.
    names.sort_unstable();
    Ok(names)
}
