//! A document with merge directives and the files that it includes, apart by NULs:
//! compiling and applying never panics and stays in bounds, and what is printed reads back
//! as what the merged document means.
#![no_main]

use interpolate::node::{Document, Kind};
use interpolate::source::{Memory, Sources};
use interpolate::yaml::{self, Expansion, Options};
use interpolate::{apply, compile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    let mut texts = data.split('\0');
    let base = texts.next().unwrap_or_default();
    let files = (0..).map(|n| format!("{n}.yml").into()).zip(texts.map(str::to_owned));
    let environment = [("SET".to_owned(), "yes".to_owned())].into();
    let world = Memory { files: files.collect(), environment };
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

/// What a document means; none if it is too large, or if a key is no scalar, which JSON
/// shows as it is written.
fn meaning(document: &Document) -> Option<String> {
    let mut todo = vec![document.root()];
    let mut left = 10_000_u32;
    while let Some(node) = todo.pop() {
        left = left.checked_sub(1)?;
        todo.extend(document.items(node));
        for (key, value) in document.pairs(node) {
            if document.kind(key) != Kind::Scalar {
                return None;
            }
            todo.push(value);
        }
    }
    yaml::json::print(document, document.root(), Expansion(4 << 20)).ok()
}
