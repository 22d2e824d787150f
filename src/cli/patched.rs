//! A patched document, before it is printed.

use std::collections::BTreeSet;

use interpolate::unstable::apply::{Applied, Reach};
use interpolate::unstable::node::Tree;

use super::options::Input;
use super::side_output::SideOutput;

/// BASE, patched, filled in and evaluated.
pub struct Patched {
    pub document: Tree,
    pub side: SideOutput,
    /// The documents of the stream that are printed where not all are, by position.
    pub printed: Vec<usize>,
}

/// Returns the documents that variables and templates are evaluated in, and those that are
/// printed: with selectors, what these have chosen.
pub fn touched(
    input: &Input,
    reach: &Reach,
    applied: &Applied,
) -> (Vec<usize>, Vec<usize>) {
    let default: BTreeSet<usize> = reach.default.iter().copied().collect();
    let all: Vec<usize> = default.union(&applied.selected).copied().collect();
    let selects = !input.patching.selectors.is_empty() || input.reading.all_documents;
    if selects || applied.uses_default || applied.selected.is_empty() {
        return (all.clone(), all);
    }
    (all, applied.selected.iter().copied().collect())
}
