//! Comparison of a document with its edited copy: pairs of list items, renamed keys, and
//! paths that lead to the same value in both.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use hashbrown::HashMap;

use super::layers::LayeredValues;
use super::written::ChildIndex;
use crate::compare::{
    EntryKey, ListPart, MappingEntry, NewPosition, RenamedKeys, pair_similar,
};
use crate::node::{Kind, NodeId, Step, Tree};
use crate::scalar::Identity;

/// The values of an expansion and of the edited copy, with the pairs between them. Each
/// pair of collections is compared once.
pub(super) struct Comparer<'a> {
    values: LayeredValues<'a>,
    /// The tree of the text of the document.
    pub written: ChildIndex<'a>,
    renames: HashMap<(NodeId, NodeId), Rc<RenamedKeys<'a>>>,
    moves: HashMap<(NodeId, NodeId), ItemMoves>,
    items: HashMap<NodeId, Rc<[NodeId]>>,
}

/// The new index of each item of a list; `None` if it is gone.
type ItemMoves = Rc<[Option<usize>]>;

/// The values are compared without regard to pairs.
impl<'a> Deref for Comparer<'a> {
    type Target = LayeredValues<'a>;

    fn deref(&self) -> &LayeredValues<'a> {
        &self.values
    }
}

impl DerefMut for Comparer<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.values
    }
}

impl<'a> Comparer<'a> {
    /// Prepares a comparison. If tags count, values with different ones differ.
    pub(super) fn new(document: &'a Tree, tags_count: bool) -> Comparer<'a> {
        Comparer {
            values: LayeredValues::new(document, tags_count),
            written: ChildIndex::new(document.base()),
            renames: HashMap::new(),
            moves: HashMap::new(),
            items: HashMap::new(),
        }
    }

    /// Returns the position of each part of a list in the new one.
    pub(super) fn pair(
        &mut self,
        old: &[&ListPart],
        new: &[NodeId],
    ) -> Vec<Option<NewPosition>> {
        pair_similar(&mut self.values.values, old, new)
    }

    fn item(&mut self, list: NodeId, index: usize) -> Option<NodeId> {
        let document = self.document;
        let list = document.follow(list);
        let items = self.items.entry(list);
        items.or_insert_with(|| document.items(list).into()).get(index).copied()
    }

    fn item_moves(&mut self, view: NodeId, edited: NodeId) -> ItemMoves {
        let document = self.document;
        let lists = (document.follow(view), document.follow(edited));
        if let Some(known) = self.moves.get(&lists) {
            return known.clone();
        }
        let items = document.items(view);
        let places: ItemMoves = if self.equal(view, edited) {
            (0..items.len()).map(Some).collect()
        } else {
            let old = |item| ListPart {
                view: Some(item),
                gives: vec![item],
                splice: false,
                site: false,
            };
            let old: Vec<ListPart> = items.into_iter().map(old).collect();
            let old: Vec<&ListPart> = old.iter().collect();
            let pairs = self.pair(&old, &document.items(edited));
            pairs.into_iter().map(|new| new.map(|new| new.at)).collect()
        };
        self.moves.insert(lists, places.clone());
        places
    }

    /// Returns the entry that a removed key was renamed to, if it is unambiguous.
    fn renamed(
        &mut self,
        (view, edited): (NodeId, NodeId),
        key: &EntryKey<'a>,
    ) -> Option<MappingEntry<'a>> {
        self.renamed_keys(view, edited).get(key).cloned()
    }

    /// Returns the entry whose value is similar to that of a removed key.
    pub(super) fn renamed_and_changed(
        &mut self,
        (view, edited): (NodeId, NodeId),
        key: &EntryKey<'a>,
    ) -> Option<MappingEntry<'a>> {
        self.renamed_keys(view, edited).get_similar(key).cloned()
    }

    fn renamed_keys(&mut self, view: NodeId, edited: NodeId) -> Rc<RenamedKeys<'a>> {
        let pair = (self.document.follow(view), self.document.follow(edited));
        if let Some(known) = self.renames.get(&pair) {
            return known.clone();
        }
        let renames = RenamedKeys::find(&mut self.values.values, view, edited);
        let renames = Rc::new(renames);
        self.renames.insert(pair, renames.clone());
        renames
    }

    /// Resolves a pointer before and after the edit. Its tokens are replaced by those
    /// that lead to the same value after the edit.
    pub(super) fn resolve_pointer(
        &mut self,
        from: Change,
        pointer: &mut [String],
    ) -> Change {
        let mut both = from;
        for token in pointer {
            let view = both.was.and_then(|view| self.token(view, token));
            let after = self.token_after_edit(both, view, token);
            let edited = both.now.zip(after.as_deref());
            let edited = edited.and_then(|(edited, token)| self.token(edited, token));
            if let Some(after) = after.filter(|_| edited.is_some()) {
                *token = after;
            }
            both = Change { was: view, now: edited };
        }
        both
    }

    /// Returns the token that a token is replaced by; `None` if the value is gone.
    fn token_after_edit(
        &mut self,
        from: Change,
        was: Option<NodeId>,
        token: &str,
    ) -> Option<String> {
        if let (Some(view), Some(edited), Some(_)) = (from.was, from.now, was) {
            if let Some(index) = self.index(view, token) {
                return self.index_after_edit(from, index).map(|index| index.to_string());
            }
            if self.token(edited, token).is_none() {
                let key =
                    EntryKey::Scalar(Identity::String(Cow::Owned(token.to_owned())));
                return match self.renamed((view, edited), &key)?.key {
                    EntryKey::Scalar(Identity::String(name)) => Some(name.into_owned()),
                    _ => None,
                };
            }
        }
        Some(token.to_owned())
    }

    /// Resolves a path of the source that ends in `pointer`. Returns the start and the
    /// end of the pointer, whose tokens become those after the edit.
    pub(super) fn resolve_path(
        &mut self,
        roots: Change,
        path: &[Step],
        pointer: &mut Vec<String>,
    ) -> (Change, Change) {
        let ancestors = self.trace_path(path, roots);
        let start = ancestors[ancestors.len().saturating_sub(pointer.len() + 1)].change;
        let end = ancestors[ancestors.len() - 1].change;
        let mut after = pointer.clone();
        if self.resolve_pointer(start, &mut after) == end {
            *pointer = after;
        }
        (start, end)
    }

    /// Returns the value at a pointer.
    pub(super) fn at(
        &mut self,
        from: Option<NodeId>,
        pointer: &[String],
    ) -> Option<NodeId> {
        let mut tokens = pointer.iter();
        tokens.try_fold(from?, |at, token| self.token(at, token))
    }

    fn token(&mut self, node: NodeId, token: &str) -> Option<NodeId> {
        match self.document.kind(node) {
            Kind::Scalar => None,
            Kind::Mapping => {
                let key = Identity::String(Cow::Owned(token.to_owned()));
                self.entries(node).get(&EntryKey::Scalar(key))
            }
            Kind::Sequence => {
                let index = self.index(node, token)?;
                self.item(node, index)
            }
        }
    }

    fn index(&self, list: NodeId, token: &str) -> Option<usize> {
        let plain = token.bytes().all(|b| b.is_ascii_digit());
        // RFC 6901: no leading zeros, no sign.
        let canonical = token == "0" || !token.starts_with('0');
        let list = self.document.kind(list) == Kind::Sequence;
        (list && plain && canonical).then(|| token.parse().ok())?
    }

    /// Returns the index of an item after the edit; `None` if it is gone.
    fn index_after_edit(&mut self, from: Change, index: usize) -> Option<usize> {
        let (Some(view), Some(edited)) = (from.was, from.now) else {
            return Some(index);
        };
        match [view, edited].map(|node| self.document.kind(node)) {
            [Kind::Sequence, Kind::Sequence] => {
                self.item_moves(view, edited).get(index).copied().unwrap_or(Some(index))
            }
            _ => Some(index),
        }
    }

    /// Returns the collections along a path of the source, before and after the edit.
    pub(super) fn trace_path(&mut self, path: &[Step], roots: Change) -> Vec<Ancestor> {
        let mut ancestors = vec![Ancestor { parent: None, change: roots }];
        for (around, step) in path.iter().enumerate() {
            let both = self.follow_step(ancestors[around].change, step);
            ancestors.push(Ancestor { parent: Some(around), change: both });
        }
        ancestors
    }

    fn follow_step(&mut self, from: Change, step: &Step) -> Change {
        match *step {
            Step::Index(index) => {
                let index = index as usize;
                let view = from.was.and_then(|list| self.item(list, index));
                let edited = from.now.zip(self.index_after_edit(from, index));
                let edited = edited.and_then(|(list, index)| self.item(list, index));
                Change { was: view, now: edited }
            }
            Step::Key(key) => {
                let key = self.key(key);
                let mut get = |node: Option<NodeId>| self.entries(node?).get(&key);
                let (view, edited) = (get(from.was), get(from.now));
                let renamed = match (view, edited, from) {
                    (Some(_), None, Change { was: Some(from), now: Some(to) }) => {
                        self.renamed((from, to), &key).map(|entry| entry.value)
                    }
                    _ => None,
                };
                Change { was: view, now: edited.or(renamed) }
            }
        }
    }
}

/// A collection around a node, with the index of the next one around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ancestor {
    pub parent: Option<usize>,
    pub change: Change,
}

/// A value in the expansion, and the same value in the edited copy. `N` is `NodeId` for a
/// value that the edited copy has for certain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Change<N = Option<NodeId>> {
    /// The value in the expansion; `None` if the edit added it.
    pub was: Option<NodeId>,
    /// The value in the edited copy; `None` if the edit removed it.
    pub now: N,
}

impl Change {
    /// A place that neither of the two has.
    pub(super) const NONE: Change = Change { was: None, now: None };
}
