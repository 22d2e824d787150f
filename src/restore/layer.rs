//! What a place inherits: the values that several directives give it, the weakest first.
//! Several values are mappings that are merged; anything else stands alone.

use std::collections::HashSet;
use std::rc::Rc;

use super::compare::{Compare, Entries, Key};
use crate::node::{Kind, Node};

/// The values, merged by key; none if nothing is inherited.
pub(super) type Beneath = Vec<Node>;

impl<'a> Compare<'a> {
    /// Lays a value over others.
    pub(super) fn lay(&self, layers: &mut Beneath, value: Node) {
        let document = self.document;
        if document.is_null(value) && !layers.is_empty() {
            return;
        }
        let mapping = document.kind(value) == Kind::Mapping;
        if !(mapping && self.is_mapping(layers)) {
            layers.clear();
        }
        layers.push(value);
    }

    /// Whether what is inherited is a mapping.
    pub(super) fn is_mapping(&self, layers: &[Node]) -> bool {
        layers.first().is_some_and(|&layer| self.document.kind(layer) == Kind::Mapping)
    }

    /// What is inherited for a key.
    pub(super) fn inherited(&mut self, layers: &[Node], key: &Key<'a>) -> Beneath {
        let mut found = Beneath::new();
        for &layer in layers {
            match self.entries(layer).get(key) {
                Some(value) if self.is_whiteout(value) => found.clear(),
                Some(value) => self.lay(&mut found, value),
                None => {}
            }
        }
        found
    }

    /// The keys that are inherited, each once, and a node that spells each.
    pub(super) fn inherited_keys(&mut self, layers: &[Node]) -> Vec<(Key<'a>, Node)> {
        let (mut keys, mut met) = (Vec::new(), HashSet::new());
        for &layer in layers {
            let entries: Rc<Entries<'a>> = self.entries(layer);
            for entry in &entries.list {
                if met.insert(entry.key.clone()) {
                    keys.push((entry.key.clone(), entry.name));
                }
            }
        }
        if self.settles {
            keys.retain(|(key, _)| !self.inherited(layers, key).is_empty());
        }
        keys
    }

    /// Whether what is inherited means the same as `value`.
    pub(super) fn same_as_inherited(&mut self, layers: &[Node], value: Node) -> bool {
        let (mut todo, mut met) = (vec![(layers.to_vec(), value)], HashSet::new());
        while let Some((layers, value)) = todo.pop() {
            if layers.len() > 1 || self.settles {
                // What aliases stand for is compared once, however often they stand there.
                let follow = |&node: &Node| self.document.follow(node);
                let nodes: Vec<Node> =
                    layers.iter().chain([&value]).map(follow).collect();
                if !met.insert(nodes) {
                    continue;
                }
            }
            if let [layer] = layers[..]
                && self.same(layer, value)
            {
                continue;
            }
            // Two mappings that are not the same may be, once whiteouts are taken out.
            let known = layers.len() < 2 && !(self.settles && self.is_mapping(&layers));
            if known || self.document.kind(value) != Kind::Mapping {
                return false;
            }
            let (keys, entries) = (self.inherited_keys(&layers), self.entries(value));
            if keys.len() != entries.list.len() {
                return false;
            }
            for (key, _) in keys {
                let Some(value) = entries.get(&key) else { return false };
                todo.push((self.inherited(&layers, &key), value));
            }
        }
        true
    }
}
