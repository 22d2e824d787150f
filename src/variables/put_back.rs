//! Written nodes and texts, put into an edited document in place of its own.

use crate::arena::Index;
use crate::node::{NodeId, Seat, Tree};
use crate::scalar::Scalar;
use crate::source::FileId;

/// What is put back in place of a node.
#[derive(Clone, Copy)]
pub(super) enum Back {
    /// A node of the written document.
    Written(NodeId),
    /// A new text of the document itself.
    Text(NodeId),
}

/// Puts written nodes into a document in place of its own.
pub(super) struct PutBack<'a> {
    written: &'a Tree,
    /// The nodes to be replaced, in order.
    back: Vec<(FileId, Index, Back)>,
    document: Tree,
}

impl<'a> PutBack<'a> {
    /// Begins with the nodes to be replaced in a document. Of two for one place, the first
    /// one counts.
    pub(super) fn new(
        written: &'a Tree,
        mut back: Vec<(FileId, Index, Back)>,
        document: Tree,
    ) -> PutBack<'a> {
        back.sort_by_key(|&(file, i, _)| (file, i));
        PutBack { written, back, document }
    }

    /// Returns the document with these nodes replaced.
    pub(super) fn run(mut self) -> Tree {
        let roots = self.document.roots().len();
        let mut todo: Vec<Seat> = (0..roots).map(Seat::Root).collect();
        while let Some(seat) = todo.pop() {
            let NodeId::Clean(file, i) = self.document.node_at(seat) else { continue };
            let end = self.document.arena(file).next(i);
            let from = self.back.partition_point(|&(f, at, _)| (f, at) < (file, i));
            let next = self.back.get(from).filter(|&&(f, at, _)| (f, at) < (file, end));
            let Some(&(_, at, written)) = next else { continue };
            if at == i
                && let Some(node) = self.node(written)
            {
                self.document.set_at(seat, node, None);
                self.set_alias_value(file, i, node);
                continue;
            }
            let Some(id) = self.document.open(seat, true) else { continue };
            self.set_alias_value(file, i, NodeId::Opened(id));
            let slots: Vec<_> = self.document.children(id).ids().collect();
            for at in slots {
                self.key(id, at);
                todo.push(Seat::Slot(id, at));
            }
        }
        self.document
    }

    fn set_alias_value(&mut self, file: FileId, i: Index, node: NodeId) {
        if self.document.arena(file).anchor(i).is_some() {
            self.document.set_alias_value(file, i, node);
        }
    }

    fn key(&mut self, id: u32, at: u32) {
        let Some(NodeId::Clean(file, i)) = self.document.children(id).get(at).key else {
            return;
        };
        let found = self.back.binary_search_by_key(&(file, i), |&(f, i, _)| (f, i));
        if let Some(key) = found.ok().and_then(|found| self.node(self.back[found].2)) {
            self.document.rename(id, at, key);
        }
    }

    /// Returns what is put back as a node of the document; `None` for collections of ops.
    fn node(&mut self, back: Back) -> Option<NodeId> {
        let written = match back {
            Back::Text(text) => return Some(text),
            Back::Written(written) => written,
        };
        match (written, self.written.scalar(written)) {
            (NodeId::Clean(..), _) => Some(written),
            (NodeId::Opened(_), Scalar::String(text)) => {
                Some(self.document.new_text(&text))
            }
            (NodeId::Opened(_), _) => None,
        }
    }
}
