//! Unit tests of merging: a document before and after one site was merged.

#![allow(clippy::unwrap_used)]

use crate::node::{NodeId, Step, Tree};
use crate::patch::{Edit, Import, Lists, Merge, Op, Patch, Source};
use crate::pointer::Pointer;
use crate::source::Sources;
use crate::yaml::{self, Expansion, Options};

fn read(text: &str) -> Tree {
    let mut sources = Sources::default();
    let file = sources.add("base.yml", text);
    yaml::read(&sources, file, &Options::default()).unwrap()
}

/// The node at a path like `a/1/b`, and the path.
fn find(document: &Tree, path: &str) -> (NodeId, Vec<Step>) {
    let (mut node, mut steps) = (document.root(), Vec::new());
    for word in path.split('/').filter(|word| !word.is_empty()) {
        if let Ok(index) = word.parse::<u32>() {
            steps.push(Step::Index(index));
            node = document.items(node)[index as usize];
        } else {
            let mut pairs = document.pairs(node).into_iter();
            let pair = pairs.find(|&(key, _)| document.is_text(key, word)).unwrap();
            steps.push(Step::Key(pair.0));
            node = pair.1;
        }
    }
    (node, steps)
}

/// The merge of a site whose directives are plain pointers.
fn merge(document: &Tree, site: &str, lists: Lists) -> Op {
    let (node, site) = find(document, site);
    let import = |(key, _)| {
        let word = document.string(key).unwrap();
        let pointer =
            word.strip_prefix('+')?.trim_start_matches('?').strip_prefix('/')?;
        let found = (!word.contains("missing")).then(|| find(document, pointer).0);
        Some(Import { key, source: Source::default(), found })
    };
    let imports = document.pairs(node).into_iter().filter_map(import).collect();
    op(Edit::Merge(Merge { site, imports, lists }))
}

fn op(edit: Edit) -> Op {
    let at = Pointer { tokens: Vec::new(), required: 0 };
    Op::new(at, edit, None)
}

fn run(document: &mut Tree, sites: &[&str], lists: Lists) -> Result<(), String> {
    let mut ops: Vec<Op> =
        sites.iter().map(|site| merge(document, site, lists)).collect();
    ops.push(op(Edit::RemoveWhiteouts));
    let patch = Patch { ops, ..Patch::default() };
    super::apply(&patch, document, 0..1).map(drop).map_err(|it| it.to_string())
}

fn json(document: &Tree, node: NodeId) -> String {
    let text = yaml::json::print(document, node, Expansion::default()).unwrap();
    text.split('\n').map(str::trim_start).collect::<String>().replace("\": ", "\":")
}

/// Merges the site and prints the document, which must read back as what it is.
fn merged(text: &str, sites: &[&str]) -> String {
    let mut document = read(text);
    match run(&mut document, sites, Lists::Replace) {
        Ok(()) => {
            let out = document.to_string();
            let again = read(&out);
            assert_eq!(
                json(&again, again.root()),
                json(&document, document.root()),
                "{text}\n{out}"
            );
            out
        }
        Err(message) => format!("error: {message}"),
    }
}

fn entry(key: &str, value: &str) -> String {
    if value == "-" { String::new() } else { format!(", {key}: {value}") }
}

#[test]
fn rules() {
    let mut wrong = String::new();
    for line in include_str!("../../fixtures/merge/rules.txt").lines() {
        if line.starts_with('#') {
            continue;
        }
        let line = line.split(" | ").map(str::trim).collect::<Vec<_>>();
        let [own, base, ref results @ ..] = line[..] else { continue };
        for (lists, result) in [(Lists::Replace, 0), (Lists::Union, results.len() - 1)] {
            let text = format!(
                "{{base: {{t: 1{}}}, own: {{+/base: {}}}}}",
                entry("k", base),
                entry("k", own)
            );
            let mut document = read(&text);
            let found = match run(&mut document, &["own"], lists) {
                Err(message) => format!("error: {message}"),
                Ok(()) => match document.get(find(&document, "own").0, "k") {
                    None => "-".into(),
                    Some(node) => json(&document, node),
                },
            };
            if found != results[result] {
                wrong +=
                    &format!("{own} over {base}: {found}, not {}\n", results[result]);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn order_and_layers() {
    let text = "a: {x: 1, y: 1, z: 1}\nb: {y: 2, w: 2}\nc: {z: 3, +/a: , +/b: , v: 3}\n";
    let out = merged(text, &["c"]);
    assert!(out.ends_with("c: {z: 3, v: 3, y: 2, w: 2, x: 1}\n"), "{out}");
}

#[test]
fn lines_stay() {
    let text = "base: # shared\n  # how many\n  count: 1\n  deep:\n    x: 1 # one\n    y: 2\nuse:\n  # own\n  name: n # the name\n  +/base:\n  deep:\n    y: 3\n";
    let out = "base: # shared\n  # how many\n  count: 1\n  deep:\n    x: 1 # one\n    y: 2\nuse:\n  # own\n  name: n # the name\n  deep:\n    y: 3\n    x: 1\n  count: 1\n";
    assert_eq!(merged(text, &["use"]), out);
}

#[test]
fn values_replace() {
    assert_eq!(merged("a: 1\nb: {+/a: }\n", &["b"]), "a: 1\nb: 1\n");
    assert_eq!(
        merged("a: [1, 2]\nb:\n- 0\n- +/a:\n- 3\n", &["b/1"]),
        "a: [1, 2]\nb:\n- 0\n- 1\n- 2\n- 3\n"
    );
    assert_eq!(merged("a: []\nb: [0, {+/a: }]\n", &["b/1"]), "a: []\nb: [0]\n");
    assert_eq!(merged("a: [1]\nb: [[{+/a: }]]\n", &["b/0/0"]), "a: [1]\nb: [[1]]\n");
    let failed = merged("a: [1]\nb: {+/a: , c: 1}\n", &["b"]);
    assert_eq!(failed, "error: can not merge '+/a' with non-map value: a list");
}

#[test]
fn what_is_missing() {
    assert_eq!(merged("a: {+?/missing: , b: 1}\n", &["a"]), "a: {b: 1}\n");
    assert_eq!(merged("a: {+?/missing: }\n", &["a"]), "a: {}\n");
    assert_eq!(merged("a: [1, {+?/missing: }]\n", &["a/1"]), "a: [1]\n");
    assert_eq!(merged("a: [1, {+?/missing: , b: 1}]\n", &["a/1"]), "a: [1, {b: 1}]\n");
    assert_eq!(merged("a: {+&: name, b: 1}\n", &["a"]), "a: {b: 1}\n");
}

#[test]
fn through_merge_keys() {
    let text = "a: &x {+/e: , h: 1}\ne: {p: 2}\nb: {<<: *x, s: 3}\n";
    let out = merged(text, &["b", "a"]);
    assert_eq!(out, "a: &x {h: 1, p: 2}\ne: {p: 2}\nb: {s: 3, h: 1, p: 2}\n");
}

#[test]
fn whiteouts_behind_aliases() {
    let text = "a: &x {p: {+%: whiteout}, q: [{+%: nullout}]}\nb: *x\nc: {<<: *x}\nd: {\"\\u002b%\": whiteout}\n";
    assert_eq!(merged(text, &[]), "a: &x {q: [null]}\nb: *x\nc: {<<: *x}\n");
}

#[test]
fn shared_nodes_are_copied() {
    let mut document = read("a: {p: {q: 1}}\nb: {+/a: , p: {r: 2}}\nc: 0\nd: 0\n");
    run(&mut document, &["b"], Lists::Replace).unwrap();
    let b = document.get(document.root(), "b").unwrap();
    let replace = |path: &str, value| Op {
        at: Pointer::parse(path).unwrap().into(),
        ..op(Edit::Replace(value))
    };
    let one = document.get(document.root(), "c").unwrap();
    let ops = vec![
        replace("/c", b),
        replace("/d", b),
        replace("/d/p/q", one),
        replace("/b/p/r", one),
    ];
    let opened = document.opened_nodes().to_vec();
    super::apply(&Patch { ops, opened, ..Patch::default() }, &mut document, 0..1)
        .unwrap();
    let out = "a: {p: {q: 1}}\nb: {p: {r: 0, q: 1}}\nc: {p: {r: 2, q: 1}}\nd: {p: {r: 2, q: 0}}\n";
    assert_eq!(document.to_string(), out);
}

#[test]
fn keys_of_other_types_differ() {
    let mut document = read("{base: {k: {1: b, '1': c}}, own: {+/base: , k: {1: a}}}");
    run(&mut document, &["own"], Lists::Replace).unwrap();
    let own = "own: {k: {1: a, '1': c}}";
    assert_eq!(document.to_string(), format!("{{base: {{k: {{1: b, '1': c}}}}, {own}}}"));
}
