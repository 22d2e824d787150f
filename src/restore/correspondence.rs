//! The entries that a saved document, its expansion and the edited text have in common. The
//! expansion has the values of the edited text, so that keys and positions lead from one to
//! the other.

use std::collections::VecDeque;
use std::ops::Range;

use hashbrown::HashMap;

use super::expander::Expanded;
use super::written::ChildIndex;
use crate::arena::{Arena, Index, Style};
use crate::merge::Strategy;
use crate::node::{Kind, NodeId, Tree};
use crate::patch::Edit;
use crate::scalar::Identity;

/// The collections that the three texts have in common, the outer ones first, and their
/// entries.
#[derive(Default)]
pub(super) struct Correspondence {
    pub collections: Vec<MatchedCollection>,
    pub entries: Vec<MatchedEntry>,
}

/// A mapping or a list in the three texts.
pub(super) struct MatchedCollection {
    pub place: MatchedPlace,
    /// The node in the saved document; `None` if the collection is inherited.
    pub saved: Option<Index>,
    pub expanded: Index,
    pub edited: Index,
    /// The numbers of its entries, in the order of the expansion.
    pub entries: Range<usize>,
}

/// The place of a collection.
#[derive(Clone, Copy)]
pub(super) enum MatchedPlace {
    /// The root of a document, by its number.
    Root(usize),
    /// The value of an entry, by its number.
    Entry(usize),
}

/// An entry of a mapping, or an item of a list, in the three texts.
pub(super) struct MatchedEntry {
    /// The number of its collection.
    pub of: usize,
    /// The entry in the saved document; `None` if it is inherited.
    pub saved: Option<PlacedEntry>,
    pub expanded: PlacedEntry,
    pub edited: PlacedEntry,
}

/// An entry in one text: its key and its value, or twice the item.
#[derive(Clone, Copy)]
pub(super) struct PlacedEntry {
    /// Its position in its collection.
    pub position: usize,
    pub first: Index,
    pub value: Index,
}

impl Correspondence {
    /// Walks over the documents of `current`, of its expansion as it is printed and of the
    /// edited text.
    pub(super) fn find(
        current: &Expanded,
        expanded: &Arena,
        edited: &Arena,
    ) -> Correspondence {
        let saved = current.source.base();
        let given = edited.sections().len();
        let item_counts = item_counts(current, given);
        let found = Correspondence::default();
        let walk = MatchedWalk { saved, expanded, edited, item_counts, found };
        walk.run()
    }
}

struct MatchedWalk<'a> {
    saved: &'a Arena,
    expanded: &'a Arena,
    edited: &'a Arena,
    /// The number of items that mappings of the saved document expand to in a list, where
    /// it is not one.
    item_counts: HashMap<Index, usize>,
    found: Correspondence,
}

impl MatchedWalk<'_> {
    fn run(mut self) -> Correspondence {
        let texts = [self.saved, self.expanded, self.edited].map(Arena::sections);
        let [saved, expanded, edited] = texts;
        for (at, ((saved, expanded), edited)) in
            saved.iter().zip(expanded).zip(edited).enumerate()
        {
            let saved = Some(saved.root);
            self.push(MatchedPlace::Root(at), saved, expanded.root, edited.root);
        }
        let mut next = 0;
        while next < self.found.collections.len() {
            self.visit(next);
            next += 1;
        }
        self.found
    }

    /// Records a value that is a collection of the same kind in the edited text.
    fn push(
        &mut self,
        place: MatchedPlace,
        saved: Option<Index>,
        expanded: Index,
        edited: Index,
    ) {
        let style = self.expanded.style(expanded);
        let is_same = |other: Style| {
            other.is_mapping() && style.is_mapping()
                || other.is_sequence() && style.is_sequence()
        };
        if is_same(self.edited.style(edited)) {
            let saved = saved.filter(|&saved| is_same(self.saved.style(saved)));
            let entries = 0..0;
            let new = MatchedCollection { place, saved, expanded, edited, entries };
            self.found.collections.push(new);
        }
    }

    /// Records the entries of a collection, and their values.
    fn visit(&mut self, of: usize) {
        let first = self.found.entries.len();
        if self.expanded.style(self.found.collections[of].expanded).is_mapping() {
            self.match_entries(of);
        } else {
            self.match_items(of);
        }
        let entries = first..self.found.entries.len();
        for number in entries.clone() {
            let MatchedEntry { saved, expanded, edited, .. } = self.found.entries[number];
            let saved = saved.map(|saved| saved.value);
            let place = MatchedPlace::Entry(number);
            self.push(place, saved, expanded.value, edited.value);
        }
        self.found.collections[of].entries = entries;
    }

    fn match_entries(&mut self, of: usize) {
        let MatchedCollection { saved, expanded, edited, .. } =
            self.found.collections[of];
        let mut written = saved.map(|saved| EntriesByKey::new(self.saved, saved));
        let mut given = EntriesByKey::new(self.edited, edited);
        for expanded in placed_entries(self.expanded, expanded) {
            let Some(key) = key(self.expanded, expanded.first) else { continue };
            let Some(edited) = given.take(&key) else { continue };
            let saved = written.as_mut().and_then(|it| it.take(&key));
            self.found.entries.push(MatchedEntry { of, saved, expanded, edited });
        }
    }

    fn match_items(&mut self, of: usize) {
        let MatchedCollection { saved, expanded, edited, .. } =
            self.found.collections[of];
        let count = self.expanded.children(expanded).count();
        let mut written = vec![None; count];
        let (mut at, mut all) = (0, Vec::new());
        for item in saved.into_iter().flat_map(|saved| placed_items(self.saved, saved)) {
            match self.item_counts.get(&item.first) {
                Some(count) => at += count,
                None => {
                    all.push((at, item));
                    at += 1;
                }
            }
        }
        if at == count {
            all.into_iter().for_each(|(at, item)| written[at] = Some(item));
        }
        let both =
            placed_items(self.expanded, expanded).zip(placed_items(self.edited, edited));
        let items = both.zip(written).map(|((expanded, edited), saved)| MatchedEntry {
            of,
            saved,
            expanded,
            edited,
        });
        self.found.entries.extend(items);
    }
}

fn placed_entries(arena: &Arena, mapping: Index) -> impl Iterator<Item = PlacedEntry> {
    let entries = arena.entries(mapping).enumerate();
    entries.map(|(position, (first, value))| PlacedEntry { position, first, value })
}

fn placed_items(arena: &Arena, list: Index) -> impl Iterator<Item = PlacedEntry> {
    let items = arena.children(list).enumerate();
    items.map(|(position, item)| PlacedEntry { position, first: item, value: item })
}

/// The entries of a mapping that are not taken yet, without collections as keys.
struct EntriesByKey<'a> {
    /// The entries from the first one on that was not asked for in its turn.
    rest: std::vec::IntoIter<(Identity<'a>, PlacedEntry)>,
    /// The rest by its keys, once an entry was asked for out of turn.
    index: Option<HashMap<Identity<'a>, VecDeque<PlacedEntry>>>,
}

impl<'a> EntriesByKey<'a> {
    fn new(arena: &'a Arena, mapping: Index) -> EntriesByKey<'a> {
        let entries = placed_entries(arena, mapping);
        let entries = entries.filter_map(|entry| Some((key(arena, entry.first)?, entry)));
        EntriesByKey { rest: entries.collect::<Vec<_>>().into_iter(), index: None }
    }

    /// Takes the first entry of a key.
    fn take(&mut self, key: &Identity<'a>) -> Option<PlacedEntry> {
        // Two versions of a mapping mostly have the same keys in the same order.
        if let (None, Some((next, _))) = (&self.index, self.rest.as_slice().first())
            && next == key
        {
            return self.rest.next().map(|(_, entry)| entry);
        }
        let index = self.index.get_or_insert_with(|| {
            let mut index: HashMap<Identity<'_>, VecDeque<_>> = HashMap::new();
            for (key, entry) in &mut self.rest {
                index.entry(key).or_default().push_back(entry);
            }
            index
        });
        index.get_mut(key).and_then(VecDeque::pop_front)
    }
}

/// Returns the identity of a written key; `None` for a collection and for an alias.
fn key(arena: &Arena, i: Index) -> Option<Identity<'_>> {
    let style = arena.style(i);
    let scalar = !(style.is_mapping() || style.is_sequence() || style == Style::Alias);
    scalar.then(|| arena.scalar(i).identity())
}

/// Returns the number of items that a mapping of the source expands to in a list, for those
/// with a lone directive that imports no mapping, and for whiteouts.
fn item_counts(current: &Expanded, given: usize) -> HashMap<Index, usize> {
    let Expanded { source, patches, view } = current;
    let (mut written, mut counts) = (ChildIndex::new(source.base()), HashMap::new());
    let mut imported = view.roots()[source.roots().len() + given..].iter();
    for (patch, &root) in patches.iter().zip(source.roots()) {
        for op in &patch.ops {
            let Edit::Merge(merge) = &op.edit else { continue };
            let found: Vec<Option<NodeId>> = merge
                .imports
                .iter()
                .map(|import| import.found.and_then(|_| imported.next().copied()))
                .collect();
            let nodes = written.nodes_on_path(root, &merge.site);
            let site = nodes.and_then(|nodes| nodes.last().copied());
            let (&[found], Some(site)) = (&found[..], site) else { continue };
            let lone = source.base().entries(site).count() == 1;
            let count = match found.map(|found| (view.kind(found), found)) {
                None => 0,
                Some((Kind::Mapping, _)) => continue,
                Some((Kind::Sequence, found)) => view.items(found).len(),
                Some((Kind::Scalar, _)) => 1,
            };
            if lone {
                counts.insert(site, count);
            }
        }
        if let NodeId::Clean(file, root) = root {
            let nodes = root..source.base().next(root);
            let markers = nodes.filter(|&i| is_marker(source, NodeId::Clean(file, i)));
            counts.extend(markers.map(|i| (i, 0)));
        }
    }
    counts
}

/// Returns true for a whiteout or a nullout, of which nothing is left in a list.
fn is_marker(source: &Tree, node: NodeId) -> bool {
    let strategy = Strategy::of(source, node);
    matches!(strategy, Some(Strategy::Whiteout | Strategy::Nullout))
}
