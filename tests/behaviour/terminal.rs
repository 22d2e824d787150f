//! What only a terminal sees: standard error, and in some tests standard output too, is one
//! end of a pseudo-terminal.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// A run of the program with its terminal.
struct Run {
    child: Child,
    terminal: File,
    seen: String,
}

impl Run {
    fn start(arguments: &str, folder: &Path) -> Run {
        Run::with_output(arguments, folder, |_| Stdio::piped())
    }

    /// Starts the program with a standard output made of the other end of the terminal.
    fn with_output(arguments: &str, folder: &Path, output: fn(&File) -> Stdio) -> Run {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY;
        let terminal = openpt(flags).unwrap();
        grantpt(&terminal).unwrap();
        unlockpt(&terminal).unwrap();
        let name = ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
        let other_end = fs::OpenOptions::new().read(true).write(true).open(name).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_interpolate"))
            .args(arguments.split(' '))
            .current_dir(folder)
            .env("NO_COLOR", "1")
            .stdin(Stdio::piped())
            .stdout(output(&other_end))
            .stderr(other_end)
            .spawn()
            .unwrap();
        Run { child, terminal: terminal.into(), seen: String::new() }
    }

    /// Reads until the terminal shows a text, or to its end.
    fn see(&mut self, wanted: Option<&str>) {
        let mut bytes = [0; 4096];
        while !wanted.is_some_and(|wanted| self.seen.contains(wanted)) {
            // An error tells that the other end is closed.
            match self.terminal.read(&mut bytes) {
                Ok(0) | Err(_) => break,
                Ok(count) => {
                    self.seen.push_str(&String::from_utf8_lossy(&bytes[..count]));
                }
            }
        }
    }

    /// Reads all that the program writes. Returns its standard output, and the terminal.
    fn end(mut self) -> (String, String) {
        drop(self.child.stdin.take());
        self.see(None);
        let output = self.child.wait_with_output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), self.seen)
    }
}

#[test]
fn waits_for_standard_input_are_told_once() {
    let home = tempfile::tempdir().unwrap();
    let mut run = Run::start("- --set b=2", home.path());
    run.see(Some("waiting for standard input"));
    run.child.stdin.as_mut().unwrap().write_all(b"a: 1\n").unwrap();
    let (printed, seen) = run.end();
    assert_eq!(printed, "a: 1\nb: 2\n");
    assert_eq!(seen, "waiting for standard input\u{2026}\r\n");
}

#[test]
fn waits_for_a_pipe_are_told_with_its_name() {
    let home = tempfile::tempdir().unwrap();
    let pipe = home.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    fs::write(home.path().join("values.yml"), "b: 1\n").unwrap();
    let mut run = Run::start("pipe -l values.yml", home.path());
    run.see(Some("waiting for 'pipe'"));
    fs::write(&pipe, "a: ((b))\n").unwrap();
    let (printed, seen) = run.end();
    assert_eq!(printed, "a: 1\n");
    assert_eq!(seen, "waiting for 'pipe'\u{2026}\r\n");
}

/// Tests that a terminal gets a hundred of many failures, and a pipe all of them.
fn sees_a_hundred(arguments: &str, output: fn(&File) -> Stdio) {
    let home = tempfile::tempdir().unwrap();
    let op = |at: usize| format!("- {{type: remove, path: /missing{at}}}\n");
    fs::write(home.path().join("base.yml"), "a: 1\n").unwrap();
    fs::write(home.path().join("ops.yml"), (0..1250).map(op).collect::<String>())
        .unwrap();
    let (_, seen) = Run::with_output(arguments, home.path(), output).end();
    assert_eq!(seen.matches("error: ").count(), 100);
    assert!(seen.contains("\nand 1,150 more\r\n"), "{seen}");
    let output = Command::new(env!("CARGO_BIN_EXE_interpolate"))
        .args(arguments.split(' '))
        .current_dir(home.path())
        .output()
        .unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert_eq!(said.matches("error: ").count(), 1250);
}

#[test]
fn a_terminal_sees_a_hundred_diagnostics() {
    sees_a_hundred("base.yml -o ops.yml", |_| Stdio::piped());
}

#[test]
fn a_terminal_sees_a_hundred_findings() {
    sees_a_hundred("check base.yml -o ops.yml", |end| end.try_clone().unwrap().into());
}

#[test]
fn a_terminal_sees_no_control_characters_of_a_message_of_bosh() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("base.yml"), "a: 1\n").unwrap();
    let op = "- {type: remove, path: \"/\\e]0;title\\a\"}\n";
    fs::write(home.path().join("ops.yml"), op).unwrap();
    let arguments = ["base.yml", "-o", "ops.yml", "--format", "bosh"];
    let (_, seen) = Run::start(&arguments.join(" "), home.path()).end();
    assert!(seen.contains("Expected to find a map key '␛]0;title␇'"), "{seen}");
    assert!(!seen.contains(['\x1b', '\x07']), "{seen:?}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_interpolate"));
    let output = command.args(arguments).current_dir(home.path()).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("Expected to find a map key '\x1b]0;title\x07'"), "{said:?}");
}
