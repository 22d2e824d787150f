//! The texts in values of variables, with the names that lead to them.

use std::borrow::Cow;

use hashbrown::HashSet;

use crate::node::{Kind, NodeId, Tree};

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
    let (mut todo, mut texts) = (values.into_iter().collect::<Vec<_>>(), Vec::new());
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
