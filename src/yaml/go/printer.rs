//! The printer: walks a value and passes its scalars and entries to the emitter.

use std::vec::IntoIter;

use super::emitter::{Emitter, ValuePrefix};
use super::sort;
use crate::diagnostic::Result;
use crate::node::{Kind, NodeId, Tree};
use crate::scalar::Scalar;
use crate::yaml::expanded::Expansion;

/// Prints the value of `node` as a document.
///
/// # Errors
/// The text exceeds `limit`.
pub fn print(document: &Tree, node: NodeId, limit: Expansion) -> Result<String> {
    let mut printer = GoPrinter {
        document,
        limit,
        skipped: 0,
        out: Emitter::default(),
        open: Vec::new(),
    };
    printer.value(node, 0, ValuePrefix::Root)?;
    printer.run()?;
    Ok(printer.out.finish())
}

/// Prints the node that `--path` found: a string as it is with a line break, any other
/// value as a document.
///
/// # Errors
/// As [`print()`].
pub fn print_found(document: &Tree, node: NodeId, limit: Expansion) -> Result<Vec<u8>> {
    let mut raw = match document.scalar(node) {
        Scalar::String(text) => text.into_owned().into_bytes(),
        Scalar::Binary(bytes) => bytes,
        _ => return print(document, node, limit).map(String::into_bytes),
    };
    raw.push(b'\n');
    Ok(raw)
}

struct GoPrinter<'a> {
    document: &'a Tree,
    limit: Expansion,
    /// Number of entries that were skipped because their key was there already.
    skipped: usize,
    out: Emitter,
    /// The collections that are being printed, the innermost last.
    open: Vec<OpenCollection<'a>>,
}

/// A collection with children that are not printed yet.
struct OpenCollection<'a> {
    indent: usize,
    rest: UnprintedChildren<'a>,
}

enum UnprintedChildren<'a> {
    Items(IntoIter<NodeId>),
    Pairs(IntoIter<(Scalar<'a>, NodeId)>),
}

impl<'a> GoPrinter<'a> {
    fn run(&mut self) -> Result<()> {
        while let Some(OpenCollection { indent, rest }) = self.open.last_mut() {
            let indent = *indent;
            let next = match rest {
                UnprintedChildren::Items(items) => items.next().map(|item| {
                    self.out.entry(indent, "-");
                    (item, ValuePrefix::Indicator)
                }),
                UnprintedChildren::Pairs(pairs) => {
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

    /// Prints a scalar or empty collection, opens others. `indent` is that of the parent.
    fn value(&mut self, node: NodeId, indent: usize, place: ValuePrefix) -> Result<()> {
        self.limit.check(self.out.len(), self.skipped)?;
        let root = place == ValuePrefix::Root;
        let inner = indent + 2;
        let (indent, rest, empty) = match self.document.kind(node) {
            Kind::Scalar => {
                self.out.scalar(&self.document.scalar(node), inner, !root);
                return Ok(());
            }
            Kind::Sequence => {
                let items = self.document.items(node);
                // yaml.v2 does not indent a sequence below its key.
                let indent = if place == ValuePrefix::Indicator { inner } else { indent };
                (indent, UnprintedChildren::Items(items.into_iter()), "[]")
            }
            Kind::Mapping => {
                let pairs = self.sorted(node);
                let indent = if root { indent } else { inner };
                (indent, UnprintedChildren::Pairs(pairs.into_iter()), "{}")
            }
        };
        if rest.is_empty() {
            self.out.word(empty, !root);
        } else {
            self.open.push(OpenCollection { indent, rest });
        }
        Ok(())
    }

    fn sorted(&mut self, mapping: NodeId) -> Vec<(Scalar<'a>, NodeId)> {
        let document = self.document;
        let (pairs, skipped) = document.effective_pairs(mapping);
        self.skipped += skipped;
        let pairs = pairs.into_iter();
        sort::sort(pairs.map(|(key, value)| (document.scalar(key), value)).collect())
    }
}

impl UnprintedChildren<'_> {
    fn is_empty(&self) -> bool {
        match self {
            UnprintedChildren::Items(items) => items.len() == 0,
            UnprintedChildren::Pairs(pairs) => pairs.len() == 0,
        }
    }
}
