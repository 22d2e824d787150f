//! Tests `diff` on fixtures/diff/, an archive a case. `ops.yml` is the diff of `old.yml`
//! and `new.yml`; applied to `old.yml` it must give the data of `new.yml`, in the dialect
//! of the run and in bosh's. `BLESS=1` rewrites it.

use interpolate::unstable::node::Tree;
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::{FileId, Sources};
use interpolate::unstable::yaml::{self, Expansion, Options};
use interpolate::unstable::{apply, diff, language};

use interpolate_fixtures::archive::Archive;

/// Checks a case.
pub(crate) fn check(mut case: Archive) -> Result<(), String> {
    let mut sources = Sources::default();
    let old = sources.add("old.yml", case.text("old.yml"));
    let new = sources.add("new.yml", case.text("new.yml"));
    let name = case.name();
    let dialect = if name.ends_with("-go") { Dialect::Go } else { Dialect::Core };
    let new = document(&sources, new, dialect);
    let patch = diff::diff(&document(&sources, old, dialect), &new).unwrap();
    let (printed, wanted) = (language::print_ops(&patch).unwrap(), go(&new));
    let ops = sources.add("ops.yml", &*printed);
    for dialect in [dialect, Dialect::Go] {
        let mut patched = document(&sources, old, dialect);
        let ops = document(&sources, ops, dialect);
        let patch = language::ops(&ops, "ops.yml").unwrap();
        if let Err(why) = apply::apply(&patch, &mut patched, 0..1) {
            return Err(format!("{name}: {why}\n{printed}"));
        }
        let found = go(&patched);
        if found != wanted {
            return Err(format!("{name}: gives\n{found}\n{printed}"));
        }
    }
    case.expect("ops.yml", Some(printed.as_bytes()))
}

fn document(sources: &Sources, file: FileId, dialect: Dialect) -> Tree {
    yaml::read(sources, file, &Options { dialect, ..Options::default() }).unwrap()
}

fn go(document: &Tree) -> String {
    yaml::go::print(document, document.root(), Expansion::default()).unwrap()
}
