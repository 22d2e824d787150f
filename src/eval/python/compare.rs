//! `==`, `<` and sorting.

use std::cmp::Ordering;
use std::sync::Arc;

use super::number::Number;
use super::{
    Exception, Result, Set, Value, limit, max_depth, max_members, too_deep, too_large,
};

/// An ordering comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Comparison {
    pub fn sign(self) -> &'static str {
        match self {
            Comparison::Less => "<",
            Comparison::LessEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterEqual => ">=",
        }
    }

    fn holds(self, order: Ordering) -> bool {
        match self {
            Comparison::Less => order.is_lt(),
            Comparison::LessEqual => order.is_le(),
            Comparison::Greater => order.is_gt(),
            Comparison::GreaterEqual => order.is_ge(),
        }
    }
}

/// `a == b`. Raises a `RecursionError` or a limit error for values too deep or too large.
pub fn equal(a: &Value, b: &Value) -> Result<bool> {
    comparable(a)?;
    comparable(b)?;
    limit::charge_steps(1)?;
    if let Some(same) = plainly_equal(a, b) {
        return Ok(same);
    }
    // A stack of pairs, not recursion: values that templates build nest as deep as they
    // like.
    let mut todo = vec![(a.clone(), b.clone(), 0)];
    let mut steps = 0;
    while let Some((a, b, depth)) = todo.pop() {
        let a = a.force()?;
        let b = b.force()?;
        comparable(&a)?;
        comparable(&b)?;
        let before = todo.len();
        match plainly_equal(&a, &b) {
            Some(true) => continue,
            Some(false) => return Ok(false),
            None if !members(&a, &b, depth + 1, &mut todo)? => return Ok(false),
            // The first pair of members is compared first: a later one may raise an error
            // that Python never reaches.
            None => todo[before..].reverse(),
        }
        steps += todo.len() - before;
        limit::charge_steps(todo.len() - before)?;
        limit::limit_depth(depth, "in comparison")?;
        if steps > max_members() {
            let most = max_members();
            let message = format!("a comparison takes more than {most} steps");
            return Err(too_large(message));
        }
    }
    Ok(true)
}

/// Checks that a value may be compared: a strict undefined raises.
pub(super) fn comparable(value: &Value) -> Result<()> {
    match value {
        Value::Object(object) => object.comparable(),
        _ => Ok(()),
    }
}

/// Returns true if two values are equal; `None` if their members decide.
fn plainly_equal(a: &Value, b: &Value) -> Option<bool> {
    Some(match (a, b) {
        (Value::Lazy(_), _) | (_, Value::Lazy(_)) => return None,
        (Value::None, Value::None) => true,
        (Value::Str(a), Value::Str(b)) => same_bytes(a.as_bytes(), b.as_bytes()),
        (Value::Bytes(a), Value::Bytes(b)) => same_bytes(a, b),
        (Value::Range(a), Value::Range(b)) => a.same(b),
        (Value::Set(a), Value::Set(b)) => {
            limit::charge_keys(if a.0.len() == b.0.len() { a.0.len() } else { 0 });
            a.0 == b.0
        }
        (Value::Object(x), Value::Object(y)) if Arc::ptr_eq(x, y) => true,
        (Value::Object(x), Value::Object(y)) => {
            x.equals(b) == Some(true) || y.equals(a) == Some(true)
        }
        (Value::Object(x), other) | (other, Value::Object(x)) => {
            x.equals(other) == Some(true)
        }
        (Value::List(a), Value::List(b)) if a.is(b) => true,
        (Value::Tuple(a), Value::Tuple(b)) if a.is(b) => true,
        (Value::Dict(a), Value::Dict(b)) if a.is(b) => true,
        (Value::List(a), Value::List(b)) if a.len() != b.len() => false,
        (Value::Tuple(a), Value::Tuple(b)) if a.len() != b.len() => false,
        (Value::Dict(a), Value::Dict(b)) if a.len() != b.len() => false,
        (Value::List(_), Value::List(_))
        | (Value::Tuple(_), Value::Tuple(_))
        | (Value::Dict(_), Value::Dict(_)) => return None,
        _ => match (Number::of(a), Number::of(b)) {
            (Some(a), Some(b)) => a.order(&b) == Some(Ordering::Equal),
            _ => false,
        },
    })
}

fn same_bytes(a: &[u8], b: &[u8]) -> bool {
    if a.len() == b.len() {
        limit::charge_compared_bytes(a.len());
    }
    a == b
}

/// Pushes the pairs of members that have to be equal; false if one has no counterpart.
fn members(
    a: &Value,
    b: &Value,
    depth: usize,
    todo: &mut Vec<(Value, Value, usize)>,
) -> Result<bool> {
    match (a, b) {
        (Value::List(a), Value::List(b)) => {
            todo.extend(
                a.items()?.into_iter().zip(b.items()?).map(|(a, b)| (a, b, depth)),
            );
        }
        (Value::Tuple(a), Value::Tuple(b)) => {
            let pairs = a.iter().cloned().zip(b.iter().cloned());
            todo.extend(pairs.map(|(a, b)| (a, b, depth)));
        }
        (Value::Dict(a), Value::Dict(b)) => {
            for (key, value) in a.entries()? {
                match b.get(&key)? {
                    Some(other) => todo.push((value, other, depth)),
                    None => return Ok(false),
                }
            }
        }
        _ => return Ok(plainly_equal(a, b) == Some(true)),
    }
    Ok(true)
}

/// `a < b` and the like. Raises a `TypeError` if the types have no order.
pub fn order(comparison: Comparison, a: &Value, b: &Value) -> Result<bool> {
    let mut a = a.force()?;
    let mut b = b.force()?;
    for _ in 0..max_depth() {
        let (ours, theirs) = match (&a, &b) {
            (Value::List(a), Value::List(b)) => (a.items()?, b.items()?),
            (Value::Tuple(a), Value::Tuple(b)) => (a.to_vec(), b.to_vec()),
            _ => return order_plain(comparison, &a, &b),
        };
        let Some(at) = first_difference(&ours, &theirs)? else {
            return Ok(comparison.holds(ours.len().cmp(&theirs.len())));
        };
        (a, b) = (ours[at].force()?, theirs[at].force()?);
    }
    Err(too_deep("maximum recursion depth exceeded in comparison"))
}

fn first_difference(a: &[Value], b: &[Value]) -> Result<Option<usize>> {
    for (at, (a, b)) in a.iter().zip(b).enumerate() {
        if !equal(a, b)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// Number of steps of a comparison by `<`, which counts the references of both values: a
/// sort of a million members takes two seconds.
const ORDERED: usize = 3;

fn order_plain(comparison: Comparison, a: &Value, b: &Value) -> Result<bool> {
    limit::charge_steps(ORDERED)?;
    let order = match (a, b) {
        (Value::Str(a), Value::Str(b)) => Some(order_bytes(a.as_bytes(), b.as_bytes())),
        (Value::Bytes(a), Value::Bytes(b)) => Some(order_bytes(a, b)),
        (Value::Set(a), Value::Set(b)) => return Ok(order_sets(comparison, a, b)),
        (Value::Object(object), other) => object.order(other)?,
        (other, Value::Object(object)) => object.order(other)?.map(Ordering::reverse),
        _ => match (Number::of(a), Number::of(b)) {
            (Some(a), Some(b)) => {
                return Ok(a.order(&b).is_some_and(|order| comparison.holds(order)));
            }
            _ => None,
        },
    };
    match order {
        Some(order) => Ok(comparison.holds(order)),
        None => Err(Exception::of_type(format!(
            "'{}' not supported between instances of '{}' and '{}'",
            comparison.sign(),
            a.type_name(),
            b.type_name()
        ))),
    }
}

// The order of texts is that of their bytes in UTF-8.
fn order_bytes(a: &[u8], b: &[u8]) -> Ordering {
    limit::charge_compared_bytes(a.len().min(b.len()));
    a.cmp(b)
}

/// Compares sets by inclusion.
fn order_sets(comparison: Comparison, Set(a): &Set, Set(b): &Set) -> bool {
    limit::charge_keys(a.len().min(b.len()));
    match comparison {
        Comparison::Less => a.len() < b.len() && a.is_subset(b),
        Comparison::LessEqual => a.is_subset(b),
        Comparison::Greater => a.len() > b.len() && a.is_superset(b),
        Comparison::GreaterEqual => a.is_superset(b),
    }
}

/// Orders two values by `<` alone; values without order, such as `nan`, are equal.
pub fn compare(a: &Value, b: &Value) -> Result<Ordering> {
    Ok(if order(Comparison::Less, a, b)? {
        Ordering::Less
    } else if order(Comparison::Less, b, a)? {
        Ordering::Greater
    } else {
        Ordering::Equal
    })
}

/// Sorts values; equal ones keep their order. Raises a `TypeError` if two have no order.
pub fn sort(values: Vec<Value>, reverse: bool) -> Result<Vec<Value>> {
    let places = sort_by_key(&values, reverse)?;
    Ok(places.into_iter().filter_map(|at| values.get(at).cloned()).collect())
}

/// Returns the positions of `keys` in the order of the keys.
///
/// Not `slice::sort_by`, for three reasons: a comparison may fail; `<` need not be a
/// total order (`nan`), on which the standard library may panic; and which two values an
/// error names depends on the order of comparisons, which is that of Python's sort.
/// Raises a `TypeError` if two keys have no order.
pub fn sort_by_key(keys: &[Value], reverse: bool) -> Result<Vec<usize>> {
    let mut places: Vec<usize> = (0..keys.len()).collect();
    // Reversed twice, so that equal keys keep their order in a descending sort.
    if reverse {
        places.reverse();
    }
    // Python sorts up to 64 values by binary insertion, too.
    let size = 64;
    for run in places.chunks_mut(size) {
        insert(run, keys)?;
    }
    places = merge_runs(places, size, |a, b| less(keys, a, b))?;
    if reverse {
        places.reverse();
    }
    Ok(places)
}

fn less(keys: &[Value], a: usize, b: usize) -> Result<bool> {
    order(Comparison::Less, &keys[a], &keys[b])
}

/// Sorts a run by binary insertion after its ordered start, with Python's comparisons.
fn insert(run: &mut [usize], keys: &[Value]) -> Result<()> {
    for at in count_ordered(run, keys)?..run.len() {
        let mut low = 0;
        let mut high = at;
        while low < high {
            let middle = (low + high) / 2;
            if less(keys, run[at], run[middle])? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        run[low..=at].rotate_right(1);
    }
    Ok(())
}

/// Returns the length of the ordered start of a run, which is reversed if it descends.
fn count_ordered(run: &mut [usize], keys: &[Value]) -> Result<usize> {
    if run.len() < 2 {
        return Ok(run.len());
    }
    let descends = less(keys, run[1], run[0])?;
    let mut count = 2;
    while count < run.len() && less(keys, run[count], run[count - 1])? == descends {
        count += 1;
    }
    if descends {
        run[..count].reverse();
    }
    Ok(count)
}

/// Sorts places stably by merging sorted runs of a size, then of the double, and so on.
pub fn merge_runs(
    mut places: Vec<usize>,
    mut size: usize,
    less: impl Fn(usize, usize) -> Result<bool>,
) -> Result<Vec<usize>> {
    while size < places.len() {
        let mut merged = Vec::with_capacity(places.len());
        for pair in places.chunks(size * 2) {
            let (mut left, mut right) = pair.split_at(size.min(pair.len()));
            while let ([a, rest @ ..], [b, others @ ..]) = (left, right) {
                if less(*b, *a)? {
                    merged.push(*b);
                    right = others;
                } else {
                    merged.push(*a);
                    left = rest;
                }
            }
            merged.extend(left.iter().chain(right));
        }
        places = merged;
        size *= 2;
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_values_without_total_order() {
        let numbers =
            |n: i64| (0..n).map(|i| Value::Int(i * 7919 % n)).collect::<Vec<_>>();
        for n in [0, 1, 2, 31, 65, 1000] {
            for reverse in [false, true] {
                let sorted = sort(numbers(n), reverse).unwrap_or_default();
                let mut expected: Vec<i64> = (0..n).map(|i| i * 7919 % n).collect();
                expected.sort_unstable();
                if reverse {
                    expected.reverse();
                }
                let expected: Vec<Value> = expected.into_iter().map(Value::Int).collect();
                assert_eq!(format!("{sorted:?}"), format!("{expected:?}"));
            }
        }
        let odd = [f64::NAN, 1.0, f64::NAN, 0.0].map(Value::Float);
        assert!(sort(odd.to_vec(), false).is_ok());
        assert!(sort(vec![Value::Int(1), Value::text("a")], false).is_err());
    }
}
