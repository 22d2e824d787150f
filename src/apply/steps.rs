//! One op at a time: a caller that wants to look at the document between two ops, or to
//! apply an op to one document and another op to the next.

use super::run::Run;
use super::traversal::{Purpose, Traversal};
use crate::diagnostic::Result;
use crate::node::{Effect, OpId, Seat, Slot, Tree};
use crate::patch::{Op, Patch};
use crate::pointer::Pointer;
use crate::select::MAX_STEPS;

/// The ops of a patch without directives, ready to be applied to the documents of a tree
/// one by one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Steps {
    /// The number of the first op of the patch in the history of the tree.
    first: OpId,
    /// Number of opened nodes that precede those of the patch.
    shift: u32,
    /// Maximum number of steps of a query.
    pub query_steps: u64,
}

impl Steps {
    /// Adds the texts and the values of a patch to a tree, which then notes all changes.
    ///
    /// # Errors
    /// As [`Tree::try_add_arena`].
    pub(crate) fn new(patch: &Patch, document: &mut Tree) -> Result<Steps> {
        for arena in &patch.arenas {
            document.try_add_arena(arena)?;
        }
        let shift = document.append_opened(&patch.opened);
        let spans = patch.ops.iter().map(|op| Some(op.origin?.span));
        let first = document.record_ops(spans);
        document.start_journal();
        let query_steps = patch.query_steps.unwrap_or(MAX_STEPS);
        Ok(Steps { first, shift, query_steps })
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
        (number, op): (usize, &Op),
        root: usize,
    ) -> Result<Vec<Effect>> {
        let by = self.first + number as OpId;
        let Steps { shift, query_steps, .. } = self;
        // Without hints: the caller tells what became of the op.
        let (brief, has_removed) = (true, false);
        let run = Run { document, op, by, root, shift, query_steps, brief, has_removed };
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
        let traversal = Traversal::new(document, pointer, Purpose::Find).brief(true);
        let seats = traversal.seats(root);
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
