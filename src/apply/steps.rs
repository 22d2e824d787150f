//! One op at a time: a caller that wants to look at the document between two ops, or to
//! apply an op to one document and another op to the next.

use super::budget::OpsBudget;
use super::place::Purpose;
use super::remark::Changes;
use super::run::Run;
use super::site::merge_all;
use super::traversal::Traversal;
use crate::diagnostic::{Diagnostic, Result};
use crate::layout;
use crate::node::{Effect, NodeId, OpId, Seat, Slot, Tree};
use crate::patch::{Op, Patch};
use crate::pointer::Pointer;

/// The ops of a patch without directives, ready to be applied to the documents of a tree
/// one by one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps {
    /// The number of the first op of the patch in the history of the tree.
    first: OpId,
    /// Number of opened nodes that precede those of the patch.
    shift: u32,
}

impl Steps {
    /// Adds the texts and the values of a patch to a tree, which then notes all changes.
    ///
    /// # Errors
    /// As [`Tree::try_add_arena`].
    pub(crate) fn new(patch: &Patch, document: &mut Tree) -> Result<Steps> {
        let steps = Steps::add(patch, document)?;
        document.start_journal();
        Ok(steps)
    }

    /// Adds the texts and the values of a patch to a tree.
    ///
    /// # Errors
    /// As [`Tree::try_add_arena`].
    pub(super) fn add(patch: &Patch, document: &mut Tree) -> Result<Steps> {
        for arena in &patch.arenas {
            document.try_add_arena(arena)?;
        }
        let shift = document.append_opened(&patch.opened);
        if !layout::is_json(document.base()) {
            note_style(patch, shift, document);
        } else if document.names_other_keys() && document.base().nodes().len() > 1 {
            document.hints_mut().note_json();
        }
        let spans = patch.ops.iter().map(|op| Some(op.origin?.span));
        let first = document.record_ops(spans);
        Ok(Steps { first, shift })
    }

    /// The number of opened nodes that precede those of the patch.
    pub(super) fn shift(self) -> u32 {
        self.shift
    }

    /// Runs the merges of the patch, which are these ops, in a document of the stream. Returns
    /// what is wrong with them. `budget` is the number of entries that may still be read.
    pub(super) fn merge(
        self,
        document: &mut Tree,
        ops: &[Op],
        root: usize,
        budget: &mut usize,
    ) -> Vec<Diagnostic> {
        merge_all(ops, document, root, self.shift, Some(self.first), budget)
    }

    /// Prepares the run of an op of the patch, or of a variant of it, in a document of the
    /// stream.
    pub(super) fn run<'a>(
        self,
        document: &'a mut Tree,
        number: usize,
        op: &'a Op,
        root: usize,
        budget: &'a mut OpsBudget,
    ) -> Run<'a> {
        Run {
            document,
            op,
            by: self.first + number as OpId,
            root,
            shift: self.shift,
            budget,
            is_repeated: false,
            brief: false,
            has_removed: false,
            changes: Changes::default(),
        }
    }

    /// Applies an op of the patch, or a variant of it, to a document of the stream. Returns
    /// its effects.
    ///
    /// # Errors
    /// As [`apply`](super::apply). The document is then as it was, unless the op moves a
    /// value that it could not put.
    pub(crate) fn apply(
        self,
        document: &mut Tree,
        number: usize,
        op: &Op,
        root: usize,
        budget: &mut OpsBudget,
    ) -> Result<Vec<Effect>> {
        // Without hints: the caller tells what became of the op.
        let run = Run { brief: true, ..self.run(document, number, op, root, budget) };
        let done = run.run();
        let effects = document.take_effects();
        match done {
            Ok(_) => Ok(effects),
            Err(failure) => Err(Box::new(failure.diagnose(op, document))),
        }
    }

    /// Returns the slots that the tokens of a pointer lead through, as far as they lead
    /// anywhere, each with the position of an item.
    pub(crate) fn way(
        document: &mut Tree,
        pointer: &Pointer,
        root: usize,
    ) -> Vec<(Slot, Option<usize>)> {
        let seats = Traversal::new(document, pointer, Purpose::Find).seats(root);
        let slot = |seat| match seat {
            Seat::Slot(id, at) => {
                let slots = document.children(id);
                let slot = *slots.get(at);
                Some((slot, slot.key.is_none().then(|| slots.position(at))))
            }
            Seat::Root(_) | Seat::Detached(_) => None,
        };
        seats.into_iter().map_while(slot).collect()
    }

    /// Returns the number in the patch of an op of the history.
    pub(crate) fn number(self, by: OpId) -> Option<usize> {
        by.checked_sub(self.first).map(|number| number as usize)
    }
}

/// Notes which values of a patch are printed in the style of the document, and which bring
/// their anchors. `shift` is the number of opened nodes that precede those of the patch.
fn note_style(patch: &Patch, shift: u32, document: &mut Tree) {
    let hints = document.hints_mut();
    hints.restyle(patch.restyled.iter().copied());
    hints.restyle_opened(shift..shift + patch.opened.len() as u32);
    for op in &patch.ops {
        if let Some(NodeId::Clean(file, _)) = op.edit.written_value() {
            hints.note_patch_text(file);
        }
    }
}
