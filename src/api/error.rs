//! Errors that own the texts they point into.

use std::fmt;
use std::sync::Arc;

use crate::arena::Arena;
use crate::diagnostic::{Diagnostic, Diagnostics, Label, Severity, plain};
use crate::node::Tree;
use crate::patch::Patch;
use crate::source::{Source, Sources, Span};

/// The result of an operation on a document.
pub type Result<T> = std::result::Result<T, Error>;

/// Everything that went wrong in an operation, with its places.
///
/// `Display` prints each problem with its places and hints;
#[cfg_attr(feature = "render", doc = "[`render`](Error::render) also")]
#[cfg_attr(not(feature = "render"), doc = "`render` (feature `render`) also")]
/// shows the lines of the texts.
///
/// ```
/// let mut document = interpolate::Document::parse("instances: 2\n")?;
/// let error = document.set("/instance/count", 3).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "Expected to find a map key 'instance' for path '/instance' \
///      (found map keys: 'instances')\n  \
///      at document:1:1: the document has no such key\n  \
///      help: did you mean 'instances'?\n  \
///      help: write 'instance?' to add it",
/// );
/// # Ok::<(), interpolate::Error>(())
/// ```
#[derive(Clone)]
pub struct Error(Box<Report>);

#[derive(Clone)]
struct Report {
    diagnostics: Vec<Diagnostic>,
    /// The texts that the diagnostics point into.
    sources: Sources,
}

/// One error or warning.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Problem {
    /// The severity.
    pub severity: Severity,
    /// The rule of a finding of [`Document::check`](crate::Document::check), such as
    /// `no-effect`.
    pub rule: Option<&'static str>,
    /// The message, in the words of the reference system where it has some, without the
    /// types of its programming language.
    pub message: String,
    /// The places, the most important one first.
    pub places: Vec<Place>,
    /// Suggestions: `did you mean 'instances'?`
    pub hints: Vec<String>,
}

/// A place in a text. Prints as `base.yml:3:9`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Place {
    /// The name of the text.
    pub name: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// A note about the place; of most problems only.
    pub note: String,
}

impl Place {
    pub(super) fn new(source: &Source, span: Span) -> Place {
        let (line, column) = source.position(span.start);
        Place { name: source.name.clone(), line, column, note: String::new() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.name, self.line, self.column)
    }
}

/// Returns the texts of arenas.
pub(super) fn texts<'a>(arenas: impl IntoIterator<Item = &'a Arc<Arena>>) -> Sources {
    let mut texts = Sources::default();
    for arena in arenas {
        texts.insert(arena.file(), arena.source().clone());
    }
    texts
}

/// Adds the texts of a patch that stand in no arena.
pub(super) fn add_arguments(texts: &mut Sources, patch: &Patch) {
    for (file, text) in &patch.arguments {
        texts.insert(*file, text.clone());
    }
}

/// Resolves the places of diagnostics, which are all in `sources`.
pub(super) fn problems(diagnostics: &[Diagnostic], sources: &Sources) -> Vec<Problem> {
    let problem = |diagnostic: &Diagnostic| {
        let labels = diagnostic.labels.iter();
        let place = |it: &Label| Place {
            note: it.text.clone(),
            ..Place::new(sources.get(it.span.file), it.span)
        };
        Problem {
            severity: diagnostic.severity,
            message: plain(&diagnostic.message).into_owned(),
            rule: None,
            places: labels.map(place).collect(),
            hints: diagnostic.hints.clone(),
        }
    };
    diagnostics.iter().map(problem).collect()
}

/// Removes advice about options of the program, which a caller of the library has not.
fn forget_options(diagnostic: &mut Diagnostic) {
    const OPTION: &str = "`--";
    diagnostic.hints.retain(|hint| !hint.starts_with(OPTION));
    for text in diagnostic.hints.iter_mut().chain([&mut diagnostic.message]) {
        if let Some((advice, _)) = text.split_once(&format!("; {OPTION}")) {
            *text = advice.to_owned();
        }
    }
}

impl Error {
    /// Creates an error of diagnostics and the texts that they point into. Other places
    /// are left out.
    pub(super) fn new(diagnostics: impl Into<Diagnostics>, sources: Sources) -> Error {
        let Diagnostics(mut diagnostics) = diagnostics.into();
        for diagnostic in &mut diagnostics {
            diagnostic.labels.retain(|label| sources.has(label.span.file));
            forget_options(diagnostic);
        }
        Error(Box::new(Report { diagnostics, sources }))
    }

    /// Creates an error about a tree.
    pub(super) fn about(diagnostics: impl Into<Diagnostics>, tree: &Tree) -> Error {
        Error::new(diagnostics, texts(tree.arenas()))
    }

    /// Creates an error about a value, which has no place.
    pub(super) fn about_value(diagnostic: Box<Diagnostic>) -> Error {
        Error::new(diagnostic, Sources::default())
    }

    /// Creates an error without a place.
    pub(super) fn message(message: impl Into<String>) -> Error {
        Error::new(Diagnostic::error(message), Sources::default())
    }

    /// The problems: an operation reports all that it finds.
    ///
    /// ```
    /// let ops = "- {type: remove}\n- {path: /a, type: test}\n";
    /// let error = interpolate::Patch::parse("ops.yml", ops).unwrap_err();
    /// let problems = error.problems();
    /// let lines: Vec<usize> = problems.iter().map(|it| it.places[0].line).collect();
    /// assert_eq!(lines, [1, 2]);
    /// ```
    pub fn problems(&self) -> Vec<Problem> {
        problems(&self.0.diagnostics, &self.0.sources)
    }

    /// The most important place of the first problem, if it has one.
    ///
    /// ```
    /// let error = interpolate::Document::parse("a: {b\n").unwrap_err();
    /// assert_eq!(error.place().unwrap().line, 1);
    /// ```
    pub fn place(&self) -> Option<Place> {
        self.problems().into_iter().next()?.places.into_iter().next()
    }

    /// Renders the problems as a compiler does: with the lines of the texts, underlined,
    /// and with colours if `colour` is true. In lines of
    /// [`Variables`](crate::Variables) values and comments are masked.
    ///
    /// ```
    /// let error = interpolate::Document::parse("a: 1\na\n").unwrap_err();
    /// assert!(error.render(false).contains("2 | a\n"));
    /// ```
    #[cfg(feature = "render")]
    pub fn render(&self, colour: bool) -> String {
        let Report { diagnostics, sources } = &*self.0;
        let mut printer = crate::diagnostic::Printer::new(sources, colour)
            .masking(crate::yaml::secret_parts);
        let pages: Vec<String> = diagnostics.iter().map(|it| printer.print(it)).collect();
        pages.join("\n\n")
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        for place in &self.places {
            write!(f, "\n  at {place}")?;
            if !place.note.is_empty() {
                write!(f, ": {}", place.note)?;
            }
        }
        self.hints.iter().try_for_each(|hint| write!(f, "\n  help: {hint}"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems().iter().enumerate() {
            f.write_str(if i == 0 { "" } else { "\n" })?;
            problem.fmt(f)?;
        }
        Ok(())
    }
}

/// Prints what `Display` prints, which reads better in the output of `unwrap`.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}
