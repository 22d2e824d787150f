//! A document: reading it as a Rust value never panics, and the value becomes a node and a
//! text that are read as the same value.
#![no_main]

use interpolate::unstable::convert::{deserialize, serialize};
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Options};
use interpolate_fuzz::is_small;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|data: &str| {
    let mut sources = Sources::default();
    let (file, options) = (sources.add("base.yml", data), Options::default());
    let Ok(mut tree) = yaml::read(&sources, file, &options) else { return };
    if !is_small(&tree) {
        return;
    }
    let Ok(value) = deserialize::<Value>(&tree, tree.root()) else { return };
    // The list makes one level more, and may be too deep.
    let Ok(node) = serialize(&mut tree, &[&value]) else { return };
    let again: [Value; 1] = deserialize(&tree, node).expect("a node was made");
    assert_eq!(again, [value]);
    let text = yaml::print_found(&tree, node).expect("a collection is printed");
    let file = sources.add("made.yml", String::from_utf8_lossy(&text).into_owned());
    let printed = yaml::read(&sources, file, &options).expect("printed text is read");
    let read: [Value; 1] = deserialize(&printed, printed.root()).expect("it was a value");
    assert_eq!(read, again);
});
