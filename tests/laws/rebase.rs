//! Rebases random patches of all languages: on the same document, and on one in which a key
//! was renamed.

use interpolate::unstable::node::{Kind, Tree};
use interpolate::unstable::patch::Patch;
use interpolate::unstable::rebase::{self, Status, Verdict};
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Options};
use interpolate::unstable::{apply, compile, diff};

use crate::edit::escape;
use crate::patched::patch;

/// The new name of a key, which no generated document has.
const RENAMED: &str = "renamed-key";

/// Rebases patches. A text or a patch that fails is not a case.
pub(crate) fn check(base: &str, edits: &[[u32; 5]]) -> Result<(), String> {
    let mut sources = Sources::default();
    let Some(old) = read(&mut sources, base) else { return Ok(()) };
    for &edit in edits {
        let text = patch(&old, edit);
        let story =
            |why: String| format!("--- old\n{base}\n--- patch\n{text}\n---\n{why}");
        let Some(ops) = read(&mut sources, &text) else { continue };
        let Some(patch) = compiled(&ops) else { continue };
        let mut patched = old.clone();
        if apply::apply(&patch, &mut patched, 0..1).is_err() {
            continue;
        }
        let same = verdicts(&old, &old, &patch).map_err(story)?;
        if same.iter().any(|it| it.status != Status::Same || !it.sure) {
            return Err(story(format!("not the same: {same:?}")));
        }
        let key = edit[0] as usize ^ edit[3] as usize;
        let Some((new, key)) = renamed(&mut sources, &old, key) else { continue };
        let story = |why: String| story(format!("--- new\n{new}\n---\n{why}"));
        let told = verdicts(&old, &new, &patch).map_err(story)?;
        let fixed =
            rebase::fixed(&patch, &told).map_err(|error| story(format!("{error}")))?;
        let text = fixed.first().map_or(&text, |file| &file.text).clone();
        let story = |why| story(format!("{told:?}\n--- fixed\n{text}\n---\n{why}"));
        if told.iter().any(|it| !it.sure) {
            continue;
        }
        let ops = read(&mut sources, &text).ok_or_else(|| story("no YAML".into()))?;
        let patch = compiled(&ops).ok_or_else(|| story("no patch".into()))?;
        let mut again = new.clone();
        let done = apply::apply(&patch, &mut again, 0..1);
        done.map_err(|error| story(format!("{error}")))?;
        if told.iter().any(|it| it.status == Status::Changed || it.is_done) {
            continue;
        }
        if let Some(patched) = rename(&mut sources, &patched, &key) {
            equal(&patched, &again).map_err(story)?;
        }
    }
    Ok(())
}

fn read(sources: &mut Sources, text: &str) -> Option<Tree> {
    let id = sources.add("text.yml", text);
    yaml::read(sources, id, &Options::default()).ok()
}

fn compiled(ops: &Tree) -> Option<Patch> {
    let patch = compile::patch(ops, "ops.yml").ok();
    patch.or_else(|| compile::merge_patch(ops).ok())
}

fn verdicts(old: &Tree, new: &Tree, patch: &Patch) -> Result<Vec<Verdict>, String> {
    rebase::rebase(old, new, patch, [0, 0]).map_err(|error| error.to_string())
}

/// Returns a document in which one of the keys of the root is renamed, and that key.
fn renamed(sources: &mut Sources, old: &Tree, which: usize) -> Option<(Tree, String)> {
    let pairs = old.pairs(old.root());
    let pairs: Vec<_> = pairs
        .into_iter()
        .filter(|(_, value)| old.kind(*value) != Kind::Scalar)
        .filter_map(|(key, _)| Some(old.string(key)?.into_owned()))
        .collect();
    let key = pairs.get(which % pairs.len().max(1))?.clone();
    Some((rename(sources, old, &key)?, key))
}

fn rename(sources: &mut Sources, document: &Tree, key: &str) -> Option<Tree> {
    let key = escape(key).replace("~7", ":");
    let text = format!("- {{op: move, from: \"/{key}\", path: /{RENAMED}}}\n");
    let ops = read(sources, &text)?;
    let patch = compile::patch(&ops, "rename.yml").ok()?;
    let mut renamed = document.clone();
    apply::apply(&patch, &mut renamed, 0..1).ok()?;
    read(sources, &renamed.to_string())
}

fn equal(expected: &Tree, found: &Tree) -> Result<(), String> {
    let left = diff::diff(expected, found).map_err(|error| error.to_string())?;
    if left.is_empty() { Ok(()) } else { Err(yaml::print_ops(&left).unwrap_or_default()) }
}
