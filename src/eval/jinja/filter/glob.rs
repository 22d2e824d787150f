//! A pattern → the paths there are, as Python's `glob` finds them.

use crate::eval::Context;
use crate::eval::python::fnmatch::matches;
use crate::eval::python::{Result, room};

/// The paths that a pattern stands for, in the order of their names.
pub(crate) fn glob(context: &Context, pattern: &str) -> Result<Vec<String>> {
    let mut found = vec![String::new()];
    let mut parts = pattern.split_inclusive('/').peekable();
    while let Some(part) = parts.next() {
        let last = parts.peek().is_none();
        let (name, slashes) =
            part.strip_suffix('/').map_or((part, ""), |name| (name, "/"));
        let mut next = Vec::new();
        for before in found {
            if name.contains(['*', '?', '[']) {
                next.extend(
                    matching(context, &before, name)
                        .into_iter()
                        .filter(|entry| {
                            last || is_folder(context, &format!("{before}{entry}"))
                        })
                        .map(|entry| format!("{before}{entry}{slashes}")),
                );
            } else {
                next.push(format!("{before}{part}"));
            }
        }
        context.spend(next.len() as u64)?;
        room(next.len())?;
        found = next;
    }
    let there = |path: &String| context.world.real(&context.folder.join(path)).is_ok();
    found.retain(|path| !path.is_empty() && there(path));
    Ok(found)
}

fn is_folder(context: &Context, path: &str) -> bool {
    context.world.is_folder(&context.folder.join(path))
}

/// The names in a folder that a pattern stands for; hidden ones only if it says so.
fn matching(context: &Context, folder: &str, pattern: &str) -> Vec<String> {
    let entries = context.world.list(&context.folder.join(folder)).unwrap_or_default();
    let name = |path: &std::path::PathBuf| Some(path.file_name()?.to_str()?.to_owned());
    let mut names: Vec<String> = entries.iter().filter_map(name).collect();
    names.retain(|name| pattern.starts_with('.') || !name.starts_with('.'));
    names.retain(|name| matches(pattern, name));
    names.sort_unstable();
    names
}
