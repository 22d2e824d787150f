//! All ops of a patch, one after another, on the old and on the new document.

use super::bases::Bases;
use super::finding::Finding;
use super::judgement::Judgement;
use super::searches::Searches;
use super::verdict::{Status, Verdict};
use super::verdicts::Verdicts;
use crate::diagnostic::{self, Diagnostics};
use crate::node::Tree;
use crate::patch::{Missing, Patch};

/// Tells what becomes of each op of a patch for one document, on the next version of it. The
/// directives of both are applied already; `documents` are the documents of the streams
/// that an op without a selector is for.
///
/// # Errors
/// A selector of an op takes too many steps.
pub fn rebase(
    old: &Tree,
    new: &Tree,
    patch: &Patch,
    documents: [usize; 2],
) -> Result<Vec<Verdict>, Diagnostics> {
    let mut run = Run {
        bases: Bases::new([old, new], patch, documents)?,
        patch,
        searches: Searches::new([old, new]),
        verdicts: Verdicts::new(patch),
    };
    for number in 0..patch.ops.len() {
        let finding = run.find(number)?;
        run.verdicts.push(finding);
    }
    Ok(run.verdicts.of_ops())
}

struct Run<'a> {
    bases: Bases,
    patch: &'a Patch,
    searches: Searches<'a>,
    verdicts: Verdicts<'a>,
}

impl Run<'_> {
    /// Returns what is found about an op in all documents that it is for: the worst.
    fn find(&mut self, number: usize) -> diagnostic::Result<Finding> {
        let op = &self.patch.ops[number];
        if op.edit.merges() {
            // Directives belong to a document, and are applied already.
            return Ok(Finding::new(Status::Same, true, ""));
        }
        let (pairs, is_even) = self.bases.pairs(op)?;
        let mut worst: Option<Finding> = None;
        for pair in pairs {
            let (bases, searches) = (&mut self.bases, &mut self.searches);
            let verdicts = &mut self.verdicts;
            let effects = Vec::new();
            let judgement =
                Judgement { bases, searches, verdicts, number, op, pair, effects };
            let finding = judgement.run();
            let is_worse = |worst: &Finding| {
                (finding.status, !finding.sure) > (worst.status, !worst.sure)
            };
            if worst.as_ref().is_none_or(is_worse) {
                worst = Some(finding);
            }
        }
        let none = || match (is_even, op.missing) {
            (true, Missing::Fails) => {
                Finding::new(Status::Same, false, "it selects no document, old or new")
            }
            (true, _) => Finding::new(Status::Same, true, "it selects no document"),
            (false, _) => Finding::new(
                Status::Gone,
                op.missing != Missing::Fails,
                "its selector selects documents of one version only",
            ),
        };
        let finding = worst.unwrap_or_else(none);
        if !is_even && finding.status == Status::Same {
            let why = "its selector selects another number of documents";
            return Ok(Finding::new(Status::Changed, true, why));
        }
        Ok(finding)
    }
}
