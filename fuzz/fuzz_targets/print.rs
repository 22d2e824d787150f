//! Any text in Go's dialect: printing it as bosh does never panics, and the printed text
//! prints the same again.
#![no_main]

use interpolate::unstable::diagnostic::Result;
use interpolate::unstable::node::Tree;
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Expansion, Options};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    // bosh prints the text `<<` without quotes, and cannot read what it printed.
    if data.contains("<<") {
        return;
    }
    let mut sources = Sources::default();
    let file = sources.add("fuzz.yml", data);
    let options = Options { dialect: Dialect::Go, ..Options::default() };
    let Ok(document) = yaml::read(&sources, file, &options) else { return };
    let Ok(printed) = go(&document) else { return };
    let file = sources.add("printed.yml", &*printed);
    let again =
        yaml::read(&sources, file, &options).expect("what is printed can be read");
    go(&again).expect("as before");
});

fn go(document: &Tree) -> Result<String> {
    yaml::go::print(document, document.root(), Expansion::default())
}
