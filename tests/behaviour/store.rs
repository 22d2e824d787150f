//! The vars-store between runs: a run finds the values that an earlier one generated.

use std::fs;
use std::ops::Range;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use interpolate::unstable::diagnostic::Diagnostics;
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::{Os, Sources};
use interpolate::unstable::variables::{self, Bindings, FillOptions, Store};
use interpolate::unstable::yaml::{self, Options};
use tempfile::TempDir;

/// Definitions of every type, and a use of each of their fields.
const TYPES: [(&str, &[&str]); 4] = [
    ("name: pw, type: password", &["pw"]),
    (
        "name: tls, type: ssh",
        &["tls.public_key", "tls.private_key", "tls.public_key_fingerprint", "tls"],
    ),
    ("name: key, type: rsa", &["key.private_key", "key.public_key", "key"]),
    (
        "name: ca, type: certificate, options: {is_ca: true, key_length: 2048}",
        &["ca.certificate", "ca.ca", "ca.private_key", "ca"],
    ),
];

/// Runs the program. Returns the output and the new store.
fn run(text: &str, store: &str, roots: Range<usize>) -> Result<[String; 2], Diagnostics> {
    let mut sources = Sources::default();
    let mut read = |name, text| {
        let file = sources.add(name, text);
        let options = Options { dialect: Dialect::Go, ..Options::default() };
        yaml::read(&sources, file, &options)
    };
    let mut document = read("base.yml", text).expect("yaml");
    let mut found = Store::new("store.yml", read("store.yml", store));
    let rules = FillOptions { missing: true, unused: true, ..FillOptions::default() };
    let (given, world) = (Bindings::default(), Os::default());
    variables::fill(&mut document, roots, &given, Some(&mut found), &world, &rules)?;
    let kept = found.changed().unwrap_or_else(|| store.to_owned());
    Ok([document.to_string(), kept])
}

/// The fields have the names of the generated parts, so that a misplaced part is found.
fn manifest(rotation: usize) -> String {
    let (mut definitions, mut uses) = (String::new(), String::new());
    for i in 0..TYPES.len() {
        let (definition, names) = TYPES[(i + rotation) % TYPES.len()];
        definitions += &format!("- {{{definition}}}\n");
        let names = names.iter().map(|name| format!("- (({name}))\n"));
        uses += &names.collect::<String>();
    }
    let own = "public_key: base\nprivate_key: base\ncertificate: base\nca: base\n";
    format!("variables:\n{definitions}{own}uses:\n{uses}")
}

#[test]
fn the_next_run_prints_the_same() {
    for rotation in 0..TYPES.len() {
        let text = manifest(rotation);
        let old = "# kept\nother: 1\n";
        let text = format!("{text}other: ((other))\n");
        let [printed, store] = run(&text, old, 0..1).expect(&text);
        assert!(store.starts_with(old), "{store}");
        assert_eq!(run(&text, &store, 0..1).expect(&text), [printed, store]);
    }
}

#[test]
fn what_another_document_defines() {
    let text = "a: ((p))\n---\nvariables: [{name: p, type: password}]\na: ((p))\n";
    let strict = run(text, "", 0..2).err().map(|Diagnostics(all)| all.len());
    assert_eq!(strict, Some(1), "the first document has no value for p");
    let text = "variables: [{name: p, type: password}]\na: ((p))\n---\na: ((p))\n";
    let [printed, store] = run(text, "", 0..2).expect(text);
    assert_eq!(run(text, &store, 0..2).expect(text), [printed, store]);
}

/// Creates a folder with a manifest that defines two passwords, and a store if one is
/// given.
fn home(store: Option<&str>) -> TempDir {
    let home = tempfile::tempdir().unwrap();
    let base = "a: [((p)), ((q))]\nvariables:\n- {name: q, type: password}\n\
        - {name: p, type: password}\n";
    fs::write(home.path().join("base.yml"), base).unwrap();
    fs::create_dir(home.path().join("folder")).unwrap();
    if let Some(store) = store {
        fs::write(home.path().join("store.yml"), store).unwrap();
    }
    home
}

/// Runs the program with that store. Returns its exit status and its output.
fn interpolate(home: &TempDir, options: &str) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_interpolate"))
        .args(["base.yml", "--vars-store", "store.yml"])
        .args(options.split_whitespace())
        .current_dir(home.path())
        .output()
        .unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

fn store(home: &TempDir) -> Option<String> {
    fs::read_to_string(home.path().join("store.yml")).ok()
}

fn mode(home: &TempDir) -> u32 {
    let found = fs::metadata(home.path().join("store.yml")).unwrap();
    found.permissions().mode() & 0o777
}

#[test]
fn a_new_store_is_private_and_the_next_run_finds_it() {
    let home = home(None);
    let (code, printed) = interpolate(&home, "");
    let made = store(&home).expect("a store");
    let [p, q] = ["p: ", "q: "].map(|key| {
        made.lines().find_map(|line| line.strip_prefix(key)).expect("a password")
    });
    assert_eq!((code, printed), (0, format!("a: [{p}, {q}]\nvariables: []\n")));
    assert_eq!(made, format!("q: {q}\np: {p}\n"));
    assert_eq!(mode(&home), 0o600);
    assert_eq!(interpolate(&home, ""), (0, format!("a: [{p}, {q}]\nvariables: []\n")));
    assert_eq!(store(&home), Some(made));
}

#[test]
fn an_old_store_keeps_its_mode_and_its_text() {
    let old = "# about z\nz: {k: 1} # kept\n\np: 'old'   # and this\na: |\n  text\n";
    let home = home(Some(old));
    let path = home.path().join("store.yml");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let (code, printed) = interpolate(&home, "");
    let new = store(&home).unwrap();
    let q = new.strip_prefix(&format!("{old}q: ")).expect(&new).trim_end();
    assert_eq!((code, printed), (0, format!("a: ['old', {q}]\nvariables: []\n")));
    assert_eq!(mode(&home), 0o640);
}

/// Options with which nothing may be written, and the exit status of the run.
const NOTHING: [(&str, i32); 14] = [
    ("--diff", 0),
    ("--check", 1),
    ("--diff --check", 1),
    ("-i --diff --check", 2),
    ("--path /nope", 1),
    ("--path /a/7", 1),
    ("--path nope", 1),
    ("-v unused=1 --var-errs-unused", 1),
    ("-v p.q=1 --path /nope", 1),
    ("-l absent.yml", 2),
    ("-o absent.yml", 2),
    ("--output folder", 2),
    ("--output absent/out.yml", 2),
    ("--output base.yml/out.yml", 2),
];

#[test]
fn a_run_that_fails_or_only_looks_writes_nothing() {
    for old in [None, Some("# kept\nz: 1\n")] {
        for (options, code) in NOTHING {
            let home = home(old);
            let before = files(&home);
            let (found, _) = interpolate(&home, options);
            assert_eq!(found, code, "{options}");
            assert_eq!(files(&home), before, "{options}");
        }
    }
}

fn files(home: &TempDir) -> Vec<(PathBuf, Option<String>)> {
    let entries = fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        entries.map(|path| (path.clone(), fs::read_to_string(path).ok())).collect();
    files.sort();
    files
}
