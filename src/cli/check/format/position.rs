//! Places and messages as other programs read them.

use interpolate::unstable::check::Finding;
use interpolate::unstable::source::{Sources, Span};

/// A place as other programs read it, from 1.
pub struct Position {
    pub file: String,
    pub line: usize,
    pub column: usize,
}

impl Position {
    pub fn of(span: Span, sources: &Sources) -> Position {
        let source = sources.get(span.file);
        let (line, column) = source.position(span.start);
        Position { file: source.name.clone(), line, column }
    }
}

/// Returns the message with its hints, on one line.
pub fn message(finding: &Finding) -> String {
    let diagnostic = &finding.diagnostic;
    let parts = [&diagnostic.message].into_iter().chain(&diagnostic.hints);
    parts.map(|part| part.replace('\n', " ")).collect::<Vec<_>>().join("; ")
}
