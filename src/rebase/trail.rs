//! The way that a target leads in a document, one stop for each of its steps.

use super::name::Name;
use crate::apply::Steps;
use crate::node::{Kind, NodeId, OpId, Path, Step, Tree};
use crate::pointer::{JsonPointer, Modifier, Pointer, Token};
use crate::target::Target;

/// A node on the way that a target leads.
#[derive(Clone, Debug)]
pub(super) struct Stop {
    pub node: NodeId,
    pub name: Name,
    /// The position that the target names, for an item that it finds by position.
    pub position: Option<u32>,
    /// The op of the patch that put the node, a collection around it, or its name, there.
    pub by: Option<usize>,
}

/// Returns the stops after the root of a document, as far as the target leads anywhere. A
/// query has none.
pub(super) fn trail(
    tree: &mut Tree,
    root: usize,
    target: &Target,
    steps: Steps,
) -> Vec<Stop> {
    match target {
        Target::Pointer(pointer) => along_pointer(tree, root, pointer, steps),
        Target::Json(pointer) => along_json(tree, tree.roots()[root], pointer, steps),
        Target::Query(_) => Vec::new(),
    }
}

fn along_pointer(
    tree: &mut Tree,
    root: usize,
    pointer: &Pointer,
    steps: Steps,
) -> Vec<Stop> {
    let tokens: Vec<Token> = pointer.tokens.iter().map(without_place).collect();
    let pointer = Pointer { required: tokens.len(), tokens };
    let slots = Steps::way(tree, &pointer, root);
    let (mut stops, mut by) = (Vec::new(), None);
    for (token, (slot, at)) in pointer.tokens.iter().zip(slots) {
        let (node, at) = (slot.value, at.map_or(0, |at| at as u32));
        let (name, position) = match token {
            Token::Key(key) => (Name::Key(key.clone()), None),
            Token::Match { key, value, modifiers } if modifiers.is_empty() => {
                (Name::Item { key: key.clone(), value: value.clone() }, None)
            }
            Token::Index(0.., _) => (Name::usual(tree, node, at), Some(at)),
            Token::Match { .. } | Token::Index(..) | Token::End => {
                (Name::usual(tree, node, at), None)
            }
        };
        let put = [slot.by, named_by(tree, node, &name)];
        by = by.or(put.into_iter().flatten().find_map(|by| steps.number(by)));
        stops.push(Stop { node, name, position, by });
    }
    stops
}

/// Returns the token without `:before` and `:after`, which lead to the place beside it.
fn without_place(token: &Token) -> Token {
    let inside = |modifiers: &[Modifier]| {
        let is_place = |m: &Modifier| matches!(m, Modifier::Before | Modifier::After);
        modifiers.iter().filter(|m| !is_place(m)).copied().collect()
    };
    match token {
        Token::Index(index, modifiers) => Token::Index(*index, inside(modifiers)),
        Token::Match { key, value, modifiers } => Token::Match {
            key: key.clone(),
            value: value.clone(),
            modifiers: inside(modifiers),
        },
        Token::Key(_) | Token::End => token.clone(),
    }
}

fn along_json(
    tree: &Tree,
    root: NodeId,
    pointer: &JsonPointer,
    steps: Steps,
) -> Vec<Stop> {
    let (mut stops, mut around, mut by) = (Vec::new(), root, None);
    for token in &pointer.tokens {
        let found = match tree.kind(around) {
            Kind::Scalar => None,
            Kind::Mapping => tree.member(around, token).map(|(_, value)| {
                let put = tree.find_slot(around, token).and_then(|slot| slot.by);
                (value, Name::Key(token.clone()), None, put)
            }),
            Kind::Sequence => item_at(tree, around, token),
        };
        let Some((node, name, position, put)) = found else { break };
        let put = [put, named_by(tree, node, &name)];
        by = by.or(put.into_iter().flatten().find_map(|by| steps.number(by)));
        around = node;
        stops.push(Stop { node, name, position, by });
    }
    stops
}

/// An item, its name, its position and the op that put it there.
type Item = (NodeId, Name, Option<u32>, Option<OpId>);

fn item_at(tree: &Tree, list: NodeId, token: &str) -> Option<Item> {
    let position: u32 = token.parse().ok()?;
    let slot = *tree.slots(list).get(position as usize)?;
    let name = Name::usual(tree, slot.value, position);
    Some((slot.value, name, Some(position), slot.by))
}

/// Returns the op that gave an item the name by which it is found.
fn named_by(tree: &Tree, item: NodeId, name: &Name) -> Option<OpId> {
    match name {
        Name::Item { key, .. } => tree.find_slot(item, key)?.by,
        Name::Key(_) | Name::Collection(_) | Name::Index(_) => None,
    }
}

/// Returns the names that a pointer leads along, up to the first position.
pub(super) fn names_of(target: &Target) -> Vec<Name> {
    let Target::Pointer(pointer) = target else { return Vec::new() };
    let name = |token: &Token| match token {
        Token::Key(key) => Some(Name::Key(key.clone())),
        Token::Match { key, value, modifiers } if modifiers.is_empty() => {
            Some(Name::Item { key: key.clone(), value: value.clone() })
        }
        Token::Match { .. } | Token::Index(..) | Token::End => None,
    };
    pointer.tokens.iter().map_while(name).collect()
}

/// Returns the names along a path, as far as it leads.
pub(super) fn names_along(tree: &Tree, root: NodeId, path: &Path) -> Vec<Name> {
    let (mut names, mut around) = (Vec::new(), root);
    for step in path {
        let found = match step {
            Step::Key(key) => tree.member_name(*key).and_then(|name| {
                let (_, value) = tree.member(around, &name)?;
                Some((Name::Key(name.into_owned()), value))
            }),
            Step::Index(position) => {
                let item = tree.items(around).get(*position as usize).copied();
                item.map(|item| (Name::usual(tree, item, *position), item))
            }
        };
        let Some((name, node)) = found else { break };
        names.push(name);
        around = node;
    }
    names
}

/// Returns the names along a path that leads through no list.
pub(super) fn names_of_keys(tree: &Tree, path: &Path) -> Option<Vec<Name>> {
    let name = |step: &Step| match step {
        Step::Key(key) => Some(Name::Key(tree.member_name(*key)?.into_owned())),
        Step::Index(_) => None,
    };
    path.iter().map(name).collect()
}
