//! Values in the syntax of Go, as `%#v` prints them.

use std::fmt::Write;

use num_traits::ToPrimitive;

use crate::arena::{Arena, Index, Style, flag};
use crate::scalar::{Scalar, spell_go};

/// Maximum length in bytes of a rendered value.
// It is part of an error message, and aliases could make it exponentially long.
const MAX_RENDERED_BYTES: usize = 4_096;

/// Returns the value of node `i`, cut at the maximum length: `[]interface {}{"a", 1}`.
pub(super) fn render(arena: &Arena, i: Index) -> String {
    let mut out = String::new();
    let mut todo = vec![Fragment::Node(i)];
    while let Some(piece) = todo.pop() {
        match piece {
            Fragment::Text(text) => out.push_str(text),
            Fragment::Key(key) => scalar(&mut out, &key),
            Fragment::Node(i) => {
                let i = arena.target(i);
                match shape(arena, i) {
                    Shape::Scalar | Shape::Alias => scalar(&mut out, &arena.scalar(i)),
                    Shape::Sequence => {
                        out.push_str("[]interface {}{");
                        let items = arena.children(i).map(|item| [Fragment::Node(item)]);
                        list(&mut todo, items.collect());
                    }
                    Shape::Mapping => {
                        out.push_str("map[interface {}]interface {}{");
                        let pairs =
                            effective_pairs(arena, i).into_iter().map(|(key, value)| {
                                [
                                    Fragment::Key(key),
                                    Fragment::Text(":"),
                                    Fragment::Node(value),
                                ]
                            });
                        list(&mut todo, pairs.collect());
                    }
                }
            }
        }
        if out.len() > MAX_RENDERED_BYTES {
            let end =
                (0..=MAX_RENDERED_BYTES).rev().find(|&end| out.is_char_boundary(end));
            out.truncate(end.unwrap_or(0));
            out.push('…');
            break;
        }
    }
    out
}

/// A piece of the output; the last one of the stack is printed next.
enum Fragment<'a> {
    Text(&'static str),
    Key(Scalar<'a>),
    Node(Index),
}

fn list<'a, const N: usize>(
    todo: &mut Vec<Fragment<'a>>,
    elements: Vec<[Fragment<'a>; N]>,
) {
    todo.push(Fragment::Text("}"));
    let count = elements.len();
    for (number, element) in elements.into_iter().rev().enumerate() {
        todo.extend(element.into_iter().rev());
        if number + 1 < count {
            todo.push(Fragment::Text(", "));
        }
    }
}

/// Returns the entries of a mapping with `<<` resolved, each key once, sorted.
fn effective_pairs(arena: &Arena, i: Index) -> Vec<(Scalar<'_>, Index)> {
    let mut todo = vec![(i + 1, arena.next(i))];
    let mut entries = Vec::new();
    while let Some((key, end)) = todo.pop() {
        if key >= end {
            continue;
        }
        let value = arena.next(key);
        todo.push((arena.next(value), end));
        if !arena.has(key, flag::MERGE_KEY) {
            entries.push((arena.scalar(arena.target(key)), value));
            continue;
        }
        let merges = match shape(arena, value) {
            Shape::Sequence => arena.children(value).collect(),
            Shape::Mapping | Shape::Alias | Shape::Scalar => vec![value],
        };
        let merges = merges.into_iter().map(|merge| arena.target(merge));
        todo.extend(merges.map(|merge| (merge + 1, arena.next(merge))));
    }
    // The last one of equal keys counts, and the sort is stable.
    entries.reverse();
    entries.sort_by(|(a, _), (b, _)| rank(a).cmp(&rank(b)));
    entries.dedup_by(|(a, _), (b, _)| a.clone().identity() == b.clone().identity());
    entries
}

/// Returns a key for sorting: Go's fmt sorts the keys of a type by value.
fn rank<'a>(key: &'a Scalar<'_>) -> (u8, i128, &'a [u8]) {
    match key {
        Scalar::Null => (0, 0, &[]),
        Scalar::Bool(x) => (1, i128::from(*x), &[]),
        Scalar::Int(x) => (2, *x, &[]),
        Scalar::Big(x) => (3, order(x.to_f64().unwrap_or(f64::INFINITY)), &[]),
        Scalar::Float(x) => (3, order(*x), &[]),
        Scalar::String(text) => (4, 0, text.as_bytes()),
        Scalar::Binary(bytes) => (4, 0, bytes),
    }
}

/// Returns a number that grows with the float and is least for NaN.
fn order(x: f64) -> i128 {
    let bits = i128::from(x.abs().to_bits());
    match x {
        _ if x.is_nan() => i128::MIN,
        _ if x < 0.0 => -bits,
        _ => bits,
    }
}

fn scalar(out: &mut String, value: &Scalar) {
    match value {
        Scalar::Null => out.push_str("interface {}(nil)"),
        Scalar::Bool(x) => out.push_str(if *x { "true" } else { "false" }),
        Scalar::Int(x) if i64::try_from(*x).is_ok() => out.push_str(&x.to_string()),
        Scalar::Int(x) => out.push_str(&format!("{x:#x}")),
        Scalar::Big(x) => out.push_str(&x.to_string()),
        Scalar::Float(x) if x.is_nan() => out.push_str("NaN"),
        Scalar::Float(x) if x.is_infinite() => {
            out.push_str(if *x > 0.0 { "+Inf" } else { "-Inf" });
        }
        Scalar::Float(x) => out.push_str(&spell_go(*x)),
        Scalar::String(text) => quote(out, text.as_bytes()),
        Scalar::Binary(bytes) => quote(out, bytes),
    }
}

fn quote(out: &mut String, bytes: &[u8]) {
    out.push('"');
    // A character that is cut here lies behind the limit in any case.
    for chunk in bytes[..bytes.len().min(MAX_RENDERED_BYTES + 4)].utf8_chunks() {
        chunk.valid().chars().for_each(|c| escape(out, c));
        for byte in chunk.invalid() {
            hex(out, format_args!("\\x{byte:02x}"));
        }
    }
    out.push('"');
}

fn escape(out: &mut String, c: char) {
    match c {
        '"' | '\\' => out.extend(['\\', c]),
        '\x07' => out.push_str("\\a"),
        '\x08' => out.push_str("\\b"),
        '\x0c' => out.push_str("\\f"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\x0b' => out.push_str("\\v"),
        _ if is_printable(c) => out.push(c),
        '\0'..'\u{80}' => hex(out, format_args!("\\x{:02x}", c as u32)),
        '\u{80}'..'\u{10000}' => hex(out, format_args!("\\u{:04x}", c as u32)),
        _ => hex(out, format_args!("\\U{:08x}", c as u32)),
    }
}

fn hex(out: &mut String, escape: std::fmt::Arguments) {
    // Writing to a string cannot fail.
    out.write_fmt(escape).ok();
}

/// Returns true if `c` is printed as it is.
fn is_printable(c: char) -> bool {
    // Rust's debug output escapes the same characters, but also a combining one at the
    // beginning: a letter goes first.
    let mut pair = [b'a'; 5];
    let len = 1 + c.encode_utf8(&mut pair[1..]).len();
    let pair = std::str::from_utf8(&pair[..len]).unwrap_or_default();
    c == '\'' || pair.escape_debug().count() == 2
}

/// The shape of a node, whatever its style.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Scalar,
    Sequence,
    Mapping,
    Alias,
}

pub(super) fn shape(arena: &Arena, i: Index) -> Shape {
    match arena.style(i) {
        Style::Empty | Style::Plain | Style::Single | Style::Double => Shape::Scalar,
        Style::Literal | Style::Folded => Shape::Scalar,
        Style::BlockSequence | Style::FlowSequence => Shape::Sequence,
        Style::BlockMapping | Style::FlowMapping | Style::FlowPair => Shape::Mapping,
        Style::Alias => Shape::Alias,
    }
}
