//! Look-ups: the children of a collection by key, name, index, path or value, and the
//! comparison of values.

use std::borrow::Cow;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use super::index::{ItemIndex, KeyDigests, KeyIndex, MatchIndex};
use super::opened::Kind;
use super::path::Step;
use super::slots::{NodeId, SlotId};
use super::tree::Tree;
use crate::arena::{Arena, Index, Style, flag};
use crate::pointer::Pointer;
use crate::scalar::{Context, Dialect, Identity, Scalar, spell};

/// Maximum number of keys that are compared one by one; more are sorted.
// Nearly all mappings that people write have fewer, and their texts fit the stack.
const MAX_COMPARED_KEYS: usize = 24;

/// Length of the longest word that is no text, such as `false`.
const LONGEST_WORD: usize = 5;

/// Reads a scalar of a tree.
type ReadScalar = for<'a> fn(&'a Tree, NodeId) -> Scalar<'a>;

/// The entries of a mapping whose keys are scalars, and the others.
struct Partition {
    scalars: Vec<(NodeId, NodeId)>,
    others: Vec<(NodeId, NodeId)>,
}

/// Returns true for a plain key that no dialect takes for anything but its text.
fn is_surely_text(arena: &Arena, key: Index, raw: &str) -> bool {
    let special = flag::MULTILINE | flag::MERGE_KEY | flag::PROPS | flag::COOKED;
    arena.style(key) == Style::Plain
        && !arena.has(key, special)
        && raw.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
        && (raw.len() > LONGEST_WORD
            || matches!(Scalar::plain(raw, arena.dialect()), Scalar::String(_)))
}

impl Tree {
    /// Adds the children of a collection to `children`: items, or effective entries.
    pub(crate) fn children_of(&self, node: NodeId, children: &mut Vec<(Step, NodeId)>) {
        let node = self.follow(node);
        if self.kind(node) == Kind::Mapping {
            if let NodeId::Clean(file, i) = node
                && self.add_distinct_entries(self.arena(file), i, children)
            {
                return;
            }
            let entries = self.pairs(node).into_iter();
            children.extend(entries.map(|(key, value)| (Step::Key(key), value)));
        } else if let NodeId::Clean(file, i) = node {
            let items = (0..).zip(self.arena(file).children(i));
            children.extend(
                items.map(|(at, item)| (Step::Index(at), NodeId::Clean(file, item))),
            );
        } else {
            let items = (0..).zip(self.items(node));
            children.extend(items.map(|(at, item)| (Step::Index(at), item)));
        }
    }

    /// Returns the node to which a path leads from another one.
    pub(crate) fn at_path(&self, from: NodeId, path: &[Step]) -> Option<NodeId> {
        path.iter().try_fold(from, |node, step| match *step {
            Step::Index(index) => self.items(node).get(index as usize).copied(),
            Step::Key(key) => {
                let mut pairs = self.pairs(node).into_iter();
                pairs.find(|pair| self.is_same_key(pair.0, key)).map(|pair| pair.1)
            }
        })
    }

    /// Returns a path as people read it.
    pub(crate) fn shown_path(&self, path: &[Step]) -> String {
        let token = |step: &Step| match *step {
            Step::Index(index) => format!("/{index}"),
            Step::Key(key) if self.is_hidden(key) => "/***".to_owned(),
            Step::Key(key) => {
                format!(
                    "/{}",
                    Pointer::escape(&self.member_name(key).unwrap_or_default())
                )
            }
        };
        path.iter().map(token).collect()
    }

    /// Returns the item at an index, from the end if it is negative, with its position; and
    /// the number of items that were passed to find it.
    pub(crate) fn item_at(
        &self,
        node: NodeId,
        index: i64,
    ) -> (Option<(u32, NodeId)>, usize) {
        let node = self.follow(node);
        if self.kind(node) != Kind::Sequence {
            return (None, 0);
        }
        let position = |count: usize| {
            let from_start = if index < 0 { index + count as i64 } else { index };
            usize::try_from(from_start).ok()
        };
        match node {
            NodeId::Clean(file, list) => {
                let arena = self.arena(file);
                let count = if index < 0 { arena.children(list).count() } else { 0 };
                let Some(place) = position(count) else { return (None, count) };
                let mut items = (0..).zip(arena.children(list));
                let mut passed = count;
                let item = items.by_ref().inspect(|_| passed += 1).nth(place);
                (item.map(|(at, item)| (at, NodeId::Clean(file, item))), passed)
            }
            NodeId::Opened(id) => {
                let slots = self.children(id);
                let place = position(slots.len());
                let at = place.and_then(|place| Some((place, slots.at(place)?)));
                (at.map(|(place, at)| (place as u32, slots.get(at).value)), 1)
            }
        }
    }

    /// Returns the number of entries that are read to find one by its name.
    pub(crate) fn entries_to_read(&self, node: NodeId) -> usize {
        let node = self.follow(node);
        if self.kind(node) != Kind::Mapping {
            return 0;
        }
        match node {
            _ if self.has_any_merge(node) => {
                let (pairs, overridden) = self.effective_pairs(node);
                pairs.len() + overridden
            }
            NodeId::Clean(file, i) => self.arena(file).entries(i).count(),
            NodeId::Opened(id) => self.children(id).len(),
        }
    }

    /// Returns the number of entries of all written mappings with `<<`, those that it provides
    /// included, or a larger one than `limit` if there are more.
    pub(crate) fn merged_entries(&self, limit: usize) -> usize {
        let arena = self.base();
        let mut count = 0;
        for i in arena.indices() {
            if !self.has_written_merge(arena.file(), i) {
                continue;
            }
            let (pairs, passed) = self.effective_pairs(NodeId::Clean(arena.file(), i));
            count += pairs.len() + passed;
            if count > limit {
                break;
            }
        }
        count
    }

    /// Adds the entries of a written mapping, and returns true, if it has few of them and
    /// their texts tell that no two keys are the same and none is `<<`.
    // Nearly all mappings are like this, and no key has to be read.
    fn add_distinct_entries(
        &self,
        arena: &Arena,
        i: Index,
        children: &mut Vec<(Step, NodeId)>,
    ) -> bool {
        let mut texts: [&str; MAX_COMPARED_KEYS] = [""; MAX_COMPARED_KEYS];
        let start = children.len();
        for (at, (key, value)) in arena.entries(i).enumerate() {
            let raw = arena.raw(key);
            let is_distinct = at < MAX_COMPARED_KEYS
                && is_surely_text(arena, key, raw)
                && !texts[..at].contains(&raw);
            if !is_distinct {
                children.truncate(start);
                return false;
            }
            texts[at] = raw;
            let key = NodeId::Clean(arena.file(), key);
            children.push((Step::Key(key), NodeId::Clean(arena.file(), value)));
        }
        true
    }

    /// Returns a value that is null, of an entry of a mapping or of one in it. Lists are not
    /// looked into, nor mappings that were met before.
    pub(crate) fn null_entry(
        &self,
        mapping: NodeId,
        met: &mut HashSet<NodeId>,
    ) -> Option<NodeId> {
        let mut todo = vec![mapping];
        while let Some(node) = todo.pop() {
            if self.kind(node) != Kind::Mapping || !met.insert(self.follow(node)) {
                continue;
            }
            for (_, value) in self.pairs(node) {
                if self.is_null(value) {
                    return Some(value);
                }
                todo.push(value);
            }
        }
        None
    }

    /// Returns the effective entry of a mapping whose key has this text, else the one whose key
    /// JSON prints so: the key and the value.
    pub(crate) fn member(&self, node: NodeId, name: &str) -> Option<(NodeId, NodeId)> {
        if let Some(slot) = self.find_slot(node, name) {
            return Some((slot.key?, slot.value));
        }
        let pairs = self.pairs(node);
        let mut last_first = pairs.iter().rev().copied();
        last_first.find(|&(key, _)| self.is_member_name(key, name)).or_else(|| {
            let mut last_first = pairs.iter().rev().copied();
            let is_other = self.names_other_keys();
            last_first.find(|&(key, _)| is_other && self.is_printed_name(key, name))
        })
    }

    /// Returns the value of each entry of a mapping by the text of its key: the one that
    /// `member` finds. `None` for a mapping with `<<`, which can have any number of entries.
    pub(crate) fn members(&self, node: NodeId) -> Option<HashMap<String, NodeId>> {
        if self.has_any_merge(node) {
            return None;
        }
        let named = |(key, value)| {
            let is_text = self.string(key).is_some();
            Some((self.member_name(key)?.into_owned(), is_text, value))
        };
        let (texts, others): (Vec<_>, Vec<_>) =
            self.pairs(node).into_iter().filter_map(named).partition(|it| it.1);
        // The last one counts, and a text before all others.
        Some(
            others
                .into_iter()
                .chain(texts)
                .map(|(name, _, value)| (name, value))
                .collect(),
        )
    }

    /// Returns true if the text of a key that is no string, such as `200`, names it in a path.
    // In bosh no path leads to such a key.
    pub(crate) fn names_other_keys(&self) -> bool {
        self.dialect() != Dialect::Go
    }

    /// Returns true if a mapping has a `<<`.
    pub(crate) fn has_any_merge(&self, node: NodeId) -> bool {
        match self.follow(node) {
            NodeId::Clean(file, i) => self.has_written_merge(file, i),
            NodeId::Opened(id) => self.has_merges(id),
        }
    }

    /// Returns true if a key has this text.
    pub(crate) fn is_member_name(&self, key: NodeId, name: &str) -> bool {
        // Most keys are plain and on one line: their bytes are their text.
        if let NodeId::Clean(file, i) = key {
            let arena = self.arena(file);
            let special = flag::MULTILINE | flag::COOKED;
            if arena.style(i) == Style::Plain && !arena.has(i, special) {
                return arena.raw(i) == name;
            }
        }
        self.member_name(key).is_some_and(|found| found == name)
    }

    /// Returns the name with which a scalar key that is no string is printed in JSON: `16` for
    /// `0x10`, `null` for `~`.
    pub(crate) fn printed_name(&self, key: NodeId) -> Option<String> {
        let scalar = (self.kind(key) == Kind::Scalar).then(|| self.scalar(key));
        match scalar? {
            Scalar::String(_) | Scalar::Binary(_) => None,
            other => Some(spell(&other, Context::Block)),
        }
    }

    /// Returns the name with which a key is printed in JSON; `None` for a collection and for bytes.
    pub(crate) fn json_name(&self, key: NodeId) -> Option<Cow<'_, str>> {
        self.printed_name(key).map(Cow::from).or_else(|| self.string(key))
    }

    /// Returns true if a key is no string, and a path leads to it by this name.
    pub(crate) fn is_other_key(&self, key: NodeId, name: &str) -> bool {
        self.string(key).is_none()
            && (self.is_member_name(key, name) || self.is_printed_name(key, name))
    }

    /// Returns true if a key that is no string is printed in JSON with this name.
    fn is_printed_name(&self, key: NodeId, name: &str) -> bool {
        !self.is_nameless(key) && self.printed_name(key).is_some_and(|it| it == name)
    }

    /// Returns the name that a key has as a member of a JSON object: its text. A key that
    /// is a collection has none.
    pub fn member_name(&self, key: NodeId) -> Option<Cow<'_, str>> {
        let is_scalar = self.kind(key) == Kind::Scalar;
        is_scalar.then(|| match (self.scalar_as_written(key), self.follow(key)) {
            (Scalar::String(text), _) => text,
            (_, NodeId::Clean(..)) => self.text_of(key),
            (Scalar::Bool(value), _) => value.to_string().into(),
            (Scalar::Int(number), _) => number.to_string().into(),
            (Scalar::Big(number), _) => number.to_string().into(),
            (Scalar::Float(number), _) => number.to_string().into(),
            (Scalar::Null | Scalar::Binary(_), _) => "".into(),
        })
    }
}

// Look-ups in opened collections.
impl Tree {
    /// Returns the last own slot of opened mapping `id` with the string key `key`.
    pub(crate) fn find_key(&mut self, id: u32, key: &str) -> Option<SlotId> {
        let lookup = &mut self.opened[id].lookup;
        if let Some(keys) = &lookup.keys {
            return keys.get(key);
        }
        // Most mappings are searched once, and then reading their keys is cheaper than
        // indexing them.
        if std::mem::replace(&mut lookup.searched, true) {
            let keys = self.index_keys(id);
            let found = keys.get(key);
            self.opened[id].lookup.keys = Some(keys);
            return found;
        }
        self.slots_with(id, |k| self.is_named(k, key)).last()
    }

    /// Returns the own slot of opened mapping `id` that counts for a key which is no string and
    /// has this text, or is printed so in JSON: of equal keys, such as `1` and `0x1`, the last
    /// one.
    pub(crate) fn find_other_key(&self, id: u32, name: &str) -> Option<SlotId> {
        let slots = self.children(id);
        let named = match &self.opened[id].lookup.keys {
            Some(keys) => keys.other(name, |at| slots.holds(at)),
            None => {
                let is_named =
                    |key| self.is_member_name(key, name) && self.string(key).is_none();
                let spelled = self.slots_with(id, is_named).last();
                spelled.or_else(|| {
                    self.slots_with(id, |key| self.is_printed_name(key, name)).last()
                })
            }
        };
        let key = slots.get(named?).key?;
        if self.is_alone(id, key) {
            return named;
        }
        self.slots_with(id, |other| self.is_same_key(other, key)).last()
    }

    /// Returns the slot of opened mapping `id` with this very key, which is no string, if an
    /// index tells it. The second search builds the index.
    pub(super) fn indexed_other(&mut self, id: u32, key: NodeId) -> Option<SlotId> {
        let lookup = &mut self.opened[id].lookup;
        if std::mem::replace(&mut lookup.searched, true) && lookup.keys.is_none() {
            let keys = self.index_keys(id);
            self.opened[id].lookup.keys = Some(keys);
        }
        let keys = self.opened[id].lookup.keys.as_ref()?;
        let slots = self.children(id);
        let at = *keys.others.get(&*self.member_name(key)?)?;
        (slots.holds(at) && slots.get(at).key == Some(key)).then_some(at)
    }

    /// Returns the slots of opened mapping `id` whose keys satisfy `is`.
    pub(super) fn slots_with(
        &self,
        id: u32,
        is: impl Fn(NodeId) -> bool,
    ) -> impl Iterator<Item = SlotId> {
        let slots = self.children(id);
        slots.ids().filter(move |&at| slots.get(at).key.is_some_and(&is))
    }

    /// Returns the keys that a path may lead to in opened mapping `id`, sorted by their bytes;
    /// instead of a hidden one, `hidden`. Many ops may fail at one mapping: they are kept.
    pub(crate) fn sorted_keys(&mut self, id: u32, hidden: &str) -> Arc<Vec<String>> {
        let has_merges = self.has_merges(id);
        let kept = self.opened[id].lookup.names.clone();
        if let Some(names) = kept.filter(|_| !has_merges) {
            return names;
        }
        let mut names = Vec::new();
        for (key, _) in self.pairs(NodeId::Opened(id)) {
            let name = if self.names_other_keys() {
                self.member_name(key)
            } else {
                self.string(key)
            };
            if self.is_hidden(key) {
                names.push(hidden.to_owned());
            } else {
                names.extend(name.map(Cow::into_owned));
            }
        }
        names.sort_unstable();
        let names = Arc::new(names);
        self.opened[id].lookup.names = Some(names.clone());
        names
    }

    fn index_keys(&self, id: u32) -> KeyIndex {
        let mut keys = KeyIndex::default();
        let slots = self.children(id);
        for at in slots.ids() {
            if let Some(key) = slots.get(at).key {
                self.index_key(&mut keys, key, at);
            }
        }
        keys
    }

    /// Adds the key of an entry behind all others to an index.
    pub(super) fn index_key(&self, keys: &mut KeyIndex, key: NodeId, at: SlotId) {
        if let Some(text) = self.string(key).filter(|_| !self.is_nameless(key)) {
            return keys.insert(text.into(), at);
        }
        keys.has_others = true;
        let digest = self.identity(key).map(|identity| identity.digest());
        keys.has_equal_others |= !keys.digests.insert(digest.unwrap_or_default());
        let other = self.member_name(key).filter(|_| !self.is_nameless(key));
        keys.others.extend(other.map(|name| (name.into(), at)));
        let printed = self.printed_name(key).filter(|_| !self.is_nameless(key));
        keys.printed.extend(printed.map(|name| (name.into(), at)));
    }

    /// Returns true if an index knows that opened mapping `id` has no key that equals a scalar
    /// that is no string.
    pub(super) fn lacks_other(&self, id: u32, key: NodeId) -> bool {
        let keys = self.opened[id].lookup.keys.as_ref();
        let digest = self.identity(key).map(|identity| identity.digest());
        keys.zip(digest).is_some_and(|(keys, digest)| !keys.digests.contains(&digest))
    }

    /// Returns true if all keys of opened mapping `id` are known to be strings, and none of
    /// them is `<<`.
    pub(crate) fn has_only_strings(&self, id: u32) -> bool {
        let keys = self.opened[id].lookup.keys.as_ref();
        keys.is_some_and(|keys| !keys.has_others) && !self.has_merges(id)
    }

    pub(crate) fn key_digests(&self, id: u32) -> KeyDigests {
        let mut digests = KeyDigests::default();
        let slots = self.children(id);
        for at in slots.ids() {
            let key = slots.get(at).key.and_then(|key| self.identity_as_written(key));
            if let Some(key) = key {
                digests.of(key.digest()).push(at);
            }
        }
        digests
    }

    /// Returns the mappings in sequence `id` with the string `value` at `key`, in order.
    pub(crate) fn find_matches(
        &mut self,
        id: u32,
        key: &str,
        value: &str,
    ) -> Vec<SlotId> {
        let mut index = self.match_index(id, key);
        for at in std::mem::take(&mut index.stale) {
            self.index_item(id, at, &mut index);
        }
        let slots = self.children(id);
        let mut found = index.find(value, |at| {
            let item = slots.holds(at).then(|| slots.get(at).value)?;
            self.string(self.get(item, key)?)
        });
        found.sort_by_cached_key(|&at| slots.position(at));
        self.opened[id].lookup.matches.push(index);
        found
    }

    fn match_index(&mut self, id: u32, key: &str) -> MatchIndex {
        if let Some(index) = self.opened[id].lookup.take_match(key) {
            return index;
        }
        let slots = self.children(id);
        let mut index = MatchIndex::new(key, slots.len());
        for at in slots.ids() {
            self.index_item(id, at, &mut index);
        }
        index
    }

    fn index_item(&self, id: u32, at: SlotId, index: &mut MatchIndex) {
        let slots = self.children(id);
        if !slots.holds(at) {
            return;
        }
        let part = self.get(slots.get(at).value, &index.key);
        if let Some(value) = part.and_then(|part| self.string(part)) {
            index.insert(&value, at);
        }
    }

    /// Returns true if opened sequence `id` has an item that equals a node, as
    /// [`equal`](Tree::equal) has it.
    pub(crate) fn has_item(&mut self, id: u32, value: NodeId) -> bool {
        let has_followed = self.aliases_have_followed();
        let lookup = &mut self.opened[id].lookup;
        // Aliases that follow change items that no index hears of.
        if !std::mem::replace(&mut lookup.searched, true) || has_followed {
            let mut slots = self.children(id).iter();
            return slots.any(|slot| self.equal(slot.value, value));
        }
        let index = lookup.items.take();
        let mut index = index.unwrap_or_else(|| ItemIndex {
            stale: self.children(id).ids().collect(),
            ..ItemIndex::default()
        });
        let slots = self.children(id);
        for at in std::mem::take(&mut index.stale) {
            if slots.holds(at) {
                let digest = self.item_digest(slots.get(at).value, Tree::scalar);
                index.items.entry(digest).or_default().push(at);
            }
        }
        let digest = self.item_digest(value, Tree::scalar_as_written);
        let alike = index.items.get(&digest).into_iter().flatten();
        let mut alike = alike.filter(|&&at| slots.holds(at));
        let found = alike.any(|&at| self.equal(slots.get(at).value, value));
        self.opened[id].lookup.items = Some(index);
        found
    }

    /// Returns a digest that equal items have in common: that of a scalar, or those of the
    /// scalars at the string keys of a mapping.
    fn item_digest(&self, item: NodeId, read: ReadScalar) -> u64 {
        match self.kind(item) {
            Kind::Scalar => self.scalar_digest(item, read),
            Kind::Sequence => 1,
            Kind::Mapping => {
                let mut digest = 2_u64;
                for (key, value) in self.pairs(item) {
                    if self.kind(value) == Kind::Scalar
                        && let Some(key) = self.string(key)
                    {
                        let key = Scalar::String(key).identity().digest();
                        let entry = key.rotate_left(1) ^ self.scalar_digest(value, read);
                        // The order of keys does not count.
                        digest = digest.wrapping_add(entry);
                    }
                }
                digest
            }
        }
    }

    fn scalar_digest(&self, node: NodeId, read: ReadScalar) -> u64 {
        match read(self, node) {
            // Equal numbers may differ in their sign, as 0.0 and -0.0 do.
            Scalar::Float(_) => 0,
            scalar => scalar.identity().digest(),
        }
    }
}

// Comparing.
impl Tree {
    /// Returns true if `found` equals `expected` as Go's `reflect.DeepEqual` has it:
    /// types count, order of keys and spelling do not. `expected` is read as its own text
    /// has it.
    pub fn equal(&self, found: NodeId, expected: NodeId) -> bool {
        let mut todo = vec![(found, expected)];
        // Nested aliases let a small text contain exponentially many equal pairs.
        let mut compared = HashSet::new();
        while let Some((found, expected)) = todo.pop() {
            let found = self.follow(found);
            let expected = self.follow(expected);
            let kind = self.kind(found);
            if kind != self.kind(expected) {
                return false;
            }
            if kind != Kind::Scalar && !compared.insert((found, expected)) {
                continue;
            }
            let same = match kind {
                Kind::Scalar => self.scalar(found) == self.scalar_as_written(expected),
                Kind::Sequence => self.zip_items(found, expected, &mut todo),
                Kind::Mapping => self.zip_entries(found, expected, &mut todo),
            };
            if !same {
                return false;
            }
        }
        true
    }

    fn zip_items(&self, a: NodeId, b: NodeId, todo: &mut Vec<(NodeId, NodeId)>) -> bool {
        let a = self.items(a);
        let b = self.items(b);
        let same = a.len() == b.len();
        todo.extend(a.into_iter().zip(b));
        same
    }

    fn zip_entries(
        &self,
        a: NodeId,
        b: NodeId,
        todo: &mut Vec<(NodeId, NodeId)>,
    ) -> bool {
        let a = self.partitioned(a);
        let b = self.partitioned(b);
        let same = a.scalars.len() == b.scalars.len() && a.others.len() == b.others.len();
        // Entries with collections for keys have to be in the same order.
        let both = a.others.into_iter().zip(b.others);
        todo.extend(both.flat_map(|((k, v), (l, w))| [(k, l), (v, w)]));
        let values: HashMap<Identity<'_>, NodeId> = a
            .scalars
            .into_iter()
            .map(|(key, value)| (self.scalar(key).identity(), value))
            .collect();
        same && b.scalars.into_iter().all(|(key, value)| {
            let found = values.get(&self.scalar_as_written(key).identity());
            todo.extend(found.map(|&found| (found, value)));
            found.is_some()
        })
    }

    /// Returns the effective entries of a mapping by the kind of their keys.
    fn partitioned(&self, mapping: NodeId) -> Partition {
        let pairs = self.pairs(mapping).into_iter();
        let (scalars, others) =
            pairs.partition(|&(key, _)| self.kind(key) == Kind::Scalar);
        Partition { scalars, others }
    }

    /// Returns true if two keys are the same key.
    pub fn is_same_key(&self, a: NodeId, b: NodeId) -> bool {
        match (self.identity(a), self.identity(b)) {
            (Some(a), Some(b)) => a == b,
            (None, None) => self.follow(a) == self.follow(b) || self.equal(a, b),
            _ => false,
        }
    }

    /// The identity of a scalar key in its own text; `None` for a collection.
    pub(super) fn identity_as_written(&self, key: NodeId) -> Option<Identity<'_>> {
        let is_scalar = self.kind(key) == Kind::Scalar;
        is_scalar.then(|| self.scalar_as_written(key).identity())
    }

    /// The identity of a scalar key; `None` for a collection.
    pub fn identity(&self, key: NodeId) -> Option<Identity<'_>> {
        (self.kind(key) == Kind::Scalar).then(|| self.scalar(key).identity())
    }
}
