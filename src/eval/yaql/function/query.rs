//! Folds and groups of collections, searches in them, and their order.

use crate::eval::python::{
    Class, Exception, Key, List, Result, Value, equal, length, truth,
};

use super::super::call::BoundCall;
use super::super::engine::dict_size;
use super::super::evaluate;
use super::super::iterable::{
    OrderingIterable, OrderingKey, RememberingIterator, Stream, stream,
};
use super::super::key::{key, thaw};
use super::super::overload::{Function, both, method};
use super::super::resolve::call_function;
use super::iterator::selected;

#[rustfmt::skip] // One row for each overload.
pub const TABLE: &[Function] = &[
    method("accumulate", "collection:Iterable selector:Lambda seed:Any?", accumulate),
    method("aggregate", "collection:Iterable selector:Lambda seed:Any?", aggregate),
    both("all", "collection:Iterable predicate:Lambda?", |call| any_is(call, false, truth)),
    both("any", "collection:Iterable predicate:Lambda?", |call| any_is(call, true, |_| Ok(true))),
    method("defaultIfEmpty", "collection:Iterable default:Iterable", default_if_empty),
    method("first", "collection:Iterable default:Any?", first),
    method("groupBy", "collection:Iterable keySelector:Lambda valueSelector:Lambda? aggregator:Lambda?",
        group_by),
    method("indexOf", "collection:Iterable item:Any", |call| index(call, false, equals_item)),
    method("indexWhere", "collection:Iterable predicate:Lambda",
        |call| index(call, false, satisfies_predicate)),
    method("last", "collection:Iterable default:Any?", last),
    method("lastIndexOf", "collection:Iterable item:Any", |call| index(call, true, equals_item)),
    method("lastIndexWhere", "collection:Iterable predicate:Lambda",
        |call| index(call, true, satisfies_predicate)),
    method("max", "collection:Iterable initial:Any?", |call| fold_with(call, "max")),
    method("memorize", "collection:Iterable", |call| Ok(RememberingIterator::value(call.value(0)))),
    method("min", "collection:Iterable initial:Any?", |call| fold_with(call, "min")),
    method("orderBy", "collection:Iterable selector:Lambda", |call| order(call, false)),
    method("orderByDescending", "collection:Iterable selector:Lambda", |call| order(call, true)),
    method("reduce", "collection:Iterable selector:Lambda seed:Any?", aggregate),
    method("reverse", "collection:Iterable", reverse),
    method("single", "collection:Iterable", single),
    method("sum", "collection:Iterable initial:Any?", |call| fold_with(call, "#operator_+")),
    method("thenBy", "collection:Ordering selector:Lambda", |call| refine(call, false)),
    method("thenByDescending", "collection:Ordering selector:Lambda", |call| refine(call, true)),
];

/// Folds a collection from the left, with its first member as the seed if none is given.
fn fold(
    mut members: Stream,
    seed: Option<&Value>,
    mut step: impl FnMut(Value, Value) -> Result<Value>,
) -> Result<Value> {
    let first =
        if let Some(seed) = seed { Some(seed.clone()) } else { members.pull()? };
    let first = first.ok_or_else(|| {
        Exception::of_type("reduce() of empty iterable with no initial value")
    })?;
    members.try_fold(first, |total, member| step(total, member?))
}

fn aggregate(call: &BoundCall) -> Result<Value> {
    let selector = call.lambda(1)?;
    fold(call.stream(0)?, call.get(2), |total, member| selector.call([total, member]))
}

fn fold_with(call: &BoundCall, name: &str) -> Result<Value> {
    // By name, so that `sum` and `max` choose among the overloads for each pair.
    fold(call.stream(0)?, call.get(1), |total, member| {
        call_function(&call.env, name, &[total, member])
    })
}

/// Returns an iterator over the seed and all intermediate results of `aggregate`.
fn accumulate(call: &BoundCall) -> Result<Value> {
    let mut members = call.stream(0)?;
    let selector = call.lambda(1)?;
    let mut seed = call.get(2).cloned();
    let mut total = None;
    call.generator(move || {
        let next = match (total.take(), seed.take()) {
            (Some(total), _) => {
                let Some(member) = members.pull()? else { return Ok(None) };
                selector.call([total, member])?
            }
            (None, Some(seed)) => seed,
            (None, None) => members.pull()?.ok_or_else(|| {
                Exception::of_type("accumulate() of empty sequence with no initial value")
            })?,
        };
        total = Some(next.clone());
        Ok(Some(next))
    })
}

fn group_by(call: &BoundCall) -> Result<Value> {
    let members = call.stream(0)?;
    let names = call.lambda(1)?;
    let values = call.maybe_lambda(2);
    let mut groups = indexmap::IndexMap::<Key, List>::new();
    for member in members {
        let member = member?;
        let value = selected(values.as_ref(), member.clone())?;
        groups.entry(key(&names.call([member])?)?).or_default().write().push(value);
        call.engine().check_growth(groups.len(), dict_size)?;
    }
    let mut aggregator = call.maybe_lambda(3).map(GroupAggregator::new);
    call.lazy(groups.into_iter().map(move |(name, values)| {
        let name = thaw(name.value());
        let values = Value::List(values);
        match &mut aggregator {
            None => Ok(Value::tuple([name, values])),
            Some(aggregator) => aggregator.call(name, values),
        }
    }))
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
                Err(error) if matches!(error.class, Class::Attribute | Class::Index) => {
                    self.failed = Some(error);
                }
                Err(error) => return Err(error),
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
    match (stream(values)?.pull()?, stream(result)?.pull()?) {
        (Some(a), Some(b)) => equal(&a, &b),
        _ => Ok(false),
    }
}

/// Returns the error for a missing member.
pub fn ended() -> Box<Exception> {
    Exception::new(Class::Value, "StopIteration")
}

/// Returns `wanted` if the predicate is that for a member, else the opposite.
fn any_is(
    call: &BoundCall,
    wanted: bool,
    without_predicate: fn(&Value) -> Result<bool>,
) -> Result<Value> {
    let predicate = call.maybe_lambda(1);
    for member in call.stream(0)? {
        let member = member?;
        let holds = match &predicate {
            Some(predicate) => predicate.holds([member])?,
            None => without_predicate(&member)?,
        };
        if holds == wanted {
            return Ok(Value::Bool(wanted));
        }
    }
    Ok(Value::Bool(!wanted))
}

fn default_if_empty(call: &BoundCall) -> Result<Value> {
    let collection = RememberingIterator::value(call.value(0));
    // Reads one member, so an iterator has to be kept.
    let is_empty = stream(&collection)?.pull()?.is_none();
    Ok(if is_empty { call.value(1) } else { collection })
}

fn first(call: &BoundCall) -> Result<Value> {
    call.stream(0)?.pull()?.or_else(|| call.get(1).cloned()).ok_or_else(ended)
}

fn last(call: &BoundCall) -> Result<Value> {
    let last = call.stream(0)?.try_fold(None, |_, member| member.map(Some))?;
    last.or_else(|| call.get(1).cloned()).ok_or_else(ended)
}

fn single(call: &BoundCall) -> Result<Value> {
    let mut members = call.stream(0)?;
    match (members.pull()?, members.pull()?) {
        (Some(only), None) => Ok(only),
        (Some(_), Some(_)) => {
            Err(Exception::new(Class::Value, "Collection contains more than one item"))
        }
        (None, _) => Err(ended()),
    }
}

/// Returns the index of the first or last member that `matches`; -1 if none does.
fn index(
    call: &BoundCall,
    last: bool,
    matches: fn(&BoundCall, &Value) -> Result<bool>,
) -> Result<Value> {
    let mut index = -1;
    for (at, member) in (0..).zip(call.stream(0)?) {
        if matches(call, &member?)? {
            index = at;
            if !last {
                break;
            }
        }
    }
    Ok(Value::Int(index))
}

fn equals_item(call: &BoundCall, member: &Value) -> Result<bool> {
    equal(member, &call.value(1))
}

fn satisfies_predicate(call: &BoundCall, member: &Value) -> Result<bool> {
    call.lambda(1)?.holds([member.clone()])
}

fn reverse(call: &BoundCall) -> Result<Value> {
    call.lazy(call.members(0)?.into_iter().rev().map(Ok))
}

fn order(call: &BoundCall, is_descending: bool) -> Result<Value> {
    let key = ordering_key(call, is_descending)?;
    Ok(Value::object(OrderingIterable::new(call.value(0), key)))
}

fn refine(call: &BoundCall, is_descending: bool) -> Result<Value> {
    let ordering = call.value(0);
    if let Some(ordering) = ordering.downcast::<OrderingIterable>() {
        ordering.refine(ordering_key(call, is_descending)?);
    }
    Ok(ordering)
}

fn ordering_key(call: &BoundCall, is_descending: bool) -> Result<OrderingKey> {
    Ok(OrderingKey { env: call.env.clone(), selector: call.lambda(1)?, is_descending })
}
