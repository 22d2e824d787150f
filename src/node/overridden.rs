//! The entries of a text of yaml.v2 that a later `<<` of their mapping overrides. In the other
//! dialects such an entry overrides the `<<`.

use hashbrown::{HashMap, HashSet};

use crate::arena::{Arena, Index, flag};
use crate::scalar::Identity;

/// Returns the keys of the entries that a later `<<` overrides.
// Each mapping hands its keys on to the one that merges it, the smaller set into the larger
// one, so that a chain of mappings takes little more than linear time. Keys are copied for
// aliases only, of which yaml.v2 accepts no text that repeats too much by them.
pub(super) fn overridden_keys(arena: &Arena) -> HashSet<Index> {
    let mut search = OverriddenSearch {
        arena,
        uses: HashMap::new(),
        provided: HashMap::new(),
        overridden: HashSet::new(),
    };
    search.count_uses();
    if !search.uses.is_empty() {
        search.run();
    }
    search.overridden
}

/// The keys that a mapping provides, own ones and those of its sources.
type Keys<'a> = HashSet<Identity<'a>>;

struct OverriddenSearch<'a> {
    arena: &'a Arena,
    /// The number of merges that are left of each source of a `<<`.
    uses: HashMap<Index, usize>,
    /// The keys of the sources that are complete.
    provided: HashMap<Index, Keys<'a>>,
    overridden: HashSet<Index>,
}

impl<'a> OverriddenSearch<'a> {
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
        let mut keys = arena.entries(mapping).map(|(key, _)| key);
        if !is_source && !keys.any(|key| arena.has(key, flag::MERGE_KEY)) {
            return;
        }
        let entries: Vec<(Index, Index)> = arena.entries(mapping).collect();
        let mut later = Keys::default();
        let mut own = Vec::new();
        for (key, value) in entries.into_iter().rev() {
            if arena.has(key, flag::MERGE_KEY) {
                for source in self.sources(value) {
                    self.merge(source, &mut later);
                }
                continue;
            }
            let identity = arena.scalar(key).identity();
            if later.contains(&identity) {
                self.overridden.insert(key);
            }
            own.push(identity);
        }
        if is_source {
            later.extend(own);
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

    /// Adds the keys of a source to those of other sources.
    fn merge(&mut self, source: Index, into: &mut Keys<'a>) {
        let Some(left) = self.uses.get_mut(&source) else { return };
        *left -= 1;
        if *left > 0 {
            into.extend(self.provided.get(&source).into_iter().flatten().cloned());
            return;
        }
        let mut keys = self.provided.remove(&source).unwrap_or_default();
        if keys.len() > into.len() {
            std::mem::swap(&mut keys, into);
        }
        into.extend(keys);
    }
}
