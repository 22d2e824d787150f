//! The patch IR: ops with the places they were written at. Merge directives and
//! ops-files are compiled into it, [`apply`](crate::apply) runs it.

use std::sync::Arc;

use crate::arena::Arena;
use crate::node::Node;
use crate::pointer::Pointer;
use crate::source::Span;

/// Ops in the order they are applied, and the texts their values stand in.
#[derive(Clone, Debug, Default)]
pub struct Patch {
    /// The ops.
    pub ops: Vec<Op>,
    /// Every text that a node of an op belongs to.
    pub(crate) arenas: Vec<Arc<Arena>>,
}

/// One change at one place.
#[derive(Clone, Debug)]
pub struct Op {
    /// Where.
    pub at: Pointer,
    /// What.
    pub edit: Edit,
    /// Where it was written.
    pub origin: Origin,
}

/// What an op does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Edit {
    /// `type: test`
    Test(Expect),
    /// `type: replace`: sets, inserts, appends, creates what is optional.
    Replace(Node),
    /// `type: remove`
    Remove,
}

/// What a test asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expect {
    /// `value: …`
    Equal(Node),
    /// `value: null` beside `absent: false`
    Null,
    /// `absent: true`
    Absent,
}

/// Where an op was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The op.
    pub span: Span,
    /// Its path.
    pub path: Span,
    /// Its number in its file, from 0.
    pub number: u32,
}

impl Patch {
    /// Appends the ops of another patch.
    pub fn extend(&mut self, other: Patch) {
        self.ops.extend(other.ops);
        self.arenas.extend(other.arenas);
    }
}
