//! Results for a path of an open file, such as `/dev/stdout`: what the file holds stays.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

fn run(folder: &Path, output: &str, stdout: impl Into<Stdio>) -> (Option<i32>, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_interpolate"))
        .args(["base.yml", "--set", "a=2", "--output", output])
        .current_dir(folder)
        .stdout(stdout)
        .output()
        .unwrap();
    (done.status.code(), String::from_utf8(done.stdout).unwrap())
}

/// Returns a folder with a document, and a log in it.
fn home() -> (tempfile::TempDir, std::path::PathBuf) {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("base.yml"), "a: 1\n").unwrap();
    let log = home.path().join("log");
    fs::write(&log, "a line of the log\n").unwrap();
    (home, log)
}

#[test]
fn a_result_follows_what_standard_output_holds() {
    let (home, log) = home();
    for path in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        fs::write(&log, "a line of the log\n").unwrap();
        let open = OpenOptions::new().append(true).open(&log).unwrap();
        assert_eq!(run(home.path(), path, open).0, Some(0), "{path}");
        let text = fs::read_to_string(&log).unwrap();
        assert_eq!(text, "a line of the log\na: 2\n", "{path}");
    }
}

#[test]
fn a_result_moves_the_position_of_standard_output() {
    let (home, log) = home();
    let mut open = File::create(&log).unwrap();
    open.write_all(b"before\n").unwrap();
    let copy = open.try_clone().unwrap();
    assert_eq!(run(home.path(), "/dev/stdout", copy).0, Some(0));
    open.write_all(b"after\n").unwrap();
    assert_eq!(fs::read_to_string(&log).unwrap(), "before\na: 2\nafter\n");
}

#[test]
fn a_file_that_is_open_for_others_is_left_alone() {
    let (home, _) = home();
    let input = File::open(home.path().join("base.yml")).unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_interpolate"))
        .args(["base.yml", "--set", "a=2", "--output", "/dev/stdin"])
        .current_dir(home.path())
        .stdin(input)
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert!(String::from_utf8(done.stderr).unwrap().contains("by its own name"));
    assert_eq!(fs::read_to_string(home.path().join("base.yml")).unwrap(), "a: 1\n");
}

#[test]
fn a_result_goes_into_a_pipe() {
    let (home, _) = home();
    let printed = run(home.path(), "/dev/stdout", Stdio::piped());
    assert_eq!(printed, (Some(0), "a: 2\n".into()));
}

#[test]
fn a_link_to_a_file_is_followed() {
    let (home, log) = home();
    std::os::unix::fs::symlink("log", home.path().join("1")).unwrap();
    assert_eq!(run(home.path(), "1", Stdio::null()).0, Some(0));
    assert_eq!(fs::read_to_string(&log).unwrap(), "a: 2\n");
    assert!(home.path().join("1").is_symlink());
}

#[test]
fn a_report_that_cannot_be_printed_leaves_the_files() {
    let runs: [&[&str]; 3] = [
        &["base.yml", "--set", "a=2", "-i", "--diff"],
        &["check", "--fix", "base.yml", "--format", "json"],
        &["rebase", "--fix", "base.yml", "new.yml", "-o", "ops.yml"],
    ];
    for arguments in runs {
        let home = tempfile::tempdir().unwrap();
        let files = [
            ("base.yml", "a: {b: 1, b: 1}\nc: {x: 1, y: 2}\n"),
            ("new.yml", "a: {b: 1, b: 1}\nd: {x: 1, y: 2}\n"),
            ("ops.yml", "- {type: replace, path: /c/x, value: 3}\n"),
        ];
        for (name, text) in files {
            fs::write(home.path().join(name), text).unwrap();
        }
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let done = Command::new(env!("CARGO_BIN_EXE_interpolate"))
            .args(arguments)
            .current_dir(home.path())
            .stdout(full)
            .output()
            .unwrap();
        assert_eq!(done.status.code(), Some(2), "{arguments:?}");
        for (name, text) in files {
            let left = fs::read_to_string(home.path().join(name)).unwrap();
            assert_eq!(left, text, "{arguments:?}");
        }
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), files.len());
    }
}
