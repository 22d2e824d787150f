//! Errors and warnings with their places. Pure code makes a [`Diagnostic`] without a
//! place; the caller that knows the place adds it with [`Diagnostic::at`].

mod near;
#[cfg(feature = "render")]
mod quoted;
#[cfg(feature = "render")]
mod render;
mod words;

use std::error::Error;
use std::fmt;

use crate::source::Span;

pub(crate) use near::is_misspelling;
#[cfg(feature = "eval")]
pub(crate) use near::work_of_near;
pub use near::{near, near_file, near_hint};
#[cfg(feature = "render")]
pub use quoted::{visible, visible_line};
#[cfg(feature = "render")]
pub use render::Printer;
pub(crate) use words::plain;

/// The result of a pass.
pub type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Severity {
    /// There is no result.
    Error,
    /// The result is valid, but may not be what was meant.
    Warning,
    /// The result is valid, and this is worth to know.
    Note,
}

impl Severity {
    /// Returns its name: `error`, `warning` or `note`.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// A place that a diagnostic points at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// A note about the place, or empty.
    pub text: String,
}

/// One message for people, with its places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The message, in the reference's own words where it has some.
    pub message: String,
    /// The complete output of the reference, where that is more than people need.
    pub verbatim: Option<String>,
    /// The number of the op of its file that failed, from 0.
    pub op: Option<u32>,
    /// The places, the most important one first.
    pub labels: Vec<Label>,
    /// Suggestions: `did you mean 'instances'?`
    pub hints: Vec<String>,
}

impl Diagnostic {
    /// Creates an error without a place.
    pub fn error(message: impl Into<String>) -> Box<Diagnostic> {
        Diagnostic::new(Severity::Error, message)
    }

    /// Creates a warning without a place.
    pub fn warning(message: impl Into<String>) -> Box<Diagnostic> {
        Diagnostic::new(Severity::Warning, message)
    }

    /// Creates a note without a place.
    pub fn note(message: impl Into<String>) -> Box<Diagnostic> {
        Diagnostic::new(Severity::Note, message)
    }

    fn new(severity: Severity, message: impl Into<String>) -> Box<Diagnostic> {
        let message = message.into();
        let labels = Vec::new();
        let hints = Vec::new();
        Box::new(Diagnostic {
            severity,
            message,
            verbatim: None,
            op: None,
            labels,
            hints,
        })
    }

    /// Sets the complete output of the reference.
    pub fn verbatim(mut self: Box<Self>, text: impl Into<String>) -> Box<Diagnostic> {
        self.verbatim = Some(text.into());
        self
    }

    /// Returns the complete output of the reference, or the message.
    pub fn reference(&self) -> &str {
        self.verbatim.as_deref().unwrap_or(&self.message)
    }

    /// Puts the context in front of the message.
    pub fn within(&mut self, context: &str) {
        for text in
            [Some(&mut self.message), self.verbatim.as_mut()].into_iter().flatten()
        {
            text.insert_str(0, context);
        }
    }

    /// Adds a place, if there is one.
    pub fn at(self: Box<Self>, span: impl Into<Option<Span>>) -> Box<Diagnostic> {
        self.label(span, "")
    }

    /// Adds a place with a note, if there is one.
    pub fn label(
        mut self: Box<Self>,
        span: impl Into<Option<Span>>,
        text: impl Into<String>,
    ) -> Box<Diagnostic> {
        self.labels.extend(span.into().map(|span| Label { span, text: text.into() }));
        self
    }

    /// Adds a suggestion.
    pub fn hint(mut self: Box<Self>, hint: impl Into<String>) -> Box<Diagnostic> {
        self.hints.push(hint.into());
        self
    }

    /// Adds all suggestions that there are.
    pub fn hints(
        mut self: Box<Self>,
        hints: impl IntoIterator<Item = impl Into<String>>,
    ) -> Box<Diagnostic> {
        self.hints.extend(hints.into_iter().map(Into::into));
        self
    }
}

/// Prints the message; with `{:#}` the suggestions, too.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&words::plain(&self.message))?;
        let hints = if f.alternate() { &self.hints[..] } else { &[] };
        hints.iter().try_for_each(|hint| write!(f, "\nhelp: {hint}"))
    }
}

impl Error for Diagnostic {}

/// Lists words, and the number of those that are left out: `a, b and 3 more`.
pub fn listed(mut words: Vec<String>, left_out: usize) -> String {
    words.extend((left_out > 0).then(|| format!("{left_out} more")));
    let last = words.pop().unwrap_or_default();
    match &words[..] {
        [] => last,
        others => format!("{} and {last}", others.join(", ")),
    }
}

/// Spells a word so that a shell reads it as it is.
///
/// ```
/// use interpolate::unstable::diagnostic::shell_word;
///
/// assert_eq!(shell_word("kind=Job"), "kind=Job");
/// assert_eq!(shell_word("jobs[+]=a b"), "'jobs[+]=a b'");
/// ```
pub fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "=,-_./:".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else if word.contains('\'') {
        format!("\"{word}\"")
    } else {
        format!("'{word}'")
    }
}

/// All errors of a pass, where one mistake does not hide the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics(pub Vec<Diagnostic>);

impl Diagnostics {
    /// Returns a value, if there are no errors.
    pub(crate) fn or<T>(self, value: T) -> std::result::Result<T, Diagnostics> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }

    /// Returns all results, or all errors.
    pub(crate) fn all<T>(
        results: impl Iterator<Item = Result<T>>,
    ) -> std::result::Result<Vec<T>, Diagnostics> {
        let mut errors = Vec::new();
        let values =
            results.filter_map(|it| it.map_err(|e| errors.push(*e)).ok()).collect();
        Diagnostics(errors).or(values)
    }
}

impl From<Box<Diagnostic>> for Diagnostics {
    fn from(diagnostic: Box<Diagnostic>) -> Diagnostics {
        Diagnostics(vec![*diagnostic])
    }
}

impl IntoIterator for Diagnostics {
    type Item = Diagnostic;
    type IntoIter = std::vec::IntoIter<Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// Prints a paragraph for each.
impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, diagnostic) in self.0.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { "\n\n" })?;
            diagnostic.fmt(f)?;
        }
        Ok(())
    }
}

impl Error for Diagnostics {}
