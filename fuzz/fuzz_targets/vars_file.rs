//! A vars file: reading it, its dotted names and using its values never panics.
#![no_main]

use interpolate::scalar::Dialect;
use interpolate::source::{Os, Sources};
use interpolate::variables::{self, Given, Rules};
use interpolate::yaml::{self, Expansion, Options};
use libfuzzer_sys::fuzz_target;

const BASE: &str = "x: ((a))\ny: [((a.b)), 'p((a.b.0))']\n((k)): &k ((c.d))\nz: *k\n";

fuzz_target!(|data: &str| {
    let mut sources = Sources::default();
    let (base, file) = (sources.add("base.yml", BASE), sources.add("vars.yml", data));
    let options = Options { dialect: Dialect::Go, ..Options::default() };
    let Ok(file) = yaml::read(&sources, file, &options) else { return };
    let mut given = Given::default();
    if given.add_entries(&file).is_err() {
        return;
    }
    let mut document =
        yaml::read(&sources, base, &Options::default()).expect("the base can be read");
    let rules = Rules { expansion: Expansion(1 << 20), ..Rules::default() };
    if variables::fill(&mut document, 0..1, &given, None, &Os::default(), &rules).is_ok() {
        let _ = document.to_string();
    }
});
