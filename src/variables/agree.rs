//! Filling in of templates, undone: a document, what it was filled in to and an edited copy
//! of that come in; the copy goes out with every template back that gives what was edited.

use std::collections::{HashMap, HashSet};

use super::unfill::{places, put};
use crate::diff::{Paired, diff_at, pair, pair_strictly};
use crate::node::{Document, Kind, Node};
use crate::source::Span;

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

/// Fills in a document.
type Fill<'a, E> = &'a mut dyn FnMut(&mut Document) -> Refilled<E>;

/// So often some places are given up, and the others tried again.
const ROUNDS: usize = 8;

/// So often some of those are tried once more.
const TRIES: usize = 16;

/// A place that says what it said.
#[derive(Clone, Copy)]
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
    pub fn agree<E>(&self, fill: Fill<'_, E>) -> Result<Agreed, E> {
        let written_as = places(self.written, self.filled, self.is_source);
        let mut lost = Vec::new();
        let mut kept = self.kept(&written_as, &mut lost);
        let is_edited = kept.iter().any(|kept| kept.why == Why::Edited);
        let first = self.put(&written_as, &kept);
        if is_edited || !self.is_written(&first) {
            let given_up = self.settle(&written_as, &mut kept, fill)?;
            let given_up = self.regain(&written_as, &mut kept, given_up, fill);
            let unedited = given_up.iter().filter(|place| place.why != Why::Edited);
            lost.extend(unedited.filter_map(|place| place.source));
        }
        let by_chance = kept.iter().filter(|kept| kept.why == Why::Chance);
        let by_chance = each(by_chance.filter_map(|kept| kept.source));
        let (document, lost) = (self.put(&written_as, &kept), each(lost.into_iter()));
        Ok(Agreed { document, by_chance, lost })
    }

    fn put(&self, written_as: &HashMap<Node, Node>, kept: &[Kept]) -> Document {
        let pairs: Vec<_> = kept.iter().map(|kept| (kept.old, kept.new)).collect();
        put(self.written, self.edited, written_as, &pairs)
    }

    /// Gives up places until all others give what was edited.
    fn settle<E>(
        &self,
        written_as: &HashMap<Node, Node>,
        kept: &mut Vec<Kept>,
        fill: Fill<'_, E>,
    ) -> Result<Vec<Kept>, E> {
        let (mut given_up, mut round) = (Vec::new(), 0);
        loop {
            let mut again = self.put(written_as, kept);
            let wrong = match fill(&mut again) {
                Ok(by_chance) => self.disagreeing(kept, &again, &by_chance),
                Err((error, spans)) => match self.failing(kept, &spans) {
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
                return Ok(given_up);
            }
            round += 1;
            given_up.extend(kept.extract_if(.., |kept| {
                let is_last = round >= ROUNDS && kept.source.is_some();
                is_last || wrong.contains(&kept.new)
            }));
        }
    }

    /// Tries places again that were given up: what each used may have been wrong only since
    /// another one stood there. Those that are given up for good.
    fn regain<E>(
        &self,
        written_as: &HashMap<Node, Node>,
        kept: &mut Vec<Kept>,
        mut given_up: Vec<Kept>,
        fill: Fill<'_, E>,
    ) -> Vec<Kept> {
        let mut todo = Vec::new();
        halve(std::mem::take(&mut given_up), &mut todo, &mut given_up);
        for _ in 0..TRIES {
            let Some(some) = todo.pop() else { break };
            let mut all = [&kept[..], &some].concat();
            let mut again = self.put(written_as, &all);
            let agrees = fill(&mut again).is_ok_and(|by_chance| {
                self.disagreeing(&mut all, &again, &by_chance).is_empty()
            });
            if agrees { *kept = all } else { halve(some, &mut todo, &mut given_up) }
        }
        given_up.extend(todo.into_iter().flatten());
        given_up
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
            let why =
                if self.by_chance.contains(&old) { Why::Chance } else { Why::Edited };
            if why == Why::Edited || self.is_alike(old, new) {
                kept.push(Kept { old, new, source: Some(was), why });
            } else {
                lost.push(was);
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

/// Puts both halves where they are `todo`, or what is no more than one place with those
/// that are `done`.
fn halve(mut all: Vec<Kept>, todo: &mut Vec<Vec<Kept>>, done: &mut Vec<Kept>) {
    if all.len() < 2 {
        done.append(&mut all);
        return;
    }
    let second = all.split_off(all.len() / 2);
    todo.extend([second, all]);
}
