//! Applies ops-files to documents: fixtures/patch/, an archive a case. `BLESS=1` rewrites
//! the expected results.

use std::process::Command;

use interpolate_fixtures::archive::Archive;

/// Checks a case.
pub(crate) fn check(mut case: Archive) -> Result<(), String> {
    let home = tempfile::tempdir().unwrap();
    case.extract(home.path(), |name| !["out.yml", "error.txt"].contains(&name));
    let output = Command::new(env!("CARGO_BIN_EXE_interpolate"))
        .args(["base.yml", "-o", "ops.yml"])
        .current_dir(home.path())
        .output()
        .unwrap();
    let is_patched = output.status.success();
    case.expect("out.yml", is_patched.then_some(&output.stdout))?;
    case.expect("error.txt", (!is_patched).then_some(&output.stderr))
}
