//! Members in another order.

use super::super::argument::Call;
use super::super::ordering;
use super::super::overload::Kind::{Iterable, Lambda, Ordering};
use super::super::overload::{Overload, Parameter, method, need};
use crate::eval::python::{Result, Value};

const SELECTOR: &[Parameter] = &[need("collection", Iterable), need("selector", Lambda)];
const ORDERED: &[Parameter] = &[need("collection", Ordering), need("selector", Lambda)];

pub(super) const TABLE: &[Overload] = &[
    method("orderBy", SELECTOR, |call| order(call, false)),
    method("orderByDescending", SELECTOR, |call| order(call, true)),
    method("reverse", &[need("collection", Iterable)], |call| {
        let mut members = call.members(0)?.into_iter().rev();
        call.iter(move || Ok(members.next()))
    }),
    method("thenBy", ORDERED, |call| refine(call, false)),
    method("thenByDescending", ORDERED, |call| refine(call, true)),
];

fn order(call: &Call, falls: bool) -> Result<Value> {
    let (collection, library) = (call.value(0), call.library());
    let ordering = ordering::Ordering::new(collection, library, call.lambda(1)?, falls);
    Ok(Value::object(ordering))
}

fn refine(call: &Call, falls: bool) -> Result<Value> {
    let ordering = call.value(0);
    if let Some(ordering) = ordering.downcast::<ordering::Ordering>() {
        ordering.refine(call.lambda(1)?, falls);
    }
    Ok(ordering)
}
