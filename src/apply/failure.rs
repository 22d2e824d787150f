//! Failures of ops: go-patch's message, the token at which the op failed, and labels and
//! hints at the deepest place of the document that was reached.

use std::ops::Range;

use super::resolve::AnyPath;
use crate::diagnostic::Diagnostic;
use crate::node::{Kind, NodeId, Tree};
use crate::patch::{Edit, Op, TypedPath};
use crate::scalar::Scalar;
use crate::source::Span;
use crate::target::Target;

/// Maximum length of a description in characters: it is part of a label on one line.
// Half a terminal of 80 columns: the excerpt stands on the same line.
const MAX_DESCRIPTION_LENGTH: usize = 40;

/// The result of a step of an op.
pub(super) type OpResult<T> = Result<T, OpFailure>;

#[derive(Debug, Default)]
pub(super) struct OpFailure {
    message: String,
    depth: usize,
    /// True if only the last step is missing, so that a test for absence passes.
    missing: bool,
    /// True if there is nothing at the path, so that an optional op passes.
    nowhere: bool,
    /// The effect that the op has all the same.
    done: Option<&'static str>,
    /// True if it is about the place from which the op takes its value.
    in_source: bool,
    // Boxed to keep the failure small, which each step may return.
    mismatch: Option<Box<Mismatch>>,
    labels: Vec<(Span, String)>,
    hints: Vec<String>,
}

/// A node that is of another kind than the path needs.
#[derive(Debug)]
struct Mismatch {
    wanted: &'static str,
    found: &'static str,
    /// True if a null stands where a mapping is needed.
    lacks_mapping: bool,
}

impl OpFailure {
    pub(super) fn new(message: String, depth: usize) -> OpFailure {
        OpFailure { message, depth, ..OpFailure::default() }
    }

    /// Marks that nothing exists at the place, and that this is the only error.
    pub(super) fn missing(self) -> OpFailure {
        OpFailure { missing: true, nowhere: true, ..self }
    }

    /// Marks that the path leads nowhere, and not only through something of another kind.
    pub(super) fn nowhere(self) -> OpFailure {
        OpFailure { nowhere: true, ..self }
    }

    pub(super) fn leads_nowhere(&self) -> bool {
        self.nowhere
    }

    /// Returns true if the last token of a pointer of `depth` tokens is what is missing.
    pub(super) fn is_missing_at(&self, depth: usize) -> bool {
        self.missing && self.depth + 1 == depth
    }

    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// Returns the path to what is missing, if that is all that is wrong.
    pub(super) fn lost(&self, op: &Op) -> Option<Target> {
        let (target, _) = self.target(op);
        let count = self.depth.saturating_add(1);
        let path = AnyPath::of(target).ok()?;
        if !self.nowhere || count > path.len() {
            return None;
        }
        match target {
            Target::Pointer(pointer) => Some(Target::Pointer(pointer.prefix(count))),
            Target::Json(pointer) => Some(Target::Json(pointer.prefix(count))),
            Target::Query(_) => None,
        }
    }

    /// Adds a label at a place, unless it was never written.
    pub(super) fn label(
        mut self,
        place: Option<Span>,
        text: impl Into<String>,
    ) -> OpFailure {
        self.labels.extend(place.map(|span| (span, text.into())));
        self
    }

    /// Adds a hint, unless there is a better one already.
    pub(super) fn hint(mut self, hint: Option<String>) -> OpFailure {
        if self.hints.is_empty() {
            self.hints.extend(hint);
        }
        self
    }

    /// Adds a hint beside any other one.
    pub(super) fn also(mut self, hint: Option<String>) -> OpFailure {
        self.hints.extend(hint);
        self
    }

    /// Adds a label at the first line of a node, unless it was never written.
    pub(super) fn label_line(
        self,
        document: &Tree,
        node: NodeId,
        text: impl Into<String>,
    ) -> OpFailure {
        let span = document.span(node);
        self.label(span.map(|span| document.first_line(span)), text)
    }

    /// Marks that a node is no collection of the kind that the path needs.
    pub(super) fn mismatch(
        self,
        wanted: Kind,
        document: &Tree,
        node: NodeId,
    ) -> OpFailure {
        let needs_mapping = wanted == Kind::Mapping;
        let mismatch = Mismatch {
            wanted: if needs_mapping { "a mapping" } else { "a list" },
            found: describe_type(document, node),
            lacks_mapping: needs_mapping && document.is_null(node),
        };
        OpFailure { mismatch: Some(Box::new(mismatch)), ..self }
    }

    /// Tells that the failure is about the place from which an op takes its value.
    pub(super) fn in_source(self, from: &Target) -> OpFailure {
        let message = match from {
            // Its message names it.
            Target::Query(_) => self.message,
            _ => format!("from '{from}': {}", self.message),
        };
        OpFailure { message, in_source: true, missing: false, nowhere: false, ..self }
    }

    pub(super) fn into_diagnostic(self) -> Box<Diagnostic> {
        self.add_to(Diagnostic::error(&*self.message))
    }

    fn add_to(&self, diagnostic: Box<Diagnostic>) -> Box<Diagnostic> {
        let labels = self.labels.iter();
        let diagnostic = labels.fold(diagnostic, |d, (span, text)| d.label(*span, text));
        diagnostic.hints(&self.hints)
    }

    pub(super) fn diagnose(&self, op: &Op, document: &Tree) -> Diagnostic {
        let typed = self.typed_mismatch(op);
        let (message, hint) = typed.unwrap_or_else(|| (self.message.clone(), None));
        let told = self.tell(op, document, "fails here", Diagnostic::error(message));
        *told.hints(hint)
    }

    /// Returns a warning about an op that has no effect, or a note about one that has more.
    pub(super) fn warning(&self, op: &Op, document: &Tree) -> Diagnostic {
        if let Some(done) = self.done {
            // It was asked for.
            return *self.tell(op, document, done, Diagnostic::note(&*self.message));
        }
        *self.tell(op, document, "has no effect", Diagnostic::warning(&*self.message))
    }

    /// Marks that the op has an effect: "adds it".
    pub(super) fn done(self, what: &'static str) -> OpFailure {
        OpFailure { done: Some(what), ..self }
    }

    fn tell(
        &self,
        op: &Op,
        document: &Tree,
        what: &str,
        diagnostic: Box<Diagnostic>,
    ) -> Box<Diagnostic> {
        let Some(origin) = op.origin else {
            // The op was built in code: only its path tells it from others.
            return self.add_to(diagnostic.hint(format!("the op's path is '{}'", op.at)));
        };
        let mut diagnostic = diagnostic;
        diagnostic.op = Some(origin.number);
        let path = origin.from.filter(|_| self.in_source).unwrap_or(origin.path);
        let span = self.token_span(op, path, document);
        // An argument of the command line is no document, and the only op of its text.
        let file = document.arenas().find(|arena| arena.file() == path.file);
        let note = match file {
            Some(_) => format!("operation [{}] {what}", origin.number),
            None => format!("this {what}"),
        };
        self.add_to(diagnostic.label(span.unwrap_or(path), note))
    }

    /// Returns the target that it is about, and how that was typed.
    fn target<'a>(&self, op: &'a Op) -> (&'a Target, Option<&'a TypedPath>) {
        match op.source() {
            Some(from) if self.in_source => (from, op.typed_from.as_ref()),
            _ => (&op.at, op.typed.as_ref()),
        }
    }

    /// Returns the message for a node of another kind in the words of a path that was typed,
    /// and a hint if it is a null to which a key would be added.
    fn typed_mismatch(&self, op: &Op) -> Option<(String, Option<String>)> {
        let Mismatch { wanted, found, lacks_mapping } = self.mismatch.as_deref()?;
        let typed = self.target(op).1?;
        let whole = typed.prefix(self.depth + 1);
        let path = typed.prefix(self.depth);
        let around = if path.is_empty() { "the document" } else { &format!("'{path}'") };
        let mut message = format!("{around} is {found} and not {wanted}");
        if whole != path {
            message += &format!(", so there is no '{whole}'");
        }
        let adds = matches!(op.edit, Edit::Replace(_) | Edit::Add(_));
        let hint = (*lacks_mapping && adds && !self.in_source).then(|| {
            let path = if path.is_empty() { "$" } else { path };
            format!("make it a mapping first, with `--set '{path}={{}}'`")
        });
        Some((message, hint))
    }

    /// Returns the part of the written path that is the token at which it failed.
    fn token_span(&self, op: &Op, path: Span, document: &Tree) -> Option<Span> {
        let (target, typed) = self.target(op);
        let part = |range: Range<usize>| {
            let start = path.start + range.start as u32;
            Span { start, end: path.start + range.end as u32, ..path }
        };
        if let Some(typed) = typed {
            return typed.tokens.get(self.depth).cloned().map(part);
        }
        // The text of an argument of the command line is no document.
        let arena = document.arenas().find(|arena| arena.file() == path.file)?;
        let text = arena.text().get(path.start as usize..path.end as usize)?;
        let mut slashes = text.match_indices('/').map(|(at, _)| at);
        // A path in double quotes may spell a slash as an escape, `\x2f`.
        (slashes.clone().count() == AnyPath::of(target).ok()?.len()).then_some(())?;
        let start = slashes.nth(self.depth)?;
        let end = slashes.next().unwrap_or(text.trim_end_matches(['"', '\'']).len());
        (end > start).then(|| part(start..end))
    }
}

/// Describes a short scalar, e.g. `the number 2`; `None` for anything else, and for a secret.
pub(super) fn describe(document: &Tree, node: NodeId) -> Option<String> {
    let name = match document.scalar(node) {
        _ if document.kind(node) != Kind::Scalar || document.is_secret(node) => {
            return None;
        }
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
    match document.kind(node) {
        Kind::Sequence => "a list",
        Kind::Mapping => "a mapping",
        Kind::Scalar => match document.scalar(node) {
            Scalar::Null => "null",
            Scalar::Bool(_) => "a boolean",
            Scalar::Int(_) | Scalar::Big(_) | Scalar::Float(_) => "a number",
            Scalar::String(_) | Scalar::Binary(_) => "a string",
        },
    }
}
