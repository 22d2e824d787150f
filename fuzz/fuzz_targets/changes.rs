//! A document and a patch in any language, separated by a NUL: compiling and applying it,
//! as it is and as a merge patch, never panics, and the printed text reads back as the
//! patched document.
#![no_main]

mod plain;

use interpolate::unstable::node::Tree;
use interpolate::unstable::patch::Patch;
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Expansion, Options};
use interpolate::unstable::{apply, compile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    let Some((base, patch)) = data.split_once('\0') else { return };
    let mut sources = Sources::default();
    let (base, patch) = (sources.add("base.yml", base), sources.add("patch.yml", patch));
    let options = Options::default();
    let Ok(document) = yaml::read(&sources, base, &options) else { return };
    let Ok(patch) = yaml::read(&sources, patch, &options) else { return };
    let patches =
        [compile::patch(&patch, "patch.yml").ok(), compile::merge_patch(&patch).ok()];
    for patch in patches.into_iter().flatten() {
        check(&patch, document.clone(), &mut sources);
    }
});

fn check(patch: &Patch, mut document: Tree, sources: &mut Sources) {
    if apply::apply(patch, &mut document, 0..1).is_err() {
        return;
    }
    let Some(wanted) = meaning(&document) else { return };
    let printed = sources.add("printed.yml", document.to_string());
    let again = yaml::read(sources, printed, &Options::default())
        .expect("what is printed can be read");
    assert_eq!(meaning(&again).expect("as before"), wanted);
}

/// Returns the data of a document, if JSON can represent it.
fn meaning(document: &Tree) -> Option<String> {
    if !plain::is_plain(document) {
        return None;
    }
    yaml::json::print(document, document.root(), Expansion(4 << 20)).ok()
}
