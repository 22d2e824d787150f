//! The searches in all pairs of documents.

use hashbrown::HashMap;

use super::bases::{Pair, Trees};
use super::item_place::ItemSearch;
use super::name::Name;
use super::search::{Outcome, Search};

/// The searches in the documents of two streams.
pub(super) struct Searches<'a> {
    /// The streams before any op.
    pub trees: Trees<'a>,
    /// For each pair of documents that something was searched in.
    searches: HashMap<(usize, usize), Search>,
    /// The search for items that ops find by their position.
    pub items: ItemSearch,
}

impl<'a> Searches<'a> {
    pub(super) fn new(trees: Trees<'a>) -> Searches<'a> {
        Searches { trees, searches: HashMap::new(), items: ItemSearch::new() }
    }

    /// Searches for what `names` led to in the old document. In the new one only the first
    /// `depth` of them lead anywhere.
    pub(super) fn run(&mut self, pair: Pair, names: &[&Name], depth: usize) -> Outcome {
        let trees = self.trees;
        self.of(pair).run(trees, names, depth)
    }

    /// Searches for what `names` led to in the old document, if they lead nowhere in the
    /// new one.
    pub(super) fn run_lost(&mut self, pair: Pair, names: &[&Name]) -> Option<Outcome> {
        let trees = self.trees;
        let search = self.of(pair);
        let depth = search.depth(trees, names)?;
        Some(search.run(trees, names, depth))
    }

    fn of(&mut self, pair: Pair) -> &mut Search {
        let [old, new] = self.trees;
        let roots = || [old.roots()[pair.old], new.roots()[pair.new]];
        let search = self.searches.entry((pair.old, pair.new));
        search.or_insert_with(|| Search::new(roots()))
    }
}
