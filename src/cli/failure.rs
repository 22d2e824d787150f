//! What ends a run early: diagnostics and an exit code come in, text for standard error
//! goes out.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::process::ExitCode;

use interpolate::diagnostic::{Diagnostic, Diagnostics, Printer};
use interpolate::patch::Op;
use interpolate::source::{Sources, Span};

use super::option::Output;

/// So many diagnostics are printed; more help nobody.
const PRINTED: usize = 100;

/// Why nothing was printed.
#[derive(Debug)]
pub(crate) struct Failure {
    diagnostics: Vec<Diagnostic>,
    summary: Option<String>,
    code: u8,
}

impl Failure {
    /// The input is at fault.
    pub(crate) fn input(diagnostics: impl IntoIterator<Item = Diagnostic>) -> Failure {
        let diagnostics = diagnostics.into_iter().collect();
        Failure { diagnostics, summary: None, code: 1 }
    }

    /// These ops failed of all, in so many documents.
    pub(crate) fn ops(
        Diagnostics(diagnostics): Diagnostics,
        (ops, documents): (&[Op], usize),
    ) -> Failure {
        let (failed, of) = (count(ops, &diagnostics), ops.len());
        let times = match documents {
            0 | 1 => String::new(),
            _ => format!(" {} times in {documents} documents", diagnostics.len()),
        };
        let summary = format!("{failed} of {of} ops failed{times}; nothing was written");
        Failure { summary: Some(summary), ..Failure::input(diagnostics) }
    }

    /// Options that contradict each other.
    pub(crate) fn usage(message: &str) -> Failure {
        let summary = Some("For more information, try '--help'.".into());
        Failure { summary, ..Failure::file(message) }
    }

    /// A file that cannot be read or written.
    pub(crate) fn file(message: impl Into<String>) -> Failure {
        let diagnostics = vec![*Diagnostic::error(message)];
        Failure { diagnostics, summary: None, code: 2 }
    }

    /// The same, with a suggestion if there is one.
    pub(crate) fn hint(mut self, hint: Option<String>) -> Failure {
        self.diagnostics.iter_mut().for_each(|d| d.hints.extend(hint.clone()));
        self
    }

    /// Both.
    pub(crate) fn and(mut self, other: Failure) -> Failure {
        self.diagnostics.extend(other.diagnostics);
        Failure {
            code: self.code.max(other.code),
            summary: self.summary.or(other.summary),
            ..self
        }
    }

    /// The same, with what was being done said before each message.
    pub(crate) fn within(mut self, what: &str) -> Failure {
        for diagnostic in &mut self.diagnostics {
            diagnostic.message.insert_str(0, &format!("{what}: "));
        }
        self
    }

    /// Prints it on standard error and gives the exit code.
    pub(crate) fn report(&self, sources: &Sources, output: &Output) -> ExitCode {
        let mut stderr = io::stderr().lock();
        let mut printer = Printer::new(sources, output.colour(&stderr));
        let printed = self.diagnostics.iter().take(PRINTED);
        let more = self.diagnostics.len().saturating_sub(PRINTED);
        let more = (more > 0).then(|| format!("… and {more} more failures"));
        let shown = printed.map(|diagnostic| printer.print(diagnostic));
        let summary = self.summary.iter().filter(|_| !output.quiet).cloned();
        let paragraphs: Vec<String> = shown.chain(more).chain(summary).collect();
        // Where else could that be reported?
        writeln!(stderr, "{}", paragraphs.join("\n\n")).ok();
        ExitCode::from(self.code)
    }
}

/// Two results, or one failure of all failures.
pub(crate) fn both<A, B>(
    a: Result<A, Failure>,
    b: Result<B, Failure>,
) -> Result<(A, B), Failure> {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok((a, b)),
        (Err(a), Err(b)) => Err(a.and(b)),
        (Err(failure), _) | (_, Err(failure)) => Err(failure),
    }
}

/// How many of `ops` the diagnostics are about: each begins with a place in the path of
/// one.
fn count(ops: &[Op], diagnostics: &[Diagnostic]) -> usize {
    let start = |span: Span| (span.file, span.start);
    let starts: BTreeSet<_> = ops.iter().map(|op| start(op.origin.path)).collect();
    let op = |diagnostic: &Diagnostic| {
        starts.range(..=start(diagnostic.labels.first()?.span)).next_back()
    };
    diagnostics.iter().filter_map(op).collect::<BTreeSet<_>>().len()
}

/// Says on standard error what somebody should look at.
pub(crate) fn warn(warning: &Diagnostic, sources: &Sources, output: &Output) {
    if !output.quiet {
        let mut stderr = io::stderr().lock();
        let warning = Printer::new(sources, output.colour(&stderr)).print(warning);
        writeln!(stderr, "{warning}\n").ok();
    }
}

/// The input is at fault.
impl From<Box<Diagnostic>> for Failure {
    fn from(diagnostic: Box<Diagnostic>) -> Failure {
        Failure::input(vec![*diagnostic])
    }
}

/// The system's reason in few words, e.g. `no such file or directory`.
pub(crate) fn reason(error: &io::Error) -> String {
    let inner = error.get_ref().and_then(|inner| inner.source());
    let error = inner.and_then(|inner| inner.downcast_ref()).unwrap_or(error);
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    let mut rest = text.chars();
    rest.next().map_or(String::new(), |c| c.to_lowercase().chain(rest).collect())
}
