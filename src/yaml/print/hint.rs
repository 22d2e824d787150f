//! How the neighbours of a node are indented, from which new lines take their depth.

use super::layout::{Entry, Layout};
use crate::arena::{Index, Style};

/// How deep things are indented.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hints {
    /// A mapping, a block scalar or a continued line below its key.
    pub(super) step: Option<usize>,
    /// A sequence below its key.
    pub(super) sequence: Option<usize>,
}

impl Hints {
    /// What these leave open, `other` says.
    pub(super) fn or(self, other: impl FnOnce() -> Hints) -> Hints {
        if self.step.is_some() && self.sequence.is_some() {
            return self;
        }
        let other = other();
        Hints {
            step: self.step.or(other.step),
            sequence: self.sequence.or(other.sequence),
        }
    }

    pub(super) fn step(self) -> usize {
        self.step.unwrap_or(2)
    }

    pub(super) fn sequence(self) -> usize {
        self.sequence.unwrap_or(0)
    }

    fn note(&mut self, layout: Layout<'_>, value: Index, column: usize) {
        let Some(deeper) = layout.column(value).checked_sub(column) else { return };
        match layout.style(value) {
            Style::BlockSequence => self.sequence = self.sequence.or(Some(deeper)),
            Style::BlockMapping if (1..10).contains(&deeper) => {
                self.step = self.step.or(Some(deeper));
            }
            _ => {}
        }
    }
}

/// How many neighbours are asked.
const NEIGHBOURS: usize = 30;

impl Layout<'_> {
    /// How the values of block mapping `of` are indented.
    pub(super) fn hints(self, of: Index) -> Hints {
        let mut hints = Hints::default();
        if self.style(of) != Style::BlockMapping {
            return hints;
        }
        let (column, mut text) = (self.column(of), None);
        for Entry { value, .. } in self.entries(of).take(NEIGHBOURS) {
            hints.note(self, value, column);
            if self.is_block_scalar(value) {
                let deeper = self.column(value).checked_sub(column);
                text = text.or(deeper.filter(|deeper| (1..10).contains(deeper)));
            }
        }
        Hints { step: hints.step.or(text), ..hints }
    }

    /// How most of the text is indented.
    pub(super) fn majority(self) -> Hints {
        let (mut steps, mut sequences) = ([0u32; 10], [0u32; 10]);
        for of in self.arena.indices() {
            if self.style(of) != Style::BlockMapping {
                continue;
            }
            for entry in self.entries(of) {
                let mut hints = Hints::default();
                hints.note(self, entry.value, self.column(of));
                hints.step.into_iter().for_each(|step| steps[step] += 1);
                let sequence = hints.sequence.filter(|&deeper| deeper < 10);
                sequence.into_iter().for_each(|deeper| sequences[deeper] += 1);
            }
        }
        Hints { step: most(&steps), sequence: most(&sequences) }
    }
}

/// The index of the greatest count, if anything was counted.
fn most(counts: &[u32]) -> Option<usize> {
    let (at, &count) = counts.iter().enumerate().rev().max_by_key(|&(_, count)| count)?;
    (count > 0).then_some(at)
}
