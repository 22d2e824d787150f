//! Whether two nodes mean the same, as Go's `reflect.DeepEqual` has it: types count,
//! order of keys and spelling do not.

use std::collections::{HashMap, HashSet};

use super::{Document, Kind, Node};
use crate::scalar::Identity;

impl Document {
    /// Whether `found` of this document equals `expected`, which an op asks for.
    pub(crate) fn equal(&self, found: Node, expected: Node) -> bool {
        let mut todo = vec![(found, expected)];
        // What aliases stand for is compared once, however often they stand there.
        let mut met = HashSet::new();
        while let Some((found, expected)) = todo.pop() {
            let (found, expected) = (self.follow(found), self.follow(expected));
            let kind = self.kind(found);
            if kind != self.kind(expected) {
                return false;
            }
            if kind != Kind::Scalar && !met.insert((found, expected)) {
                continue;
            }
            let same = match kind {
                Kind::Scalar => self.scalar(found) == self.scalar_as_written(expected),
                Kind::Sequence => self.zip_items(found, expected, &mut todo),
                Kind::Mapping => self.zip_entries(found, expected, &mut todo),
            };
            if !same {
                return false;
            }
        }
        true
    }

    fn zip_items(&self, a: Node, b: Node, todo: &mut Vec<(Node, Node)>) -> bool {
        let (a, b) = (self.items(a), self.items(b));
        let same = a.len() == b.len();
        todo.extend(a.into_iter().zip(b));
        same
    }

    fn zip_entries(&self, a: Node, b: Node, todo: &mut Vec<(Node, Node)>) -> bool {
        let (a, b) = (self.pairs(a), self.pairs(b));
        let same = a.len() == b.len();
        let a: HashMap<Identity<'_>, Node> = a
            .into_iter()
            .map(|(key, value)| (self.scalar(key).identity(), value))
            .collect();
        same && b.into_iter().all(|(key, value)| {
            let found = a.get(&self.scalar_as_written(key).identity());
            todo.extend(found.map(|&found| (found, value)));
            found.is_some()
        })
    }
}
