//! Tests that a plain scalar of a few characters, read in any context and put into every
//! other one, is printed as the same value.

use interpolate::unstable::node::Tree;
use interpolate::unstable::scalar::{Dialect, Scalar};
use interpolate::unstable::source::{Memory, Sources};
use interpolate::unstable::yaml::{self, Options};
use interpolate::unstable::{apply, compile, language};

use crate::meaning::difference;

/// The characters that mean something to a reader of plain scalars, and a few letters.
const SIGNIFICANT: &[u8] = b"-?:,[]{}#&*!|>'\"%@`~<=.0xe_ \tn\\";

/// A value with the text `T`, as the lines behind `value:`.
const CONTEXTS: &[&str] = &[
    " T",
    " [T]",
    " {k: T}",
    " {T: v}",
    " [T: v]",
    " {k: [T], T}",
    "\n  - T",
    "\n    k: T",
    "\n    T: v",
    "\n    ? T\n    : v",
    "\n    k:\n    - T # beside",
    "\n    T:\n    - v",
];

/// A document with a place of each kind.
const BASE: &str = "\
block: 0
list:
- 0
flow: {k: 0}
items: [0, 1]
json: {\"k\": [\"0\"]}
pair: [k: 0]
? explicit
: 0
empty: []
none:
";

const PLACES: &[&str] = &[
    "/block",
    "/list/0",
    "/list/-",
    "/flow/k",
    "/flow/new?",
    "/items/0",
    "/items/-",
    "/json/k/0",
    "/json/new?",
    "/pair/0/k",
    "/explicit",
    "/empty/-",
    "/none",
];

/// Documents that import a value with the text `T` by a directive.
const IMPORTS: &[&str] = &[
    "s: {k: T, l: [T]}\na:\n  +/s:\n  own: 1\nb: {+/s: , own: 1}\nc:\n- +/s/l:\n",
    "s:\n  k: T\n  l:\n  - T\na:\n  +/s:\n  own: 1\nb: {+/s: , own: 1}\nc: [{+/s/l: }]\n",
    "s: {T: v}\na:\n  +/s:\n  own: 1\nb: {+/s: , own: 1}\n",
    "s:\n  T: v\na:\n  +/s:\n  own: 1\nb: {+/s: , own: 1}\n",
];

/// Tests all texts of one character, and about `cases` of those of two and three.
pub fn check_all(cases: usize) -> Result<(), String> {
    let count = SIGNIFICANT.len();
    let longer = count * count + count * count * count;
    let step = 1 + 3 * longer / cases.max(1);
    let numbers = (0..count).chain((count..count + longer).step_by(step));
    for number in numbers {
        for dialect in [Dialect::Core, Dialect::Go, Dialect::Yaml11] {
            check(&text(number), dialect)?;
        }
    }
    Ok(())
}

/// Returns a text of significant characters; the shortest have the smallest numbers.
fn text(mut number: usize) -> String {
    let (count, mut out) = (SIGNIFICANT.len(), String::new());
    loop {
        out.push(char::from(SIGNIFICANT[number % count]));
        if number < count {
            return out;
        }
        number = number / count - 1;
    }
}

/// Tests one text in all contexts in which it can be read.
pub fn check(text: &str, dialect: Dialect) -> Result<(), String> {
    // yaml.v2 takes `1.0` in an ops-file for 1, also as a key (`1.:`).
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || "._+-".contains(c)));
    let whole = |word: &str| matches!(Scalar::plain(word, dialect), Scalar::Float(x) if x.fract() == 0.0);
    if dialect == Dialect::Go && words.any(whole) {
        return Ok(());
    }
    let options = Options { dialect, ..Options::default() };
    let mut sources = Sources::default();
    let id = sources.add("base.yml", BASE);
    let base = yaml::read(&sources, id, &options).map_err(|e| format!("{e:?}"))?;
    for context in CONTEXTS {
        let ops = ops(&context.replace('T', text));
        let id = sources.add("ops.yml", ops.clone());
        let Ok(document) = yaml::read(&sources, id, &options) else { continue };
        let Ok(patch) = language::ops(&document, "ops.yml") else { continue };
        let mut document = base.clone();
        if apply::apply(&patch, &mut document, 0..1).is_ok() {
            compare(&document, &ops, &options, &mut sources)?;
        }
    }
    for import in IMPORTS {
        let text = import.replace('T', text);
        let id = sources.add("import.yml", text.clone());
        let Ok(mut document) = yaml::read(&sources, id, &options) else { continue };
        let (world, rules) = (Memory::default(), compile::Rules::default());
        let patch = compile::directives(&document, 0, &mut sources, &world, &rules);
        let Ok(patch) = patch else { continue };
        if apply::apply(&patch, &mut document, 0..1).is_ok() {
            compare(&document, &text, &options, &mut sources)?;
        }
    }
    Ok(())
}

/// Returns an ops-file that puts a value into all places.
fn ops(value: &str) -> String {
    let op = |path| format!("- type: replace\n  path: {path}\n  value:{value}\n");
    PLACES.iter().map(op).collect()
}

/// Compares a document with its printed text, read again.
fn compare(
    document: &Tree,
    given: &str,
    options: &Options,
    sources: &mut Sources,
) -> Result<(), String> {
    let printed = document.to_string();
    let story = |why: &str| {
        format!("--- {:?}\n{given}--- printed\n{printed}---\n{why}", options.dialect)
    };
    let id = sources.add("printed.yml", printed.clone());
    let read = yaml::read(sources, id, options).map_err(|e| story(&format!("{e:?}")))?;
    difference(document, &read).map_err(|e| story(&e))
}
