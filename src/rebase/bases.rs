//! The documents that the ops are applied to.

use std::collections::{BTreeMap, BTreeSet};

use super::name::Trees;
use super::trail::{Stop, trail};
use crate::apply::{OpsBudget, Steps};
use crate::compare::DocumentPairs;
use crate::diagnostic::Result;
use crate::node::{Effect, Tree};
use crate::patch::{Op, Patch};
use crate::select::QueryBudget;
use crate::target::Target;

/// One of the streams that the ops are applied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edition {
    Old,
    New,
    /// The new one once more. The mended ops are applied to it.
    Mended,
}

/// The streams that the ops are applied to.
pub(super) struct Bases {
    /// One for each version.
    bases: [BaseStream; 3],
    /// The document of each stream that an op without a selector is for.
    default: DocumentPair,
    /// For each old document, the new one of the same kind, name and namespace.
    namesakes: BTreeMap<usize, usize>,
}

/// A stream in which ops were applied.
struct BaseStream {
    tree: Tree,
    steps: Steps,
    budget: OpsBudget,
}

/// A document of the old stream and the next version of it in the new stream, by their
/// positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DocumentPair {
    pub old: usize,
    pub new: usize,
}

impl BaseStream {
    fn new(tree: &Tree, patch: &Patch) -> Result<BaseStream> {
        let mut tree = tree.clone();
        let steps = Steps::new(patch, &mut tree)?;
        Ok(BaseStream { tree, steps, budget: OpsBudget::of(patch) })
    }
}

impl Bases {
    /// Starts with two streams, whose directives are applied.
    pub(super) fn new(
        [old, new]: Trees<'_>,
        patch: &Patch,
        default: [usize; 2],
    ) -> Result<Bases> {
        let documents = DocumentPairs::new(old, new);
        let namesakes = documents.names.is_some().then_some(documents.pairs);
        Ok(Bases {
            bases: [
                BaseStream::new(old, patch)?,
                BaseStream::new(new, patch)?,
                BaseStream::new(new, patch)?,
            ],
            default: DocumentPair { old: default[0], new: default[1] },
            namesakes: namesakes.into_iter().flatten().collect(),
        })
    }

    /// Returns the stream with all ops so far.
    pub(super) fn tree(&self, version: Edition) -> &Tree {
        &self.bases[version as usize].tree
    }

    /// Returns what queries in the old document may still take.
    pub(super) fn query_budget(&mut self) -> &mut QueryBudget {
        &mut self.bases[0].budget.queries
    }

    /// Applies an op, or a variant of it, to a document.
    pub(super) fn apply(
        &mut self,
        number: usize,
        op: &Op,
        version: Edition,
        pair: DocumentPair,
    ) -> Result<Vec<Effect>> {
        let root = pair.root(version);
        let base = &mut self.bases[version as usize];
        base.steps.apply(&mut base.tree, number, op, root, &mut base.budget)
    }

    /// Returns the way that a target leads in a document.
    pub(super) fn trail(
        &mut self,
        target: &Target,
        version: Edition,
        pair: DocumentPair,
    ) -> Vec<Stop> {
        let root = pair.root(version);
        let base = &mut self.bases[version as usize];
        trail(&mut base.tree, root, target, base.steps)
    }

    /// Returns the documents that an op is for, and true if the streams have equally many.
    /// Those without a namesake are paired by their place among the others.
    ///
    /// # Errors
    /// A selector takes too many steps.
    pub(super) fn pairs(&mut self, op: &Op) -> Result<(Vec<DocumentPair>, bool)> {
        if op.only.is_empty() {
            return Ok((vec![self.default], true));
        }
        let old = self.bases[0].chosen(op)?;
        let new = self.bases[1].chosen(op)?;
        let is_even = old.len() == new.len();
        let mut left: BTreeSet<usize> = new.into_iter().collect();
        let mut pairs = Vec::new();
        let mut lone = Vec::new();
        for old in old {
            match self.namesakes.get(&old).filter(|&new| left.remove(new)) {
                Some(&new) => pairs.push(DocumentPair { old, new }),
                None => lone.push(old),
            }
        }
        pairs.extend(
            lone.into_iter().zip(left).map(|(old, new)| DocumentPair { old, new }),
        );
        Ok((pairs, is_even))
    }
}

impl BaseStream {
    /// Returns the positions of the documents that an op selects.
    fn chosen(&mut self, op: &Op) -> Result<Vec<usize>> {
        let mut chosen = Vec::new();
        for (position, &root) in self.tree.roots().iter().enumerate() {
            let mut selectors = op.only.iter();
            let selects =
                selectors.try_fold(true, |so_far, selector| -> Result<bool> {
                    let queries = &mut self.budget.queries;
                    Ok(so_far && selector.selects(&self.tree, root, queries)?)
                })?;
            chosen.extend(selects.then_some(position));
        }
        Ok(chosen)
    }
}

impl DocumentPair {
    /// Returns the position of the document in a stream.
    pub(super) fn root(self, version: Edition) -> usize {
        match version {
            Edition::Old => self.old,
            Edition::New | Edition::Mended => self.new,
        }
    }
}
