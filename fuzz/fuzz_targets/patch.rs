//! A base and an ops-file, separated by a NUL: patching never panics, and the printed
//! text reads back as the patched document.
#![no_main]

use interpolate::unstable::diagnostic::Result;
use interpolate::unstable::node::Tree;
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Expansion, Options};
use interpolate::unstable::{apply, compile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    let Some((base, ops)) = data.split_once('\0') else { return };
    let mut sources = Sources::default();
    let (base, ops) = (sources.add("base.yml", base), sources.add("ops.yml", ops));
    let options = Options::default();
    let Ok(mut document) = yaml::read(&sources, base, &options) else { return };
    let Ok(ops) = yaml::read(&sources, ops, &options) else { return };
    let Ok(patch) = compile::ops(&ops, "ops.yml") else { return };
    if apply::apply(&patch, &mut document, 0..1).is_err() {
        return;
    }
    let printed = sources.add("printed.yml", document.to_string());
    let Ok(meaning) = json(&document) else { return };
    let again =
        yaml::read(&sources, printed, &options).expect("what is printed can be read");
    assert_eq!(json(&again).expect("as before"), meaning);
});

fn json(document: &Tree) -> Result<String> {
    yaml::json::print(document, document.root(), Expansion::default())
}
