//! The size of a node as it is printed, without printing it.

use hashbrown::HashMap;

use super::opened::Body;
use super::slots::NodeId;
use super::tree::Tree;
use crate::scalar::Scalar;

impl Tree {
    /// Estimates the size of a printed node. What stands in several places counts in each.
    pub(crate) fn printed_size(&self, node: NodeId) -> u64 {
        // Each node once: shared nodes in shared nodes stand in exponentially many
        // places.
        let mut sizes: HashMap<u32, u64> = HashMap::new();
        let mut todo = vec![node];
        while let Some(&node) = todo.last() {
            let NodeId::Opened(id) = node else {
                todo.pop();
                continue;
            };
            let before = todo.len();
            if !sizes.contains_key(&id) {
                todo.extend(self.inside(id).filter(|child| {
                    matches!(child, NodeId::Opened(id) if !sizes.contains_key(id))
                }));
            }
            if todo.len() > before {
                continue;
            }
            todo.pop();
            if !sizes.contains_key(&id) {
                let inner = self.inside(id).map(|node| self.size_of(node, &sizes));
                let own = self.own_size(id);
                sizes.insert(id, inner.fold(own, u64::saturating_add));
            }
        }
        self.size_of(node, &sizes)
    }

    fn size_of(&self, node: NodeId, sizes: &HashMap<u32, u64>) -> u64 {
        match node {
            NodeId::Opened(id) => sizes.get(&id).copied().unwrap_or(0),
            NodeId::Clean(file, i) => {
                let span = self.arena(file).span(i);
                u64::from(span.end - span.start) + 1
            }
        }
    }

    /// Returns the size of an opened node without its children: what was written between
    /// them, and the comments that edits gave to them.
    fn own_size(&self, id: u32) -> u64 {
        let node = &self.opened[id];
        let given = node.slots().iter().filter_map(|slot| self.comments(slot));
        let given: u64 = given.map(|comments| comments.size() as u64).sum();
        let text = match node.body() {
            Body::Scalar(Scalar::String(text)) => text.len() as u64,
            Body::Scalar(_) | Body::Sequence(_) | Body::Mapping(_) => 0,
        };
        let between = node.origin().map_or(0, |(file, i)| {
            let arena = self.arena(file);
            let length = |i| {
                let span = arena.span(i);
                u64::from(span.end - span.start)
            };
            let inner: u64 = arena.children(i).map(length).sum();
            length(i).saturating_sub(inner)
        });
        2 + given + text + between
    }
}
