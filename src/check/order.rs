//! The rule `op-order`: pairs of ops-files that do not commute on these documents.
//!
//! The run of an op tells what it reads and writes. Only pairs in which one file writes
//! what the other one reads or writes are tried in the other order.

use std::collections::BTreeMap;
use std::ops::Range;

use super::finding::Finding;
use super::rule::Rule;
use super::trace::{Subject, TouchedPlace, Trace, reads, shown};
use crate::apply::{self, OpsBudget};
use crate::compare::{Side, Values};
use crate::diagnostic::Diagnostic;
use crate::node::Tree;
use crate::patch::{Op, Origin, Patch};
use crate::source::{FileId, Span};

/// Maximum number of pairs that are tried: each takes two runs of both files.
// Fifteen files that all touch the same place are as many pairs.
const MAX_TRIED: usize = 100;

/// A pair of ops that touch the same place, in different files.
struct FilePair {
    files: (usize, usize),
    ops: (usize, usize),
    place: TouchedPlace,
}

/// The effect of the other order.
enum Swapped {
    Same,
    Differs,
    /// The op of this number fails.
    Fails(usize),
}

/// Returns a finding for each pair of ops-files whose order matters in a subject. The order
/// of the items that both add to one list does not count. The ops of `overwritten` are
/// reported already.
pub(super) fn find(
    patch: &Patch,
    traces: &[(&Subject, Trace)],
    overwritten: &[usize],
    budget: &mut OpsBudget,
) -> Vec<Finding> {
    let files = files(patch);
    let mut findings: BTreeMap<(usize, usize), Finding> = BTreeMap::new();
    for (subject, trace) in traces {
        for pair in pairs(patch, trace, &files, overwritten).into_iter().take(MAX_TRIED) {
            if findings.contains_key(&pair.files) {
                continue;
            }
            let trial = OrderTrial { patch, subject, budget };
            let swapped = trial.swap(&files, &pair);
            if let Some(finding) = finding(patch, &pair, &swapped) {
                findings.insert(pair.files, finding);
            }
        }
    }
    findings.into_values().collect()
}

/// Returns the file that an op was written in.
pub(super) fn file_of(op: &Op) -> Option<FileId> {
    op.origin.map(|origin| origin.span.file)
}

/// Returns the ops of each file, in order.
pub(super) fn files(patch: &Patch) -> Vec<Range<usize>> {
    let mut start = 0;
    let chunks = patch.ops.chunk_by(|one, next| file_of(one) == file_of(next));
    let ranges = chunks.map(|ops| {
        start += ops.len();
        start - ops.len()..start
    });
    ranges.collect()
}

/// Returns the first pair of ops of each two files that touch the same place.
fn pairs(
    patch: &Patch,
    trace: &Trace,
    files: &[Range<usize>],
    overwritten: &[usize],
) -> Vec<FilePair> {
    let mut touched = Touched::default();
    let mut pairs: BTreeMap<(usize, usize), FilePair> = BTreeMap::new();
    for (file, range) in files.iter().enumerate() {
        for number in range.clone() {
            let mut met = Vec::new();
            for place in &trace.ops[number].writes {
                met.extend(touched.meeting_write(place));
            }
            for read in reads(&patch.ops[number]) {
                met.extend(touched.writes_at(&read.place, read.whole));
            }
            for (other, place) in met {
                let earlier = files.partition_point(|it| it.end <= other);
                if earlier < file {
                    let pair =
                        FilePair { files: (earlier, file), ops: (other, number), place };
                    pairs.entry((earlier, file)).or_insert(pair);
                }
            }
        }
        for number in range.clone().filter(|number| !overwritten.contains(number)) {
            touched.add(patch, trace, number);
        }
    }
    pairs.into_values().collect()
}

/// The places that earlier files touch, with one op each.
#[derive(Default)]
struct Touched {
    writes: BTreeMap<TouchedPlace, usize>,
    reads: BTreeMap<TouchedPlace, usize>,
    /// The reads that look at all that is inside.
    whole: BTreeMap<TouchedPlace, usize>,
}

impl Touched {
    fn add(&mut self, patch: &Patch, trace: &Trace, number: usize) {
        for place in &trace.ops[number].writes {
            self.writes.entry(place.clone()).or_insert(number);
        }
        for read in reads(&patch.ops[number]) {
            let reads = if read.whole { &mut self.whole } else { &mut self.reads };
            reads.entry(read.place).or_insert(number);
        }
    }

    /// Returns an op for each kind of touch that a write at `place` meets.
    fn meeting_write(&self, place: &TouchedPlace) -> Vec<(usize, TouchedPlace)> {
        let met = [
            around(&self.writes, place),
            inside(&self.writes, place),
            inside(&self.reads, place),
            around(&self.whole, place),
            inside(&self.whole, place),
        ];
        met.into_iter().flatten().map(|number| (number, place.clone())).collect()
    }

    /// Returns an op that writes what a read at `place` looks at.
    fn writes_at(&self, place: &TouchedPlace, whole: bool) -> Vec<(usize, TouchedPlace)> {
        let inside = inside(&self.writes, place).filter(|_| whole);
        let met = around(&self.writes, place).into_iter().chain(inside);
        met.map(|number| (number, place.clone())).collect()
    }
}

/// Returns an op at a place or at a collection around it.
fn around(places: &BTreeMap<TouchedPlace, usize>, place: &TouchedPlace) -> Option<usize> {
    (0..=place.len()).find_map(|len| places.get(&place[..len]).copied())
}

/// Returns an op at a place or inside it.
fn inside(places: &BTreeMap<TouchedPlace, usize>, place: &TouchedPlace) -> Option<usize> {
    let (found, number) = places.range(place.clone()..).next()?;
    found.starts_with(place).then_some(*number)
}

/// A trial of another order of files.
struct OrderTrial<'a> {
    patch: &'a Patch,
    subject: &'a Subject,
    budget: &'a mut OpsBudget,
}

impl OrderTrial<'_> {
    /// Applies two files in either order to what the files before the first one make.
    fn swap(mut self, files: &[Range<usize>], pair: &FilePair) -> Swapped {
        let swapped = self.try_orders(files, pair);
        // An order that could not be tried is not told.
        if self.budget.is_spent() { Swapped::Same } else { swapped }
    }

    fn try_orders(&mut self, files: &[Range<usize>], pair: &FilePair) -> Swapped {
        let (first, second) = pair.files;
        let before = 0..files[first].start;
        let between = files[first].end..files[second].start;
        let after = files[second].end..self.patch.ops.len();
        let one = files[first].clone();
        let two = files[second].clone();
        // The second one may need what the files between make.
        let contexts = [
            (vec![&before], vec![&between, &after]),
            (vec![&before, &between], vec![&after]),
        ];
        for (context, later) in contexts {
            let straight = [&context[..], &[&one, &two]].concat();
            let turned = [&context[..], &[&two, &one]].concat();
            let Ok(made) = self.run(&straight) else { continue };
            let other = match self.run(&turned) {
                Err(failed) => return Swapped::Fails(failed.unwrap_or(two.start)),
                Ok(other) => other,
            };
            if is_same(&made, &other) {
                return Swapped::Same;
            }
            let straight = self.run(&[&straight[..], &later].concat());
            let turned = self.run(&[&turned[..], &later].concat());
            return match (straight, turned) {
                // A later file undoes the difference.
                (Ok(made), Ok(other)) if is_same(&made, &other) => Swapped::Same,
                _ => Swapped::Differs,
            };
        }
        Swapped::Same
    }

    /// Applies some ops of the patch. Fails with the number of the op that fails, if it is
    /// known.
    fn run(&mut self, ranges: &[&Range<usize>]) -> Result<Tree, Option<usize>> {
        let patch = self.patch;
        let ops =
            ranges.iter().flat_map(|range| patch.ops[(*range).clone()].iter().cloned());
        let part = Patch { ops: ops.collect(), ..patch.clone() };
        let mut tree = self.subject.tree.clone();
        let reach = &self.subject.reach;
        let applied = apply::apply_within(&part, &mut tree, reach, self.budget);
        applied.map_err(|failed| {
            let place = failed.0.first().and_then(|error| error.labels.first())?.span;
            let mut origins = patch.ops.iter().map(|op| op.origin);
            origins.position(|it| it.is_some_and(|origin| contains(origin, place)))
        })?;
        Ok(tree)
    }
}

fn is_same(a: &Tree, b: &Tree) -> bool {
    let mut values = Values::new([a, b]).without_order();
    let mut roots = a.roots().iter().zip(b.roots());
    roots.all(|(&a, &b)| values.class(a, Side::Old) == values.class(b, Side::New))
}

fn contains(op: Origin, place: Span) -> bool {
    [op.span, op.path].into_iter().chain(op.from).any(|span| {
        span.file == place.file && (span.start..=span.end).contains(&place.start)
    })
}

fn finding(patch: &Patch, pair: &FilePair, swapped: &Swapped) -> Option<Finding> {
    let (first, second) = match swapped {
        Swapped::Same => return None,
        Swapped::Differs => (pair.ops.0, pair.ops.1),
        Swapped::Fails(number) => (pair.ops.0, (*number).max(pair.ops.0)),
    };
    let second = if second == first { pair.ops.1 } else { second };
    let [first, second] = [first, second].map(|number| patch.ops[number].origin);
    let first = first?;
    let second = second?;
    let place = shown(&pair.place);
    let warning = match swapped {
        Swapped::Fails(_) => Diagnostic::warning(format!(
            "this op needs what an earlier file does at {place}"
        ))
        .label(second.path, "in the other order, an op fails")
        .label(first.path, "this has to come before"),
        _ => Diagnostic::warning(format!(
            "the result depends on the order of two ops-files, at {place}"
        ))
        .label(second.path, "this comes second")
        .label(first.path, "in the other order, this counts"),
    };
    let finding = Finding::new(Rule::OpOrder, *warning);
    Some(if matches!(swapped, Swapped::Fails(_)) { finding.note() } else { finding })
}
