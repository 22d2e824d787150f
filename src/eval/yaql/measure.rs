//! The size of values in CPython 3.11, without their members.

use crate::eval::python::Value;

/// Returns `sys.getsizeof(value)`, approximately.
pub fn measure(value: &Value) -> usize {
    match value {
        Value::None => 16,
        Value::Bool(_) => 28,
        Value::Int(x) => integer_size(u64::from(64 - x.unsigned_abs().leading_zeros())),
        Value::Big(x) => integer_size(x.bits()),
        Value::Str(text) => text_size(text),
        Value::Bytes(bytes) => 33 + bytes.len(),
        Value::Tuple(members) => 40 + 8 * members.len(),
        Value::List(items) => list_size(items.len()),
        Value::Set(members) => set_size(members.0.len()),
        Value::Float(_) | Value::Range(_) | Value::Lazy(_) => 48,
        // A dict of yaql is an object that holds Python's dict as a member.
        Value::Dict(_) | Value::Object(_) => 48,
    }
}

fn integer_size(bits: u64) -> usize {
    24 + 4 * usize::try_from(bits.div_ceil(30).max(1)).unwrap_or(usize::MAX / 8)
}

fn text_size(text: &str) -> usize {
    let widest = text.chars().max().map_or(0, u32::from);
    let count = || text.chars().count();
    match widest {
        // CPython stores a string with 1, 2 or 4 bytes per character, by the widest one.
        0..0x80 => 49 + text.len(),
        0x80..0x100 => 73 + count(),
        0x100..0x1_0000 => 74 + 2 * count(),
        _ => 76 + 4 * count(),
    }
}

pub fn list_size(count: usize) -> usize {
    56 + 8 * count
}

/// Returns the size of a dict with string keys. CPython uses two thirds of the slots.
pub fn dict_size(count: usize) -> usize {
    let mut slots = 8;
    while slots * 2 / 3 < count {
        slots *= 2;
    }
    let index = match slots {
        0..256 => 1,
        256..0x1_0000 => 2,
        _ => 4,
    };
    let entries = 32 + slots * index + slots * 2 / 3 * 16;
    64 + if count == 0 { 0 } else { entries }
}

/// Returns the size of a set. CPython resizes it at three fifths of the slots.
pub fn set_size(count: usize) -> usize {
    let (mut slots, mut used) = (8, 5);
    while count >= used {
        slots = (used * 4 + 1).next_power_of_two();
        used = ((slots - 1) * 3).div_ceil(5);
    }
    216 + if slots == 8 { 0 } else { slots * 16 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_as_python_does() {
        assert_eq!([0, 4, 5, 18, 19, 77].map(set_size), [216, 216, 728, 728, 2264, 8408]);
        assert_eq!([0, 1, 6, 11, 171].map(dict_size), [64, 184, 272, 464, 6576]);
        let texts = ["abc", "é", "€€", "😀"];
        assert_eq!(texts.map(|t| measure(&t.into())), [52, 74, 78, 80]);
        assert_eq!([0, 1, 1 << 30].map(|x| measure(&Value::Int(x))), [28, 28, 32]);
    }
}
