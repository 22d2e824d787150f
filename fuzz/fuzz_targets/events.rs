//! Any text: the reader, in strict mode, finds the same events as saphyr-parser, or one of
//! the rules below tells why not.
#![no_main]

use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Options};
use interpolate_fuzz::events::{of_arena, of_saphyr};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    let mut sources = Sources::default();
    let file = sources.add("fuzz.yml", data);
    let options = Options { strict: true, ..Options::default() };
    let (Ok(ours), Ok(theirs)) = (yaml::read(&sources, file, &options), of_saphyr(data))
    else {
        return;
    };
    let ours = of_arena(ours.base());
    assert_eq!(ours, theirs);
});
