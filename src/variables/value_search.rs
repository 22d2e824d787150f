//! The texts of the vars-store, searched for in other texts.

use std::ops::Range;

use aho_corasick::{AhoCorasick, Input, MatchKind};

/// Minimum length of a text of the vars-store that is searched for.
// A shorter one may stand somewhere by chance. Generated passwords have 20 characters.
const MIN_LENGTH: usize = 8;

/// The texts of the vars-store with the names that lead to them.
pub(super) struct StoredTexts<'a> {
    names: Vec<&'a str>,
    /// `None` if there is nothing to search for.
    // It finds all texts at once, in linear time.
    automaton: Option<AhoCorasick>,
}

impl<'a> StoredTexts<'a> {
    /// Prepares the search for texts, given with their names. Of equal texts, the first one
    /// is found.
    pub(super) fn new(
        texts: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> StoredTexts<'a> {
        let is_long = |(_, text): &(&str, &str)| text.len() >= MIN_LENGTH;
        let (names, texts): (Vec<_>, Vec<_>) = texts.into_iter().filter(is_long).unzip();
        let automaton = (!texts.is_empty()).then(|| {
            AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(texts)
        });
        StoredTexts { names, automaton: automaton.and_then(Result::ok) }
    }

    /// Returns true if there is nothing to search for.
    pub(super) fn is_empty(&self) -> bool {
        self.automaton.is_none()
    }

    /// Returns the places of the texts in a part of a text, with their names, in order.
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
