//! A base and a patch, separated by a NUL. The patch is read in every language: as ops-file,
//! JSON Patch, Overlay, Merge Patch, and each line as an argument such as `--set a=1`. Nothing
//! panics, the printed text reads back as the patched document, and a patch that fails leaves
//! the document as it was.
#![no_main]

use interpolate::unstable::node::Tree;
use interpolate::unstable::patch::Patch;
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Options};
use interpolate::unstable::{apply, language};
use interpolate::{Document, Reader};
use interpolate_fuzz::{difference, hold, is_small};
use libfuzzer_sys::fuzz_target;

use language::Verb;

const VERBS: [Verb; 6] =
    [Verb::Set, Verb::SetString, Verb::Append, Verb::Remove, Verb::Move, Verb::Copy];

fuzz_target!(|data: &str| {
    let Some((base, patch)) = data.split_once('\0') else { return };
    let document = match Document::parse(base) {
        Ok(document) => document,
        Err(error) => return drop(error.render(false)),
    };
    let mut sources = Sources::default();
    let file = sources.add("base.yml", base);
    let dialect = yaml::version(base).unwrap_or_default();
    let options = Options { dialect, ..Options::default() };
    let tree = yaml::read(&sources, file, &options).expect("it is a document");
    if !is_small(&tree) {
        return;
    }
    let patches = patches_of(patch, &mut sources);
    match Reader::new().patch("patch.yml", patch) {
        Ok(patch) if !patches.is_empty() => drop(document.check(&patch)),
        Ok(_) => {}
        Err(error) => drop(error.render(false)),
    }
    for patch in patches {
        check(&patch, tree.clone(), &mut sources, &options);
        keeps_on_failure(&patch, document.clone());
    }
});

/// Returns the patches that a text is in the languages.
fn patches_of(text: &str, sources: &mut Sources) -> Vec<Patch> {
    let mut patches = Vec::from_iter(arguments(text, sources));
    let file = sources.add("patch.yml", text);
    if let Ok(tree) = yaml::read(sources, file, &Options::default())
        && is_small(&tree)
    {
        patches.extend(language::patch(&tree, "patch.yml"));
        patches.extend(language::ops(&tree, "patch.yml"));
        patches.extend(language::merge_patch(&tree));
    }
    patches
}

/// Returns the patch of a command line, with an argument on each line.
fn arguments(text: &str, sources: &mut Sources) -> Option<Patch> {
    let mut patch = Patch::default();
    for line in text.lines() {
        let (option, argument) = line.split_once(' ')?;
        let verb = VERBS.into_iter().find(|verb| verb.option() == option)?;
        patch.extend(
            language::argument(sources, verb, argument, &Options::default()).ok()?,
        );
    }
    Some(patch)
}

/// Applies the patch and reads the printed text.
fn check(patch: &Patch, mut tree: Tree, sources: &mut Sources, options: &Options) {
    if apply::apply(patch, &mut tree, 0..1).is_err() {
        return;
    }
    let file = sources.add("printed.yml", tree.to_string());
    let again = yaml::read(sources, file, options);
    let again = again.expect("what is printed can be read");
    hold(difference(&tree, &again));
}

fn keeps_on_failure(patch: &Patch, mut document: Document) {
    let before = document.to_string();
    if document.apply_to_all(patch).is_err() {
        assert_eq!(document.to_string(), before);
    }
}
