//! Sets.

use super::super::argument::Call;
use super::super::key::set;
use super::super::overload::Kind::{Any, Iterable, Set};
use super::super::overload::{Overload, Parameter, both, function, method, need};
use super::super::show::view_name;
use super::collection::unpacked;
use crate::eval::python::{self, Class, Exception, Result, Value};

const PAIR: &[Parameter] = &[need("left", Set), need("right", Set)];

pub(super) const TABLE: &[Overload] = &[
    function("#operator_-", PAIR, difference),
    method("add", &[need("set", Set)], |call| {
        union(own(call, "union")?, &set(call.more())?)
    })
    .more(Any),
    method("difference", PAIR, difference),
    method("intersect", PAIR, |call| {
        let (left, right) = (own(call, "intersection")?, call.set(1)?);
        Ok(Value::Set(left.0.intersection(&right.0).cloned().collect()))
    }),
    function("isSet", &[need("arg", Any)], |call| {
        Ok(Value::Bool(Set.accepts(&call.value(0))))
    }),
    both("len", &[need("set", Set)], |call| {
        Ok(Value::Int(python::length(&call.value(0))? as i64))
    }),
    method("remove", &[need("set", Set)], |call| {
        let (left, right) = (own(call, "difference")?, set(call.more())?);
        Ok(Value::Set(left.0.difference(&right.0).cloned().collect()))
    })
    .more(Any),
    function("set", &[], |call| set(unpacked(call)?).map(Value::Set)).more(Any),
    method("symmetricDifference", PAIR, |call| {
        let (left, right) = (own(call, "symmetric_difference")?, call.set(1)?);
        Ok(Value::Set(left.0.symmetric_difference(&right.0).cloned().collect()))
    }),
    method("toSet", &[need("collection", Iterable)], |call| {
        set(call.members(0)?).map(Value::Set)
    }),
    method("union", PAIR, |call| union(own(call, "union")?, &call.set(1)?)),
];

/// The set that is asked: the keys and the items of a dict lack what sets can do.
fn own(call: &Call, method: &str) -> Result<python::Set> {
    match call.value(0) {
        Value::Set(members) => Ok(members),
        view => Err(Exception::new(
            Class::Type,
            format!("'{}' object has no attribute '{method}'", view_name(&view)),
        )),
    }
}

fn union(left: python::Set, right: &python::Set) -> Result<Value> {
    Ok(Value::Set(left.0.union(&right.0).cloned().collect()))
}

fn difference(call: &Call) -> Result<Value> {
    let (left, right) = (own(call, "difference")?, call.set(1)?);
    Ok(Value::Set(left.0.difference(&right.0).cloned().collect()))
}
