//! Applies random patches of all languages to a document. The printed text has their result,
//! and so have the plain ops of bosh and the JSON Patch that they are resolved to.

use interpolate::unstable::apply::Reach;
use interpolate::unstable::node::{Kind, Tree};
use interpolate::unstable::patch::Patch;
use interpolate::unstable::plan::{self, Language};
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Options};
use interpolate::unstable::{apply, compile, diff};

use crate::edit::place;
use crate::meaning::difference;

/// Values of ops, on one line.
const VALUES: &[&str] = &[
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
const QUERIES: &[&str] =
    &["$.*", "$[0]", "$..a", "$[*][*]", "$[?@.a]", "$..[?@ == 1]", "$[1:]", "$..*"];

/// Applies a patch to `base`, prints it and reads it again; resolves it, too. A text or a
/// patch that fails is not a case.
pub(crate) fn check(base: &str, edits: &[[u32; 5]]) -> Result<(), String> {
    let (mut sources, options) = (Sources::default(), Options::default());
    let id = sources.add("base.yml", base);
    let Ok(document) = yaml::read(&sources, id, &options) else { return Ok(()) };
    for &edit in edits {
        let text = patch(&document, edit);
        let id = sources.add("ops.yml", text.clone());
        let Ok(ops) = yaml::read(&sources, id, &options) else { continue };
        let patch = if edit[2].is_multiple_of(16) {
            compile::merge_patch(&ops).ok()
        } else {
            compile::patch(&ops, "ops.yml").ok()
        };
        let Some(patch) = patch else { continue };
        let mut patched = document.clone();
        if apply::apply(&patch, &mut patched, 0..1).is_err() {
            continue;
        }
        let story =
            |why: String| format!("--- base\n{base}\n--- patch\n{text}\n---\n{why}");
        printed_means(&patched, &mut sources).map_err(story)?;
        for language in [Language::Bosh, Language::JsonPatch] {
            let reach = Reach::of(&document, [0]);
            let plain = match plan::resolved(&patch, &document, &reach, language) {
                Ok(plain) => plain.patch,
                Err(_) if language == Language::JsonPatch => continue,
                Err(error) => return Err(story(format!("{error}"))),
            };
            let printed = spelled(&plain, language).map_err(story)?;
            let story = |why| story(format!("{why}\n--- resolved\n{printed}\n---\n"));
            same_result(&document, &patched, &printed, &mut sources).map_err(story)?;
        }
    }
    Ok(())
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

fn spelled(plain: &Patch, language: Language) -> Result<String, String> {
    let text = match language {
        Language::Bosh => yaml::print_ops(plain),
        Language::JsonPatch => yaml::json_patch(plain).map(|patch| patch.to_string()),
    };
    text.map_err(|error| error.to_string())
}

/// Applies a printed patch, and compares its result with that of the original.
fn same_result(
    document: &Tree,
    patched: &Tree,
    printed: &str,
    sources: &mut Sources,
) -> Result<(), String> {
    let id = sources.add("plain.yml", printed);
    let error =
        |error: Box<interpolate::unstable::diagnostic::Diagnostic>| error.to_string();
    let ops = yaml::read(sources, id, &Options::default()).map_err(error)?;
    let compiled = if printed.starts_with("- op") {
        compile::patch(&ops, "plain.yml")
    } else {
        compile::ops(&ops, "plain.yml")
    };
    let mut again = document.clone();
    let patch = compiled.map_err(|error| error.to_string())?;
    apply::apply(&patch, &mut again, 0..1).map_err(|error| error.to_string())?;
    let left = diff::diff(patched, &again).map_err(error)?;
    if left.is_empty() { Ok(()) } else { Err(yaml::print_ops(&left).unwrap_or_default()) }
}
