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

/// All runs succeed: each has its own value, and the one of a common variable.
#[test]
fn runs_at_one_time() {
    let home = Home::new();
    let base = |i| {
        let own = format!("{{name: p{i}, type: password}}");
        let common = "{name: common, type: password}";
        format!("variables: [{own}, {common}]\na: [((p{i})), ((common))]\n")
    };
    for i in 0..12 {
        fs::write(home.path(&format!("{i}.yml")), base(i)).unwrap();
    }
    let start = |i: usize| {
        let mut command = home.command(&format!("{i}.yml --quiet --vars-store s"));
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let runs: Vec<_> = (0..12).map(start).collect();
    let done = runs.into_iter().map(|run| run.wait_with_output().unwrap());
    let done: Vec<Output> = done.collect();
    let store = fs::read_to_string(home.path("s")).unwrap();
    assert_eq!(store.lines().count(), 13, "{store}");
    for (i, output) in done.iter().enumerate() {
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*said), (Some(0), ""));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let (_, values) = text.trim_end().rsplit_once("a: [").unwrap();
        let (own, common) = values.trim_end_matches(']').split_once(", ").unwrap();
        assert!(store.contains(&format!("p{i}: {own}\n")), "{store}");
        assert!(store.contains(&format!("common: {common}\n")), "{store}");
    }
}

/// A template of the run itself changes the store, after it was read.
#[test]
fn a_store_that_changes_meanwhile_is_read_again() {
    let home = Home::new();
    let variables = "variables: [{name: p, type: password}, {name: q, type: password}]";
    let change = "test -e done || { touch done; echo \"q: theirs\" >> s; }";
    let text = format!(
        "{variables}\na: [((p)), ((q))]\nb: \"{{{{ lookup('pipe', 'sh change') }}}}\"\n"
    );
    fs::write(home.path("base.yml"), text).unwrap();
    fs::write(home.path("change"), change).unwrap();
    let arguments = "base.yml --quiet --vars-store s --eval --allow pipe";
    let output = home.command(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*said), (Some(0), ""));
    let store = fs::read_to_string(home.path("s")).unwrap();
    let made = store.strip_prefix("q: theirs\np: ").expect(&store).trim_end();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains(&format!("a: [{made}, theirs]\n")), "{printed}");
    // A store that never stays as it was read is an error, and nothing is lost.
    fs::write(home.path("change"), "date +%N >> log; echo \"x: $(wc -l < log)\" >> s")
        .unwrap();
    fs::write(home.path("s"), "").unwrap();
    let said = home.run(arguments, 2);
    assert!(said.contains("was changed meanwhile; nothing was written"), "{said}");
    let store = fs::read_to_string(home.path("s")).unwrap();
    assert!(store.starts_with("x: ") && !store.contains("p: "), "{store}");
}

/// A certificate is made again if its authority is another one by then.
#[test]
fn an_authority_that_changes_meanwhile_signs() {
    let home = Home::new();
    let variable = |name: &str, options: &str| {
        format!(
            "- {{name: {name}, type: certificate, options: {{key_length: 2048, {options}}}}}\n"
        )
    };
    let authority = variable("ca", "is_ca: true, common_name: ca");
    let leaf = variable("leaf", "ca: ca, common_name: leaf");
    let pipe = "{{ lookup('pipe', 'test -e done || { touch done; cp other s; }') }}";
    fs::write(home.path("other.yml"), format!("variables:\n{authority}")).unwrap();
    let uses = "a: ((leaf.ca))\nb: ((ca.certificate))\n";
    let text = format!("variables:\n{authority}{leaf}{uses}c: \"{pipe}\"\n");
    fs::write(home.path("base.yml"), text).unwrap();
    home.run("other.yml --vars-store other", 0);
    home.run("base.yml --quiet --vars-store s --eval --allow pipe", 0);
    let value = |path: &str| {
        let output = home.command(&format!("base.yml --vars-store s --path {path}"));
        let output = { output }.output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let other = fs::read_to_string(home.path("other")).unwrap();
    assert!(fs::read_to_string(home.path("s")).unwrap().starts_with(&other));
    assert!(value("/a").starts_with("-----BEGIN CERTIFICATE"));
    assert_eq!(value("/a"), value("/b"));
}

#[test]
fn a_store_that_others_read_is_told() {
    let home = Home::new();
    for (text, mode, is_told) in [
        ("p: x\n", 0o600, false),
        ("p: x\n", 0o640, true),
        ("p: x\n", 0o604, true),
        ("p: {private_key: x}\n", 0o644, true),
        ("p: {certificate: x}\n", 0o644, false),
        ("", 0o644, false),
    ] {
        fs::write(home.path("s"), text).unwrap();
        fs::set_permissions(home.path("s"), fs::Permissions::from_mode(mode)).unwrap();
        let said = home.run("base.yml --vars-store s --diff", 0);
        assert_eq!(said.contains(&format!("(mode {mode:o})")), is_told, "{text} {said}");
        assert_eq!(said.contains("`chmod 600 '"), is_told, "{said}");
        assert_eq!(home.run("base.yml --vars-store s --diff -q", 0), "");
    }
}

/// Writing to a full disk is an error, to a pipe that was closed none.
#[test]
fn standard_output_that_is_full() {
    let home = Home::new();
    let long = format!("a: {}\n", "x".repeat(1 << 20));
    fs::write(home.path("long.yml"), long).unwrap();
    for arguments in [
        "base.yml",
        "long.yml",
        "long.yml --format json",
        "long.yml --path /a",
        "long.yml --set a=1 --diff",
        "explain long.yml",
        "diff base.yml long.yml",
        "check base.yml --format json",
        "eval 1",
        "merge base.yml base.yml base.yml",
        "--help",
        "man",
        "completions bash",
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = home.command(arguments).stdout(full).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_ne!(output.status.code(), Some(0), "{arguments} {said}");
        let (read, write) = std::io::pipe().unwrap();
        drop(read);
        let output = home.command(arguments).stdout(write).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() < Some(2), "{arguments} {:?} {said}", output.status);
    }
}
