//! Read-only resolution: a pointer and a tree come in, the node it leads to goes out.
//! Nothing is opened, so that many readers may share a tree.

use super::traversal::shift;
use crate::arena::flag;
use crate::node::{Kind, NodeId, OpId, Tree};
use crate::patch::{Path, Step};
use crate::pointer::{Pointer, Token};

/// A node with the way to it.
#[derive(Clone, Debug)]
pub(crate) struct Located {
    pub node: NodeId,
    /// The steps from the root.
    pub path: Path,
    /// The last op that put the node, or a collection around it, where it is.
    pub by: Option<OpId>,
}

impl Located {
    pub(crate) fn root(node: NodeId) -> Located {
        Located { node, path: Path::new(), by: None }
    }

    /// Returns a child, which is at `step`.
    pub(crate) fn child(&self, step: Step, node: NodeId, by: Option<OpId>) -> Located {
        let mut path = self.path.clone();
        path.push(step);
        Located { node, path, by: by.or(self.by) }
    }
}

/// Returns the node that `pointer` leads to from `start`; `None` if it is missing, if
/// several items match, or if the pointer ends with `-`. Finds what
/// [`find`](super::find) finds, except for what that makes for an optional token.
pub(crate) fn resolve(tree: &Tree, start: Located, pointer: &Pointer) -> Option<Located> {
    pointer.tokens.iter().try_fold(start, |at, token| match token {
        Token::Key(key) => entry(tree, &at, key),
        Token::Index(index, modifiers) => {
            let (moved, _) = shift(modifiers, false).ok()?;
            item(tree, &at, index.saturating_add(moved))
        }
        Token::Match { key, value, modifiers } => {
            let (moved, _) = shift(modifiers, false).ok()?;
            let items = sequence(tree, at.node)?;
            let is = |item: NodeId| {
                tree.get(item, key).is_some_and(|part| tree.is_text(part, value))
            };
            let mut found = (0..).zip(items).filter(|&(_, item)| is(item));
            let (position, _) = found.next()?;
            let several = found.next().is_some();
            item(tree, &at, moved.saturating_add(position)).filter(|_| !several)
        }
        Token::End => None,
    })
}

fn sequence(tree: &Tree, node: NodeId) -> Option<Vec<NodeId>> {
    (tree.kind(node) == Kind::Sequence).then(|| tree.items(node))
}

/// Returns the item with an index; a negative one counts from the end.
fn item(tree: &Tree, at: &Located, index: i64) -> Option<Located> {
    let items = sequence(tree, at.node)?;
    let len = items.len() as i64;
    let position = if index < 0 { index.saturating_add(len) } else { index };
    let node = *items.get(usize::try_from(position).ok()?)?;
    let step = Step::Index(u32::try_from(position).ok()?);
    let by = match tree.follow(at.node) {
        NodeId::Opened(id) => {
            let slots = tree.children(id);
            slots.at(position as usize).and_then(|slot| slots.get(slot).by)
        }
        NodeId::Clean(..) => None,
    };
    Some(at.child(step, node, by))
}

fn entry(tree: &Tree, at: &Located, key: &str) -> Option<Located> {
    let is = |k: NodeId| tree.is_text(k, key);
    let (own, merges) = match tree.follow(at.node) {
        NodeId::Clean(file, i) if tree.kind(at.node) == Kind::Mapping => {
            let arena = tree.arena(file);
            let node = |i| NodeId::Clean(file, i);
            let entries = arena.entries(i).map(|(k, v)| (node(k), node(v), None));
            let merges = arena.entries(i).any(|(k, _)| arena.has(k, flag::MERGE_KEY));
            (entries.filter(|&(k, ..)| is(k)).last(), merges)
        }
        NodeId::Clean(..) => return None,
        NodeId::Opened(id) => {
            let slots = tree.children(id).iter();
            let entries = slots.filter_map(|it| Some((it.key?, it.value, it.by)));
            let merges = tree.children(id).iter().any(|slot| tree.is_merge(slot));
            (entries.filter(|&(k, ..)| is(k)).last(), merges)
        }
    };
    if !merges {
        return own.map(|(key, value, by)| at.child(Step::Key(key), value, by));
    }
    let value = tree.get(at.node, key)?;
    let pairs = tree.pairs(at.node).into_iter();
    let own = own.filter(|&(_, own, _)| own == value);
    let pair = own.or_else(|| pairs.map(|(k, v)| (k, v, None)).find(|&(k, ..)| is(k)))?;
    Some(at.child(Step::Key(pair.0), value, pair.2))
}
