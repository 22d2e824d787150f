//! Tests how values are printed by `--format bosh` and as JSON: fixtures/print/. `BLESS=1
//! cargo test` rewrites the expected results.

use std::fs;
use std::path::{Path, PathBuf};

use interpolate::unstable::diagnostic::Result;
use interpolate::unstable::node::Tree;
use interpolate::unstable::scalar::{Dialect, Quote, spell_quoted};
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Expansion, Options};
use proptest::proptest;

#[test]
fn as_bosh() {
    run("fixtures/print/go", Dialect::Go, |document| {
        yaml::go::print(document, document.root(), Expansion::default())
    });
}

#[test]
fn as_json() {
    run("fixtures/print/json", Dialect::Core, |document| {
        yaml::json::print(document, document.root(), Expansion::default())
    });
}

/// Printing what yaml.v2 printed gives the same text again.
#[test]
fn bosh_again() {
    for file in files("fixtures/print/go", "out") {
        let text = fs::read_to_string(&file).expect("an output");
        let document = read(&text, Dialect::Go).expect("its own output");
        let again = yaml::go::print(&document, document.root(), Expansion::default());
        assert_eq!(again.expect("a text"), text, "{}", file.display());
    }
}

proptest! {
    /// yaml.v2 reads every printed string back.
    #[test]
    fn any_string(text in "[ab .:#'\"\\\\,?!&*|>%@~0-9\\-\\[\\]{}\t\n\ré\u{7}\u{85}\u{2028}\u{feff}\u{1f600}]{0,150}") {
        let quoted = spell_quoted(&text, Quote::Double);
        let list = format!("- {quoted}\n- {{a: {quoted}}}\n- ? {quoted}\n  : {quoted}\n- - - {quoted}\n");
        let document = read(&list, Dialect::Go).unwrap();
        let printed = yaml::go::print(&document, document.root(), Expansion::default()).unwrap();
        let again = read(&printed, Dialect::Go).expect(&printed);
        let json = |d: &Tree| yaml::json::print(d, d.root(), Expansion::default()).unwrap();
        assert_eq!(json(&again), json(&document), "{printed}");
    }
}

#[test]
fn aliases_in_aliases() {
    let mut bomb = "a0: &a0 [word, word]\n".to_owned();
    for i in 1..30 {
        bomb += &format!("a{i}: &a{i} [*a{0}, *a{0}]\n", i - 1);
    }
    let document = read(&bomb, Dialect::Core).expect("a document");
    let limit = Expansion(1 << 20);
    for printed in [
        yaml::go::print(&document, document.root(), limit),
        yaml::json::print(&document, document.root(), limit),
    ] {
        let refusal = printed.expect_err("too large");
        assert!(refusal.hints[0].contains("--limit expansion=N"), "{refusal:?}");
    }
}

#[test]
fn deep() {
    let text = "[".repeat(3_000) + &"]".repeat(3_000);
    let document = read(&text, Dialect::Core).expect("a document");
    let limit = Expansion(1 << 30);
    assert!(yaml::go::print(&document, document.root(), limit).is_ok());
    assert!(yaml::json::print(&document, document.root(), limit).is_ok());
}

fn run(folder: &str, dialect: Dialect, print: fn(&Tree) -> Result<String>) {
    for file in files(folder, "yml") {
        let text = fs::read_to_string(&file).expect("a document");
        let printed = read(&text, dialect).and_then(|document| print(&document));
        let printed = printed.unwrap_or_else(|e| format!("error: {}\n", e.message));
        let expected = file.with_extension("out");
        if std::env::var_os("BLESS").is_some() {
            fs::write(&expected, &printed).expect("a place for the output");
        }
        let wanted = fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(printed, wanted, "{}", file.display());
    }
}

fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries =
        fs::read_dir(folder).expect("a folder").map(|e| e.expect("a file").path());
    entries.filter(|path| path.extension().is_some_and(|e| e == extension)).collect()
}

fn read(text: &str, dialect: Dialect) -> Result<Tree> {
    let mut sources = Sources::default();
    let file = sources.add("a.yml", text);
    yaml::read(&sources, file, &Options { dialect, ..Options::default() })
}
