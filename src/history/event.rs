//! One event of the history of a place.

use super::value::Value;
use crate::node::OpId;
use crate::source::Span;

/// The kind of thing that changed a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The text that was read.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It was there when its text was read.
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
#[derive(Clone, Debug)]
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
