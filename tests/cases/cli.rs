//! Runs the program on the cases of fixtures/cli, an archive each. `cmd` is the command
//! line, `stdin` the standard input, and `env` sets one variable of the environment a line
//! (`NAME=value`). The expected results are `stdout`, `stderr`, `code` and every file in
//! `after/`. `BLESS=1` rewrites them. The recipes of `ops/` are cases, too, whose files
//! stand in a folder.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use interpolate_fixtures::archive::{Archive, files_in, is_result};

/// Checks a recipe of the cookbook. Without `code`, it exits with 0.
pub(crate) fn check_recipe(mut recipe: Archive) -> Result<(), String> {
    if recipe.bytes("code").is_none() {
        recipe.put("code", Some(b"0\n"));
    }
    check(recipe)
}

/// Checks a case. `Err` has the differences between all expected results and its run.
pub(crate) fn check(mut case: Archive) -> Result<(), String> {
    let home = tempfile::tempdir().unwrap();
    case.extract(home.path(), |name| !is_result(name) && !is_setting(name));
    close(home.path());
    let results = ["stdout", "stderr", "code"].map(str::to_owned);
    let mut found: Vec<_> = results
        .into_iter()
        .zip(run(&case, home.path()).map(String::into_bytes))
        .collect();
    for (name, bytes) in files_in(home.path()) {
        if case.bytes(&name) != Some(&bytes) {
            found.push((format!("after/{name}"), bytes));
        }
    }
    found.retain(|(_, bytes)| !bytes.is_empty());
    let is_found = |name: &str| found.iter().any(|(found, _)| found == name);
    let missing = case.names().filter(|name| is_result(name) && !is_found(name));
    let missing: Vec<String> = missing.map(str::to_owned).collect();
    let found = found.iter().map(|(name, bytes)| (name, Some(&**bytes)));
    let all = found.chain(missing.iter().map(|name| (name, None)));
    let wrong = all.filter_map(|(name, bytes)| case.expect(name, bytes).err());
    let wrong: Vec<String> = wrong.collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Makes the files private: others must not read a vars-store.
#[cfg(unix)]
fn close(home: &Path) {
    use std::os::unix::fs::PermissionsExt;
    for (name, _) in files_in(home) {
        let private = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(home.join(name), private).unwrap();
    }
}

#[cfg(not(unix))]
fn close(_: &Path) {}

/// Returns true if a file of a case is not for the program.
fn is_setting(name: &str) -> bool {
    ["cmd", "stdin", "env"].contains(&name)
}

fn run(case: &Archive, home: &Path) -> [String; 3] {
    let words = case.text("cmd").trim().strip_prefix("interpolate").unwrap();
    let environment = case.text("env");
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
    let stdin = case.bytes("stdin").unwrap_or_default();
    child.stdin.take().unwrap().write_all(stdin).ok();
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
