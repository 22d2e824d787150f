//! Unified diffs: two texts, line by line, in the format of `diff -u`.

use std::fmt::Write;
use std::ops::Range;

use similar::{DiffOp, DiffTag, group_diff_ops};

use crate::compare::{Numbering, align, unaligned};
use crate::layout::lines;

/// Returns the unified diff of two texts with `radius` equal lines around each change;
/// empty if they are equal.
///
/// # Example
/// ```text
/// --- before
/// +++ after
/// @@ -1,2 +1,2 @@
///  a: 1
/// -b: 2
/// +b: 3
/// ```
// `similar::TextDiff`, which has the same output, compiles six algorithms for several
// types: a tenth of all code of this crate.
pub fn unified([from, to]: [&str; 2], old: &str, new: &str, radius: usize) -> String {
    let [old, new] = [old, new].map(lines);
    let [before, after] = Numbering::each([&old[..], &new]);
    let ops = diff_ops(&align(&before, &after), old.len(), new.len());
    let mut out = String::new();
    for hunk in group_diff_ops(ops, radius) {
        if out.is_empty() {
            out = format!("--- {from}\n+++ {to}\n");
        }
        write_hunk(&mut out, &hunk, &old, &new);
    }
    out
}

/// Returns the equal and the changed lines between two texts of so many lines.
fn diff_ops(equal: &[(usize, usize)], old: usize, new: usize) -> Vec<DiffOp> {
    let mut ops = Vec::new();
    let mut at = 0;
    for gap in unaligned(equal, old, new) {
        push_equal(&mut ops, &equal[at..], gap.old.start);
        at = equal.partition_point(|&(line, _)| line < gap.old.end);
        let [old_index, old_len] = [gap.old.start, gap.old.len()];
        let [new_index, new_len] = [gap.new.start, gap.new.len()];
        ops.push(match (old_len, new_len) {
            (0, _) => DiffOp::Insert { old_index, new_index, new_len },
            (_, 0) => DiffOp::Delete { old_index, old_len, new_index },
            _ => DiffOp::Replace { old_index, old_len, new_index, new_len },
        });
    }
    push_equal(&mut ops, &equal[at..], old);
    ops
}

/// Adds the equal lines before a line of the old text.
fn push_equal(ops: &mut Vec<DiffOp>, equal: &[(usize, usize)], end: usize) {
    let len = equal.iter().take_while(|&&(line, _)| line < end).count();
    if let Some(&(old_index, new_index)) = equal.first().filter(|_| len > 0) {
        ops.push(DiffOp::Equal { old_index, new_index, len });
    }
}

fn write_hunk(out: &mut String, hunk: &[DiffOp], old: &[&str], new: &[&str]) {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { return };
    let from = extent(first.old_range().start..last.old_range().end);
    let to = extent(first.new_range().start..last.new_range().end);
    let _ = writeln!(out, "@@ -{from} +{to} @@");
    for op in hunk {
        if op.tag() == DiffTag::Equal {
            write_lines(out, ' ', &old[op.old_range()]);
        } else {
            write_lines(out, '-', &old[op.old_range()]);
            write_lines(out, '+', &new[op.new_range()]);
        }
    }
}

/// Returns the number of the first line, and the number of lines if it is not one. An
/// empty extent is counted from the line before it.
fn extent(lines: Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => (lines.start + 1).to_string(),
        count => format!("{},{count}", lines.start + 1),
    }
}

fn write_lines(out: &mut String, sign: char, lines: &[&str]) {
    for line in lines {
        out.push(sign);
        out.push_str(line);
        if !line.ends_with(['\n', '\r']) {
            out.push_str("\n\\ No newline at end of file\n");
        }
    }
}
