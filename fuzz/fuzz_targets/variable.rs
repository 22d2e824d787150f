//! A manifest and the value of its variable `x`, apart by a NUL: filling in never
//! panics, and what is printed can be read.
#![no_main]

use interpolate::source::{Os, Sources};
use interpolate::variables::{self, Given, Rules};
use interpolate::yaml::{self, Expansion, Options};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    let Some((base, value)) = data.split_once('\0') else { return };
    for found in variables::uses(base) {
        assert!(base[found.range].contains(found.name));
    }
    let mut given = Given::default();
    given.add_text("x", value);
    let mut sources = Sources::default();
    let base = sources.add("base.yml", base);
    let Ok(mut document) = yaml::read(&sources, base, &Options::default()) else { return };
    let rules = Rules { expansion: Expansion(1 << 20), ..Rules::default() };
    if variables::fill(&mut document, 0..1, &given, None, &Os::default(), &rules).is_ok() {
        let printed = sources.add("printed.yml", document.to_string());
        yaml::read(&sources, printed, &Options::default()).expect("what is printed can be read");
    }
});
