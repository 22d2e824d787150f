//! Templates put back into an edited copy of what they evaluated to, wherever they still
//! evaluate to the edited value.

use hashbrown::HashSet;

use super::added_code::AddedCode;
use super::edited_copy::{EditedCopy, RestoredUses};
use super::used_values::UsedValues;
use crate::compare::{PairedNodes, are_equal_documents, pair_nodes_by_place};
use crate::converge::{Budget, Outcome, converge};
use crate::node::{Kind, NodeId, Tree};
use crate::source::Span;

/// A document with templates, what it evaluated to, and an edited copy of that.
pub struct TemplateRestorer<'a> {
    /// The document as it was written.
    pub written: &'a Tree,
    /// The document after evaluation.
    pub filled: &'a Tree,
    /// The edited copy of `filled`.
    pub edited: &'a Tree,
    /// Returns true for a template or an expression; text with `((names))` alone is none.
    pub is_template: &'a dyn Fn(&Tree, NodeId) -> bool,
    /// Returns true for data that is not evaluated, whatever it says. Where the copy has the
    /// same data, it is put back as it is written.
    pub is_data: &'a dyn Fn(&Tree, NodeId) -> bool,
    /// True to take what the copy has instead of a value as code, if it can be read so.
    pub accepts_code: bool,
    /// The nodes of `filled` that have another value on every run (random, time).
    pub volatile: &'a HashSet<NodeId>,
    /// The values that `written` was filled in with.
    pub values: &'a UsedValues,
}

/// An edited copy with its templates put back.
#[derive(Debug)]
pub struct RestoredTemplates {
    /// The copy.
    pub document: Tree,
    /// Templates that are kept although their value changes on every run.
    pub volatile: Vec<NodeId>,
    /// Templates that are replaced by values although these were not edited: they would
    /// evaluate to something else.
    pub lost: Vec<NodeId>,
    /// Templates that are replaced by edited values.
    pub replaced: Vec<NodeId>,
    /// Data of the edited copy that would be read as code, in order. If there is any, the copy
    /// cannot be saved.
    pub refused: Vec<NodeId>,
    /// The `((names))` beside templates.
    pub uses: RestoredUses,
}

impl RestoredTemplates {
    /// Returns a copy as it is.
    fn of(document: Tree) -> RestoredTemplates {
        RestoredTemplates {
            document,
            volatile: Vec::new(),
            lost: Vec::new(),
            replaced: Vec::new(),
            refused: Vec::new(),
            uses: RestoredUses::default(),
        }
    }
}

/// The nodes that have another value on every run, or an error and its places.
pub type EvaluationOutcome<E> = Result<HashSet<NodeId>, Failed<E>>;

/// An error of an evaluation, and its places.
type Failed<E> = (E, Vec<Span>);

type Evaluate<'a, E> = &'a mut dyn FnMut(&mut Tree) -> EvaluationOutcome<E>;

/// Number of rounds in which only templates that differ are given up.
// Each round evaluates the document again, and a chain of templates that use each other
// loses one a round. Longer chains are rare.
const ROUNDS: usize = 8;

/// Number of evaluations in which templates that were given up are tried again.
// Halving finds one bad template among 2^8 with 16 evaluations.
const REGAIN_ATTEMPTS: usize = 16;

#[derive(Clone, Copy)]
struct KeptTemplate {
    old: NodeId,
    new: NodeId,
    /// The node of the written document, if it is a template.
    template: Option<NodeId>,
    reason: Reason,
}

/// The reason why a place may have its written text again.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reason {
    Unchanged,
    /// Its value was edited, perhaps to what the template gives after the edit.
    Edited,
    Volatile,
}

impl TemplateRestorer<'_> {
    /// Returns the edited copy in which each template that was not edited, or edited to
    /// the value that it has now, is put back. `evaluate` evaluates a document again.
    ///
    /// # Errors
    /// `evaluate` fails for something that is not a template put back here.
    pub fn restore<E>(&self, evaluate: Evaluate<'_, E>) -> Result<RestoredTemplates, E> {
        let TemplateRestorer { written, filled, edited, is_template, .. } = *self;
        let mut copy = EditedCopy::new(written, filled, edited, is_template);
        copy.add_data(self.is_data);
        let added = self.added_code();
        let mut paired = copy.pair();
        let mut lost = Vec::new();
        let mut replaced = Vec::new();
        let mut kept = self.candidates(&copy, &paired, &mut lost);
        // A template was not edited beside its names, but replaced.
        paired.changed.retain(|&(old, _)| self.template(&copy, old).is_none());
        copy.tag_data(&paired, self.is_data);
        let uses = copy.restore_uses(&paired, self.values);
        let is_edited = kept.iter().any(|kept| kept.reason == Reason::Edited);
        let first = put_back(&copy, &kept);
        // Without an edit of a template the copy is what was evaluated before.
        if is_edited || !are_equal_documents(self.written, &first) {
            let given_up = match self.drop_conflicts(&copy, &mut kept, evaluate) {
                Ok(given_up) => given_up,
                Err((error, places)) => {
                    let failed = added.as_ref().map(|added| added.failed(&places));
                    let refused = failed.filter(|failed| !failed.is_empty());
                    let refused = refused.ok_or(error)?;
                    return Ok(RestoredTemplates {
                        refused,
                        ..RestoredTemplates::of(first)
                    });
                }
            };
            let given_up = self.retry(&copy, &mut kept, given_up, evaluate);
            let (edited, unedited): (Vec<&KeptTemplate>, Vec<&KeptTemplate>) =
                given_up.iter().partition(|place| place.reason == Reason::Edited);
            lost.extend(unedited.into_iter().filter_map(|place| place.template));
            replaced.extend(edited.into_iter().filter_map(|place| place.template));
        }
        let volatile = kept.iter().filter(|kept| kept.reason == Reason::Volatile);
        let volatile = unique(volatile.filter_map(|kept| kept.template));
        let document = put_back(&copy, &kept);
        let refused = match added {
            Some(added) => refused(&added, &document, evaluate)?,
            None => Vec::new(),
        };
        let lost = unique(lost.into_iter());
        let replaced = unique(replaced.into_iter());
        Ok(RestoredTemplates { document, volatile, lost, replaced, refused, uses })
    }

    /// Returns the code that the copy has and the document has not, unless it is accepted.
    fn added_code(&self) -> Option<AddedCode<'_>> {
        let TemplateRestorer { written, filled, edited, is_template, .. } = *self;
        if self.accepts_code {
            return None;
        }
        let added = AddedCode::find(written, filled, edited, is_template);
        (!added.is_empty()).then_some(added)
    }

    /// Returns the written node of a place if it is a template.
    fn template(&self, copy: &EditedCopy<'_>, old: NodeId) -> Option<NodeId> {
        copy.written(old).filter(|&was| (self.is_template)(self.written, was))
    }

    /// Returns the places that may have their written text again.
    fn candidates(
        &self,
        copy: &EditedCopy<'_>,
        paired: &PairedNodes,
        lost: &mut Vec<NodeId>,
    ) -> Vec<KeptTemplate> {
        let same = paired.same.iter().map(|&(old, new)| KeptTemplate {
            old,
            new,
            template: self.template(copy, old),
            reason: Reason::Unchanged,
        });
        let mut kept: Vec<KeptTemplate> = same.collect();
        for &(old, new) in &paired.changed {
            let Some(was) = self.template(copy, old) else { continue };
            let volatile = self.volatile.contains(&old);
            let reason = if volatile { Reason::Volatile } else { Reason::Edited };
            if !volatile || self.has_same_type(old, new) {
                kept.push(KeptTemplate { old, new, template: Some(was), reason });
            } else {
                lost.push(was);
            }
        }
        kept
    }

    /// Returns true if an edited value is of the type that the template had given.
    fn has_same_type(&self, old: NodeId, new: NodeId) -> bool {
        let filled = self.filled;
        let edited = self.edited;
        let old = filled.follow(old);
        let new = edited.follow(new);
        match (filled.kind(old), edited.kind(new)) {
            (Kind::Scalar, Kind::Scalar) => {
                let a = filled.scalar(old);
                std::mem::discriminant(&a) == std::mem::discriminant(&edited.scalar(new))
            }
            (a, b) => a == b,
        }
    }

    /// Gives up templates until all others evaluate to the edited values.
    fn drop_conflicts<E>(
        &self,
        copy: &EditedCopy<'_>,
        kept: &mut Vec<KeptTemplate>,
        evaluate: Evaluate<'_, E>,
    ) -> Result<Vec<KeptTemplate>, Failed<E>> {
        let mut given_up = Vec::new();
        converge(Budget { retries: ROUNDS, concessions: 0 }, |left| {
            let mut again = put_back(copy, kept);
            let wrong = match evaluate(&mut again) {
                Ok(volatile) => self.differing(kept, &again, &volatile),
                Err((error, places)) => match self.failing(kept, &places) {
                    Some(failing) => failing,
                    None => return Err((error, places)),
                },
            };
            if wrong.is_empty() {
                return Ok(Outcome::Done(()));
            }
            given_up.extend(kept.extract_if(.., |kept| {
                let is_last = left.retries <= 1 && kept.template.is_some();
                is_last || wrong.contains(&kept.new)
            }));
            Ok(Outcome::Retry)
        })?;
        Ok(given_up)
    }

    /// Tries templates again that were given up, half of them at a time: one may have
    /// differed only because of another that is gone. Returns those that stay given up.
    fn retry<E>(
        &self,
        copy: &EditedCopy<'_>,
        kept: &mut Vec<KeptTemplate>,
        given_up: Vec<KeptTemplate>,
        evaluate: Evaluate<'_, E>,
    ) -> Vec<KeptTemplate> {
        let mut todo = Vec::new();
        let mut lost = Vec::new();
        halve(given_up, &mut todo, &mut lost);
        for _ in 0..REGAIN_ATTEMPTS {
            let Some(some) = todo.pop() else { break };
            let mut all = [&kept[..], &some].concat();
            let mut again = put_back(copy, &all);
            let agrees = evaluate(&mut again).is_ok_and(|volatile| {
                self.differing(&mut all, &again, &volatile).is_empty()
            });
            if agrees {
                *kept = all;
            } else {
                halve(some, &mut todo, &mut lost);
            }
        }
        lost.extend(todo.into_iter().flatten());
        lost
    }

    /// Returns the templates that evaluate to something else than the edited values.
    fn differing(
        &self,
        kept: &mut [KeptTemplate],
        again: &Tree,
        volatile: &HashSet<NodeId>,
    ) -> HashSet<NodeId> {
        let places: HashSet<NodeId> = kept.iter().map(|kept| kept.new).collect();
        let PairedNodes { same, changed } =
            pair_nodes_by_place(again, self.edited, |new| places.contains(&new));
        let same: HashSet<NodeId> = same.into_iter().map(|(_, new)| new).collect();
        let changed = changed.into_iter().filter(|(old, _)| volatile.contains(old));
        let unknown: HashSet<NodeId> = changed.map(|(_, new)| new).collect();
        let mut differing = HashSet::new();
        let templates = kept.iter_mut().filter(|kept| kept.template.is_some());
        for KeptTemplate { new, reason, .. } in templates {
            if same.contains(new) {
                if *reason == Reason::Volatile {
                    *reason = Reason::Unchanged;
                }
            } else if !unknown.contains(new) {
                differing.insert(*new);
            }
        }
        differing
    }

    /// Returns the templates at the places where evaluation failed, or else all
    /// templates. `None` if there are none at all.
    fn failing(&self, kept: &[KeptTemplate], places: &[Span]) -> Option<HashSet<NodeId>> {
        let is_there = |kept: &&KeptTemplate| {
            let span = kept.template.and_then(|node| self.written.span(node));
            span.is_some_and(|span| {
                places.iter().any(|at| {
                    at.file == span.file && at.start < span.end && span.start < at.end
                })
            })
        };
        let failing: HashSet<NodeId> =
            kept.iter().filter(is_there).map(|kept| kept.new).collect();
        if !failing.is_empty() {
            return Some(failing);
        }
        let templates = kept.iter().filter(|kept| kept.template.is_some());
        let all: HashSet<NodeId> = templates.map(|kept| kept.new).collect();
        (!all.is_empty()).then_some(all)
    }
}

/// Returns the added code of a copy with its templates put back that has another value than it
/// says.
fn refused<E>(
    added: &AddedCode<'_>,
    document: &Tree,
    evaluate: Evaluate<'_, E>,
) -> Result<Vec<NodeId>, E> {
    let mut evaluated = document.clone();
    match evaluate(&mut evaluated) {
        Ok(_) => Ok(added.refused(&evaluated)),
        Err((error, places)) => {
            let failed = added.failed(&places);
            if failed.is_empty() { Err(error) } else { Ok(failed) }
        }
    }
}

fn put_back(copy: &EditedCopy<'_>, kept: &[KeptTemplate]) -> Tree {
    let pairs: Vec<_> = kept.iter().map(|kept| (kept.old, kept.new)).collect();
    copy.put_back(&pairs)
}

/// Returns each node once: aliases give one many times.
fn unique(nodes: impl Iterator<Item = NodeId>) -> Vec<NodeId> {
    let mut met = HashSet::new();
    nodes.filter(|&node| met.insert(node)).collect()
}

/// Adds both halves to `todo`. A single place cannot be halved and is lost.
fn halve(
    mut all: Vec<KeptTemplate>,
    todo: &mut Vec<Vec<KeptTemplate>>,
    lost: &mut Vec<KeptTemplate>,
) {
    if all.len() < 2 {
        lost.append(&mut all);
        return;
    }
    let second = all.split_off(all.len() / 2);
    todo.extend([second, all]);
}
