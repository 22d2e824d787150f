//! A collection takes in another: `type: merge`, JSON Merge Patch, `update` of an Overlay.

use std::borrow::Cow;

use hashbrown::{HashMap, HashSet};

use super::budget::OpsBudget;
use super::failure::OpResult;
use super::hint;
use super::in_place::{is_in_place, is_taken_in, keys_taken_in};
use super::place::note_change;
use super::remark::Changes;
use crate::node::{Kind, NodeId, OpId, Seat, Slot, SlotId, Tree, entry_comments};
use crate::patch::{Combination, Joining};

const SCALARS: (Kind, Kind) = (Kind::Scalar, Kind::Scalar);

/// Combines what is at a seat with a value.
///
/// Fails if values of different kinds meet and the rules are strict; the document is then
/// in an unspecified state.
pub(super) fn combine(
    document: &mut Tree,
    seat: Seat,
    value: NodeId,
    rules: Combination,
    by: Option<OpId>,
    budget: &mut OpsBudget,
    changes: &mut Changes,
) -> OpResult<()> {
    let mut todo = vec![(seat, value, true)];
    while let Some((seat, value, is_outermost)) = todo.pop() {
        // Aliases let the same mappings meet in exponentially many places.
        budget.combine(1)?;
        // Of two keys with the same text, or two aliases, one may have removed the entry.
        if matches!(seat, Seat::Slot(id, at) if !document.children(id).holds(at)) {
            continue;
        }
        let here = document.node_at(seat);
        match (document.kind(here), document.kind(value)) {
            // It would be written out for nothing.
            (Kind::Mapping, Kind::Mapping)
                if !document.has_journal()
                    && is_shared(document, here)
                    && is_taken_in(document, here, value, rules, budget)? => {}
            (Kind::Mapping, Kind::Mapping) => {
                budget.compare(keys_to_read(document, here))?;
                let both =
                    add_entries(document, seat, value, rules, by, budget, changes)?;
                // The last one is taken first: entries are combined in the order of the patch.
                todo.extend(both.into_iter().rev().map(|(seat, it)| (seat, it, false)));
                note_change(document, seat);
            }
            (Kind::Sequence, Kind::Sequence) if rules.lists == Joining::Append => {
                let items = document.slots(value).into_owned();
                append(document, seat, value, &items, by);
            }
            (Kind::Sequence, _) if rules.lists == Joining::Append && is_outermost => {
                append(document, seat, value, &[Slot::new(None, value, None)], by);
            }
            (Kind::Sequence, Kind::Mapping)
                if is_outermost && rules == Combination::MERGE =>
            {
                let replaced = "`type: replace` puts the mapping in its place";
                let failure = hint::unlike(document, here, value);
                return Err(failure.hint(Some(replaced.into())));
            }
            (there, new) if rules.is_strict && (there, new) != SCALARS => {
                return Err(hint::unlike(document, here, value));
            }
            _ if is_in_place(document, here, value, budget)? => {
                document.note_kept(seat, value);
            }
            _ => {
                changes.replace(document, here, value);
                changes.replace_list(document, here, value);
                document.set_at(seat, value, by);
                if rules.null_removes {
                    remove_nulls(document, seat);
                }
            }
        }
    }
    Ok(())
}

/// Returns true if entries of a mapping stand elsewhere: it is an alias, or has a `<<`.
fn is_shared(document: &Tree, mapping: NodeId) -> bool {
    document.has_aliases()
        && (document.follow(mapping) != mapping || document.has_any_merge(mapping))
}

/// Appends items of list `of` to the list at a seat.
fn append(document: &mut Tree, seat: Seat, of: NodeId, items: &[Slot], by: Option<OpId>) {
    if items.is_empty() {
        return;
    }
    let Some(list) = document.open(seat, true) else { return };
    for item in items {
        let end = document.children(list).len();
        let at = document.insert_item(list, end, item.value, by);
        let comments = entry_comments(document, of, item);
        document.give_comments(Seat::Slot(list, at), comments);
    }
}

/// Adds the entries that a mapping does not have, and removes those that are null. Returns
/// the seats of the others, and what they are to be combined with.
fn add_entries(
    document: &mut Tree,
    seat: Seat,
    value: NodeId,
    rules: Combination,
    by: Option<OpId>,
    budget: &mut OpsBudget,
    changes: &mut Changes,
) -> OpResult<Vec<(Seat, NodeId)>> {
    let mut pairs = document.pairs(value);
    let mut both = Vec::new();
    if pairs.is_empty() {
        return Ok(both);
    }
    let Some(id) = document.open(seat, true) else { return Ok(both) };
    if document.has_merges(id) && !document.has_journal() {
        let mapping = NodeId::Opened(id);
        let idle = keys_taken_in(document, mapping, &pairs, rules, budget)?;
        pairs.retain(|(key, _)| !idle.contains(key));
    }
    let others = other_keys(document, id);
    let same = same_keys(document, id, &pairs);
    let entries = document.slots(value).into_owned();
    let entries: HashMap<NodeId, Slot> =
        entries.into_iter().filter_map(|slot| Some((slot.key?, slot))).collect();
    let of = value;
    for (key, value) in pairs {
        let removes = rules.null_removes && document.is_null(value);
        let slots = document.children(id);
        let equal =
            same.get(&key).filter(|equal| equal.iter().all(|&at| slots.holds(at)));
        if let Some(equal) = equal.filter(|_| removes) {
            let keys = equal.iter().filter_map(|&at| slots.get(at).key);
            hint::check_one(document, &keys.collect::<Vec<_>>())?;
            document.remove_equal_entries(id, equal);
            continue;
        }
        let known = equal.and_then(|equal| Some(Seat::Slot(id, *equal.last()?)));
        match known.or_else(|| entry(document, id, key, &others)) {
            Some(Seat::Slot(id, at)) if removes => {
                let own = document.children(id).get(at).key.unwrap_or(key);
                hint::check_one(document, &document.equal_keys(id, own))?;
                if document.string(own).is_some() {
                    document.remove_entry_of(id, own);
                } else {
                    document.remove_item(id, at);
                }
            }
            Some(seat) => both.push((seat, value)),
            None if removes => {}
            None => {
                let name = document.string(key).map(Cow::into_owned);
                if let Some(name) = &name {
                    changes.add_key(document, NodeId::Opened(id), name, budget);
                }
                let at = match name {
                    Some(name) => document.insert_entry(id, &name, value, by),
                    None => {
                        let end = document.children(id).len();
                        document.insert_entry_at(id, end, key, value)
                    }
                };
                let seat = Seat::Slot(id, at);
                document.set_at(seat, value, by);
                if let Some(entry) = entries.get(&key) {
                    let comments = entry_comments(document, of, entry);
                    document.give_comments(seat, comments);
                }
                if rules.null_removes {
                    remove_nulls(document, seat);
                }
            }
        }
    }
    Ok(both)
}

/// Returns the number of keys of a mapping that are read to find those that are no strings.
// Each of many ops may combine one entry with the same large mapping.
fn keys_to_read(document: &Tree, mapping: NodeId) -> usize {
    match mapping {
        NodeId::Opened(id) if !document.has_only_strings(id) => {
            document.children(id).len()
        }
        NodeId::Opened(_) | NodeId::Clean(..) => 0,
    }
}

/// Returns the entries of an opened mapping whose keys are no strings, by the text of the key.
fn other_keys(document: &Tree, id: u32) -> HashMap<String, SlotId> {
    if document.has_only_strings(id) {
        return HashMap::new();
    }
    let slots = document.children(id);
    let keys = slots.ids().filter_map(|at| Some((at, slots.get(at).key?)));
    let others = keys.filter(|&(_, key)| document.string(key).is_none());
    let named = others
        .filter_map(|(at, key)| Some((document.member_name(key)?.into_owned(), at)));
    named.collect()
}

/// Returns the entries of an opened mapping with each key of `pairs` that is a scalar and no
/// string; the last one overrides the others. A search for each key would read all keys.
fn same_keys(
    document: &Tree,
    id: u32,
    pairs: &[(NodeId, NodeId)],
) -> HashMap<NodeId, Vec<SlotId>> {
    // A merge may have the key, too.
    if document.has_merges(id) || document.has_only_strings(id) {
        return HashMap::new();
    }
    let slots = document.children(id);
    let keys = slots.ids().filter_map(|at| Some((at, slots.get(at).key?)));
    let mut by_identity: HashMap<_, Vec<SlotId>> = HashMap::new();
    for (at, key) in keys.filter(|&(_, key)| document.string(key).is_none()) {
        let Some(identity) = document.identity(key) else { continue };
        by_identity.entry(identity).or_default().push(at);
    }
    let keys = pairs.iter().map(|&(key, _)| key);
    let others = keys.filter(|&key| document.string(key).is_none());
    let found = others.filter_map(|key| {
        Some((key, by_identity.get(&document.identity(key)?)?.clone()))
    });
    found.collect()
}

/// Returns the seat of the entry with a key, or with one of the same text: `200` and
/// `"200"`.
fn entry(
    document: &mut Tree,
    id: u32,
    key: NodeId,
    others: &HashMap<String, SlotId>,
) -> Option<Seat> {
    if let Some(seat) = document.entry_of(id, key) {
        return Some(seat);
    }
    let name = document.member_name(key)?.into_owned();
    match others.get(&name) {
        Some(&at) if document.children(id).holds(at) => Some(Seat::Slot(id, at)),
        Some(_) => None,
        None if document.string(key).is_none() => document.entry(id, &name, true),
        None => None,
    }
}

/// Removes all entries that are null from a value, but not those in lists.
fn remove_nulls(document: &mut Tree, seat: Seat) {
    if document.null_entry(document.node_at(seat), &mut HashSet::new()).is_none() {
        return;
    }
    // An aliased mapping stands in several places, and is opened once.
    let mut opened: HashMap<NodeId, NodeId> = HashMap::new();
    let mut todo = vec![seat];
    while let Some(seat) = todo.pop() {
        let seated = document.node_at(seat);
        let node = document.follow(seated);
        if let Some(&known) = opened.get(&node) {
            document.set_at(seat, known, None);
            continue;
        }
        if document.kind(node) != Kind::Mapping {
            continue;
        }
        let Some(id) = document.open(seat, true) else { continue };
        opened.insert(node, NodeId::Opened(id));
        let pairs = document.pairs(NodeId::Opened(id));
        let same = same_keys(document, id, &pairs);
        for (key, value) in pairs {
            match (same.get(&key), document.is_null(value)) {
                (Some(equal), true) => document.remove_equal_entries(id, equal),
                (None, true) => document.remove_entry_of(id, key),
                (Some(equal), false) => {
                    todo.extend(equal.last().map(|&at| Seat::Slot(id, at)));
                }
                (None, false) => todo.extend(document.entry_of(id, key)),
            }
        }
    }
    document.freeze();
}
