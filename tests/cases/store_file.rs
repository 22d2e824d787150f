//! The vars-store as a file: a generated value is never lost, and a failing run changes
//! nothing.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const BASE: &str = "variables: [{name: p, type: password}]\na: ((p))\n";

struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Home {
        let home = Home(tempfile::tempdir().unwrap());
        fs::write(home.path("base.yml"), BASE).unwrap();
        home
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_interpolate"));
        command.current_dir(self.0.path()).args(arguments.split(' '));
        command
    }

    /// Runs the program, which must exit with `code`. Returns its messages.
    fn run(&self, arguments: &str, code: i32) -> String {
        let output: Output = self.command(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments}\n{said}");
        said
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
        let mut names: Vec<String> = entries.map(|entry| name(entry.unwrap())).collect();
        names.sort();
        names
    }
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_run_that_fails_writes_nothing() {
    let home = Home::new();
    for arguments in [
        "base.yml --vars-store s --output no/such/folder",
        "base.yml --vars-store s --output .",
        "base.yml --vars-store s -v q=1 --var-errs-unused",
        "base.yml --vars-store s --path /b",
    ] {
        let code = if arguments.contains("--output") { 2 } else { 1 };
        home.run(arguments, code);
        assert_eq!(home.names(), ["base.yml"], "{arguments}");
    }
    for arguments in ["base.yml --vars-store s --diff", "base.yml --vars-store s --check"]
    {
        home.command(arguments).output().unwrap();
        assert_eq!(home.names(), ["base.yml"], "{arguments}");
    }
}

#[test]
fn where_it_is_made() {
    let home = Home::new();
    symlink("target", home.path("link")).unwrap();
    for (name, file) in [("new", "new"), ("link", "target"), ("a/b/c", "a/b/c")] {
        home.run(&format!("base.yml --vars-store {name}"), 0);
        assert_eq!(mode(&home.path(file)), 0o600);
    }
    assert_eq!(mode(&home.path("a/b")), 0o700);
    assert!(home.path("link").is_symlink());
    fs::set_permissions(home.path("new"), fs::Permissions::from_mode(0o640)).unwrap();
    fs::write(home.path("base.yml"), BASE.replace("p,", "q,")).unwrap();
    home.run("base.yml --vars-store new", 0);
    assert_eq!(mode(&home.path("new")), 0o640);
}

#[test]
fn the_result_goes_elsewhere() {
    let home = Home::new();
    for arguments in [
        "base.yml --vars-store s --output s",
        "base.yml --vars-store s --output ./s",
        "base.yml --vars-store base.yml -i",
    ] {
        let said = home.run(arguments, 2);
        assert!(said.contains("over the vars-store"), "{said}");
        assert_eq!(home.names(), ["base.yml"]);
    }
}

#[test]
fn a_document_that_stays_as_it_is() {
    let home = Home::new();
    let text = "variables: [{name: a.p, type: password}, {name: a, type: x}]\nb: 1\n";
    fs::write(home.path("base.yml"), text).unwrap();
    home.run("base.yml -v a=1 --vars-store s -i", 0);
    assert!(fs::read_to_string(home.path("s")).unwrap().starts_with("a.p: "));
}

#[test]
fn runs_at_one_time() {
    let home = Home::new();
    let base = |i| format!("variables: [{{name: p{i}, type: password}}]\na: ((p{i}))\n");
    for i in 0..12 {
        fs::write(home.path(&format!("{i}.yml")), base(i)).unwrap();
    }
    let start = |i: usize| {
        let mut command = home.command(&format!("{i}.yml --vars-store s"));
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
    };
    let runs: Vec<_> = (0..12).map(start).collect();
    let done = runs.into_iter().map(|run| run.wait_with_output().unwrap());
    let done: Vec<Output> = done.collect();
    let store = fs::read_to_string(home.path("s")).unwrap();
    for output in done.iter().filter(|output| output.status.success()) {
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let made = text.trim_end().rsplit(' ').next().unwrap();
        assert!(store.contains(made), "{store}");
    }
}
