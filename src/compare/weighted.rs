//! The weighted alignment of two lists: which parts of the old list are which items of the
//! new one, in order. Equal items are found first; between them the most similar ones are
//! paired.

use std::ops::Range;

use super::align::UniqueElements;

/// A part of the old list: one item, or several that stay together.
pub(super) struct ListSegment {
    pub classes: Vec<u32>,
    /// True if it may be paired with an item that is similar only.
    pub flexible: bool,
}

/// Maximum number of pairs that are weighed in a gap; other parts go by position.
// Each pair takes a cell of a table and a comparison of two items. 128 changed items
// between two anchors are still weighed; two unrelated lists of thousands are not.
pub(super) const MAX_WEIGHED_PAIRS: usize = 1 << 14;

/// Weight of an item that stays as it is.
// More than any similarity: an unchanged item is never given up for a changed one.
const EQUAL_WEIGHT: u32 = 100;

/// Returns the first item of `new` that each part is paired with. `similar` returns the
/// similarity of a part and an item, less than 100; those with 0 are no pair.
pub(super) fn align_weighted(
    old: &[ListSegment],
    new: &[u32],
    similar: &mut dyn FnMut(usize, usize) -> u32,
) -> Vec<Option<usize>> {
    let mut pairs = vec![None; old.len()];
    let mut part = 0;
    let mut item = 0;
    for (next_part, next_item) in anchors(old, new) {
        let gap =
            WeightedGap { old, new, parts: part..next_part, items: item..next_item };
        gap.fill(&mut pairs, similar);
        if next_part < old.len() {
            pairs[next_part] = Some(next_item);
        }
        (part, item) = (next_part + 1, next_item + 1);
    }
    pairs
}

/// Returns the pairs of equal items that are unique in both lists and in the same order.
fn anchors(old: &[ListSegment], new: &[u32]) -> Vec<(usize, usize)> {
    let end = (old.len(), new.len());
    if old.len().saturating_mul(new.len()) <= MAX_WEIGHED_PAIRS {
        return vec![end];
    }
    let mut unique = UniqueElements::default();
    for (at, part) in old.iter().enumerate() {
        for &class in &part.classes {
            unique.add_old(class, at);
            // Of several items that stay together none is an anchor.
            if part.classes.len() > 1 {
                unique.add_old(class, at);
            }
        }
    }
    new.iter().enumerate().for_each(|(at, &class)| unique.add_new(class, at));
    let mut anchors = unique.pairs();
    anchors.push(end);
    anchors
}

struct WeightedGap<'a> {
    old: &'a [ListSegment],
    new: &'a [u32],
    parts: Range<usize>,
    items: Range<usize>,
}

impl WeightedGap<'_> {
    fn fill(
        mut self,
        pairs: &mut [Option<usize>],
        similar: &mut dyn FnMut(usize, usize) -> u32,
    ) {
        while !self.parts.is_empty() && !self.items.is_empty() {
            let part = self.parts.start;
            if !self.stands(part, self.items.start) {
                break;
            }
            pairs[part] = Some(self.items.start);
            self.parts.start += 1;
            self.items.start += self.old[part].classes.len();
        }
        while !self.parts.is_empty() && !self.items.is_empty() {
            let part = self.parts.end - 1;
            let len = self.old[part].classes.len();
            let item = self.items.end.checked_sub(len).filter(|&i| i >= self.items.start);
            let Some(item) = item.filter(|&item| self.stands(part, item)) else { break };
            pairs[part] = Some(item);
            (self.parts.end, self.items.end) = (part, item);
        }
        if self.parts.len().saturating_mul(self.items.len()) > MAX_WEIGHED_PAIRS {
            return self.pair_by_position(pairs);
        }
        self.pair_by_weight(pairs, similar);
    }

    /// Returns true if a part stands at an item unchanged.
    fn stands(&self, part: usize, item: usize) -> bool {
        let classes = &self.old[part].classes;
        let end = (item + classes.len()).min(self.items.end);
        !classes.is_empty() && self.new[item..end] == classes[..]
    }

    fn pair_by_position(&self, pairs: &mut [Option<usize>]) {
        let flexible = self.parts.clone().filter(|&part| self.old[part].flexible);
        for (part, item) in flexible.zip(self.items.clone()) {
            pairs[part] = Some(item);
        }
    }

    /// Finds the heaviest of all ways to pair parts and items in order.
    fn pair_by_weight(
        &self,
        pairs: &mut [Option<usize>],
        similar: &mut dyn FnMut(usize, usize) -> u32,
    ) {
        let cells = (self.parts.len() + 1) * (self.items.len() + 1);
        let mut best = vec![(0_u32, Advance::Item); cells];
        for part in self.parts.clone().rev() {
            let len = self.old[part].classes.len();
            for item in (self.items.start..=self.items.end).rev() {
                let mut choice = (best[self.cell(part + 1, item)].0, Advance::Part);
                if item < self.items.end {
                    let skip = best[self.cell(part, item + 1)].0;
                    if skip > choice.0 {
                        choice = (skip, Advance::Item);
                    }
                    let (weight, len) = if self.stands(part, item) {
                        (EQUAL_WEIGHT * len as u32, len)
                    } else if self.old[part].flexible {
                        (similar(part, item), 1)
                    } else {
                        (0, 1)
                    };
                    let with = weight + best[self.cell(part + 1, item + len)].0;
                    if weight > 0 && with >= choice.0 {
                        choice = (with, Advance::Both(len));
                    }
                }
                best[self.cell(part, item)] = choice;
            }
        }
        let mut part = self.parts.start;
        let mut item = self.items.start;
        while part < self.parts.end && item < self.items.end {
            match best[self.cell(part, item)].1 {
                Advance::Part => part += 1,
                Advance::Item => item += 1,
                Advance::Both(len) => {
                    pairs[part] = Some(item);
                    (part, item) = (part + 1, item + len);
                }
            }
        }
    }

    /// Returns the cell of a part and an item in the table of the best ways.
    fn cell(&self, part: usize, item: usize) -> usize {
        let row = part - self.parts.start;
        row * (self.items.len() + 1) + item - self.items.start
    }
}

/// The part or item that the best way passes over next.
#[derive(Clone, Copy)]
enum Advance {
    Part,
    Item,
    Both(usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(old: &[&[u32]], new: &[u32]) -> Vec<Option<usize>> {
        let old: Vec<ListSegment> = old
            .iter()
            .map(|classes| ListSegment {
                classes: classes.to_vec(),
                flexible: classes.len() == 1,
            })
            .collect();
        align_weighted(&old, new, &mut |_, _| 1)
    }

    #[test]
    fn parts_find_their_items() {
        assert_eq!(pairs(&[&[1], &[2], &[3]], &[1, 3]), [Some(0), None, Some(1)]);
        assert_eq!(pairs(&[&[1], &[2]], &[9, 1, 2]), [Some(1), Some(2)]);
        assert_eq!(
            pairs(&[&[1], &[2, 3], &[4]], &[1, 2, 2, 3, 4]),
            [Some(0), Some(2), Some(4)]
        );
        assert_eq!(
            pairs(&[&[1], &[2, 3], &[4]], &[1, 2, 9, 4]),
            [Some(0), None, Some(3)]
        );
        assert_eq!(pairs(&[&[1], &[2]], &[1, 9]), [Some(0), Some(1)]);
    }

    #[test]
    fn long_lists_are_not_weighed() {
        let old: Vec<ListSegment> = (0..100_000)
            .map(|class| ListSegment { classes: vec![class], flexible: true })
            .collect();
        let new: Vec<u32> = (0..100_000).filter(|i| i % 1000 != 7).collect();
        let pairs = align_weighted(&old, &new, &mut |_, _| 1);
        assert!(pairs.iter().zip(0..).all(|(pair, i)| pair.is_none() == (i % 1000 == 7)));
    }
}
