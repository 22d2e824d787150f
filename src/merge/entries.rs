//! The entries of a mapping, to be found by their keys.

use std::collections::HashMap;

use crate::node::{Document, Node};
use crate::scalar::Identity;

/// The entries that count, in order.
#[derive(Default)]
pub(super) struct Entries<'a> {
    pub(super) pairs: Vec<(Node, Node)>,
    scalars: HashMap<Identity<'a>, usize>,
    /// Those with a collection for a key.
    others: Vec<usize>,
}

impl<'a> Entries<'a> {
    pub(super) fn new(document: &'a Document, mapping: Node) -> Entries<'a> {
        let pairs = document.pairs(mapping);
        let mut scalars = HashMap::with_capacity(pairs.len());
        let mut others = Vec::new();
        for (at, &(key, _)) in pairs.iter().enumerate() {
            match document.identity(key) {
                Some(identity) => drop(scalars.insert(identity, at)),
                None => others.push(at),
            }
        }
        Entries { pairs, scalars, others }
    }

    /// The entry with that key.
    pub(super) fn find(&self, document: &'a Document, key: Node) -> Option<(Node, Node)> {
        let at = match document.identity(key) {
            Some(identity) => self.scalars.get(&identity).copied(),
            None => {
                let is = |&&at: &&usize| document.is_same_key(self.pairs[at].0, key);
                self.others.iter().find(is).copied()
            }
        };
        Some(self.pairs[at?])
    }
}
