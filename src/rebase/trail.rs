//! The way that a target leads in a document, one stop for each of its steps, and the place in the
//! new document of an item that it finds by its position.

use super::difference::{is_same, shown};
use super::name::{Name, NamedChild, Trees, children, is_place};
use crate::apply::Steps;
use crate::compare::{Side, Values, is_distinctive};
use crate::node::{Kind, NodeId, OpId, Path, Slot, Step, Tree};
use crate::pointer::{JsonPointer, Pointer, Token};
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
    let way = match target {
        Target::Pointer(pointer) => pointer_way(tree, root, pointer),
        Target::Json(pointer) => json_way(tree, tree.roots()[root], pointer),
        Target::Query(_) => Vec::new(),
    };
    let mut stops = Vec::new();
    let mut by = None;
    for TokenStop { token, node, at, put } in way {
        let name = named(&token).unwrap_or_else(|| Name::usual(tree, node, at));
        let position = matches!(token, Token::Index(0.., _)).then_some(at);
        let put = [put, named_by(tree, node, &name)];
        by = by.or(put.into_iter().flatten().find_map(|by| steps.number(by)));
        stops.push(Stop { node, name, position, by });
    }
    stops
}

/// A node that a token of a target leads to.
struct TokenStop {
    token: Token,
    node: NodeId,
    /// Its position among the items of a list.
    at: u32,
    /// The op that put it there.
    put: Option<OpId>,
}

fn pointer_way(tree: &mut Tree, root: usize, pointer: &Pointer) -> Vec<TokenStop> {
    let tokens: Vec<Token> = pointer.tokens.iter().map(without_place).collect();
    let pointer = Pointer { required: tokens.len(), tokens };
    let slots = Steps::way(tree, &pointer, root);
    let stop = |(token, (slot, at)): (Token, (Slot, Option<usize>))| {
        let at = at.map_or(0, |at| at as u32);
        TokenStop { token, node: slot.value, at, put: slot.by }
    };
    pointer.tokens.into_iter().zip(slots).map(stop).collect()
}

/// Returns the name by which a token leads to a child, unless the child depends on its list.
fn named(token: &Token) -> Option<Name> {
    match token {
        Token::Key(key) => Some(Name::Key(key.clone())),
        Token::Match { key, value, modifiers } if modifiers.is_empty() => {
            Some(Name::Item { key: key.clone(), value: value.clone() })
        }
        Token::Match { .. } | Token::Index(..) | Token::End => None,
    }
}

/// Returns the token without `:before` and `:after`, which lead to the place beside it.
fn without_place(token: &Token) -> Token {
    let mut token = token.clone();
    match &mut token {
        Token::Index(_, modifiers) | Token::Match { modifiers, .. } => {
            modifiers.retain(|&it| !is_place(it));
        }
        Token::Key(_) | Token::End => {}
    }
    token
}

fn json_way(tree: &Tree, root: NodeId, pointer: &JsonPointer) -> Vec<TokenStop> {
    let mut around = root;
    let stop = |token: &String| {
        let stop = match tree.kind(around) {
            Kind::Scalar => return None,
            Kind::Mapping => {
                let (_, node) = tree.member(around, token)?;
                let put = tree.find_slot(around, token).and_then(|slot| slot.by);
                TokenStop { token: Token::Key(token.clone()), node, at: 0, put }
            }
            Kind::Sequence => {
                let at: u32 = token.parse().ok()?;
                let slot = *tree.slots(around).get(at as usize)?;
                let token = Token::Index(i64::from(at), Vec::new());
                TokenStop { token, node: slot.value, at, put: slot.by }
            }
        };
        around = stop.node;
        Some(stop)
    };
    pointer.tokens.iter().map_while(stop).collect()
}

/// Returns the op that gave an item the name by which it is found.
fn named_by(tree: &Tree, item: NodeId, name: &Name) -> Option<OpId> {
    tree.find_slot(item, name.key()?)?.by
}

/// Returns the names that a pointer leads along, up to the first position.
pub(super) fn names_of(target: &Target) -> Vec<Name> {
    let Target::Pointer(pointer) = target else { return Vec::new() };
    pointer.tokens.iter().map_while(named).collect()
}

/// Returns the names along a path, as far as it leads.
pub(super) fn names_along(tree: &Tree, root: NodeId, path: &Path) -> Vec<Name> {
    let mut names = Vec::new();
    let mut around = root;
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

/// Maximum number of pairs of items that are compared for all ops together.
// Each op on a list compares its item with all others: of ten thousand ops on a list of ten
// thousand items not all can. The largest deployments need a thousandth of it.
pub(super) const MAX_COMPARED: usize = 1 << 22;

/// The place in the new list of an item that an op found by its position in the old one.
pub(super) enum ItemPlace {
    /// It is where it was, with another value at most.
    Same,
    /// It is this item now.
    Moved(NamedChild),
    /// No item is like it.
    Gone,
    /// It cannot be told.
    Unclear,
}

/// The number of pairs of items that may still be compared.
pub(super) struct ItemSearch {
    pub pairs_left: usize,
}

impl ItemSearch {
    /// Finds an item of an old list in the new one: by its name, if it has one, else by its
    /// value.
    pub(super) fn place(
        &mut self,
        trees: Trees<'_>,
        lists: [NodeId; 2],
        was: &Stop,
    ) -> ItemPlace {
        let (Some(position), [_, new]) = (was.position, lists) else {
            return ItemPlace::Same;
        };
        match &was.name {
            Name::Item { key, .. } => {
                if !self.may_compare(trees[1].items(new).len()) {
                    return ItemPlace::Unclear;
                }
                let items = children(trees[1], new, Some(key)).into_iter();
                let mut same = items.filter(|item| item.name == was.name);
                match (same.next(), same.next()) {
                    (Some(item), None) if item.position == position => ItemPlace::Same,
                    (Some(item), None) => ItemPlace::Moved(item),
                    (None, _) => ItemPlace::Gone,
                    (Some(_), Some(_)) => ItemPlace::Unclear,
                }
            }
            Name::Key(_) | Name::Collection(_) | Name::Index(_) => {
                self.by_value(trees, lists, position as usize)
            }
        }
    }

    /// Takes the cost of a comparison, unless too little is left.
    fn may_compare(&mut self, pairs: usize) -> bool {
        let left = self.pairs_left.checked_sub(pairs);
        self.pairs_left = left.unwrap_or(self.pairs_left);
        left.is_some()
    }

    fn by_value(&mut self, trees: Trees<'_>, lists: [NodeId; 2], at: usize) -> ItemPlace {
        let old = trees[0].items(lists[0]);
        let new = trees[1].items(lists[1]);
        let Some(&item) = old.get(at) else { return ItemPlace::Same };
        if new.get(at).is_some_and(|&now| is_same(trees, item, now)) {
            return ItemPlace::Same;
        }
        if !self.may_compare(old.len() + new.len()) {
            return ItemPlace::Unclear;
        }
        let mut values = Values::new(trees);
        let was = values.classes(&old, Side::Old);
        let now = values.classes(&new, Side::New);
        let twins: Vec<usize> = (0..old.len()).filter(|&i| was[i] == was[at]).collect();
        let found: Vec<usize> = (0..new.len()).filter(|&j| now[j] == was[at]).collect();
        if found.is_empty() {
            // It was changed there, if its neighbours or most of the others stayed.
            let is_last = at + 1 == old.len() && at + 1 == new.len();
            let kept = was.iter().zip(&now).map(|(was, now)| was == now);
            let kept: Vec<bool> = kept.collect();
            let is_between = (at == 0 || kept.get(at - 1) == Some(&true))
                && (is_last || kept.get(at + 1) == Some(&true));
            let kept = kept.iter().filter(|is_kept| **is_kept).count();
            let is_there = at < new.len()
                && (is_between || old.len() == new.len() && 2 * kept + 1 >= old.len());
            return if is_there { ItemPlace::Same } else { ItemPlace::Gone };
        }
        // It does not matter which of two equal items is which.
        let number = twins.iter().position(|&twin| twin == at).unwrap_or(0);
        let Some(&to) = found.get(number).filter(|_| twins.len() == found.len()) else {
            return ItemPlace::Unclear;
        };
        let next = was.get(at + 1);
        let has_neighbour = next.is_some() && next == now.get(to + 1)
            || at > 0 && to > 0 && was[at - 1] == now[to - 1];
        if has_neighbour || is_distinctive(trees[0], item) {
            let name = Name::Index(to as u32);
            let node = new[to];
            return ItemPlace::Moved(NamedChild { name, node, position: to as u32 });
        }
        ItemPlace::Unclear
    }
}

/// Returns an item as a person reads it: its name, or its value.
pub(super) fn shown_item(tree: &Tree, stop: &Stop) -> String {
    let name = stop.name.key().map(|_| format!("'{}'", stop.name.shown()));
    name.unwrap_or_else(|| shown(tree, stop.node))
}

/// The ways of a target in the old and the new document.
pub(super) struct Ways {
    pub was: Vec<Stop>,
    pub now: Vec<Stop>,
    /// The first step that finds an item by its position, and another one than before or
    /// none: its number, and the place of the item in the new document.
    pub stray: Option<(usize, ItemPlace)>,
}

impl Ways {
    /// Returns true if the target leads as far as before.
    pub(super) fn are_whole(&self) -> bool {
        self.now.len() >= self.was.len()
    }

    /// Returns the collections around the stops of a number in the two documents, whose roots are
    /// given.
    pub(super) fn around(&self, at: usize, roots: [NodeId; 2]) -> [NodeId; 2] {
        match at.checked_sub(1) {
            Some(above) => [self.was[above].node, self.now[above].node],
            None => roots,
        }
    }
}
