//! Applies random patches of all languages to a document. The printed text has their result,
//! and so have the plain ops of bosh and the JSON Patch that they are resolved to.

use std::sync::atomic::{AtomicU32, Ordering};

use interpolate::unstable::apply::Reach;
use interpolate::unstable::node::{Kind, Tree};
use interpolate::unstable::patch::Patch;
use interpolate::unstable::plan::{self, OpsLanguage};
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Expansion, Options};
use interpolate::unstable::{apply, diff, language as patches};

use crate::edit::place;
use crate::language;
use crate::meaning::difference;
use crate::op_text::Writer;
use crate::text::{self, Choices};

/// Values of ops, on one line.
pub(crate) const VALUES: &[&str] = &[
    "1",
    "text",
    "null",
    "[]",
    "{}",
    "[1, {a: b}, 'x, y']",
    "{k: v, l: [m], n: null}",
    "{a: {b: 1}, c: null}",
    "\"quoted\"",
    "1.0",
];

/// Queries that may select anything.
pub(crate) const QUERIES: &[&str] =
    &["$.*", "$[0]", "$..a", "$[*][*]", "$[?@.a]", "$..[?@ == 1]", "$[1:]", "$..*"];

/// Number of patches, and of those that can be applied.
#[derive(Default)]
pub struct Tally {
    cases: AtomicU32,
    applied: AtomicU32,
}

impl Tally {
    pub(crate) fn count_case(&self) {
        self.cases.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn count_applied(&self) {
        self.applied.fetch_add(1, Ordering::Relaxed);
    }

    /// Fails if too few patches can be applied. Returns how many can.
    pub fn check(&self) -> String {
        let [cases, applied] =
            [&self.cases, &self.applied].map(|it| it.load(Ordering::Relaxed));
        let all = format!("{applied} of {cases} patches applied");
        assert!(5 * applied >= cases, "{all}");
        all
    }
}

/// Applies a patch to a document of a stream, prints it and reads it again; resolves it, too.
/// A text or a patch that fails is not a case.
pub fn check(
    shape: &[u32],
    edits: &[Vec<u32>],
    language: language::Language,
    tally: &Tally,
) -> Result<(), String> {
    let base = stream(&mut Choices::new(shape));
    let mut sources = Sources::default();
    let id = sources.add("base.yml", base.clone());
    let Ok(document) = yaml::read(&sources, id, &Options::default()) else {
        return Ok(());
    };
    for edit in edits {
        let choices = &mut Choices::new(edit);
        let root = choices.next(document.roots().len() as u32) as usize;
        let mut writer =
            Writer { document: &document, root: document.roots()[root], choices };
        let Some((text, patch)) = writer.patch(language, &mut sources) else { continue };
        tally.count_case();
        let mut patched = document.clone();
        let reach = Reach::of(&document, [root]);
        if apply::apply_to(&patch, &mut patched, &reach).is_err() {
            continue;
        }
        tally.count_applied();
        let story = |why: String| {
            format!("--- base\n{base}\n--- patch of document {root}\n{text}\n---\n{why}")
        };
        printed_means(&patched, &mut sources).map_err(story)?;
        for language in [OpsLanguage::Bosh, OpsLanguage::JsonPatch] {
            let plain = match plan::resolved(&patch, &document, &reach, language) {
                Ok(plain) => plain.patch,
                Err(_) if language == OpsLanguage::JsonPatch => continue,
                // An ops-file of bosh has one document.
                Err(_) if text.contains("where") => continue,
                Err(error) => return Err(story(format!("{error}"))),
            };
            let printed = spelled(&plain, language).map_err(story)?;
            let story = |why| story(format!("{why}\n--- resolved\n{printed}\n---\n"));
            same_result(&document, &patched, (&printed, root), &mut sources)
                .map_err(story)?;
        }
    }
    Ok(())
}

/// A document, or a stream of several.
fn stream(choices: &mut Choices<'_>) -> String {
    let mut base = text::document(choices);
    let more = if choices.chance(40) { 1 + choices.next(2) } else { 0 };
    for _ in 0..more {
        if !base.ends_with('\n') {
            break;
        }
        let next = match choices.next(3) {
            0 => "kind: Service\nmetadata: {name: web}\na0: 1 # one\nlist: [1, {a: 2}]\n",
            1 => "# about it\nkind: Job\nmetadata:\n  name: db\nb0: &n0 {a: 1}\nc: *n0\n",
            _ => &text::document(choices),
        };
        base = format!("{base}---\n{next}");
    }
    base
}

/// A patch in one of the languages.
pub(crate) fn patch(
    document: &Tree,
    [way, other, kind, value, query]: [u32; 5],
) -> String {
    let (path, node) = place(document, way, 1 + value % 4);
    let (from, _) = place(document, other, 1 + query % 4);
    let value = VALUES[value as usize % VALUES.len()];
    let query = QUERIES[query as usize % QUERIES.len()];
    let end = if document.kind(node) == Kind::Sequence { "/-" } else { "/new" };
    match kind % 16 {
        0 => format!("{{k: {value}, a: {{b: {value}, c: null}}}}\n"),
        1 => format!("- {{op: add, path: \"{path}\", value: {value}}}\n"),
        2 => format!("- {{op: add, path: \"{path}{end}\", value: {value}}}\n"),
        3 => format!("- {{op: remove, path: \"{path}\"}}\n"),
        4 => format!("- {{op: replace, path: \"{path}\", value: {value}}}\n"),
        5 => format!("- {{op: move, from: \"{from}\", path: \"{path}\"}}\n"),
        6 => format!("- {{op: copy, from: \"{from}\", path: \"{path}{end}\"}}\n"),
        7 => format!("- {{type: replace, path: \"{query}\", value: {value}}}\n"),
        8 => format!("- {{type: remove, path: \"{query}\"}}\n"),
        9 => format!("- {{type: copy, from: \"{from}\", path: \"{path}\"}}\n"),
        10 => format!("- {{type: move, from: \"{from}\", path: \"{path}{end}\"}}\n"),
        11 => format!(
            "- {{type: merge, path: \"{path}\", value: {{a: {value}, new: 1}}}}\n"
        ),
        12 => format!("- {{type: insert, path: \"{path}\", value: {value}}}\n"),
        13 => format!("- {{type: insert, path: \"{path}{end}\", value: {value}}}\n"),
        14 => format!(
            "overlay: 1.1.0\ninfo: {{title: t, version: v}}\nactions:\n- target: \
             \"{query}\"\n  update: {{a: {value}}}\n"
        ),
        _ => format!(
            "- {{type: replace, path: \"{path}\", value: {value}, anchors: follow}}\n"
        ),
    }
}

fn printed_means(patched: &Tree, sources: &mut Sources) -> Result<(), String> {
    let printed = patched.to_string();
    let id = sources.add("printed.yml", printed.clone());
    let read = yaml::read(sources, id, &Options::default());
    let read = read.map_err(|error| format!("{error}\n--- printed\n{printed}"))?;
    difference(patched, &read).map_err(|why| format!("{why}\n--- printed\n{printed}"))
}

fn spelled(plain: &Patch, language: OpsLanguage) -> Result<String, String> {
    let text = match language {
        OpsLanguage::Bosh => patches::print_ops(plain),
        OpsLanguage::JsonPatch => {
            patches::json_patch(plain).map(|patch| patch.to_string())
        }
    };
    text.map_err(|error| error.to_string())
}

/// Applies a printed patch, and compares its result with that of the original.
fn same_result(
    document: &Tree,
    patched: &Tree,
    (printed, root): (&str, usize),
    sources: &mut Sources,
) -> Result<(), String> {
    let id = sources.add("plain.yml", printed);
    let error =
        |error: Box<interpolate::unstable::diagnostic::Diagnostic>| error.to_string();
    let ops = yaml::read(sources, id, &Options::default()).map_err(error)?;
    let compiled = if printed.starts_with("- op") {
        patches::patch(&ops, "plain.yml")
    } else {
        patches::ops(&ops, "plain.yml")
    };
    let mut again = document.clone();
    let patch = compiled.map_err(|error| error.to_string())?;
    apply::apply(&patch, &mut again, root..root + 1)
        .map_err(|error| error.to_string())?;
    for at in 0..document.roots().len() {
        let left = diff::diff_at(patched, &again, at).map_err(error)?;
        // A JSON Patch has only strings as keys: with it, `13` becomes `'13'`.
        let is_json = printed.starts_with("- op");
        if !(left.is_empty() || is_json && same_json(patched, &again, at)) {
            let left = patches::print_ops(&left).unwrap_or_default();
            return Err(format!("document {at} lacks\n{left}"));
        }
    }
    Ok(())
}

/// Returns true if two documents are the same as JSON.
fn same_json(a: &Tree, b: &Tree, at: usize) -> bool {
    let json = |tree: &Tree| -> Option<serde_json::Value> {
        let text = yaml::json::print(tree, tree.roots()[at], Expansion::default());
        serde_json::from_str(&text.ok()?).ok()
    };
    json(a).is_some_and(|a| Some(a) == json(b))
}
