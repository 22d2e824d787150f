//! One finding, and the change of a text that removes its reason.

use super::rule::Rule;
use crate::diagnostic::{Diagnostic, Severity};
use crate::node::Path;
use crate::source::Span;

/// A place where a rule is not kept.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// The message with its severity and places, the first one being that of the finding.
    pub diagnostic: Diagnostic,
    /// A change of the text that surely mends it.
    pub fix: Option<Fix>,
    /// The name of the variable that it is about.
    pub name: Option<String>,
}

impl Finding {
    /// Creates a finding with the severity of its rule.
    pub fn new(rule: Rule, diagnostic: Diagnostic) -> Finding {
        let diagnostic = Diagnostic { severity: rule.severity(), ..diagnostic };
        Finding { rule, diagnostic, fix: None, name: None }
    }

    /// Creates the finding of an op that fails.
    pub fn failure(diagnostic: Diagnostic) -> Finding {
        Finding::new(Rule::FailingOp, diagnostic)
    }

    /// Makes it a note.
    #[must_use]
    pub fn note(mut self) -> Finding {
        self.diagnostic.severity = Severity::Note;
        self
    }

    /// Returns its place.
    pub fn span(&self) -> Option<Span> {
        self.diagnostic.labels.first().map(|label| label.span)
    }
}

/// The removal of an entry or item from a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// The entry or item in the text.
    pub span: Span,
    /// The document of the stream.
    pub root: usize,
    /// The way to the collection.
    pub path: Path,
    /// The position of the entry or item in it.
    pub position: usize,
}
