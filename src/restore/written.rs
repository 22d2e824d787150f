//! Look-ups in the tree of a written document: a child by its position or by a node in
//! it, the nodes along a path, and the path to a node.

use std::rc::Rc;

use hashbrown::HashMap;

use crate::arena::{Arena, Index};
use crate::node::{Kind, NodeId, Step, Tree};
use crate::pointer::JsonPointer;
use crate::scalar::Scalar;

/// The children of written nodes, listed once for each: an arena has only links to the
/// next sibling, so that looking up each item of a list would take quadratic time.
pub(super) struct ChildIndex<'a> {
    arena: &'a Arena,
    children: HashMap<Index, Rc<[Index]>>,
}

impl<'a> ChildIndex<'a> {
    pub(super) fn new(arena: &'a Arena) -> ChildIndex<'a> {
        ChildIndex { arena, children: HashMap::new() }
    }

    pub(super) fn arena(&self) -> &'a Arena {
        self.arena
    }

    /// Returns the child (a key or a value) that is or holds `to`, and its position.
    pub(super) fn child_holding(
        &mut self,
        i: Index,
        to: Index,
    ) -> Option<(usize, Index)> {
        let children = self.children(i);
        let at = children.partition_point(|&child| child <= to).checked_sub(1)?;
        let child = *children.get(at)?;
        (to < self.arena.next(child)).then_some((at, child))
    }

    /// Returns the nodes along a path; `None` if the path leads through an alias.
    pub(super) fn nodes_on_path(
        &mut self,
        root: NodeId,
        path: &[Step],
    ) -> Option<Vec<Index>> {
        let NodeId::Clean(_, root) = root else { return None };
        let mut nodes = vec![root];
        for step in path {
            let arena = self.arena;
            let node = *nodes.last()?;
            let next = match *step {
                Step::Index(index) => self.child(node, index as usize)?,
                // In the arena a value follows its key.
                Step::Key(NodeId::Clean(file, key)) => {
                    let inside =
                        file == arena.file() && node < key && key < arena.next(node);
                    inside.then(|| arena.next(key))?
                }
                Step::Key(NodeId::Opened(_)) => return None,
            };
            nodes.push(next);
        }
        Some(nodes)
    }

    /// Returns the path from the root to a node; `None` if it is a key or in one.
    pub(super) fn path_to(
        &mut self,
        source: &Tree,
        root: NodeId,
        to: Index,
    ) -> Option<Vec<Step>> {
        let NodeId::Clean(file, mut at) = root else { return None };
        let mut path = Vec::new();
        while at != to {
            let (position, child) = self.child_holding(at, to)?;
            path.push(match source.kind(NodeId::Clean(file, at)) {
                Kind::Scalar => return None,
                Kind::Sequence => Step::Index(position as u32),
                // Keys have even positions, values odd ones.
                Kind::Mapping if position % 2 == 0 => return None,
                Kind::Mapping => {
                    Step::Key(NodeId::Clean(file, self.child(at, position - 1)?))
                }
            });
            at = child;
        }
        Some(path)
    }

    /// Returns the number of the document that has a key, and the JSON pointer to the parent
    /// of the key there; `None` if it needs other keys.
    pub(super) fn pointer_to_parent(
        &mut self,
        source: &Tree,
        key: NodeId,
    ) -> Option<(usize, String)> {
        let NodeId::Clean(file, i) = key else { return None };
        let (arena, mut pointer) = (source.base(), String::new());
        let after = arena.sections().partition_point(|section| section.root <= i);
        let document = after.checked_sub(1)?;
        let root = NodeId::Clean(file, arena.sections()[document].root);
        let mut path = self.path_to(source, root, arena.next(i))?;
        path.pop().filter(|last| *last == Step::Key(key))?;
        for step in path {
            let token = match step {
                Step::Index(index) => index.to_string(),
                Step::Key(NodeId::Opened(_)) => return None,
                Step::Key(NodeId::Clean(_, name)) => match arena.scalar(name) {
                    Scalar::String(text) => text.into_owned(),
                    _ => return None,
                },
            };
            pointer.push('/');
            pointer.push_str(&JsonPointer::escape(&token));
        }
        Some((document, pointer))
    }

    fn child(&mut self, i: Index, at: usize) -> Option<Index> {
        self.children(i).get(at).copied()
    }

    fn children(&mut self, i: Index) -> Rc<[Index]> {
        let children = self.children.entry(i);
        children.or_insert_with(|| self.arena.children(i).collect()).clone()
    }
}
