//! Values compared as JSON has them: numbers by their value, mappings by the names of their
//! members in any order.

use std::borrow::Cow;
use std::cmp::Ordering;

use hashbrown::{HashMap, HashSet};
use num_bigint::BigInt;
use num_traits::FromPrimitive;

use crate::node::{Kind, NodeId, Tree};
use crate::scalar::Scalar;

/// Number of bytes of a text that are compared in one step.
// As many as a query reads in one.
const BYTES_PER_STEP: usize = 64;

/// Returns true if two values are equal as JSON: 1 equals 1.0, and neither `true` nor "1".
/// Subtracts the number of nodes it read from `steps`, and gives up at 0.
pub(crate) fn is_json_equal(tree: &Tree, a: NodeId, b: NodeId, steps: &mut u64) -> bool {
    are_equal(tree, vec![(a, b)], steps, |_, _| true)
}

/// Returns true if two values are equal as JSON, and so are the tags in them, such as `!Ref`.
pub(crate) fn is_tagged_json_equal(
    tree: &Tree,
    a: NodeId,
    b: NodeId,
    steps: &mut u64,
) -> bool {
    are_equal(tree, vec![(a, b)], steps, |a, b| tree.own_tag(a) == tree.own_tag(b))
}

fn are_equal(
    tree: &Tree,
    mut todo: Vec<(NodeId, NodeId)>,
    steps: &mut u64,
    has_same_tag: impl Fn(NodeId, NodeId) -> bool,
) -> bool {
    // Nested aliases let a small text contain exponentially many equal pairs.
    let mut compared = HashSet::new();
    while let Some((a, b)) = todo.pop() {
        let [a, b] = [a, b].map(|node| tree.follow(node));
        *steps = steps.saturating_sub(1);
        let kind = tree.kind(a);
        if *steps == 0 || kind != tree.kind(b) || !has_same_tag(a, b) {
            return false;
        }
        if kind != Kind::Scalar && !compared.insert((a, b)) {
            continue;
        }
        let (is_same, read) = match kind {
            Kind::Scalar => {
                let [a, b] = [a, b].map(|node| tree.scalar_as_written(node));
                (is_equal_scalar(&a, &b), size(&a) + size(&b))
            }
            Kind::Sequence => {
                let [a, b] = [a, b].map(|node| tree.items(node));
                let result = (a.len() == b.len(), a.len() + b.len());
                if result.0 {
                    todo.extend(a.into_iter().zip(b));
                }
                result
            }
            Kind::Mapping => {
                let pairs = [a, b].map(|mapping| tree.pairs(mapping));
                let read = pairs[0].len() + pairs[1].len();
                (zip_members(tree, &pairs, &mut todo, &has_same_tag), read)
            }
        };
        *steps = steps.saturating_sub(read as u64);
        if !is_same {
            return false;
        }
    }
    true
}

/// Returns the size of a text, in units that are compared in one step.
fn size(scalar: &Scalar<'_>) -> usize {
    match scalar {
        Scalar::String(text) => text.len() / BYTES_PER_STEP,
        Scalar::Binary(bytes) => bytes.len() / BYTES_PER_STEP,
        _ => 0,
    }
}

/// Pairs the members of two mappings by their names. Returns false if the names differ, or
/// the tags of keys.
fn zip_members(
    tree: &Tree,
    [a, b]: &[Vec<(NodeId, NodeId)>; 2],
    todo: &mut Vec<(NodeId, NodeId)>,
    has_same_tag: impl Fn(NodeId, NodeId) -> bool,
) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let members: HashMap<Cow<'_, str>, (NodeId, NodeId)> = a
        .iter()
        .filter_map(|&(key, value)| Some((tree.member_name(key)?, (key, value))))
        .collect();
    b.iter().all(|&(key, value)| {
        let name = tree.member_name(key);
        let other = name.and_then(|name| members.get(&name));
        todo.extend(other.map(|other| (other.1, value)));
        other.is_some_and(|other| has_same_tag(other.0, key))
    })
}

/// Returns true if two scalars are equal as JSON.
pub(crate) fn is_equal_scalar(a: &Scalar<'_>, b: &Scalar<'_>) -> bool {
    match (a, b) {
        (Scalar::Null, Scalar::Null) => true,
        (Scalar::Bool(a), Scalar::Bool(b)) => a == b,
        (Scalar::String(a), Scalar::String(b)) => a == b,
        (Scalar::Binary(a), Scalar::Binary(b)) => a == b,
        _ => compare_numbers(a, b) == Some(Ordering::Equal),
    }
}

/// Compares two texts by code points, or two numbers; nothing else has an order.
pub(crate) fn compare_scalars(a: &Scalar<'_>, b: &Scalar<'_>) -> Option<Ordering> {
    match (a, b) {
        // The order of UTF-8 is that of code points.
        (Scalar::String(a), Scalar::String(b)) => Some(a.cmp(b)),
        _ => compare_numbers(a, b),
    }
}

fn compare_numbers(a: &Scalar<'_>, b: &Scalar<'_>) -> Option<Ordering> {
    match (a, b) {
        (Scalar::Int(a), Scalar::Int(b)) => Some(a.cmp(b)),
        (Scalar::Float(a), Scalar::Float(b)) => a.partial_cmp(b),
        (Scalar::Float(a), _) => compare_mixed(&integer(b)?, *a).map(Ordering::reverse),
        (_, Scalar::Float(b)) => compare_mixed(&integer(a)?, *b),
        _ => Some(integer(a)?.cmp(&integer(b)?)),
    }
}

fn integer(number: &Scalar<'_>) -> Option<BigInt> {
    match number {
        Scalar::Int(number) => Some(BigInt::from(*number)),
        Scalar::Big(number) => Some(BigInt::clone(number)),
        _ => None,
    }
}

/// Compares an integer with a float, exactly.
fn compare_mixed(integer: &BigInt, float: f64) -> Option<Ordering> {
    let Some(floor) = BigInt::from_f64(float.floor()) else {
        // An infinity; NaN has no order.
        return 0.0_f64.partial_cmp(&float);
    };
    let has_part = float.fract() != 0.0;
    Some(integer.cmp(&floor).then(if has_part {
        Ordering::Less
    } else {
        Ordering::Equal
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let compare = |a, b| compare_numbers(&a, &b);
        let (int, float) = (Scalar::Int, Scalar::Float);
        assert_eq!(compare(int(1), float(1.0)), Some(Ordering::Equal));
        assert_eq!(compare(float(1.5), int(1)), Some(Ordering::Greater));
        assert_eq!(compare(int(-1), float(-1.5)), Some(Ordering::Greater));
        assert_eq!(compare(int(1), float(f64::INFINITY)), Some(Ordering::Less));
        assert_eq!(compare(int(1), float(f64::NAN)), None);
        let big = i128::from(i64::MAX);
        assert_eq!(compare(int(big), float(big as f64)), Some(Ordering::Less));
        assert_eq!(compare(int(10_i128.pow(21)), float(1e21)), Some(Ordering::Equal));
    }
}
