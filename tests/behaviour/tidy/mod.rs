//! Keeps the shape of `src/`: the order in which modules import each other, no import
//! cycle without a reason, one file for an idea and its types, and the outside behind one trait.

mod code;
mod tree;

use std::collections::{BTreeMap, BTreeSet};

use tree::Tree;

/// The modules from left to right; those in one row do not import each other.
const ORDER: &[&[&str]] = &[
    &["source", "converge"],
    &["diagnostic"],
    &["pointer"],
    &["scalar"],
    &["arena"],
    &["layout"],
    &["node"],
    &["compare"],
    &["select"],
    &["target"],
    &["patch"],
    &["yaml", "merge"],
    &["language"],
    &["diff"],
    &["apply", "convert", "three_way"],
    &["compile", "plan"],
    &["variables"],
    &["check"],
    &["eval", "history"],
    &["hot", "restore"],
    &["rebase"],
    &["job"],
    &["api"],
    &["unstable"],
    &["cli"],
];

#[test]
fn imports_go_to_the_left() {
    let rank = |room: &str| ORDER.iter().position(|row| row.contains(&room));
    let tree = Tree::get();
    for (at, file) in tree.files().iter().enumerate() {
        if matches!(file.room(), "" | "main") {
            continue;
        }
        let here = rank(file.room());
        assert!(here.is_some(), "{}: its module has no place in ORDER", file.name);
        for import in tree.imports(at).into_iter().map(|to| &tree.files()[to]) {
            let allowed = rank(import.room()) < here || import.room() == file.room();
            assert!(allowed, "{} must not import {}", file.name, import.name);
        }
    }
}

/// Groups of files that may import each other, and why. All files of a group have one of
/// its prefixes.
const CYCLES: &[(&[&str], &str)] = &[
    (
        &[
            "src/eval/context.rs",
            "src/eval/dialect.rs",
            "src/eval/hidden_text.rs",
            "src/eval/scope.rs",
            "src/eval/secret.rs",
            "src/eval/sensitive.rs",
            "src/eval/session.rs",
        ],
        "a scope holds the run, the run holds the languages, and a language evaluates in \
         a scope",
    ),
    (
        &["src/eval/python/"],
        "a value holds keys and objects, which hold values; methods of strings format \
         values, and formats call methods",
    ),
    (
        &[
            "src/eval/unfurl/expression.rs",
            "src/eval/unfurl/foreach.rs",
            "src/eval/unfurl/function/",
        ],
        "an expression calls functions, which evaluate their arguments as expressions",
    ),
    (
        &["src/eval/yaql/"],
        "an argument is an expression and an expression is a call; a scope holds the \
         overloads, which take a call",
    ),
];

#[test]
fn import_cycles_have_a_reason() {
    let tree = Tree::get();
    let cycles = tree.cycles();
    let is_named = |cycle: &&Vec<&str>| {
        CYCLES.iter().any(|(named, _)| {
            cycle.iter().all(|file| named.iter().any(|name| file.starts_with(name)))
        })
    };
    let unnamed: Vec<_> = cycles.iter().filter(|cycle| !is_named(cycle)).collect();
    assert!(unnamed.is_empty(), "import cycles without a reason: {unnamed:#?}");
    for (named, _) in CYCLES {
        let used = cycles.iter().any(|cycle| {
            cycle.iter().all(|file| named.iter().any(|name| file.starts_with(name)))
        });
        assert!(used, "no cycle is left in {named:?}");
    }
}

/// Types that may have inherent `impl` blocks in three or more files, and why.
const SPREAD: &[(&str, &str)] = &[
    (
        "node::Tree",
        "reading and opening nodes, merge keys, edits and look-ups are four ideas about one \
         tree",
    ),
    ("yaml::Parser", "the stream, block context and flow context push nodes of one tree"),
];

#[test]
fn a_type_has_one_file() {
    let mut files: BTreeMap<(String, String), BTreeSet<&str>> = BTreeMap::new();
    let tree = Tree::get();
    for file in tree.files() {
        // A name stands for one type within a module and, in `eval`, within a language.
        let depth = if file.room() == "eval" { 2 } else { 1 };
        let room = file.module.iter().take(depth).cloned().collect::<Vec<_>>().join("::");
        for line in file.code().text.lines() {
            let Some(rest) = line.strip_prefix("impl") else { continue };
            let name = implemented(rest).filter(|_| !rest.contains(" for "));
            let name = name.map(|name| (room.clone(), name.to_owned()));
            files.entry(name.unwrap_or_default()).or_default().insert(&file.name);
        }
    }
    for ((room, name), files) in files {
        let reason =
            SPREAD.iter().any(|(spread, _)| *spread == format!("{room}::{name}"));
        let fits = files.len() < 3 || reason || name.is_empty();
        assert!(fits, "{room}::{name} has impl blocks in {files:#?}");
    }
}

/// Returns the name of the type in `<'a, T> Name<'a, T> {`.
fn implemented(rest: &str) -> Option<&str> {
    let name = match rest.strip_prefix('<') {
        Some(generic) => generic.split_once("> ")?.1,
        None => rest.trim_start(),
    };
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_');
    Some(&name[..end.unwrap_or(name.len())])
}

/// Names that reach the outside. Only the world and the command line may use them.
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
    for file in Tree::get().files() {
        let may = matches!(file.room(), "source" | "cli" | "main");
        if may || file.name.ends_with("/tests.rs") {
            continue;
        }
        let code = &file.code().text;
        for name in OUTSIDE {
            let mut found = code.match_indices(name).map(|(at, _)| &code[..at]);
            let word = |before: &str| {
                !before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
            };
            assert!(!found.any(word), "{}: {name} is outside", file.name);
        }
    }
}

#[test]
fn languages_do_not_know_each_other() {
    let tree = Tree::get();
    let languages = ["jinja", "unfurl", "yaql"];
    let language_of = |module: &[String]| match module {
        [eval, name, ..] if eval == "eval" => {
            languages.into_iter().find(|language| language == name)
        }
        _ => None,
    };
    for (at, file) in tree.files().iter().enumerate() {
        // The front page of evaluation lists all languages.
        if file.room() != "eval" || file.module.len() == 1 {
            continue;
        }
        let own = language_of(&file.module);
        for import in tree.imports(at).into_iter().map(|to| &tree.files()[to]) {
            let other = language_of(&import.module);
            let allowed = other.is_none() || other == own;
            assert!(allowed, "{} must not import {}", file.name, import.name);
        }
    }
}

/// Paths such as `src/pointer.rs` in ARCHITECTURE.md are the way into the code.
#[test]
fn architecture_names_files_that_exist() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let names = text.split('`').filter(|name| {
        ["src/", "tests/", "fixtures/"].iter().any(|start| name.starts_with(start))
    });
    for name in names {
        assert!(root.join(name).exists(), "ARCHITECTURE.md names {name}");
    }
}

/// Number of lines of the smallest file that is an idea of its own.
const SMALL_FILE: usize = 60;

/// Maximum number of smaller files of which none is the front page of its folder: a part of an
/// idea stands where it is used.
const MAX_SMALL_FILES: usize = 20;

#[test]
fn few_files_are_small() {
    let is_front = |name: &str| {
        ["/mod.rs", "/lib.rs", "/main.rs"].iter().any(|end| name.ends_with(end))
    };
    let small: Vec<&str> = Tree::get()
        .files()
        .iter()
        .filter(|file| file.text.lines().count() < SMALL_FILE && !is_front(&file.name))
        .map(|file| &*file.name)
        .collect();
    assert!(small.len() <= MAX_SMALL_FILES, "{} small files: {small:#?}", small.len());
}

#[test]
fn files_say_what_they_do() {
    for file in Tree::get().files() {
        assert!(file.text.starts_with("//! "), "{} opens without //!", file.name);
    }
}
