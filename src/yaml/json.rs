//! The JSON printer: a node becomes its value, with aliases and `<<` written out, each
//! key once, in the order of the document.

use std::borrow::Cow;
use std::vec::IntoIter;

use hashbrown::HashMap;
use serde_json::{Number, Value};

use super::expanded::{Expansion, pad};
use crate::diagnostic::{Diagnostic, Result};
use crate::node::{Kind, NodeId, Tree};
use crate::scalar::{Context, Scalar, spell, to_base64};

/// Prints the value of `node` as indented JSON.
///
/// Values that JSON lacks become strings: `.inf`, `.nan`, dates and base64 as YAML spells
/// them, and keys of every type.
///
/// # Errors
/// The text exceeds `limit`, or two different keys of a mapping have one name in JSON.
pub fn print(document: &Tree, node: NodeId, limit: Expansion) -> Result<String> {
    let mut printer =
        JsonPrinter { has_one_key_a_name: true, ..JsonPrinter::new(document, limit) };
    printer.value(node)?;
    printer.run()?;
    printer.out.push('\n');
    Ok(printer.out)
}

/// Prints the value of `node` as JSON on one line, without a line break.
///
/// # Errors
/// The text exceeds `limit`.
pub fn print_line(document: &Tree, node: NodeId, limit: Expansion) -> Result<String> {
    let mut printer = JsonPrinter::on_one_line(document, limit);
    printer.value(node)?;
    printer.run()?;
    Ok(printer.out)
}

/// Returns the start of the value of `node` as JSON on one line: more than `length` bytes,
/// or all.
pub fn line_start(document: &Tree, node: NodeId, length: usize) -> String {
    let mut printer = JsonPrinter::on_one_line(document, Expansion::default());
    printer.enough = length;
    // A start that exceeds the limit skips millions of entries: it ends there.
    printer.value(node).and_then(|()| printer.run()).ok();
    printer.out
}

/// Returns a scalar as JSON.
pub(crate) fn scalar(document: &Tree, node: NodeId) -> String {
    let mut printer = JsonPrinter::new(document, Expansion::default());
    printer.scalar(node);
    printer.out
}

/// Returns the key of a member as JSON, with its colon.
pub(crate) fn key(document: &Tree, key: NodeId) -> String {
    let mut printer = JsonPrinter::new(document, Expansion::default());
    printer.key(key);
    printer.out
}

struct JsonPrinter<'a> {
    document: &'a Tree,
    limit: Expansion,
    is_on_one_line: bool,
    /// True if it fails where two different keys of a mapping have one name.
    has_one_key_a_name: bool,
    /// The length after which the rest is not printed.
    enough: usize,
    /// Number of entries that were skipped because their key was there already.
    skipped: usize,
    out: String,
    /// The collections that are being printed, the innermost last.
    open: Vec<Remaining>,
}

/// The children of a collection that are not printed yet.
enum Remaining {
    Items(IntoIter<NodeId>),
    Pairs(IntoIter<(NodeId, NodeId)>),
}

impl<'a> JsonPrinter<'a> {
    fn new(document: &'a Tree, limit: Expansion) -> Self {
        JsonPrinter {
            document,
            limit,
            is_on_one_line: false,
            has_one_key_a_name: false,
            enough: usize::MAX,
            skipped: 0,
            out: String::new(),
            open: Vec::new(),
        }
    }

    fn on_one_line(document: &'a Tree, limit: Expansion) -> Self {
        JsonPrinter { is_on_one_line: true, ..JsonPrinter::new(document, limit) }
    }

    fn run(&mut self) -> Result<()> {
        let mut first = true;
        while let Some(rest) = self.open.last_mut()
            && self.out.len() <= self.enough
        {
            let (next, close) = match rest {
                Remaining::Items(items) => (items.next().map(|item| (None, item)), ']'),
                Remaining::Pairs(pairs) => {
                    (pairs.next().map(|(key, value)| (Some(key), value)), '}')
                }
            };
            let depth = self.open.len();
            let Some((key, value)) = next else {
                self.open.pop();
                self.line(depth - 1);
                self.out.push(close);
                first = false;
                continue;
            };
            self.separate(first, depth);
            if let Some(key) = key {
                self.key(key);
            }
            self.value(value)?;
            first = self.open.len() > depth;
        }
        Ok(())
    }

    /// Prints a scalar or an empty collection, opens any other collection.
    fn value(&mut self, node: NodeId) -> Result<()> {
        self.limit.check(self.out.len(), self.skipped)?;
        let (open, empty, rest) = match self.document.kind(node) {
            Kind::Scalar => {
                self.scalar(node);
                return Ok(());
            }
            Kind::Sequence => {
                let items = self.document.items(node);
                ('[', items.is_empty(), Remaining::Items(items.into_iter()))
            }
            Kind::Mapping => {
                let (pairs, skipped) = self.document.effective_pairs(node);
                self.skipped += skipped;
                if self.has_one_key_a_name {
                    check_names(self.document, &pairs)?;
                }
                ('{', pairs.is_empty(), Remaining::Pairs(pairs.into_iter()))
            }
        };
        self.out.push(open);
        if empty {
            self.out.push(if open == '[' { ']' } else { '}' });
        } else {
            self.open.push(rest);
        }
        Ok(())
    }

    fn scalar(&mut self, node: NodeId) {
        match self.document.scalar(node) {
            Scalar::Null => self.out.push_str("null"),
            Scalar::Bool(x) => self.out.push_str(if x { "true" } else { "false" }),
            Scalar::Int(x) => self.out.push_str(&x.to_string()),
            Scalar::Big(x) => self.out.push_str(&x.to_string()),
            Scalar::Float(x) => match Number::from_f64(x) {
                Some(number) => self.out.push_str(&number.to_string()),
                None => self.string(&spell(&Scalar::Float(x), Context::Block)),
            },
            Scalar::String(text) => self.string(&text),
            Scalar::Binary(bytes) => match written(self.document, node) {
                Some(base64) => self.string(&base64),
                None => self.string(&to_base64(&bytes)),
            },
        }
    }

    fn key(&mut self, key: NodeId) {
        match self.document.printed_name(key) {
            Some(name) => self.string(&name),
            None if self.document.kind(key) != Kind::Scalar => {
                self.string(&written(self.document, key).unwrap_or_default());
            }
            None => self.scalar(key),
        }
        self.out.push_str(": ");
    }

    fn string(&mut self, text: &str) {
        push_quoted(&mut self.out, text);
    }

    fn separate(&mut self, is_first: bool, depth: usize) {
        self.out.push_str(match (is_first, self.is_on_one_line) {
            (true, _) => "",
            (false, true) => ", ",
            (false, false) => ",",
        });
        self.line(depth);
    }

    fn line(&mut self, depth: usize) {
        if !self.is_on_one_line {
            self.out.push('\n');
            pad(&mut self.out, 2 * depth);
        }
    }
}

/// Checks that no two keys of a mapping have one name, as `200` and `'200'` have.
fn check_names(document: &Tree, pairs: &[(NodeId, NodeId)]) -> Result<()> {
    if pairs.iter().all(|&(key, _)| document.string(key).is_some()) {
        return Ok(());
    }
    let mut known = HashMap::new();
    for &(key, _) in pairs {
        let Some(name) = document.json_name(key) else { continue };
        if let Some(first) = known.insert(name, key) {
            let line = |key| document.span(key).map(|span| document.first_line(span));
            let message = "another key of the mapping has the same name in JSON";
            let error = Diagnostic::error(message).at(line(key));
            let other = line(first).into_iter();
            return Err(other.fold(error, |error, at| error.label(at, "this one")));
        }
    }
    Ok(())
}

/// Returns `text` as a JSON string.
pub fn quoted(text: &str) -> String {
    let mut out = String::new();
    push_quoted(&mut out, text);
    out
}

/// Returns `text` as a JSON string in the escapes of Go, which HTML and JavaScript can hold.
pub fn quoted_go(text: &str) -> String {
    let escapes = [
        ("<", "\\u003c"),
        (">", "\\u003e"),
        ("&", "\\u0026"),
        ("\u{2028}", "\\u2028"),
        ("\u{2029}", "\\u2029"),
    ];
    escapes.iter().fold(quoted(text), |text, (sign, escape)| text.replace(sign, escape))
}

/// Appends `text` as a JSON string.
fn push_quoted(out: &mut String, text: &str) {
    // Most strings need no escape.
    if text.bytes().all(|b| b >= b' ' && b != b'"' && b != b'\\') {
        out.extend(["\"", text, "\""]);
    } else {
        out.push_str(&Value::from(text).to_string());
    }
}

/// Returns the text of a written scalar, or a written collection as it is.
fn written(document: &Tree, node: NodeId) -> Option<Cow<'_, str>> {
    match document.follow(node) {
        NodeId::Clean(file, i) if document.kind(node) == Kind::Scalar => {
            Some(document.arena(file).string(i))
        }
        NodeId::Clean(file, i) => Some(document.arena(file).raw(i).into()),
        NodeId::Opened(_) => None,
    }
}
