//! Many ops that fail for one reason: a search of all entries for each would take minutes.

use std::fmt::Write;

use interpolate::unstable::language;
use interpolate::unstable::node::Tree;
use interpolate::unstable::rebase::{self, Status};
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Options};

/// Number of entries.
const COUNT: usize = 2_000;

#[test]
fn many_ops_under_a_removed_mapping() {
    let (mut old, mut ops) = ("kept: 1\nlost:\n".to_owned(), String::new());
    for number in 0..COUNT {
        writeln!(old, "  key{number}: {number}").unwrap();
        writeln!(ops, "- {{type: replace, path: /lost/key{number}, value: 0}}").unwrap();
    }
    let old = read(&old);
    let new = read("kept: 1\n");
    let patch = language::ops(&read(&ops), "ops.yml").unwrap();
    let verdicts = rebase::rebase(&old, &new, &patch, [0, 0]).unwrap();
    assert_eq!(verdicts.len(), COUNT);
    assert!(verdicts.iter().all(|verdict| verdict.status == Status::Gone));
}

fn read(text: &str) -> Tree {
    let mut sources = Sources::default();
    let file = sources.add("text.yml", text);
    yaml::read(&sources, file, &Options::default()).unwrap()
}
