//! Failures that the order of the ops explains: what a path leads to was removed by an op
//! before, or is added by one behind. The ops and a failure come in, the place of that op goes
//! out.

use super::failure::OpFailure;
use super::resolve::{AnyPath, LocatedNode, resolve};
use crate::node::{NodeId, Tree};
use crate::patch::{Content, Edit, Op};
use crate::pointer::{JsonPointer, Modifier, Pointer, Token};
use crate::source::Span;
use crate::target::Target;

/// An op that failed, among all ops of its patch.
pub(super) struct FailedOp<'a> {
    pub(super) ops: &'a [Op],
    /// Its position.
    pub(super) at: usize,
    /// Number of opened nodes that precede those of the patch.
    pub(super) shift: u32,
}

impl FailedOp<'_> {
    /// Returns the failure with a label at the op that explains it.
    pub(super) fn explain(&self, document: &Tree, failure: OpFailure) -> OpFailure {
        let Some(lost) = failure.lost(&self.ops[self.at]) else { return failure };
        match self.removal(&lost) {
            Some(removal) => failure.label(Some(removal), "removed here"),
            None => {
                failure.label(self.addition(document, &lost), "a later op adds it here")
            }
        }
    }

    /// Returns the place of the last op before that removed what is lost.
    fn removal(&self, lost: &Target) -> Option<Span> {
        let mut before = self.ops[..self.at].iter().rev();
        let removal = before.find(|op| {
            let removes = match &op.edit {
                Edit::Remove => leads_to(&op.at, lost),
                _ => op.moved_from().is_some_and(|from| leads_to(from, lost)),
            };
            removes && op.only == self.ops[self.at].only
        })?;
        let origin = removal.origin?;
        Some(origin.from.filter(|_| removal.edit != Edit::Remove).unwrap_or(origin.path))
    }

    /// Returns the place of the first op behind that adds what is lost.
    fn addition(&self, document: &Tree, lost: &Target) -> Option<Span> {
        let mut behind = self.ops[self.at + 1..].iter();
        let added = behind.find(|op| {
            op.only == self.ops[self.at].only && self.adds(document, op, lost)
        })?;
        Some(added.origin?.path)
    }

    /// Returns true if an op that finds its place adds what is lost.
    fn adds(&self, document: &Tree, op: &Op, lost: &Target) -> bool {
        let value = match op.edit {
            Edit::Replace(value) | Edit::Add(Content::Written(value)) => {
                Some(value.shifted(self.shift))
            }
            Edit::Add(_) => None,
            _ => return false,
        };
        match (&op.at, lost) {
            (Target::Pointer(to), Target::Pointer(lost)) => {
                adds_at_pointer(document, to, value, &lost.tokens)
            }
            (Target::Json(to), Target::Json(lost)) => {
                let adds = matches!(op.edit, Edit::Add(_));
                let is_added = adds && to == lost;
                // An item that replaces another one is not new.
                let is_end = to.tokens.last().is_some_and(|token| token == "-");
                is_added
                    || (adds || !is_end)
                        && adds_at_names(document, &to.tokens, value, &lost.tokens)
            }
            _ => false,
        }
    }
}

/// Returns true if a target is the one place at which something was lost.
fn leads_to(target: &Target, lost: &Target) -> bool {
    match (target, lost) {
        (Target::Pointer(target), Target::Pointer(lost)) => target.tokens == lost.tokens,
        (Target::Json(target), Target::Json(lost)) => target == lost,
        _ => false,
    }
}

/// Returns true if `lost` leads somewhere once a value stands where a pointer of bosh leads.
fn adds_at_pointer(
    document: &Tree,
    to: &Pointer,
    value: Option<NodeId>,
    lost: &[Token],
) -> bool {
    if to.tokens.starts_with(lost) {
        return to.optional(lost.len() - 1);
    }
    let Some(value) = value else { return false };
    if let Some(rest) = lost.strip_prefix(&*to.tokens) {
        return is_inside(document, value, rest);
    }
    let Some((last, around)) = to.tokens.split_last() else { return false };
    match (last, lost.strip_prefix(around)) {
        (last, Some([Token::Match { key, value: name, .. }, rest @ ..])) => {
            let part = document.get(value, key);
            let is_named = part.is_some_and(|part| document.is_text(part, name));
            is_new_item(last) && is_named && is_inside(document, value, rest)
        }
        _ => false,
    }
}

/// Returns true for a token that leads to a place between items.
fn is_new_item(token: &Token) -> bool {
    match token {
        Token::End => true,
        Token::Index(_, modifiers) | Token::Match { modifiers, .. } => {
            matches!(modifiers.last(), Some(Modifier::Before | Modifier::After))
        }
        Token::Key(_) => false,
    }
}

/// Returns true if the tokens lead somewhere from a node.
fn is_inside(document: &Tree, node: NodeId, tokens: &[Token]) -> bool {
    let pointer = Pointer { tokens: tokens.to_vec(), required: tokens.len() };
    resolve(document, LocatedNode::root(node), AnyPath::Bosh(&pointer)).is_some()
}

/// Returns true if `lost` leads somewhere once a value stands where a JSON Pointer leads.
fn adds_at_names(
    document: &Tree,
    to: &[String],
    value: Option<NodeId>,
    lost: &[String],
) -> bool {
    let Some(value) = value else { return false };
    let inside = lost.strip_prefix(to).filter(|rest| !rest.is_empty());
    // An item at the end may be the one with the index.
    let item = to.split_last().filter(|(last, _)| *last == "-");
    let item = item.and_then(|(_, around)| lost.strip_prefix(around)?.split_first());
    let item = item.filter(|(index, _)| JsonPointer::index(index).is_some());
    let Some(rest) = inside.or(item.map(|(_, rest)| rest)) else { return false };
    let pointer = JsonPointer { tokens: rest.to_vec() };
    resolve(document, LocatedNode::root(value), AnyPath::Json(&pointer)).is_some()
}
