//! Filling in, undone: a document, what it was filled in to and an edited copy of that come
//! in; the copy goes out with its `((names))` back wherever they still have their values.

use std::collections::{HashMap, HashSet};

use super::syntax::uses;
use crate::arena::{Index, Style, flag};
use crate::diff::{Paired, diff_at, pair, pair_strictly};
use crate::node::{Document, Kind, Node, Seat};
use crate::scalar::Scalar;
use crate::source::{FileId, Span};

/// `edited`, where each place that a name was filled in at says so again if it means what
/// it meant then. So does the section of variables that lost those with a value.
pub fn unfill(written: &Document, filled: &Document, edited: &Document) -> Document {
    let written_as = places(written, filled, &|_, _| false);
    let same = pair(filled, edited, |node| written_as.contains_key(&node)).same;
    put(written, edited, &written_as, &same)
}

/// The places of a document that say more than names, where an edited copy has a value; in
/// the order they are written in.
pub fn replaced(
    document: &Document,
    edited: &Document,
    is_source: &dyn Fn(&Document, Node) -> bool,
) -> Vec<Node> {
    let changed = pair(document, edited, |node| is_source(document, node)).changed;
    let is_value = |&(old, new): &(Node, Node)| {
        let kinds =
            (document.kind(document.follow(old)), edited.kind(edited.follow(new)));
        // A mapping with another in its place may well be data.
        kinds != (Kind::Mapping, Kind::Mapping) && !is_source(edited, new)
    };
    let mut replaced: Vec<Node> =
        changed.into_iter().filter(is_value).map(|(old, _)| old).collect();
    let place = |node: &Node| document.span(*node).map(|span| (span.file.0, span.start));
    replaced.sort_by_key(place);
    replaced
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
    /// What was filled in and is something else each time.
    pub by_chance: &'a HashSet<Node>,
}

/// An edited copy that says what was written.
#[derive(Debug)]
pub struct Agreed {
    /// The copy.
    pub document: Document,
    /// The places that say what they said though that cannot be told to be what was edited:
    /// they give something else each time.
    pub by_chance: Vec<Node>,
    /// The places that nobody edited and that do not say what they said: they would give
    /// something else.
    pub lost: Vec<Node>,
}

/// What would be something else another time, of what was filled in; or what went wrong,
/// and where.
pub type Refilled<E> = Result<HashSet<Node>, (E, Vec<Span>)>;

/// So often some places are given up, and the others tried again.
const ROUNDS: usize = 8;

/// A place that says what it said.
struct Kept {
    old: Node,
    new: Node,
    /// Where it was written, if it says more than names.
    source: Option<Node>,
    why: Why,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Why {
    /// It means what it meant.
    Same,
    /// It was edited to what it gives now, perhaps.
    Edited,
    /// Nobody can tell.
    Chance,
}

impl Unfill<'_> {
    /// EDITED, where each place that was not edited, or edited to what it gives now, says
    /// what it said. `fill` fills in a document again and tells what would be something else
    /// another time.
    ///
    /// # Errors
    /// `fill` fails for what is not written at such a place.
    pub fn agree<E>(
        &self,
        fill: &mut dyn FnMut(&mut Document) -> Refilled<E>,
    ) -> Result<Agreed, E> {
        let written_as = places(self.written, self.filled, self.is_source);
        let mut lost = Vec::new();
        let mut kept = self.kept(&written_as, &mut lost);
        let mut round = 0;
        let document = loop {
            let pairs: Vec<_> = kept.iter().map(|kept| (kept.old, kept.new)).collect();
            let document = put(self.written, self.edited, &written_as, &pairs);
            let is_edited = kept.iter().any(|kept| kept.why == Why::Edited);
            if round == 0 && !is_edited && self.is_written(&document) {
                break document;
            }
            let mut again = document.clone();
            let wrong = match fill(&mut again) {
                Ok(by_chance) => self.disagreeing(&mut kept, &again, &by_chance),
                Err((error, spans)) => match self.failing(&kept, &spans) {
                    none if none.is_empty() => {
                        // What is copied into what it gives makes that hold itself.
                        let sources = kept.iter().filter(|kept| kept.source.is_some());
                        let all: HashSet<Node> = sources.map(|kept| kept.new).collect();
                        if all.is_empty() {
                            return Err(error);
                        }
                        all
                    }
                    failing => failing,
                },
            };
            if wrong.is_empty() {
                break document;
            }
            round += 1;
            kept.retain(|kept| {
                let stays = !wrong.contains(&kept.new)
                    && (round < ROUNDS || kept.source.is_none());
                if !stays && kept.why != Why::Edited {
                    lost.extend(kept.source);
                }
                stays
            });
        };
        let by_chance = kept.iter().filter(|kept| kept.why == Why::Chance);
        let by_chance = each(by_chance.filter_map(|kept| kept.source));
        let lost = each(lost.into_iter());
        Ok(Agreed { document, by_chance, lost })
    }

    /// The places that may say what they said.
    fn kept(&self, written_as: &HashMap<Node, Node>, lost: &mut Vec<Node>) -> Vec<Kept> {
        let wanted = |node| written_as.contains_key(&node);
        let Paired { same, changed } = pair(self.filled, self.edited, wanted);
        let source = |old: Node| {
            let was = written_as.get(&old).map(|&was| self.written.follow(was));
            was.filter(|&was| (self.is_source)(self.written, was))
        };
        let same = same.into_iter().map(|(old, new)| Kept {
            old,
            new,
            source: source(old),
            why: Why::Same,
        });
        let mut kept: Vec<Kept> = same.collect();
        for (old, new) in changed {
            let Some(was) = source(old) else { continue };
            let why = match self.by_chance.contains(&old) {
                true => Why::Chance,
                false => Why::Edited,
            };
            match why == Why::Edited || self.is_alike(old, new) {
                true => kept.push(Kept { old, new, source: Some(was), why }),
                false => lost.push(was),
            }
        }
        kept
    }

    /// Whether a value may be what a place gave another time.
    fn is_alike(&self, old: Node, new: Node) -> bool {
        let (filled, edited) = (self.filled, self.edited);
        let (old, new) = (filled.follow(old), edited.follow(new));
        match (filled.kind(old), edited.kind(new)) {
            (Kind::Scalar, Kind::Scalar) => {
                let (a, b) = (filled.scalar(old), edited.scalar(new));
                std::mem::discriminant(&a) == std::mem::discriminant(&b)
            }
            (a, b) => a == b,
        }
    }

    /// Whether a document means what was written.
    fn is_written(&self, document: &Document) -> bool {
        let (there, given) = (self.written.roots().len(), document.roots().len());
        let is_same = |root| diff_at(self.written, document, root).ops.is_empty();
        given <= there && (0..given).all(is_same)
    }

    /// The places that give something else than was edited, in a document filled in again.
    fn disagreeing(
        &self,
        kept: &mut [Kept],
        again: &Document,
        by_chance: &HashSet<Node>,
    ) -> HashSet<Node> {
        let places: HashSet<Node> = kept.iter().map(|kept| kept.new).collect();
        let wanted = |new| places.contains(&new);
        let Paired { same, changed } = pair_strictly(again, self.edited, wanted);
        let same: HashSet<Node> = same.into_iter().map(|(_, new)| new).collect();
        let changed = changed.into_iter().filter(|(old, _)| by_chance.contains(old));
        let unknown: HashSet<Node> = changed.map(|(_, new)| new).collect();
        let mut wrong = HashSet::new();
        for Kept { new, why, .. } in kept.iter_mut().filter(|kept| kept.source.is_some())
        {
            if same.contains(new) {
                *why = if *why == Why::Chance { Why::Same } else { *why };
            } else if !unknown.contains(new) {
                wrong.insert(*new);
            }
        }
        wrong
    }

    /// The places that were written where filling in failed.
    fn failing(&self, kept: &[Kept], spans: &[Span]) -> HashSet<Node> {
        let is_there = |kept: &&Kept| {
            let span = kept.source.and_then(|source| self.written.span(source));
            span.is_some_and(|span| {
                let holds = |at: &Span| {
                    at.file == span.file && at.start < span.end && span.start < at.end
                };
                spans.iter().any(holds)
            })
        };
        kept.iter().filter(is_there).map(|kept| kept.new).collect()
    }
}

/// What is given, each once: aliases give it many times.
fn each(nodes: impl Iterator<Item = Node>) -> Vec<Node> {
    let mut met = HashSet::new();
    nodes.filter(|&node| met.insert(node)).collect()
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
            // An alias is one again where there still is one.
            Node::Clean(file, i) if edited.arena(file).style(i) == Style::Alias => {
                Some((file, i, *written_as.get(&old)?))
            }
            Node::Clean(file, i) => {
                Some((file, i, written.follow(*written_as.get(&old)?)))
            }
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
        // An alias in what nobody touched may stand for what was filled in.
        if let Node::Clean(file, i) = from
            && from == to
            && !written.arena(file).has(i, flag::HAS_ALIAS)
        {
            continue;
        }
        let (before, after) = (written.slots(from), filled.slots(to));
        let is_other = before.len() != after.len();
        if is_other || is_use(written, from) || is_source(written, from) {
            places.extend([(is, was), (to, from)]);
            continue;
        }
        if !met.insert((from, to)) {
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
                self.stand_in(file, i, node);
                continue;
            }
            let Some(id) = self.document.open(seat, true) else { continue };
            self.stand_in(file, i, Node::Opened(id));
            let slots: Vec<_> = self.document.children(id).ids().collect();
            for at in slots {
                self.key(id, at);
                todo.push(Seat::Slot(id, at));
            }
        }
        self.document
    }

    /// What aliases of a node stand for from now on.
    fn stand_in(&mut self, file: FileId, i: Index, node: Node) {
        if self.document.arena(file).anchor(i).is_some() {
            self.document.stand_in(file, i, node);
        }
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
