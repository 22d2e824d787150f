//! Applies ops-files to documents: fixtures/patch/, an archive a case. `BLESS=1` rewrites
//! the expected results.

use std::fs;
use std::process::Command;

use crate::archive::Archive;

#[test]
fn cases() {
    let cases = Archive::all("patch").into_iter();
    let wrong: Vec<String> = cases.filter_map(|case| check(case).err()).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn deep_values_in_flow_style() {
    let home = tempfile::tempdir().unwrap();
    let deep = "[".repeat(30_000) + "2" + &"]".repeat(30_000);
    let written = "- ".repeat(30_000) + "2";
    let op = format!("- type: replace\n  path: /a/-\n  value:\n    {written}\n");
    fs::write(home.path().join("base.json"), "{\"a\": [1]}\n").unwrap();
    fs::write(home.path().join("ops.yml"), op).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_interpolate"))
        .args(["base.json", "-o", "ops.yml", "--limit", "depth=100000"])
        .current_dir(home.path())
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let wanted = format!("{{\"a\": [1, {deep}]}}\n");
    assert!(printed == wanted, "{}", String::from_utf8_lossy(&output.stderr));
}

fn check(mut case: Archive) -> Result<(), String> {
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
