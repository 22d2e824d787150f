//! `((names))` put back into an edited copy of a document that was filled in, wherever
//! they still have their values.

use super::edited_copy::{EditedCopy, RestoredUses};
use super::syntax::{is_use, may_have_uses};
use super::used_values::UsedValues;
use crate::compare::pair_nodes;
use crate::node::{Kind, NodeId, Tree};

/// An edited copy with its `((names))` put back.
#[derive(Debug)]
pub struct RestoredPlaceholders {
    /// The copy.
    pub document: Tree,
    /// What is known of the places that were edited.
    pub uses: RestoredUses,
}

/// Returns `edited` with the written text at each place that was filled in and not
/// edited, and the names in texts that were edited beside them. A section of variables that
/// lost its definitions is put back as well.
///
/// # Example
/// ```text
/// written: url: ((host)):80   filled: url: db:80   edited: url: db:8080
/// document: url: ((host)):8080
/// ```
pub fn restore_placeholders(
    written: &Tree,
    filled: &Tree,
    edited: &Tree,
    values: &UsedValues,
) -> RestoredPlaceholders {
    let mut copy = EditedCopy::new((written, filled), edited, &|_, _| false);
    let paired = copy.pair();
    let uses = copy.restore_uses(&paired, values);
    let document = copy.put_back(&paired.same);
    RestoredPlaceholders { document, uses }
}

/// Returns the templates that have a value in the edited copy, in order.
pub fn overwritten_templates(
    document: &Tree,
    edited: &Tree,
    is_template: &dyn Fn(&Tree, NodeId) -> bool,
) -> Vec<NodeId> {
    let changed =
        pair_nodes(document, edited, |node| is_template(document, node)).changed;
    let is_value = |&(old, new): &(NodeId, NodeId)| {
        let kinds =
            (document.kind(document.follow(old)), edited.kind(edited.follow(new)));
        // A mapping in the place of another may be data that looks like an expression.
        kinds != (Kind::Mapping, Kind::Mapping) && !is_template(edited, new)
    };
    let mut replaced: Vec<NodeId> =
        changed.into_iter().filter(is_value).map(|(old, _)| old).collect();
    let place =
        |node: &NodeId| document.span(*node).map(|span| (span.file.0, span.start));
    replaced.sort_by_key(place);
    replaced
}

/// Returns the places of `((names))` without a value that have one in the edited copy, in
/// order; none if the copy still has some: then it was made without their values.
pub fn overwritten_placeholders(filled: &Tree, edited: &Tree) -> Vec<NodeId> {
    // Most documents have no `((`, and pairing all nodes takes time.
    if !filled.arenas().any(|arena| may_have_uses(arena.text())) {
        return Vec::new();
    }
    let kept = pair_nodes(filled, edited, |node| is_use(filled, node)).same;
    if kept.is_empty() {
        overwritten_templates(filled, edited, &is_use)
    } else {
        Vec::new()
    }
}
