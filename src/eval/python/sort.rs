//! Values come in, their sorted order goes out. Python asks for nothing but `<`, and so a
//! value that is less than none and no less than any sorts somewhere, without harm.

use super::{Comparison, Result, Value, order};

/// The values in order, those that are equal as they came.
pub fn sort(values: Vec<Value>, reverse: bool) -> Result<Vec<Value>> {
    let places = sort_by_key(&values, reverse)?;
    Ok(places.into_iter().filter_map(|at| values.get(at).cloned()).collect())
}

/// The places of keys, in the order of the keys.
pub fn sort_by_key(keys: &[Value], reverse: bool) -> Result<Vec<usize>> {
    let mut places: Vec<usize> = (0..keys.len()).collect();
    if reverse {
        places.reverse();
    }
    let mut size = 64;
    for run in places.chunks_mut(size) {
        insert(run, keys)?;
    }
    while size < keys.len() {
        let mut merged = Vec::with_capacity(places.len());
        for pair in places.chunks(size * 2) {
            let (left, right) = pair.split_at(size.min(pair.len()));
            merge(left, right, keys, &mut merged)?;
        }
        places = merged;
        size *= 2;
    }
    if reverse {
        places.reverse();
    }
    Ok(places)
}

fn less(keys: &[Value], a: usize, b: usize) -> Result<bool> {
    order(Comparison::Less, &keys[a], &keys[b])
}

/// Sorts a few: those that are in order stay, and each of the others is put where it
/// belongs among those before it. What is compared with what is as Python has it, since an
/// error tells of the first two that do not compare.
fn insert(run: &mut [usize], keys: &[Value]) -> Result<()> {
    for at in ordered(run, keys)?..run.len() {
        let (mut low, mut high) = (0, at);
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

/// How many at the start are in order, after they were turned round if they fall.
fn ordered(run: &mut [usize], keys: &[Value]) -> Result<usize> {
    if run.len() < 2 {
        return Ok(run.len());
    }
    let falls = less(keys, run[1], run[0])?;
    let mut count = 2;
    while count < run.len() && less(keys, run[count], run[count - 1])? == falls {
        count += 1;
    }
    if falls {
        run[..count].reverse();
    }
    Ok(count)
}

fn merge(
    mut left: &[usize],
    mut right: &[usize],
    keys: &[Value],
    out: &mut Vec<usize>,
) -> Result<()> {
    while let ([a, rest @ ..], [b, others @ ..]) = (left, right) {
        if less(keys, *b, *a)? {
            out.push(*b);
            right = others;
        } else {
            out.push(*a);
            left = rest;
        }
    }
    out.extend(left.iter().chain(right));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_whatever_is_there() {
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
