//! The rule `duplicate-key`.

use std::borrow::Cow;
use std::iter::successors;

use hashbrown::HashMap;

use super::finding::{Finding, Fix};
use super::rule::Rule;
use crate::arena::Index;
use crate::diagnostic::{Diagnostic, Severity};
use crate::node::{NodeId, Path, Step, Tree};
use crate::scalar::Identity;
use crate::source::Span;

/// Returns a finding for each key that its mapping has had before.
pub(super) fn find(tree: &Tree) -> Vec<Finding> {
    let mut search = DuplicateSearch { tree, visits: Vec::new(), findings: Vec::new() };
    for (root, section) in tree.base().sections().iter().enumerate() {
        search.visit_all(root, section.root);
    }
    search.findings
}

/// An entry of a mapping.
#[derive(Clone, Copy)]
struct RepeatedEntry {
    position: usize,
    key: Index,
    value: Index,
}

/// A collection on the way through a document.
struct VisitedCollection {
    node: Index,
    /// The number of the visit of the collection around it, and the step from there.
    from: Option<(usize, Step)>,
    /// False if a key on the way comes again: a path leads to the other entry.
    is_reachable: bool,
}

/// A search in one text, from the outside to the inside.
struct DuplicateSearch<'a> {
    tree: &'a Tree,
    visits: Vec<VisitedCollection>,
    findings: Vec<Finding>,
}

impl DuplicateSearch<'_> {
    fn visit_all(&mut self, root: usize, node: Index) {
        self.visits.clear();
        self.visits.push(VisitedCollection { node, from: None, is_reachable: true });
        let mut at = 0;
        while at < self.visits.len() {
            let arena = self.tree.base();
            let node = self.visits[at].node;
            if arena.style(node).is_mapping() {
                self.visit_mapping(root, at);
            } else if arena.style(node).is_sequence() {
                let items = (0..).zip(arena.children(node));
                let is_reachable = self.visits[at].is_reachable;
                let items = items.map(|(number, item)| VisitedCollection {
                    node: item,
                    from: Some((at, Step::Index(number))),
                    is_reachable,
                });
                self.visits
                    .extend(items.filter(|it| arena.style(it.node).is_collection()));
            }
            at += 1;
        }
    }

    fn visit_mapping(&mut self, root: usize, at: usize) {
        let tree = self.tree;
        let arena = self.tree.base();
        let mut known: HashMap<Identity<'_>, RepeatedEntry> = HashMap::new();
        let mut last = self.visits.len();
        let is_reachable = self.visits[at].is_reachable;
        let mut visit_of_value: HashMap<Index, usize> = HashMap::new();
        for (position, (key, value)) in arena.entries(self.visits[at].node).enumerate() {
            if arena.style(value).is_collection() {
                let from = Some((at, Step::Key(self.clean(key))));
                self.visits.push(VisitedCollection { node: value, from, is_reachable });
                visit_of_value.insert(value, last);
                last += 1;
            }
            let node = self.clean(key);
            let Some(identity) = tree.identity(node) else { continue };
            let entry = RepeatedEntry { position, key, value };
            if tree.is_merge_key(node) {
                if let Some(first) = known.insert(identity, entry) {
                    self.findings.push(self.two_merge_keys(first, entry));
                }
                continue;
            }
            if let Some(first) = known.insert(identity, entry) {
                if let Some(&hidden) = visit_of_value.get(&first.value) {
                    self.visits[hidden].is_reachable = false;
                }
                self.findings.push(self.finding(root, at, first, entry));
            }
        }
        self.find_same_names(known.into_values().collect());
    }

    /// Adds a finding for each key that has the name of a different one in JSON.
    fn find_same_names(&mut self, mut entries: Vec<RepeatedEntry>) {
        let tree = self.tree;
        let is_text =
            |entry: &RepeatedEntry| tree.string(self.clean(entry.key)).is_some();
        if !tree.names_other_keys() || entries.iter().all(is_text) {
            return;
        }
        entries.sort_unstable_by_key(|entry| entry.position);
        let mut known: HashMap<Cow<'_, str>, RepeatedEntry> = HashMap::new();
        for entry in entries {
            let Some(name) = tree.json_name(self.clean(entry.key)) else { continue };
            if let Some(first) = known.insert(name, entry) {
                self.findings.push(self.same_name(first, entry));
            }
        }
    }

    fn clean(&self, i: Index) -> NodeId {
        NodeId::Clean(self.tree.file(), i)
    }

    fn finding(
        &self,
        root: usize,
        at: usize,
        first: RepeatedEntry,
        second: RepeatedEntry,
    ) -> Finding {
        let tree = self.tree;
        let arena = tree.base();
        let name = tree.text_of(self.clean(second.key));
        let error = Diagnostic::error(format!("the key '{name}' is there twice"))
            .label(arena.span(second.key), "this one counts")
            .label(arena.span(first.key), "the first one");
        let is_equal = tree.equal(self.clean(first.value), self.clean(second.value));
        let error = if is_equal { error } else { error.hint("the values differ") };
        let fix = Fix {
            span: Span { end: arena.span(first.value).end, ..arena.span(first.key) },
            root,
            path: self.path(at),
            position: first.position,
        };
        // An alias may stand for an anchor in what would go.
        let mut removed = first.key..arena.next(first.value);
        let holds_anchor = is_equal && removed.any(|i| arena.anchor(i).is_some());
        let is_sure = is_equal && self.visits[at].is_reachable && !holds_anchor;
        let fix = is_sure.then_some(fix);
        Finding { fix, ..Finding::new(Rule::DuplicateKey, *error) }
    }

    /// Returns the finding of two different keys, such as `200` and `'200'`.
    fn same_name(&self, first: RepeatedEntry, second: RepeatedEntry) -> Finding {
        let arena = self.tree.base();
        let [a, b] = [first, second].map(|entry| arena.raw(entry.key));
        let message = format!("the keys {a} and {b} are two, and have one name in JSON");
        let warning = Diagnostic::warning(message)
            .label(arena.span(second.key), "this one, too")
            .label(arena.span(first.key), "the first one");
        let mut finding = Finding::new(Rule::DuplicateKey, *warning);
        finding.diagnostic.severity = Severity::Warning;
        finding
    }

    /// Returns the finding of a second key `<<`. Both count here, and elsewhere not.
    fn two_merge_keys(&self, first: RepeatedEntry, second: RepeatedEntry) -> Finding {
        let arena = self.tree.base();
        let error = Diagnostic::error("the key '<<' is there twice")
            .label(arena.span(second.key), "this one, too")
            .label(arena.span(first.key), "the first one");
        let sources = [second, first].map(|entry| arena.raw(entry.value));
        let are_aliases = sources.iter().all(|source| source.starts_with('*'));
        let list = if are_aliases { sources.join(", ") } else { "…, …".into() };
        let hint = format!(
            "some readers merge one of them only, others refuse the file: write \
             `<<: [{list}]`, the stronger one first"
        );
        Finding::new(Rule::DuplicateKey, *error.hint(hint))
    }

    /// Returns the way to a collection.
    fn path(&self, at: usize) -> Path {
        let steps = successors(self.visits[at].from, |(at, _)| self.visits[*at].from);
        let mut path: Path = steps.map(|(_, step)| step).collect();
        path.reverse();
        path
    }
}
