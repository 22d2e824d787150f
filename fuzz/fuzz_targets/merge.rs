//! A document with merge directives and the files that it includes, separated by NULs:
//! compiling and applying never panics and stays within its limits, and the printed text
//! reads back as the merged document.
#![no_main]

use interpolate::unstable::node::Tree;
use interpolate::unstable::source::{Memory, Sources};
use interpolate::unstable::yaml::{self, Expansion, Options};
use interpolate::unstable::{apply, compile};
use interpolate_fuzz::is_plain;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    let mut texts = data.split('\0');
    let base = texts.next().unwrap_or_default();
    let files = (0..).map(|n| format!("{n}.yml").into()).zip(texts.map(str::to_owned));
    let environment = [("SET".to_owned(), "yes".to_owned())].into();
    let world = Memory { files: files.collect(), environment, ..Memory::default() };
    let mut sources = Sources::default();
    let base = sources.add("base.yml", base);
    let options = Options::default();
    let Ok(mut document) = yaml::read(&sources, base, &options) else { return };
    let rules = compile::Rules { expansion: Expansion(1 << 20), ..Default::default() };
    let patch = compile::directives(&document, 0, &mut sources, &world, &rules);
    let Ok(patch) = patch else { return };
    if apply::apply(&patch, &mut document, 0..1).is_err() {
        return;
    }
    let Some(wanted) = meaning(&document) else { return };
    let printed = sources.add("printed.yml", document.to_string());
    let again =
        yaml::read(&sources, printed, &options).expect("what is printed can be read");
    assert_eq!(meaning(&again).expect("as before"), wanted);
});

/// Returns the data of a document, if JSON can represent it.
fn meaning(document: &Tree) -> Option<String> {
    if !is_plain(document) {
        return None;
    }
    yaml::json::print(document, document.root(), Expansion(4 << 20)).ok()
}
