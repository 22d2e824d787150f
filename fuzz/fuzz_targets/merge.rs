//! A document with merge directives and the files that it includes, apart by NULs:
//! compiling and applying never panics and stays in bounds, and what is printed reads back
//! as what the merged document means.
#![no_main]

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use interpolate::node::{Document, Kind};
use interpolate::source::{Moment, Replacement, Sources, World};
use interpolate::yaml::{self, Expansion, Options};
use interpolate::{apply, compile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    let mut texts = data.split('\0');
    let base = texts.next().unwrap_or_default();
    let files = Files((0..).map(|n| format!("{n}.yml").into()).zip(texts).collect());
    let mut sources = Sources::default();
    let base = sources.add("base.yml", base);
    let options = Options::default();
    let Ok(mut document) = yaml::read(&sources, base, &options) else { return };
    let rules = compile::Rules { expansion: Expansion(1 << 20), ..Default::default() };
    let patch = compile::directives(&document, 0, &mut sources, &files, &rules);
    let Ok(patch) = patch else { return };
    if apply::apply(&patch, &mut document, 0..1).is_err() {
        return;
    }
    let Some(wanted) = meaning(&document) else { return };
    let printed = sources.add("printed.yml", document.to_string());
    let again =
        yaml::read(&sources, printed, &options).expect("what is printed can be read");
    assert_eq!(meaning(&again).expect("as before"), wanted);
});

/// What a document means; none if it is too large, or if a key is no scalar, which JSON
/// shows as it is written.
fn meaning(document: &Document) -> Option<String> {
    let mut todo = vec![document.root()];
    let mut left = 10_000_u32;
    while let Some(node) = todo.pop() {
        left = left.checked_sub(1)?;
        todo.extend(document.items(node));
        for (key, value) in document.pairs(node) {
            if document.kind(key) != Kind::Scalar {
                return None;
            }
            todo.push(value);
        }
    }
    yaml::json::print(document, document.root(), Expansion(4 << 20)).ok()
}

/// The included files: `0.yml` and so on.
struct Files<'t>(BTreeMap<PathBuf, &'t str>);

impl World for Files<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let name = path.file_name().map(PathBuf::from).unwrap_or_default();
        let text = self.0.get(&name).ok_or(io::ErrorKind::NotFound)?;
        Ok(text.as_bytes().to_vec())
    }

    fn head(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = self.read(path)?;
        bytes.truncate(most as usize);
        Ok(bytes)
    }

    fn fetch(&self, _: &str, _: u64) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn real(&self, path: &Path) -> io::Result<PathBuf> {
        Ok(path.file_name().map(PathBuf::from).unwrap_or_default())
    }

    fn list(&self, _: &Path) -> io::Result<Vec<PathBuf>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn is_folder(&self, _: &Path) -> bool {
        false
    }

    fn prepare(&self, _: &Path, _: &[u8], _: bool) -> io::Result<Replacement> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn is_same(&self, one: &Path, other: &Path) -> bool {
        one.file_name() == other.file_name()
    }

    fn env(&self, name: &str) -> Option<String> {
        (name == "SET").then(|| "yes".to_owned())
    }

    fn environment(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    fn moment(&self) -> io::Result<Moment> {
        Err(io::ErrorKind::Unsupported.into())
    }
}
