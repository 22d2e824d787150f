//! Three documents, separated by NULs: merging them never panics, an unchanged side leaves the
//! other one as it is, and both results can be read.
#![no_main]

use interpolate::unstable::node::Tree;
use interpolate::unstable::source::Sources;
use interpolate::unstable::three_way;
use interpolate::unstable::yaml::{self, Options};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    let mut texts = data.split('\0').map(read);
    let (Some(Some(base)), Some(Some(ours)), Some(Some(theirs))) =
        (texts.next(), texts.next(), texts.next())
    else {
        return;
    };
    let merged = three_way::merge(&base, &ours, &theirs);
    let (kept, other) = (merged.ours(), merged.theirs());
    assert!(read(&kept).is_some(), "with ours: {kept}");
    assert!(read(&other).is_some(), "with theirs: {other}");
    assert!(merged.has_conflicts() || kept == other);
    let same = three_way::merge(&base, &ours, &base);
    assert_eq!(same.marked(7), ours.base().text());
    let same = three_way::merge(&base, &base, &theirs);
    assert_eq!(same.marked(7), theirs.base().text());
});

fn read(text: &str) -> Option<Tree> {
    let mut sources = Sources::default();
    let file = sources.add("version.yml", text);
    yaml::read(&sources, file, &Options::default()).ok()
}
