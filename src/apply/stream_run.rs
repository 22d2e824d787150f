//! The ops of a patch, after the merges, run through the documents of a stream.

use std::collections::BTreeSet;

use hashbrown::{HashMap, HashSet};

use super::budget::OpsBudget;
use super::order_hint::FailedOp;
use super::place::Reach;
use super::remark::{ChangeRemark, RemarkKind};
use super::run::Run;
use super::steps::Steps;
use super::stream_hint;
use crate::compare::name_of_document;
use crate::diagnostic::{Diagnostic, Diagnostics, Result};
use crate::node::{Effect, Tree};
use crate::patch::{Edit, Missing, Op, Patch};
use crate::pointer::Token;
use crate::select::DocumentSelector;
use crate::target::Target;

/// Maximum number of failures that are explained with labels and hints. If many ops fail
/// at one large mapping, reading its keys for each would take time proportional to their
/// product.
// The command line prints as many diagnostics.
const MAX_EXPLAINED_FAILURES: usize = 100;

/// The effect of a patch on a stream.
#[derive(Clone, Debug, Default)]
pub struct Applied {
    /// Warnings about ops without effect.
    pub warnings: Vec<Diagnostic>,
    /// Remarks about changes that were likely not meant.
    pub remarks: Vec<ChangeRemark>,
    /// The documents that the selectors of ops have chosen.
    pub selected: BTreeSet<usize>,
    /// True if an op was applied to the default documents.
    pub uses_default: bool,
    /// True if a warning names the documents of the stream that an op is likely about.
    pub names_others: bool,
}

impl Applied {
    /// Returns the documents in which variables and templates are evaluated.
    pub fn touched(&self, reach: &Reach) -> Vec<usize> {
        let default: BTreeSet<usize> = reach.default.iter().copied().collect();
        default.union(&self.selected).copied().collect()
    }

    /// Returns the documents that the result is about: without a choice by the caller, those
    /// that the selectors of the ops have chosen, if all ops have one.
    pub fn shown(&self, reach: &Reach, is_chosen: bool) -> Vec<usize> {
        if is_chosen || self.uses_default || self.selected.is_empty() {
            return self.touched(reach);
        }
        self.selected.iter().copied().collect()
    }
}

/// Receives the tree, the number of an op and its effects.
pub type Observer<'a> = &'a mut dyn FnMut(&mut Tree, usize, Vec<Effect>);

/// The ops of a patch after the merges, on their way through the documents.
pub(super) struct StreamRun<'a> {
    reach: &'a Reach,
    ops: &'a [Op],
    /// Number of merges in the patch, which come first.
    merges: usize,
    steps: Steps,
    budget: &'a mut OpsBudget,
    /// For each op, true if it was applied to a document.
    repeated: Vec<bool>,
    /// For each op, true if its selectors have chosen a document.
    chosen: Vec<bool>,
    /// The ops and the subjects of the remarks about them.
    told: HashSet<(usize, RemarkKind)>,
    applied: Applied,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> StreamRun<'a> {
    /// Prepares the run of the ops after the merges.
    pub(super) fn new(
        patch: &'a Patch,
        merges: usize,
        reach: &'a Reach,
        steps: Steps,
        budget: &'a mut OpsBudget,
    ) -> StreamRun<'a> {
        let ops = &patch.ops[merges..];
        let uses_default = ops.iter().any(|op| op.only.is_empty());
        StreamRun {
            reach,
            ops,
            merges,
            steps,
            budget,
            repeated: vec![false; ops.len()],
            chosen: vec![false; ops.len()],
            told: HashSet::new(),
            applied: Applied { uses_default, ..Applied::default() },
            diagnostics: Vec::new(),
        }
    }

    /// Applies the ops to all documents that they reach.
    pub(super) fn run(
        mut self,
        document: &mut Tree,
        observer: Observer<'_>,
    ) -> std::result::Result<Applied, Diagnostics> {
        let index = OpIndex::new(self.ops);
        for root in self.reach.of_ops(self.ops) {
            self.run_in(document, root, &index, observer);
            if self.budget.is_spent() {
                return Err(Diagnostics(self.diagnostics));
            }
        }
        self.finish(document)
    }

    /// Applies the ops to one document. No op looks at another one.
    fn run_in(
        &mut self,
        document: &mut Tree,
        root: usize,
        index: &OpIndex<'_>,
        observer: Observer<'_>,
    ) {
        // The paths of failed `replace` ops: what they would have made is missing.
        let mut failed: HashSet<&[Token]> = HashSet::new();
        let mut next = 0;
        while let Some(at) = index.next(document, root, next) {
            next = at + 1;
            let op = &self.ops[at];
            if !self.is_for(document, at, root) {
                if self.budget.is_spent() {
                    return;
                }
                continue;
            }
            let tokens = op.at.tokens();
            // Ops on what a failed `replace` would have made fail for the same reason.
            let follows = !failed.is_empty()
                && (0..=tokens.len()).any(|count| failed.contains(&tokens[..count]));
            let brief = follows || self.diagnostics.len() >= MAX_EXPLAINED_FAILURES;
            let number = self.merges + at;
            let makes = stream_hint::makes(document, op, root, self.reach);
            let run = self.steps.run(document, number, op, root, self.budget);
            let is_repeated = std::mem::replace(&mut self.repeated[at], true);
            let run = Run { brief, is_repeated, ..run };
            let failure = match run.run() {
                Ok(outcome) => {
                    let warning = outcome.note.map(|note| note.warning(op, document));
                    self.applied.warnings.extend(warning);
                    for (kind, remark) in outcome.remarks {
                        // The same op makes the same changes in many documents.
                        if self.told.insert((number, kind)) {
                            let remark =
                                ChangeRemark::new(kind, op, number, &remark, document);
                            self.applied.remarks.push(remark);
                        }
                    }
                    if makes && self.diagnostics.is_empty() {
                        let others = stream_hint::others(document, op, root, self.reach);
                        self.applied.names_others |= others.is_some();
                        let note = others.map(|note| note.warning(op, document));
                        self.applied.warnings.extend(note);
                    }
                    match effects(document, op) {
                        Ok(effects) => observer(document, number, effects),
                        Err(too_long) => return self.diagnostics.push(*too_long),
                    }
                    continue;
                }
                Err(failure) => failure,
            };
            if !follows {
                let failure = if brief {
                    failure
                } else {
                    let shift = self.steps.shift();
                    let failed = FailedOp { ops: self.ops, at, shift };
                    let hint = stream_hint::hint(document, op, root, self.reach);
                    failed.explain(document, failure).also(hint)
                };
                self.diagnostics.push(failure.diagnose(op, document));
            }
            if self.budget.is_spent() {
                return;
            }
            if let (Edit::Replace(_), Target::Pointer(_)) = (&op.edit, &op.at) {
                failed.insert(tokens);
            }
        }
    }

    /// Returns true if an op is applied to a document, as it is now.
    fn is_for(&mut self, document: &Tree, at: usize, root: usize) -> bool {
        let op = &self.ops[at];
        let reached =
            if op.only.is_empty() { &self.reach.default } else { &self.reach.selectable };
        if reached.binary_search(&root).is_err() {
            return false;
        }
        let node = document.roots()[root];
        for selector in &op.only {
            match selector.selects(document, node, &mut self.budget.queries) {
                Ok(true) => {}
                Ok(false) => return false,
                Err(error) => {
                    // It was chosen, as far as other messages are concerned.
                    self.chosen[at] = true;
                    self.diagnostics.push(*selector.located(error));
                    return false;
                }
            }
        }
        if !op.only.is_empty() {
            self.chosen[at] = true;
            self.applied.selected.insert(root);
        }
        true
    }

    /// Returns the effect; an error if an op failed or has chosen no document.
    fn finish(mut self, document: &Tree) -> std::result::Result<Applied, Diagnostics> {
        let unused = self.ops.iter().zip(&self.chosen).filter(|(op, chosen)| {
            !op.only.is_empty() && !**chosen && op.missing == Missing::Fails
        });
        let explained = unused.take(MAX_EXPLAINED_FAILURES);
        self.diagnostics.extend(explained.filter_map(|(op, _)| {
            let selector = op.only.last()?;
            Some(*selector.selects_nothing(document, &self.reach.selectable))
        }));
        if self.diagnostics.is_empty() {
            Ok(self.applied)
        } else {
            Err(Diagnostics(self.diagnostics))
        }
    }
}

/// Returns what an op has changed.
fn effects(document: &mut Tree, op: &Op) -> Result<Vec<Effect>> {
    if !document.has_full_journal() {
        return Ok(document.take_effects());
    }
    let message = "this op changes too many places, or too deep ones, to tell them";
    let error = Diagnostic::error(message).hint("`--limit expansion=N` raises the limit");
    Err(match op.origin {
        Some(origin) => error.at(origin.path),
        None => error,
    })
}

/// An index of ops, so that an op that names its document is looked at in that one only: a
/// stream may have as many such ops as documents.
pub(super) struct OpIndex<'a> {
    /// The positions of the ops that name their document, in order.
    named: HashMap<&'a str, Vec<usize>>,
    /// The positions of all others.
    others: Vec<usize>,
}

impl<'a> OpIndex<'a> {
    pub(super) fn new(ops: &'a [Op]) -> OpIndex<'a> {
        let mut index = OpIndex { named: HashMap::new(), others: Vec::new() };
        for (at, op) in ops.iter().enumerate() {
            match op.only.iter().find_map(DocumentSelector::name) {
                Some(name) => index.named.entry(name).or_default().push(at),
                None => index.others.push(at),
            }
        }
        index
    }

    /// Returns the position of the next op from `from` on that may be for a document, as it is
    /// now.
    pub(super) fn next(
        &self,
        document: &Tree,
        root: usize,
        from: usize,
    ) -> Option<usize> {
        let other = first_from(&self.others, from);
        if self.named.is_empty() {
            return other;
        }
        let name = name_of_document(document, document.roots()[root]);
        let named = self.named.get(&*name).and_then(|ops| first_from(ops, from));
        named.into_iter().chain(other).min()
    }
}

/// Returns the first of some sorted positions from `from` on.
fn first_from(positions: &[usize], from: usize) -> Option<usize> {
    positions.get(positions.partition_point(|&at| at < from)).copied()
}
