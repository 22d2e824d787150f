//! What is said of a key where something was said before.

use super::STRATEGY;
use crate::diagnostic::Diagnostic;
use crate::node::{Document, Kind, Node};
use crate::patch::Lists;
use crate::scalar::Scalar;

/// What is said of a key.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// Nothing, or that it is no more.
    Absent,
    /// What is written there.
    Node(Node),
    /// Null, as a nullout has it.
    Null,
    /// What these collections say, the strongest last.
    Meet(Vec<Node>),
}

/// What a mapping says about how it is merged: `+%: whiteout`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strategy {
    Merge,
    Error,
    Whiteout,
    Nullout,
    /// Any other word: the mapping replaces what was said before.
    Replace,
}

impl Value {
    fn kind(&self, document: &Document) -> Option<Kind> {
        match self {
            Value::Absent => None,
            Value::Null => Some(Kind::Scalar),
            Value::Node(node) => Some(document.kind(*node)),
            Value::Meet(layers) => layers.last().map(|&layer| document.kind(layer)),
        }
    }

    fn strategy(&self, document: &Document) -> Option<Strategy> {
        match self {
            Value::Node(node) => document.strategy(*node),
            Value::Absent | Value::Null | Value::Meet(_) => None,
        }
    }

    fn meet(self, own: Node) -> Value {
        match self {
            Value::Node(node) => Value::Meet(vec![node, own]),
            Value::Meet(mut layers) => {
                layers.push(own);
                Value::Meet(layers)
            }
            Value::Absent | Value::Null => Value::Node(own),
        }
    }
}

/// `own` over what was said before; nothing if that must not be.
pub(super) fn over(
    document: &Document,
    lists: Lists,
    before: Value,
    own: Node,
) -> Option<Value> {
    let (null, kind) = (document.is_null(own), document.kind(own));
    let under = before.kind(document);
    if !null && kind != Kind::Mapping {
        let join = lists == Lists::Union && kind == Kind::Sequence;
        let joins = join && under == Some(Kind::Sequence);
        return Some(if joins { before.meet(own) } else { Value::Node(own) });
    }
    let mapping = under == Some(Kind::Mapping);
    let strategy = document.strategy(own).or_else(|| before.strategy(document));
    Some(match strategy.unwrap_or(Strategy::Merge) {
        Strategy::Whiteout => Value::Absent,
        Strategy::Nullout => Value::Null,
        Strategy::Error if mapping => return None,
        _ if null && under.is_some() => before,
        Strategy::Merge if mapping && document.slots(own).is_empty() => before,
        Strategy::Merge if mapping => before.meet(own),
        Strategy::Merge | Strategy::Error | Strategy::Replace => Value::Node(own),
    })
}

/// Says that `own` must not be said where something was said before.
pub(super) fn refused(document: &Document, before: Node, own: Node) -> Box<Diagnostic> {
    let name = document.scalar(own);
    let name = match &name {
        Scalar::String(text) => text,
        _ => "this",
    };
    let message = format!("merging {name} is not allowed, \"+%: error\" was set");
    let labels = [(own, "this would be merged"), (before, "with this")];
    labels.into_iter().fold(Diagnostic::error(message), |diagnostic, (key, text)| {
        match document.span(key) {
            Some(span) => diagnostic.label(document.first_line(span), text),
            None => diagnostic,
        }
    })
}

impl Document {
    /// What a mapping says about how it is merged; nothing if that is empty.
    pub(crate) fn strategy(&self, mapping: Node) -> Option<Strategy> {
        let value = self.get(mapping, STRATEGY)?;
        if self.kind(value) != Kind::Scalar {
            return (!self.slots(value).is_empty()).then_some(Strategy::Replace);
        }
        match self.scalar(value) {
            Scalar::Null | Scalar::Bool(false) | Scalar::Int(0) | Scalar::Float(0.0) => {
                None
            }
            Scalar::String(word) => match &*word {
                "" => None,
                "merge" => Some(Strategy::Merge),
                "error" => Some(Strategy::Error),
                "whiteout" => Some(Strategy::Whiteout),
                "nullout" => Some(Strategy::Nullout),
                _ => Some(Strategy::Replace),
            },
            _ => Some(Strategy::Replace),
        }
    }
}
