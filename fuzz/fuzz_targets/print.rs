//! Any text in Go's dialect: printing it as bosh does never panics, and what is printed
//! prints the same again.
#![no_main]

use interpolate::scalar::Dialect;
use interpolate::source::Sources;
use interpolate::yaml::{self, Options};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    let mut sources = Sources::default();
    let file = sources.add("fuzz.yml", data);
    let options = Options { dialect: Dialect::Go, ..Options::default() };
    let Ok(document) = yaml::read(&sources, file, &options) else { return };
    let Ok(printed) = yaml::go(&document, document.root()) else { return };
    let file = sources.add("printed.yml", &*printed);
    let again = yaml::read(&sources, file, &options).expect("what is printed can be read");
    let _ = yaml::go(&again, again.root());
});
