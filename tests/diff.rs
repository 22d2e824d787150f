//! Tests `diff` on fixtures/diff/, a folder a case. `ops.yml` is the diff of `old.yml`
//! and `new.yml`; applied to `old.yml` it must give the data of `new.yml`, in the dialect
//! of the run and in bosh's. `BLESS=1` rewrites it.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use interpolate::unstable::node::Tree;
use interpolate::unstable::scalar::Dialect;
use interpolate::unstable::source::{FileId, Sources};
use interpolate::unstable::yaml::{self, Expansion, Options};
use interpolate::unstable::{apply, compile, diff};

#[test]
fn cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/diff");
    let mut cases: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|case| case.unwrap().path()).collect();
    cases.sort();
    let wrong: Vec<String> = cases.iter().filter_map(|case| check(case)).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn check(case: &Path) -> Option<String> {
    let read = |name: &str| fs::read_to_string(case.join(name)).unwrap_or_default();
    let mut sources = Sources::default();
    let old = sources.add("old.yml", read("old.yml"));
    let new = sources.add("new.yml", read("new.yml"));
    let dialect =
        if case.to_string_lossy().ends_with("-go") { Dialect::Go } else { Dialect::Core };
    let new = document(&sources, new, dialect);
    let patch = diff::diff(&document(&sources, old, dialect), &new).unwrap();
    let (printed, wanted) = (yaml::print_ops(&patch).unwrap(), go(&new));
    let ops = sources.add("ops.yml", &*printed);
    for dialect in [dialect, Dialect::Go] {
        let mut patched = document(&sources, old, dialect);
        let ops = document(&sources, ops, dialect);
        let patch = compile::ops(&ops, "ops.yml").unwrap();
        if let Err(why) = apply::apply(&patch, &mut patched, 0..1) {
            return Some(format!("{}: {why}\n{printed}", case.display()));
        }
        let found = go(&patched);
        if found != wanted {
            return Some(format!("{}: gives\n{found}\n{printed}", case.display()));
        }
    }
    if std::env::var_os("BLESS").is_some() {
        fs::write(case.join("ops.yml"), printed).unwrap();
        return None;
    }
    (printed != read("ops.yml")).then(|| format!("{}:\n{printed}", case.display()))
}

fn document(sources: &Sources, file: FileId, dialect: Dialect) -> Tree {
    yaml::read(sources, file, &Options { dialect, ..Options::default() }).unwrap()
}

fn go(document: &Tree) -> String {
    yaml::go::print(document, document.root(), Expansion::default()).unwrap()
}
