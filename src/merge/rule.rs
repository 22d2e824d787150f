//! The rules of merging: the value of a key in one layer over its value in those below.

use crate::diagnostic::Diagnostic;
use crate::node::{Kind, NodeId, Tree};
use crate::patch::Lists;
use crate::scalar::Scalar;

/// The key that states how a mapping is merged.
pub(crate) const STRATEGY_KEY: &str = "+%";

/// The key that gives the mapping around it a name.
pub(crate) const NAME_KEY: &str = "+&";

/// The value of a key after some layers.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum MergedValue {
    /// No layer has the key, or a whiteout removed it.
    Absent,
    /// A node as it stands in a layer.
    Node(NodeId),
    /// Null, because of a nullout.
    Null,
    /// The merge of these collections, the strongest last.
    Layers(Vec<NodeId>),
}

/// The strategy of a mapping: `+%: whiteout`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strategy {
    Merge,
    Error,
    Whiteout,
    Nullout,
    /// Any other word: the mapping replaces the value below.
    Replace,
}

impl Strategy {
    /// Returns the strategy that a mapping states; `None` for none or an empty one.
    pub(crate) fn of(document: &Tree, mapping: NodeId) -> Option<Strategy> {
        let value = document.get(mapping, STRATEGY_KEY)?;
        if document.kind(value) != Kind::Scalar {
            return (!document.slots(value).is_empty()).then_some(Strategy::Replace);
        }
        match document.scalar(value) {
            // Unfurl tests the value for truth before it compares.
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

impl MergedValue {
    fn kind(&self, document: &Tree) -> Option<Kind> {
        match self {
            MergedValue::Absent => None,
            MergedValue::Null => Some(Kind::Scalar),
            MergedValue::Node(node) => Some(document.kind(*node)),
            MergedValue::Layers(layers) => {
                layers.last().map(|&layer| document.kind(layer))
            }
        }
    }

    fn strategy(&self, document: &Tree) -> Option<Strategy> {
        match self {
            MergedValue::Node(node) => Strategy::of(document, *node),
            MergedValue::Absent | MergedValue::Null | MergedValue::Layers(_) => None,
        }
    }

    /// Lays an own node over the value, to be merged with it.
    fn meet(self, own: NodeId) -> MergedValue {
        match self {
            MergedValue::Node(node) => MergedValue::Layers(vec![node, own]),
            MergedValue::Layers(mut layers) => {
                layers.push(own);
                MergedValue::Layers(layers)
            }
            MergedValue::Absent | MergedValue::Null => MergedValue::Node(own),
        }
    }
}

/// Puts `own` over the value below. `None` if `+%: error` forbids that.
pub(super) fn override_value(
    document: &Tree,
    lists: Lists,
    below: MergedValue,
    own: NodeId,
) -> Option<MergedValue> {
    let is_null = document.is_null(own);
    let kind = document.kind(own);
    let below_kind = below.kind(document);
    if !is_null && kind != Kind::Mapping {
        let join = lists == Lists::Union && kind == Kind::Sequence;
        let joins = join && below_kind == Some(Kind::Sequence);
        return Some(if joins { below.meet(own) } else { MergedValue::Node(own) });
    }
    let is_mapping = below_kind == Some(Kind::Mapping);
    let strategy = Strategy::of(document, own).or_else(|| below.strategy(document));
    Some(match strategy.unwrap_or(Strategy::Merge) {
        Strategy::Whiteout => MergedValue::Absent,
        Strategy::Nullout => MergedValue::Null,
        Strategy::Error if is_mapping => return None,
        // An own null inherits: it is an empty mapping to Unfurl.
        _ if is_null && below_kind.is_some() => below,
        Strategy::Merge if is_mapping && document.slots(own).is_empty() => below,
        Strategy::Merge if is_mapping => below.meet(own),
        Strategy::Merge | Strategy::Error | Strategy::Replace => MergedValue::Node(own),
    })
}

/// The error that key `own` has `+%: error` and the layers below have the key too.
pub(super) fn refused(document: &Tree, before: NodeId, own: NodeId) -> Box<Diagnostic> {
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
