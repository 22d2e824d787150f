//! Values that an op would put where they are: an equal value is no edit, and bytes, quotes,
//! layout and comments stay.

use hashbrown::HashSet;

use super::budget::OpsBudget;
use super::failure::OpResult;
use crate::compare::{Side, Values};
use crate::node::{Kind, NodeId, Tree};
use crate::patch::{Combination, Joining};
use crate::scalar::Dialect;

/// Returns true if a value is equal to the one that is there. Numbers that are written have to
/// be spelled alike.
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
    if !keeps_equal_values(document) {
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
    let mut is_idle = true;
    while let Some((there, value)) = todo.pop().filter(|_| is_idle) {
        budget.combine(1)?;
        match (document.kind(there), document.kind(value)) {
            (Kind::Mapping, Kind::Mapping) => {
                let entries = values.entries(there, Side::Old);
                for (key, value) in document.pairs(value) {
                    let known = entries.get(&values.key(key, Side::New));
                    match (known, rules.null_removes && document.is_null(value)) {
                        (Some(there), false) => todo.push((there, value)),
                        (None, true) => {}
                        (Some(_), true) | (None, false) => is_idle = false,
                    }
                }
            }
            (Kind::Sequence, kind) if rules.lists == Joining::Append => {
                is_idle = kind == Kind::Sequence && document.slots(value).is_empty();
            }
            _ => is_idle = keeps_equal_values(document) && values.equal(there, value),
        }
    }
    budget.compare(values.children_compared())?;
    Ok(is_idle)
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
    budget.compare(values.children_compared())?;
    Ok(found)
}

/// Returns true if equal values are no edits. bosh prints a document anew.
fn keeps_equal_values(document: &Tree) -> bool {
    document.base().dialect() != Dialect::Go
}
