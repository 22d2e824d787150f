//! The size of a node as it is printed, without printing it.

use hashbrown::HashMap;

use super::opened::Body;
use super::slots::NodeId;
use super::tree::Tree;
use crate::scalar::Scalar;

/// An estimate of what is printed. What stands in several places counts in each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PrintedSize {
    pub bytes: u64,
    /// Number of nodes, keys included.
    pub nodes: u64,
}

impl PrintedSize {
    fn plus(self, other: PrintedSize) -> PrintedSize {
        PrintedSize {
            bytes: self.bytes.saturating_add(other.bytes),
            nodes: self.nodes.saturating_add(other.nodes),
        }
    }
}

impl Tree {
    /// Estimates the size of a printed node.
    pub(crate) fn printed_size(&self, node: NodeId) -> PrintedSize {
        // Each node once: shared nodes in shared nodes stand in exponentially many
        // places.
        let mut sizes: HashMap<u32, PrintedSize> = HashMap::new();
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
                let own = PrintedSize { bytes: self.own_bytes(id), nodes: 1 };
                sizes.insert(id, inner.fold(own, PrintedSize::plus));
            }
        }
        self.size_of(node, &sizes)
    }

    fn size_of(&self, node: NodeId, sizes: &HashMap<u32, PrintedSize>) -> PrintedSize {
        match node {
            NodeId::Opened(id) => sizes.get(&id).copied().unwrap_or_default(),
            NodeId::Clean(file, i) => {
                let arena = self.arena(file);
                let span = arena.span(i);
                PrintedSize {
                    bytes: u64::from(span.end - span.start) + 1,
                    nodes: u64::from(arena.next(i) - i),
                }
            }
        }
    }

    /// Returns the bytes of an opened node without its children: what was written between
    /// them, and the comments that edits gave to them.
    fn own_bytes(&self, id: u32) -> u64 {
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
