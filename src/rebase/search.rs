//! The search for what an op led to in the old document, in the new one.
//!
//! A node of the old document that has no twin at the same place of the new one is
//! *vacated*; a node of the new document without a twin is *unclaimed*. Only a vacated node
//! can have moved, and only to an unclaimed one.

use std::rc::Rc;

use hashbrown::{HashMap, HashSet};

use super::bases::DocumentPair;
use super::level::{Level, Levels, SpotId};
use super::name::{LevelPart, Name, NamedChild, Trees, Way, children, name_key};
use super::trail::{ItemSearch, MAX_COMPARED};
use crate::compare::{
    Choice, ContentStore, ENOUGH, ENOUGH_EVIDENCE, ENOUGH_RENAMED, Likeness, MovedNodes,
    Side,
};
use crate::node::{Kind, NodeId};

/// Score from which a candidate is worth showing although it is not sure.
const WORTH_SHOWING: f64 = 0.1;

/// Length in bytes of a text that is not equal by chance.
const LONG_TEXT: usize = 8;

/// The place that a search found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The place in the new document.
    pub way: Way,
    /// Number of steps of the old way that it stands for.
    pub depth: usize,
    pub sure: bool,
    /// True if the node was found under another name.
    pub is_renamed: bool,
    pub why: String,
    score: f64,
}

impl Found {
    /// Returns a place that was not searched for.
    pub(super) fn certain(way: Way, why: String) -> Found {
        let depth = way.len();
        Found { way, depth, sure: true, is_renamed: false, why, score: 1.0 }
    }
}

/// The hints about something that was not found.
#[derive(Clone, Debug, Default)]
pub(super) struct NotFound {
    /// The names of new siblings, the first of them.
    pub siblings: Vec<String>,
    /// An item that it held, and the way to that.
    pub kept: Option<(String, Way)>,
    /// True if nothing in the new document can be what it was.
    pub is_certain: bool,
}

/// The result of a search; an error if the new document has no node like it.
pub(super) type SearchOutcome = Result<Found, NotFound>;

/// A search in a pair of documents.
pub(super) struct PairSearch<'a> {
    trees: Trees<'a>,
    levels: Levels<'a>,
    contents: ContentStore,
    /// The nodes of a level with one name.
    named: HashMap<(usize, Name), Rc<Pool>>,
    /// The children of a spot, items by a key.
    siblings: HashMap<(usize, usize, Option<String>), Rc<Pool>>,
    /// For a level and a vacated spot of it, what it held and the way to that.
    kept: HashMap<SpotId, Option<(String, Way)>>,
}

impl<'a> PairSearch<'a> {
    pub(super) fn new(trees: Trees<'a>, roots: [NodeId; 2]) -> PairSearch<'a> {
        PairSearch {
            trees,
            levels: Levels::new(trees, roots),
            contents: ContentStore::default(),
            named: HashMap::new(),
            siblings: HashMap::new(),
            kept: HashMap::new(),
        }
    }

    /// Searches for what `names` led to in the old document. In the new one only the first
    /// `depth` of them lead anywhere.
    pub(super) fn run(&mut self, names: &[&Name], depth: usize) -> SearchOutcome {
        let spots = self.levels.old_spots(names);
        let mut best: Option<Found> = None;
        for at in (depth + 1..spots.len()).rev() {
            let is_item = matches!(names[at - 1], Name::Item { .. });
            let named = is_item.then(|| self.by_name(spots[at], at)).flatten();
            let is_lost = at == depth + 1;
            let renamed = is_lost.then(|| self.among_siblings(spots[at], at));
            for found in [named, renamed.flatten()] {
                let Some(found) = found else { continue };
                if found.sure {
                    return Ok(found);
                }
                if best.as_ref().is_none_or(|best| found.score > best.score) {
                    best = Some(found);
                }
            }
        }
        best.ok_or_else(|| self.nothing(&spots, depth))
    }

    /// Returns the number of names that lead anywhere in the new document, of those that do
    /// in the old one; `None` if all of these do.
    pub(super) fn depth(&mut self, names: &[&Name]) -> Option<usize> {
        let spots = self.levels.old_spots(names);
        let vacated = spots.iter().position(|&id| self.levels.old(id).twin.is_none());
        vacated?.checked_sub(1)
    }

    /// Finds the node of the same name at another place of its level.
    fn by_name(&mut self, id: SpotId, depth: usize) -> Option<Found> {
        let spot = self.levels.old(id);
        let node = spot.node;
        let name = spot.name.clone();
        let is_double = spot.is_double;
        let pool = self.named(id.level, &name);
        Some(named(&pool.choose(node).filter(|_| !is_double)?, &pool, &name, depth))
    }

    /// Returns the nodes of a level that have a name.
    fn named(&mut self, level: usize, name: &Name) -> Rc<Pool> {
        let key = (level, name.clone());
        if let Some(known) = self.named.get(&key) {
            return known.clone();
        }
        let Level { old, new, .. } = self.levels.get(level);
        let all = old.named(name).iter();
        let family = all.clone().map(|&at| (name.clone(), old.spots[at].node));
        let vacated = all.filter(|&&at| old.spots[at].twin.is_none());
        let vacated: Vec<Named> =
            vacated.map(|&at| (name.clone(), old.spots[at].node)).collect();
        let unclaimed = new.named(name).iter();
        let unclaimed = unclaimed.filter(|&&at| new.spots[at].twin.is_none());
        let candidate = |&at: &usize| Candidate {
            name: name.clone(),
            node: new.spots[at].node,
            way: self.levels.way_to_new(level, at),
        };
        let pool = Rc::new(Pool::new(
            self.trees,
            &mut self.contents,
            family,
            &vacated,
            unclaimed.map(candidate).collect(),
        ));
        self.named.insert(key, pool.clone());
        pool
    }

    /// Finds the sibling that has what the node held, under a new name.
    fn among_siblings(&mut self, id: SpotId, depth: usize) -> Option<Found> {
        let here = self.levels.old(id);
        let node = here.node;
        let name = here.name.clone();
        let is_double = here.is_double;
        let pool = self.siblings(id)?;
        let choice = pool
            .choose(node)
            .filter(|choice| !is_double && choice.likeness.score() >= WORTH_SHOWING)?;
        let Likeness { evidence, shared, .. } = choice.likeness;
        let tree = self.trees[0];
        if tree.kind(node) == Kind::Scalar {
            // A short scalar that is equal, such as `true`, tells nothing.
            let is_long = tree.string(node).is_some_and(|it| it.len() >= LONG_TEXT);
            let is_evident = is_long && evidence >= 1.0;
            return is_evident.then(|| renamed(&choice, &pool, &name, depth, true));
        }
        let is_equal = pool.is_single() && choice.likeness.score() >= 1.0;
        let is_evident =
            evidence >= ENOUGH_EVIDENCE || is_equal && shared >= ENOUGH_EVIDENCE as usize;
        Some(renamed(&choice, &pool, &name, depth, is_evident))
    }

    /// Returns the siblings of a spot, itself among them, and those that stand at the same
    /// place of the new document.
    fn siblings(&mut self, id: SpotId) -> Option<Rc<Pool>> {
        let above = self.levels.get(id.level).above;
        let spot = self.levels.old(id);
        let key = (above, spot.around, spot.name.key().map(str::to_owned));
        if let Some(known) = self.siblings.get(&key) {
            return Some(known.clone());
        }
        let Level { old, new, .. } = self.levels.get(above);
        let twin = old.spots[spot.around].twin?;
        let name_key = key.2.as_deref();
        let old = children(self.trees[0], old.spots[spot.around].node, name_key);
        let new = children(self.trees[1], new.spots[twin].node, name_key);
        let around = self.levels.way_to_new(above, twin);
        let candidate = |child: &NamedChild| {
            let mut way = around.clone();
            way.push((child.name.clone(), child.position));
            Candidate { name: child.name.clone(), node: child.node, way }
        };
        let unclaimed = without(&new, &old).into_iter().map(candidate).collect();
        let vacated: Vec<Named> =
            without(&old, &new).into_iter().map(NamedChild::named).collect();
        let store = &mut self.contents;
        let family = old.iter().map(NamedChild::named);
        let pool = Rc::new(Pool::new(self.trees, store, family, &vacated, unclaimed));
        self.siblings.insert(key, pool.clone());
        Some(pool)
    }

    fn nothing(&mut self, spots: &[SpotId], depth: usize) -> NotFound {
        let Some(&lost) = spots.get(depth + 1) else { return NotFound::default() };
        let pool = self.siblings(lost);
        // Many ops may have lost one collection.
        let kept = self.kept.get(&lost).cloned();
        let kept = kept.unwrap_or_else(|| self.kept_inside(lost));
        self.kept.insert(lost, kept.clone());
        let is_certain = pool.as_ref().is_some_and(|pool| pool.counts[1] == 0)
            && kept.is_none()
            && spots[depth + 1..].iter().all(|&spot| self.is_nowhere(spot));
        let siblings = pool.map(|pool| pool.shown.clone()).unwrap_or_default();
        NotFound { siblings, kept, is_certain }
    }

    /// Returns true if no unclaimed node of the level has the name of a vacated one.
    fn is_nowhere(&self, id: SpotId) -> bool {
        let Level { old, new, .. } = self.levels.get(id.level);
        let spot = &old.spots[id.spot];
        let same = new.named(&spot.name);
        spot.twin.is_none() && same.iter().all(|&at| new.spots[at].twin.is_some())
    }

    /// Returns a named item of the lists in a vacated node that is somewhere else now.
    fn kept_inside(&mut self, id: SpotId) -> Option<(String, Way)> {
        let node = self.levels.old(id).node;
        children(self.trees[0], node, None).into_iter().find_map(|child| {
            let Name::Key(key) = child.name else { return None };
            let name_key = name_key(self.trees[0], child.node)?;
            let list = self.levels.below(id.level, LevelPart::Key(key));
            let items = LevelPart::Items(Some(name_key.to_owned()));
            let items = self.levels.below(list, items);
            let around = self.levels.get(list).old.all_in(id.spot).next()?;
            let Level { old, new, .. } = self.levels.get(items);
            old.all_in(around).find_map(|at| {
                let name = &old.spots[at].name;
                let mut unclaimed = new.named(name).iter();
                let to = unclaimed.find(|&&to| new.spots[to].twin.is_none())?;
                Some((name.shown(), self.levels.way_to_new(items, *to)))
            })
        })
    }
}

/// Returns the children of one collection whose names another one lacks.
fn without<'c>(these: &'c [NamedChild], others: &[NamedChild]) -> Vec<&'c NamedChild> {
    let others: HashSet<&Name> = others.iter().map(|it| &it.name).collect();
    these.iter().filter(|it| !others.contains(&it.name)).collect()
}

/// Returns a chosen node that kept its name.
fn named(choice: &Choice, pool: &Pool, name: &Name, depth: usize) -> Found {
    let score = choice.likeness.score();
    let shown = name.shown();
    let percent = percent(score);
    let is_single = pool.is_single();
    let sure = score >= ENOUGH && (is_single || choice.is_ahead());
    let why = match (sure, is_single) {
        (true, true) => {
            format!("the only new '{shown}' is there, and {percent} of it is equal")
        }
        (true, false) => {
            format!("of the new '{shown}' this is like it: {percent} is equal")
        }
        (false, true) => {
            format!("a new '{shown}' is there, but only {percent} of it is equal")
        }
        (false, false) => format!("there is more than one '{shown}' that may be it"),
    };
    Found { sure, why, ..found(choice, pool, depth) }
}

/// Returns a chosen node that has another name.
fn renamed(
    choice: &Choice,
    pool: &Pool,
    name: &Name,
    depth: usize,
    is_evident: bool,
) -> Found {
    let old = name.shown();
    let new = pool.unclaimed[choice.best].name.shown();
    let percent = percent(choice.likeness.score());
    let is_alike = choice.likeness.score() >= ENOUGH_RENAMED;
    let sure = is_evident && is_alike && choice.is_ahead() && !choice.is_merged;
    let why = if sure {
        format!("'{old}' is '{new}' now: {percent} of it is equal")
    } else if choice.is_merged {
        format!("what '{old}' held is in '{new}' now, with that of others")
    } else {
        format!("'{old}' may be '{new}' now: {percent} of it is equal")
    };
    Found { is_renamed: true, sure, why, ..found(choice, pool, depth) }
}

fn found(choice: &Choice, pool: &Pool, depth: usize) -> Found {
    // Of equal candidates none is better than one that is a little alike, although others
    // went there too.
    let score = choice.likeness.score() - choice.second;
    let way = pool.unclaimed[choice.best].way.clone();
    Found { way, depth, sure: false, is_renamed: false, why: String::new(), score }
}

fn percent(part: f64) -> String {
    // Rounded down: less than all is not 100 %.
    format!("{} %", (part * 100.0).floor())
}

/// The searches in the documents of two streams.
pub(super) struct Searches<'a> {
    /// The streams before any op.
    pub trees: Trees<'a>,
    /// For each pair of documents that something was searched in.
    searches: HashMap<(usize, usize), PairSearch<'a>>,
    /// The search for items that ops find by their position.
    pub items: ItemSearch,
}

impl<'a> Searches<'a> {
    pub(super) fn new(trees: Trees<'a>) -> Searches<'a> {
        Searches {
            trees,
            searches: HashMap::new(),
            items: ItemSearch { pairs_left: MAX_COMPARED },
        }
    }

    /// Searches for what `names` led to in the old document. In the new one only the first
    /// `depth` of them lead anywhere.
    pub(super) fn run(
        &mut self,
        pair: DocumentPair,
        names: &[&Name],
        depth: usize,
    ) -> SearchOutcome {
        self.of(pair).run(names, depth)
    }

    /// Searches for what `names` led to in the old document, if they lead nowhere in the
    /// new one.
    pub(super) fn run_lost(
        &mut self,
        pair: DocumentPair,
        names: &[&Name],
    ) -> Option<SearchOutcome> {
        let search = self.of(pair);
        let depth = search.depth(names)?;
        Some(search.run(names, depth))
    }

    fn of(&mut self, pair: DocumentPair) -> &mut PairSearch<'a> {
        let trees @ [old, new] = self.trees;
        let search = self.searches.entry((pair.old, pair.new));
        search.or_insert_with(|| {
            PairSearch::new(trees, [old.roots()[pair.old], new.roots()[pair.new]])
        })
    }
}

/// Maximum number of unclaimed nodes that are named.
// With more the message would be a list, and no answer.
const MAX_NAMED: usize = 3;

/// A node with its name.
pub(super) type Named = (Name, NodeId);

/// A node that may be another one, with the way to it.
pub(super) struct Candidate {
    pub name: Name,
    pub node: NodeId,
    pub way: Way,
}

/// Vacated nodes of the old document, and unclaimed ones of the new document that may be
/// the same things.
#[derive(Default)]
pub(super) struct Pool {
    /// Number of vacated and of unclaimed nodes.
    pub counts: [usize; 2],
    /// The names of the first unclaimed nodes.
    pub shown: Vec<String>,
    /// The number of each vacated node; none if there are too many to compare.
    vacated: HashMap<NodeId, usize>,
    pub unclaimed: Vec<Candidate>,
    moved: MovedNodes,
}

impl Pool {
    /// Makes a pool. What many nodes of `family` have tells little.
    pub(super) fn new(
        trees: Trees<'_>,
        store: &mut ContentStore,
        family: impl Iterator<Item = Named>,
        vacated: &[Named],
        unclaimed: Vec<Candidate>,
    ) -> Pool {
        let counts = [vacated.len(), unclaimed.len()];
        let shown = unclaimed.iter().map(|it| it.name.shown()).take(MAX_NAMED).collect();
        if !MovedNodes::are_few(vacated.len(), unclaimed.len()) {
            return Pool { counts, shown, ..Pool::default() };
        }
        let [old, new] = trees;
        let family: Vec<_> = family
            .map(|(name, node)| store.of(old, Side::Old, node, name.key()))
            .collect();
        let vacated_contents = vacated
            .iter()
            .map(|(name, node)| store.of(old, Side::Old, *node, name.key()))
            .collect();
        let unclaimed_contents = unclaimed
            .iter()
            .map(|it| store.of(new, Side::New, it.node, it.name.key()))
            .collect();
        let moved = MovedNodes::new(&family, vacated_contents, unclaimed_contents);
        let numbers = vacated.iter().enumerate().map(|(at, (_, node))| (*node, at));
        Pool { counts, shown, vacated: numbers.collect(), unclaimed, moved }
    }

    /// Chooses the unclaimed node that is most like a vacated one.
    pub(super) fn choose(&self, node: NodeId) -> Option<Choice> {
        self.moved.choose(*self.vacated.get(&node)?)
    }

    /// Returns true if there is one vacated node and one unclaimed node.
    pub(super) fn is_single(&self) -> bool {
        self.counts == [1, 1]
    }
}
