//! The names of list items, and the key that has them.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::arena::Style;
use crate::node::{Kind, NodeId, Tree};
use crate::pointer::{Modifier, Token};
use crate::scalar::{Context, Scalar, is_plain};

/// The names of the items of two lists.
pub(super) struct Names<'a> {
    /// The key whose values are the names.
    pub key: Cow<'a, str>,
    /// The name of every item whose name is unique in both lists.
    pub old: Vec<Option<Name<'a>>>,
    pub new: Vec<Option<Name<'a>>>,
}

#[derive(Clone)]
pub(super) struct Name<'a> {
    pub text: Cow<'a, str>,
    /// True if it can be used in a path: it is short, and a string in every dialect.
    plain: bool,
}

/// The keys that most often hold names, the usual ones first.
const COMMON_NAME_KEYS: &[&str] = &["name", "id", "key", "alias", "title", "label"];

/// Maximum length of a name in bytes.
// A longer text is a description, and a path with it cannot be read.
const MAX_NAME_LEN: usize = 100;

/// Number of keys of the first item that are tried.
// Each key takes a pass over both lists. Names come first in practice.
const MAX_TRIED_KEYS: usize = 16;

/// An old and a new list, each with its document.
pub(super) type ListSides<'a, 'l> = [(&'a Tree, &'l [NodeId]); 2];

impl<'a> Names<'a> {
    /// Finds the key that names most items: a usual key for half of them, or any for all.
    pub(super) fn find(lists: ListSides<'a, '_>) -> Names<'a> {
        let mappings = |(document, items): &(&Tree, &[NodeId])| {
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

    /// Returns the token that leads to an item, or to the place beside it.
    pub(super) fn token(
        &self,
        name: Option<&Name<'_>>,
        modifiers: Vec<Modifier>,
    ) -> Option<Token> {
        let value = name.filter(|name| name.plain)?.text.to_string();
        Some(Token::Match { key: self.key.to_string(), value, modifiers })
    }
}

fn name<'a>(document: &'a Tree, item: NodeId, key: &str) -> Option<Name<'a>> {
    let value = document.get(item, key)?;
    let Scalar::String(text) = document.scalar(value) else { return None };
    // A plain string such as `yes` is a boolean in another dialect.
    let bare = match document.follow(value) {
        NodeId::Clean(file, i) => document.arena(file).style(i) == Style::Plain,
        NodeId::Opened(_) => false,
    };
    let plain = text.len() <= MAX_NAME_LEN
        && !text.contains(char::is_control)
        && (!bare || is_plain(&text, Context::Block));
    (document.kind(value) == Kind::Scalar).then_some(Name { text, plain })
}

/// Returns the keys of the first mapping that can be used in a token.
fn keys<'a>([old, new]: ListSides<'a, '_>) -> Vec<Cow<'a, str>> {
    let items = |(document, items): (&'a Tree, &[NodeId])| {
        let mapping = |&&item: &&NodeId| document.kind(item) == Kind::Mapping;
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
