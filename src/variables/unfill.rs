//! Filling in, undone: a document, what it was filled in to and an edited copy of that come
//! in; the copy goes out with its `((names))` back wherever they still have their values.

use std::collections::{HashMap, HashSet};

use super::syntax::uses;
use crate::arena::Index;
use crate::diff::{Paired, pair};
use crate::node::{Document, Kind, Node, Seat};
use crate::scalar::Scalar;
use crate::source::FileId;

/// `edited`, where each place that a name was filled in at says so again if it means what
/// it meant then. So does the section of variables that lost those with a value.
pub fn unfill(written: &Document, filled: &Document, edited: &Document) -> Document {
    let written_as = places(written, filled, &|_, _| false);
    let same = pair(filled, edited, |node| written_as.contains_key(&node), true).same;
    put(written, edited, &written_as, &same)
}

/// What was filled in at places that say more than names, too.
pub struct Unfill<'a> {
    /// The document as it was written.
    pub written: &'a Document,
    /// The same, filled in.
    pub filled: &'a Document,
    /// A copy of that, edited.
    pub edited: &'a Document,
    /// Whether a place says more than names.
    pub is_source: &'a dyn Fn(&Document, Node) -> bool,
}

/// So often some places are given up, and the others tried again.
const ROUNDS: usize = 8;

impl Unfill<'_> {
    /// EDITED, where each place that means what it meant says what it said.
    pub fn unchanged(&self) -> Document {
        let written_as = places(self.written, self.filled, self.is_source);
        let wanted = |node| written_as.contains_key(&node);
        let same = pair(self.filled, self.edited, wanted, false).same;
        put(self.written, self.edited, &written_as, &same)
    }

    /// The same, where each place that was edited to what it gives now says what it said,
    /// too. `fill` fills in a document again; none if that fails.
    pub fn agreeing(
        &self,
        fill: &mut dyn FnMut(&mut Document) -> bool,
    ) -> Option<Document> {
        let written_as = places(self.written, self.filled, self.is_source);
        let wanted = |node| written_as.contains_key(&node);
        let Paired { same, mut changed } = pair(self.filled, self.edited, wanted, true);
        changed.retain(|(old, _)| {
            let was = written_as.get(old).map(|&was| self.written.follow(was));
            was.is_some_and(|was| (self.is_source)(self.written, was))
        });
        for _ in 0..ROUNDS {
            let all = [&same[..], &changed[..]].concat();
            let document = put(self.written, self.edited, &written_as, &all);
            if changed.is_empty() {
                return Some(document);
            }
            let mut again = document.clone();
            if !fill(&mut again) {
                return None;
            }
            let agrees = pair(&again, self.edited, |_| true, false).same.into_iter();
            let agrees: HashSet<Node> = agrees.map(|(_, new)| new).collect();
            let before = changed.len();
            changed.retain(|(_, new)| agrees.contains(new));
            if changed.len() == before {
                return Some(document);
            }
        }
        None
    }
}

/// `edited`, where the new nodes of those pairs say what the old ones said.
fn put(
    written: &Document,
    edited: &Document,
    written_as: &HashMap<Node, Node>,
    pairs: &[(Node, Node)],
) -> Document {
    let mut back: Vec<(FileId, Index, Node)> = pairs
        .iter()
        .filter_map(|&(old, new)| match new {
            Node::Clean(file, i) => Some((file, i, *written_as.get(&old)?)),
            Node::Opened(_) => None,
        })
        .collect();
    back.sort_by_key(|&(file, i, _)| (file, i));
    let mut document = edited.clone();
    for arena in written.arenas() {
        document.adopt(arena);
    }
    Put { written, back, document }.run()
}

/// What was written in the place of each node that was filled in.
fn places(
    written: &Document,
    filled: &Document,
    is_source: &dyn Fn(&Document, Node) -> bool,
) -> HashMap<Node, Node> {
    let mut places = HashMap::new();
    let roots = written.roots().iter().copied().zip(filled.roots().iter().copied());
    let (mut todo, mut met) = (roots.collect::<Vec<_>>(), HashSet::new());
    while let Some((was, is)) = todo.pop() {
        let (from, to) = (written.follow(was), filled.follow(is));
        let untouched = from == to && matches!(from, Node::Clean(..));
        if untouched || !met.insert((from, to)) {
            continue;
        }
        if is_use(written, from) || is_source(written, from) {
            places.extend([(is, was), (to, was)]);
            continue;
        }
        let (before, after) = (written.slots(from), filled.slots(to));
        if before.len() != after.len() {
            places.extend([(is, was), (to, was)]);
            continue;
        }
        for (before, after) in before.iter().zip(after.iter()) {
            todo.push((before.value, after.value));
            if let (Some(was), Some(is)) = (before.key, after.key)
                && was != is
            {
                places.insert(is, was);
            }
        }
    }
    places
}

/// Whether a string has a name in it.
fn is_use(document: &Document, node: Node) -> bool {
    match document.scalar(node) {
        Scalar::String(text) if document.kind(node) == Kind::Scalar => {
            uses(&text).next().is_some()
        }
        _ => false,
    }
}

/// Putting written nodes into a document, in the place of some of its own.
struct Put<'a> {
    written: &'a Document,
    /// The nodes to be replaced, in order, and by what.
    back: Vec<(FileId, Index, Node)>,
    document: Document,
}

impl Put<'_> {
    fn run(mut self) -> Document {
        let roots = self.document.roots().len();
        let mut todo: Vec<Seat> = (0..roots).map(Seat::Root).collect();
        while let Some(seat) = todo.pop() {
            let Node::Clean(file, i) = self.document.seated(seat) else { continue };
            let end = self.document.arena(file).next(i);
            let from = self.back.partition_point(|&(f, at, _)| (f, at) < (file, i));
            let next = self.back.get(from).filter(|&&(f, at, _)| (f, at) < (file, end));
            let Some(&(_, at, written)) = next else { continue };
            if at == i
                && let Some(node) = self.node(written)
            {
                self.document.seat(seat, node, None);
                continue;
            }
            let Some(id) = self.document.open(seat, true) else { continue };
            let slots: Vec<_> = self.document.children(id).ids().collect();
            for at in slots {
                self.key(id, at);
                todo.push(Seat::Slot(id, at));
            }
        }
        self.document
    }

    fn key(&mut self, id: u32, at: u32) {
        let Some(Node::Clean(file, i)) = self.document.children(id).get(at).key else {
            return;
        };
        let found = self.back.binary_search_by_key(&(file, i), |&(f, i, _)| (f, i));
        if let Some(key) = found.ok().and_then(|found| self.node(self.back[found].2)) {
            self.document.rename(id, at, key);
        }
    }

    /// A written node as one of the document, unless ops have made a collection of it.
    fn node(&mut self, written: Node) -> Option<Node> {
        match (written, self.written.scalar(written)) {
            (Node::Clean(..), _) => Some(written),
            (Node::Opened(_), Scalar::String(text)) => {
                Some(self.document.new_text(&text))
            }
            (Node::Opened(_), _) => None,
        }
    }
}
