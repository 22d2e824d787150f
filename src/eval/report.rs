//! Turns an exception into a diagnostic that points into the source.

use crate::diagnostic::Diagnostic;
use crate::eval::python::Exception;
use crate::source::{Sources, Span};

/// Returns the diagnostic of an exception: the message at its span, and a label at each
/// place that needed the value.
pub fn report(exception: &Exception, sources: &Sources) -> Box<Diagnostic> {
    let mut diagnostic = match (&exception.file, exception.position) {
        (Some(file), Some((line, column))) => {
            Diagnostic::error(format!("{file}:{line}:{column}: {}", exception.message))
        }
        _ => Diagnostic::error(&*exception.message),
    };
    if let Some(hint) = &exception.hint {
        diagnostic = diagnostic.hint(&**hint);
    }
    for (i, (span, text)) in exception.places.iter().enumerate() {
        diagnostic = match (i, exception.position.filter(|_| exception.file.is_none())) {
            (0, Some((line, column))) => {
                diagnostic.at(inside(sources, *span, text, offset(text, line, column)))
            }
            (0, None) => diagnostic.at(*span),
            _ => diagnostic.label(*span, "needs it"),
        };
    }
    diagnostic
}

/// Returns the span in a written scalar that a byte offset of its value comes from.
fn inside(sources: &Sources, span: Span, text: &str, offset: usize) -> Span {
    let source = &sources.get(span.file).text;
    let Some(raw) = source.get(span.start as usize..span.end as usize) else {
        return span;
    };
    // Variables were filled in: the text is not what was written.
    let at = if raw.contains("((") && !text.contains("((") {
        filled(raw, text, offset)
    } else {
        Some(written(raw, text, offset))
    };
    let Some(at) = at else { return span };
    let at = span.start + at as u32;
    let rest = source.get(at as usize..span.end as usize).unwrap_or_default();
    let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
    let width = word.unwrap_or(rest.len());
    let first = rest.chars().next().map_or(0, char::len_utf8);
    Span { start: at, end: at + width.max(first) as u32, ..span }
}

/// Returns the byte offset of a line and column, both from 1.
fn offset(text: &str, line: u32, column: u32) -> usize {
    let mut lines = text.split_inclusive('\n');
    let before: usize =
        lines.by_ref().take((line as usize).saturating_sub(1)).map(str::len).sum();
    let chars = lines.next().unwrap_or_default().char_indices();
    let within = chars.map(|(at, _)| at).nth((column as usize).saturating_sub(1));
    within.map_or(text.len(), |at| before + at)
}

/// Returns the byte of a written scalar that byte `at` of its value comes from. Walks
/// both together, past quotes, escapes, folding and indentation.
fn written(raw: &str, text: &str, at: usize) -> usize {
    let mut here = match raw.as_bytes().first() {
        Some(b'"' | b'\'') => 1,
        Some(b'|' | b'>') => raw.find('\n').map_or(0, |end| end + 1),
        _ => 0,
    };
    let bytes = raw.as_bytes();
    for (i, c) in text.char_indices() {
        if c != ' ' {
            here += blank(&bytes[here.min(bytes.len())..], c);
        }
        if i >= at {
            break;
        }
        let rest = raw.get(here..).unwrap_or_default();
        here += match rest.chars().next() {
            Some('\\') if bytes.first() == Some(&b'"') => escape(rest),
            Some('\'') if bytes.first() == Some(&b'\'') => 2,
            Some(written) if written == c || !c.is_whitespace() => written.len_utf8(),
            _ => 0,
        };
    }
    let mut here = here.min(raw.len());
    while !raw.is_char_boundary(here) {
        here -= 1;
    }
    here
}

/// As [`written`], of a scalar in which variables were filled in. Their lengths differ,
/// so this searches for the rest of the line, from the end.
fn filled(raw: &str, text: &str, at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let line = rest.lines().next().unwrap_or_default().trim_end();
    let later = rest.get(1..).unwrap_or_default().matches(line).count();
    raw.rmatch_indices(line).nth(later).filter(|_| !line.is_empty()).map(|(at, _)| at)
}

/// Returns the number of written blanks before a character that the value does not have.
fn blank(rest: &[u8], c: char) -> usize {
    if c.is_whitespace() {
        0
    } else {
        rest.iter().take_while(|b| b.is_ascii_whitespace()).count()
    }
}

/// Returns the length of an escape.
fn escape(rest: &str) -> usize {
    match rest.as_bytes().get(1) {
        Some(b'x') => 4,
        Some(b'u') => 6,
        Some(b'U') => 10,
        _ => 2,
    }
}
