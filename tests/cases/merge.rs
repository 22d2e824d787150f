//! Tests merge directives on fixtures/merge/, an archive a case, with a file `args` for
//! options. The printed text must read back as the same document. `BLESS=1` rewrites the
//! expected results.

use std::process::{Command, Output};

use interpolate_fixtures::archive::Archive;

/// Checks a case.
pub(crate) fn check(mut case: Archive) -> Result<(), String> {
    let output = call(&case, case.text("args"), &["base.yml"]);
    let is_merged = output.status.success();
    case.expect("out.yml", is_merged.then_some(&output.stdout))?;
    case.expect("error.txt", (!is_merged).then_some(&output.stderr))?;
    if is_merged { reads_back(&case) } else { Ok(()) }
}

/// Compares the data of the printed text with that of the document.
fn reads_back(case: &Archive) -> Result<(), String> {
    let meaning = call(case, case.text("args"), &["--format", "json", "base.yml"]);
    let again = call(case, "", &["--no-directives", "--format", "json", "out.yml"]);
    if meaning.stdout == again.stdout {
        return Ok(());
    }
    let [meaning, again] =
        [meaning, again].map(|run| String::from_utf8_lossy(&run.stdout).into_owned());
    Err(format!("== {}: means\n{meaning}reads back as\n{again}", case.name()))
}

/// Runs the program in a folder with the files of a case.
fn call(case: &Archive, given: &str, args: &[&str]) -> Output {
    let home = tempfile::tempdir().unwrap();
    case.extract(home.path(), |_| true);
    Command::new(env!("CARGO_BIN_EXE_interpolate"))
        .args(given.split_whitespace())
        .args(args)
        .current_dir(home.path())
        .output()
        .unwrap()
}
