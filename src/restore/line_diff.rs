//! The lines that two texts have in common.

use hashbrown::HashMap;
use similar::DiffOp;
use similar::algorithms::{Capture, Replace, myers};

/// Maximum number of lines that are compared in order.
// The time grows with the number of lines and of differences: measured with a release build,
// two texts of 4,096 lines in random order take up to 40 ms, of 65,536 lines 700 ms.
const MAX_COMPARED_LINES: usize = 1 << 12;

/// Returns for each line of `new` true if `old` has it, in the same order. In texts
/// of more than [`MAX_COMPARED_LINES`] changed lines it may stand anywhere.
pub(super) fn kept_lines(old: &[&str], new: &[&str]) -> Vec<bool> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (rest, other) = (&old[head..], &new[head..]);
    let ends = rest.iter().rev().zip(other.iter().rev());
    let tail = ends.take_while(|(a, b)| a == b).count();
    let (old, middle) = (&rest[..rest.len() - tail], &other[..other.len() - tail]);
    let mut kept = vec![true; new.len()];
    if old.len().max(middle.len()) > MAX_COMPARED_LINES {
        mark_common(old, middle, &mut kept[head..]);
        return kept;
    }
    let mut hook = Replace::new(Capture::new());
    let Ok(()) = myers::diff(&mut hook, old, 0..old.len(), middle, 0..middle.len());
    for op in hook.into_inner().into_ops() {
        if !matches!(op, DiffOp::Equal { .. }) {
            let new = op.new_range();
            kept[head + new.start..head + new.end].fill(false);
        }
    }
    kept
}

/// Marks the lines of `new` that stand anywhere in `old`.
fn mark_common(old: &[&str], new: &[&str], kept: &mut [bool]) {
    let mut left: HashMap<&str, usize> = HashMap::new();
    old.iter().for_each(|&line| *left.entry(line).or_default() += 1);
    for (line, kept) in new.iter().zip(kept) {
        let left = left.get_mut(line).filter(|left| **left > 0);
        *kept = left.map(|left| *left -= 1).is_some();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_kept_in_order() {
        let kept = kept_lines(&["a", "b", "c", "d"], &["a", "x", "c", "b", "d"]);
        assert_eq!(kept, [true, false, true, false, true]);
        assert_eq!(kept_lines(&[], &["a"]), [false]);
    }

    #[test]
    fn long_texts_are_compared_without_order() {
        let old: Vec<String> = (0..10_000).map(|n| n.to_string()).collect();
        let old: Vec<&str> = old.iter().map(String::as_str).collect();
        let new: Vec<&str> = old.iter().rev().copied().chain(["other"]).collect();
        let kept = kept_lines(&old, &new);
        assert_eq!(kept.iter().filter(|&&kept| kept).count(), 10_000);
    }
}
