//! The children of a collection as JSON has them: aliases and `<<` followed, each key once.

use std::borrow::Cow;

use super::path::Step;
use super::slots::NodeId;
use super::tree::{Kind, Tree};
use crate::scalar::Scalar;

impl Tree {
    /// Adds the children of a collection to `children`: items, or effective entries.
    pub(crate) fn children_of(&self, node: NodeId, children: &mut Vec<(Step, NodeId)>) {
        let node = self.follow(node);
        if self.kind(node) == Kind::Mapping {
            let entries = self.pairs(node).into_iter();
            children.extend(entries.map(|(key, value)| (Step::Key(key), value)));
        } else if let NodeId::Clean(file, i) = node {
            let items = (0..).zip(self.arena(file).children(i));
            children.extend(
                items.map(|(at, item)| (Step::Index(at), NodeId::Clean(file, item))),
            );
        } else {
            let items = (0..).zip(self.items(node));
            children.extend(items.map(|(at, item)| (Step::Index(at), item)));
        }
    }

    /// Returns the effective entry of a mapping whose key has this text: the key and the
    /// value.
    pub(crate) fn member(&self, node: NodeId, name: &str) -> Option<(NodeId, NodeId)> {
        if let Some(slot) = self.find_slot(node, name) {
            return Some((slot.key?, slot.value));
        }
        let is = |key| self.member_name(key).is_some_and(|found| found == name);
        self.pairs(node).into_iter().rev().find(|&(key, _)| is(key))
    }

    /// Returns the name that a key has as a member of a JSON object: its text. A key that
    /// is a collection has none.
    pub(crate) fn member_name(&self, key: NodeId) -> Option<Cow<'_, str>> {
        let is_scalar = self.kind(key) == Kind::Scalar;
        is_scalar.then(|| match (self.scalar_as_written(key), self.follow(key)) {
            (Scalar::String(text), _) => text,
            (_, NodeId::Clean(..)) => self.text_of(key),
            (Scalar::Bool(value), _) => value.to_string().into(),
            (Scalar::Int(number), _) => number.to_string().into(),
            (Scalar::Big(number), _) => number.to_string().into(),
            (Scalar::Float(number), _) => number.to_string().into(),
            (Scalar::Null | Scalar::Binary(_), _) => "".into(),
        })
    }
}
