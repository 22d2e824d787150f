//! Directives that cannot be kept: those that an error names, and those of the deepest
//! sites above values that still differ. What they gave is written out in the next round.

use hashbrown::HashSet;

use super::compare::{ChildIndex, Comparer};
use super::site::{DocumentEdit, ImportSites};
use crate::arena::{Arena, Index};
use crate::compile;
use crate::diagnostic::Diagnostic;
use crate::merge::Strategy;
use crate::node::{Kind, NodeId, Seat, SlotId, Tree};
use crate::scalar::Scalar;

/// Maximum number of errors of a round whose directives are looked up.
// Each look-up goes through the mappings of the document; the next round meets the errors
// that are left.
const MAX_LOCATED_ERRORS: usize = 100;

/// The values that differ between an expansion and the edited document.
pub(super) struct Conflicts {
    /// The keys of the directives of the deepest sites above them.
    pub directives: Vec<Index>,
    pub first: Option<NodeId>,
}

impl Conflicts {
    /// Compares the expansion of a document with the edited one.
    pub(super) fn find<'a>(
        document: DocumentEdit<'a>,
        compare: &mut Comparer<'a>,
    ) -> Conflicts {
        let DocumentEdit { source, root, view, edited, sites, .. } = document;
        let found = Conflicts { directives: Vec::new(), first: None };
        let mut search = Search { source, compare, sites, found };
        search.run(root, view, edited);
        search.found
    }
}

/// A node in the source, in the expansion and in the edited copy; the site above it.
type Compared = (NodeId, NodeId, NodeId, Option<Index>);

struct Search<'a, 'p> {
    source: &'p Tree,
    compare: &'p mut Comparer<'a>,
    sites: ImportSites<'a>,
    found: Conflicts,
}

impl Search<'_, '_> {
    fn run(&mut self, source: NodeId, view: NodeId, edited: NodeId) {
        let (mut todo, mut met) = (vec![(source, view, edited, None)], HashSet::new());
        while let Some((source, view, edited, above)) = todo.pop() {
            if self.compare.equal(view, edited) {
                continue;
            }
            let above = self.sites.at(source).or(above);
            let before = todo.len();
            let complete = self.push_children((source, view, edited, above), &mut todo);
            if complete && todo.len() > before {
                continue;
            }
            self.found.first = self.found.first.or(Some(edited));
            let items = self.source.items(source).into_iter();
            let spliced: Vec<Index> = items.filter_map(|it| self.sites.at(it)).collect();
            for site in above.into_iter().chain(spliced) {
                if met.insert(site) {
                    self.add_directives(site);
                }
            }
        }
    }

    fn add_directives(&mut self, site: Index) {
        let imports = self.sites.imports(site).iter();
        self.found.directives.extend(imports.filter_map(|import| match import.key {
            NodeId::Clean(_, i) => Some(i),
            NodeId::Opened(_) => None,
        }));
    }

    /// Adds the children of all versions. Returns false if others differ too.
    fn push_children(
        &mut self,
        (source, view, edited, above): Compared,
        todo: &mut Vec<Compared>,
    ) -> bool {
        let document = self.compare.document;
        match (document.kind(view), document.kind(edited), self.source.kind(source)) {
            (Kind::Mapping, Kind::Mapping, Kind::Mapping) => {
                let (view, edited) =
                    (self.compare.entries(view), self.compare.entries(edited));
                let mut complete = view.list.len() == edited.list.len();
                let mut own = HashSet::new();
                for (key, value) in self.source.pairs(source) {
                    let key = self.compare.key(key);
                    if let (Some(v), Some(e)) = (view.get(&key), edited.get(&key)) {
                        todo.push((value, v, e, above));
                    }
                    own.insert(key);
                }
                for entry in &edited.list {
                    let differs = match view.get(&entry.key) {
                        Some(view) => !self.compare.equal(view, entry.value),
                        None => true,
                    };
                    complete &= !differs || own.contains(&entry.key);
                }
                complete
            }
            (Kind::Sequence, Kind::Sequence, Kind::Sequence) => {
                let items = self.source.items(source);
                let (v, e) = (document.items(view), document.items(edited));
                if items.len() != v.len() || v.len() != e.len() {
                    return false;
                }
                let versions = items.into_iter().zip(v).zip(e);
                todo.extend(versions.map(|((s, v), e)| (s, v, e, above)));
                true
            }
            _ => false,
        }
    }
}

/// Returns the directives of the deepest mappings with directives around the places that
/// errors name, each with the message; all directives of the document if there are none.
pub(super) fn directives_named_by(
    source: &Tree,
    errors: &[Diagnostic],
) -> Vec<(Index, String)> {
    let arena = source.base();
    let directives = |i| directive_keys(source, i);
    let mappings = || arena.indices().filter(|&i| directives(i).next().is_some());
    let mut keys = Vec::new();
    for error in errors.iter().take(MAX_LOCATED_ERRORS) {
        let places = error.labels.iter().map(|label| label.span);
        for place in places.filter(|place| place.file == arena.file()) {
            let first = arena.nodes().partition_point(|node| node.start < place.start);
            let first = first as Index;
            let around = mappings().take_while(|&i| i <= first);
            let parent = around.filter(|&i| first < arena.next(i)).last();
            let found = parent.into_iter().flat_map(directives);
            keys.extend(found.map(|key| (key, error.message.clone())));
        }
    }
    if keys.is_empty() {
        let why = errors.first().map_or_else(String::new, |error| error.message.clone());
        keys.extend(mappings().flat_map(directives).map(|key| (key, why.clone())));
    }
    keys.sort_unstable();
    keys.dedup_by_key(|key| key.0);
    keys
}

/// Returns the document without some of its directives. Whiteouts and nullouts go with
/// the last directive of their mapping: they would override nothing.
pub(super) fn without(source: &Tree, keys: &[(Index, String)]) -> Tree {
    let mut out = source.clone();
    let mut written = ChildIndex::new(source.base());
    let gone: HashSet<Index> = keys.iter().map(|&(key, _)| key).collect();
    let mut bare: Vec<Index> = Vec::new();
    for &(key, _) in keys {
        let parent = remove_entry(&mut out, &mut written, key);
        bare.extend(
            parent.filter(|&i| directive_keys(source, i).all(|key| gone.contains(&key))),
        );
    }
    bare.sort_unstable();
    bare.dedup();
    for key in bare.into_iter().flat_map(|parent| markers(source, parent)) {
        remove_entry(&mut out, &mut written, key);
    }
    out
}

fn directive_keys(source: &Tree, i: Index) -> impl Iterator<Item = Index> + '_ {
    let arena = source.base();
    let mapping = source.kind(NodeId::Clean(arena.file(), i)) == Kind::Mapping;
    let entries = mapping.then(|| arena.entries(i)).into_iter().flatten();
    entries.map(|(key, _)| key).filter(|&key| is_directive(arena, key))
}

/// Returns true if a node is a directive where it is a key.
pub(super) fn is_directive(arena: &Arena, i: Index) -> bool {
    matches!(arena.scalar(i), Scalar::String(text) if compile::is_directive_key(&text))
}

/// Returns the keys of whiteouts and nullouts in a mapping, up to inner directives.
fn markers(source: &Tree, mapping: Index) -> Vec<Index> {
    let arena = source.base();
    let (mut todo, mut keys) = (vec![mapping], Vec::new());
    while let Some(i) = todo.pop() {
        for (key, value) in arena.entries(i) {
            let node = NodeId::Clean(arena.file(), value);
            match Strategy::of(source, node) {
                Some(Strategy::Whiteout | Strategy::Nullout) => keys.push(key),
                _ if source.kind(node) != Kind::Mapping => {}
                _ if directive_keys(source, value).next().is_some() => {}
                _ => todo.push(value),
            }
        }
    }
    keys
}

/// Removes the entry with that key and returns its mapping, unless it is gone or new.
fn remove_entry(
    document: &mut Tree,
    written: &mut ChildIndex<'_>,
    key: Index,
) -> Option<Index> {
    let arena = written.arena();
    let within = |&(_, i): &(usize, Index)| i <= key && key < arena.next(i);
    let root = arena.sections().iter().map(|s| s.root).enumerate().find(within)?;
    let (mut seat, mut at) = (Seat::Root(root.0), root.1);
    while let Some(id) = document.open(seat, true) {
        let (position, child) = written.child_holding(at, key)?;
        // The slots of an opened node are numbered in the order of the text.
        let slot = match document.kind(NodeId::Opened(id)) {
            Kind::Mapping => position / 2,
            Kind::Scalar | Kind::Sequence => position,
        } as SlotId;
        let origin = document.origin(id);
        if origin != Some((arena.file(), at)) || !document.children(id).holds(slot) {
            return None;
        }
        if child == key {
            document.remove_slot(id, slot);
            return Some(at);
        }
        (seat, at) = (Seat::Slot(id, slot), child);
    }
    None
}
