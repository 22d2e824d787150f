//! Failures: diagnostics with an exit code, and how they are printed on standard error.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsStr;
use std::io::{self, IsTerminal, StderrLock, Write};
use std::path::Path;
use std::process::ExitCode;

use interpolate::unstable::diagnostic::{
    Diagnostic, Diagnostics, Printer, near_file, visible, visible_line,
};
use interpolate::unstable::patch::{Op, Origin};
use interpolate::unstable::source::{FileId, Sources, Unkept, World, reason};
use interpolate::unstable::yaml;
use interpolate::unstable::yaml::json::{quoted, quoted_go};

use super::options::{ErrorFormat, Format, Output};
use super::printed::PrintedPosition;

/// The result of a step of a command.
pub type Result<T> = std::result::Result<T, Failure>;

#[derive(Debug)]
pub struct Failure {
    pub diagnostics: Vec<Diagnostic>,
    summary: Option<String>,
    pub code: u8,
    /// The index of the diagnostic at which bosh stops.
    first: usize,
    /// The argument at which bosh meets that diagnostic; the maximum for none.
    place: usize,
}

impl Failure {
    pub fn input(diagnostics: impl IntoIterator<Item = Diagnostic>) -> Failure {
        let diagnostics = diagnostics.into_iter().collect();
        Failure { diagnostics, summary: None, code: 1, first: 0, place: usize::MAX }
    }

    /// Returns the failure of some ops in a number of documents.
    pub fn ops(
        Diagnostics(mut diagnostics): Diagnostics,
        ops: &[Op],
        documents: usize,
        sources: &Sources,
    ) -> Failure {
        let origins = origins(ops, &diagnostics);
        if origins.iter().all(Option::is_none) {
            return Failure::input(diagnostics);
        }
        if let (Some(first), Some(Some(origin))) =
            (diagnostics.first_mut(), origins.first())
        {
            let number = origin.number;
            let name = &sources.get(origin.path.file).name;
            // bosh stops at the first op that fails and names only that one.
            first.verbatim = Some(format!(
                "Error 'operation [{number}] in {name} failed': {}",
                first.message
            ));
        }
        let failed = origins.iter().flatten().map(start).collect::<BTreeSet<_>>().len();
        let of = ops.len();
        let times = match documents {
            0 | 1 => String::new(),
            _ if diagnostics.len() == 1 => format!(" in one of {documents} documents"),
            _ => format!(" {} times in {documents} documents", diagnostics.len()),
        };
        let summary = format!("{failed} of {of} ops failed{times}; nothing was written");
        Failure { summary: Some(summary), ..Failure::input(diagnostics) }
    }

    pub fn usage(message: &str) -> Failure {
        let summary = Some("For more information, try '--help'.".into());
        Failure { summary, ..Failure::file(message).verbatim("") }
    }

    pub fn file(message: impl Into<String>) -> Failure {
        Failure { code: 2, ..Failure::from(Diagnostic::error(message)) }
    }

    /// Returns a warning with the place of the first diagnostic, for a job that is done in
    /// spite of the failure.
    pub fn into_warning(self, message: String) -> Diagnostic {
        let mut warning = *Diagnostic::warning(message);
        if let Some(Diagnostic { message, labels, hints, .. }) =
            self.diagnostics.into_iter().next()
        {
            (warning.labels, warning.hints) = (labels, hints);
            match warning.labels.first_mut() {
                Some(label) if label.text.is_empty() => label.text = message,
                _ => warning.message += &format!(": {message}"),
            }
        }
        warning
    }

    /// Tells that the command line is at fault.
    pub fn of_usage(self) -> Failure {
        Failure { code: 2, ..self }
    }

    /// Tells that the failure is about one of several files.
    pub fn of_file(self, name: &OsStr) -> Failure {
        let kept = format!("'{}' stays as it is", Path::new(name).display());
        let summary = self.summary.map(|text| text.replace("nothing was written", &kept));
        Failure { summary, ..self }
    }

    /// Sets the message of bosh, which is empty if it prints none.
    pub fn verbatim(mut self, text: &str) -> Failure {
        self.diagnostics.iter_mut().for_each(|d| d.verbatim = Some(text.into()));
        self
    }

    /// Sets the argument at which bosh meets the failure, and the start of its message.
    pub fn argument(mut self, place: usize, context: &str) -> Failure {
        for diagnostic in &mut self.diagnostics {
            diagnostic.verbatim = Some(format!("{context}{}", diagnostic.reference()));
        }
        Failure { place, ..self }
    }

    pub fn hint(mut self, hint: Option<String>) -> Failure {
        self.diagnostics.iter_mut().for_each(|d| d.hints.extend(hint.clone()));
        self
    }

    pub fn and(mut self, other: Failure) -> Failure {
        if other.place < self.place {
            self.first = self.diagnostics.len() + other.first;
            self.place = other.place;
        }
        self.diagnostics.extend(other.diagnostics);
        Failure {
            code: self.code.max(other.code),
            summary: self.summary.or(other.summary),
            ..self
        }
    }

    /// Adds the surrounding action to each message.
    pub fn within(mut self, what: &str) -> Failure {
        self.diagnostics.iter_mut().for_each(|d| d.within(&format!("{what}: ")));
        self
    }

    /// Returns each error for a program.
    pub fn errors(&self, sources: &Sources) -> Vec<ErrorRecord> {
        self.diagnostics.iter().map(|it| ErrorRecord::of(it, sources)).collect()
    }

    /// Prints the failure on standard error and returns the exit code. With `--format
    /// bosh` the last paragraph is the message of bosh.
    pub fn report(&self, sources: &Sources, output: &Output) -> ExitCode {
        // As in bosh, an error in an argument is told in plain text.
        if output.reports_json()
            && self.place == usize::MAX
            && let Some(first) = self.diagnostics.get(self.first)
            && !first.reference().is_empty()
        {
            let report = report(None, first.reference());
            // There is no other place to report an error of standard output.
            io::stdout().write_all(report.as_bytes()).ok();
            return ExitCode::from(self.code);
        }
        let mut stderr = io::stderr().lock();
        if output.errors == ErrorFormat::Json {
            drop(stderr);
            print_errors(&self.errors(sources));
            return ExitCode::from(self.code);
        }
        let shown = rendered(&self.diagnostics, sources, output, &stderr);
        let summary = self.summary.iter().filter(|_| !output.quiet).cloned();
        let bosh = (output.format() == Format::Bosh).then_some(self.first);
        let bosh = bosh.and_then(|first| self.diagnostics.get(first));
        let bosh = bosh.map(Diagnostic::reference).filter(|text| !text.is_empty());
        // A script compares the message of bosh.
        let bosh = bosh.map(|text| {
            let text = Cow::Borrowed(text);
            if stderr.is_terminal() { visible(text) } else { text }.into_owned()
        });
        let summary = summary.map(|text| visible(text).into_owned());
        let paragraphs = shown.into_iter().chain(summary).chain(bosh);
        let paragraphs: Vec<String> = paragraphs.collect();
        // There is no other place to report an error of standard error.
        writeln!(stderr, "{}", paragraphs.join("\n\n")).ok();
        ExitCode::from(self.code)
    }
}

/// Returns two results, or one failure of all failures.
pub fn both<A, B>(a: Result<A>, b: Result<B>) -> Result<(A, B)> {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok((a, b)),
        (Err(a), Err(b)) => Err(a.and(b)),
        (Err(failure), _) | (_, Err(failure)) => Err(failure),
    }
}

/// Returns all results, or one failure of all failures.
pub fn all<T>(results: impl Iterator<Item = Result<T>>) -> Result<Vec<T>> {
    let mut all = Vec::new();
    let mut failures = Vec::new();
    for result in results {
        match result {
            Ok(one) => all.push(one),
            Err(failure) => failures.push(failure),
        }
    }
    failures.into_iter().reduce(Failure::and).map_or(Ok(all), Err)
}

/// Returns the origin of the op that each diagnostic is about, by its first label.
fn origins(ops: &[Op], diagnostics: &[Diagnostic]) -> Vec<Option<Origin>> {
    let origins = || ops.iter().filter_map(|op| op.origin);
    let by_place: BTreeMap<_, _> = origins().map(|it| (start(&it), it)).collect();
    // An op and its aliases stand at one place.
    let by_number: HashMap<_, _> =
        origins().map(|it| ((it.path.file, it.number), it)).collect();
    let origin = |diagnostic: &Diagnostic| {
        let span = diagnostic.labels.first()?.span;
        let named = diagnostic.op.and_then(|number| by_number.get(&(span.file, number)));
        let before = || Some(by_place.range(..=(span.file, span.start)).next_back()?.1);
        let origin = named.or_else(before)?;
        Some(*origin).filter(|origin| origin.path.file == span.file)
    };
    diagnostics.iter().map(origin).collect()
}

fn start(origin: &Origin) -> (FileId, u32) {
    (origin.span.file, origin.span.start)
}

/// Prints warnings on standard error, unless `--quiet` is given.
pub fn warn(warnings: &[Diagnostic], sources: &Sources, output: &Output) {
    // A report in JSON is all that scripts get.
    if output.quiet || output.reports_json() || output.errors == ErrorFormat::Json {
        return;
    }
    let mut stderr = io::stderr().lock();
    for warning in rendered(warnings, sources, output, &stderr) {
        writeln!(stderr, "{warning}\n").ok();
    }
}

/// Returns diagnostics as they are printed on standard error. A terminal gets the first
/// ones and the number of the others.
fn rendered(
    diagnostics: &[Diagnostic],
    sources: &Sources,
    output: &Output,
    stderr: &StderrLock<'_>,
) -> Vec<String> {
    let mut printer =
        Printer::new(sources, output.colour(stderr)).masking(yaml::secret_parts);
    printed_first(diagnostics, stderr, |diagnostic| printer.print(diagnostic))
}

/// Prints lines for people on standard error. A line may quote a key or the name of a file.
pub fn print_lines(lines: &[String]) {
    let mut stderr = io::stderr().lock();
    for line in lines {
        writeln!(stderr, "{}", visible_line(line)).ok();
    }
}

impl From<Box<Diagnostic>> for Failure {
    fn from(diagnostic: Box<Diagnostic>) -> Failure {
        Failure::input(vec![*diagnostic])
    }
}

/// Returns the failure of reading a file, with a hint at a similar name.
pub fn unreadable(world: &dyn World, path: &Path, error: &io::Error) -> Failure {
    let action = format!("Reading file '{}'", path.display());
    unreadable_in(world, &action, path, error).verbatim(&opening(path, error))
}

/// As [`unreadable`], within an action whose message names the file.
pub fn unreadable_in(
    world: &dyn World,
    action: &str,
    path: &Path,
    error: &io::Error,
) -> Failure {
    Failure::file(format!("{action}: {}", reason(error)))
        .verbatim(&format!("{action}: {}", opening(path, error)))
        .hint(near_file(world, path, error))
}

/// Returns the message of bosh for a file that cannot be read.
pub fn opening(path: &Path, error: &io::Error) -> String {
    let name = path.display();
    let reason = reason(error);
    match error.kind() {
        io::ErrorKind::IsADirectory => {
            format!("Reading file content {name}: read {name}: {reason}")
        }
        _ => format!("Opening file {name}: open {name}: {reason}"),
    }
}

pub fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let name = path.display();
    let reason = reason(error);
    let is_loss = Unkept::is_cause(error);
    Failure::file(format!("Writing file '{name}': {reason}"))
        .hint(is_loss.then(|| "`--force` replaces it all the same".into()))
        .verbatim(&format!("Writing file {name}: {reason}"))
}

/// Maximum number of diagnostics or findings that are printed on a terminal.
// Each shows lines of its source; the first ones are mostly the cause of the others.
const MAX_ON_TERMINAL: usize = 100;

/// Prints values for a stream. A terminal gets the first ones and the number of the others.
pub fn printed_first<T>(
    values: &[T],
    stream: &impl IsTerminal,
    print: impl FnMut(&T) -> String,
) -> Vec<String> {
    let most = if stream.is_terminal() { MAX_ON_TERMINAL } else { usize::MAX };
    let mut shown: Vec<String> = values.iter().take(most).map(print).collect();
    let more = values.len() - shown.len();
    if more > 0 {
        shown.push(format!("and {} more", with_commas(more)));
    }
    shown
}

/// Returns a number with a comma after each three digits.
fn with_commas(number: usize) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

/// Returns what bosh prints with `--json`: a block of text, and a line that may have line
/// breaks. Without a block it is the report of a failure.
pub fn report(block: Option<&str>, line: &str) -> String {
    let list = |texts: &[&str]| {
        let texts: Vec<String> =
            texts.iter().map(|text| format!("        {}", quoted_go(text))).collect();
        format!("[\n{}\n    ]", texts.join(",\n"))
    };
    let blocks = block.map_or("null".into(), |block| list(&[block]));
    let exit = if block.is_none() { &["Exit code 1"][..] } else { &[] };
    let lines = list(&[&[line], exit].concat());
    format!(
        "{{\n    \"Tables\": null,\n    \"Blocks\": {blocks},\n    \"Lines\": {lines}\n}}"
    )
}

/// An error for a program, as `--errors json` prints it.
#[derive(Debug, Default)]
pub struct ErrorRecord {
    pub message: String,
    /// The place, from 1; `None` if the error has none.
    pub file: Option<String>,
    pub line: Option<usize>,
    pub column: Option<usize>,
    /// The number of the op in its file, from 0.
    pub op: Option<u32>,
    pub hints: Vec<String>,
}

impl ErrorRecord {
    fn of(diagnostic: &Diagnostic, sources: &Sources) -> ErrorRecord {
        let place = diagnostic.labels.first();
        let place = place.map(|label| PrintedPosition::of(label.span, sources));
        ErrorRecord {
            message: diagnostic.to_string(),
            line: place.as_ref().map(|place| place.line),
            column: place.as_ref().map(|place| place.column),
            file: place.map(|place| place.file),
            op: diagnostic.op,
            hints: diagnostic.hints.clone(),
        }
    }

    fn json(&self) -> String {
        let or_null = |it: Option<String>| it.unwrap_or_else(|| "null".into());
        let hints: Vec<String> = self.hints.iter().map(|hint| quoted(hint)).collect();
        format!(
            "{{\"message\": {}, \"file\": {}, \"line\": {}, \"column\": {}, \"op\": {}, \
             \"hints\": [{}]}}",
            quoted(&self.message),
            or_null(self.file.as_deref().map(quoted)),
            or_null(self.line.map(|line| line.to_string())),
            or_null(self.column.map(|column| column.to_string())),
            or_null(self.op.map(|op| op.to_string())),
            hints.join(", ")
        )
    }
}

/// Prints errors on standard error as one JSON text: `{"errors": […]}`.
pub fn print_errors(errors: &[ErrorRecord]) {
    let errors: Vec<String> = errors.iter().map(ErrorRecord::json).collect();
    let text = errors.join(", ");
    // There is no other place to report an error of standard error.
    writeln!(io::stderr(), "{{\"errors\": [{text}]}}").ok();
}
