//! Failures of ops: go-patch's message, the token at which the op failed, and labels and
//! hints at the deepest place of the document that was reached.

use crate::diagnostic::Diagnostic;
use crate::node::{Kind, NodeId, Tree};
use crate::patch::Op;
use crate::scalar::Scalar;
use crate::source::Span;

/// Maximum length of a description in characters: it is part of a label on one line.
// Half a terminal of 80 columns: the excerpt stands on the same line.
const MAX_DESCRIPTION_LENGTH: usize = 40;

#[derive(Debug)]
pub(super) struct Failure {
    message: String,
    depth: usize,
    /// True if only the last step is missing, so that a test for absence passes.
    missing: bool,
    labels: Vec<(Span, String)>,
    hints: Vec<String>,
}

impl Failure {
    pub(super) fn new(message: String, depth: usize) -> Failure {
        Failure { message, depth, missing: false, labels: Vec::new(), hints: Vec::new() }
    }

    /// Marks that nothing exists at the place, and that this is the only error.
    pub(super) fn missing(self) -> Failure {
        Failure { missing: true, ..self }
    }

    /// Returns true if the last token of a pointer of `depth` tokens is what is missing.
    pub(super) fn is_missing_at(&self, depth: usize) -> bool {
        self.missing && self.depth + 1 == depth
    }

    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// Adds a label at a place, unless it was never written.
    pub(super) fn label(
        mut self,
        place: Option<Span>,
        text: impl Into<String>,
    ) -> Failure {
        self.labels.extend(place.map(|span| (span, text.into())));
        self
    }

    /// Adds a hint, unless there is a better one already.
    pub(super) fn hint(mut self, hint: Option<String>) -> Failure {
        if self.hints.is_empty() {
            self.hints.extend(hint);
        }
        self
    }

    /// Adds a hint beside any other one.
    pub(super) fn also(mut self, hint: Option<String>) -> Failure {
        self.hints.extend(hint);
        self
    }

    pub(super) fn into_diagnostic(self) -> Box<Diagnostic> {
        self.add_to(Diagnostic::error(&*self.message))
    }

    fn add_to(&self, diagnostic: Box<Diagnostic>) -> Box<Diagnostic> {
        let labels = self.labels.iter();
        let diagnostic = labels.fold(diagnostic, |d, (span, text)| d.label(*span, text));
        self.hints.iter().fold(diagnostic, Diagnostic::hint)
    }

    pub(super) fn diagnose(&self, op: &Op, document: &Tree) -> Diagnostic {
        let diagnostic = Diagnostic::error(&*self.message);
        let Some(origin) = op.origin else {
            // The op was built in code: only its path tells it from others.
            return *self
                .add_to(diagnostic.hint(format!("the op's path is '{}'", op.at)));
        };
        let span = token_span(op, origin.path, document, self.depth);
        let operation = format!("operation [{}] fails here", origin.number);
        *self.add_to(diagnostic.label(span.unwrap_or(origin.path), operation))
    }
}

/// Returns the part of the written path that is the token at `depth`.
fn token_span(op: &Op, path: Span, document: &Tree, depth: usize) -> Option<Span> {
    let text =
        document.arena(path.file).text().get(path.start as usize..path.end as usize)?;
    let mut slashes = text.match_indices('/').map(|(at, _)| at);
    // A path in double quotes may spell a slash as an escape, `\x2f`.
    (slashes.clone().count() == op.at.tokens.len()).then_some(())?;
    let start = slashes.nth(depth)?;
    let end = slashes.next().unwrap_or(text.trim_end_matches(['"', '\'']).len());
    (end > start).then_some(())?;
    Some(Span { start: path.start + start as u32, end: path.start + end as u32, ..path })
}

/// Describes a short scalar, e.g. `the number 2`; `None` for anything else.
pub(super) fn describe(document: &Tree, node: NodeId) -> Option<String> {
    let name = match document.scalar(node) {
        _ if document.kind(node) != Kind::Scalar => return None,
        Scalar::Null => "null".into(),
        Scalar::Bool(x) => format!("the boolean {x}"),
        Scalar::Int(x) => format!("the number {x}"),
        Scalar::Big(x) => format!("the number {x}"),
        Scalar::Float(x) => format!("the number {x}"),
        Scalar::String(x) => format!("the string {x:?}"),
        Scalar::Binary(_) => return None,
    };
    (name.chars().count() <= MAX_DESCRIPTION_LENGTH).then_some(name)
}

/// Describes the type of `node`, e.g. `a list`.
pub(super) fn describe_type(document: &Tree, node: NodeId) -> &'static str {
    match document.type_name(node) {
        "[]interface {}" => "a list",
        "map[interface {}]interface {}" => "a mapping",
        "<nil>" => "null",
        "bool" => "a boolean",
        "string" => "a string",
        _ => "a number",
    }
}
