//! The children of a collection as JSON has them: aliases and `<<` followed, each key once.

use std::borrow::Cow;

use hashbrown::{HashMap, HashSet};

use super::opened::Kind;
use super::path::Step;
use super::slots::NodeId;
use super::tree::Tree;
use crate::arena::{Arena, Index, Style, flag};
use crate::pointer::Pointer;
use crate::scalar::Scalar;

/// Maximum number of keys that are compared one by one; more are sorted.
// Nearly all mappings that people write have fewer, and their texts fit the stack.
const MAX_COMPARED_KEYS: usize = 24;

/// Length of the longest word that is no text, such as `false`.
const LONGEST_WORD: usize = 5;

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
        let merging = |&i: &Index| self.has_written_merge(arena.file(), i);
        for i in arena.indices().filter(merging) {
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

    /// Returns the effective entry of a mapping whose key has this text: the key and the
    /// value.
    pub(crate) fn member(&self, node: NodeId, name: &str) -> Option<(NodeId, NodeId)> {
        if let Some(slot) = self.find_slot(node, name) {
            return Some((slot.key?, slot.value));
        }
        let pairs = self.pairs(node);
        pairs.into_iter().rev().find(|&(key, _)| self.is_member_name(key, name))
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

    /// Returns true if a mapping has a `<<`.
    fn has_any_merge(&self, node: NodeId) -> bool {
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

    /// Returns the name that a key has as a member of a JSON object: its text. A key that
    /// is a collection has none.
    pub(crate) fn member_name(&self, key: NodeId) -> Option<Cow<'_, str>> {
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
