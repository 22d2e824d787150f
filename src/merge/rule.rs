//! What an entry becomes where something is inherited for its key.

use super::STRATEGY;
use crate::diagnostic::Diagnostic;
use crate::node::{Document, Kind, Node};
use crate::patch::Lists;
use crate::scalar::Scalar;

/// What becomes of an entry.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Fate {
    /// It stays as it is.
    Same,
    /// It goes, and nothing is inherited in its place.
    Gone,
    /// It says null.
    Null,
    /// It says this.
    Node(Node),
    /// It says what these two say, the second over the first.
    Meet(Node, Node),
    /// It must not be.
    Wrong(Box<Diagnostic>),
}

/// What a mapping says about how it is merged: `+%: whiteout`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strategy {
    Merge,
    Error,
    Whiteout,
    Nullout,
    /// Any other word: the mapping replaces what is inherited.
    Replace,
}

/// What becomes of an entry, whose key may be inherited with a value.
pub(super) fn fate(
    document: &Document,
    lists: Lists,
    inherited: Option<(Node, Node)>,
    (key, own): (Node, Node),
) -> Fate {
    let base = inherited.map(|(_, value)| value);
    let is = |node: Option<Node>, kind| node.filter(|&node| document.kind(node) == kind);
    let null = document.is_null(own);
    if !null && document.kind(own) != Kind::Mapping {
        let both = is(Some(own), Kind::Sequence).and(is(base, Kind::Sequence));
        return match both {
            Some(base) if lists == Lists::Union => Fate::Meet(base, own),
            Some(_) | None => Fate::Same,
        };
    }
    let base_mapping = is(base, Kind::Mapping);
    let said = document.strategy(own);
    let strategy = said.or_else(|| document.strategy(base_mapping?));
    match strategy.unwrap_or(Strategy::Merge) {
        Strategy::Whiteout => Fate::Gone,
        Strategy::Nullout => Fate::Null,
        Strategy::Error if base_mapping.is_some() => {
            Fate::Wrong(refused(document, key, inherited))
        }
        _ if null => base.map_or(Fate::Same, Fate::Node),
        Strategy::Merge => match base_mapping {
            Some(base) if document.slots(own).is_empty() => Fate::Node(base),
            Some(base) => Fate::Meet(base, own),
            None => Fate::Same,
        },
        Strategy::Error | Strategy::Replace => Fate::Same,
    }
}

fn refused(
    document: &Document,
    key: Node,
    inherited: Option<(Node, Node)>,
) -> Box<Diagnostic> {
    let name = document.scalar(key);
    let name = match &name {
        Scalar::String(text) => text,
        _ => "this",
    };
    let message = format!("merging {name} is not allowed, \"+%: error\" was set");
    let place = |node| document.span(node).map(|span| document.first_line(span));
    let here = place(key).map(|span| (span, "this would be merged"));
    let there = inherited.and_then(|(key, _)| Some((place(key)?, "with this")));
    let labels = here.into_iter().chain(there);
    labels.fold(Diagnostic::error(message), |d, (span, text)| d.label(span, text))
}

impl Document {
    /// What a mapping says about how it is merged; nothing if that is empty.
    pub(super) fn strategy(&self, mapping: Node) -> Option<Strategy> {
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
