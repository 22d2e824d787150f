//! The alignment of two sequences: a long common subsequence of both.

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
        if length <= EXACT {
            return self.compare(a, b);
        }
        let anchors = self.anchors(&a, &b);
        if !anchors.is_empty() {
            self.split(a, b, anchors);
        } else if length.saturating_mul(length) <= self.work {
            self.work -= length * length;
            self.compare(a, b);
        }
    }

    /// Compares two stretches exactly.
    fn compare(&mut self, a: Range<usize>, b: Range<usize>) {
        let (old, new) = (self.old, self.new);
        let mut hook = Compact::new(Replace::new(Capture::new()), old, new);
        let Ok(()) = myers::diff(&mut hook, old, a, new, b);
        for op in hook.into_inner().into_inner().into_ops() {
            if let DiffOp::Equal { old_index, new_index, len } = op {
                self.pairs.extend((0..len).map(|at| (old_index + at, new_index + at)));
            }
        }
    }

    /// Returns the longest ascending sequence of elements that occur once in both.
    fn anchors(&self, a: &Range<usize>, b: &Range<usize>) -> Vec<(usize, usize)> {
        let mut places: HashMap<u32, (usize, usize, usize, usize)> = HashMap::new();
        for at in a.clone() {
            let place = places.entry(self.old[at]).or_default();
            (place.0, place.1) = (place.0 + 1, at);
        }
        for at in b.clone() {
            if let Some(place) = places.get_mut(&self.new[at]) {
                (place.2, place.3) = (place.2 + 1, at);
            }
        }
        let single = a.clone().filter_map(|at| match places.get(&self.old[at]) {
            Some(&(1, _, 1, there)) => Some((at, there)),
            _ => None,
        });
        ascending(&single.collect::<Vec<_>>())
    }

    fn split(&mut self, a: Range<usize>, b: Range<usize>, anchors: Vec<(usize, usize)>) {
        let (mut from, mut to) = (a.start, b.start);
        for (i, j) in anchors {
            self.todo.push((from..i, to..j));
            self.pairs.push((i, j));
            (from, to) = (i + 1, j + 1);
        }
        self.todo.push((from..a.end, to..b.end));
    }
}

/// Returns a longest part of some pairs, whose first numbers ascend, in which the second
/// ones ascend too.
pub(crate) fn ascending(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length, the pair with the smallest end of a sequence of this length.
    let (mut ends, mut before) = (Vec::<usize>::new(), vec![None; pairs.len()]);
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
