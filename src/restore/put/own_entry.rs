//! The entries that a mapping of the source has of its own.

use hashbrown::{HashMap, HashSet};

use super::put_state::PutState;
use crate::compare::EntryKey;
use crate::node::{NodeId, Slot, SlotId};

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
