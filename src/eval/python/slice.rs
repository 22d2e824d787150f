//! `value[start:stop:step]`.

use super::number::Number;
use super::{Exception, IntRange, Result, Value, limit, text};

/// `value[start:stop:step]`; an omitted argument is `None`. Raises a `TypeError` for a
/// wrong value or index, a `ValueError` for a step of 0.
pub fn slice(value: &Value, start: &Value, stop: &Value, step: &Value) -> Result<Value> {
    let value = value.force()?;
    let bounds = [start, stop, step];
    if let Value::Str(text) = &value {
        limit::charge_bytes(text.len());
    }
    Ok(match &value {
        Value::Str(text) if text.is_ascii() => {
            let bytes = text.as_bytes();
            let part = indices(bounds, bytes.len())?.filter_map(|at| bytes.get(at));
            let part = part.map(|byte| char::from(*byte)).collect();
            Value::Str(text::derived(part, [text]))
        }
        Value::Str(text) => {
            let chars: Vec<char> = text.chars().collect();
            let part = indices(bounds, chars.len())?.filter_map(|at| chars.get(at));
            Value::Str(text::derived(part.collect(), [text]))
        }
        Value::Bytes(bytes) => {
            let part =
                indices(bounds, bytes.len())?.filter_map(|at| bytes.get(at).copied());
            Value::bytes(part.collect::<Vec<u8>>())
        }
        Value::List(items) => {
            let indices = indices(bounds, items.len())?;
            let items = items.read();
            Value::list(indices.filter_map(|at| items.get(at).cloned()))
        }
        Value::Tuple(items) => {
            let indices = indices(bounds, items.len())?;
            Value::tuple(indices.filter_map(|at| items.get(at).cloned()))
        }
        Value::Range(range) => {
            let part = cut_range(*range, &indices(bounds, range.len())?);
            Value::Range(part.ok_or_else(|| Exception::of_overflow("range too large"))?)
        }
        Value::Dict(_) => return Err(Exception::of_type("unhashable type: 'slice'")),
        other => return Err(super::not_subscriptable(other)),
    })
}

struct SliceIndices {
    next: i64,
    stop: i64,
    step: i64,
    left: usize,
}

/// Returns the indices that the start, the stop and the step of a slice select.
fn indices([start, stop, step]: [&Value; 3], length: usize) -> Result<SliceIndices> {
    let step = slice_index(Some(step))?.unwrap_or(1);
    if step == 0 {
        return Err(Exception::of_value("slice step cannot be zero"));
    }
    let length = i64::try_from(length).unwrap_or(i64::MAX);
    // A slice with a negative step ends before index 0, at -1.
    let (low, high) = if step < 0 { (-1, length - 1) } else { (0, length) };
    let mut ends = if step < 0 { [high, low] } else { [low, high] };
    for (end, given) in ends.iter_mut().zip([start, stop]) {
        match slice_index(Some(given))? {
            Some(at) if at < 0 => *end = at.saturating_add(length).max(low),
            Some(at) => *end = at.min(high),
            None => {}
        }
    }
    let [start, stop] = ends;
    let left = IntRange { start, stop, step }.len();
    Ok(SliceIndices { next: start, stop, step, left })
}

impl Iterator for SliceIndices {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        let at = self.next;
        self.next = at.saturating_add(self.step);
        usize::try_from(at).ok()
    }
}

/// Returns an index of a slice. One beyond 64 bits is clamped, as in Python.
pub(super) fn slice_index(value: Option<&Value>) -> Result<Option<i64>> {
    match (value, value.and_then(Number::of)) {
        (None | Some(Value::None), _) => Ok(None),
        (_, Some(Number::Small(at))) => Ok(Some(at)),
        (_, Some(Number::Big(at))) => {
            let negative = at < num_bigint::BigInt::ZERO;
            Ok(Some(if negative { -i64::MAX } else { i64::MAX }))
        }
        _ => {
            let message =
                "slice indices must be integers or None or have an __index__ method";
            Err(Exception::of_type(message))
        }
    }
}

/// Returns a part of a range; `None` if one of its numbers needs more than 64 bits.
fn cut_range(range: IntRange, indices: &SliceIndices) -> Option<IntRange> {
    let number = |at: i64| {
        let number = i128::from(range.start) + i128::from(at) * i128::from(range.step);
        i64::try_from(number).ok()
    };
    let step = range.step.checked_mul(indices.step)?;
    Some(IntRange { start: number(indices.next)?, stop: number(indices.stop)?, step })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::python::repr;

    #[test]
    fn cuts_as_python_does() {
        let some = |at: Option<i64>| at.map_or(Value::None, Value::Int);
        for (text, start, stop, step, part) in [
            ("abcdef", None, Some(0), Some(-1), "'fedcb'"),
            ("abcde", Some(4), Some(0), Some(-1), "'edcb'"),
            ("abc", Some(-10), Some(-5), Some(-1), "''"),
            ("", None, None, Some(-1), "''"),
            ("añb", Some(1), None, None, "'ñb'"),
            ("abc", None, None, Some(i64::MIN), "'c'"),
            ("abc", Some(-2), Some(i64::MAX), Some(2), "'b'"),
        ] {
            let cut = slice(&text.into(), &some(start), &some(stop), &some(step));
            assert_eq!(cut.and_then(|v| repr(&v)).unwrap_or_default(), part, "{text}");
        }
        assert!(slice(&"a".into(), &Value::None, &Value::None, &Value::Int(0)).is_err());
    }
}
