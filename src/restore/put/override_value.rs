//! The value in place of an inherited one or of a written one: an override, a list that names the
//! inherited items that it keeps, or the edited value.

use hashbrown::HashMap;

use super::inherited_part::{InheritedPart, SourcePointer};
use super::put_state::{Pending, PendingNode, PutState};
use crate::arena::{Style, flag};
use crate::compare::ListPart;
use crate::node::{Kind, NodeId};
use crate::restore::compare::Change;
use crate::restore::layers::Layers;
use crate::restore::site::SiteImport;

/// Replaces a node of the source.
pub(super) fn replace(put: &mut PutState<'_, '_>, place: &PendingNode) {
    let mut was = Some(place.source);
    let index = put.index(place.source);
    if let Some(i) = index {
        put.anchors.forget_inner(i);
        // The directives in it go.
        let sites = (i..put.source.base().next(i)).filter_map(|i| put.sites.get(i));
        let keys = sites.flat_map(|site| site.imports.iter().map(|import| import.key));
        put.note_written_out(keys.collect(), "what held it was replaced");
        was = was.filter(|_| put.source.base().style(i) != Style::Alias);
    }
    let node = override_value(put, place.inherited.clone(), place.change, was);
    put.out.set_at(place.seat, node, None);
    if let Some(i) = index.filter(|&i| put.source.base().anchor(i).is_some()) {
        put.out.set_alias_value(put.source.file(), i, node);
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
    let node = put.values.kept_text(change.now).or_else(overridden);
    let written = node.and_then(|node| document.origin_of(node));
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
    let (file, i) = put.compare.document.origin_of(view)?;
    let arena = put.source.base();
    let names = flag::HAS_ANCHOR | flag::HAS_ALIAS;
    if file != arena.file() || arena.has(i, names) || put.sites.holds_changed(i) {
        return None;
    }
    let sites = (i..arena.next(i)).filter_map(|i| put.sites.get(i));
    let mut imports = sites.flat_map(|site| &site.imports);
    (!imports.any(SiteImport::is_relative)).then_some(NodeId::Clean(file, i))
}

/// Number of lines from which an item is overridden and not restated.
// A directive and one entry are two lines.
const MIN_OVERRIDDEN_LINES: usize = 3;

/// Returns a list that has the edited items in place of the inherited list `layer`, and
/// names those that it keeps; `None` if it would not be shorter than the edited list.
pub(super) fn list_override(
    put: &mut PutState<'_, '_>,
    layers: &[NodeId],
    change: Change<NodeId>,
) -> Option<NodeId> {
    let &[layer] = layers else { return None };
    let was = change.was.filter(|_| put.mode.names_items)?;
    let lists = [was, layer, change.now].map(|node| put.kind(node) == Kind::Sequence);
    // A list that stays as it was is restated with the directives that it had.
    if lists != [true; 3] || put.compare.equal(was, change.now) {
        return None;
    }
    let pointer = put.origins.pointer(put.compare.document, layer)?;
    let (inherited, edited) = (put.items(layer), put.items(change.now));
    let items = match put.position_of_part(&inherited, &edited) {
        Some(at) if put.is_list_of_document(layer) => {
            let end = at + inherited.len();
            let whole = named(put, &pointer);
            let before = new_values(put, &edited[..at]);
            let after = new_values(put, &edited[end..]);
            [before, vec![whole], after].concat()
        }
        _ => kept_items(put, layer, &pointer, &edited)?,
    };
    put.has_named_items = true;
    let list = put.out.new_sequence();
    let NodeId::Opened(id) = list else { return None };
    for (position, item) in items.into_iter().enumerate() {
        put.out.insert_item(id, position, item, None);
    }
    if is_in_brackets(put, change, layers) {
        put.out.put_in_brackets(list);
    }
    Some(list)
}

fn new_values(put: &mut PutState<'_, '_>, edited: &[NodeId]) -> Vec<NodeId> {
    edited.iter().map(|&item| put.new_value(item, None)).collect()
}

/// Returns a mapping with the directive that a pointer is.
pub(super) fn named(put: &mut PutState<'_, '_>, pointer: &SourcePointer) -> NodeId {
    let node = put.out.new_mapping(&[], None);
    let key = put.new_key(&pointer.text, pointer.key);
    let value = put.values.directive_value(put.out, pointer.key);
    if let NodeId::Opened(id) = node {
        put.out.push_entry(id, key, value);
    }
    node
}

/// Returns the edited items, of which long ones are named that the inherited list `layer`
/// has as well; `None` if no item is.
fn kept_items(
    put: &mut PutState<'_, '_>,
    layer: NodeId,
    pointer: &SourcePointer,
    edited: &[NodeId],
) -> Option<Vec<NodeId>> {
    let parts = InheritedPart::all(put, layer, pointer)?;
    let positions = pair(put, &parts, edited);
    // The items of a directive that gives others now are named one by one.
    let mut pieces = Vec::new();
    for (part, position) in parts.into_iter().zip(positions) {
        if part.part.splice && position.is_none() {
            pieces.extend(part.into_items());
        } else {
            pieces.push(part);
        }
    }
    let positions = pair(put, &pieces, edited);
    let placed: HashMap<usize, &InheritedPart> =
        pieces.iter().zip(positions).filter_map(|(part, at)| Some((at?, part))).collect();
    let (mut items, mut at, mut names) = (Vec::new(), 0, false);
    while at < edited.len() {
        let part = placed.get(&at);
        let kept = part.and_then(|part| kept_item(put, part, edited[at]));
        names |= kept.is_some();
        items.push(match kept {
            Some(kept) => kept,
            None => put.new_value(edited[at], None),
        });
        at += part.map_or(1, |part| part.part.gives.len());
    }
    names.then_some(items)
}

fn pair(
    put: &mut PutState<'_, '_>,
    parts: &[InheritedPart],
    edited: &[NodeId],
) -> Vec<Option<usize>> {
    let parts: Vec<&ListPart> = parts.iter().map(|part| &part.part).collect();
    let positions = put.compare.pair(&parts, edited);
    positions.into_iter().map(|new| new.map(|new| new.at)).collect()
}

/// Returns the item that names an inherited one, which `edited` stands for now; `None` if
/// the edited item is not longer.
fn kept_item(
    put: &mut PutState<'_, '_>,
    part: &InheritedPart,
    edited: NodeId,
) -> Option<NodeId> {
    if part.part.splice {
        let pointer = part.pointer.as_ref()?;
        return Some(part.directive.unwrap_or_else(|| named(put, pointer)));
    }
    let (item, pointer) = (part.part.view?, part.pointer.as_ref()?);
    if put.compare.equal(item, edited) {
        return short_name(put, item, pointer);
    }
    let overridden = is_overridden(put, item, edited);
    let name = overridden.then(|| named(put, pointer))?;
    if let NodeId::Opened(id) = name {
        let change = Change { was: Some(item), now: edited };
        put.pending.push(Pending::Override(id, vec![item], change));
    }
    Some(name)
}

/// Returns the item that names an inherited mapping, if that is shorter.
pub(super) fn short_name(
    put: &mut PutState<'_, '_>,
    item: NodeId,
    pointer: &SourcePointer,
) -> Option<NodeId> {
    let is_mapping = put.kind(item) == Kind::Mapping;
    let shorter = is_mapping && line_count(put, item) > 1;
    shorter.then(|| named(put, pointer))
}

/// Returns true if an override of an inherited item is shorter than the edited one, and has
/// no whiteouts.
fn is_overridden(put: &mut PutState<'_, '_>, item: NodeId, edited: NodeId) -> bool {
    if [item, edited].map(|node| put.kind(node)) != [Kind::Mapping; 2]
        || line_count(put, item) < MIN_OVERRIDDEN_LINES
    {
        return false;
    }
    let (was, now) = (put.compare.entries(item), put.compare.entries(edited));
    let stays = was.list.iter().all(|entry| now.get(&entry.key).is_some());
    stays && 2 * put.compare.differences(item, edited) <= now.list.len()
}

/// Returns the number of lines that a value was written in.
fn line_count(put: &PutState<'_, '_>, value: NodeId) -> usize {
    let document = put.compare.document;
    let written = document.origin_of(document.follow(value));
    written.map_or(0, |(file, i)| document.arena(file).raw(i).trim_end().lines().count())
}
