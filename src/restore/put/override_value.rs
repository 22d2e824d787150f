//! Values that stand in place of others: of values of the source, or of inherited ones.

use super::pending::Pending;
use super::pending_node::PendingNode;
use super::put_state::PutState;
use crate::arena::{Index, Style, flag};
use crate::node::{Kind, NodeId};
use crate::restore::change::Change;
use crate::restore::layers::Layers;
use crate::restore::site::SiteImport;

/// Replaces a node of the source.
pub(super) fn replace(put: &mut PutState<'_, '_>, place: &PendingNode) {
    let mut was = Some(place.source);
    let index = put.index(place.source);
    if let Some(i) = index {
        put.anchors.forget_inner(i);
        note_replaced(put, i);
        was = was.filter(|_| put.source.base().style(i) != Style::Alias);
    }
    let node = override_value(put, place.inherited.clone(), place.change, was);
    put.out.set_at(place.seat, node, None);
    if let Some(i) = index.filter(|&i| put.source.base().anchor(i).is_some()) {
        put.out.set_alias_value(put.source.file(), i, node);
    }
}

/// Reports the directives in a value that is replaced.
fn note_replaced(put: &mut PutState<'_, '_>, i: Index) {
    let all = i..put.source.base().next(i);
    for site in all.filter_map(|i| put.sites.get(i)) {
        let keys = site.imports.iter().map(|import| import.key);
        put.directives.note_written_out(keys, "what held it was replaced");
    }
}

/// Returns the node of a value where `layers` are inherited: an override of them if they
/// are mappings. The source had the node `was` there.
pub(super) fn override_value(
    put: &mut PutState<'_, '_>,
    layers: Layers,
    change: Change<NodeId>,
    was: Option<NodeId>,
) -> NodeId {
    let now = change.now;
    if put.kind(now) == Kind::Mapping && put.compare.is_mapping(&layers) {
        let node = put.out.new_mapping(&[], None);
        if is_in_brackets(put, change, &layers) {
            put.out.put_in_brackets(node);
        }
        if let NodeId::Opened(id) = node {
            put.pending.push(Pending::Override(id, layers, change));
        }
        return node;
    }
    if let Some(same) = change.was.and_then(|view| restatement(put, view, now)) {
        return same;
    }
    let null = put.compare.document.is_null(now);
    if null && layers.iter().any(|&layer| !put.compare.document.is_null(layer)) {
        return put.values.nullout();
    }
    put.new_value(now, was)
}

/// Returns true if an override is written in flow style: as it was given, or as what it
/// overrides if the edited text is a dump.
pub(super) fn is_in_brackets(
    put: &PutState<'_, '_>,
    change: Change<NodeId>,
    layers: &[NodeId],
) -> bool {
    let document = put.compare.document;
    // An edited layer has the style of the dump.
    let overridden = || change.was.or(layers.last().copied());
    let written = match put.values.kept_text(change.now).or_else(overridden) {
        Some(NodeId::Clean(file, i)) => Some((file, i)),
        Some(NodeId::Opened(id)) => document.origin(id),
        None => None,
    };
    written.is_some_and(|(file, i)| document.arena(file).style(i).is_flow())
}

/// Returns the text that the source has for a list that stays as it was, although its
/// source changes; `None` if it holds a relative directive, an anchor or an alias, which
/// mean something else in another place.
fn restatement(
    put: &mut PutState<'_, '_>,
    view: NodeId,
    edited: NodeId,
) -> Option<NodeId> {
    if put.kind(view) != Kind::Sequence || !put.compare.equal(view, edited) {
        return None;
    }
    let (file, i) = match view {
        NodeId::Clean(file, i) => (file, i),
        NodeId::Opened(id) => put.compare.document.origin(id)?,
    };
    let arena = put.source.base();
    let names = flag::HAS_ANCHOR | flag::HAS_ALIAS;
    if file != arena.file() || arena.has(i, names) || put.sites.holds_changed(i) {
        return None;
    }
    let sites = (i..arena.next(i)).filter_map(|i| put.sites.get(i));
    let mut imports = sites.flat_map(|site| &site.imports);
    (!imports.any(SiteImport::is_relative)).then_some(NodeId::Clean(file, i))
}
