//! A document with merge directives, what its expansion was edited to and the files that it
//! includes, apart by NULs: saving never panics, what is saved expands to what was given,
//! and saving the expansion as it is changes nothing.
#![no_main]

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use interpolate::diagnostic::Diagnostics;
use interpolate::node::Document;
use interpolate::patch::Patch;
use interpolate::restore::{self, Get};
use interpolate::source::{Moment, Replacement, Sources, World};
use interpolate::yaml::{self, Expansion, Options};
use interpolate::{apply, compile};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    let mut texts = data.split('\0');
    let (base, edited) =
        (texts.next().unwrap_or_default(), texts.next().unwrap_or_default());
    let mut files = Files((0..).map(|n| format!("{n}.yml").into()).zip(texts).collect());
    let mut sources = Sources::default();
    let (base, edited) = (sources.add("base.yml", base), sources.add("edit.yml", edited));
    let options = Options::default();
    let Ok(base) = yaml::read(&sources, base, &options) else { return };
    let Ok(edited) = yaml::read(&sources, edited, &options) else { return };
    let Some(view) = expand(&base, &mut sources, &mut files) else { return };
    let printed = sources.add("view.yml", view.to_string());
    if let Ok(view) = yaml::read(&sources, printed, &options)
        && let Ok(saved) = restore::save(&mut sources, &base, &view, &options, &mut files)
    {
        assert_eq!(saved.text, base.to_string());
    }
    let Ok(saved) = restore::save(&mut sources, &base, &edited, &options, &mut files)
    else {
        return;
    };
    let saved = sources.add("saved.yml", saved.text);
    let saved = yaml::read(&sources, saved, &options).expect("what is saved can be read");
    let view = expand(&saved, &mut sources, &mut files).expect("and expanded");
    let (Some(found), Some(wanted)) = (json(&view), json(&edited)) else { return };
    assert_eq!(found, wanted);
});

fn expand(
    document: &Document,
    sources: &mut Sources,
    files: &mut Files<'_>,
) -> Option<Document> {
    let (mut view, patch) = (document.clone(), files.compile(sources, document, 0).ok()?);
    apply::apply(&patch, &mut view, 0..1).ok()?;
    Some(view)
}

fn json(document: &Document) -> Option<serde_json::Value> {
    let text = yaml::json::print(document, document.root(), Expansion(4 << 20)).ok()?;
    serde_json::from_str(&text).ok()
}

impl Get for Files<'_> {
    fn count(&self, _: &Document) -> usize {
        1
    }

    fn compile(
        &mut self,
        sources: &mut Sources,
        document: &Document,
        root: usize,
    ) -> Result<Patch, Diagnostics> {
        let rules = compile::Rules { expansion: Expansion(1 << 20), ..Default::default() };
        compile::directives(document, root, sources, self, &rules)
    }

    fn fill(&mut self, _: &mut Document) -> Result<(), Diagnostics> {
        Ok(())
    }
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
        one == other
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
