//! A value as it was at some moment, and its text.

use super::changes::{ChangeLog, Orders};
use crate::diagnostic::Result;
use crate::node::{Kind, NodeId, SlotId, Tree};
use crate::yaml::{Expansion, json};

/// A value as it was at some moment of a [`DocumentHistory`](super::DocumentHistory).
#[derive(Clone, Copy, Debug)]
pub struct PastValue {
    pub(super) node: NodeId,
    pub(super) moment: usize,
}

/// The text that stands for a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Redaction {
    /// The secret itself.
    None,
    /// `"<redacted>"`
    Json,
    /// `***`
    People,
}

/// The length of the text of a value.
#[derive(Clone, Copy, Debug)]
pub enum Length {
    /// The text may be cut off behind so many bytes.
    Cut(usize),
    /// The text is complete. It is an error if aliases expand it to more.
    Whole(Expansion),
}

/// Writes values as they were at a moment behind a text.
pub(super) struct ValuePrinter<'a> {
    pub tree: &'a Tree,
    pub changes: &'a ChangeLog,
    pub moment: usize,
    pub redaction: Redaction,
    pub out: &'a mut String,
}

/// The children of a collection that are not printed yet, and its end.
struct Rest {
    children: std::vec::IntoIter<(Option<NodeId>, NodeId)>,
    is_first: bool,
    end: char,
}

impl ValuePrinter<'_> {
    /// Writes a value on one line.
    ///
    /// # Errors
    /// Aliases expand it to more than the limit.
    pub(super) fn run(&mut self, node: NodeId, length: Length) -> Result<()> {
        let start = self.out.len();
        let mut open = Vec::new();
        open.extend(self.enter(node));
        while let Some(rest) = open.last_mut() {
            let written = self.out.len() - start;
            match length {
                Length::Cut(length) if written > length => return Ok(()),
                Length::Cut(_) => {}
                Length::Whole(limit) => limit.check(written, 0)?,
            }
            let Some((key, value)) = rest.children.next() else {
                self.out.push(rest.end);
                open.pop();
                continue;
            };
            if !std::mem::replace(&mut rest.is_first, false) {
                self.out.push_str(", ");
            }
            if let Some(key) = key {
                let text = if self.tree.is_hidden(key) {
                    self.redacted(key) + ": "
                } else {
                    json::key(self.tree, key)
                };
                self.out.push_str(&text);
            }
            open.extend(self.enter(value));
        }
        Ok(())
    }

    /// Prints a scalar, or the begin of a collection, whose children are returned.
    fn enter(&mut self, node: NodeId) -> Option<Rest> {
        let node = self.changes.follow(self.tree, node, self.moment);
        let (begin, end) = match self.tree.kind(node) {
            Kind::Scalar => {
                let text = if self.tree.is_secret(node) {
                    self.redacted(node)
                } else {
                    json::scalar(self.tree, node)
                };
                self.out.push_str(&text);
                return None;
            }
            Kind::Sequence => ('[', ']'),
            Kind::Mapping => ('{', '}'),
        };
        self.out.push(begin);
        let children = self.children(node);
        Some(Rest { children: children.into_iter(), is_first: true, end })
    }

    fn redacted(&self, node: NodeId) -> String {
        match self.redaction {
            Redaction::None => json::scalar(self.tree, node),
            Redaction::Json => "\"<redacted>\"".into(),
            Redaction::People => "***".into(),
        }
    }

    /// Returns the keys and values that a collection had.
    fn children(&self, node: NodeId) -> Vec<(Option<NodeId>, NodeId)> {
        if let NodeId::Opened(id) = node {
            let last = self.changes.of_collection(id).last().copied();
            if last.is_some_and(|last| last >= self.moment) {
                let mut orders = Orders::new(self.tree, self.changes);
                let child = |&at: &SlotId| {
                    let value = self.changes.in_slot(self.tree, id, at, self.moment)?;
                    Some((self.tree.children(id).get(at).key, value))
                };
                return orders
                    .get(id, self.moment)
                    .slots
                    .iter()
                    .filter_map(child)
                    .collect();
            }
        }
        if self.tree.kind(node) == Kind::Sequence {
            return self.tree.items(node).into_iter().map(|item| (None, item)).collect();
        }
        let pairs = self.tree.pairs(node).into_iter();
        pairs.map(|(key, value)| (Some(key), value)).collect()
    }
}
