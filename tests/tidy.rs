//! Keeps the shape of `src/`: nouns never import verbs, verbs import only what stands to
//! their left, and every file says what comes in and what goes out.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

/// The modules from left to right; those in one row do not import each other.
const ORDER: &[&[&str]] = &[
    &["source", "converge"],
    &["diagnostic"],
    &["pointer"],
    &["scalar"],
    &["arena"],
    &["node"],
    &["patch"],
    &["yaml", "merge", "diff"],
    &["apply"],
    &["compile"],
    &["variables"],
    &["eval"],
    &["hot", "restore"],
    &["cli"],
];

#[test]
fn imports_go_to_the_left() {
    let rank = |module: &str| ORDER.iter().position(|row| row.contains(&module));
    for file in sources() {
        let module = module_of(&file);
        let Some(here) = rank(&module) else {
            assert!(matches!(&*module, "lib" | "main"), "{module} has no place in ORDER");
            continue;
        };
        for import in imports(&file) {
            let Some(there) = rank(&import) else {
                panic!("{}: crate::{import} has no place in ORDER", file.display());
            };
            let allowed = there < here || import == module;
            assert!(allowed, "{}: {module} must not import {import}", file.display());
        }
    }
}

/// What reaches the outside: only the world and the command line do that.
const OUTSIDE: [&str; 8] = [
    "getrandom",
    "std::fs",
    "std::env",
    "std::process",
    "SystemTime::now",
    "Instant::now",
    "Command::new",
    "TcpStream",
];

#[test]
fn only_the_world_is_outside() {
    for file in sources() {
        if matches!(&*module_of(&file), "source" | "cli" | "main") {
            continue;
        }
        let text = read(&file);
        let code = text.split("#[cfg(test)]").next().unwrap();
        for name in OUTSIDE {
            let mut found = code.match_indices(name).map(|(at, _)| &code[..at]);
            let word = |before: &str| {
                !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
            };
            assert!(!found.any(word), "{}: {name} is outside", file.display());
        }
    }
}

#[test]
fn languages_do_not_know_each_other() {
    for file in sources() {
        let path = file.to_string_lossy().into_owned();
        let languages = ["jinja", "unfurl", "yaql"];
        let own = languages.iter().find(|own| path.contains(&format!("/eval/{own}")));
        let shared = path.contains("/eval/") && !path.ends_with("/eval/mod.rs");
        let text = read(&file);
        for other in languages.iter().filter(|other| shared && own != Some(other)) {
            let known = names(&text, other);
            assert!(!known, "{}: must not name {other}", file.display());
        }
    }
}

/// Whether code names a module of `eval`, in an import or in a path.
fn names(text: &str, module: &str) -> bool {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code: String = lines.collect::<Vec<_>>().join("\n");
    let word = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(module).any(|(at, _)| {
        let (before, after) = (&code[..at], &code[at + module.len()..]);
        let listed = before.rsplit(';').next().is_some_and(|start| {
            ["use super::{", "use crate::eval::{"].iter().any(|use_| start.contains(use_))
        });
        let path = before.ends_with("eval::") || before.ends_with("super::");
        let whole = !before.ends_with(word) && !after.starts_with(word);
        whole && (path || after.starts_with("::") && !before.ends_with("::") || listed)
    })
}

#[test]
fn files_say_what_they_do() {
    for file in sources() {
        let text = read(&file);
        assert!(text.starts_with("//! "), "{} opens without //!", file.display());
    }
}

#[test]
fn files_are_short() {
    for file in sources() {
        let lines = read(&file).lines().count();
        assert!(lines <= 400, "{} has {lines} lines: is it one idea?", file.display());
    }
}

fn sources() -> Vec<PathBuf> {
    let mut todo = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut files = Vec::new();
    while let Some(path) = todo.pop() {
        if path.is_dir() {
            todo.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).unwrap()
}

/// The top-level module a file belongs to.
fn module_of(file: &Path) -> String {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let first = file.strip_prefix(src).unwrap().components().next().unwrap();
    let name = Path::new(first.as_os_str()).file_stem().unwrap();
    name.to_string_lossy().into_owned()
}

/// The top-level modules that the code of a file names after `crate::`.
fn imports(file: &Path) -> Vec<String> {
    let text = read(file);
    assert!(!text.contains("crate::{"), "{}: one use for each module", file.display());
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split("crate::").skip(1))
        .map(|rest| {
            rest.split(|c: char| !c.is_alphanumeric() && c != '_')
                .next()
                .unwrap()
                .to_owned()
        })
        .filter(|name| !name.is_empty())
        .collect()
}
