//! Which documents or items of two versions belong together.

use std::collections::{BTreeMap, BTreeSet};

use hashbrown::HashSet;

use super::features::Features;

/// The documents of two streams or the items of two lists, both called nodes here, as far as
/// it is sure which belong together.
pub(super) struct Pairing<'m> {
    features: [&'m Features; 2],
    /// The node of the other version that each node belongs to.
    partners: [Vec<Option<usize>>; 2],
    /// True for the nodes that the entries and keys pair with several.
    is_contested: [Vec<bool>; 2],
}

impl<'m> Pairing<'m> {
    /// Pairs nodes by name; those without one by value, then by the entries and keys that
    /// they alone have; and between these by place.
    pub(super) fn of(features: [&'m Features; 2]) -> Pairing<'m> {
        let partners = features.map(|features| vec![None; features.len()]);
        let is_contested = features.map(|features| vec![false; features.len()]);
        let mut pairing = Pairing { features, partners, is_contested };
        pairing.by_number(|features, at| features.names[at]);
        pairing.by_number(|features, at| Some(features.values[at]));
        pairing.by_parts();
        pairing.by_place();
        pairing
    }

    /// Returns the old node that each new one belongs to.
    pub(super) fn into_old(self) -> Vec<Option<usize>> {
        let [_, of_new] = self.partners;
        of_new
    }

    /// Pairs nodes of equal numbers, if both versions have as many of them.
    fn by_number(&mut self, number: impl Fn(&Features, usize) -> Option<u32>) {
        let [old, new] = [0, 1].map(|side| {
            let mut places = BTreeMap::<u32, Vec<usize>>::new();
            let left =
                (0..self.features[side].len()).filter(|&at| self.is_left(side, at));
            for at in left {
                if let Some(number) = number(self.features[side], at) {
                    places.entry(number).or_default().push(at);
                }
            }
            places
        });
        for (number, old) in old {
            let Some(new) = new.get(&number) else { continue };
            if old.len() == new.len() {
                old.iter().zip(new).for_each(|(&old, &new)| self.pair([old, new]));
            }
        }
    }

    /// Pairs nodes that alone have an entry or a key, unless another part says otherwise.
    fn by_parts(&mut self) {
        let [old, new] = self.features.map(owners);
        let pair = |(part, owner): (_, &Option<usize>)| {
            let pair = [(*owner)?, (*new.get(part)?)?];
            self.may_pair(pair).then_some(pair)
        };
        let pairs: BTreeSet<[usize; 2]> = old.iter().filter_map(pair).collect();
        let counts = [0, 1].map(|side| {
            let mut counts = BTreeMap::<usize, usize>::new();
            for pair in &pairs {
                *counts.entry(pair[side]).or_default() += 1;
            }
            counts
        });
        for [old, new] in pairs {
            if counts[0][&old] == 1 && counts[1][&new] == 1 {
                self.pair([old, new]);
            } else {
                self.is_contested[0][old] = true;
                self.is_contested[1][new] = true;
            }
        }
    }

    /// Pairs what is left between two pairs, if both versions have as many nodes there.
    fn by_place(&mut self) {
        let old = self.features[0].len();
        let mut from = 0;
        while from < old {
            let is_paired = |&at: &usize| !self.is_left(0, at);
            let to = (from..old).find(is_paired).unwrap_or(old);
            if let Some(start) = self.opposite(from, to) {
                (from..to).zip(start..).for_each(|(old, new)| self.pair([old, new]));
            }
            from = to + 1;
        }
    }

    /// Returns where the new nodes begin that stand in the place of old ones, of which
    /// there are as many.
    fn opposite(&self, from: usize, to: usize) -> Option<usize> {
        let [of_old, of_new] = &self.partners;
        let start = match from.checked_sub(1) {
            Some(before) => of_old[before]? + 1,
            None => 0,
        };
        let end = match of_old.get(to) {
            Some(after) => (*after)?,
            None => of_new.len(),
        };
        let has_as_many = end.checked_sub(start) == Some(to - from);
        let fits = |(old, new): (usize, usize)| {
            let is_contested = self.is_contested[0][old] || self.is_contested[1][new];
            !is_contested && self.may_pair([old, new]) && self.has_common_part([old, new])
        };
        (has_as_many && (from..to).zip(start..).all(fits)).then_some(start)
    }

    /// Returns true if two nodes are left, and do not have two names.
    fn may_pair(&self, [old, new]: [usize; 2]) -> bool {
        let [before, after] = self.features;
        let are_named = before.names[old].is_some() && after.names[new].is_some();
        self.is_left(0, old) && self.is_left(1, new) && !are_named
    }

    /// Returns true unless two nodes are mappings without a common key.
    fn has_common_part(&self, [old, new]: [usize; 2]) -> bool {
        let [old, new] = [&self.features[0].parts[old], &self.features[1].parts[new]];
        let known: HashSet<_> = old.iter().collect();
        old.is_empty() || new.is_empty() || new.iter().any(|part| known.contains(part))
    }

    fn is_left(&self, side: usize, at: usize) -> bool {
        self.partners[side][at].is_none()
    }

    fn pair(&mut self, [old, new]: [usize; 2]) {
        self.partners[0][old] = Some(new);
        self.partners[1][new] = Some(old);
    }
}

/// Returns the node that has each part; `None` for a part that several have.
fn owners(features: &Features) -> BTreeMap<(u32, Option<u32>), Option<usize>> {
    let mut owners = BTreeMap::new();
    for (at, parts) in features.parts.iter().enumerate() {
        for &part in parts {
            let owner = owners.entry(part).or_insert(Some(at));
            *owner = owner.filter(|&owner| owner == at);
        }
    }
    owners
}
