//! Applies edits that aliases follow: all in one patch, and each to the text that the ones
//! before it have given. Both ways have to give the same data.
//!
//! Anchors and aliases stand inside of others only if no op takes them away: an alias that is written out
//! then has anchors of its own in it. A move stays in its mapping: behind an alias, what is
//! moved would be written out.

use std::fmt::Write;

use interpolate::{Document, Patch};
use serde_json::Value;

use crate::text::Choices;

const KEYS: [&str; 3] = ["a", "b", "c"];

/// Maximum depth of the values of a document.
const DEPTH: u32 = 3;

/// Tests the edits that `steps` choose, on the document that `shape` chooses. An edit that
/// fails on its own is left out.
pub fn check(shape: &[u32], steps: &[Vec<u32>]) -> Result<(), String> {
    let choices = &mut Choices::new(shape);
    let nests = choices.chance(50);
    let base = document(choices, nests);
    let mut text = base.clone();
    let mut ops = String::new();
    for step in steps {
        let data = data(&parsed(&text)?)?;
        let Some(op) = op(&mut Choices::new(step), &data, nests) else { continue };
        let mut document = parsed(&text)?;
        if document.apply(&patch(&op)?).is_ok() {
            text = document.to_string();
            ops.push_str(&op);
        }
    }
    let mut document = parsed(&base)?;
    let story = |why: String| {
        format!("{why}\n--- base\n{base}--- ops\n{ops}--- one by one\n{text}---\n")
    };
    if let Err(error) = document.apply(&patch(&ops)?) {
        let why = error.to_string();
        // What was an alias when the first edit began is one until the last edit ends.
        return if why.contains("a value with aliases is not copied") {
            Ok(())
        } else {
            Err(story(why))
        };
    }
    let together = parsed(&document.to_string())?;
    if data(&together)? == data(&parsed(&text)?)? {
        return Ok(());
    }
    Err(story(format!("--- together\n{document}")))
}

fn parsed(text: &str) -> Result<Document, String> {
    Document::parse(text).map_err(|error| format!("{error}\n{text}"))
}

fn patch(ops: &str) -> Result<Patch, String> {
    let ops = if ops.is_empty() { "[]" } else { ops };
    Patch::parse("ops.yml", ops).map_err(|error| format!("{error}\n{ops}"))
}

fn data(document: &Document) -> Result<Value, String> {
    let json = document.to_json().map_err(|error| error.to_string())?;
    serde_json::from_str(&json).map_err(|error| error.to_string())
}

/// A mapping whose values have anchors, and aliases of those before them.
fn document(choices: &mut Choices<'_>, nests: bool) -> String {
    let mut text = String::new();
    let mut names = 0;
    for i in 0..3 + choices.next(3) {
        let _ = write!(text, "r{i}: ");
        value(choices, &mut text, &mut names, DEPTH, nests);
        text.push('\n');
    }
    text
}

fn value(
    choices: &mut Choices<'_>,
    text: &mut String,
    names: &mut u32,
    depth: u32,
    nests: bool,
) {
    let from = *names;
    if *names > 0 && choices.chance(35) {
        let _ = write!(text, "*n{}", choices.next(*names));
        return;
    }
    let is_anchored = choices.chance(40);
    let mut inner = String::new();
    match choices.next(if depth == 0 { 1 } else { 3 }) {
        0 => inner = choices.next(9).to_string(),
        1 => {
            inner.push('[');
            for _ in 0..1 + choices.next(2) {
                value(choices, &mut inner, names, depth - 1, nests);
                inner.push_str(", ");
            }
            inner.push(']');
        }
        _ => {
            inner.push('{');
            for key in &KEYS[..1 + choices.next(3) as usize] {
                let _ = write!(inner, "{key}: ");
                value(choices, &mut inner, names, depth - 1, nests);
                inner.push_str(", ");
            }
            inner.push('}');
        }
    }
    if is_anchored && (nests || *names == from && !inner.contains('*')) {
        let _ = write!(text, "&n{names} ");
        *names += 1;
    }
    text.push_str(&inner);
}

/// Returns an op on a document with this data. One that `keeps` takes no collection away.
fn op(choices: &mut Choices<'_>, data: &Value, keeps: bool) -> Option<String> {
    let path = path(choices, data)?;
    let number = 10 + choices.next(80);
    let is_scalar =
        data.pointer(&path).is_some_and(|it| !it.is_array() && !it.is_object());
    let kinds = if keeps && !is_scalar { 3 } else { 7 };
    let fields = match choices.next(kinds) {
        0 => {
            let around = self::path(choices, data)?;
            format!("type: copy, from: {path}, path: {around}/m{number}?")
        }
        1 => format!("type: replace, path: {path}/new?, value: {number}"),
        2 => format!("type: replace, path: {path}/-, value: {number}"),
        3 => format!("type: replace, path: {path}, value: {number}"),
        4 => format!("type: replace, path: {path}, value: {{a: {number}, b: [1]}}"),
        5 => format!("type: remove, path: {path}"),
        _ => {
            let (around, name) = path.rsplit_once('/')?;
            if name.starts_with('m') {
                return None;
            }
            format!("type: move, from: {path}, path: {around}/m{number}?")
        }
    };
    Some(format!("- {{{fields}, anchors: follow}}\n"))
}

/// Returns the path of a value.
fn path(choices: &mut Choices<'_>, data: &Value) -> Option<String> {
    let mut path = String::new();
    let mut value = data;
    for depth in 0.. {
        let count = match value {
            Value::Array(items) => items.len(),
            Value::Object(entries) => entries.len(),
            _ => 0,
        };
        if count == 0 || depth > 0 && choices.chance(35) {
            break;
        }
        let at = choices.next(count as u32) as usize;
        match value {
            Value::Array(items) => {
                let _ = write!(path, "/{at}");
                value = &items[at];
            }
            Value::Object(entries) => {
                let (key, inner) = entries.iter().nth(at)?;
                let _ = write!(path, "/{key}");
                value = inner;
            }
            _ => break,
        }
    }
    (!path.is_empty()).then_some(path)
}
