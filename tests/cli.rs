//! Runs the program on the cases of fixtures/cli, each in a copy of its folder. The file
//! `cmd` is the command line, `stdin` the standard input, and `env` sets one variable of
//! the environment a line (`NAME=value`). The expected results are `stdout`, `stderr`,
//! `code` and every file in `after/`. `BLESS=1` rewrites them.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

type Files = Vec<(PathBuf, Vec<u8>)>;

#[test]
fn cases() {
    let mut cases = entries(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/cli"));
    cases.sort();
    assert!(!cases.is_empty());
    let wrong: Vec<String> = cases.iter().filter_map(|case| check(case)).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Returns the differences between a case and its run.
fn check(case: &Path) -> Option<String> {
    let home = tempfile::tempdir().unwrap();
    copy(case, home.path());
    let command = fs::read_to_string(case.join("cmd")).unwrap();
    let [stdout, stderr, code] = run(&command, case, home.path());
    let found = [("stdout", stdout), ("stderr", stderr), ("code", code)];
    let mut found: Files = found.map(|(name, text)| (name.into(), text.into())).into();
    let changed = |(name, text): &(PathBuf, Vec<u8>)| {
        fs::read(case.join(name)).ok().as_ref() != Some(text)
    };
    let after = tree(home.path()).into_iter().filter(changed);
    found.extend(after.map(|(name, text)| (Path::new("after").join(name), text)));
    let mut wanted = tree(case);
    wanted.retain(|(name, text)| result(name) && !text.is_empty());
    found.retain(|(_, text)| !text.is_empty());
    found.sort();
    if found == wanted {
        return None;
    }
    if std::env::var_os("BLESS").is_some() {
        bless(case, &wanted, &found);
        return None;
    }
    let show = |files: &Files| {
        let show = |(name, text): &(PathBuf, Vec<u8>)| {
            format!("{}:\n{}\n", name.display(), String::from_utf8_lossy(text))
        };
        files.iter().map(show).collect::<String>()
    };
    let (wanted, found) = (show(&wanted), show(&found));
    Some(format!("== {}\nwanted\n{wanted}\nfound\n{found}", case.display()))
}

/// Returns true if a file of a case is an expected result.
fn result(name: &Path) -> bool {
    ["stdout", "stderr", "code", "after"].iter().any(|first| name.starts_with(first))
}

fn run(command: &str, case: &Path, home: &Path) -> [String; 3] {
    let words = command.trim().strip_prefix("interpolate").unwrap();
    let environment = fs::read_to_string(case.join("env")).unwrap_or_default();
    let mut child = Command::new(env!("CARGO_BIN_EXE_interpolate"))
        .args(split(words))
        .current_dir(home)
        .env("HOME", home)
        .env("BOSH_TTY", "zz")
        .envs(environment.lines().filter_map(|line| line.split_once('=')))
        .env_remove("NO_COLOR")
        .env_remove("COLUMNS")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stdin = fs::read(case.join("stdin")).unwrap_or_default();
    child.stdin.take().unwrap().write_all(&stdin).ok();
    let output = child.wait_with_output().unwrap();
    let folder = home.to_str().unwrap();
    let text = |bytes| String::from_utf8_lossy(bytes).replace(folder, "{HOME}");
    let code = format!("{}\n", output.status.code().unwrap());
    [text(&output.stdout), text(&output.stderr), code]
}

/// Splits words as a shell does, with single quotes only.
fn split(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), None::<String>, false);
    for c in line.chars() {
        match c {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' if !quoted => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Copies the inputs of a case. Links stay links.
fn copy(from: &Path, to: &Path) {
    for path in entries(from) {
        let name = path.file_name().unwrap();
        let known = ["cmd", "stdin", "env"].iter().any(|known| name == *known);
        let target = to.join(name);
        if let Ok(leads) = fs::read_link(&path) {
            std::os::unix::fs::symlink(leads, target).unwrap();
        } else if path.is_dir() && name != "after" {
            fs::create_dir(&target).unwrap();
            copy(&path, &target);
        } else if !known && !result(Path::new(name)) {
            fs::copy(&path, target).unwrap();
        }
    }
}

fn bless(case: &Path, wanted: &Files, found: &Files) {
    for (name, _) in wanted {
        fs::remove_file(case.join(name)).unwrap();
    }
    for (name, text) in found {
        fs::create_dir_all(case.join(name).parent().unwrap()).unwrap();
        fs::write(case.join(name), text).unwrap();
    }
}

/// Lists every file below a folder by its relative name, sorted. Links are not followed.
fn tree(folder: &Path) -> Files {
    let (mut files, mut todo) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(path) = todo.pop() {
        if path.is_symlink() {
            continue;
        } else if path.is_dir() {
            todo.extend(entries(&path));
        } else {
            let name = path.strip_prefix(folder).unwrap().to_owned();
            files.push((name, fs::read(&path).unwrap()));
        }
    }
    files.sort();
    files
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}
