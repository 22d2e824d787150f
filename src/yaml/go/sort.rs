//! Entries of a mapping come in, in the order of yaml.v2 they go out: booleans and numbers
//! by value, null, then strings in an order that counts in digits.

use std::borrow::Cow;
use std::cmp::Ordering;

use num_traits::ToPrimitive;

use super::letter::is_letter;
use crate::node::Node;
use crate::scalar::Scalar;

type Entry<'a> = (Scalar<'a>, Node);

/// Sorts entries by key. yaml.v2's order of strings with digits has cycles; where it
/// has, what is printed follows from merging runs that start from the order of bytes.
pub(super) fn sort<'a>(mut entries: Vec<Entry<'a>>) -> Vec<Entry<'a>> {
    let counts = |text: &str| text.bytes().any(|b| b.is_ascii_digit());
    let counting = |(key, _): &Entry| matches!(key, Scalar::String(text) if counts(text));
    if !entries.iter().any(counting) {
        entries.sort_unstable_by(|(a, _), (b, _)| compare(a, b));
        return entries;
    }
    entries.sort_unstable_by(|(a, _), (b, _)| compare_bytes(a, b));
    if entries.is_sorted_by(|(a, _), (b, _)| compare(a, b).is_le()) {
        return entries;
    }
    merge_sort(entries)
}

/// Sorts from the bottom up, whatever the order is like.
fn merge_sort(mut entries: Vec<Entry>) -> Vec<Entry> {
    let mut width = 1;
    while width < entries.len() {
        let mut merged = Vec::with_capacity(entries.len());
        let mut rest = entries.into_iter().peekable();
        while rest.peek().is_some() {
            let left: Vec<Entry> = rest.by_ref().take(width).collect();
            let right: Vec<Entry> = rest.by_ref().take(width).collect();
            merge(left, right, &mut merged);
        }
        entries = merged;
        width *= 2;
    }
    entries
}

fn merge<'a>(left: Vec<Entry<'a>>, right: Vec<Entry<'a>>, merged: &mut Vec<Entry<'a>>) {
    let (mut left, mut right) =
        (left.into_iter().peekable(), right.into_iter().peekable());
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
        Scalar::Null
        | Scalar::Bool(_)
        | Scalar::Int(_)
        | Scalar::Big(_)
        | Scalar::Float(_) => None,
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

/// Compares at the first character in which the texts differ: as numbers if both have
/// digits there, what is no letter before a letter.
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

/// Whether the digits at the end of `text` have one among them that is no zero.
fn follows_digit(text: &str) -> bool {
    let digits = text.bytes().rev().take_while(u8::is_ascii_digit);
    digits.into_iter().any(|b| b != b'0')
}

/// The number that the digits `text` begins with stand for, and how many there are.
fn count(text: &str, one: bool) -> (i64, usize) {
    let digits = text.bytes().take_while(u8::is_ascii_digit);
    digits.fold((i64::from(one), 0), |(value, length), b| {
        (value.wrapping_mul(10).wrapping_add(i64::from(b - b'0')), length + 1)
    })
}
