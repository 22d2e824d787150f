//! Expands the documents of fixtures/directive, and documents that are hard to bound.

use std::path::PathBuf;

use interpolate::unstable::compile::{self, Rules};
use interpolate::unstable::diagnostic::Diagnostics;
use interpolate::unstable::source::{Memory, Sources, World};
use interpolate::unstable::yaml::{self, Expansion, Options};
use interpolate::unstable::{apply, compile::directives};

#[test]
fn cases() {
    let text = include_str!("../../fixtures/directive/cases.txt");
    let environment = [("SET".to_owned(), "1".to_owned())].into();
    let mut files = Memory { environment, ..Memory::default() };
    let mut wrong = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(file) = line.strip_prefix('@') {
            let (name, text) = file.split_once(' ').unwrap_or((file, ""));
            files.files.insert(name.into(), text.trim().replace("\\n", "\n"));
            continue;
        }
        let (document, wanted) = line.split_once(" | ").unwrap();
        files.files.insert("main.yaml".into(), document.to_owned());
        let found = match expand(document, &files, &rules()) {
            Ok(found) => found.split_whitespace().collect(),
            Err(Diagnostics(all)) => {
                let all: Vec<String> = all.into_iter().map(|one| one.message).collect();
                format!("! {}", all.join(" ; "))
            }
        };
        if found != wanted.trim() {
            wrong.push(format!(
                "{}\n  wanted {}\n  found  {found}",
                document.trim(),
                wanted.trim()
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn rules() -> Rules {
    let repositories = vec![("ours".to_owned(), PathBuf::from("shared"))];
    Rules { repositories, ..Rules::default() }
}

/// Returns the first document as JSON, with its directives expanded.
fn expand(text: &str, world: &dyn World, rules: &Rules) -> Result<String, Diagnostics> {
    let mut sources = Sources::default();
    let file = sources.add("main.yaml", text);
    let mut document = yaml::read(&sources, file, &Options::default())?;
    let patch = directives(&document, 0, &mut sources, world, rules)?;
    apply::apply(&patch, &mut document, 0..1)?;
    Ok(yaml::json::print(&document, document.root(), rules.expansion)?)
}

#[test]
fn long_chains() {
    let count = 10_000;
    let chain = |entry: fn(usize) -> String, last: &str| {
        let chain: String = (0..count).map(entry).collect();
        format!("{chain}a{count}: {last}\n")
    };
    let plain = chain(|i| format!("a{i}: {{+/a{}: }}\n", i + 1), "{x: 1}");
    assert!(run(&plain).unwrap().contains("\"a0\": {\n    \"x\": 1"));
    let into = chain(|i| format!("a{i}: {{+/a{}/x: }}\n", i + 1), "{x: {x: 1}}");
    assert_eq!(run(&into).unwrap_err().0.len(), 9_998);
    let behind = chain(|i| format!("a{i}: {{+/a{}: }}\n", i + 1), "{x: 1}");
    assert!(run(&format!("use: {{+/a0/x: }}\n{behind}")).unwrap().contains("\"use\": 1"));
    let back = chain(|i| format!("a{i}: {{+/a{}: }}\n", i + 1), "{+/a0: }");
    let Diagnostics(cycle) = run(&back).unwrap_err();
    assert_eq!((cycle.len(), cycle[0].labels.len()), (1, 10));
    let deep = format!("{}1{}\n", "{+?/x: , a: ".repeat(1_000), "}".repeat(1_000));
    run(&deep).unwrap();
}

#[test]
fn what_grows_is_bounded() {
    let laugh = |entry: fn(usize) -> String| {
        let levels: String = (0..60).map(entry).collect();
        format!("{levels}a60: {{x: 1}}\nz: {{y: 1}}\n")
    };
    let rules = Rules { expansion: Expansion(1 << 20), ..Rules::default() };
    for entry in [
        |i: usize| format!("a{i}: {{l: {{+/a{}: }}, r: {{+/a{}: }}}}\n", i + 1, i + 1),
        |i: usize| format!("a{i}: [{{+/a{}: }}, {{+/a{}: }}]\n", i + 1, i + 1),
        |i: usize| {
            let next = i + 1;
            format!("a{i}: {{l: {{+/a{next}: }}, r: {{+/a{next}: }}, q: {{+.../z: }}}}\n")
        },
        |i: usize| match i {
            0 => "a0: &a0 {+/z: }\n".into(),
            _ => format!("a{i}: &a{i} {{l: *a{0}, r: *a{0}}}\n", i - 1),
        },
    ] {
        let Diagnostics(failed) =
            expand(&laugh(entry), &Memory::default(), &rules).unwrap_err();
        let message = "the directives expand to more than 1048576 bytes";
        assert_eq!(failed[0].message, message);
    }
}

#[test]
fn includes_are_bounded() {
    let mut files = Memory::default();
    for i in 0..1_000 {
        files
            .files
            .insert(format!("{i}.yaml").into(), format!("+include: {}.yaml\n", i + 1));
    }
    let text = "+include: 0.yaml\n";
    let Diagnostics(failed) = expand(text, &files, &Rules::default()).unwrap_err();
    assert_eq!(failed[0].message, "more than 100 files include each other");
    let rules = Rules { include_bytes: 1_000, ..Rules::default() };
    let Diagnostics(failed) = expand(text, &files, &rules).unwrap_err();
    assert_eq!(failed[0].message, "the included files exceed 1000 bytes");
}

fn run(text: &str) -> Result<String, Diagnostics> {
    expand(text, &Memory::default(), &compile::Rules::default())
}
