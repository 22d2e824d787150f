//! The names of list items, and the keys that have them.

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::arena::Style;
use crate::node::{Kind, NodeId, Tree};
use crate::pointer::{Modifier, Token};
use crate::scalar::{Context, Scalar, is_plain};

/// The names of the items of two lists.
pub(super) struct Names<'a> {
    /// The name of every item whose name is unique in both lists.
    pub old: Vec<Option<Name<'a>>>,
    pub new: Vec<Option<Name<'a>>>,
}

#[derive(Clone)]
pub(super) struct Name<'a> {
    /// The key that has the name.
    pub key: Cow<'a, str>,
    pub text: Cow<'a, str>,
    /// True if it can be used in a path: it is short, and a string in every dialect.
    plain: bool,
}

impl<'a> Name<'a> {
    /// Returns the name as it is compared with others.
    pub(super) fn identity(&self) -> (&str, &str) {
        (&self.key, &self.text)
    }

    /// Returns true if both begin alike, as two versions of the same thing do.
    pub(super) fn is_like(&self, other: &Name<'_>) -> bool {
        let same = self.text.bytes().zip(other.text.bytes()).take_while(|(a, b)| a == b);
        2 * same.count() >= self.text.len().max(other.text.len())
    }

    /// Returns the token that leads to its item, or to the place beside it.
    pub(super) fn token(&self, modifiers: Vec<Modifier>) -> Option<Token> {
        let (key, value) = (self.key.to_string(), self.text.to_string());
        self.plain.then_some(Token::Match { key, value, modifiers })
    }
}

/// The keys that most often hold names, the usual ones first.
const COMMON_NAME_KEYS: &[&str] = &["name", "id", "key", "alias", "title", "label"];

/// Keys that name an item, beside the common ones: steps of pipelines and of workflows,
/// tasks, and places of things.
const NAME_KEYS: &[&str] = &[
    "task",
    "get",
    "put",
    "uses",
    "job",
    "set_pipeline",
    "load_var",
    "role",
    "user",
    "username",
    "email",
    "host",
    "hostname",
    "domain",
    "path",
    "file",
    "url",
    "uri",
    "repo",
    "repository",
    "target",
    "mountPath",
];

/// Keys that name items only where all items have them.
const PLACE_KEYS: &[&str] =
    &["zone", "az", "region", "range", "cidr", "ip", "address", "kind", "type"];

/// Maximum length of a name in bytes.
// A longer text is a description, and a path with it cannot be read.
const MAX_NAME_LEN: usize = 100;

/// Number of keys of the first item that are tried.
// Each key takes a pass over both lists. Names come first in practice.
const MAX_TRIED_KEYS: usize = 16;

/// An old and a new list, each with its document.
pub(super) type ListSides<'a, 'l> = [(&'a Tree, &'l [NodeId]); 2];

impl<'a> Names<'a> {
    /// Finds the key that names most items: a usual key for half of them, or any that
    /// looks like one for all. Other items get the name that another usual key has.
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
        let mut names = found.unwrap_or_else(|| {
            let [old, new] = lists.map(|(_, items)| vec![None; items.len()]);
            Names { old, new }
        });
        if names.count() < mappings {
            names.add_other_keys(lists);
        }
        names
    }

    fn by(key: Cow<'a, str>, lists: ListSides<'a, '_>) -> Names<'a> {
        let all = lists.map(|(document, items)| {
            items.iter().map(|&item| name(document, item, &key)).collect::<Vec<_>>()
        });
        let known = all.each_ref().map(|names| Holders::new(names));
        let single = |name: &Name<'_>| known.iter().all(|k| k.is_single(&name.text));
        let [old, new] = all
            .each_ref()
            .map(|names| names.iter().map(|name| name.clone().filter(single)).collect());
        Names { old, new }
    }

    fn count(&self) -> usize {
        self.old.iter().chain(&self.new).flatten().count()
    }

    /// Names the items that have no name yet by the first usual key that can.
    fn add_other_keys(&mut self, lists: ListSides<'a, '_>) {
        let mut found = Vec::new();
        for key in COMMON_NAME_KEYS.iter().chain(NAME_KEYS) {
            let key = Cow::Borrowed(*key);
            let all = lists.map(|(document, items)| {
                items.iter().map(|&item| name(document, item, &key)).collect::<Vec<_>>()
            });
            let known = all.each_ref().map(|names| Holders::new(names));
            for (side, names) in all.iter().enumerate() {
                for (i, name) in names.iter().enumerate() {
                    let single =
                        |name: &&Name<'a>| known.iter().all(|k| k.is_single(&name.text));
                    if self.sides()[side][i].is_none()
                        && let Some(name) = name.as_ref().filter(single)
                    {
                        found.push((side, i, known[1 - side].item(&name.text)));
                        self.side(side)[i] = Some(name.clone());
                    }
                }
            }
        }
        // The same entry must not be the name of one item and a detail of another: while
        // the list is changed, two items could have it.
        let wrong = found.into_iter().filter(|&(side, i, other)| {
            let Some(other) = other else { return false };
            let (here, there) = (&self.sides()[side][i], &self.sides()[1 - side][other]);
            here.as_ref().map(Name::identity) != there.as_ref().map(Name::identity)
        });
        for (side, i, _) in wrong.collect::<Vec<_>>() {
            self.side(side)[i] = None;
        }
    }

    fn sides(&self) -> [&[Option<Name<'a>>]; 2] {
        [&self.old, &self.new]
    }

    fn side(&mut self, side: usize) -> &mut [Option<Name<'a>>] {
        if side == 0 { &mut self.old } else { &mut self.new }
    }
}

/// The items of a list by one of their entries.
struct Holders<'n>(HashMap<&'n str, (usize, u32)>);

impl<'n> Holders<'n> {
    fn new(names: &'n [Option<Name<'_>>]) -> Holders<'n> {
        let mut holders = HashMap::new();
        for (i, name) in names.iter().enumerate() {
            if let Some(name) = name {
                holders.entry(&*name.text).or_insert((i, 0)).1 += 1;
            }
        }
        Holders(holders)
    }

    /// Returns true if at most one item has that text.
    fn is_single(&self, text: &str) -> bool {
        self.0.get(text).is_none_or(|&(_, count)| count == 1)
    }

    /// Returns the position of an item with that text.
    fn item(&self, text: &str) -> Option<usize> {
        self.0.get(text).map(|&(i, _)| i)
    }
}

fn name<'a>(document: &'a Tree, item: NodeId, key: &Cow<'a, str>) -> Option<Name<'a>> {
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
    (document.kind(value) == Kind::Scalar).then_some(Name {
        key: key.clone(),
        text,
        plain,
    })
}

/// Returns the keys of the first mapping that may name items and be used in a token.
fn keys<'a>([old, new]: ListSides<'a, '_>) -> Vec<Cow<'a, str>> {
    let items = |(document, items): (&'a Tree, &[NodeId])| {
        let mapping = |&&item: &&NodeId| document.kind(item) == Kind::Mapping;
        items.iter().find(mapping).map(|&item| (document, item))
    };
    let Some((document, item)) = items(old).or_else(|| items(new)) else {
        return Vec::new();
    };
    let pairs = document.pairs(item).into_iter().enumerate();
    let key = |(at, (key, value))| match (document.scalar(key), document.scalar(value)) {
        (Scalar::String(key), Scalar::String(value)) if !key.contains('=') => {
            let names = looks_like_name(&key) || at == 0 && !is_quantity(&value);
            names.then_some(key)
        }
        _ => None,
    };
    pairs
        .take(MAX_TRIED_KEYS)
        .filter_map(key)
        .filter(|key| !COMMON_NAME_KEYS.contains(&&**key))
        .collect()
}

/// Returns true for `resource_name`, `instanceId`, `path` and the like.
fn looks_like_name(key: &str) -> bool {
    let ends = ["name", "Name", "_id", "-id", "Id", "ID", "_key", "-key", "Key", "path"];
    NAME_KEYS.contains(&key)
        || PLACE_KEYS.contains(&key)
        || ends.iter().any(|end| key.ends_with(end))
}

/// Returns true for `4h`, `512Mi`, `1h30m`, `50%` and the like: many items may have the
/// same. An address or a version has more points.
fn is_quantity(text: &str) -> bool {
    let number = text.trim_start_matches(['-', '+']);
    let unit = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '%';
    let letters = number.split(|c: char| !c.is_ascii_alphabetic()).map(str::len);
    number.starts_with(|c: char| c.is_ascii_digit())
        && number.chars().all(unit)
        && number.matches('.').count() < 2
        && letters.max() <= Some(3)
}
