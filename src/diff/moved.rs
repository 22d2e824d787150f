//! Two lists come in, and which items stay where they are; what an item that left its place
//! said goes together with where that is said now.

use std::collections::{HashMap, HashSet};

use super::align::Tag;
use super::name::{Name, Names};
use super::{Task, Walk};
use crate::node::{Document, Kind, Node};
use crate::pointer::Token;
use crate::scalar::Scalar;

/// An old list, and the items of the new one, each with whether its name tells which of the
/// old ones it was; or an old document, and the entries that are new in it, with their keys.
pub(super) struct Lists {
    pub(super) old: Node,
    pub(super) new: Vec<(Option<Node>, Node, bool)>,
}

/// What a value is within a list.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Role {
    Key,
    Item,
    /// The value of the key with that number.
    Value(u32),
    Any,
}

impl<'a> Walk<'a> {
    /// Compares the items that left their places with those of the same names or values.
    pub(super) fn visit_moved(
        &mut self,
        names: &Names<'a>,
        kept: &[(usize, usize)],
        (old, new): (&[Node], &[Node]),
    ) {
        let mut gone: HashMap<Tag<'_>, Vec<usize>> = HashMap::new();
        for i in (0..old.len()).rev() {
            if kept.binary_search_by_key(&i, |k| k.0).is_err() {
                gone.entry(self.tag_old(names, old, i)).or_default().push(i);
            }
        }
        let mut stays = kept.iter().map(|k| k.1).peekable();
        for j in 0..new.len() {
            if stays.next_if_eq(&j).is_some() {
                continue;
            }
            let tag = self.tag_new(names, new, j);
            if let Some(i) = gone.get_mut(&tag).and_then(Vec::pop) {
                let (old, new) = (old[i], new[j]);
                self.todo.push(Task::Visit { token: Token::End, old, new, done: None });
            }
        }
    }

    /// Notes that what is in the new list may come from anywhere in the old one.
    pub(super) fn note_lists(&mut self, names: &Names<'a>, old: Node, new: &[Node]) {
        let known: HashSet<&str> =
            names.old.iter().flatten().map(|name| &*name.text).collect();
        let is_known = |name: &Name<'_>| known.contains(&*name.text);
        let named = names.new.iter().map(|name| name.as_ref().is_some_and(is_known));
        let new = new.iter().zip(named).map(|(&item, named)| (None, item, named));
        self.lists.push(Lists { old, new: new.collect() });
    }

    /// Adds the places in lists and in new entries that mean what something `wanted` of the
    /// list or of the document does, the innermost lists first. What is `same` has its place already.
    pub(super) fn place(
        &mut self,
        same: &mut Vec<(Node, Node)>,
        wanted: impl Fn(Node) -> bool,
    ) {
        let mut placed: HashSet<Node> = same.iter().map(|&(_, new)| new).collect();
        while let Some(Lists { old, new }) = self.lists.pop() {
            let known = self.known(old, &wanted);
            if known.is_empty() {
                continue;
            }
            let mut todo = new;
            while let Some((key, node, named)) = todo.pop() {
                if self.left == 0 || placed.contains(&node) {
                    continue;
                }
                self.left -= 1;
                let role = role(key, node, |key| self.classes.of_new(key));
                let class = self.classes.of_new(node);
                let any = if role == Role::Key { role } else { Role::Any };
                let here = if named { any } else { role };
                let found = [here, any].into_iter().find_map(|r| known.get(&(r, class)));
                if let Some(&old) = found {
                    placed.insert(node);
                    same.push((old, node));
                    continue;
                }
                let below = children(self.new, (key, node)).into_iter();
                todo.extend(below.map(|(key, node)| (key, node, named)));
            }
        }
    }

    /// What is wanted of an old list, by what it means and where it stands; what tells
    /// enough may stand anywhere.
    fn known(
        &mut self,
        list: Node,
        wanted: impl Fn(Node) -> bool,
    ) -> HashMap<(Role, u32), Node> {
        let mut known = HashMap::new();
        let mut todo = children(self.old, (None, list));
        while let Some((key, node)) = todo.pop() {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            if !wanted(node) {
                todo.extend(children(self.old, (key, node)));
                continue;
            }
            let role = role(key, node, |key| self.classes.of_old(key));
            let class = self.classes.of_old(node);
            known.entry((role, class)).or_insert(node);
            if role != Role::Key && tells(self.old, node) {
                known.entry((Role::Any, class)).or_insert(node);
            }
        }
        known
    }
}

/// What a node is within a list; keys are numbered.
fn role(key: Option<Node>, node: Node, number: impl FnOnce(Node) -> u32) -> Role {
    match key {
        Some(key) if key == node => Role::Key,
        Some(key) => Role::Value(number(key)),
        None => Role::Item,
    }
}

/// The keys, each as its own key, and the values of a collection, the last one first.
fn children(
    document: &Document,
    (key, node): (Option<Node>, Node),
) -> Vec<(Option<Node>, Node)> {
    if key == Some(node) || document.follow(node) != node {
        return Vec::new();
    }
    let slots = document.slots(node);
    let parts = slots.iter().rev().flat_map(|slot| {
        [Some((slot.key, slot.value)), slot.key.map(|key| (Some(key), key))]
    });
    parts.flatten().collect()
}

/// Whether a value is no number, nor anything else that may be the same by chance.
fn tells(document: &Document, node: Node) -> bool {
    match document.kind(node) {
        Kind::Scalar => {
            matches!(document.scalar(node), Scalar::String(text) if !text.is_empty())
        }
        Kind::Sequence | Kind::Mapping => !document.slots(node).is_empty(),
    }
}
