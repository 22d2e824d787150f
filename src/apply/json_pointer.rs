//! JSON Pointers followed in a tree. A token is the name of a member or the index of an
//! item, whatever the collection is.

use super::failure::{Failure, Result, describe_type};
use super::place::{Place, note_change};
use crate::diagnostic::near;
use crate::node::{Kind, NodeId, Seat, Tree};
use crate::pointer::JsonPointer;

/// Returns the node that a pointer leads to, as [`reach`] finds it.
pub(super) fn find(
    document: &mut Tree,
    pointer: &JsonPointer,
    root: usize,
) -> Result<NodeId> {
    let seat = reach(document, pointer, root)?;
    Ok(document.node_at(seat))
}

/// Returns the seat of the node that a pointer leads to. Collections on the way are opened
/// beside the tree, with their indexes for many searches: an edit there would be lost.
pub(super) fn reach(
    document: &mut Tree,
    pointer: &JsonPointer,
    root: usize,
) -> Result<Seat> {
    follow(document, pointer, root, false)
}

/// Returns the seat of what a pointer leads to, which must exist. The collections on the way
/// are opened.
pub(super) fn seat(
    document: &mut Tree,
    pointer: &JsonPointer,
    root: usize,
) -> Result<Seat> {
    follow(document, pointer, root, true)
}

fn follow(
    document: &mut Tree,
    pointer: &JsonPointer,
    root: usize,
    attach: bool,
) -> Result<Seat> {
    let depths = 0..pointer.tokens.len();
    depths.into_iter().try_fold(Seat::Root(root), |around, depth| {
        let place = step(document, pointer, around, (depth, attach))?;
        let node = document.node_at(around);
        match place {
            Place::Seat(seat) => Ok(seat),
            Place::Entry { .. } => Err(no_member(document, pointer, node, depth)),
            Place::Gap { .. } => Err(no_item(document, pointer, node, depth)),
        }
    })
}

/// Returns the place at which `add` puts a value: a member, or a gap before an item.
pub(super) fn place(
    document: &mut Tree,
    pointer: &JsonPointer,
    root: usize,
) -> Result<Place> {
    let Some(last) = pointer.tokens.len().checked_sub(1) else {
        return Ok(Place::Seat(Seat::Root(root)));
    };
    let around = seat(document, &pointer.prefix(last), root)?;
    match step(document, pointer, around, (last, true))? {
        Place::Seat(Seat::Slot(list, at))
            if document.children(list).get(at).key.is_none() =>
        {
            let position = document.children(list).position(at);
            Ok(Place::Gap { list, position })
        }
        Place::Gap { list, position } if position > document.children(list).len() => {
            let node = document.node_at(around);
            Err(no_item(document, pointer, node, last))
        }
        place => Ok(place),
    }
}

/// Opens a collection, and returns the place in it that a token names: what is there, the
/// key that is missing, or the gap at an index behind the last item. If it does not `attach`
/// the collection, an edit of the place would be lost.
fn step(
    document: &mut Tree,
    pointer: &JsonPointer,
    around: Seat,
    (depth, attach): (usize, bool),
) -> Result<Place> {
    let (node, token) = (document.node_at(around), &pointer.tokens[depth]);
    match document.kind(node) {
        Kind::Scalar => Err(no_collection(document, pointer, node, depth)),
        Kind::Mapping => {
            let id = document.open(around, attach).ok_or_else(|| gone(pointer, depth))?;
            if attach {
                note_change(document, around);
            }
            let entry = || Place::Entry { mapping: id, key: token.clone() };
            let seat = match document.entry(id, token, attach) {
                None if document.has_only_strings(id) => None,
                None => {
                    // A key that is no string is named by its text.
                    match document.member(NodeId::Opened(id), token) {
                        Some((_, value)) if !attach => Some(Seat::Detached(value)),
                        member => member.and_then(|(key, _)| document.entry_of(id, key)),
                    }
                }
                found => found,
            };
            Ok(seat.map_or_else(entry, Place::Seat))
        }
        Kind::Sequence => {
            let index = index(pointer, depth)?;
            let list =
                document.open(around, attach).ok_or_else(|| gone(pointer, depth))?;
            let slots = document.children(list);
            let position = index.unwrap_or(slots.len());
            Ok(match slots.at(position) {
                Some(at) => Place::Seat(Seat::Slot(list, at)),
                None => Place::Gap { list, position },
            })
        }
    }
}

/// Reads a token as an index; `None` for `-`, the end.
fn index(pointer: &JsonPointer, depth: usize) -> Result<Option<usize>> {
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
