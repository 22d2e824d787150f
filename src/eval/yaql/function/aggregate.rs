//! Folds, groups and sums of collections.

use super::super::call::FunctionCall;
use super::super::evaluate;
use super::super::iterable::{Stream, stream};
use super::super::key::{key, thaw};
use super::super::measure::dict_size;
use super::super::overload::{Function, method};
use super::super::resolve::call_function;
use crate::eval::python::{Class, Exception, Key, List, Result, Value, equal, length};

#[rustfmt::skip] // One row for each overload.
pub const TABLE: &[Function] = &[
    method("accumulate", "collection:Iterable selector:Lambda seed:Any?", accumulate),
    method("aggregate", "collection:Iterable selector:Lambda seed:Any?", aggregate),
    method("groupBy", "collection:Iterable keySelector:Lambda valueSelector:Lambda? aggregator:Lambda?",
        group_by),
    method("max", "collection:Iterable initial:Any?", |call| fold_with(call, "max")),
    method("min", "collection:Iterable initial:Any?", |call| fold_with(call, "min")),
    method("reduce", "collection:Iterable selector:Lambda seed:Any?", aggregate),
    method("sum", "collection:Iterable initial:Any?", |call| fold_with(call, "#operator_+")),
];

/// Folds a collection from the left, with its first member as the seed if none is given.
fn fold(
    mut members: Stream,
    seed: Option<&Value>,
    mut step: impl FnMut(Value, Value) -> Result<Value>,
) -> Result<Value> {
    let first = match seed {
        Some(seed) => Some(seed.clone()),
        None => members.next()?,
    };
    let mut total = first.ok_or_else(|| {
        Exception::of_type("reduce() of empty iterable with no initial value")
    })?;
    while let Some(member) = members.next()? {
        total = step(total, member)?;
    }
    Ok(total)
}

fn aggregate(call: &FunctionCall) -> Result<Value> {
    let selector = call.lambda(1)?;
    fold(call.stream(0)?, call.get(2), |total, member| selector.call([total, member]))
}

fn fold_with(call: &FunctionCall, name: &str) -> Result<Value> {
    // By name, so that `sum` and `max` choose among the overloads for each pair.
    let step = |total, member| call_function(&call.env, name, &[total, member]);
    fold(call.stream(0)?, call.get(1), step)
}

/// Returns an iterator over the seed and all intermediate results of `aggregate`.
fn accumulate(call: &FunctionCall) -> Result<Value> {
    let (mut members, selector) = (call.stream(0)?, call.lambda(1)?);
    let (mut seed, mut total) = (call.get(2).cloned(), None);
    call.generator(move || {
        let next = match (total.take(), seed.take()) {
            (Some(total), _) => {
                let Some(member) = members.next()? else { return Ok(None) };
                selector.call([total, member])?
            }
            (None, Some(seed)) => seed,
            (None, None) => members.next()?.ok_or_else(|| {
                Exception::of_type("accumulate() of empty sequence with no initial value")
            })?,
        };
        total = Some(next.clone());
        Ok(Some(next))
    })
}

fn group_by(call: &FunctionCall) -> Result<Value> {
    let (mut members, names) = (call.stream(0)?, call.lambda(1)?);
    let values = call.maybe_lambda(2);
    let mut groups = indexmap::IndexMap::<Key, List>::new();
    while let Some(member) = members.next()? {
        let value = match &values {
            Some(values) => values.call([member.clone()])?,
            None => member.clone(),
        };
        let group = groups.entry(key(&names.call([member])?)?).or_default();
        group.write().push(value);
        call.engine().check_growth(groups.len(), dict_size)?;
    }
    let mut groups = groups.into_iter();
    let mut aggregator = call.maybe_lambda(3).map(GroupAggregator::new);
    call.generator(move || {
        let Some((name, values)) = groups.next() else { return Ok(None) };
        let (name, values) = (thaw(name.value()), Value::List(values));
        match &mut aggregator {
            None => Ok(Some(Value::tuple([name, values]))),
            Some(aggregator) => aggregator.call(name, values).map(Some),
        }
    })
}

/// The aggregator of `groupBy`. It gets the values of a group; up to yaql 1.1.1 it got
/// the pair of key and values, which yaql still tries when the first way fails.
struct GroupAggregator {
    expression: evaluate::Lambda,
    /// True if all results so far could be those of an old aggregator.
    may_be_old: bool,
    failed: Option<Box<Exception>>,
}

impl GroupAggregator {
    fn new(expression: evaluate::Lambda) -> GroupAggregator {
        GroupAggregator { expression, may_be_old: true, failed: None }
    }

    fn call(&mut self, name: Value, values: Value) -> Result<Value> {
        if self.failed.is_none() {
            match self.expression.call([values.clone()]) {
                Ok(result) => {
                    self.may_be_old = self.may_be_old && looks_old(&values, &result)?;
                    return Ok(Value::tuple([name, result]));
                }
                // yaql catches these two classes only.
                Err(failed)
                    if matches!(failed.class, Class::Attribute | Class::Index) =>
                {
                    self.failed = Some(failed);
                }
                Err(failed) => return Err(failed),
            }
        }
        if self.may_be_old
            && let Ok(result) = self.expression.call([Value::tuple([name, values])])
            && length(&result).is_ok_and(|length| length == 2)
        {
            return Ok(result);
        }
        Err(self.failed.clone().unwrap_or_else(|| Exception::of_type("no aggregate")))
    }
}

/// Returns true if a result looks like a pair that begins with the first of two values.
fn looks_old(values: &Value, result: &Value) -> Result<bool> {
    if !matches!(result, Value::Tuple(_) | Value::List(_))
        || (length(values)?, length(result)?) != (2, 2)
    {
        return Ok(false);
    }
    match (stream(values)?.next()?, stream(result)?.next()?) {
        (Some(a), Some(b)) => equal(&a, &b),
        _ => Ok(false),
    }
}
