//! The rules of one attempt to write an edit, and the values of the edited text that would
//! read back as something else.

use hashbrown::HashSet;

use crate::compile;
use crate::diagnostic::Diagnostic;
use crate::merge::STRATEGY_KEY;
use crate::node::{Kind, NodeId, Tree};
use crate::scalar::Scalar;

/// The check of new values, and the problems that it found.
pub(super) struct Refusals<'a> {
    document: &'a Tree,
    mode: PutMode,
    problems: Vec<Diagnostic>,
}

impl<'a> Refusals<'a> {
    pub(super) fn new(document: &'a Tree, mode: PutMode) -> Refusals<'a> {
        Refusals { document, mode, problems: Vec::new() }
    }

    pub(super) fn into_problems(self) -> Vec<Diagnostic> {
        self.problems
    }

    /// Returns true if a key is a directive or a strategy.
    pub(super) fn is_directive_key(&self, key: NodeId) -> bool {
        match self.document.scalar(key) {
            Scalar::String(text) if self.document.kind(key) == Kind::Scalar => {
                self.mode.expands_directives
                    && (compile::is_directive_key(&text) || text == STRATEGY_KEY)
            }
            _ => false,
        }
    }

    /// Reports a new value that would read back as something else.
    pub(super) fn check_value(&mut self, value: NodeId) {
        if !self.mode.expands_directives {
            return;
        }
        let document = self.document;
        let (mut todo, mut met) = (vec![value], HashSet::new());
        while let Some(node) = todo.pop() {
            if document.kind(node) == Kind::Scalar || !met.insert(document.follow(node)) {
                continue;
            }
            todo.extend(document.items(node));
            for (key, value) in document.pairs(node) {
                todo.push(value);
                self.check_entry(key, value);
            }
        }
    }

    /// Reports a new entry that would read back as something else.
    pub(super) fn check_entry(&mut self, key: NodeId, value: NodeId) {
        let document = self.document;
        let Scalar::String(text) = document.scalar(key) else { return };
        if !self.mode.expands_directives {
            return;
        }
        let is = |word| document.is_text(value, word);
        if compile::is_directive_key(&text) {
            self.refuse(key, "a merge directive");
        } else if text == STRATEGY_KEY && (is("whiteout") || is("nullout")) {
            self.refuse(
                key,
                "the strategy `+%`, which removes or empties an inherited entry",
            );
        }
    }

    /// Reports that a value cannot be written. Later problems are often parts of it.
    pub(super) fn refuse(&mut self, node: NodeId, what: &str) {
        if !self.problems.is_empty() {
            return;
        }
        let problem = Diagnostic::error(format!("this would read back as {what}"));
        let document = self.document;
        let place = document.span(node).map(|span| document.first_line(span));
        let problem = problem.at(place);
        let hint = if self.mode.had_directives {
            "is EDITED the source rather than its expansion?"
        } else {
            "`--no-directives` reads and saves it as data"
        };
        self.problems.push(*problem.hint(hint));
    }

    /// Reports that the edit needs more new nodes than allowed.
    pub(super) fn refuse_size(&mut self) {
        if self.problems.is_empty() {
            self.problems.push(*Diagnostic::error("the edit needs too many overrides"));
        }
    }
}

/// The way in which an edit is written into a document.
#[derive(Clone, Copy, Debug)]
pub(in crate::restore) struct PutMode {
    /// True if keys such as `+/a` are directives.
    pub expands_directives: bool,
    /// True if sites with indirect imports are left alone, until the edit is in their
    /// sources.
    pub defers_indirect: bool,
    /// True if a new list may name the inherited items that it keeps.
    pub names_items: bool,
    /// True if the source as it was given has directives, even if none are left.
    pub had_directives: bool,
}
