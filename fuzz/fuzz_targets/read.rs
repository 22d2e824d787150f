//! Any bytes: reading never panics, and the document prints as the same bytes.
#![no_main]

use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Options};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for dialect in [Dialect::Core, Dialect::Go, Dialect::Yaml11] {
        let mut sources = Sources::default();
        let Ok(source) = yaml::decode("fuzz.yml".into(), data.to_vec(), dialect) else {
            continue;
        };
        let text = source.text.clone();
        let file = sources.push(source);
        let options = Options { dialect, ..Options::default() };
        if let Ok(document) = yaml::read(&sources, file, &options) {
            assert_eq!(document.to_string(), &*text);
        }
    }
});
