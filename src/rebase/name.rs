//! The names of children (what tells a child of a collection from its siblings), the ways that
//! they are made of, and targets with another way in front, spelled as the old ones were.

use crate::arena::Arena;
use crate::compare::{ListVersion, NAME_KEYS, naming_key};
use crate::node::{Kind, NodeId, Step, Tree};
use crate::patch::Op;
use crate::pointer::{JsonPointer, Modifier, Pointer, Token};
use crate::target::Target;
use crate::yaml::{self, Expansion};

/// An old and a new document.
pub(super) type Trees<'a> = [&'a Tree; 2];

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
pub(super) enum LevelPart {
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
    pub(super) fn part(&self) -> LevelPart {
        match self {
            Name::Key(key) | Name::Collection(key) => LevelPart::Key(key.clone()),
            Name::Item { key, .. } => LevelPart::Items(Some(key.clone())),
            Name::Index(_) => LevelPart::Items(None),
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
    naming_key(&[ListVersion { document: tree, items: &items }])
}

/// A child of a collection.
#[derive(Clone, Debug)]
pub(super) struct NamedChild {
    pub name: Name,
    pub node: NodeId,
    /// Its position among the items of a list; 0 for an entry.
    pub position: u32,
}

impl NamedChild {
    pub(super) fn named(&self) -> (Name, NodeId) {
        (self.name.clone(), self.node)
    }
}

/// Returns the children of a collection, items by a key or by their position.
pub(super) fn children(tree: &Tree, node: NodeId, key: Option<&str>) -> Vec<NamedChild> {
    match tree.kind(node) {
        Kind::Scalar => Vec::new(),
        Kind::Sequence => (0..)
            .zip(tree.items(node))
            .map(|(position, item)| {
                let name = Name::of_item(tree, item, key, position);
                NamedChild { name, node: item, position }
            })
            .collect(),
        Kind::Mapping => {
            let named = |(entry, node)| {
                let name = Name::of_key(tree, entry);
                NamedChild { name, node, position: 0 }
            };
            tree.pairs(node).into_iter().map(named).collect()
        }
    }
}

/// A target and its text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SpelledPath {
    pub target: Target,
    pub text: String,
}

impl SpelledPath {
    /// Returns the target of an op as it was written.
    pub(super) fn of(op: &Op, arena: Option<&Arena>) -> SpelledPath {
        let text = written(op, arena).unwrap_or_else(|| op.at.spell());
        SpelledPath { target: op.at.clone(), text }
    }

    /// Returns the target whose first steps lead along a way of as many steps.
    pub(super) fn along(&self, way: &Way) -> Option<SpelledPath> {
        match &self.target {
            Target::Pointer(pointer) => self.pointer_along(pointer, way),
            Target::Json(pointer) => {
                let mut tokens = pointer.tokens.clone();
                for (token, (name, position)) in
                    tokens.get_mut(..way.len())?.iter_mut().zip(way)
                {
                    *token = match name {
                        Name::Key(key) => key.clone(),
                        Name::Collection(_) => return None,
                        Name::Item { .. } | Name::Index(_) => position.to_string(),
                    };
                }
                let target = Target::Json(JsonPointer { tokens });
                Some(SpelledPath { text: target.spell(), target })
            }
            Target::Query(_) => None,
        }
    }

    fn pointer_along(&self, pointer: &Pointer, way: &Way) -> Option<SpelledPath> {
        let mut tokens = pointer.tokens.clone();
        for (token, (name, position)) in tokens.get_mut(..way.len())?.iter_mut().zip(way)
        {
            *token = match (&*token, name) {
                (Token::Key(_), Name::Key(key)) => Token::Key(key.clone()),
                (Token::Match { modifiers, .. }, Name::Item { key, value })
                    if modifiers.is_empty()
                        || modifiers.iter().all(|it| is_place(*it)) =>
                {
                    let key = key.clone();
                    let value = value.clone();
                    Token::Match { key, value, modifiers: modifiers.clone() }
                }
                (Token::Index(index, modifiers), Name::Item { .. } | Name::Index(_))
                    if *index >= 0 && modifiers.iter().all(|it| is_place(*it)) =>
                {
                    Token::Index(i64::from(*position), modifiers.clone())
                }
                _ => return None,
            };
        }
        let new = Pointer { tokens, required: pointer.required };
        let mut pieces: Vec<&str> = self.text.split('/').collect();
        let changed = (0..way.len()).filter(|&at| new.tokens[at] != pointer.tokens[at]);
        let changed: Vec<(usize, String)> = changed
            .map(|at| (at + 1, piece(&new.tokens[at], pieces.get(at + 1).copied())))
            .collect();
        for (at, text) in &changed {
            *pieces.get_mut(*at)? = text;
        }
        let text = pieces.join("/");
        let target = Target::Pointer(new);
        // A path that is written in another way than others is spelled anew.
        let text = match Target::parse(&text) {
            Ok(parsed) if parsed == target => text,
            _ => target.spell(),
        };
        Some(SpelledPath { target, text })
    }
}

/// Returns true for a modifier that leads to the place beside an item.
pub(super) fn is_place(modifier: Modifier) -> bool {
    matches!(modifier, Modifier::Before | Modifier::After)
}

/// Returns a token in the place of another one, whose `?` and modifiers it keeps.
fn piece(token: &Token, old: Option<&str>) -> String {
    let old = old.unwrap_or_default();
    let (name, modifiers) = old.split_at(old.find(':').unwrap_or(old.len()));
    let mark = if name.ends_with('?') || token.needs_mark() { "?" } else { "" };
    format!("{token}{mark}{modifiers}")
}

/// Returns the text of the target of an op, if it stands there in so many words.
fn written(op: &Op, arena: Option<&Arena>) -> Option<String> {
    let span = op.origin?.path;
    let text = arena?.text().get(span.start as usize..span.end as usize)?;
    let text = text.trim_matches(['"', '\'']);
    let is_same = match &op.at {
        Target::Json(pointer) => pointer.to_string() == text,
        at => Target::parse(text).is_ok_and(|parsed| parsed == *at),
    };
    is_same.then(|| text.to_owned())
}
