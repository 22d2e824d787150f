//! The vars-store between runs: what a run makes is what the next one finds.

use std::ops::Range;

use interpolate::diagnostic::Diagnostics;
use interpolate::scalar::Dialect;
use interpolate::source::{Os, Sources};
use interpolate::variables::{self, Given, Rules, Store};
use interpolate::yaml::{self, Options};

/// Every type, and a use of each of its fields.
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

/// A run; what it prints and the store it leaves.
fn run(text: &str, store: &str, roots: Range<usize>) -> Result<[String; 2], Diagnostics> {
    let mut sources = Sources::default();
    let mut read = |name, text| {
        let file = sources.add(name, text);
        let options = Options { dialect: Dialect::Go, ..Options::default() };
        yaml::read(&sources, file, &options)
    };
    let mut document = read("base.yml", text).expect("yaml");
    let mut found = Store::new("store.yml", read("store.yml", store));
    let rules = Rules { missing: true, unused: true, ..Rules::default() };
    let (given, world) = (Given::default(), Os::default());
    variables::fill(&mut document, roots, &given, Some(&mut found), &world, &rules)?;
    let kept = found.changed().unwrap_or_else(|| store.to_owned());
    Ok([document.to_string(), kept])
}

/// The fields have the names of what is made, to be found where they do not belong.
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
