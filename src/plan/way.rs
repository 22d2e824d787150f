//! Ways: steps from the root of a document.

use crate::node::{NodeId, Step, Tree};
use crate::pointer::Token;

/// Returns the node to which steps lead from a root.
pub(super) fn node_at(tree: &Tree, root: usize, path: &[Step]) -> Option<NodeId> {
    path.iter().try_fold(tree.roots()[root], |node, step| match step {
        Step::Index(index) => tree.items(node).get(*index as usize).copied(),
        Step::Key(key) => {
            let same = |pair: &(NodeId, NodeId)| tree.is_same_key(pair.0, *key);
            tree.pairs(node).into_iter().find(same).map(|(_, value)| value)
        }
    })
}

/// Returns a way as a path that people read.
pub(super) fn shown(tree: &Tree, path: &[Step]) -> String {
    let tokens = path.iter().map(|step| match step {
        Step::Index(index) => index.to_string(),
        Step::Key(key) => {
            Token::Key(tree.member_name(*key).unwrap_or_default().into()).to_string()
        }
    });
    tokens.map(|token| format!("/{token}")).collect()
}
