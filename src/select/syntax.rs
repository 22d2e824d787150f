//! The syntax tree of a query: RFC 9535, section 2. What is compared has a value, what is
//! tested is true or false.

use crate::scalar::Scalar;

/// `[…]`, `.name` or `..[…]`: selects from each node that the segments before it give.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Segment {
    /// Offset in bytes at which it was written.
    pub start: usize,
    /// `..`: selects from the node and from all its descendants.
    pub descends: bool,
    pub selectors: Vec<Selector>,
}

/// One of the choices between brackets.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Selector {
    /// `'name'`: a member of a mapping.
    Name(String),
    /// `*`: all children.
    Wildcard,
    /// `-1`: an item of a list, from its end if negative.
    Index(i64),
    /// `0:10:2`
    Slice(Slice),
    /// `?…`: the children for which it holds.
    Filter(Condition),
}

/// Items of a list from `start` on, before `end`, as in Python.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slice {
    pub start: Option<i64>,
    pub end: Option<i64>,
    pub step: i64,
}

/// A condition of a child, `@`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Condition {
    /// `a || b`
    Any(Vec<Condition>),
    /// `a && b`
    All(Vec<Condition>),
    /// `!a`
    Not(Box<Condition>),
    /// `@.a`: it selects something.
    Exists(Nested),
    /// `@.a == 1`
    Compare(Operand, ComparisonOp, Operand),
    /// `match(@.a, 'x.*')`, `search(…)`
    Regexp {
        /// The whole text must match, not only a part.
        whole: bool,
        text: Operand,
        pattern: Operand,
    },
}

/// A query in a condition.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Nested {
    /// `$`: it starts at the root, and not at `@`.
    pub is_absolute: bool,
    pub segments: Vec<Segment>,
}

impl Nested {
    /// Returns true if it selects one node at most.
    pub(super) fn is_singular(&self) -> bool {
        self.segments.iter().all(Segment::is_singular)
    }
}

/// A value that is compared or given to a function.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Operand {
    /// `1`
    Literal(Scalar<'static>),
    /// `@.a[0]`
    Singular(Nested),
    /// `length(…)`
    Length(Box<Operand>),
    /// `count(…)`
    Count(Nested),
    /// `value(…)`
    Value(Nested),
}

/// An operator between two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ComparisonOp {
    Equal,
    NotEqual,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl ComparisonOp {
    /// The operators, a longer one before its beginning.
    pub(super) const ALL: [(&str, ComparisonOp); 6] = [
        ("==", ComparisonOp::Equal),
        ("!=", ComparisonOp::NotEqual),
        ("<=", ComparisonOp::AtMost),
        (">=", ComparisonOp::AtLeast),
        ("<", ComparisonOp::Less),
        (">", ComparisonOp::Greater),
    ];
}

impl Segment {
    pub(super) fn is_singular(&self) -> bool {
        let one = matches!(self.selectors[..], [Selector::Name(_) | Selector::Index(_)]);
        one && !self.descends
    }
}

impl Slice {
    /// Returns the positions that it selects of `len` items, in its order.
    pub(super) fn positions(self, len: usize) -> impl Iterator<Item = usize> {
        let len = len as i64;
        let from_start = |at: i64| if at < 0 { at.saturating_add(len) } else { at };
        let step = self.step;
        let start = self.start.map(from_start);
        let end = self.end.map(from_start);
        let (mut at, end) = if step >= 0 {
            (start.unwrap_or(0).clamp(0, len), end.unwrap_or(len).clamp(0, len))
        } else {
            let last = len - 1;
            (start.unwrap_or(last).clamp(-1, last), end.unwrap_or(-1).clamp(-1, last))
        };
        std::iter::from_fn(move || {
            let more = (step > 0 && at < end) || (step < 0 && at > end);
            let here = more.then_some(at)?;
            at = at.saturating_add(step);
            usize::try_from(here).ok()
        })
    }
}
