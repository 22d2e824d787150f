//! The uses in an edited text: `((names))` put back where their values still stand in it.

use std::ops::Range;

use hashbrown::{HashMap, HashSet};

use super::syntax::{is_whole, uses};
use super::used_values::UsedValues;
use crate::diff::align;
use crate::node::{NodeId, Tree};
use crate::source::replace_ranges;

/// Minimum length of a value of the vars-store that is searched for in every text.
// A shorter value may stand there by chance. Generated passwords have 20 characters.
const MIN_SECRET: usize = 8;

/// Puts uses back into the edited texts of a document.
pub(super) struct TextUses<'a> {
    values: &'a UsedValues,
    /// The values of the vars-store with their names, by their first bytes, the longest first.
    stored: HashMap<&'a [u8], Vec<(&'a str, &'a str)>>,
}

impl<'a> TextUses<'a> {
    /// Begins with the values that a document was filled in with. A value that stands in the
    /// written document is no secret.
    pub(super) fn new(values: &'a UsedValues, written: &Tree) -> TextUses<'a> {
        let mut stored: HashMap<&[u8], Vec<(&str, &str)>> = HashMap::new();
        for (name, value) in values.stored() {
            if let Some(first) = value.as_bytes().get(..MIN_SECRET) {
                stored.entry(first).or_default().push((value, name));
            }
        }
        for same in stored.values_mut() {
            same.sort_by_key(|(value, _)| std::cmp::Reverse(value.len()));
        }
        let mut texts = TextUses { values, stored };
        if texts.searches() {
            let known = texts.names_in(written);
            for same in texts.stored.values_mut() {
                same.retain(|(_, name)| !known.contains(name));
            }
        }
        texts
    }

    /// Returns the names of the values of the vars-store that stand in a document.
    fn names_in(&self, document: &Tree) -> HashSet<&'a str> {
        let mut names = HashSet::new();
        for arena in document.arenas() {
            for node in arena.indices().map(|i| NodeId::Clean(arena.file(), i)) {
                if let Some(text) = document.string(node) {
                    let found = self.secrets(&text, 0..text.len());
                    names.extend(found.into_iter().map(|(_, name)| name));
                }
            }
        }
        names
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
        for (place, written) in self.unchanged((written, filled), edited) {
            found.extend(self.uses_of_secrets(edited, from..place.start));
            from = place.end;
            found.push((place, written.to_owned()));
        }
        found.extend(self.uses_of_secrets(edited, from..edited.len()));
        if found.is_empty() {
            return None;
        }
        let text = replace_ranges(edited, found);
        self.is_filled_in_as(&text, edited).then_some(text)
    }

    fn uses_of_secrets(
        &self,
        text: &str,
        part: Range<usize>,
    ) -> impl Iterator<Item = (Range<usize>, String)> {
        let found = self.secrets(text, part).into_iter();
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
        let mut numbers: HashMap<&str, u32> = HashMap::new();
        let mut number = |word: &'t str| {
            let next = numbers.len() as u32;
            *numbers.entry(word).or_insert(next)
        };
        let a: Vec<u32> = old.iter().map(|word| number(&filled[word.clone()])).collect();
        let b: Vec<u32> = new.iter().map(|word| number(&edited[word.clone()])).collect();
        let pairs = align(&a, &b);
        let moved = |place: Range<usize>| {
            let first = old.partition_point(|word| word.end <= place.start);
            let last = old.partition_point(|word| word.start < place.end);
            let from = pairs.partition_point(|&(at, _)| at < first);
            let (_, to) = *pairs.get(from).filter(|_| !place.is_empty())?;
            let same = pairs[from..].iter().zip(first..last).zip(to..);
            let same = same.filter(|&((&pair, a), b)| pair == (a, b)).count();
            let start = new[to].start + place.start - old[first].start;
            (same == last - first).then_some(start..start + place.len())
        };
        let places = places.into_iter();
        places.filter_map(|(place, written)| Some((moved(place)?, written))).collect()
    }

    /// Returns a text filled in, with the places of the values and their uses.
    // A value that forms another use with what is around it is not filled in here.
    fn fill<'t>(&self, written: &'t str) -> (String, Vec<(Range<usize>, &'t str)>) {
        let (mut text, mut places, mut from) = (String::new(), Vec::new(), 0);
        for found in uses(written) {
            let Some(value) = self.values.text(found.name) else { continue };
            text.push_str(&written[from..found.range.start]);
            from = found.range.end;
            places.push((text.len()..text.len() + value.len(), &written[found.range]));
            text.push_str(value);
        }
        text.push_str(&written[from..]);
        (text, places)
    }

    /// Returns the places of values of the vars-store in a part of a text, in order.
    fn secrets(&self, text: &str, part: Range<usize>) -> Vec<(Range<usize>, &'a str)> {
        let (mut found, mut at) = (Vec::new(), part.start);
        while self.searches() && at + MIN_SECRET <= part.end {
            let rest = &text.as_bytes()[at..part.end];
            let same = self.stored.get(&rest[..MIN_SECRET]).into_iter().flatten();
            let mut same = same.filter(|(value, _)| rest.starts_with(value.as_bytes()));
            match same.next() {
                Some((value, name)) => {
                    found.push((at..at + value.len(), *name));
                    at += value.len();
                }
                None => at += 1,
            }
        }
        found
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
