//! Runs the program on files whose names have line breaks: no line of its output begins as
//! a command to a service that reads the log.

use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_interpolate");
const OLD: &str = "n\n::error::a.yml";
const NEW: &str = "n\n::error::b.yml";

#[test]
fn no_line_begins_in_the_middle_of_a_name() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(OLD), "a: {b: 1, b: 1}\n").unwrap();
    std::fs::write(folder.path().join(NEW), "a: {b: 2, b: 1, c: \"no\"}\nd: 1\n")
        .unwrap();
    let runs: [&[&str]; 12] = [
        &["explain", OLD, "--set", "a.c=1", "/a"],
        &["explain", OLD, "--set", "a.c=1"],
        &["explain", OLD, "--set", "a.c=1", "--format", "html"],
        &["explain", OLD, "/nothing"],
        &["plan", OLD, "--set", "a.c=1"],
        &["check", OLD, NEW],
        &["check", OLD, NEW, "--format", "github"],
        &["diff", "--git", OLD, OLD, "1", "100644", NEW, "2", "100755", NEW, "similar"],
        &["diff", "--git", OLD],
        &[OLD, "--set", "a.c=1", "--diff"],
        &[OLD, NEW, "--set", "a.c=1", "--check"],
        &["save", OLD, NEW, "--explain-save"],
    ];
    for arguments in runs {
        let mut program = Command::new(PROGRAM);
        let output = program.args(arguments).current_dir(folder.path()).output().unwrap();
        for printed in [output.stdout, output.stderr] {
            let printed = String::from_utf8(printed).unwrap();
            let begins = printed.lines().any(|line| line.starts_with("::error::"));
            assert!(!begins, "{arguments:?}: {printed}");
        }
    }
}
