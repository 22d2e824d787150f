//! Two documents, separated by a NUL: comparing them never panics, and the ops turn the
//! one into the other, applied directly and after they were printed and read.
#![no_main]

use interpolate::unstable::node::Tree;
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Expansion, Options};
use interpolate::unstable::{apply, diff, language};
use interpolate_fuzz::{is_plain, is_small};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    let Some((old, new)) = data.split_once('\0') else { return };
    let mut sources = Sources::default();
    let (old, new) = (sources.add("old.yml", old), sources.add("new.yml", new));
    let options = Options::default();
    let Ok(old) = yaml::read(&sources, old, &options) else { return };
    let Ok(new) = yaml::read(&sources, new, &options) else { return };
    if !(is_small(&old) && is_small(&new)) {
        return;
    }
    let patch = diff::diff(&old, &new).expect("clean documents");
    let Ok(printed) = language::print_ops(&patch) else { return };
    let ops = sources.add("ops.yml", printed);
    let ops = yaml::read(&sources, ops, &options).expect("what is printed can be read");
    let again = language::ops(&ops, "ops.yml").expect("what is printed are ops");
    let Some(wanted) = meaning(&new) else { return };
    for patch in [&patch, &again] {
        let mut patched = old.clone();
        apply::apply(patch, &mut patched, 0..1).expect("the ops fit the document");
        let Some(found) = meaning(&patched) else { return };
        assert_eq!(found, wanted);
    }
});

/// Returns the data of a document with sorted keys, if it can be compared.
fn meaning(document: &Tree) -> Option<String> {
    if !is_plain(document) {
        return None;
    }
    let limit = Expansion(1 << 20);
    yaml::go::print(document, document.root(), limit).ok()
}
