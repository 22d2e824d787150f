//! The uses in an edited text: `((names))` put back where their values still stand in it.

use std::ops::Range;

use hashbrown::HashSet;

use super::syntax::{is_whole, uses};
use super::used_values::UsedValues;
use super::value_search::ValueSearch;
use crate::compare::{Numbering, align};
use crate::node::{NodeId, Tree};
use crate::source::replace_ranges;

/// Puts uses back into the edited texts of a document.
pub(super) struct TextUses<'a> {
    values: &'a UsedValues,
    stored: ValueSearch<'a>,
    /// The names of the values of the vars-store that stand in the written document.
    // Whoever wrote them there keeps them from nobody, and a text that was not edited must
    // stay as it is.
    known: HashSet<&'a str>,
}

impl<'a> TextUses<'a> {
    /// Begins with the values that a document was filled in with.
    pub(super) fn new(values: &'a UsedValues, written: &Tree) -> TextUses<'a> {
        let (stored, mut known) = (values.search_stored(), HashSet::new());
        for arena in written.arenas().filter(|_| !stored.is_empty()) {
            for node in arena.indices().map(|i| NodeId::Clean(arena.file(), i)) {
                if let Some(text) = written.string(node) {
                    known.extend(stored.find(&text, 0..text.len()).map(|(_, name)| name));
                }
            }
        }
        TextUses { values, stored, known }
    }

    /// Returns true if values are searched for in every text.
    pub(super) fn searches(&self) -> bool {
        !self.stored.is_empty()
    }

    /// Returns an edited text with the uses of the written one whose values stand in it as
    /// they did in the filled-in one; `None` if there are none.
    ///
    /// A value of the vars-store is found wherever it stands.
    pub(super) fn put_back(
        &self,
        (written, filled): (&str, &str),
        edited: &str,
    ) -> Option<String> {
        let (mut found, mut from) = (Vec::new(), 0);
        for (place, used) in self.unchanged((written, filled), edited) {
            found.extend(self.stored_uses(edited, from..place.start));
            from = place.end;
            // Within a text, a use with spaces is filled in by nothing.
            found.push((place, used.replace(' ', "")));
        }
        found.extend(self.stored_uses(edited, from..edited.len()));
        if found.is_empty() {
            return None;
        }
        let text = replace_ranges(edited, found);
        self.is_filled_in_as(&text, edited).then_some(text)
    }

    /// Returns the places of values of the vars-store in a part of a text, with their uses.
    fn stored_uses(
        &self,
        text: &str,
        part: Range<usize>,
    ) -> impl Iterator<Item = (Range<usize>, String)> {
        let found = self.stored.find(text, part);
        let found = found.filter(|(_, name)| !self.known.contains(name));
        found.map(|(place, name)| (place, format!("(({name}))")))
    }

    /// Returns true if a text with uses is filled in as `edited` is, and as a string.
    // EDITED may have uses of its own.
    fn is_filled_in_as(&self, text: &str, edited: &str) -> bool {
        let is_string = |name: &str| !is_whole(text) || self.values.is_string(name);
        uses(text).all(|found| is_string(found.name))
            && self.fill(text).0 == self.fill(edited).0
    }

    /// Returns the places of the values whose words were not edited, with their uses, in order.
    // Whole words: `8080` is not the port 80 with something beside it.
    fn unchanged<'t>(
        &self,
        (written, filled): (&'t str, &'t str),
        edited: &'t str,
    ) -> Vec<(Range<usize>, &'t str)> {
        let (text, places) = self.fill(written);
        if text != filled {
            return Vec::new();
        }
        let (old, new) = (words(filled), words(edited));
        let mut numbers = Numbering::default();
        let a = numbers.all(old.iter().map(|word| &filled[word.clone()]));
        let b = numbers.all(new.iter().map(|word| &edited[word.clone()]));
        let pairs = align(&a, &b);
        let to = |word: usize| {
            let found = pairs.binary_search_by_key(&word, |&(old, _)| old).ok()?;
            Some(pairs[found].1)
        };
        let moved = |place: Range<usize>| {
            let first = old.partition_point(|word| word.end <= place.start);
            let last = old.partition_point(|word| word.start < place.end);
            if first >= last {
                // An empty value between two words.
                let before =
                    first.checked_sub(1).map_or(Some(0), |it| Some(to(it)? + 1))?;
                let behind = if first < old.len() { to(first)? } else { new.len() };
                let start = new.get(behind).map_or(edited.len(), |word| word.start);
                return (before == behind).then_some(start..start);
            }
            let start = to(first)?;
            let is_same = (first..last).zip(start..).all(|(a, b)| to(a) == Some(b));
            let start = new[start].start + place.start - old[first].start;
            is_same.then_some(start..start + place.len())
        };
        let places = places.into_iter();
        places.filter_map(|(place, written)| Some((moved(place)?, written))).collect()
    }

    /// Returns a text filled in, with the places of the values and their uses.
    // A value that forms another use with what is around it is not filled in here.
    fn fill<'t>(&self, written: &'t str) -> (String, Vec<(Range<usize>, &'t str)>) {
        let (mut text, mut places, mut from) = (String::new(), Vec::new(), 0);
        for found in uses(written) {
            let value = self.values.text(found.name);
            let is_filled = is_whole(written) || !found.has_spaces(written);
            let Some(value) = value.filter(|_| is_filled) else { continue };
            text.push_str(&written[from..found.range.start]);
            from = found.range.end;
            places.push((text.len()..text.len() + value.len(), &written[found.range]));
            text.push_str(value);
        }
        text.push_str(&written[from..]);
        (text, places)
    }
}

/// Splits a text into words and single other characters.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut in_word = false;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        match words.last_mut() {
            Some(word) if in_word && c.is_alphanumeric() => word.end = end,
            _ => words.push(at..end),
        }
        in_word = c.is_alphanumeric();
    }
    words
}
