//! A pattern → the paths there are, as Python's `glob` finds them.

use crate::eval::Context;
use crate::python::{Result, room};

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
            match name.contains(['*', '?', '[']) {
                false => next.push(format!("{before}{part}")),
                true => next.extend(
                    matching(context, &before, name)
                        .into_iter()
                        .filter(|entry| {
                            last || is_folder(context, &format!("{before}{entry}"))
                        })
                        .map(|entry| format!("{before}{entry}{slashes}")),
                ),
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

/// Whether a name is what a pattern stands for: `*`, `?`, `[a-z]`, `[!a]`.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    // Where the last star stood, and how far the name was read then.
    let (mut at, mut read, mut star) = (0, 0, None);
    while read < name.len() {
        if pattern.get(at) == Some(&'*') {
            star = Some((at, read));
            at += 1;
            continue;
        }
        match one(pattern.get(at..).unwrap_or_default(), name[read]) {
            Some(length) => (at, read) = (at + length, read + 1),
            None => match star {
                Some((stood, until)) => {
                    star = Some((stood, until + 1));
                    (at, read) = (stood + 1, until + 1);
                }
                None => return false,
            },
        }
    }
    pattern.get(at..).unwrap_or_default().iter().all(|c| *c == '*')
}

/// How much of a pattern stands for one character, if it does.
fn one(pattern: &[char], c: char) -> Option<usize> {
    match pattern.first()? {
        '?' => Some(1),
        '[' => {
            let negated = pattern.get(1) == Some(&'!');
            let start = 1 + usize::from(negated);
            // A bracket that comes first is one of the characters.
            let rest = pattern.get(start + 1..)?;
            let Some(length) = rest.iter().position(|c| *c == ']') else {
                return (c == '[').then_some(1);
            };
            let end = start + 1 + length;
            (has(pattern.get(start..end)?, c) != negated).then_some(end + 1)
        }
        same => (*same == c).then_some(1),
    }
}

fn has(set: &[char], c: char) -> bool {
    let mut rest = set;
    while let Some(first) = rest.first() {
        match rest {
            [low, '-', high, after @ ..] => {
                if (*low..=*high).contains(&c) {
                    return true;
                }
                rest = after;
            }
            _ => {
                if *first == c {
                    return true;
                }
                rest = &rest[1..];
            }
        }
    }
    false
}
