//! Faults that users of other editors of YAML reported in public, each reduced to a case
//! that this program must do right: fixtures/museum/, an archive a case. `BLESS=1`
//! rewrites the expected results.

use std::process::{Command, Output};

use interpolate_fixtures::archive::Archive;

/// Checks a case.
pub(crate) fn check(mut case: Archive) -> Result<(), String> {
    let is_told =
        |label: &str| case.comment().lines().any(|line| line.starts_with(label));
    if !["address: https://", "shape: ", "rule: "].into_iter().all(is_told) {
        return Err(format!("== {}: address, shape or rule is missing", case.name()));
    }
    let output = run(&case);
    let is_done = output.status.success();
    case.expect("after", is_done.then_some(&*output.stdout))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let wanted = case.text("error").trim_end();
    if wanted.is_empty() == is_done && said.contains(wanted) {
        return Ok(());
    }
    Err(format!("== {}: error\nwanted\n{wanted}\nfound\n{said}", case.name()))
}

fn run(case: &Archive) -> Output {
    let home = tempfile::tempdir().unwrap();
    let is_input = |name: &str| ["before", "patch", "edited"].contains(&name);
    case.extract(home.path(), is_input);
    let command: &[&str] = match case.bytes("edited") {
        Some(_) => &["save", "before", "edited"],
        None => &["before", "-o", "patch"],
    };
    Command::new(env!("CARGO_BIN_EXE_interpolate"))
        .args(command)
        .args(case.text("args").split_whitespace())
        .current_dir(home.path())
        .output()
        .unwrap()
}
