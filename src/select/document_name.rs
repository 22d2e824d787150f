//! Selectors of documents by their kind, name and namespace.

use hashbrown::HashMap;

use super::normalized_paths::quoted;
use crate::compare::DocumentName;
use crate::diagnostic::listed;
use crate::node::Tree;

/// Maximum number of documents that a hint names.
// Their kinds and names fit a line or two.
const MAX_NAMED: usize = 5;

impl DocumentName {
    /// Returns a selector of documents with this kind and name, and with this namespace if
    /// one of `others` has the same kind and name in another. `None` if there is none.
    pub fn selector(&self, others: &[DocumentName]) -> Option<String> {
        let is_namesake = |other: &DocumentName| {
            other != self && (&other.kind, &other.name) == (&self.kind, &self.name)
        };
        self.selector_with(others.iter().any(is_namesake))
    }

    /// Returns the selector of each document of a stream, in which no two have the same name.
    pub fn selectors(names: &[DocumentName]) -> Vec<Option<String>> {
        let mut namesakes = HashMap::<(&str, &str), usize>::new();
        for DocumentName { kind, name, .. } in names {
            *namesakes.entry((kind, name)).or_default() += 1;
        }
        let selector =
            |it: &DocumentName| it.selector_with(namesakes[&(&*it.kind, &*it.name)] > 1);
        names.iter().map(selector).collect()
    }

    fn selector_with(&self, needs_namespace: bool) -> Option<String> {
        let DocumentName { kind, name, namespace } = self;
        let fields = [("kind", kind), ("name", name), ("namespace", namespace)];
        let fields = &fields[..if needs_namespace { 3 } else { 2 }];
        let patterns = fields.iter().map(|(field, text)| {
            let pattern = pattern(text)?;
            Some(format!("{field}={pattern}"))
        });
        if let Some(patterns) = patterns.collect::<Option<Vec<_>>>() {
            return Some(patterns.join(","));
        }
        let condition = || {
            let (kind, name) = (quoted(kind), quoted(name));
            format!("@.kind == {kind} && @.metadata.name == {name}")
        };
        (!needs_namespace).then(condition)
    }
}

/// Returns a selector of just the documents at `chosen`, for a hint: of all with their kind,
/// if there are no others of that kind.
pub(crate) fn choosing(tree: &Tree, chosen: &[usize], all: &[usize]) -> Option<String> {
    let name = |&at: &usize| DocumentName::of(tree, tree.roots()[at]);
    let wanted: Vec<DocumentName> = chosen.iter().map(name).collect();
    let all: Vec<DocumentName> = all.iter().map(name).collect();
    let mut kinds: Vec<&str> = wanted.iter().map(|name| &*name.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let of_kinds = all.iter().filter(|name| kinds.contains(&&*name.kind)).count();
    let patterns = kinds.iter().map(|kind| pattern(kind)).collect::<Option<Vec<_>>>();
    match (patterns, &wanted[..]) {
        (Some(patterns), _) if of_kinds == chosen.len() && !kinds.contains(&"") => {
            Some(format!("kind={}", patterns.join("|")))
        }
        (_, [one]) if !one.kind.is_empty() && !one.name.is_empty() => {
            let same = all.iter().filter(|name| *name == one).count();
            one.selector(&all).filter(|_| same == 1)
        }
        _ => None,
    }
}

/// Describes documents of a stream, of which there are `count`; `None` if no document has a
/// name.
pub(super) fn describe(names: &[DocumentName], count: usize) -> Option<String> {
    let named =
        names.iter().filter(|name| !name.kind.is_empty() || !name.name.is_empty());
    let shown: Vec<String> = named.take(MAX_NAMED).map(DocumentName::to_string).collect();
    if shown.is_empty() {
        return None;
    }
    let are = if count == 1 { "document is" } else { "documents are" };
    let left_out = count - shown.len();
    Some(format!("the {are} {}", listed(shown, left_out)))
}

/// Returns a regular expression that matches just this text, if it is a name as people
/// write them.
fn pattern(text: &str) -> Option<String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_:/.".contains(c);
    text.chars().all(is_plain).then(|| text.replace('.', "\\."))
}
