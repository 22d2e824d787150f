//! The entries that a mapping has of its own, with the places of new ones among them, and the
//! entries that it has from others.

use hashbrown::{HashMap, HashSet};

use super::put_state::PutState;
use crate::arena::Style;
use crate::compare::{EntryKey, MappingEntry};
use crate::node::{Kind, NodeId, Slot, SlotId, Slots};
use crate::restore::compare::{Comparer, Layers};

/// The values that a mapping has without entries of its own.
pub(super) struct InheritedEntries {
    /// The values of its own directives and of those of the mappings around it.
    pub layers: Layers,
    /// The values of its `<<` keys, the weakest first.
    merged: Vec<NodeId>,
}

impl InheritedEntries {
    /// Returns the entries of a mapping without `<<`.
    pub(super) fn of_layers(layers: Layers) -> InheritedEntries {
        InheritedEntries { layers, merged: Vec::new() }
    }

    /// Returns the entries of opened mapping `id`, which was `source`, after the edit.
    /// Expands its `<<` keys if an anchor is gone, or if an entry must go: `<<` has no
    /// whiteouts.
    pub(super) fn new(
        put: &mut PutState<'_, '_>,
        id: u32,
        source: NodeId,
        edited: NodeId,
        layers: Layers,
    ) -> InheritedEntries {
        let slots = put.out.children(id).iter();
        let values: Vec<NodeId> =
            slots.filter(|slot| put.out.is_merge(slot)).map(|slot| slot.value).collect();
        if values.is_empty() {
            return InheritedEntries::of_layers(layers);
        }
        // The filled-in values count too: an own entry overrides by the key as filled in.
        let filled: Vec<NodeId> =
            values.iter().flat_map(|&value| put.items(value)).collect();
        let mut merged: Option<Vec<NodeId>> = Some(Vec::new());
        for value in values {
            let more = merge_sources(put, value);
            merged = merged.zip(more).map(|(merged, more)| [more, merged].concat());
        }
        let own = own_entries(put, id, source);
        let own: HashSet<&EntryKey<'_>> = own.iter().map(|own| &own.key).collect();
        let edited = put.compare.entries(edited);
        let mut is_wanted = |layers: &[NodeId]| {
            let keys = put.compare.inherited_keys(layers);
            keys.iter().all(|(key, _)| own.contains(key) || edited.get(key).is_some())
        };
        let kept = merged.filter(|merged| is_wanted(merged) && is_wanted(&filled));
        let merged = kept.unwrap_or_else(|| {
            put.out.expand_merge_keys(id);
            Vec::new()
        });
        InheritedEntries { layers, merged }
    }

    /// Returns the values that the mapping without an entry `key` has there.
    pub(super) fn get<'a>(
        &self,
        compare: &mut Comparer<'a>,
        key: &EntryKey<'a>,
    ) -> Layers {
        let mut layers = compare.inherited(&self.layers, key);
        let mut merged = self.merged.iter().rev();
        if let Some(value) = merged.find_map(|&it| compare.entries(it).get(key)) {
            compare.add_layer(&mut layers, value);
        }
        layers
    }

    /// Returns the keys that the edited text has in a mapping beside its `<<`. There are
    /// none without a `<<`, where nobody asks.
    pub(super) fn keys_beside_merged<'a>(
        &self,
        compare: &mut Comparer<'a>,
        mapping: NodeId,
    ) -> HashSet<EntryKey<'a>> {
        if self.merged.is_empty() {
            return HashSet::new();
        }
        let slots = compare.document.slots(mapping);
        let keys = slots.iter().filter_map(|slot| slot.key);
        keys.map(|key| compare.key(key)).collect()
    }

    /// Returns true if an entry changed to what `<<` gives.
    pub(super) fn is_merged_now<'a>(
        &self,
        put: &mut PutState<'a, '_>,
        key: &EntryKey<'a>,
        was: NodeId,
        now: NodeId,
    ) -> bool {
        let compare = &mut *put.compare;
        if self.merged.is_empty() || compare.equal(was, now) {
            return false;
        }
        let mut merged = self.merged.iter();
        if !merged.any(|&merged| compare.entries(merged).get(key).is_some()) {
            return false;
        }
        let all = self.get(compare, key);
        compare.equals_inherited(&all, now)
    }
}

/// Returns the future values of a `<<` key, the weakest first; `None` if one is gone.
fn merge_sources(put: &PutState<'_, '_>, value: NodeId) -> Option<Vec<NodeId>> {
    let is = source_after_edit(put, value)?;
    let document = if is == value { put.source } else { put.compare.document };
    let sources = match document.kind(is) {
        Kind::Sequence => document.items(is),
        Kind::Scalar | Kind::Mapping => vec![is],
    };
    // Of several sources the first is the strongest.
    sources.into_iter().rev().map(|source| source_after_edit(put, source)).collect()
}

/// Returns the future value of a source of `<<`; `None` if it is gone.
fn source_after_edit(put: &PutState<'_, '_>, source: NodeId) -> Option<NodeId> {
    let NodeId::Clean(file, i) = source else { return Some(source) };
    let arena = put.source.base();
    if file != arena.file() || arena.style(i) != Style::Alias {
        return Some(source);
    }
    match put.anchors.get(arena.target(i)) {
        None => Some(source),
        Some(became) => became.filter(|&node| put.kind(node) != Kind::Scalar),
    }
}

/// The slots of a mapping that is written, by their keys.
#[derive(Default)]
pub(super) struct OwnEntries<'a> {
    pub slots: HashMap<EntryKey<'a>, SlotId>,
    /// True if the order of the edited entries tells where a new one stands.
    pub in_order: bool,
}

impl<'a> OwnEntries<'a> {
    /// Returns the position of the new entry `edited[at]` among `slots`: behind the nearest
    /// of the edited entries before it that is written, else before the nearest one behind
    /// it.
    pub(super) fn position_of_new(
        &self,
        slots: &Slots,
        edited: &[MappingEntry<'a>],
        at: usize,
    ) -> usize {
        let written = |entry: &MappingEntry<'a>| {
            let slot = self.slots.get(&entry.key).filter(|&&slot| slots.holds(slot));
            slot.map(|&slot| slots.position(slot))
        };
        if !self.in_order {
            return slots.len();
        }
        let before = edited[..at].iter().rev().find_map(written);
        let position = match before {
            Some(before) => Some(before + 1),
            None => edited[at + 1..].iter().find_map(written),
        };
        position.unwrap_or(slots.len())
    }
}

/// An entry of the source; of equal keys the last one, which counts.
pub(super) struct OwnEntry<'a> {
    pub key: EntryKey<'a>,
    pub at: SlotId,
    pub slot: Slot,
}

/// Returns the entries of opened mapping `id`, which was the node `of`, without directives.
pub(super) fn own_entries<'a>(
    put: &mut PutState<'a, '_>,
    id: u32,
    of: NodeId,
) -> Vec<OwnEntry<'a>> {
    let directives: HashSet<NodeId> = put.directives_of(of).into_iter().collect();
    let slots = put.out.children(id);
    let (mut own, mut met): (Vec<OwnEntry<'a>>, HashMap<EntryKey<'a>, usize>) =
        Default::default();
    for at in slots.ids() {
        let slot = *slots.get(at);
        // An opened key is a directive that was renamed just now.
        let Some(key) = slot.key.filter(is_written) else { continue };
        if put.out.is_merge(&slot) || directives.contains(&key) {
            continue;
        }
        let key = put.compare.key(key);
        match met.get(&key) {
            Some(&twin) => own[twin] = OwnEntry { key, at, slot },
            None => {
                met.insert(key.clone(), own.len());
                own.push(OwnEntry { key, at, slot });
            }
        }
    }
    own
}

/// Returns all slots of opened mapping `id` by their keys, which may be written twice.
pub(super) fn slots_by_key<'a>(
    put: &mut PutState<'a, '_>,
    id: u32,
) -> HashMap<EntryKey<'a>, Vec<SlotId>> {
    let slots = put.out.children(id);
    let mut twins: HashMap<EntryKey<'a>, Vec<SlotId>> = HashMap::new();
    for at in slots.ids() {
        if let Some(key) = slots.get(at).key.filter(is_written) {
            twins.entry(put.compare.key(key)).or_default().push(at);
        }
    }
    twins
}

fn is_written(key: &NodeId) -> bool {
    matches!(key, NodeId::Clean(..))
}
