//! The texts in values of variables: the names that lead to them, and the search for them in
//! other texts.

use std::borrow::Cow;
use std::ops::Range;

use aho_corasick::{AhoCorasick, Input, MatchKind};
use hashbrown::HashSet;

use crate::node::{Kind, NodeId, Tree};

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
        let long = values.into_iter().filter(|(_, value)| value.len() >= MIN_LENGTH);
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

/// A text in a value, with the name that may lead to it.
pub(super) struct NamedText {
    pub name: String,
    pub text: String,
    pub node: NodeId,
}

/// Returns the texts in values, which are given with their names, each with the name that
/// may lead to it: `tls.key`, `hosts.0`. A name with odd signs leads to nothing.
// A node that aliases share has one name: there may be exponentially many.
pub(super) fn named_texts(
    document: &Tree,
    values: impl IntoIterator<Item = (String, NodeId)>,
) -> Vec<NamedText> {
    let mut todo = values.into_iter().collect::<Vec<_>>();
    let mut texts = Vec::new();
    todo.reverse();
    let mut met = HashSet::new();
    while let Some((name, value)) = todo.pop() {
        let value = document.follow(value);
        match document.kind(value) {
            Kind::Scalar => {
                let text = document.string(value).map(Cow::into_owned);
                texts.extend(text.map(|text| NamedText { name, text, node: value }));
            }
            _ if !met.insert(value) => {}
            Kind::Sequence => {
                let items = document.items(value).into_iter().enumerate();
                todo.extend(items.map(|(at, item)| (format!("{name}.{at}"), item)));
            }
            Kind::Mapping => {
                let pairs = document.pairs(value).into_iter();
                let name = |key| format!("{name}.{}", document.text_of(key));
                todo.extend(pairs.map(|(key, value)| (name(key), value)));
            }
        }
    }
    texts
}
