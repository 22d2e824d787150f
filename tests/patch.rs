//! Applies ops-files to documents: fixtures/patch/, a folder a case. `BLESS=1` rewrites
//! the expected results.

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/patch");
    let mut wrong = Vec::new();
    for case in fs::read_dir(folder).expect("fixtures/patch").flatten() {
        let (file, other, found) = run(&case.path());
        let expected = fs::read(case.path().join(file)).unwrap_or_default();
        if std::env::var_os("BLESS").is_some() {
            fs::write(case.path().join(file), found).expect(file);
            let _ = fs::remove_file(case.path().join(other));
        } else if found != expected || case.path().join(other).exists() {
            let found = String::from_utf8_lossy(&found).into_owned();
            wrong.push(format!("{}:\n{found}", case.file_name().display()));
        }
    }
    assert!(wrong.is_empty(), "not as in {}", wrong.join("\n"));
}

/// The file with the expected result, the file that must not exist, and the actual
/// result.
fn run(case: &Path) -> (&'static str, &'static str, Vec<u8>) {
    let output = Command::new(env!("CARGO_BIN_EXE_interpolate"))
        .args(["base.yml", "-o", "ops.yml"])
        .current_dir(case)
        .output()
        .expect("interpolate");
    if output.status.success() {
        ("out.yml", "error.txt", output.stdout)
    } else {
        ("error.txt", "out.yml", output.stderr)
    }
}
