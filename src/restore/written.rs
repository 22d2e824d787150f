//! A text → the children of its nodes, to be found by their place or by what they hold;
//! those of each node are listed once, so that many look-ups in one list stay cheap.

use std::collections::HashMap;
use std::rc::Rc;

use crate::arena::{Arena, Index};
use crate::node::{Document, Kind, Node};
use crate::patch::Step;
use crate::scalar::Scalar;

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

/// The written nodes along a path, the last one where it leads; none through an alias.
pub(super) fn way(
    source: &mut Written<'_>,
    root: Node,
    path: &[Step],
) -> Option<Vec<Index>> {
    let mut way = vec![written(root)?];
    for step in path {
        let arena = source.arena;
        let node = *way.last()?;
        let next = match *step {
            Step::Index(index) => source.child(node, index as usize)?,
            // A key is followed by its value.
            Step::Key(Node::Clean(file, key)) => {
                let inside = file == arena.file() && node < key && key < arena.next(node);
                inside.then(|| arena.next(key))?
            }
            Step::Key(Node::Opened(_)) => return None,
        };
        way.push(next);
    }
    Some(way)
}

fn written(node: Node) -> Option<Index> {
    match node {
        Node::Clean(_, i) => Some(i),
        Node::Opened(_) => None,
    }
}

/// Where in the source a found value was written.
pub(super) fn origin(
    source: &Document,
    view: &Document,
    found: Option<Node>,
) -> Option<Index> {
    let (file, i) = match found? {
        Node::Clean(file, i) => (file, i),
        Node::Opened(id) => view.origin(id)?,
    };
    (file == source.file()).then_some(i)
}

/// The path from the root to a written node.
pub(super) fn steps(
    source: &Document,
    written: &mut Written<'_>,
    root: Node,
    to: Index,
) -> Option<Vec<Step>> {
    let Node::Clean(file, mut at) = root else { return None };
    let mut steps = Vec::new();
    while at != to {
        let (place, child) = written.above(at, to)?;
        steps.push(match source.kind(Node::Clean(file, at)) {
            Kind::Scalar => return None,
            Kind::Sequence => Step::Index(place as u32),
            // A value follows its key.
            Kind::Mapping if place % 2 == 0 => return None,
            Kind::Mapping => Step::Key(Node::Clean(file, written.child(at, place - 1)?)),
        });
        at = child;
    }
    Some(steps)
}

/// The pointer to the mapping that has a written key, if each key on the way is a string.
pub(super) fn holder(
    source: &Document,
    written: &mut Written<'_>,
    key: Node,
) -> Option<String> {
    let Node::Clean(file, key) = key else { return None };
    let (arena, mut path) = (source.base(), String::new());
    let within = |i: Index| i <= key && key < arena.next(i);
    let mut at = arena.sections().iter().map(|s| s.root).find(|&root| within(root))?;
    loop {
        let (place, child) = written.above(at, key)?;
        let token = match source.kind(Node::Clean(file, at)) {
            Kind::Scalar => return None,
            Kind::Sequence => place.to_string(),
            Kind::Mapping if place % 2 == 0 => {
                return (child == key).then_some(path);
            }
            Kind::Mapping => {
                let name = written.child(at, place - 1)?;
                let Scalar::String(text) = arena.scalar(name) else { return None };
                text.into_owned()
            }
        };
        at = child;
        path.push('/');
        path.push_str(&token.replace('~', "~0").replace('/', "~1"));
    }
}
