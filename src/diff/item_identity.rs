//! The identities of list items, and the edits between lists of them.

use hashbrown::{HashMap, HashSet};
use similar::DiffOp;
use similar::algorithms::{Capture, Compact, Replace, hunt, myers};

use super::name::Name;

/// Maximum number of equal pairs for each item in an exact search.
// Hunt's algorithm takes time for each pair: quadratic time for repeated values.
const MAX_PAIRS_PER_ITEM: usize = 8;

/// The identity of an item: its name with the key of it, or else its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ItemIdentity<'n> {
    Name((&'n str, &'n str)),
    Value(u32),
}

impl<'n> ItemIdentity<'n> {
    /// Returns the identity of an item with this name or, without one, of this class.
    pub(super) fn of(
        name: &'n Option<Name<'_>>,
        class: impl FnOnce() -> u32,
    ) -> ItemIdentity<'n> {
        match name {
            Some(name) => ItemIdentity::Name(name.identity()),
            None => ItemIdentity::Value(class()),
        }
    }
}

/// Returns the names in both lists: no other item may take one, even for a while.
pub(super) fn common_names<'n>(
    old: &[ItemIdentity<'n>],
    new: &[ItemIdentity<'n>],
) -> HashSet<ItemIdentity<'n>> {
    let is_name = |tag: &ItemIdentity<'_>| matches!(tag, ItemIdentity::Name(_));
    let old: HashSet<_> = old.iter().copied().filter(is_name).collect();
    new.iter().copied().filter(|tag| old.contains(tag)).collect()
}

/// Returns the edits from one list to the other: around the longest common list, or by a
/// faster algorithm if many items repeat.
// `similar::capture_diff_slices` would compile four more algorithms for this type.
pub(super) fn edits(old: &[ItemIdentity<'_>], new: &[ItemIdentity<'_>]) -> Vec<DiffOp> {
    let mut hook = Compact::new(Replace::new(Capture::new()), old, new);
    let (whole_old, whole_new) = (0..old.len(), 0..new.len());
    let Ok(()) = if has_few_repeats(old, new) {
        hunt::diff(&mut hook, old, whole_old, new, whole_new)
    } else {
        myers::diff(&mut hook, old, whole_old, new, whole_new)
    };
    hook.into_inner().into_inner().into_ops()
}

/// Returns true if the pairs of equal items are not too many to look at each.
fn has_few_repeats(old: &[ItemIdentity<'_>], new: &[ItemIdentity<'_>]) -> bool {
    let mut counts: HashMap<ItemIdentity<'_>, usize> = HashMap::new();
    for &tag in old {
        *counts.entry(tag).or_default() += 1;
    }
    let pairs: usize = new.iter().map(|tag| counts.get(tag).copied().unwrap_or(0)).sum();
    pairs <= MAX_PAIRS_PER_ITEM * (old.len() + new.len())
}
