//! Directives that have to go: those an error names, or those above what still differs.
//! What they gave is written out in the next round.

use std::collections::HashSet;

use super::compare::{Compare, Key};
use super::holder::Fate;
use super::site::{Both, Sites};
use super::written::Written;
use super::{Expanded, Save};
use crate::arena::{Arena, Index};
use crate::compile;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::merge::Strategy;
use crate::node::{Document, Kind, Node, Seat, SlotId};
use crate::patch::Patch;
use crate::scalar::Scalar;
use crate::source::{Encoding, FileId, Source};
use crate::yaml;

impl Save<'_> {
    /// Reads what is to be saved as anybody will read it. Directives that stand in the way
    /// are left out.
    pub(super) fn reread(&mut self, mut out: Document) -> Result<Expanded, Diagnostics> {
        loop {
            let file = self.draft(out.to_string());
            let source = yaml::read(self.sources, file, self.options)?;
            let expanded = self.expand(source.clone());
            let Err(Diagnostics(errors)) = expanded else { return expanded };
            let labels = errors.iter().flat_map(|error| {
                error.labels.iter().map(|label| (label.span, &error.message))
            });
            let arena = source.base();
            let mut keys: Vec<(Index, String)> = Vec::new();
            for (span, message) in labels.filter(|(span, _)| span.file == file) {
                let first = arena.nodes().partition_point(|node| node.start < span.start);
                let there = (first as Index..arena.nodes().len() as Index)
                    .take_while(|&i| arena.span(i).start == span.start)
                    .find(|&i| is_directive(arena, i));
                keys.extend(there.map(|i| (i, message.clone())));
            }
            if keys.is_empty() {
                keys = blamed(&source, &errors);
            }
            if keys.is_empty() {
                return Err(Diagnostics(errors));
            }
            out = self.without(&source, keys);
            if out.to_string() == source.base().text() {
                return Err(Diagnostics(errors));
            }
        }
    }

    /// Adds a text that is to be written over SOURCE.
    fn draft(&mut self, text: String) -> FileId {
        let Source { name, secret, .. } = self.sources.get(self.file);
        self.sources.push(Source {
            name: format!("{name} (as it would be saved)"),
            text: text.into(),
            encoding: Encoding::Utf8,
            secret: *secret,
            stands_for: Some(self.file),
        })
    }

    /// The document without some of its directives, and what was left out of what they gave.
    fn without(&mut self, source: &Document, keys: Vec<(Index, String)>) -> Document {
        let mut out = source.clone();
        let mut written = Written::new(source.base());
        let gone: HashSet<Index> = keys.iter().map(|&(key, _)| key).collect();
        let mut bare: Vec<Index> = Vec::new();
        for &(key, _) in &keys {
            let holder = remove(&mut out, &mut written, key);
            bare.extend(
                holder.filter(|&i| {
                    directive_keys(source, i).all(|key| gone.contains(&key))
                }),
            );
        }
        bare.sort_unstable();
        bare.dedup();
        for key in bare.into_iter().flat_map(|holder| outs(source, holder)) {
            remove(&mut out, &mut written, key);
        }
        let file = source.file();
        let keys =
            keys.into_iter().map(|(key, why)| (Node::Clean(file, key), Fate::Gone(why)));
        self.note(source, keys.collect());
        out
    }

    /// The document without the deepest sites above what is not what it should be; if no
    /// site is left there, the edit as it was put is all that there is to say.
    pub(super) fn give_up(
        &mut self,
        current: &Expanded,
        put: Option<Document>,
    ) -> Result<Document, Diagnostics> {
        let Expanded { source, patches, view } = current;
        let (there, given) = (source.roots().len(), self.edited.roots().len());
        let mut compare = Compare::new(view);
        let mut founds = view.roots()[there + given..].iter().copied();
        let (mut keys, mut place) = (Vec::new(), None);
        for root in 0..given {
            let (view, edited) = (view.roots()[root], view.roots()[there + root]);
            let roots = Both { view: Some(view), edited: Some(edited) };
            let written = (source, source.roots()[root]);
            let patch = patches.get(root).unwrap_or(Patch::NONE);
            let sites = Sites::new(written, patch, &mut founds, &mut compare, roots);
            let mut search = Search {
                source,
                compare: &mut compare,
                sites,
                found: Vec::new(),
                place: None,
            };
            search.run(written.1, view, edited);
            place = place.or(search.place);
            keys.append(&mut search.found);
        }
        if self.tries == 0 || keys.is_empty() && put.is_none() {
            let error = Diagnostic::error("this cannot be saved so that it reads back");
            let span = place.and_then(|node| view.span(node));
            return Err(span.into_iter().fold(error, Diagnostic::at).into());
        }
        self.tries -= 1;
        if let (true, Some(put)) = (keys.is_empty(), put) {
            return Ok(put);
        }
        let why = "the edit cannot be said beside it";
        Ok(self
            .without(source, keys.into_iter().map(|key| (key, why.to_owned())).collect()))
    }
}

/// For so many errors a place is looked up.
const BLAMED: usize = 100;

/// The directives of the deepest mappings around what an error names that have any; all
/// that there are if that is none.
fn blamed(source: &Document, errors: &[Diagnostic]) -> Vec<(Index, String)> {
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
fn directive_keys(source: &Document, i: Index) -> impl Iterator<Item = Index> + '_ {
    let arena = source.base();
    let mapping = source.kind(Node::Clean(arena.file(), i)) == Kind::Mapping;
    let entries = mapping.then(|| arena.entries(i)).into_iter().flatten();
    entries.map(|(key, _)| key).filter(|&key| is_directive(arena, key))
}

/// Whether a node means something as a key.
fn is_directive(arena: &Arena, i: Index) -> bool {
    matches!(arena.scalar(i), Scalar::String(text) if compile::counts(&text))
}

/// The keys of whiteouts and nullouts in a mapping, as far as no other directives are there.
fn outs(source: &Document, holder: Index) -> Vec<Index> {
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
fn remove(
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
struct Search<'a, 'p> {
    source: &'a Document,
    compare: &'p mut Compare<'a>,
    sites: Sites<'a>,
    /// The keys of their directives.
    found: Vec<Index>,
    /// The first thing that differs.
    place: Option<Node>,
}

impl Search<'_, '_> {
    fn run(&mut self, source: Node, view: Node, edited: Node) {
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
