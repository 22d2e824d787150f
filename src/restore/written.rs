//! A text → the children of its nodes, to be found by their place or by what they hold;
//! those of each node are listed once, so that many look-ups in one list stay cheap.

use std::collections::HashMap;
use std::rc::Rc;

use crate::arena::{Arena, Index};

/// The children of written nodes, as far as they were asked for.
pub(super) struct Written<'a> {
    pub(super) arena: &'a Arena,
    children: HashMap<Index, Rc<[Index]>>,
}

impl<'a> Written<'a> {
    pub(super) fn new(arena: &'a Arena) -> Written<'a> {
        Written { arena, children: HashMap::new() }
    }

    /// The child of node `i` at a place; keys and values count by turns.
    pub(super) fn child(&mut self, i: Index, at: usize) -> Option<Index> {
        self.children(i).get(at).copied()
    }

    /// The child of node `i` that is or holds `to`, and its place.
    pub(super) fn above(&mut self, i: Index, to: Index) -> Option<(usize, Index)> {
        let children = self.children(i);
        let at = children.partition_point(|&child| child <= to).checked_sub(1)?;
        let child = *children.get(at)?;
        (to < self.arena.next(child)).then_some((at, child))
    }

    fn children(&mut self, i: Index) -> Rc<[Index]> {
        let children = self.children.entry(i);
        children.or_insert_with(|| self.arena.children(i).collect()).clone()
    }
}
