//! Changes of texts that mend findings.

use crate::apply;
use crate::node::{Kind, NodeId, Path, Seat, Tree};
use crate::source::FileId;

/// The removal of an entry or item from a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// The text.
    pub file: FileId,
    /// The document of the stream.
    pub root: usize,
    /// The way to the collection.
    pub path: Path,
    /// The position of the entry or item in it.
    pub position: usize,
    /// The start of the entry or item in the text.
    pub start: u32,
}

/// Returns a text with some fixes of it applied. All other bytes stay.
pub fn fixed(tree: &Tree, fixes: &[&Fix]) -> Tree {
    let mut tree = tree.clone();
    let mut fixes: Vec<&&Fix> = fixes.iter().collect();
    // From the last to the first, so that no position changes before its turn.
    fixes.sort_by_key(|fix| std::cmp::Reverse(fix.start));
    fixes.dedup();
    for fix in fixes {
        let Some(seat) = apply::locate(&mut tree, &fix.path, fix.root) else { continue };
        remove(&mut tree, seat, fix.position);
    }
    tree
}

fn remove(tree: &mut Tree, seat: Seat, position: usize) {
    let Some(id) = tree.open(seat, true) else { return };
    let Some(at) = tree.children(id).at(position) else { return };
    match tree.kind(NodeId::Opened(id)) {
        Kind::Sequence => tree.remove_item(id, at),
        Kind::Mapping => tree.remove_slot(id, at),
        Kind::Scalar => {}
    }
}
