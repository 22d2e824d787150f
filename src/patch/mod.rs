//! The patch IR: ops with the places they were written at. Merge directives and
//! ops-files are compiled into it, [`apply`](crate::apply) runs it.

mod edit;
mod op;

use std::fmt;
use std::sync::Arc;

use crate::arena::Arena;
use crate::node::{Aliases, Opened};
use crate::select::{MAX_STEPS, QueryBudget};
use crate::source::{FileId, Source as Text};

pub use edit::Content;
pub use edit::Link;
pub use edit::{Base, Source};
pub use edit::{Combination, Joining};
pub use edit::{Edit, Expect};
pub use edit::{Import, Lists, Merge};
pub use op::Origin;
pub use op::TypedPath;
pub use op::{Missing, Op};
pub use op::{NewComment, NewComments};

/// Ops in the order they are applied, and the texts their values stand in.
#[derive(Clone, Default)]
pub struct Patch {
    /// Private to the crate: a node of an op belongs to one of the arenas or is opened.
    pub(crate) ops: Vec<Op>,
    /// Every text that a node of an op belongs to.
    pub(crate) arenas: Vec<Arc<Arena>>,
    /// The opened nodes of the ops, by number: expanded imports.
    pub(crate) opened: Vec<Opened>,
    /// The texts whose values are printed in the style of the document.
    pub(crate) restyled: Vec<FileId>,
    /// Maximum size in bytes, about, of the merged document, and of what is told about the
    /// changes of ops.
    pub(crate) limit: Option<usize>,
    /// Maximum number of steps of the queries of all ops.
    pub(crate) query_steps: Option<u64>,
    /// The directives that were followed, for those who ask where a value comes from.
    pub(crate) links: Vec<Link>,
    /// The texts of ops that stand in no arena: arguments.
    pub(crate) arguments: Vec<(FileId, Arc<Text>)>,
}

impl Patch {
    pub(crate) const NONE: &Patch = &Patch {
        ops: Vec::new(),
        arenas: Vec::new(),
        opened: Vec::new(),
        restyled: Vec::new(),
        limit: None,
        query_steps: None,
        links: Vec::new(),
        arguments: Vec::new(),
    };

    /// Sets the effect on aliases for all ops that do not say it themselves.
    ///
    /// ```
    /// use interpolate::{Aliases, Document, Patch};
    ///
    /// let mut document = Document::parse("a: &a {n: 1}\nb: *a\n")?;
    /// let mut patch = Patch::new().replace("/a/n", 2)?;
    /// patch.set_aliases(Aliases::Follow);
    /// document.apply(&patch)?;
    /// assert_eq!(document.to_string(), "a: &a {n: 2}\nb: *a\n");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn set_aliases(&mut self, aliases: Aliases) {
        for op in &mut self.ops {
            op.aliases.get_or_insert(aliases);
        }
    }

    /// Sets the maximum number of steps of the queries and selectors of all ops together.
    pub fn set_query_steps(&mut self, steps: u64) {
        self.query_steps = Some(steps);
    }

    /// Sets the maximum size of the merged document in bytes, about. Those who ask what ops
    /// change are told as much.
    pub fn set_limit(&mut self, bytes: usize) {
        self.limit = Some(bytes);
    }

    /// Returns what the queries of the ops may take.
    pub(crate) fn query_budget(&self) -> QueryBudget {
        let steps = self.query_steps.unwrap_or(MAX_STEPS);
        self.limit.map_or_else(
            || QueryBudget::of_steps(steps),
            |bytes| QueryBudget::new(steps, bytes),
        )
    }

    /// Appends the ops of another patch. Directives are applied before all other ops.
    pub fn extend(&mut self, other: Patch) {
        let by = self.opened.len() as u32;
        self.opened.extend(other.opened.iter().map(|one| one.shifted(by)));
        self.limit = self.limit.or(other.limit);
        self.query_steps = self.query_steps.or(other.query_steps);
        let shifted = |op: Op| Op { edit: op.edit.shifted(by), ..op };
        let mut ops: Vec<Op> = other.ops.into_iter().map(shifted).collect();
        let merges: Vec<Op> = ops.extract_if(.., |op| op.edit.merges()).collect();
        let first = self.ops.iter().take_while(|op| op.edit.merges()).count();
        self.ops.splice(first..first, merges);
        if self.ops.is_empty() {
            // Many ops need no second room.
            self.ops = ops;
        } else {
            self.ops.extend(ops);
        }
        self.arenas.extend(other.arenas);
        self.restyled.extend(other.restyled);
        self.links.extend(other.links);
        self.arguments.extend(other.arguments);
    }
}

/// Prints the number of ops: the values may be secrets, and the texts are long.
impl fmt::Debug for Patch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Patch").field("ops", &self.ops.len()).finish_non_exhaustive()
    }
}

/// Returns the ops of a patch, in the order they are applied.
pub fn ops(patch: &Patch) -> &[Op] {
    &patch.ops
}
