//! The alignment of two sequences: a long common subsequence of both.
//!
//! The elements are numbers: of lines, of names, of classes of values ([`Numbering`]).

use std::hash::Hash;
use std::ops::Range;

use hashbrown::HashMap;
use similar::DiffOp;
use similar::algorithms::{Capture, Compact, Replace, myers};

/// Maximum length of two sequences, together, that are always compared exactly.
// The exact algorithm takes quadratic time in the worst case. This is the length up to
// which that is a matter of microseconds.
const EXACT: usize = 512;

/// Work that may be spent beside a constant amount for each element.
// About a tenth of a second: two texts of a few thousand lines that have nothing in common
// are still compared exactly.
const SPARE_WORK: usize = 20_000_000;

/// Work that may be spent for each element.
const WORK_PER_ELEMENT: usize = 64;

/// Returns ascending pairs of positions at which both sequences have the same element. The
/// longest common subsequence of long sequences without rare elements is not searched for.
pub(crate) fn align(old: &[u32], new: &[u32]) -> Vec<(usize, usize)> {
    let work = WORK_PER_ELEMENT * (old.len() + new.len()) + SPARE_WORK;
    let todo = vec![(0..old.len(), 0..new.len())];
    let mut alignment = Alignment { old, new, pairs: Vec::new(), todo, work };
    while let Some((a, b)) = alignment.todo.pop() {
        alignment.step(a, b);
    }
    alignment.pairs.sort_unstable();
    alignment.pairs
}

struct Alignment<'a> {
    old: &'a [u32],
    new: &'a [u32],
    pairs: Vec<(usize, usize)>,
    /// The stretches that are not compared yet.
    todo: Vec<(Range<usize>, Range<usize>)>,
    /// Work that may still be spent.
    work: usize,
}

impl Alignment<'_> {
    fn step(&mut self, mut a: Range<usize>, mut b: Range<usize>) {
        while !a.is_empty() && !b.is_empty() && self.old[a.start] == self.new[b.start] {
            self.pairs.push((a.start, b.start));
            (a.start, b.start) = (a.start + 1, b.start + 1);
        }
        while !a.is_empty() && !b.is_empty() && self.old[a.end - 1] == self.new[b.end - 1]
        {
            (a.end, b.end) = (a.end - 1, b.end - 1);
            self.pairs.push((a.end, b.end));
        }
        let length = a.len() + b.len();
        if a.is_empty() || b.is_empty() || length > self.work {
            return;
        }
        self.work -= length;
        let unique = self.unique_elements(&a, &b);
        if !unique.has_repeats() {
            return self.pairs.extend(unique.pairs());
        }
        if length <= EXACT {
            return self.compare(a, b);
        }
        let anchors = unique.pairs();
        if !anchors.is_empty() {
            self.split(a, b, anchors);
        } else if length.saturating_mul(length) <= self.work {
            self.work -= length * length;
            self.compare(a, b);
        }
    }

    /// Compares two stretches exactly.
    fn compare(&mut self, a: Range<usize>, b: Range<usize>) {
        let Alignment { old, new, .. } = *self;
        let mut hook = Compact::new(Replace::new(Capture::new()), old, new);
        let Ok(()) = myers::diff(&mut hook, old, a, new, b);
        for op in hook.into_inner().into_inner().into_ops() {
            if let DiffOp::Equal { old_index, new_index, len } = op {
                self.pairs.extend((0..len).map(|at| (old_index + at, new_index + at)));
            }
        }
    }

    fn unique_elements(&self, a: &Range<usize>, b: &Range<usize>) -> UniqueElements {
        let mut unique = UniqueElements::default();
        a.clone().for_each(|at| unique.add_old(self.old[at], at));
        b.clone().for_each(|at| unique.add_new(self.new[at], at));
        unique
    }

    fn split(&mut self, a: Range<usize>, b: Range<usize>, anchors: Vec<(usize, usize)>) {
        self.pairs.extend(&anchors);
        let starts = anchors.iter().map(|&(i, j)| (i + 1, j + 1));
        let ends = anchors.iter().copied().chain([(a.end, b.end)]);
        let stretches = [(a.start, b.start)].into_iter().chain(starts).zip(ends);
        self.todo.extend(stretches.map(|((from, to), (i, j))| (from..i, to..j)));
    }
}

/// The elements of two sequences, with their positions.
#[derive(Default)]
pub(super) struct UniqueElements {
    places: HashMap<u32, Places>,
    /// The elements of the old sequence, in order.
    order: Vec<u32>,
}

/// The number of times that an element occurs in both sequences, and where it does last.
#[derive(Default)]
struct Places {
    old_count: usize,
    old: usize,
    new_count: usize,
    new: usize,
}

impl UniqueElements {
    /// Adds an element of the old sequence, whose positions ascend.
    pub(super) fn add_old(&mut self, element: u32, at: usize) {
        let places = self.places.entry(element).or_default();
        places.old_count += 1;
        places.old = at;
        self.order.push(element);
    }

    /// Adds an element of the new sequence. What the old one lacks has no partner.
    pub(super) fn add_new(&mut self, element: u32, at: usize) {
        if let Some(places) = self.places.get_mut(&element) {
            places.new_count += 1;
            places.new = at;
        }
    }

    /// Returns true if an element of both sequences is repeated in one of them. If none is, a
    /// longest common subsequence is a longest ascending sequence of pairs.
    fn has_repeats(&self) -> bool {
        self.places.values().any(|it| it.new_count > 0 && it.old_count + it.new_count > 2)
    }

    /// Returns a longest ascending sequence of the pairs of elements that occur once in both.
    pub(super) fn pairs(&self) -> Vec<(usize, usize)> {
        let places = self.order.iter().filter_map(|it| self.places.get(it));
        let unique = places.filter(|it| it.old_count == 1 && it.new_count == 1);
        ascending(&unique.map(|it| (it.old, it.new)).collect::<Vec<_>>())
    }
}

/// Returns a longest part of some pairs, whose first numbers ascend, in which the second
/// ones ascend too.
pub(crate) fn ascending(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length, the pair with the smallest end of a sequence of this length.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; pairs.len()];
    for (at, &(_, there)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < there);
        before[at] = length.checked_sub(1).map(|shorter| ends[shorter]);
        if length < ends.len() {
            ends[length] = at;
        } else {
            ends.push(at);
        }
    }
    let mut at = ends.last().copied();
    let mut longest = Vec::with_capacity(ends.len());
    while let Some(found) = at {
        longest.push(pairs[found]);
        at = before[found];
    }
    longest.reverse();
    longest
}

/// Returns the number of elements that begin both sequences, and of others that end both.
pub(crate) fn common_ends<T>(
    old: &[T],
    new: &[T],
    is_same: impl Fn(&T, &T) -> bool,
) -> [usize; 2] {
    let first = old.iter().zip(new).take_while(|(a, b)| is_same(a, b)).count();
    let rest = old[first..].iter().rev().zip(new[first..].iter().rev());
    [first, rest.take_while(|(a, b)| is_same(a, b)).count()]
}

/// The ranges of two sequences between two aligned pairs; one may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnalignedRanges {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

/// Returns what is between the pairs of an alignment of sequences of these lengths.
pub(crate) fn unaligned(
    pairs: &[(usize, usize)],
    old: usize,
    new: usize,
) -> Vec<UnalignedRanges> {
    let mut ranges = Vec::new();
    let mut from = UnalignedRanges { old: 0..0, new: 0..0 };
    for &(i, j) in pairs.iter().chain([&(old, new)]) {
        let between = UnalignedRanges { old: from.old.end..i, new: from.new.end..j };
        from = UnalignedRanges { old: i..i + 1, new: j..j + 1 };
        if !(between.old.is_empty() && between.new.is_empty()) {
            ranges.push(between);
        }
    }
    ranges
}

/// The numbers of things: equal ones have the same.
pub(crate) struct Numbering<T>(HashMap<T, u32>);

impl<T: Eq + Hash> Default for Numbering<T> {
    fn default() -> Self {
        Numbering(HashMap::new())
    }
}

impl<T: Eq + Hash> Numbering<T> {
    /// Returns the number of a thing.
    pub(crate) fn of(&mut self, thing: T) -> u32 {
        let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        *self.0.entry(thing).or_insert(next)
    }

    /// Returns the numbers of the things in some lists.
    pub(crate) fn each<const N: usize>(lists: [&[T]; N]) -> [Vec<u32>; N]
    where
        T: Copy,
    {
        let mut numbers = Numbering::default();
        lists.map(|list| numbers.all(list.iter().copied()))
    }

    /// Returns the numbers of some things.
    pub(crate) fn all(&mut self, things: impl IntoIterator<Item = T>) -> Vec<u32> {
        things.into_iter().map(|thing| self.of(thing)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_stand_between_the_pairs() {
        let gap = |old, new| UnalignedRanges { old, new };
        assert_eq!(
            unaligned(&[(1, 0), (2, 1)], 3, 4),
            [gap(0..1, 0..0), gap(3..3, 2..4)]
        );
        assert_eq!(unaligned(&[(0, 0)], 1, 1), []);
        assert_eq!(unaligned(&[], 0, 2), [gap(0..0, 0..2)]);
    }
}
