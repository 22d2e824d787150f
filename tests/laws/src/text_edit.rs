//! Edits of the text of a document without directives: what is saved is that text.

use interpolate::unstable::compile::Rules;
use interpolate::unstable::node::Tree;
use interpolate::unstable::restore::{self, Comments, RestoreOptions};
use interpolate::unstable::source::{Memory, Sources};
use interpolate::unstable::yaml::{self, Options};

use crate::directives::DirectiveExpander;
use crate::save::Choices;

const KEYS: &[&str] =
    &["a", "b", "c", "name", "id", "'q k'", "\"d\"", "1", "on", "key", "port", "x y"];
const SCALARS: &[&str] = &[
    "1",
    "0x1F",
    "1.10",
    "text",
    "'one'",
    "\"two\"",
    "true",
    "~",
    "two words",
    "[1, 2]",
    "{k: v, l: [x]}",
    "[]",
    "{}",
    "http://a.b/c#d",
    "2024-01-01",
    "'it''s'",
    "\"a # b\"",
    "|\n",
    ">-\n",
];
const COMMENTS: &[&str] = &["# one", "#two", "#", "#  - list: item", "# 'quoted"];

/// A value with what stands around it.
#[derive(Clone, Debug)]
struct Entry {
    key: Option<String>,
    /// Comments and blank lines above it.
    above: Vec<String>,
    beside: Option<String>,
    value: Value,
}

#[derive(Clone, Debug)]
enum Value {
    Scalar(String),
    Block(Vec<Entry>),
}

/// Saves an edit of a document, and compares what is saved with the edited text.
pub fn check(shape: &[u32], edits: &[Vec<u32>]) -> Result<(), String> {
    let choices = &mut Choices::new(shape);
    let mut root = mapping(choices, 3);
    let step = choices.one(&[0, 2]);
    let tail = choices.one(&["", "# end\n", "\n# end\n"]);
    let text = |root: &[Entry]| {
        let mut out = String::from("# head\n\n");
        write(&mut out, root, 0, step);
        out + tail
    };
    let source = text(&root);
    for numbers in edits {
        edit(&mut Choices::new(numbers), &mut root);
    }
    let edited = text(&root);
    let story = || format!("--- source\n{source}--- edited\n{edited}--- ");
    let saved = save(&source, &edited).map_err(|why| story() + &why)?;
    if saved != edited {
        return Err(format!("{}saved\n{saved}", story()));
    }
    Ok(())
}

fn save(source: &str, edited: &str) -> Result<String, String> {
    let sources = &mut Sources::default();
    let written = read(sources, source)?;
    let edited = read(sources, edited)?;
    let world = Memory::default();
    let mut get = DirectiveExpander { world: &world, rules: Rules::default() };
    let options =
        RestoreOptions { comments: Comments::Edited, ..RestoreOptions::default() };
    restore::save(sources, &written, &edited, &options, &mut get)
        .map(|saved| saved.text)
        .map_err(|why| why.to_string())
}

fn read(sources: &mut Sources, text: &str) -> Result<Tree, String> {
    let file = sources.add("source.yml", text);
    yaml::read(sources, file, &Options::default()).map_err(|why| why.to_string())
}

fn mapping(choices: &mut Choices<'_>, depth: usize) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for _ in 0..2 + choices.next(4) {
        let key = choices.one(KEYS);
        if entries.iter().all(|entry| entry.key.as_deref() != Some(key)) {
            entries.push(entry(choices, Some(key), depth));
        }
    }
    entries
}

fn entry(choices: &mut Choices<'_>, key: Option<&str>, depth: usize) -> Entry {
    let value = match choices.next(5) {
        0 | 1 if depth > 0 => Value::Block(mapping(choices, depth - 1)),
        2 if depth > 0 => {
            let count = 1 + choices.next(3);
            Value::Block((0..count).map(|_| entry(choices, None, depth - 1)).collect())
        }
        _ => scalar(choices),
    };
    let above = if choices.next(4) == 0 { lines(choices) } else { Vec::new() };
    let beside = (choices.next(5) == 0).then(|| comment_beside(choices));
    Entry { key: key.map(str::to_owned), above, beside, value }
}

fn scalar(choices: &mut Choices<'_>) -> Value {
    Value::Scalar(choices.one(SCALARS).to_owned())
}

fn lines(choices: &mut Choices<'_>) -> Vec<String> {
    let mut lines = vec![choices.one(COMMENTS).to_owned()];
    if choices.next(3) == 0 {
        lines.insert(0, String::new());
    }
    lines
}

fn comment_beside(choices: &mut Choices<'_>) -> String {
    format!("{}{}", choices.one(&[" ", "  ", "   "]), choices.one(COMMENTS))
}

/// Writes entries in block style.
fn write(out: &mut String, entries: &[Entry], column: usize, step: usize) {
    for (at, entry) in entries.iter().enumerate() {
        let beside_dash = at == 0 && out.ends_with("- ");
        if !beside_dash {
            for line in &entry.above {
                let blanks = if line.is_empty() { 0 } else { column };
                out.push_str(&format!("{:blanks$}{line}\n", ""));
            }
            out.push_str(&" ".repeat(column));
        }
        out.push_str(&match &entry.key {
            Some(key) => format!("{key}:"),
            None => "-".to_owned(),
        });
        write_value(out, entry, column, step);
    }
}

fn write_value(out: &mut String, entry: &Entry, column: usize, step: usize) {
    let beside = entry.beside.as_deref().unwrap_or_default();
    match &entry.value {
        Value::Scalar(text) if text.ends_with('\n') => {
            let header = text.trim_end();
            out.push_str(&format!(" {header}{beside}\n"));
            out.push_str(&format!("{:1$}some # text\n", "", column + 2));
        }
        Value::Scalar(text) => out.push_str(&format!(" {text}{beside}\n")),
        Value::Block(inner) => {
            let is_list = inner[0].key.is_none();
            // A comment beside the `-` would move the first entry to a line of its own.
            if entry.key.is_none() {
                out.push(' ');
                return write(out, inner, column + 2, step);
            }
            out.push_str(beside);
            out.push('\n');
            let list = if is_list { step } else { 2 };
            write(out, inner, column + list, step);
        }
    }
}

/// Changes one place.
fn edit(choices: &mut Choices<'_>, root: &mut Vec<Entry>) {
    let entries = pick(choices, root);
    let at = choices.next(entries.len());
    let is_list = entries[0].key.is_none();
    match choices.next(9) {
        0 => entries[at].value = scalar(choices),
        1 | 2 => {
            let key = choices.one(KEYS);
            let taken = entries.iter().any(|entry| entry.key.as_deref() == Some(key));
            if is_list || !taken {
                let new = entry(choices, (!is_list).then_some(key), 1);
                entries.insert(choices.next(entries.len() + 1), new);
            }
        }
        3 if entries.len() > 1 => drop(entries.remove(at)),
        4 if !is_list => {
            let key = format!("new{}", choices.next(9));
            if entries.iter().all(|entry| entry.key.as_ref() != Some(&key)) {
                entries[at].key = Some(key);
            }
        }
        5 => {
            let moved = entries.remove(at);
            entries.insert(choices.next(entries.len() + 1), moved);
        }
        6 => entries[at].above = lines(choices),
        7 => entries[at].beside = Some(comment_beside(choices)),
        _ => (entries[at].above, entries[at].beside) = (Vec::new(), None),
    }
}

/// Returns the entries of one of the collections.
fn pick<'e>(
    choices: &mut Choices<'_>,
    entries: &'e mut Vec<Entry>,
) -> &'e mut Vec<Entry> {
    let at = choices.next(entries.len() + 1);
    let inner = |entry: &Entry| matches!(entry.value, Value::Block(_));
    if !entries.get(at).is_some_and(inner) {
        return entries;
    }
    match &mut entries[at].value {
        Value::Block(inner) => pick(choices, inner),
        Value::Scalar(_) => unreachable!("it is a collection"),
    }
}
