//! The items of two lists come in, the key that tells them apart goes out, and what each
//! item is called by it.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::arena::Style;
use crate::node::{Document, Kind, Node};
use crate::pointer::{Modifier, Token};
use crate::scalar::{Context, Scalar, is_plain};

/// What the items of two lists are called.
pub(super) struct Names<'a> {
    /// The key that has the name.
    pub(super) key: Cow<'a, str>,
    /// The name of every item that it tells from all others, in both lists.
    pub(super) old: Vec<Option<Name<'a>>>,
    pub(super) new: Vec<Option<Name<'a>>>,
}

/// What an item is called.
#[derive(Clone)]
pub(super) struct Name<'a> {
    pub(super) text: Cow<'a, str>,
    /// Whether it can stand in a path: it is short, and it is a string in every dialect.
    plain: bool,
}

/// The keys by which people call things, the usual ones first.
const COMMON_NAME_KEYS: &[&str] = &["name", "id", "key", "alias", "title", "label"];

/// A longer text is no name.
const MAX_NAME_LEN: usize = 100;

/// So many keys of the first item are tried.
const MAX_TRIED_KEYS: usize = 16;

/// An old and a new list, each with its document.
pub(super) type ListSides<'a, 'l> = [(&'a Document, &'l [Node]); 2];

impl<'a> Names<'a> {
    /// Finds the key that has the names of most items: a usual one if it has them of half,
    /// else one that has them all.
    pub(super) fn find(lists: ListSides<'a, '_>) -> Names<'a> {
        let mappings = |(document, items): &(&Document, &[Node])| {
            items.iter().filter(|&&item| document.kind(item) == Kind::Mapping).count()
        };
        let mappings: usize = lists.iter().map(mappings).sum();
        let usual =
            COMMON_NAME_KEYS.iter().map(|&key| (key.into(), mappings.div_ceil(2)));
        let other = keys(lists).into_iter().map(|key| (key, mappings));
        let mut keys = usual.chain(other).filter(|_| mappings > 0);
        let found = keys.find_map(|(key, enough)| {
            let names = Names::by(key, lists);
            (names.count() >= enough).then_some(names)
        });
        found.unwrap_or_else(|| {
            let [old, new] = lists.map(|(_, items)| vec![None; items.len()]);
            Names { key: "".into(), old, new }
        })
    }

    /// What the items are called by the key.
    fn by(key: Cow<'a, str>, lists: ListSides<'a, '_>) -> Names<'a> {
        let names = lists.map(|(document, items)| {
            items.iter().map(|&item| name(document, item, &key)).collect::<Vec<_>>()
        });
        let counts = names.each_ref().map(|names| {
            let mut counts: HashMap<&str, u32> = HashMap::new();
            for name in names.iter().flatten() {
                *counts.entry(&name.text).or_default() += 1;
            }
            counts
        });
        let once = |name: &Name<'_>| {
            counts.iter().all(|count| count.get(&*name.text).is_none_or(|&n| n == 1))
        };
        let [old, new] = names
            .each_ref()
            .map(|names| names.iter().map(|name| name.clone().filter(once)).collect());
        Names { key, old, new }
    }

    fn count(&self) -> usize {
        self.old.iter().chain(&self.new).flatten().count()
    }

    /// The token that leads to the item called so, or beside it.
    pub(super) fn token(
        &self,
        name: Option<&Name<'_>>,
        modifiers: Vec<Modifier>,
    ) -> Option<Token> {
        let value = name.filter(|name| name.plain)?.text.to_string();
        Some(Token::Match { key: self.key.to_string(), value, modifiers })
    }
}

/// What an item is called by the key.
fn name<'a>(document: &'a Document, item: Node, key: &str) -> Option<Name<'a>> {
    let value = document.get(item, key)?;
    let Scalar::String(text) = document.scalar(value) else { return None };
    let bare = match document.follow(value) {
        Node::Clean(file, i) => document.arena(file).style(i) == Style::Plain,
        Node::Opened(_) => false,
    };
    let plain = text.len() <= MAX_NAME_LEN
        && !text.contains(char::is_control)
        && (!bare || is_plain(&text, Context::Block));
    (document.kind(value) == Kind::Scalar).then_some(Name { text, plain })
}

/// The keys of the first mapping that a token can have.
fn keys<'a>([old, new]: ListSides<'a, '_>) -> Vec<Cow<'a, str>> {
    let items = |(document, items): (&'a Document, &[Node])| {
        let mapping = |&&item: &&Node| document.kind(item) == Kind::Mapping;
        items.iter().find(mapping).map(|&item| (document, item))
    };
    let Some((document, item)) = items(old).or_else(|| items(new)) else {
        return Vec::new();
    };
    let keys = document.pairs(item).into_iter().map(|(key, _)| document.scalar(key));
    let text = |key| match key {
        Scalar::String(text) if !text.contains('=') => Some(text),
        _ => None,
    };
    keys.filter_map(text)
        .filter(|key| !COMMON_NAME_KEYS.contains(&&**key))
        .take(MAX_TRIED_KEYS)
        .collect()
}
