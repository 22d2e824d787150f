//! The entries of a text of yaml.v2 that a later `<<` of their mapping overrides. In the other
//! dialects such an entry overrides the `<<`.

use hashbrown::{HashMap, HashSet};

use crate::arena::{Arena, Index, flag};
use crate::scalar::Identity;

/// Returns the keys of the entries that a later `<<` overrides.
// Each mapping hands its keys on to the one that merges it, the smaller set into the larger
// one, so that a chain of mappings takes little more than linear time. Sets of mappings that
// are merged more than once are kept; yaml.v2 bounds how much aliases may repeat.
pub(super) fn overridden_keys(arena: &Arena) -> HashSet<Index> {
    let mut search = Search::new(arena);
    search.count_uses();
    if !search.uses.is_empty() {
        search.run();
    }
    search.overridden
}

/// The keys that a mapping provides, own ones and those of its sources.
#[derive(Default)]
struct KeySet<'a> {
    keys: HashSet<Identity<'a>>,
    /// The numbers of kept sets that are parts of this one.
    kept: Vec<usize>,
}

struct Search<'a> {
    arena: &'a Arena,
    /// How often each source of a `<<` is still to be merged.
    uses: HashMap<Index, usize>,
    /// The keys of the sources that are complete.
    provided: HashMap<Index, KeySet<'a>>,
    /// The sets of sources that are merged several times.
    kept: Vec<KeySet<'a>>,
    overridden: HashSet<Index>,
}

impl<'a> Search<'a> {
    fn new(arena: &'a Arena) -> Search<'a> {
        Search {
            arena,
            uses: HashMap::new(),
            provided: HashMap::new(),
            kept: Vec::new(),
            overridden: HashSet::new(),
        }
    }

    fn count_uses(&mut self) {
        let arena = self.arena;
        let mappings = arena.indices().filter(|&i| arena.style(i).is_mapping());
        for (key, value) in mappings.flat_map(|mapping| arena.entries(mapping)) {
            if arena.has(key, flag::MERGE_KEY) {
                for source in self.sources(value) {
                    *self.uses.entry(source).or_default() += 1;
                }
            }
        }
    }

    /// Looks at each mapping once all nodes in it were looked at. The source of an alias is
    /// complete before the alias.
    fn run(&mut self) {
        let mut open = Vec::new();
        for i in self.arena.indices().chain([self.arena.indices().end]) {
            while let Some(mapping) = open.pop_if(|&mut at| self.arena.next(at) <= i) {
                self.close(mapping);
            }
            if i < self.arena.indices().end && self.arena.style(i).is_mapping() {
                open.push(i);
            }
        }
    }

    /// Finds the overridden entries of a mapping.
    fn close(&mut self, mapping: Index) {
        let arena = self.arena;
        let is_source = self.uses.contains_key(&mapping);
        let merges = |&(key, _): &(Index, Index)| arena.has(key, flag::MERGE_KEY);
        if !is_source && !arena.entries(mapping).any(|entry| merges(&entry)) {
            return;
        }
        let entries: Vec<(Index, Index)> = arena.entries(mapping).collect();
        let (mut later, mut own) = (KeySet::default(), Vec::new());
        for entry in entries.into_iter().rev() {
            let (key, value) = entry;
            if merges(&entry) {
                for source in self.sources(value) {
                    self.merge(source, &mut later);
                }
                continue;
            }
            let identity = arena.scalar(key).identity();
            if self.has(&later, &identity) {
                self.overridden.insert(key);
            }
            own.push(identity);
        }
        if is_source {
            later.keys.extend(own);
            self.provided.insert(mapping, later);
        }
    }

    /// Returns the mappings that the value of a `<<` merges.
    fn sources(&self, value: Index) -> Vec<Index> {
        let arena = self.arena;
        let value = arena.target(value);
        let all = match arena.style(value) {
            style if style.is_sequence() => arena.children(value).collect(),
            _ => vec![value],
        };
        let sources = all.into_iter().map(|source| arena.target(source));
        sources.filter(|&source| arena.style(source).is_mapping()).collect()
    }

    /// Adds the keys of a source to a set.
    fn merge(&mut self, source: Index, into: &mut KeySet<'a>) {
        let Some(left) = self.uses.get_mut(&source) else { return };
        *left -= 1;
        let is_last = *left == 0;
        let Some(mut set) = self.provided.remove(&source) else { return };
        if !is_last {
            // The set is kept once, and a set without keys stands for it from then on.
            if !set.keys.is_empty() {
                self.kept.push(std::mem::take(&mut set));
                set.kept.push(self.kept.len() - 1);
            }
            into.kept.extend(&set.kept);
            self.provided.insert(source, set);
            return;
        }
        if set.keys.len() > into.keys.len() {
            std::mem::swap(&mut set, into);
        }
        into.keys.extend(set.keys);
        into.kept.extend(set.kept);
    }

    fn has(&self, set: &KeySet<'a>, key: &Identity<'a>) -> bool {
        let (mut todo, mut met) = (vec![set], HashSet::new());
        while let Some(set) = todo.pop() {
            if set.keys.contains(key) {
                return true;
            }
            let new = set.kept.iter().filter(|&&at| met.insert(at));
            todo.extend(new.map(|&at| &self.kept[at]));
        }
        false
    }
}
