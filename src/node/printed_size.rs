//! The size of a node as it is printed, without printing it.

use hashbrown::HashMap;

use super::slots::NodeId;
use super::tree::Tree;

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
                sizes.insert(id, inner.fold(2, u64::saturating_add));
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
}
