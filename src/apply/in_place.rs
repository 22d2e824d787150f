//! Values that an op would put where they are: an equal value is no edit, and bytes, quotes,
//! layout and comments stay.

use hashbrown::HashSet;

use super::budget::OpsBudget;
use super::failure::OpResult;
use crate::compare::{Side, Values};
use crate::node::{Kind, NodeId, Tree};
use crate::patch::{Combination, Joining};
use crate::scalar::Dialect;

/// Returns true if a value is equal to the one that is there. Numbers have to be spelled alike.
/// A tag or an anchor that is not there makes it another one.
///
/// # Errors
/// The budget is spent.
pub(super) fn is_in_place(
    document: &Tree,
    there: NodeId,
    value: NodeId,
    budget: &mut OpsBudget,
) -> OpResult<bool> {
    if !counts(document) {
        return Ok(false);
    }
    let mut values = Values::within(document).with_spelling();
    let is_equal = values.equal(there, value);
    budget.compare(values.children_compared())?;
    Ok(is_equal)
}

/// Returns true if a value has no effect on what is there, which would take it in.
///
/// # Errors
/// The budget is spent.
pub(super) fn is_taken_in(
    document: &Tree,
    there: NodeId,
    value: NodeId,
    rules: Combination,
    budget: &mut OpsBudget,
) -> OpResult<bool> {
    let mut values = Values::within(document).with_spelling();
    let mut todo = vec![(there, value)];
    while let Some((there, value)) = todo.pop() {
        budget.combine(1)?;
        match (document.kind(there), document.kind(value)) {
            (Kind::Mapping, Kind::Mapping) => {
                let entries = values.entries(there, Side::Old);
                for (key, value) in document.pairs(value) {
                    let known = entries.get(&values.key(key, Side::New));
                    let removes = rules.null_removes && document.is_null(value);
                    match known {
                        Some(there) if !removes => todo.push((there, value)),
                        None if removes => {}
                        Some(_) | None => return Ok(false),
                    }
                }
            }
            (Kind::Sequence, Kind::Sequence)
                if rules.lists == Joining::Append && document.slots(value).is_empty() => {
            }
            (Kind::Sequence, _) if rules.lists == Joining::Append => return Ok(false),
            _ if counts(document) && values.equal(there, value) => {}
            _ => {
                budget.compare(values.children_compared())?;
                return Ok(false);
            }
        }
    }
    budget.compare(values.children_compared())?;
    Ok(true)
}

/// Returns those keys of new entries that have no effect on a mapping, which would take the
/// entries in.
///
/// # Errors
/// The budget is spent.
pub(super) fn keys_taken_in(
    document: &Tree,
    mapping: NodeId,
    pairs: &[(NodeId, NodeId)],
    rules: Combination,
    budget: &mut OpsBudget,
) -> OpResult<HashSet<NodeId>> {
    let mut values = Values::within(document);
    let entries = values.entries(mapping, Side::Old);
    let mut found = HashSet::new();
    for &(key, value) in pairs {
        let there = entries.get(&values.key(key, Side::New));
        if let Some(there) = there
            && !(rules.null_removes && document.is_null(value))
            && is_taken_in(document, there, value, rules, budget)?
        {
            found.insert(key);
        }
    }
    Ok(found)
}

/// Returns true if equal values are no edits. bosh prints a document anew.
fn counts(document: &Tree) -> bool {
    document.base().dialect() != Dialect::Go
}
