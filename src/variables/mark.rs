//! The places of a text at which a use of a variable may stand, found without looking at
//! its nodes: what lies between two marks need not be opened.

use memchr::memmem;

use crate::arena::Arena;

/// What may begin a use: the parentheses, or an escape in a quoted scalar that may hide one.
const SIGNS: [&str; 5] = ["((", "(\\", "\\x28", "\\u0028", "\\U00000028"];

/// Offsets in order, those of aliases among them that stand for something marked.
pub(super) fn marks(arena: &Arena) -> Vec<u32> {
    let text = arena.text().as_bytes();
    let found = SIGNS.iter().flat_map(|sign| memmem::find_iter(text, sign));
    let mut marks: Vec<u32> = found.map(|at| at as u32).collect();
    marks.sort_unstable();
    // An alias comes after what it stands for, so that one pass finds all.
    let mut more = Vec::new();
    for &(alias, target) in arena.aliases() {
        let (start, end) = arena.extent(target);
        let within = |marks: &[u32]| {
            marks.get(marks.partition_point(|&at| at < start)).is_some_and(|&at| at < end)
        };
        if within(&marks) || within(&more) {
            more.push(arena.span(alias).start);
        }
    }
    marks.extend(more);
    marks.sort_unstable();
    marks
}
