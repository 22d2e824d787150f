//! Prints any string as a value, and values that are large or deep, in the ways of
//! `--format bosh` and of JSON.

use interpolate::unstable::diagnostic::Result;
use interpolate::unstable::node::Tree;
use interpolate::unstable::scalar::{Dialect, Quote, spell_quoted};
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Expansion, Options};
use proptest::proptest;

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

fn read(text: &str, dialect: Dialect) -> Result<Tree> {
    let mut sources = Sources::default();
    let file = sources.add("a.yml", text);
    yaml::read(&sources, file, &Options { dialect, ..Options::default() })
}
