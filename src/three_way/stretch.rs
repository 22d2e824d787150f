//! A stretch of lines of three texts.

use std::ops::Range;

/// A stretch of lines of three texts, between those that are the same in all.
#[derive(Clone, Debug)]
pub(super) struct Stretch {
    pub base: Range<usize>,
    pub ours: Range<usize>,
    pub theirs: Range<usize>,
}

impl Stretch {
    /// Returns the stretches of three sequences of lines, equal ones and others in turn, each
    /// with true if all three are equal there.
    pub(super) fn all(
        base: &[u32],
        ours: &[u32],
        theirs: &[u32],
    ) -> Vec<(Stretch, bool)> {
        let to_ours = crate::compare::align(base, ours);
        let to_theirs = crate::compare::align(base, theirs);
        let (mut stretches, mut from) = (Vec::new(), [0; 3]);
        let mut there = to_theirs.into_iter().peekable();
        let both = to_ours.into_iter().filter_map(|(at, here)| {
            while there.next_if(|&(before, _)| before < at).is_some() {}
            let (_, there) = there.next_if(|&(same, _)| same == at)?;
            Some([at, here, there])
        });
        let mut push = |from: [usize; 3], to: [usize; 3], equal: bool| {
            let [base, ours, theirs] = [0, 1, 2].map(|side| from[side]..to[side]);
            let is_empty = base.is_empty() && ours.is_empty() && theirs.is_empty();
            match stretches.last_mut() {
                _ if is_empty => {}
                Some((Stretch { base: b, ours: o, theirs: t }, true)) if equal => {
                    (b.end, o.end, t.end) = (base.end, ours.end, theirs.end);
                }
                _ => stretches.push((Stretch { base, ours, theirs }, equal)),
            }
        };
        for at in both {
            push(from, at, false);
            let next = at.map(|at| at + 1);
            push(at, next, true);
            from = next;
        }
        push(from, [base.len(), ours.len(), theirs.len()], false);
        stretches
    }
}
