//! The style of a written text: how far values are indented, how they are quoted, and whether
//! all of it is JSON.

use super::written::{Layout, WrittenEntry};
use crate::arena::{Arena, Index, Style, flag};
use crate::scalar::{Quote, Scalar};

/// Number of columns by which values are indented, as far as neighbours show it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct IndentHints {
    /// For a mapping, a block scalar or a continuation line below its key.
    pub(crate) step: Option<usize>,
    /// For a sequence below its key.
    pub(crate) sequence: Option<usize>,
}

impl IndentHints {
    /// Returns the indentation of the values of block mapping `of`.
    pub(crate) fn of(layout: Layout<'_>, of: Index) -> IndentHints {
        let mut hints = IndentHints::default();
        if layout.style(of) != Style::BlockMapping {
            return hints;
        }
        let column = layout.column(of);
        let mut text = None;
        for WrittenEntry { value, .. } in layout.entries(of).take(NEIGHBOURS) {
            hints.note(layout, value, column);
            if layout.is_block_scalar(value) {
                let deeper = layout.column(value).checked_sub(column);
                text = text.or(deeper.filter(|deeper| (1..10).contains(deeper)));
            }
        }
        IndentHints { step: hints.step.or(text), ..hints }
    }

    /// Returns these hints with missing ones taken from `other`.
    pub(crate) fn or(self, other: impl FnOnce() -> IndentHints) -> IndentHints {
        if self.step.is_some() && self.sequence.is_some() {
            return self;
        }
        let other = other();
        IndentHints {
            step: self.step.or(other.step),
            sequence: self.sequence.or(other.sequence),
        }
    }

    pub(crate) fn step(self) -> usize {
        self.step.unwrap_or(2)
    }

    pub(crate) fn sequence(self) -> usize {
        self.sequence.unwrap_or(0)
    }

    fn note(&mut self, layout: Layout<'_>, value: Index, column: usize) {
        let Some(deeper) = layout.column(value).checked_sub(column) else { return };
        match layout.style(value) {
            Style::BlockSequence => self.sequence = self.sequence.or(Some(deeper)),
            // The hint serves block scalars too, whose header has one digit for it.
            Style::BlockMapping if (1..10).contains(&deeper) => {
                self.step = self.step.or(Some(deeper));
            }
            _ => {}
        }
    }
}

/// The quotes that all keys of a collection have, and all texts in it. Numbers and what is no
/// scalar do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CommonQuotes {
    pub(crate) keys: Option<Quote>,
    pub(crate) texts: Option<Quote>,
}

impl CommonQuotes {
    /// Returns the quotes in a written collection.
    pub(crate) fn of(layout: Layout<'_>, of: Index) -> CommonQuotes {
        let is_mapping = layout.style(of).is_mapping();
        let keys = layout.entries(of).filter(|_| is_mapping).map(|entry| entry.first);
        let values = layout.entries(of).map(|entry| entry.value);
        CommonQuotes {
            keys: common_quote(layout.arena, keys.take(NEIGHBOURS)),
            texts: common_quote(layout.arena, values.take(NEIGHBOURS)),
        }
    }
}

/// Returns the quotes of some nodes, if all texts among them have the same.
fn common_quote(arena: &Arena, nodes: impl Iterator<Item = Index>) -> Option<Quote> {
    let mut common = None;
    for i in nodes {
        let quote = match arena.style(i) {
            Style::Single => Quote::Single,
            Style::Double => Quote::Double,
            Style::Plain if matches!(arena.scalar(i), Scalar::String(_)) => return None,
            _ => continue,
        };
        if common.is_some_and(|common| common != quote) {
            return None;
        }
        common = Some(quote);
    }
    common
}

/// Maximum number of entries that are asked for hints.
// Every mapping with a new entry asks: it must not take time proportional to its length.
const NEIGHBOURS: usize = 30;

/// Returns the most frequent indentation and quotes of the text.
pub(crate) fn majority(arena: &Arena) -> (IndentHints, Quote) {
    let layout = Layout { arena };
    let mut steps = [0u32; 10];
    let mut sequences = [0u32; 10];
    for of in arena.indices() {
        if layout.style(of) != Style::BlockMapping {
            continue;
        }
        for entry in layout.entries(of) {
            let mut hints = IndentHints::default();
            hints.note(layout, entry.value, layout.column(of));
            hints.step.into_iter().for_each(|step| steps[step] += 1);
            let sequence = hints.sequence.filter(|&deeper| deeper < 10);
            sequence.into_iter().for_each(|deeper| sequences[deeper] += 1);
        }
    }
    let [mut double, mut single] = [0, 0];
    for node in arena.nodes() {
        double += u32::from(node.style == Style::Double);
        single += u32::from(node.style == Style::Single);
    }
    let quote = if double > single { Quote::Double } else { Quote::Single };
    (IndentHints { step: most(&steps), sequence: most(&sequences) }, quote)
}

/// Returns the index of the greatest count, if anything was counted.
fn most(counts: &[u32]) -> Option<usize> {
    // `max_by_key` takes the last of equal counts; reversed, that is the smallest.
    let (at, &count) = counts.iter().enumerate().rev().max_by_key(|&(_, count)| count)?;
    (count > 0).then_some(at)
}

/// Returns true if the whole text is JSON.
pub(crate) fn is_json(arena: &Arena) -> bool {
    let layout = Layout { arena };
    let mut at = layout.bom_len(0);
    let mut between = String::new();
    for i in arena.indices() {
        let json = match layout.style(i) {
            Style::FlowSequence | Style::FlowMapping => continue,
            Style::Double => !arena.has(i, flag::MULTILINE),
            Style::Plain => is_json_word(arena.raw(i)),
            _ => false,
        };
        if !json {
            return false;
        }
        between.extend(layout.slice(at, layout.content(i)).split_ascii_whitespace());
        between.push('0');
        at = layout.end(i);
    }
    between.extend(layout.slice(at, layout.text().len()).split_ascii_whitespace());
    between.chars().all(|c| "0[]{},:".contains(c))
        && !between.contains(",]")
        && !between.contains(",}")
}

/// Returns true if plain scalar `raw` is a word or a number of JSON.
fn is_json_word(raw: &str) -> bool {
    let (base, exponent) = raw.split_once(['e', 'E']).unwrap_or((raw, "0"));
    let (whole, fraction) = base.split_once('.').unwrap_or((base, "0"));
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    let number = is_digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && is_digits(fraction)
        && is_digits(exponent.strip_prefix(['-', '+']).unwrap_or(exponent));
    number || matches!(raw, "true" | "false" | "null")
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}
