//! JSON Pointers followed in a tree. A token is the name of a member or the index of an
//! item, whatever the collection is.

use super::failure::{Failure, describe_type};
use super::place::{Place, note_change};
use crate::diagnostic::near;
use crate::node::{Kind, NodeId, Seat, Slot, Tree};
use crate::pointer::JsonPointer;

/// Returns the node that a pointer leads to.
pub(super) fn find(
    document: &Tree,
    pointer: &JsonPointer,
    root: usize,
) -> Result<NodeId, Failure> {
    let mut node = document.roots()[root];
    for depth in 0..pointer.tokens.len() {
        node = match child(document, pointer, node, depth)? {
            Child::Member(_, value) => value,
            Child::Item(position) => document.items(node)[position],
        };
    }
    Ok(node)
}

/// Returns the collection that has the entry that a pointer leads to, and the entry.
pub(super) fn entry(
    document: &Tree,
    pointer: &JsonPointer,
    root: usize,
) -> Option<(NodeId, Slot)> {
    let last = pointer.tokens.len().checked_sub(1)?;
    let around = find(document, &pointer.prefix(last), root).ok()?;
    let slots = document.slots(around);
    let slot = match child(document, pointer, around, last).ok()? {
        Child::Member(key, _) => slots.iter().find(|slot| slot.key == Some(key)),
        Child::Item(position) => slots.get(position),
    };
    Some((document.follow(around), *slot?))
}

/// Returns the seat of what a pointer leads to, which must exist.
pub(super) fn seat(
    document: &mut Tree,
    pointer: &JsonPointer,
    root: usize,
) -> Result<Seat, Failure> {
    let mut seat = Seat::Root(root);
    for depth in 0..pointer.tokens.len() {
        let node = document.node_at(seat);
        let found = child(document, pointer, node, depth)?;
        seat = enter(document, seat, found).ok_or_else(|| gone(pointer, depth))?;
    }
    Ok(seat)
}

/// Returns the place at which `add` puts a value: a member, or a gap before an item.
pub(super) fn place(
    document: &mut Tree,
    pointer: &JsonPointer,
    root: usize,
) -> Result<Place, Failure> {
    let Some(last) = pointer.tokens.len().checked_sub(1) else {
        return Ok(Place::Seat(Seat::Root(root)));
    };
    let around = seat(document, &pointer.prefix(last), root)?;
    let (node, token) = (document.node_at(around), &pointer.tokens[last]);
    let list_length = match document.kind(node) {
        Kind::Scalar => return Err(no_collection(document, pointer, node, last)),
        Kind::Sequence => Some(document.items(node).len()),
        Kind::Mapping => None,
    };
    let Some(length) = list_length else {
        let member = document.member(node, token);
        let opened = document.open(around, true).ok_or_else(|| gone(pointer, last))?;
        note_change(document, around);
        let here = member.and_then(|(key, _)| document.entry_of(opened, key));
        let entry = || Place::Entry { mapping: opened, key: token.clone() };
        return Ok(here.map_or_else(entry, Place::Seat));
    };
    let position = match index(pointer, last)? {
        None => length,
        Some(position) if position <= length => position,
        Some(_) => return Err(no_item(document, pointer, node, last)),
    };
    let list = document.open(around, true).ok_or_else(|| gone(pointer, last))?;
    Ok(Place::Gap { list, position })
}

enum Child {
    /// Key and value.
    Member(NodeId, NodeId),
    Item(usize),
}

fn enter(document: &mut Tree, around: Seat, child: Child) -> Option<Seat> {
    let id = document.open(around, true)?;
    match child {
        Child::Member(key, _) => {
            note_change(document, around);
            document.entry_of(id, key)
        }
        Child::Item(position) => {
            Some(Seat::Slot(id, document.children(id).at(position)?))
        }
    }
}

fn child(
    document: &Tree,
    pointer: &JsonPointer,
    node: NodeId,
    depth: usize,
) -> Result<Child, Failure> {
    let token = &pointer.tokens[depth];
    match document.kind(node) {
        Kind::Scalar => Err(no_collection(document, pointer, node, depth)),
        Kind::Mapping => match document.member(node, token) {
            Some((key, value)) => Ok(Child::Member(key, value)),
            None => Err(no_member(document, pointer, node, depth)),
        },
        Kind::Sequence => {
            let length = document.items(node).len();
            match index(pointer, depth)? {
                Some(position) if position < length => Ok(Child::Item(position)),
                Some(_) | None => Err(no_item(document, pointer, node, depth)),
            }
        }
    }
}

/// Reads a token as an index; `None` for `-`, the end.
fn index(pointer: &JsonPointer, depth: usize) -> Result<Option<usize>, Failure> {
    let token = &pointer.tokens[depth];
    let is_index = token.bytes().all(|byte| byte.is_ascii_digit());
    let is_canonical = is_index && (token == "0" || !token.starts_with('0'));
    match &token[..] {
        "-" => Ok(None),
        "" => Err(Failure::new("an index of a list is expected, not ''".into(), depth)),
        _ if is_canonical => Ok(Some(token.parse().unwrap_or(usize::MAX))),
        _ => {
            let message = format!("an index of a list is expected, not '{token}'");
            let hint = is_index.then(|| "an index has no leading zero".into());
            Err(Failure::new(message, depth).hint(hint))
        }
    }
}

fn gone(pointer: &JsonPointer, depth: usize) -> Failure {
    Failure::new(format!("there is nothing at '{}'", pointer.prefix(depth + 1)), depth)
}

fn no_collection(
    document: &Tree,
    pointer: &JsonPointer,
    node: NodeId,
    depth: usize,
) -> Failure {
    let (path, kind) = (pointer.prefix(depth), describe_type(document, node));
    let message = format!("'{path}' is {kind}, which has no '{}'", pointer.tokens[depth]);
    Failure::new(message, depth).label(document.span(node), format!("this is {kind}"))
}

fn no_member(
    document: &Tree,
    pointer: &JsonPointer,
    node: NodeId,
    depth: usize,
) -> Failure {
    let (path, token) = (pointer.prefix(depth), &pointer.tokens[depth]);
    let pairs = document.pairs(node);
    let keys = pairs.iter().filter(|(key, _)| !document.is_hidden(*key));
    let names: Vec<_> = keys.filter_map(|&(key, _)| document.member_name(key)).collect();
    let hint = near(names.iter().map(|name| &**name), token);
    let hint = hint.map(|name| format!("did you mean '{name}'?"));
    let around = if depth == 0 { "the document".into() } else { format!("'{path}'") };
    Failure::new(format!("{around} has no member '{token}'"), depth)
        .missing()
        .label(document.span(node), "this has no such member")
        .hint(hint)
}

fn no_item(
    document: &Tree,
    pointer: &JsonPointer,
    node: NodeId,
    depth: usize,
) -> Failure {
    let (path, token) = (pointer.prefix(depth), &pointer.tokens[depth]);
    let length = document.items(node).len();
    let items = if length == 1 { "item" } else { "items" };
    let around = if depth == 0 { "the document".into() } else { format!("'{path}'") };
    let message = match &token[..] {
        "-" => format!("there is no item at '-', the end of {around}"),
        _ => format!("{around} has {length} {items}, and none at {token}"),
    };
    Failure::new(message, depth)
        .missing()
        .label(document.span(node), format!("this has {length} {items}"))
}
