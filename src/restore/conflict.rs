//! Directives that have to go: those an error names, or those above what still differs.
//! What they gave is written out in the next round.

use std::collections::HashSet;

use super::compare::{Compare, Key};
use super::site::Sites;
use super::written::Written;
use crate::arena::{Arena, Index};
use crate::compile;
use crate::diagnostic::Diagnostic;
use crate::merge::Strategy;
use crate::node::{Document, Kind, Node, Seat, SlotId};
use crate::scalar::Scalar;

/// For so many errors a place is looked up.
const BLAMED: usize = 100;

/// The directives of the deepest mappings around what an error names that have any; all
/// that there are if that is none.
pub(super) fn blamed(source: &Document, errors: &[Diagnostic]) -> Vec<(Index, String)> {
    let arena = source.base();
    let directives = |i| directive_keys(source, i);
    let mappings = || {
        let all = arena.indices();
        all.filter(|&i| directives(i).next().is_some())
    };
    let mut keys = Vec::new();
    for error in errors.iter().take(BLAMED) {
        let places = error.labels.iter().map(|label| label.span);
        for place in places.filter(|place| place.file == arena.file()) {
            let first = arena.nodes().partition_point(|node| node.start < place.start);
            let first = first as Index;
            let around = mappings().take_while(|&i| i <= first);
            let holder = around.filter(|&i| first < arena.next(i)).last();
            let found = holder.into_iter().flat_map(directives);
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

/// The keys of the directives that a node of the text has, if it is a mapping.
pub(super) fn directive_keys(
    source: &Document,
    i: Index,
) -> impl Iterator<Item = Index> + '_ {
    let arena = source.base();
    let mapping = source.kind(Node::Clean(arena.file(), i)) == Kind::Mapping;
    let entries = mapping.then(|| arena.entries(i)).into_iter().flatten();
    entries.map(|(key, _)| key).filter(|&key| is_directive(arena, key))
}

/// Whether a node means something as a key.
pub(super) fn is_directive(arena: &Arena, i: Index) -> bool {
    matches!(arena.scalar(i), Scalar::String(text) if compile::counts(&text))
}

/// The keys of whiteouts and nullouts in a mapping, as far as no other directives are there.
pub(super) fn outs(source: &Document, holder: Index) -> Vec<Index> {
    let arena = source.base();
    let (mut todo, mut outs) = (vec![holder], Vec::new());
    while let Some(i) = todo.pop() {
        for (key, value) in arena.entries(i) {
            let node = Node::Clean(arena.file(), value);
            match source.strategy(node) {
                Some(Strategy::Whiteout | Strategy::Nullout) => outs.push(key),
                _ if source.kind(node) != Kind::Mapping => {}
                _ if directive_keys(source, value).next().is_some() => {}
                _ => todo.push(value),
            }
        }
    }
    outs
}

/// Removes the entry with that key, wherever it is; the mapping that had it.
pub(super) fn remove(
    document: &mut Document,
    written: &mut Written<'_>,
    key: Index,
) -> Option<Index> {
    let arena = written.arena;
    let within = |&(_, i): &(usize, Index)| i <= key && key < arena.next(i);
    let root = arena.sections().iter().map(|s| s.root).enumerate().find(within)?;
    let (mut seat, mut at) = (Seat::Root(root.0), root.1);
    while let Some(id) = document.open(seat, true) {
        let (place, child) = written.above(at, key)?;
        // The slots of what is opened are numbered as they are written.
        let slot = match document.kind(Node::Opened(id)) {
            Kind::Mapping => place / 2,
            Kind::Scalar | Kind::Sequence => place,
        } as SlotId;
        let was = document.origin(id);
        if was != Some((arena.file(), at)) || !document.children(id).holds(slot) {
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

/// Looks for the sites that what differs belongs to.
pub(super) struct Search<'a, 'p> {
    pub(super) source: &'a Document,
    pub(super) compare: &'p mut Compare<'a>,
    pub(super) sites: Sites<'a>,
    /// The keys of their directives.
    pub(super) found: Vec<Index>,
    /// The first thing that differs.
    pub(super) place: Option<Node>,
}

impl Search<'_, '_> {
    pub(super) fn run(&mut self, source: Node, view: Node, edited: Node) {
        let (mut todo, mut blamed) = (vec![(source, view, edited, None)], HashSet::new());
        while let Some((source, view, edited, above)) = todo.pop() {
            if self.compare.same(view, edited) {
                continue;
            }
            let above = self.site(source).or(above);
            let before = todo.len();
            let clear = self.children(source, view, edited, above, &mut todo);
            if !clear || todo.len() == before {
                self.place = self.place.or(Some(edited));
                let sites = above.into_iter().chain(self.splices(source));
                for site in sites {
                    if blamed.insert(site) {
                        let keys =
                            self.sites.get(site).into_iter().flat_map(|s| &s.imports);
                        self.found.extend(keys.filter_map(|import| match import.key {
                            Node::Clean(_, i) => Some(i),
                            Node::Opened(_) => None,
                        }));
                    }
                }
            }
        }
    }

    fn site(&self, source: Node) -> Option<Index> {
        let Node::Clean(_, i) = source else { return None };
        self.sites.get(i).map(|_| i)
    }

    /// The sites among the items of a list.
    fn splices(&self, source: Node) -> Vec<Index> {
        let items = self.source.items(source);
        items.into_iter().filter_map(|item| self.site(item)).collect()
    }

    /// Goes on with what both have; whether nothing but that differs.
    #[allow(clippy::type_complexity)]
    fn children(
        &mut self,
        source: Node,
        view: Node,
        edited: Node,
        above: Option<Index>,
        todo: &mut Vec<(Node, Node, Node, Option<Index>)>,
    ) -> bool {
        let document = self.compare.document;
        match (document.kind(view), document.kind(edited), self.source.kind(source)) {
            (Kind::Mapping, Kind::Mapping, Kind::Mapping) => {
                let (view, edited) =
                    (self.compare.entries(view), self.compare.entries(edited));
                let mut clear = view.list.len() == edited.list.len();
                let mut own = HashSet::new();
                for (key, value) in self.source.pairs(source) {
                    let key: Key<'_> = self.compare.key(key);
                    if let (Some(v), Some(e)) = (view.get(&key), edited.get(&key)) {
                        todo.push((value, v, e, above));
                    }
                    own.insert(key);
                }
                for entry in &edited.list {
                    let differs = match view.get(&entry.key) {
                        Some(view) => !self.compare.same(view, entry.value),
                        None => true,
                    };
                    clear &= !differs || own.contains(&entry.key);
                }
                clear
            }
            (Kind::Sequence, Kind::Sequence, Kind::Sequence) => {
                let items = self.source.items(source);
                let (v, e) = (document.items(view), document.items(edited));
                if items.len() != v.len() || v.len() != e.len() {
                    return false;
                }
                let both = items.into_iter().zip(v).zip(e);
                todo.extend(both.map(|((s, v), e)| (s, v, e, above)));
                true
            }
            _ => false,
        }
    }
}
