//! Tests merge directives on fixtures/merge/, a folder a case, with an `args` file for
//! options. The printed text must read back as the same document. `BLESS=1` rewrites the
//! expected results.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

#[test]
fn cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/merge");
    let mut wrong = Vec::new();
    for entry in fs::read_dir(folder).expect("fixtures/merge").flatten() {
        let case = entry.path();
        if !case.is_dir() {
            continue;
        }
        let (file, other, found) = run(&case);
        let expected = fs::read(case.join(file)).unwrap_or_default();
        if std::env::var_os("BLESS").is_some() {
            fs::write(case.join(file), found).expect(file);
            let _ = fs::remove_file(case.join(other));
        } else if found != expected || case.join(other).exists() {
            let found = String::from_utf8_lossy(&found).into_owned();
            wrong.push(format!("{}:\n{found}", entry.file_name().display()));
        }
    }
    assert!(wrong.is_empty(), "not as in {}", wrong.join("\n"));
}

#[test]
fn reads_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/merge");
    for case in fs::read_dir(folder).expect("fixtures/merge").flatten() {
        if case.path().join("out.yml").exists() {
            let given = args(&case.path());
            let meaning = call(&case.path(), &given, &["--format", "json", "base.yml"]);
            let printed = ["--no-directives", "--format", "json", "out.yml"];
            let again = call(&case.path(), "", &printed);
            let case = case.file_name();
            assert_eq!(text(&meaning.stdout), text(&again.stdout), "{}", case.display());
        }
    }
}

/// The file with the expected result, the file that must not exist, and the actual
/// result.
fn run(case: &Path) -> (&'static str, &'static str, Vec<u8>) {
    let output = call(case, &args(case), &["base.yml"]);
    if output.status.success() {
        ("out.yml", "error.txt", output.stdout)
    } else {
        ("error.txt", "out.yml", output.stderr)
    }
}

/// Returns the options of a case.
fn args(case: &Path) -> String {
    fs::read_to_string(case.join("args")).unwrap_or_default()
}

fn call(case: &Path, given: &str, args: &[&str]) -> Output {
    Command::new(PathBuf::from(env!("CARGO_BIN_EXE_interpolate")))
        .args(given.split_whitespace())
        .args(args)
        .current_dir(case)
        .output()
        .expect("interpolate")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
