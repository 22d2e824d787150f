//! A node comes in, what Go's yaml.v2 prints for its value goes out, byte for byte: keys
//! sorted, aliases and `<<` written out, text folded at 80 columns.

mod form;
mod letter;
mod sort;
mod text;

use std::vec::IntoIter;

use super::limit::Expansion;
use crate::diagnostic::Result;
use crate::node::{Document, Kind, Node};
use crate::scalar::Scalar;
use text::Writer;

/// Prints the value of `node` as a document.
///
/// # Errors
/// The text grows past the limit.
pub fn print(document: &Document, node: Node, limit: Expansion) -> Result<String> {
    let mut printer =
        Printer { document, limit, passed: 0, out: Writer::default(), open: Vec::new() };
    printer.value(node, 0, Place::Root)?;
    printer.run()?;
    Ok(printer.out.finish())
}

/// Prints what `--path` found: a string as it is and a line break, anything else as a
/// document.
///
/// # Errors
/// As [`print`].
pub fn print_found(document: &Document, node: Node, limit: Expansion) -> Result<Vec<u8>> {
    let mut raw = match document.scalar(node) {
        Scalar::String(text) => text.into_owned().into_bytes(),
        Scalar::Binary(bytes) => bytes,
        Scalar::Null
        | Scalar::Bool(_)
        | Scalar::Int(_)
        | Scalar::Big(_)
        | Scalar::Float(_) => {
            return print(document, node, limit).map(String::into_bytes);
        }
    };
    raw.push(b'\n');
    Ok(raw)
}

struct Printer<'a> {
    document: &'a Document,
    limit: Expansion,
    /// Entries whose key was there already.
    passed: usize,
    out: Writer,
    /// The collections that are being printed, the innermost last.
    open: Vec<Frame<'a>>,
}

/// A collection of which some children are still to be printed.
struct Frame<'a> {
    indent: usize,
    rest: Rest<'a>,
}

enum Rest<'a> {
    Items(IntoIter<Node>),
    Pairs(IntoIter<(Scalar<'a>, Node)>),
}

/// What stands before a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Nothing.
    Root,
    /// `key:`
    Key,
    /// `-`, or the `:` of a key with a `?`.
    Indicator,
}

impl<'a> Printer<'a> {
    fn run(&mut self) -> Result<()> {
        while let Some(Frame { indent, rest }) = self.open.last_mut() {
            let indent = *indent;
            let next = match rest {
                Rest::Items(items) => items.next().map(|item| {
                    self.out.entry(indent, "-");
                    (item, Place::Indicator)
                }),
                Rest::Pairs(pairs) => {
                    pairs.next().map(|(key, value)| (value, self.out.key(&key, indent)))
                }
            };
            match next {
                Some((value, place)) => self.value(value, indent, place)?,
                None => drop(self.open.pop()),
            }
        }
        Ok(())
    }

    /// Prints a scalar or an empty collection, opens any other one. `indent` is that of
    /// the collection the value stands in.
    fn value(&mut self, node: Node, indent: usize, place: Place) -> Result<()> {
        self.limit.check(self.out.len(), self.passed)?;
        let (root, inner) = (place == Place::Root, indent + 2);
        let (indent, rest, empty) = match self.document.kind(node) {
            Kind::Scalar => {
                self.out.scalar(&self.document.scalar(node), inner, !root);
                return Ok(());
            }
            Kind::Sequence => {
                let items = self.document.items(node);
                let indent = if place == Place::Indicator { inner } else { indent };
                (indent, Rest::Items(items.into_iter()), "[]")
            }
            Kind::Mapping => {
                let pairs = self.sorted(node);
                let indent = if root { indent } else { inner };
                (indent, Rest::Pairs(pairs.into_iter()), "{}")
            }
        };
        if rest.is_empty() {
            self.out.word(empty, !root);
        } else {
            self.open.push(Frame { indent, rest });
        }
        Ok(())
    }

    fn sorted(&mut self, mapping: Node) -> Vec<(Scalar<'a>, Node)> {
        let document = self.document;
        let (pairs, passed) = document.effective_pairs(mapping);
        self.passed += passed;
        let keyed = |(key, value)| (document.scalar(key), value);
        sort::sort(pairs.into_iter().map(keyed).collect())
    }
}

impl Rest<'_> {
    fn is_empty(&self) -> bool {
        match self {
            Rest::Items(items) => items.len() == 0,
            Rest::Pairs(pairs) => pairs.len() == 0,
        }
    }
}
