//! The search for values of variables in texts.

use std::ops::Range;

use aho_corasick::{AhoCorasick, Input, MatchKind};

/// Minimum length in bytes of a value that is searched for.
// A shorter one, as `prod` or `5432`, often stands somewhere by chance. Passwords have eight
// characters by most rules, and the generated ones 20.
const MIN_LENGTH: usize = 8;

/// A search for the values of variables, whose places it tells with the names.
pub(super) struct ValueSearch<'a> {
    names: Vec<&'a str>,
    /// `None` if there is nothing to search for.
    // It finds all values at once, in linear time.
    automaton: Option<AhoCorasick>,
}

impl<'a> ValueSearch<'a> {
    /// Prepares the search for values, given with their names. Of equal values, the first one
    /// is found.
    pub(super) fn new(
        values: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> ValueSearch<'a> {
        let is_long = |(_, value): &(&str, &str)| value.len() >= MIN_LENGTH;
        let long = values.into_iter().filter(is_long);
        let (names, values): (Vec<_>, Vec<_>) = long.unzip();
        let automaton = (!values.is_empty()).then(|| {
            AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(values)
        });
        ValueSearch { names, automaton: automaton.and_then(Result::ok) }
    }

    /// Returns true if there is nothing to search for.
    pub(super) fn is_empty(&self) -> bool {
        self.automaton.is_none()
    }

    /// Returns the places of the values in a part of a text, with their names, in order.
    pub(super) fn find(
        &self,
        text: &str,
        part: Range<usize>,
    ) -> impl Iterator<Item = (Range<usize>, &'a str)> {
        let found = self.automaton.iter().flat_map(move |automaton| {
            automaton.find_iter(Input::new(text).span(part.clone()))
        });
        found.map(|found| (found.range(), self.names[found.pattern()]))
    }
}
