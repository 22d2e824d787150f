//! Versions of a document: builds one from choices and edits copies of it.

use crate::text::Choices;

/// A value with what stands around it.
#[derive(Clone, Debug)]
struct Entry {
    /// Empty for an item.
    key: String,
    above: Option<String>,
    beside: Option<String>,
    value: Value,
}

#[derive(Clone, Debug)]
enum Value {
    Scalar(String),
    /// A text of several lines.
    Lines(Vec<String>),
    Mapping(Vec<Entry>),
    List(Vec<Entry>),
}

const KEYS: &[&str] =
    &["a", "b", "port", "host", "x/y", "'q k'", "n~", "env", "jobs", "1"];
const NAMES: &[&str] = &["web", "db", "api", "cache", "x/y"];
const SCALARS: &[&str] =
    &["1", "'1'", "1.0", "text", "\"two words\"", "true", "~", "[]", "{}", "!t v", "é"];
const LINES: &[&str] = &["one", "two", "three", "  four", "five", "# six"];

/// Returns the texts of a document and of two edited versions of it. The numbers choose
/// their layouts; most versions have the same one.
pub fn texts(shape: &[u32], sides: [&[Vec<u32>]; 2], layouts: [usize; 3]) -> [String; 3] {
    let base = document(&mut Choices::new(shape));
    let [ours, theirs] = sides.map(|edits| {
        let mut version = base.clone();
        for edit in edits {
            change(&mut Choices::new(edit), &mut version, 3);
        }
        version
    });
    let layout = |at: usize| Layout {
        step: if at == 1 { 4 } else { 2 },
        dash: if at == 2 { 2 } else { 0 },
        crlf: at == 3,
    };
    let [first, second, third] = layouts.map(layout);
    [text(&base, first), text(&ours, second), text(&theirs, third)]
}

/// Returns the texts of a stream of documents without names and of two edited versions of it.
pub fn streams(shapes: &[Vec<u32>], sides: [&[Vec<u32>]; 2]) -> [String; 3] {
    let new = |shape: &Vec<u32>| mapping(&mut Choices::new(shape), 1);
    let base: Vec<_> = shapes.iter().map(new).collect();
    let [ours, theirs] = sides.map(|edits| {
        let mut version = base.clone();
        for edit in edits {
            change_stream(&mut Choices::new(edit), &mut version);
        }
        version
    });
    [base, ours, theirs].map(|documents| {
        let layout = Layout { step: 2, dash: 0, crlf: false };
        let texts = documents.iter().map(|entries| text(entries, layout));
        texts.collect::<Vec<_>>().join("---\n")
    })
}

/// Changes one document, or which ones there are.
fn change_stream(choices: &mut Choices<'_>, documents: &mut Vec<Vec<Entry>>) {
    let at = choices.next(documents.len() as u32 + 1) as usize;
    match choices.next(6) {
        0 | 1 => documents.insert(at, mapping(choices, 1)),
        _ if at == documents.len() => {}
        2 => drop(documents.remove(at)),
        3 => documents.swap(0, at),
        _ => change(choices, &mut documents[at], 1),
    }
}

/// Returns a document that is a mapping.
fn document(choices: &mut Choices<'_>) -> Vec<Entry> {
    mapping(choices, 3)
}

fn one(choices: &mut Choices<'_>, of: &[&str]) -> String {
    of[choices.next(of.len() as u32) as usize].to_owned()
}

fn comment(choices: &mut Choices<'_>) -> String {
    format!("# c{}", choices.next(1000))
}

fn mapping(choices: &mut Choices<'_>, depth: u32) -> Vec<Entry> {
    let mut entries = Vec::new();
    for _ in 0..1 + choices.next(5) {
        add_key(choices, &mut entries, depth);
    }
    entries
}

fn add_key(choices: &mut Choices<'_>, entries: &mut Vec<Entry>, depth: u32) {
    let key = one(choices, KEYS);
    if entries.iter().all(|entry| entry.key != key) {
        let at = choices.next(entries.len() as u32 + 1) as usize;
        let new = entry(choices, key, depth);
        entries.insert(at, new);
    }
}

fn entry(choices: &mut Choices<'_>, key: String, depth: u32) -> Entry {
    let above = choices.chance(15).then(|| comment(choices));
    let beside = choices.chance(15).then(|| comment(choices));
    Entry { key, above, beside, value: value(choices, depth) }
}

fn value(choices: &mut Choices<'_>, depth: u32) -> Value {
    if depth == 0 {
        return Value::Scalar(one(choices, SCALARS));
    }
    match choices.next(8) {
        0 | 1 => Value::Mapping(mapping(choices, depth - 1)),
        2 => {
            let mut items = Vec::new();
            for _ in 0..1 + choices.next(4) {
                add_named(choices, &mut items, depth - 1);
            }
            Value::List(items)
        }
        3 => {
            let count = 1 + choices.next(4);
            Value::List((0..count).map(|_| entry(choices, String::new(), 0)).collect())
        }
        4 => {
            let count = 1 + choices.next(2);
            let depth = depth - 1;
            Value::List(
                (0..count).map(|_| entry(choices, String::new(), depth)).collect(),
            )
        }
        5 => {
            Value::Lines((0..1 + choices.next(5)).map(|_| one(choices, LINES)).collect())
        }
        _ => Value::Scalar(one(choices, SCALARS)),
    }
}

/// Adds an item with a name.
fn add_named(choices: &mut Choices<'_>, items: &mut Vec<Entry>, depth: u32) {
    let mut item = entry(choices, String::new(), 0);
    let mut entries = mapping(choices, depth);
    entries.retain(|entry| entry.key != "name");
    let mut name = entry(choices, "name".into(), 0);
    name.value = Value::Scalar(one(choices, NAMES));
    let at = choices.next(entries.len() as u32 + 1) as usize;
    entries.insert(at, name);
    item.value = Value::Mapping(entries);
    let at = choices.next(items.len() as u32 + 1) as usize;
    items.insert(at, item);
}

/// Changes one place.
fn change(choices: &mut Choices<'_>, entries: &mut Vec<Entry>, depth: u32) {
    if entries.is_empty() {
        return add_key(choices, entries, depth);
    }
    let keyed = entries.iter().any(|entry| !entry.key.is_empty());
    let at = choices.next(entries.len() as u32) as usize;
    match choices.next(10) {
        0 if keyed => add_key(choices, entries, depth),
        0 if choices.chance(50) => add_named(choices, entries, depth),
        0 => {
            let new = entry(choices, String::new(), depth.min(1));
            entries.insert(at, new);
        }
        1 => drop(entries.remove(at)),
        2 => entries[at].above = choices.chance(70).then(|| comment(choices)),
        3 => entries[at].beside = choices.chance(70).then(|| comment(choices)),
        4 if choices.chance(30) => entries.reverse(),
        4 => entries[at].value = value(choices, depth),
        _ => change_value(choices, &mut entries[at].value, depth),
    }
}

fn change_value(choices: &mut Choices<'_>, value: &mut Value, depth: u32) {
    match value {
        Value::Scalar(text) => *text = one(choices, SCALARS),
        Value::Lines(lines) if lines.is_empty() => lines.push(one(choices, LINES)),
        Value::Lines(lines) => {
            let at = choices.next(lines.len() as u32) as usize;
            match choices.next(3) {
                0 => lines.insert(at, one(choices, LINES)),
                1 => drop(lines.remove(at)),
                _ => lines[at] = one(choices, LINES),
            }
        }
        Value::Mapping(entries) | Value::List(entries) => {
            change(choices, entries, depth.saturating_sub(1));
        }
    }
}

/// The style of a version.
#[derive(Clone, Copy, Debug)]
struct Layout {
    /// By how much mappings are indented below their key.
    step: usize,
    /// By how much lists are.
    dash: usize,
    crlf: bool,
}

/// Returns the text of a document.
fn text(entries: &[Entry], layout: Layout) -> String {
    let mut out = String::new();
    if entries.is_empty() {
        out.push_str("{}\n");
    }
    write_all(&mut out, entries, 0, layout);
    if layout.crlf { out.replace('\n', "\r\n") } else { out }
}

fn write_all(out: &mut String, entries: &[Entry], column: usize, layout: Layout) {
    for entry in entries {
        // The first entry of an item stands beside its dash.
        if !out.ends_with("- ") {
            if let Some(above) = &entry.above {
                out.push_str(&format!("{:column$}{above}\n", ""));
            }
            out.push_str(&" ".repeat(column));
        }
        match &*entry.key {
            "" => out.push('-'),
            key => out.push_str(&format!("{key}:")),
        }
        write(out, entry, column, layout);
    }
}

fn write(out: &mut String, entry: &Entry, column: usize, layout: Layout) {
    let beside = entry.beside.as_deref().map(|it| format!(" {it}")).unwrap_or_default();
    match &entry.value {
        Value::Scalar(text) => out.push_str(&format!(" {text}{beside}\n")),
        Value::Lines(lines) if lines.iter().all(|line| line.starts_with(' ')) => {
            out.push_str(&format!(" ''{beside}\n"));
        }
        Value::Lines(lines) => {
            out.push_str(&format!(" |2{beside}\n"));
            let column = column + 2;
            lines
                .iter()
                .for_each(|line| out.push_str(&format!("{:column$}{line}\n", "")));
        }
        Value::Mapping(entries) | Value::List(entries) if entries.is_empty() => {
            let list = matches!(entry.value, Value::List(_));
            out.push_str(if list { " []" } else { " {}" });
            out.push_str(&format!("{beside}\n"));
        }
        Value::Mapping(entries) if entry.key.is_empty() => {
            out.push(' ');
            write_all(out, entries, column + 2, layout);
        }
        Value::Mapping(entries) => {
            out.push_str(&format!("{beside}\n"));
            write_all(out, entries, column + layout.step, layout);
        }
        Value::List(entries) if entry.key.is_empty() => {
            out.push(' ');
            write_all(out, entries, column + 2, layout);
        }
        Value::List(entries) => {
            out.push_str(&format!("{beside}\n"));
            write_all(out, entries, column + layout.dash, layout);
        }
    }
}
