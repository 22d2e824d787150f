//! New values and keys, written in the style of their neighbours, and what cannot be
//! written: data that would read back as a directive.

use std::collections::HashSet;

use super::holder::Fate;
use super::put::{Place, Put};
use super::site::Imported;
use crate::arena::{Index, Style, flag};
use crate::compile;
use crate::diagnostic::Diagnostic;
use crate::merge::Strategy;
use crate::node::{Kind, Node};
use crate::scalar::Scalar;

/// The text that strategies are copied from.
pub(super) const STRATEGIES: &str = "[{+%: whiteout}, {+%: nullout}]";

impl Put<'_, '_> {
    /// Lets a place be what is wanted, whatever is written there.
    pub(super) fn replace(&mut self, place: &Place) {
        let mut was = Some(place.source);
        if let Node::Clean(_, i) = place.source {
            self.lose_inside(i);
            self.note_replaced(i);
            was = was.filter(|_| self.source.base().style(i) != Style::Alias);
        }
        let node = self.over(place.inherited.clone(), place.edited, was);
        self.out.set_at(place.seat, node, None);
        if let Node::Clean(file, i) = place.source
            && self.source.base().anchor(i).is_some()
        {
            self.out.set_alias_value(file, i, node);
        }
    }

    /// Says of each directive in a value that is replaced that it goes.
    fn note_replaced(&mut self, i: Index) {
        for site in (i..self.source.base().next(i)).filter_map(|i| self.sites.get(i)) {
            let why = "what held it was replaced";
            let fate = |import: &Imported<'_>| (import.key, Fate::Gone(why.to_owned()));
            self.notes.extend(site.imports.iter().map(fate));
        }
    }

    /// What is written there goes, and the anchors in it.
    pub(super) fn lose(&mut self, source: Node) {
        let Node::Clean(_, i) = source else { return };
        if self.source.base().anchor(i).is_some() {
            self.became.insert(i, None);
        }
        self.lose_inside(i);
    }

    fn lose_inside(&mut self, i: Index) {
        let arena = self.source.base();
        if !arena.has(i, flag::HAS_ANCHOR) {
            return;
        }
        let lost = (i + 1..arena.next(i)).filter(|&i| arena.anchor(i).is_some());
        self.became.extend(lost.map(|i| (i, None)));
    }

    /// A new value; a string that replaces a quoted one keeps the quotes.
    pub(super) fn value(&mut self, edited: Node, was: Option<Node>) -> Node {
        self.check(edited);
        let document = self.compare.document;
        let node = document.follow(self.writing.written(edited).unwrap_or(edited));
        if document.kind(node) == Kind::Scalar
            && let Scalar::String(text) = document.scalar(node)
            && let Some(was) = was.filter(|&was| self.is_quoted(was))
            && !text.contains('\n')
        {
            return self.out.new_text_like(&text, was);
        }
        self.copy(edited)
    }

    /// Whether the style of a written string can be kept.
    pub(super) fn is_quoted(&self, was: Node) -> bool {
        let Node::Clean(_, i) = was else { return false };
        let arena = self.source.base();
        let quoted = matches!(arena.style(i), Style::Single | Style::Double);
        quoted && arena.tag(i).is_none() && !arena.has(i, flag::MULTILINE)
    }

    /// A new key.
    pub(super) fn key(&mut self, name: Node, was: Option<Node>) -> Node {
        let document = self.compare.document;
        let name = self.writing.written(name).unwrap_or(name);
        if document.kind(name) != Kind::Scalar {
            return self.copy(name);
        }
        match (document.scalar(name), was.filter(|&was| self.is_quoted(was))) {
            (Scalar::String(text), Some(was)) => self.out.new_text_like(&text, was),
            (scalar, _) => self.out.new_scalar(scalar.into_owned()),
        }
    }

    /// The key of a new entry, which brings its comments where it is as it was given.
    pub(super) fn new_key(&mut self, name: Node) -> Node {
        match self.writing.written(name) {
            Some(key @ Node::Clean(file, i)) if !self.writing.restyles() => {
                let arena = self.compare.document.arena(file);
                let style = arena.style(i);
                let bare = !arena.has(i, flag::PROPS | flag::MULTILINE)
                    && !arena.raw(i).contains('\u{feff}');
                let plain = matches!(style, Style::Plain | Style::Single | Style::Double);
                if plain && bare { key } else { self.key(name, None) }
            }
            _ => self.key(name, None),
        }
    }

    /// A new value: as it was given, or without a style of its own.
    fn copy(&mut self, node: Node) -> Node {
        let document = self.compare.document;
        let mut made = Vec::new();
        let mut todo = vec![(node, None)];
        while let Some((node, home)) = todo.pop() {
            let written = self.writing.written(node);
            let node = written.unwrap_or(node);
            let copy = match document.kind(node) {
                _ if written.is_some() && !self.writing.restyles() => node,
                Kind::Scalar => self.out.new_scalar(document.scalar(node).into_owned()),
                Kind::Sequence => {
                    let copy = self.out.new_sequence();
                    let items = document.items(node).into_iter().rev();
                    todo.extend(items.map(|item| (item, Some((copy, None)))));
                    copy
                }
                Kind::Mapping => {
                    let copy = self.out.new_mapping(&[], None);
                    let pairs = document.pairs(node).into_iter().rev();
                    todo.extend(pairs.map(|(key, item)| (item, Some((copy, Some(key))))));
                    copy
                }
            };
            match home {
                None => made.push(copy),
                Some((Node::Opened(id), None)) => {
                    let end = self.out.children(id).len();
                    self.out.insert_item(id, end, copy, None);
                }
                Some((Node::Opened(id), Some(key))) => {
                    let key = self.writing.written(key).unwrap_or(key);
                    let key = match document.kind(key) {
                        Kind::Scalar => {
                            self.out.new_scalar(document.scalar(key).into_owned())
                        }
                        Kind::Sequence | Kind::Mapping => key,
                    };
                    self.out.push_entry(id, key, copy);
                }
                Some((Node::Clean(..), _)) => {}
            }
        }
        made.pop().unwrap_or(node)
    }

    pub(super) fn whiteout(&self) -> Node {
        Node::Clean(self.writing.strategies, 1)
    }

    pub(super) fn nullout(&self) -> Node {
        Node::Clean(self.writing.strategies, 4)
    }

    /// Whether a written mapping is a whiteout or a nullout.
    pub(super) fn is_out(&self, node: Node) -> bool {
        let out = [Some(Strategy::Whiteout), Some(Strategy::Nullout)];
        self.expands && out.contains(&self.source.strategy(node))
    }

    /// Whether a written mapping says that it stands instead of what is inherited.
    pub(super) fn replaces(&self, node: Node) -> bool {
        self.expands && self.source.strategy(node) == Some(Strategy::Replace)
    }

    /// Whether a key means something.
    pub(super) fn is_machinery(&self, key: Option<Node>) -> bool {
        let document = self.compare.document;
        key.is_some_and(|key| match document.scalar(key) {
            Scalar::String(text) if document.kind(key) == Kind::Scalar => {
                self.expands && (compile::counts(&text) || text == "+%")
            }
            _ => false,
        })
    }

    /// Refuses a value that is to be written if it would read back as something else.
    fn check(&mut self, value: Node) {
        if !self.expands {
            return;
        }
        let document = self.compare.document;
        let (mut todo, mut met) = (vec![value], HashSet::new());
        while let Some(node) = todo.pop() {
            if document.kind(node) == Kind::Scalar || !met.insert(document.follow(node)) {
                continue;
            }
            todo.extend(document.items(node));
            for (key, value) in document.pairs(node) {
                todo.push(value);
                self.check_key(key, value);
            }
        }
    }

    /// Refuses a key that is to be written if it would read back as something else.
    pub(super) fn check_key(&mut self, key: Node, value: Node) {
        let document = self.compare.document;
        let Scalar::String(text) = document.scalar(key) else { return };
        if !self.expands {
            return;
        }
        let is = |word| document.is_text(value, word);
        if compile::counts(&text) {
            self.refuse(key, "a merge directive");
        } else if text == "+%" && (is("whiteout") || is("nullout")) {
            self.refuse(key, "a strategy");
        }
    }

    /// Says that something cannot be written.
    pub(super) fn refuse(&mut self, node: Node, what: &str) {
        if !self.problems.is_empty() {
            return;
        }
        let problem = Diagnostic::error(format!("this would read back as {what}"));
        let document = self.compare.document;
        let place = document.span(node).map(|span| document.first_line(span));
        let problem = place.into_iter().fold(problem, Diagnostic::at);
        let hint = if self.sited {
            "is EDITED the source rather than its expansion?"
        } else {
            "`--no-directives` reads and saves it as data"
        };
        self.problems.push(*problem.hint(hint));
    }
}
