//! The names of children: what tells a child of a collection from its siblings.

use crate::compare::{List, NAME_KEYS, naming_key};
use crate::node::{Kind, NodeId, Step, Tree};
use crate::pointer::JsonPointer;
use crate::yaml::{self, Expansion};

/// Maximum length in bytes of the name of an entry whose key is a collection.
// A key that people write fits a line; with aliases it can be of any size.
const MAX_KEY: Expansion = Expansion(1 << 12);

/// The name of a child of a collection.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Name {
    /// The entry with this key.
    Key(String),
    /// The entry whose key is a collection, by the JSON text of that. No target leads to it.
    Collection(String),
    /// The item whose entry `key` is the text `value`.
    Item { key: String, value: String },
    /// The item at this position.
    Index(u32),
}

/// A place in a document: names and positions, from the root.
pub(super) type Way = Vec<(Name, u32)>;

/// Returns a way, and the names after it, as a person reads them.
pub(super) fn shown_way(way: &Way, rest: Option<&[&Name]>) -> String {
    let way = way.iter().map(|(name, _)| name);
    let names = way.chain(rest.unwrap_or_default().iter().copied());
    names.map(|name| format!("/{}", name.token())).collect()
}

/// The children that a step of a target chooses from, as one kind for a whole document.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// The entry with this key.
    Key(String),
    /// The items, which this key names; without one their position does.
    Items(Option<String>),
}

impl Name {
    /// Returns the name of the entry with a key.
    pub(super) fn of_key(tree: &Tree, key: NodeId) -> Name {
        if let Some(name) = tree.member_name(key) {
            return Name::Key(name.into_owned());
        }
        let text = yaml::json::print(tree, key, MAX_KEY);
        // A key that is too long counts as no other one.
        let text = text.unwrap_or_else(|_| format!("{:?}", tree.span(key)));
        Name::Collection(text.lines().map(str::trim).collect())
    }

    /// Returns the name of the child that a step of a path leads to.
    pub(super) fn of_step(tree: &Tree, step: Step) -> Name {
        match step {
            Step::Key(key) => Name::of_key(tree, key),
            Step::Index(position) => Name::Index(position),
        }
    }

    /// Returns the name of an item by a key, or by its position.
    pub(super) fn of_item(
        tree: &Tree,
        item: NodeId,
        key: Option<&str>,
        position: u32,
    ) -> Name {
        let named = |key: &str| {
            let value = tree.string(tree.get(item, key)?)?.into_owned();
            Some(Name::Item { key: key.to_owned(), value })
        };
        key.and_then(named).unwrap_or(Name::Index(position))
    }

    /// Returns the name of an item by one of the usual keys, or by its position.
    pub(super) fn usual(tree: &Tree, item: NodeId, position: u32) -> Name {
        let mut names =
            NAME_KEYS.iter().map(|key| Name::of_item(tree, item, Some(key), position));
        let named = names.find(|name| matches!(name, Name::Item { .. }));
        named.unwrap_or(Name::Index(position))
    }

    /// Returns the key that names an item.
    pub(super) fn key(&self) -> Option<&str> {
        match self {
            Name::Item { key, .. } => Some(key),
            Name::Key(_) | Name::Collection(_) | Name::Index(_) => None,
        }
    }

    /// Returns the kind of step that leads to the child.
    pub(super) fn part(&self) -> Part {
        match self {
            Name::Key(key) | Name::Collection(key) => Part::Key(key.clone()),
            Name::Item { key, .. } => Part::Items(Some(key.clone())),
            Name::Index(_) => Part::Items(None),
        }
    }

    /// Returns the name as a step of a path that a person reads.
    pub(super) fn token(&self) -> String {
        JsonPointer::escape(&self.shown())
    }

    /// Returns the name as a person reads it.
    pub(super) fn shown(&self) -> String {
        match self {
            Name::Key(key) | Name::Collection(key) => key.clone(),
            Name::Item { key, value } => format!("{key}={value}"),
            Name::Index(position) => position.to_string(),
        }
    }
}

/// Returns the usual key whose values tell all items of a list apart, if there is one.
pub(super) fn name_key(tree: &Tree, list: NodeId) -> Option<&'static str> {
    let items = tree.items(list);
    naming_key(&[List { document: tree, items: &items }])
}

/// A child of a collection.
#[derive(Clone, Debug)]
pub(super) struct Child {
    pub name: Name,
    pub node: NodeId,
    /// Its position among the items of a list; 0 for an entry.
    pub position: u32,
}

/// Returns the children of a collection, items by a key or by their position.
pub(super) fn children(tree: &Tree, node: NodeId, key: Option<&str>) -> Vec<Child> {
    match tree.kind(node) {
        Kind::Scalar => Vec::new(),
        Kind::Sequence => (0..)
            .zip(tree.items(node))
            .map(|(position, item)| {
                let name = Name::of_item(tree, item, key, position);
                Child { name, node: item, position }
            })
            .collect(),
        Kind::Mapping => {
            let named = |(entry, node)| {
                let name = Name::of_key(tree, entry);
                Child { name, node, position: 0 }
            };
            tree.pairs(node).into_iter().map(named).collect()
        }
    }
}
