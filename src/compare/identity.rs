//! The one rule which key names the items of a list: the first of [`NAME_KEYS`] that names at
//! least half of the mappings. An item that it does not name takes the first other key that
//! does. No two items of a list have one name. An item of one version of a list is that of
//! another one with its name.

use std::borrow::Cow;

use hashbrown::HashMap;

use super::value::Meaning;
use crate::arena::Style;
use crate::node::{Kind, NodeId, Tree};
use crate::pointer::{Modifier, Token};
use crate::scalar::{Context, Identity, Scalar, is_plain};

/// The keys that name an item, the usual ones first.
pub(crate) const NAME_KEYS: [&str; 6] = ["name", "id", "key", "alias", "title", "label"];

/// The keys that are asked for names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeySet {
    /// Those of [`NAME_KEYS`].
    Usual,
    /// Others, too, whose texts look like names. Paths with names are easier to read, and
    /// stay valid where other items come and go.
    Likely,
}

/// A list, or a version of it.
#[derive(Clone, Copy)]
pub(crate) struct ListVersion<'a, 'l> {
    pub document: &'a Tree,
    pub items: &'l [NodeId],
}

/// The name of an item: one of its entries.
#[derive(Clone, Debug)]
pub(crate) struct ItemName<'a> {
    pub key: Cow<'a, str>,
    /// The node of the value.
    pub node: NodeId,
    value: Identity<'a>,
    /// True if it can be used in a path: it is short, and a string in every dialect.
    is_plain: bool,
}

/// A name as it is compared with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NameIdentity<'n> {
    key: &'n str,
    value: &'n Identity<'n>,
}

impl<'a> ItemName<'a> {
    /// Returns the name by which a single item is known: the entry of the first of
    /// [`NAME_KEYS`] that it has.
    pub(crate) fn of(document: &'a Tree, item: NodeId) -> Option<ItemName<'a>> {
        NAME_KEYS.into_iter().find_map(|key| named_by(document, item, &key.into()))
    }

    /// Returns the name that an item has by a key.
    pub(crate) fn by(
        document: &'a Tree,
        item: NodeId,
        key: &'a str,
    ) -> Option<ItemName<'a>> {
        named_by(document, item, &key.into())
    }

    /// Returns the key of [`NAME_KEYS`] that has the name; the first of them for another key.
    pub(crate) fn usual_key(&self) -> &'static str {
        NAME_KEYS.into_iter().find(|key| *key == self.key).unwrap_or(NAME_KEYS[0])
    }

    /// Returns true if an item with another name is surely another item. An alias, a title or
    /// a label describes an item, which may get another one.
    pub(crate) fn identifies(&self) -> bool {
        ["name", "id", "key"].contains(&&*self.key)
    }

    /// Returns the name as it is compared with others.
    pub(crate) fn identity(&self) -> NameIdentity<'_> {
        NameIdentity { key: &self.key, value: &self.value }
    }

    /// Returns true if both begin alike, as two versions of the same thing do.
    pub(crate) fn is_like(&self, other: &ItemName<'_>) -> bool {
        let (Identity::String(this), Identity::String(other)) =
            (&self.value, &other.value)
        else {
            return false;
        };
        let same = this.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
        2 * same >= this.len().max(other.len())
    }

    /// Returns the token that leads to its item, or to the place beside it.
    pub(crate) fn token(&self, modifiers: Vec<Modifier>) -> Option<Token> {
        let Identity::String(text) = &self.value else { return None };
        let token = || Token::Match {
            key: self.key.to_string(),
            value: text.to_string(),
            modifiers,
        };
        self.is_plain.then(token)
    }
}

/// The names of the items of some lists: for each list, the name of every item whose name no
/// other item of a list has.
pub(crate) struct ItemNames<'a> {
    pub lists: Vec<Vec<Option<ItemName<'a>>>>,
}

impl<'a> ItemNames<'a> {
    /// Finds the key that names most items: a usual key for half of them, or any that
    /// looks like one for all. Other items get the name that another key has.
    pub(crate) fn find(lists: &[ListVersion<'a, '_>], keys: KeySet) -> ItemNames<'a> {
        let mappings = lists.iter().map(|list| list.mappings().count()).sum::<usize>();
        let half = mappings.div_ceil(2);
        let likely = if keys == KeySet::Likely { likely_keys(lists) } else { Vec::new() };
        let usual = NAME_KEYS.into_iter().map(|key| (Cow::Borrowed(key), half));
        let mut tried = usual.chain(likely.into_iter().map(|key| (key, mappings)));
        let found = tried.find_map(|(key, enough)| {
            let names = ItemNames::by(&key, lists);
            (mappings > 0 && names.count() >= enough).then_some(names)
        });
        let mut names = found.unwrap_or_else(|| ItemNames {
            lists: lists.iter().map(|list| vec![None; list.items.len()]).collect(),
        });
        if names.count() < mappings {
            names.add_other_keys(lists, keys);
        }
        names
    }

    /// Returns true if all items of all lists have names.
    pub(crate) fn are_complete(&self) -> bool {
        self.lists.iter().flatten().all(Option::is_some)
    }

    fn by(key: &Cow<'a, str>, lists: &[ListVersion<'a, '_>]) -> ItemNames<'a> {
        let all = named_all(key, lists);
        let holders: Vec<Holders<'_>> = all.iter().map(|it| Holders::new(it)).collect();
        let lists = all.iter().map(|names| {
            let names = names.iter().cloned();
            names.map(|name| name.filter(|it| are_single(&holders, it))).collect()
        });
        ItemNames { lists: lists.collect() }
    }

    fn count(&self) -> usize {
        self.lists.iter().flatten().flatten().count()
    }

    /// Names the items that have no name yet by the first key that can.
    fn add_other_keys(&mut self, lists: &[ListVersion<'a, '_>], keys: KeySet) {
        let more = if keys == KeySet::Likely { LIKELY_KEYS } else { &[] };
        let mut added = Vec::new();
        for key in NAME_KEYS.iter().chain(more) {
            let names = named_all(&Cow::Borrowed(*key), lists);
            let holders: Vec<Holders<'_>> =
                names.iter().map(|it| Holders::new(it)).collect();
            for (list, names) in names.iter().enumerate() {
                for (at, name) in names.iter().enumerate() {
                    let name = name.as_ref().filter(|name| are_single(&holders, name));
                    if let (None, Some(name)) = (&self.lists[list][at], name) {
                        let others = holders.iter().enumerate();
                        let others = others.filter(|(other, _)| *other != list);
                        let same = others
                            .filter_map(|(other, it)| Some((other, it.item(name)?)))
                            .collect();
                        added.push(AddedName { list, at, same });
                        self.lists[list][at] = Some(name.clone());
                    }
                }
            }
        }
        // The same entry must not be the name of one item and a detail of another: while
        // the list is changed, two items could have it.
        added.retain(|AddedName { list, at, same }| {
            let here = self.identity(*list, *at);
            same.iter().any(|&(list, at)| self.identity(list, at) != here)
        });
        for AddedName { list, at, .. } in added {
            self.lists[list][at] = None;
        }
    }

    fn identity(&self, list: usize, at: usize) -> Option<NameIdentity<'_>> {
        self.lists[list][at].as_ref().map(ItemName::identity)
    }
}

/// A name that an item got from another key than most.
struct AddedName {
    list: usize,
    at: usize,
    /// The items of other lists with the same entry.
    same: Vec<(usize, usize)>,
}

impl<'a, 'l> ListVersion<'a, 'l> {
    fn mappings(self) -> impl Iterator<Item = NodeId> + 'l
    where
        'a: 'l,
    {
        let document = self.document;
        let items = self.items.iter().copied();
        items.filter(move |&item| document.kind(item) == Kind::Mapping)
    }
}

/// Returns the key of [`NAME_KEYS`] whose values tell all items of all lists apart.
pub(crate) fn naming_key(lists: &[ListVersion<'_, '_>]) -> Option<&'static str> {
    NAME_KEYS.into_iter().find(|key| {
        let names = ItemNames::by(&Cow::Borrowed(*key), lists);
        names.count() > 0 && names.are_complete()
    })
}

/// Keys that name an item, beside the usual ones: steps of pipelines and of workflows,
/// tasks, and places of things.
const LIKELY_KEYS: &[&str] = &[
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
// Each key takes a pass over all lists. Names come first in practice.
const MAX_TRIED_KEYS: usize = 16;

/// The items of a list by one of their entries.
struct Holders<'n>(HashMap<NameIdentity<'n>, Holder>);

/// The first item with an entry, and the number of items that have it.
struct Holder {
    first: usize,
    count: u32,
}

impl<'n> Holders<'n> {
    fn new(names: &'n [Option<ItemName<'_>>]) -> Holders<'n> {
        let mut holders = HashMap::new();
        for (at, name) in names.iter().enumerate() {
            if let Some(name) = name {
                let holder = holders.entry(name.identity());
                holder.or_insert(Holder { first: at, count: 0 }).count += 1;
            }
        }
        Holders(holders)
    }

    /// Returns the position of the first item with this entry.
    fn item(&self, name: &ItemName<'_>) -> Option<usize> {
        self.0.get(&name.identity()).map(|holder| holder.first)
    }
}

/// Returns true if at most one item of each list has an entry.
fn are_single(lists: &[Holders<'_>], name: &ItemName<'_>) -> bool {
    let name = name.identity();
    lists.iter().all(|list| list.0.get(&name).is_none_or(|holder| holder.count == 1))
}

fn named_all<'a>(
    key: &Cow<'a, str>,
    lists: &[ListVersion<'a, '_>],
) -> Vec<Vec<Option<ItemName<'a>>>> {
    let names = lists.iter().map(|list| {
        list.items.iter().map(|&item| named_by(list.document, item, key)).collect()
    });
    names.collect()
}

/// Returns the entry of an item with this key, if it can be a name: a scalar, of a key that is
/// not a usual one a string.
fn named_by<'a>(
    document: &'a Tree,
    item: NodeId,
    key: &Cow<'a, str>,
) -> Option<ItemName<'a>> {
    let node = document.get(item, key)?;
    if document.kind(node) != Kind::Scalar {
        return None;
    }
    let value = Meaning::of(document, node).identity;
    let is_plain = match &value {
        Identity::String(text) => is_plain_name(document, node, text),
        _ if NAME_KEYS.contains(&&**key) => false,
        _ => return None,
    };
    Some(ItemName { key: key.clone(), node, value, is_plain })
}

fn is_plain_name(document: &Tree, node: NodeId, text: &str) -> bool {
    // A plain string such as `yes` is a boolean in another dialect.
    let is_bare = match document.follow(node) {
        NodeId::Clean(file, i) => document.arena(file).style(i) == Style::Plain,
        NodeId::Opened(_) => false,
    };
    text.len() <= MAX_NAME_LEN
        && !text.contains(char::is_control)
        && (!is_bare || is_plain(text, Context::Block))
}

/// Returns the keys of the first mapping that may name items and be used in a token, beside
/// the usual ones.
fn likely_keys<'a>(lists: &[ListVersion<'a, '_>]) -> Vec<Cow<'a, str>> {
    let first =
        lists.iter().find_map(|list| Some((list.document, list.mappings().next()?)));
    let Some((document, item)) = first else { return Vec::new() };
    let mut keys = Vec::new();
    for (at, (key, value)) in
        document.pairs(item).into_iter().take(MAX_TRIED_KEYS).enumerate()
    {
        let (Scalar::String(key), Scalar::String(value)) =
            (document.scalar(key), document.scalar(value))
        else {
            continue;
        };
        let is_name = looks_like_name(&key) || at == 0 && !is_quantity(&value);
        if is_name && !key.contains('=') && !NAME_KEYS.contains(&&*key) {
            keys.push(key);
        }
    }
    keys
}

/// Returns true for `resource_name`, `instanceId`, `path` and the like.
fn looks_like_name(key: &str) -> bool {
    let ends = ["name", "Name", "_id", "-id", "Id", "ID", "_key", "-key", "Key", "path"];
    LIKELY_KEYS.contains(&key)
        || PLACE_KEYS.contains(&key)
        || ends.iter().any(|end| key.ends_with(end))
}

/// Returns true for `4h`, `512Mi`, `1h30m`, `50%` and the like: many items may have the
/// same. An address or a version has more points.
fn is_quantity(text: &str) -> bool {
    let number = text.trim_start_matches(['-', '+']);
    let letters = number.split(|c: char| !c.is_ascii_alphabetic()).map(str::len);
    number.starts_with(|c: char| c.is_ascii_digit())
        && number.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '%'))
        && number.matches('.').count() < 2
        && letters.max() <= Some(3)
}
