//! The order of keys in yaml.v2: booleans and numbers by value, null, then strings, with
//! digits in them compared as numbers.
//!
//! Letters are those of Go: the Unicode categories L. Rust's alphabetic characters also
//! have marks, numerals and signs.

use std::borrow::Cow;
use std::cmp::Ordering;

use num_traits::ToPrimitive;

use crate::node::NodeId;
use crate::scalar::Scalar;

type KeyValue<'a> = (Scalar<'a>, NodeId);

pub(super) fn sort<'a>(mut entries: Vec<KeyValue<'a>>) -> Vec<KeyValue<'a>> {
    // The order that yaml.v2 has for strings with digits has cycles. Where one is met,
    // its result is that of a merge sort of the entries in byte order.
    let has_digits = entries.iter().any(|(key, _)| {
        matches!(key, Scalar::String(text) if text.bytes().any(|b| b.is_ascii_digit()))
    });
    if !has_digits {
        entries.sort_unstable_by(|(a, _), (b, _)| compare(a, b));
        return entries;
    }
    entries.sort_unstable_by(|(a, _), (b, _)| compare_bytes(a, b));
    // Nearly always: the orders differ only where numbers differ in length.
    if entries.is_sorted_by(|(a, _), (b, _)| compare(a, b).is_le()) {
        return entries;
    }
    // The sort of the standard library may panic if the order is not total.
    merge_sort(entries)
}

/// Sorts from the bottom up, for orders that may have cycles.
fn merge_sort(mut entries: Vec<KeyValue>) -> Vec<KeyValue> {
    let mut width = 1;
    while width < entries.len() {
        let mut merged = Vec::with_capacity(entries.len());
        let mut rest = entries.into_iter().peekable();
        while rest.peek().is_some() {
            let left: Vec<KeyValue> = rest.by_ref().take(width).collect();
            merge(left, rest.by_ref().take(width).collect(), &mut merged);
        }
        entries = merged;
        width *= 2;
    }
    entries
}

fn merge<'a>(
    left: Vec<KeyValue<'a>>,
    right: Vec<KeyValue<'a>>,
    merged: &mut Vec<KeyValue<'a>>,
) {
    let mut left = left.into_iter().peekable();
    let mut right = right.into_iter().peekable();
    while let (Some((a, _)), Some((b, _))) = (left.peek(), right.peek()) {
        let first = if compare(b, a).is_lt() { &mut right } else { &mut left };
        merged.extend(first.next());
    }
    merged.extend(left);
    merged.extend(right);
}

fn compare(a: &Scalar, b: &Scalar) -> Ordering {
    match (text(a), text(b)) {
        (Some(a), Some(b)) => natural(&a, &b),
        _ => compare_bytes(a, b),
    }
}

fn compare_bytes(a: &Scalar, b: &Scalar) -> Ordering {
    match (a, b) {
        (Scalar::Int(a), Scalar::Int(b)) => a.cmp(b),
        (Scalar::Big(a), Scalar::Big(b)) => a.cmp(b),
        (Scalar::Binary(a), Scalar::Binary(b)) => a.cmp(b),
        _ => match ((text(a), text(b)), (number(a), number(b))) {
            ((Some(a), Some(b)), _) => a.cmp(&b),
            (_, (Some(x), Some(y))) => x.total_cmp(&y).then(rank(a).cmp(&rank(b))),
            _ => rank(a).cmp(&rank(b)),
        },
    }
}

fn text<'a>(key: &'a Scalar) -> Option<Cow<'a, str>> {
    match key {
        Scalar::String(text) => Some(Cow::Borrowed(text)),
        Scalar::Binary(bytes) => Some(String::from_utf8_lossy(bytes)),
        _ => None,
    }
}

fn number(key: &Scalar) -> Option<f64> {
    match key {
        Scalar::Bool(x) => Some(f64::from(u8::from(*x))),
        Scalar::Int(x) => Some(*x as f64),
        Scalar::Big(x) => x.to_f64(),
        Scalar::Float(x) => Some(*x + 0.0),
        Scalar::Null | Scalar::String(_) | Scalar::Binary(_) => None,
    }
}

fn rank(key: &Scalar) -> u8 {
    match key {
        Scalar::Bool(_) => 0,
        Scalar::Int(_) | Scalar::Big(_) => 1,
        Scalar::Float(_) => 2,
        Scalar::Null => 3,
        Scalar::String(_) | Scalar::Binary(_) => 4,
    }
}

/// Compares at the first difference: numbers if both have digits, else letters come last.
fn natural(a: &str, b: &str) -> Ordering {
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let at = (0..=same).rev().find(|&i| a.is_char_boundary(i)).unwrap_or(0);
    let (Some(x), Some(y)) = (a[at..].chars().next(), b[at..].chars().next()) else {
        return a.len().cmp(&b.len());
    };
    match (is_letter(x), is_letter(y)) {
        (true, true) => x.cmp(&y),
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        (false, false) => {
            let zero = (x == '0' || y == '0') && follows_digit(&a[..at]);
            let (x_value, x_digits) = count(&a[at..], zero);
            let (y_value, y_digits) = count(&b[at..], zero);
            x_value.cmp(&y_value).then(x_digits.cmp(&y_digits)).then(x.cmp(&y))
        }
    }
}

/// Returns true if the digits at the end of `text` have one that is no zero.
fn follows_digit(text: &str) -> bool {
    text.bytes().rev().take_while(u8::is_ascii_digit).any(|b| b != b'0')
}

/// Returns the value of the first digits, and their number. `one`: a digit precedes them.
fn count(text: &str, one: bool) -> (i64, usize) {
    let digits = text.bytes().take_while(u8::is_ascii_digit);
    digits.fold((i64::from(one), 0), |(value, length), b| {
        (value.wrapping_mul(10).wrapping_add(i64::from(b - b'0')), length + 1)
    })
}

/// Ranges of alphabetic characters that are neither letters nor numerals.
#[rustfmt::skip]
const MARKS: &[(u32, u32)] = &[
    (0x345, 0x36f), (0x5b0, 0x5c7), (0x610, 0x61a), (0x64b, 0x65f), (0x670, 0x670),
    (0x6d6, 0x6e4), (0x6e7, 0x6ed), (0x711, 0x711), (0x730, 0x73f), (0x7a6, 0x7b0),
    (0x816, 0x817), (0x81b, 0x823), (0x825, 0x827), (0x829, 0x82c), (0x8d4, 0x903),
    (0x93a, 0x93b), (0x93e, 0x94f), (0x955, 0x957), (0x962, 0x963), (0x981, 0x983),
    (0x9be, 0x9cc), (0x9d7, 0x9d7), (0x9e2, 0x9e3), (0xa01, 0xa03), (0xa3e, 0xa51),
    (0xa70, 0xa71), (0xa75, 0xa83), (0xabe, 0xacc), (0xae2, 0xae3), (0xafa, 0xb03),
    (0xb3e, 0xb57), (0xb62, 0xb63), (0xb82, 0xb82), (0xbbe, 0xbcc), (0xbd7, 0xc04),
    (0xc3e, 0xc56), (0xc62, 0xc63), (0xc81, 0xc83), (0xcbe, 0xcd6), (0xce2, 0xce3),
    (0xd00, 0xd03), (0xd3e, 0xd4c), (0xd57, 0xd57), (0xd62, 0xd63), (0xd81, 0xd83),
    (0xdcf, 0xdf3), (0xe31, 0xe31), (0xe34, 0xe3a), (0xe4d, 0xe4d), (0xeb1, 0xeb1),
    (0xeb4, 0xebc), (0xecd, 0xecd), (0xf71, 0xf83), (0xf8d, 0xfbc), (0x102b, 0x103e),
    (0x1056, 0x1059), (0x105e, 0x1060), (0x1062, 0x1064), (0x1067, 0x106d),
    (0x1071, 0x1074), (0x1082, 0x108d), (0x108f, 0x109d), (0x1712, 0x1713),
    (0x1732, 0x1733), (0x1752, 0x1753), (0x1772, 0x1773), (0x17b6, 0x17c8),
    (0x1885, 0x1886), (0x18a9, 0x18a9), (0x1920, 0x1938), (0x1a17, 0x1a1b),
    (0x1a55, 0x1a74), (0x1abf, 0x1b04), (0x1b35, 0x1b43), (0x1b80, 0x1b82),
    (0x1ba1, 0x1bad), (0x1be7, 0x1bf1), (0x1c24, 0x1c36), (0x1dd3, 0x1df4),
    (0x24b6, 0x24e9), (0x2de0, 0x2dff), (0xa674, 0xa67b), (0xa69e, 0xa69f),
    (0xa802, 0xa802), (0xa80b, 0xa80b), (0xa823, 0xa827), (0xa880, 0xa881),
    (0xa8b4, 0xa8c5), (0xa8ff, 0xa8ff), (0xa926, 0xa92a), (0xa947, 0xa952),
    (0xa980, 0xa983), (0xa9b4, 0xa9bf), (0xa9e5, 0xa9e5), (0xaa29, 0xaa36),
    (0xaa43, 0xaa43), (0xaa4c, 0xaa4d), (0xaa7b, 0xaa7d), (0xaab0, 0xaab0),
    (0xaab2, 0xaab4), (0xaab7, 0xaab8), (0xaabe, 0xaabe), (0xaaeb, 0xaaef),
    (0xaaf5, 0xaaf5), (0xabe3, 0xabea), (0xfb1e, 0xfb1e), (0x10376, 0x1037a),
    (0x10a01, 0x10a0f), (0x10d24, 0x10d27), (0x10eab, 0x10eac), (0x11000, 0x11002),
    (0x11038, 0x11045), (0x11073, 0x11074), (0x11080, 0x11082), (0x110b0, 0x110c2),
    (0x11100, 0x11102), (0x11127, 0x11132), (0x11145, 0x11146), (0x11180, 0x11182),
    (0x111b3, 0x111bf), (0x111ce, 0x111cf), (0x1122c, 0x1123e), (0x112df, 0x11303),
    (0x1133e, 0x1134c), (0x11357, 0x11357), (0x11362, 0x11363), (0x11435, 0x11445),
    (0x114b0, 0x114c1), (0x115af, 0x115be), (0x115dc, 0x115dd), (0x11630, 0x11640),
    (0x116ab, 0x116b5), (0x1171d, 0x1172a), (0x1182c, 0x11838), (0x11930, 0x1193c),
    (0x11940, 0x11940), (0x11942, 0x11942), (0x119d1, 0x119df), (0x119e4, 0x119e4),
    (0x11a01, 0x11a0a), (0x11a35, 0x11a39), (0x11a3b, 0x11a3e), (0x11a51, 0x11a5b),
    (0x11a8a, 0x11a97), (0x11c2f, 0x11c3e), (0x11c92, 0x11cb6), (0x11d31, 0x11d43),
    (0x11d47, 0x11d47), (0x11d8a, 0x11d96), (0x11ef3, 0x11ef6), (0x16f4f, 0x16f4f),
    (0x16f51, 0x16f92), (0x16ff0, 0x16ff1), (0x1bc9e, 0x1bc9e), (0x1e000, 0x1e02a),
    (0x1e947, 0x1e947), (0x1f130, 0x1f189),
];

/// Returns true if `c` is a letter for Go.
fn is_letter(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphabetic();
    }
    let after = MARKS.partition_point(|&(_, last)| last < c as u32);
    let mark = MARKS.get(after).is_some_and(|&(first, _)| first <= c as u32);
    c.is_alphabetic() && !c.is_numeric() && !mark
}
