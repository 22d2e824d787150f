//! Read-only resolution: a pointer and a tree come in, the node it leads to goes out.
//! Nothing is opened, so that many readers may share a tree.

use std::borrow::Cow;

use super::traversal::shift;
use crate::node::{Kind, NodeId, OpId, Path, Slot, Step, Tree};
use crate::pointer::{JsonPointer, Pointer, Token};

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
        Token::Key(key) => {
            let slot = tree.find_slot(at.node, key)?;
            Some(at.child(Step::Key(slot.key?), slot.value, slot.by))
        }
        Token::Index(index, modifiers) => {
            let (moved, _) = shift(modifiers, false).ok()?;
            item(&at, &items(tree, at.node)?, index.saturating_add(moved))
        }
        Token::Match { key, value, modifiers } => {
            let (moved, _) = shift(modifiers, false).ok()?;
            let items = items(tree, at.node)?;
            let is = |slot: &Slot| {
                let part = tree.get(slot.value, key);
                part.is_some_and(|part| tree.is_text(part, value))
            };
            let mut found = (0..).zip(items.iter()).filter(|(_, slot)| is(slot));
            let (position, _) = found.next()?;
            let several = found.next().is_some();
            item(&at, &items, moved.saturating_add(position)).filter(|_| !several)
        }
        Token::End => None,
    })
}

/// Returns the node that a JSON Pointer leads to from `start`, if there is one.
pub(crate) fn resolve_json(
    tree: &Tree,
    start: Located,
    pointer: &JsonPointer,
) -> Option<Located> {
    pointer.tokens.iter().try_fold(start, |at, token| match tree.kind(at.node) {
        Kind::Mapping => match tree.find_slot(at.node, token) {
            Some(slot) => Some(at.child(Step::Key(slot.key?), slot.value, slot.by)),
            None => {
                let (key, value) = tree.member(at.node, token)?;
                Some(at.child(Step::Key(key), value, None))
            }
        },
        Kind::Sequence => {
            let index = JsonPointer::index(token)?;
            item(&at, &items(tree, at.node)?, i64::from(index))
        }
        Kind::Scalar => None,
    })
}

fn items(tree: &Tree, node: NodeId) -> Option<Cow<'_, [Slot]>> {
    (tree.kind(node) == Kind::Sequence).then(|| tree.slots(node))
}

/// Returns the item with an index; a negative one counts from the end.
fn item(at: &Located, items: &[Slot], index: i64) -> Option<Located> {
    let position =
        if index < 0 { index.saturating_add(items.len() as i64) } else { index };
    let slot = items.get(usize::try_from(position).ok()?)?;
    Some(at.child(Step::Index(u32::try_from(position).ok()?), slot.value, slot.by))
}
