//! Rebases random patches of all languages: on the same document, and on one in which a key
//! was renamed.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, Ordering};

use interpolate::unstable::node::{Kind, Tree};
use interpolate::unstable::patch::Patch;
use interpolate::unstable::rebase::{self, Status, Verdict};
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Options};
use interpolate::unstable::{apply, diff, language};

use crate::edit::escape;
use crate::patched::patch;

/// The new name of a key, which no generated document has.
const RENAMED: &str = "renamed-key";

/// Number of patches for a document with a renamed key, of those that are surely moved, and
/// of those that mean the same then.
#[derive(Default)]
pub struct Tally {
    cases: AtomicU32,
    moved: AtomicU32,
    equal: AtomicU32,
}

impl Tally {
    fn count(count: &AtomicU32) {
        count.fetch_add(1, Ordering::Relaxed);
    }

    /// Fails if too few patches reach the end. Returns how many do.
    pub fn check(&self) -> String {
        let [cases, moved, equal] =
            [&self.cases, &self.moved, &self.equal].map(|it| it.load(Ordering::Relaxed));
        let all = format!("of {cases} patches {moved} moved, and {equal} mean the same");
        // Of a few cases none may have a value like no other.
        assert!(2 * equal >= cases && (cases < 1000 || 100 * moved >= cases), "{all}");
        all
    }
}

/// Rebases patches. A text or a patch that fails is not a case.
pub fn check(base: &str, edits: &[[u32; 5]], tally: &Tally) -> Result<(), String> {
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
        let is_sure = is_inside(&told, &text, &key) && is_distinctive(&old, &key);
        let fixed =
            rebase::fixed(&patch, &told).map_err(|error| story(format!("{error}")))?;
        let text = fixed.first().map_or(&text, |file| &file.text).clone();
        let story = |why| story(format!("{told:?}\n--- fixed\n{text}\n---\n{why}"));
        Tally::count(&tally.cases);
        if is_sure {
            if told.iter().any(|it| it.status != Status::Moved || !it.sure) {
                return Err(story("not moved".into()));
            }
            Tally::count(&tally.moved);
        }
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
            Tally::count(&tally.equal);
        }
    }
    Ok(())
}

/// Returns true if the paths of all ops lead into the entry of a key without escapes, and no
/// op takes a value from elsewhere.
fn is_inside(told: &[Verdict], text: &str, key: &str) -> bool {
    let around = format!("/{key}/");
    let is_plain = key.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_plain
        && !told.is_empty()
        && !text.contains("from: ")
        && told.iter().all(|it| it.path.starts_with(&around))
}

/// Returns true if a mapping of the root has two entries that no other one has.
fn is_distinctive(document: &Tree, key: &str) -> bool {
    let entries = |node| -> BTreeSet<(String, String)> {
        let pairs = document.pairs(node).into_iter();
        let is_scalar = |node| document.kind(node) == Kind::Scalar;
        let pairs = pairs.filter(|&(key, value)| is_scalar(key) && is_scalar(value));
        let text = |node| document.text_of(node).into_owned();
        pairs.map(|(key, value)| (text(key), text(value))).collect()
    };
    let (mut own, mut others) = (BTreeSet::new(), BTreeSet::new());
    for (name, value) in document.pairs(document.root()) {
        if document.string(name).is_some_and(|name| name == key) {
            own = entries(value);
        } else {
            others.extend(entries(value));
        }
    }
    own.difference(&others).count() >= 2
}

fn read(sources: &mut Sources, text: &str) -> Option<Tree> {
    let id = sources.add("text.yml", text);
    yaml::read(sources, id, &Options::default()).ok()
}

fn compiled(ops: &Tree) -> Option<Patch> {
    let patch = language::patch(ops, "ops.yml").ok();
    patch.or_else(|| language::merge_patch(ops).ok())
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
    let patch = language::patch(&ops, "rename.yml").ok()?;
    let mut renamed = document.clone();
    apply::apply(&patch, &mut renamed, 0..1).ok()?;
    read(sources, &renamed.to_string())
}

fn equal(expected: &Tree, found: &Tree) -> Result<(), String> {
    let left = diff::diff(expected, found).map_err(|error| error.to_string())?;
    if left.is_empty() {
        Ok(())
    } else {
        Err(language::print_ops(&left).unwrap_or_default())
    }
}
