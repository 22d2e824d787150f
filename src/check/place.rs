//! Names of places that stay the same while items of lists come and go.

use crate::compare::{ItemName, NAME_KEYS};
use crate::node::{Kind, NodeId, Step, Tree};
use crate::pointer::{JsonPointer, Token};

/// A place: a step for each collection around it. An item is named by its name, or by its
/// text if it is a scalar, else by its number.
pub(super) type Place = Vec<String>;

/// Returns the place that a way leads to. `last` is the node there, if the tree does not
/// have it any more.
pub(super) fn place(
    tree: &Tree,
    root: usize,
    path: &[Step],
    last: Option<NodeId>,
) -> Place {
    let mut node = tree.roots()[root];
    let mut place = Place::with_capacity(path.len());
    for (at, step) in path.iter().enumerate() {
        let is_last = at + 1 == path.len();
        let child = match last.filter(|_| is_last) {
            Some(last) => Some(last),
            None => child(tree, node, *step),
        };
        place.push(name(tree, *step, child));
        let Some(child) = child else { break };
        node = child;
    }
    place
}

/// Returns the child of a collection at a step.
pub(super) fn child(tree: &Tree, node: NodeId, step: Step) -> Option<NodeId> {
    match (step, node) {
        // A list that an op has changed is opened, and may be long.
        (Step::Index(at), NodeId::Opened(id)) => {
            let slots = tree.children(id);
            Some(slots.get(slots.at(at as usize)?).value)
        }
        (Step::Index(at), _) => tree.items(node).get(at as usize).copied(),
        (Step::Key(key), _) => own(tree, node, key).or_else(|| {
            let same = |pair: &(NodeId, NodeId)| tree.is_same_key(pair.0, key);
            tree.pairs(node).into_iter().find(same).map(|(_, value)| value)
        }),
    }
}

/// Returns the value of the entry that has this very key, and not an equal one: to read all
/// keys for each op would take long in a large mapping.
fn own(tree: &Tree, node: NodeId, key: NodeId) -> Option<NodeId> {
    let NodeId::Opened(id) = node else { return None };
    let slot = tree.children(id).iter().find(|slot| slot.key == Some(key))?;
    Some(slot.value)
}

fn name(tree: &Tree, step: Step, node: Option<NodeId>) -> String {
    let at = match step {
        Step::Key(key) => return tree.text_of(key).into_owned(),
        Step::Index(at) => at,
    };
    let Some(node) = node else { return at.to_string() };
    match tree.kind(node) {
        Kind::Scalar => format!("={}", tree.text_of(node)),
        Kind::Sequence => at.to_string(),
        Kind::Mapping => named(tree, node).unwrap_or_else(|| at.to_string()),
    }
}

/// Returns the name of an item: `name=web`.
fn named(tree: &Tree, item: NodeId) -> Option<String> {
    let name = ItemName::of(tree, item)?;
    Some(format!("{}={}", name.key, tree.text_of(name.node)))
}

/// Returns the name of the place that a token leads to; `None` if it depends on what is
/// there.
pub(super) fn named_by(token: &Token) -> Option<String> {
    match token {
        Token::Key(key) => Some(key.clone()),
        Token::Match { key, value, modifiers } => {
            let is_name = key == NAME_KEYS[0] && modifiers.is_empty();
            is_name.then(|| format!("{key}={value}"))
        }
        Token::Index(..) | Token::End => None,
    }
}

/// Returns a place as a path that people read.
pub(super) fn shown(place: &[String]) -> String {
    let path = JsonPointer { tokens: place.to_vec() }.to_string();
    if path.is_empty() { "/".into() } else { path }
}
