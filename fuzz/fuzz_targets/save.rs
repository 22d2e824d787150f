//! A document with merge directives, its edited expansion and the files that it includes,
//! separated by NULs: saving never panics, the saved document expands to the edited one,
//! and saving the unchanged expansion changes nothing.
#![no_main]

use interpolate::unstable::apply;
use interpolate::unstable::compile::Rules;
use interpolate::unstable::node::Tree;
use interpolate::unstable::restore::{self, Expander, RestoreOptions};
use interpolate::unstable::source::{Memory, Sources};
use interpolate::unstable::yaml::{self, Expansion, Options};
use interpolate_fuzz::is_plain;
use interpolate_laws::directives::DirectiveExpander;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &str| {
    let mut texts = data.split('\0');
    let (base, edited) =
        (texts.next().unwrap_or_default(), texts.next().unwrap_or_default());
    let files = (0..).map(|n| format!("{n}.yml").into()).zip(texts.map(str::to_owned));
    let environment = [("SET".to_owned(), "yes".to_owned())].into();
    let world = Memory { files: files.collect(), environment, ..Memory::default() };
    let rules = Rules { expansion: Expansion(1 << 20), ..Rules::default() };
    let mut get = DirectiveExpander { world: &world, rules };
    let mut sources = Sources::default();
    let (base, edited) = (sources.add("base.yml", base), sources.add("edit.yml", edited));
    let options = Options::default();
    let how = RestoreOptions::default();
    let Ok(base) = yaml::read(&sources, base, &options) else { return };
    let Ok(edited) = yaml::read(&sources, edited, &options) else { return };
    let Some(view) = expand(&base, &mut sources, &mut get) else { return };
    let printed = sources.add("view.yml", view.to_string());
    if let Ok(view) = yaml::read(&sources, printed, &options)
        && let Ok(saved) = restore::save(&mut sources, &base, &view, &how, &mut get)
    {
        assert_eq!(saved.text, base.to_string());
    }
    let Ok(saved) = restore::save(&mut sources, &base, &edited, &how, &mut get) else {
        return;
    };
    let saved = sources.add("saved.yml", saved.text);
    let saved = yaml::read(&sources, saved, &options).expect("what is saved can be read");
    let view = expand(&saved, &mut sources, &mut get).expect("and expanded");
    let (Some(found), Some(wanted)) = (json(&view), json(&edited)) else { return };
    assert_eq!(found, wanted);
});

fn expand(
    document: &Tree,
    sources: &mut Sources,
    get: &mut DirectiveExpander<'_>,
) -> Option<Tree> {
    let (mut view, patch) = (document.clone(), get.compile(sources, document, 0).ok()?);
    apply::apply(&patch, &mut view, 0..1).ok()?;
    Some(view)
}

fn json(document: &Tree) -> Option<serde_json::Value> {
    if !is_plain(document) {
        return None;
    }
    let text = yaml::json::print(document, document.root(), Expansion(4 << 20)).ok()?;
    serde_json::from_str(&text).ok()
}
