//! Values that a document which is JSON as a whole cannot hold: a tag, an infinite number, a key
//! that is a collection.

use hashbrown::HashSet;

use super::failure::{OpFailure, OpResult};
use crate::arena::{Index, Style};
use crate::node::{Kind, NodeId, Tree};
use crate::scalar::Scalar;

/// Fails if a written value of an op has a part for which JSON has no words.
pub(super) fn check(document: &Tree, value: NodeId) -> OpResult<()> {
    if !document.hints().is_json() {
        return Ok(());
    }
    let mut todo = vec![value];
    let mut met = HashSet::new();
    while let Some(node) = todo.pop() {
        let node = document.follow(node);
        if !met.insert(node) {
            continue;
        }
        match node {
            // The parts of a written node stand behind it, and have aliases among them.
            NodeId::Clean(file, i) => {
                let arena = document.arena(file);
                for at in i..arena.next(i) {
                    check_node(document, NodeId::Clean(file, at))?;
                    let is_alias = arena.style(at) == Style::Alias;
                    todo.extend(is_alias.then_some(NodeId::Clean(file, at)));
                }
                check_keys(document, node, i)?;
            }
            NodeId::Opened(_) => {
                check_node(document, node)?;
                for slot in document.slots(node).iter() {
                    todo.extend(slot.key);
                    todo.push(slot.value);
                }
            }
        }
    }
    Ok(())
}

fn check_node(document: &Tree, node: NodeId) -> OpResult<()> {
    let what = if document.own_tag(node).is_some() {
        "a tag"
    } else if is_no_number(document, node) {
        "this number"
    } else {
        return Ok(());
    };
    Err(refusal(document, node, what))
}

/// Fails if a key of a mapping inside of written node `i` is a collection.
fn check_keys(document: &Tree, node: NodeId, i: Index) -> OpResult<()> {
    let NodeId::Clean(file, _) = node else { return Ok(()) };
    let arena = document.arena(file);
    let mappings = (i..arena.next(i)).filter(|&at| arena.style(at).is_mapping());
    let mut keys = mappings.flat_map(|at| arena.entries(at)).map(|(key, _)| key);
    let keys = keys.find(|&key| document.kind(NodeId::Clean(file, key)) != Kind::Scalar);
    match keys {
        Some(key) => Err(refusal(document, NodeId::Clean(file, key), "such a key")),
        None => Ok(()),
    }
}

/// Returns true for a float that is infinite or no number.
fn is_no_number(document: &Tree, node: NodeId) -> bool {
    document.kind(node) == Kind::Scalar
        && matches!(document.scalar(node), Scalar::Float(number) if !number.is_finite())
}

fn refusal(document: &Tree, node: NodeId, what: &str) -> OpFailure {
    let message = format!("the document is JSON, which has no words for {what}");
    OpFailure::new(message, usize::MAX).label_line(
        document,
        node,
        "JSON cannot hold this",
    )
}
