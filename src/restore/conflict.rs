//! Directives that cannot be kept: those that an error names, and those of the deepest
//! sites above values that still differ. What they gave is written out in the next round.

use hashbrown::HashSet;

use super::compare::{ChildIndex, Comparer};
use super::site::DocumentEdit;
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
        let DocumentEdit { source: tree, root, view, edited, sites, .. } = document;
        let mut found = Conflicts { directives: Vec::new(), first: None };
        let mut todo = vec![Compared { source: root, view, edited, above: None }];
        let mut met = HashSet::new();
        while let Some(mut at) = todo.pop() {
            if compare.equal(at.view, at.edited) {
                continue;
            }
            at.above = sites.at(at.source).or(at.above);
            let before = todo.len();
            let complete = at.push_children(tree, compare, &mut todo);
            if complete && todo.len() > before {
                continue;
            }
            found.first = found.first.or(Some(at.edited));
            let items = tree.items(at.source).into_iter();
            let spliced = items.filter_map(|item| sites.at(item));
            let sites_here = at.above.into_iter().chain(spliced);
            let new = sites_here.filter(|&site| met.insert(site));
            let imports = new.flat_map(|site| sites.imports(site));
            found.directives.extend(imports.filter_map(|import| match import.key {
                NodeId::Clean(_, i) => Some(i),
                NodeId::Opened(_) => None,
            }));
        }
        found
    }
}

/// A node in the source, in the expansion and in the edited copy; the site above it.
struct Compared {
    source: NodeId,
    view: NodeId,
    edited: NodeId,
    above: Option<Index>,
}

impl Compared {
    /// Adds the children of all versions. Returns false if others differ too.
    fn push_children(
        &self,
        tree: &Tree,
        compare: &mut Comparer<'_>,
        todo: &mut Vec<Compared>,
    ) -> bool {
        let document = compare.document;
        let above = self.above;
        match (
            document.kind(self.view),
            document.kind(self.edited),
            tree.kind(self.source),
        ) {
            (Kind::Mapping, Kind::Mapping, Kind::Mapping) => {
                let [was, now] = [self.view, self.edited].map(|it| compare.entries(it));
                let mut complete = was.list.len() == now.list.len();
                let mut own = HashSet::new();
                for (key, source) in tree.pairs(self.source) {
                    let key = compare.key(key);
                    let both = was.get(&key).zip(now.get(&key));
                    todo.extend(both.map(|(view, edited)| Compared {
                        source,
                        view,
                        edited,
                        above,
                    }));
                    own.insert(key);
                }
                for entry in &now.list {
                    let was = was.get(&entry.key);
                    complete &= own.contains(&entry.key)
                        || was.is_some_and(|was| compare.equal(was, entry.value));
                }
                complete
            }
            (Kind::Sequence, Kind::Sequence, Kind::Sequence) => {
                let items = tree.items(self.source);
                let [was, now] = [self.view, self.edited].map(|it| document.items(it));
                if items.len() != was.len() || was.len() != now.len() {
                    return false;
                }
                let versions = items.into_iter().zip(was).zip(now);
                todo.extend(versions.map(|((source, view), edited)| Compared {
                    source,
                    view,
                    edited,
                    above,
                }));
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
    let all = arena.indices().filter(|&i| directive_keys(source, i).next().is_some());
    let mappings: Vec<Index> = all.collect();
    let mut keys = Vec::new();
    for error in errors.iter().take(MAX_LOCATED_ERRORS) {
        let places = error.labels.iter().map(|label| label.span);
        for place in places.filter(|place| place.file == arena.file()) {
            let first = arena.nodes().partition_point(|node| node.start < place.start);
            let first = first as Index;
            let around = mappings.iter().copied().take_while(|&i| i <= first);
            let parent = around.filter(|&i| first < arena.next(i)).last();
            let found = parent.into_iter().flat_map(|i| directive_keys(source, i));
            keys.extend(found.map(|key| (key, error.message.clone())));
        }
    }
    if keys.is_empty() {
        let why = errors.first().map_or_else(String::new, |error| error.message.clone());
        let all = mappings.into_iter().flat_map(|i| directive_keys(source, i));
        keys.extend(all.map(|key| (key, why.clone())));
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
    let mut todo = vec![mapping];
    let mut keys = Vec::new();
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
    let mut roots = arena.sections().iter().map(|section| section.root);
    let root = roots.position(|i| i <= key && key < arena.next(i))?;
    let mut seat = Seat::Root(root);
    let mut at = arena.sections()[root].root;
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
