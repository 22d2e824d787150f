//! Unified diffs: two texts, line by line, in the format of `diff -u`.

use std::fmt::Write;
use std::ops::Range;

use similar::algorithms::{Capture, Compact, Replace, myers};
use similar::{DiffOp, DiffTag, group_diff_ops};

use super::line::lines;

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
pub fn unified(names: (&str, &str), old: &str, new: &str, radius: usize) -> String {
    let (old, new) = (lines(old), lines(new));
    let mut hook = Compact::new(Replace::new(Capture::new()), &old[..], &new[..]);
    let Ok(()) = myers::diff(&mut hook, &old[..], 0..old.len(), &new[..], 0..new.len());
    let ops = hook.into_inner().into_inner().into_ops();
    let mut out = String::new();
    for hunk in group_diff_ops(ops, radius) {
        if out.is_empty() {
            out = format!("--- {}\n+++ {}\n", names.0, names.1);
        }
        write_hunk(&mut out, &hunk, &old, &new);
    }
    out
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
