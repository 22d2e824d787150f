//! Runs `interpolate hot` on the cases of fixtures/hot; its README.md describes the
//! format. `BLESS=1` rewrites the expected output.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// A case: its name, its command line, and the text under each of its headings.
struct Case {
    name: String,
    command: String,
    parts: Vec<(String, String)>,
}

/// Checks the cases of a file.
pub(crate) fn check(path: &Path) -> Result<(), String> {
    let mut cases = read(&fs::read_to_string(path).unwrap());
    let mut wrong = Vec::new();
    for case in &mut cases {
        let found = run(case);
        let wanted = case.parts.iter().filter(|(name, _)| is_result(name));
        let wanted: Vec<_> = wanted.cloned().collect();
        if found != wanted {
            wrong.push(format!("{}\nwanted {wanted:#?}\nfound {found:#?}", case.name));
            case.parts.retain(|(name, _)| !is_result(name));
            case.parts.extend(found);
        }
    }
    if std::env::var_os("BLESS").is_some() {
        fs::write(path, write(&cases)).unwrap();
        return Ok(());
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

fn is_result(name: &str) -> bool {
    ["out", "err"].contains(&name)
}

fn read(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("=== ") {
            let (name, command, parts) = (name.to_owned(), String::new(), Vec::new());
            cases.push(Case { name, command, parts });
            continue;
        }
        let case = cases.last_mut().unwrap();
        if let Some(command) = line.strip_prefix("$ ") {
            case.command = command.to_owned();
        } else if let Some(name) = line.strip_prefix("--- ") {
            case.parts.push((name.to_owned(), String::new()));
        } else if let Some((_, text)) = case.parts.last_mut() {
            writeln!(text, "{line}").unwrap();
        }
    }
    cases
}

fn write(cases: &[Case]) -> String {
    let mut text = String::new();
    for case in cases {
        writeln!(text, "=== {}\n$ {}", case.name, case.command).unwrap();
        for (name, part) in &case.parts {
            write!(text, "--- {name}\n{part}").unwrap();
        }
    }
    text
}

/// Returns standard output and, if there is any, standard error.
fn run(case: &Case) -> Vec<(String, String)> {
    let home = tempfile::tempdir().unwrap();
    for (name, text) in case.parts.iter().filter(|(name, _)| !is_result(name)) {
        let path = home.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let words = case.command.strip_prefix("interpolate ").unwrap().split(' ');
    let output = Command::new(env!("CARGO_BIN_EXE_interpolate"))
        .args(words)
        .current_dir(home.path())
        .env("NO_COLOR", "1")
        .output();
    let Output { status, stdout, stderr } = output.unwrap();
    let text = |bytes| {
        let text = String::from_utf8(bytes).unwrap();
        let text = text.replace(home.path().to_str().unwrap(), "{HOME}");
        if text.is_empty() || text.ends_with('\n') { text } else { text + "\n" }
    };
    let (out, err) = (text(stdout), text(stderr));
    let failed = err.lines().any(|line| line.starts_with("error: "));
    assert_eq!(status.code(), Some(i32::from(failed)), "{}", case.name);
    let parts = [("out", out), ("err", err)].into_iter();
    let parts = parts.filter(|(_, text)| !text.is_empty());
    parts.map(|(name, text)| (name.to_owned(), text)).collect()
}
