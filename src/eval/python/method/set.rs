//! The methods of `set` that make another one or tell how two stand to each other.

use super::super::{Key, Result, Set, Value, iterate};
use super::{Given, Table, Takes, entry};

pub(super) const SET: Table<Set> = &[
    entry("copy", Takes::Nothing, |set, _| Ok(Value::Set(set.clone()))),
    entry("difference", Takes::Any, |set, given| {
        fold(set, given, |a, b| a.0.difference(&b.0).cloned().collect())
    }),
    entry("intersection", Takes::Any, |set, given| {
        fold(set, given, |a, b| a.0.intersection(&b.0).cloned().collect())
    }),
    entry("isdisjoint", Takes::One, |set, given| {
        Ok(set.0.is_disjoint(&of(&given.value(0))?.0).into())
    }),
    entry("issubset", Takes::One, |set, given| {
        Ok(set.0.is_subset(&of(&given.value(0))?.0).into())
    }),
    entry("issuperset", Takes::One, |set, given| {
        Ok(set.0.is_superset(&of(&given.value(0))?.0).into())
    }),
    entry("symmetric_difference", Takes::One, |set, given| {
        let other = of(&given.value(0))?;
        Ok(Value::Set(set.0.symmetric_difference(&other.0).cloned().collect()))
    }),
    entry("union", Takes::Any, |set, given| {
        fold(set, given, |a, b| a.0.union(&b.0).cloned().collect())
    }),
];

/// The members of anything that can be gone over, as a set.
fn of(value: &Value) -> Result<Set> {
    iterate(value)?.into_iter().map(Key::new).collect()
}

fn fold(set: &Set, given: &Given, with: fn(&Set, &Set) -> Set) -> Result<Value> {
    let others = given.values.iter().flatten();
    let all = others.map(of).try_fold(set.clone(), |all, next| Ok(with(&all, &next?)));
    all.map(Value::Set)
}
