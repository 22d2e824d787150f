//! Applies random edits to a document and tests that the printed text has their result.

use interpolate::unstable::node::{Kind, NodeId, Tree};
use interpolate::unstable::scalar::Scalar;
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Options};
use interpolate::unstable::{apply, language};

use crate::meaning::difference;

/// Values for new entries, as the lines after `value:`.
pub(crate) const VALUES: &[&str] = &[
    " 1",
    " text",
    " 'it''s: quoted'",
    " NULL",
    " []",
    " {}",
    " [1, {a: b}, 'x, y']",
    " {k: v, l: [m]}",
    "\n    a: 1 # one\n    # about b\n    b:\n    - x\n    -   y: 1\n        z: |\n          text\n           more\n",
    "\n  - one\n  # between\n  - two: 2\n    three: 3\n  - - four\n",
    " |\n    literal\n      text\n\n    end\n",
    " |2-\n     indented\n    text",
    " >+\n    folded\n    text\n\n",
    " plain text\n     on two lines",
    " \"quoted\n    text\"",
    " &v\n    w: &n1 [1]\n    x: *n1",
    " *v0",
    " !local {a: 1}",
    " !local\n    a: !!str 1",
    " {? [complex, key] : 1, <<: {m: 1}}",
    "\n    ? |\n      block key\n    : - x\n    'quoted key': 1",
    " [\n    1, # one\n    2\n    ]",
    "\n    keep: |+\n      text\n\n",
    " '--- x'",
    "\n    '#': '#'\n    \"a\\nb\": \"c\\nd\"",
];

/// Applies edits to `base`, prints it and reads it again. A text that cannot be read is
/// not a case.
pub fn check(base: &str, edits: &[[u32; 4]], options: &Options) -> Result<(), String> {
    let mut sources = Sources::default();
    let id = sources.add("base.yml", base);
    let Ok(mut document) = yaml::read(&sources, id, options) else { return Ok(()) };
    if document.to_string() != base {
        return Err(format!("not printed as it was:\n{base}"));
    }
    let mut log = String::new();
    for &edit in edits {
        let op = op(&document, edit);
        let id = sources.add("ops.yml", op.clone());
        let Ok(ops) = yaml::read(&sources, id, options) else { continue };
        let patch = language::ops(&ops, "ops.yml").map_err(|e| format!("{op}\n{e:?}"))?;
        let before = document.clone();
        match apply::apply(&patch, &mut document, 0..1) {
            Ok(_) => log.push_str(&op),
            Err(_) => document = before,
        }
    }
    let printed = document.to_string();
    let story =
        || format!("--- base\n{base}\n--- ops\n{log}\n--- printed\n{printed}\n---\n");
    let id = sources.add("printed.yml", printed.clone());
    let read =
        yaml::read(&sources, id, options).map_err(|e| format!("{}{e:?}", story()))?;
    difference(&document, &read).map_err(|e| format!("{}{e}", story()))
}

/// An ops-file with one op.
fn op(document: &Tree, [way, depth, kind, value]: [u32; 4]) -> String {
    let (path, node) = place(document, way, depth % 7);
    let value = VALUES[value as usize % VALUES.len()];
    let sequence = document.kind(node) == Kind::Sequence;
    let (kind, path) = match kind % 12 {
        0..4 => ("replace", path),
        4..8 => ("remove", path),
        8 | 9 if sequence => ("replace", path + "/-"),
        10 if sequence => ("replace", path + "/0:before"),
        11 if sequence => ("replace", path + "/-1:after"),
        8 | 9 => ("replace", path + "/new?"),
        _ => ("replace", path + "/made?/list?/-"),
    };
    let value = if kind == "remove" { "" } else { value };
    let break_ = if value.ends_with('\n') { "" } else { "\n" };
    let value = match value {
        "" => String::new(),
        _ => format!("  value:{value}{break_}"),
    };
    let anchors = "  note: &v0 [shared, &v1 x, *v1]\n";
    format!("- type: {kind}\n  path: \"{path}\"\n{anchors}{value}  end: *v0\n")
}

/// A path into the document, and the node it leads to.
pub(crate) fn place(document: &Tree, way: u32, depth: u32) -> (String, NodeId) {
    place_below(document, document.root(), way, depth)
}

/// A path from a root into its document, and the node it leads to.
pub(crate) fn place_below(
    document: &Tree,
    root: NodeId,
    mut way: u32,
    depth: u32,
) -> (String, NodeId) {
    let (mut path, mut node) = (String::new(), root);
    for _ in 0..depth {
        let mut children: Vec<(String, NodeId)> = Vec::new();
        for (i, item) in document.items(node).into_iter().enumerate() {
            children.push((i.to_string(), item));
        }
        for (key, value) in document.pairs(node) {
            if let Scalar::String(key) = document.scalar(key) {
                children.push((escape(&key), value));
            }
        }
        if children.is_empty() {
            break;
        }
        let (token, child) = children.swap_remove(way as usize % children.len());
        way = way / 7 + 13;
        path = format!("{path}/{token}");
        node = child;
    }
    (path, node)
}

/// Returns a key as it is written in a path within double quotes.
pub(crate) fn escape(key: &str) -> String {
    let key = key.replace('~', "~0").replace('/', "~1").replace(':', "~7");
    key.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
        .replace('\t', "\\t")
}
