//! The events of changes: what becomes of a place, as people know it.

use super::changes::{Cause, Change, Changes};
use super::value::Value;
use crate::node::{Kind, NodeId, OpId, Seat, Tree};
use crate::source::Span;
use crate::variables::uses;

/// Makes events of changes.
#[derive(Clone, Copy)]
pub(super) struct Events<'h> {
    pub tree: &'h Tree,
    pub changes: &'h Changes,
}

impl Events<'_> {
    /// Returns the event of a change at its own place.
    pub(super) fn change(&self, number: usize) -> Event {
        let effect = &self.changes.get(number).effect;
        let after = match effect.seat {
            Seat::Slot(id, at) => self.changes.in_slot(self.tree, (id, at), number + 1),
            Seat::Root(_) | Seat::Detached(_) => effect.after,
        };
        self.event(number, effect.before, after.filter(|_| effect.after.is_some()))
    }

    /// Returns the event of a change at a place that had these values.
    pub(super) fn event(
        &self,
        number: usize,
        before: Option<NodeId>,
        after: Option<NodeId>,
    ) -> Event {
        let change = self.changes.get(number);
        let action = match (before, after) {
            (None, _) => Action::Put,
            (Some(_), None) => Action::Removed,
            (Some(before), Some(after)) if self.are_same(before, after) => Action::Put,
            (Some(_), Some(_)) => Action::Changed,
        };
        let (by, op) = match change.cause {
            Cause::Op(op) => (By::Op, Some(op)),
            Cause::Variables => (By::Variable, None),
            Cause::Templates => (By::Template, None),
        };
        let names = match by {
            By::Variable => self.names(change.effect.before),
            _ => Vec::new(),
        };
        let value =
            |node: Option<NodeId>, moment| node.map(|node| Value { node, moment });
        Event {
            by,
            action,
            place: self.place_of(change, after),
            op,
            from: change.source.as_ref().map(|it| self.tree.shown_path(&it.place.path)),
            names,
            before: value(before, number),
            after: value(after, number + 1),
            moment: number + 1,
        }
    }

    /// Returns the events of a change at a place that had these values: one for each variable
    /// in a text.
    pub(super) fn all(
        &self,
        number: usize,
        before: Option<NodeId>,
        after: Option<NodeId>,
    ) -> Vec<Event> {
        each_name(self.event(number, before, after))
    }

    /// Returns the events of a change at its own place.
    pub(super) fn changes(&self, number: usize) -> Vec<Event> {
        each_name(self.change(number))
    }

    /// Returns true for two scalars with one value.
    fn are_same(&self, a: NodeId, b: NodeId) -> bool {
        let are_scalars = [a, b].map(|node| self.tree.kind(node) == Kind::Scalar);
        are_scalars == [true, true] && self.tree.equal(a, b)
    }

    /// Returns the place at which a change, or the value it put somewhere, is written.
    fn place_of(&self, change: &Change, after: Option<NodeId>) -> Option<Span> {
        let value = after.and_then(|node| self.tree.span(node));
        match change.cause {
            Cause::Op(op) => {
                let op = self.tree.op_span(op)?;
                // The value may be the alias of an anchor in another op.
                let is_written =
                    |it: &Span| it.file == op.file && change.source.is_none();
                Some(value.filter(is_written).unwrap_or(op))
            }
            Cause::Variables => {
                let file =
                    value.filter(|it| self.tree.arena(it.file).source().is_secret());
                file.filter(|_| change.effect.after.is_some())
            }
            Cause::Templates => change.effect.before.and_then(|it| self.tree.span(it)),
        }
    }

    /// Returns the names of the variables in a text.
    fn names(&self, node: Option<NodeId>) -> Vec<String> {
        let text = node.and_then(|node| self.tree.string(node)).unwrap_or_default();
        let mut names: Vec<String> = Vec::new();
        for name in uses(&text).map(|it| it.name) {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        names
    }
}

/// Returns an event for each of the variables of one: each has a place of its own.
fn each_name(mut event: Event) -> Vec<Event> {
    if event.names.len() < 2 {
        return vec![event];
    }
    let names = std::mem::take(&mut event.names);
    names.into_iter().map(|name| Event { names: vec![name], ..event.clone() }).collect()
}

/// The kind of thing that changed a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    /// The text that was read.
    #[default]
    Text,
    /// An op.
    Op,
    /// A merge directive.
    Directive,
    /// The value of a variable.
    Variable,
    /// A template or an expression.
    Template,
}

impl By {
    /// The name, as `explain` prints it.
    pub fn name(self) -> &'static str {
        match self {
            By::Text => "text",
            By::Op => "op",
            By::Directive => "directive",
            By::Variable => "variable",
            By::Template => "template",
        }
    }
}

/// The effect of an event on its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Action {
    /// It was there when its text was read.
    #[default]
    Read,
    /// A value was put there.
    Put,
    /// There was another value.
    Changed,
    /// The value came from another place.
    Moved,
    /// The value was removed.
    Removed,
}

impl Action {
    /// The name, as `explain` prints it.
    pub fn name(self) -> &'static str {
        match self {
            Action::Read => "read",
            Action::Put => "put",
            Action::Changed => "changed",
            Action::Moved => "moved",
            Action::Removed => "removed",
        }
    }
}

/// One event of the history of a place.
#[derive(Clone, Debug, Default)]
pub struct Event {
    /// The kind of thing that changed the place.
    pub by: By,
    /// The effect.
    pub action: Action,
    /// The place at which the value, the op, the directive or the template is written; of a
    /// variable, its value.
    pub place: Option<Span>,
    /// The number of the op in the patch, directives included.
    pub op: Option<OpId>,
    /// The path of the op, as it is written, or of what it moved or copied.
    pub from: Option<String>,
    /// The names of the variables.
    pub names: Vec<String>,
    /// The value before; `None` if there was none, or if only a part of it changed.
    pub before: Option<Value>,
    /// The value after; `None` if it was removed, or if only a part of it changed.
    pub after: Option<Value>,
    /// Number of changes of the document up to this one: events in the order of time.
    pub moment: usize,
}

/// An op that was applied, as people know it.
#[derive(Clone, Debug)]
pub struct AppliedOp {
    /// The kind, such as `replace`.
    pub kind: &'static str,
    /// The path, as it was written.
    pub path: String,
    /// The path from which it copied or moved a value, as it was written.
    pub from: Option<String>,
}
