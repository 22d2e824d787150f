//! Builds two documents from choices and tests that their diff turns the one into the
//! other.

use interpolate::unstable::node::{Kind, NodeId, Tree};
use interpolate::unstable::scalar::{Dialect, Scalar};
use interpolate::unstable::source::Sources;
use interpolate::unstable::yaml::{self, Options};
use interpolate::unstable::{apply, diff, language};

/// A value with its spelling.
#[derive(Clone, Debug)]
pub enum Shape {
    /// A scalar.
    Word(&'static str),
    /// A sequence.
    List(Vec<Shape>),
    /// A mapping.
    Map(Vec<(&'static str, Shape)>),
    /// `&n`
    Anchor(u32, Box<Shape>),
    /// `*n`, or a word if there is no such anchor.
    Alias(u32),
}

const WORDS: &[&str] = &[
    "a",
    "b",
    "c",
    "web",
    "db",
    "1",
    "2",
    "1.0",
    "1.5",
    "true",
    "~",
    "''",
    "yes",
    "010",
    "1_0",
    "'1'",
    "\"x\\ny\"",
    "é",
    "2001-01-01",
    "12:30",
    "-0.0",
    "0x1F",
    ".inf",
    "<<",
    "=",
    "'a?'",
    "!!str 1",
    "1e3",
    "-",
    "'=b'",
    "NULL",
    "!Ref a",
    "!Sub a",
    "!t {a: 1, b: [!Ref a]}",
    "!t [a, web]",
    "!u [a, web]",
    "{b: !u [], a: 1}",
];

const KEYS: &[&str] = &[
    "a",
    "b",
    "c",
    "name",
    "name",
    "name",
    "id",
    "x y",
    "a/b",
    "a:b",
    "~",
    "a~b",
    "1",
    "'1'",
    "'-'",
    "q?",
    "'a=b'",
    "''",
    "true",
    "1.5",
    "'-1'",
    "é",
    "<<",
    "yes",
    "\"a\\nb\"",
    "!t a",
    "!u a",
];

const NAMES: &[&str] =
    &["web", "db", "api", "web", "1", "'1'", "yes", "a=b", "a/b:c", "q?", "''"];

/// Numbers to choose by.
pub struct Choices<'a>(&'a [u32], usize);

impl<'a> Choices<'a> {
    /// Begins with the first of the numbers.
    pub fn new(numbers: &'a [u32]) -> Choices<'a> {
        Choices(numbers, 0)
    }

    fn below(&mut self, count: usize) -> usize {
        let number = self.0[self.1 % self.0.len()];
        let round = (self.1 / self.0.len()) as u32;
        self.1 += 1;
        ((number ^ round.wrapping_mul(0x9E37_79B9)).wrapping_mul(0x85EB_CA6B) >> 8)
            as usize
            % count
    }

    fn one(&mut self, of: &[&'static str]) -> &'static str {
        of[self.below(of.len())]
    }
}

/// Builds a value.
pub fn tree(choices: &mut Choices<'_>, depth: u32) -> Shape {
    match choices.below(if depth == 0 { 8 } else { 20 }) {
        0..6 => Shape::Word(choices.one(WORDS)),
        6 => Shape::Alias(choices.below(3) as u32),
        7 => Shape::Anchor(
            choices.below(3) as u32,
            Box::new(tree(choices, depth.saturating_sub(1))),
        ),
        8..11 => {
            let count = choices.below(6);
            Shape::List((0..count).map(|_| tree(choices, depth - 1)).collect())
        }
        11..14 => {
            let count = choices.below(5);
            let item = |choices: &mut Choices<'_>| {
                let name = Shape::Word(choices.one(NAMES));
                let mut entries = vec![("name", name)];
                entries.extend(
                    pairs(choices, depth - 1).into_iter().filter(|e| e.0 != "name"),
                );
                Shape::Map(entries)
            };
            Shape::List((0..count).map(|_| item(choices)).collect())
        }
        _ => Shape::Map(pairs(choices, depth - 1)),
    }
}

fn pairs(choices: &mut Choices<'_>, depth: u32) -> Vec<(&'static str, Shape)> {
    let count = choices.below(5);
    (0..count).map(|_| (choices.one(KEYS), tree(choices, depth))).collect()
}

/// Returns a copy with one change.
pub fn change(choices: &mut Choices<'_>, root: &mut Shape) {
    let mut at = root;
    for _ in 0..choices.below(5) {
        let count = match at {
            Shape::List(items) => items.len(),
            Shape::Map(entries) => entries.len(),
            _ => 0,
        };
        if count == 0 {
            break;
        }
        let i = choices.below(count);
        at = match at {
            Shape::List(items) => &mut items[i],
            Shape::Map(entries) => &mut entries[i].1,
            other => other,
        };
    }
    let which = choices.below(6);
    match at {
        Shape::List(items) if !items.is_empty() => {
            let (i, j) = (choices.below(items.len()), choices.below(items.len()));
            match which {
                0 => drop(items.remove(i)),
                1 => items.swap(i, j),
                2 => items.insert(i, items[j].clone()),
                3 => items.insert(i, tree(choices, 2)),
                4 => items.rotate_left(i),
                _ => items[i] = tree(choices, 2),
            }
        }
        Shape::Map(entries) if !entries.is_empty() => {
            let i = choices.below(entries.len());
            match which {
                0 => drop(entries.remove(i)),
                1 => entries.reverse(),
                2 => entries[i].0 = choices.one(KEYS),
                3 => entries.insert(i, (choices.one(KEYS), tree(choices, 2))),
                _ => entries[i].1 = tree(choices, 2),
            }
        }
        other => *other = tree(choices, 2),
    }
}

/// Returns the text of a document, in block style down to some depth.
pub fn text(root: &Shape, block: usize) -> String {
    let (mut out, mut named) = (String::new(), Vec::new());
    write(root, &mut out, (0, block), &mut named);
    out + "\n"
}

fn write(
    tree: &Shape,
    out: &mut String,
    (column, block): (usize, usize),
    named: &mut Vec<u32>,
) {
    let line = |out: &mut String| {
        if !out.is_empty() {
            out.push('\n');
            out.push_str(&" ".repeat(column));
        }
    };
    let inner = (column + 2, block.saturating_sub(1));
    match tree {
        Shape::Word(word) => out.push_str(word),
        Shape::Alias(name) if named.contains(name) => out.push_str(&format!("*n{name} ")),
        Shape::Alias(_) => out.push_str("none"),
        Shape::Anchor(name, inner) => {
            out.push_str(&format!("&n{name} "));
            if let Shape::Anchor(..) | Shape::Alias(_) = **inner {
                out.push('x');
            } else {
                write(inner, out, (column, 0), named);
            }
            named.push(*name);
        }
        Shape::List(items) if block > 0 && !items.is_empty() => {
            for item in items {
                line(out);
                out.push_str("- ");
                write(item, out, inner, named);
            }
        }
        Shape::Map(entries) if block > 0 && !entries.is_empty() => {
            for (i, (key, value)) in entries.iter().enumerate() {
                line(out);
                out.push_str(&format!("{key}: "));
                write(value, out, inner, named);
                if i == 1 && !out.ends_with('\n') {
                    out.push_str(" # of that");
                }
            }
        }
        Shape::List(items) => {
            out.push('[');
            for item in items {
                write(item, out, (column, 0), named);
                out.push_str(", ");
            }
            out.push(']');
        }
        Shape::Map(entries) => {
            out.push('{');
            for (key, value) in entries {
                out.push_str(&format!("? {key} : "));
                write(value, out, (column, 0), named);
                out.push_str(", ");
            }
            out.push('}');
        }
    }
}

/// Tests that the diff of two texts turns the one into the other, applied directly and
/// after it was printed and read. A text that cannot be read is not a case.
pub fn check(old: &str, new: &str, dialect: Dialect) -> Result<(), String> {
    let mut sources = Sources::default();
    let (a, b) = (sources.add("old.yml", old), sources.add("new.yml", new));
    let options = Options { dialect, ..Options::default() };
    let go = Options { dialect: Dialect::Go, ..options };
    let (Ok(a), Ok(b)) =
        (yaml::read(&sources, a, &options), yaml::read(&sources, b, &options))
    else {
        return Ok(());
    };
    let patch = diff::diff(&a, &b).expect("a document as it was read");
    let printed = language::print_ops(&patch).map_err(|e| e.to_string())?;
    let story =
        |what: &str| format!("{what}\n--- old\n{old}--- new\n{new}--- ops\n{printed}");
    let ops = sources.add("ops.yml", &*printed);
    let read =
        yaml::read(&sources, ops, &options).map_err(|e| story(&format!("{e:?}")))?;
    let wanted = meaning(&b, b.root(), dialect);
    let again = language::ops(&read, "ops.yml").map_err(|e| story(&e.to_string()))?;
    for (patch, what) in [(&patch, "as it is"), (&again, "read again")] {
        let mut patched = a.clone();
        apply::apply(patch, &mut patched, 0..1)
            .map_err(|e| story(&format!("{what}: {e}")))?;
        let found = meaning(&patched, patched.root(), dialect);
        if found != wanted {
            return Err(story(&format!("{what}: {found}\nnot {wanted}")));
        }
        if !diff::diff(&patched, &b).expect("a document as it was read").is_empty() {
            let left = language::print_ops(
                &diff::diff(&patched, &b).expect("a document as it was read"),
            );
            return Err(story(&format!("there still is a difference: {left:?}")));
        }
    }
    // bosh does not read such a document.
    if has_complex_key(&b) {
        return Ok(());
    }
    let by_bosh = yaml::read(&sources, ops, &go).map_err(|e| story(&format!("{e:?}")))?;
    let values = meaning(&read, read.root(), Dialect::Go);
    let bosh = meaning(&by_bosh, by_bosh.root(), Dialect::Go);
    if values != bosh {
        return Err(story(&format!("bosh reads {bosh}\nnot {values}")));
    }
    language::ops(&by_bosh, "ops.yml").map(drop).map_err(|e| story(&e.to_string()))
}

fn has_complex_key(document: &Tree) -> bool {
    let mut todo = vec![document.root()];
    while let Some(node) = todo.pop() {
        todo.extend(document.items(node));
        for (key, value) in document.pairs(node) {
            if document.kind(key) != Kind::Scalar {
                return true;
            }
            todo.push(value);
        }
    }
    false
}

/// Returns the value of a node in a canonical spelling.
fn meaning(document: &Tree, node: NodeId, dialect: Dialect) -> String {
    format!("{}{}", tag(document, node, dialect), data(document, node, dialect))
}

/// Returns the tag of a value or a key, if the data does not show it. bosh drops it.
fn tag(document: &Tree, node: NodeId, dialect: Dialect) -> String {
    let tag = document
        .tag(node)
        .filter(|tag| tag.starts_with('!') && tag.len() > 1 && dialect != Dialect::Go);
    tag.map(|tag| format!("{tag} ")).unwrap_or_default()
}

fn data(document: &Tree, node: NodeId, dialect: Dialect) -> String {
    match document.kind(node) {
        Kind::Scalar => match document.scalar(node) {
            // bosh prints it in this form and reads that again.
            Scalar::Float(x)
                if dialect == Dialect::Go && x.fract() == 0.0 && x.abs() < 1e6 =>
            {
                format!("{:?}", Scalar::Int(x as i128))
            }
            scalar => format!("{scalar:?}"),
        },
        Kind::Sequence => {
            let items = document.items(node).into_iter();
            let items: Vec<_> =
                items.map(|item| meaning(document, item, dialect)).collect();
            format!("[{}]", items.join(", "))
        }
        Kind::Mapping => {
            let pairs = document.pairs(node).into_iter().map(|(key, value)| {
                let tag = tag(document, key, dialect);
                let key = format!("{tag}{:?}", document.scalar(key));
                format!("{key}: {}", meaning(document, value, dialect))
            });
            let mut pairs: Vec<_> = pairs.collect();
            pairs.sort();
            format!("{{{}}}", pairs.join(", "))
        }
    }
}
