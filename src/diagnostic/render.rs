//! Renders diagnostics for a terminal as compilers do: the message, each place excerpted
//! and underlined, the hints.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};

use super::quoted::{visible, visible_message};
use super::words::plain;
use super::{Diagnostic, Label, Severity, quoted};
use crate::source::{FileId, Shown, Source, Sources};

/// Number of bytes around a place that are handed to the renderer, which lays lines out
/// before it cuts them: a JSON document on one line may have megabytes.
const CONTEXT_BYTES: usize = 300;
/// Maximum number of underlined bytes: with the line number the width of a terminal.
const MAX_UNDERLINED: usize = 72;
/// Stands for a secret part of a line, whatever its length.
const MASK: &str = "***";

/// Returns a message as it is shown.
fn shortened(message: &str) -> Cow<'_, str> {
    visible_message(quoted::shortened(message))
}

/// The renderer of the diagnostics of one run.
pub struct Printer<'a> {
    sources: &'a Sources,
    renderer: Renderer,
    /// Returns the secret parts of a text whose keys may be shown, in order.
    secret_parts: fn(&Source) -> Vec<Range<usize>>,
    /// The secret parts of each text that a diagnostic points into.
    secrets: BTreeMap<FileId, Vec<Range<usize>>>,
}

impl<'a> Printer<'a> {
    /// Returns a printer for places in `sources`, with or without colour.
    pub fn new(sources: &'a Sources, colour: bool) -> Printer<'a> {
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        Printer { sources, renderer, secret_parts: whole, secrets: BTreeMap::new() }
    }

    /// Sets the function that finds the secret parts of a text whose keys may be shown.
    /// Without it such a text is masked as a whole.
    #[must_use]
    pub fn masking(self, secret_parts: fn(&Source) -> Vec<Range<usize>>) -> Printer<'a> {
        Printer { secret_parts, ..self }
    }

    /// Renders `diagnostic`, without a line break at the end.
    pub fn print(&mut self, diagnostic: &Diagnostic) -> String {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let excerpts = self.excerpts(&diagnostic.labels);
        let title = plain(&diagnostic.message);
        let mut group = Group::with_title(level.primary_title(shortened(&title)));
        let mut kind = AnnotationKind::Primary;
        for excerpt in &excerpts {
            group = group.element(excerpt.snippet(kind));
            kind = AnnotationKind::Context;
        }
        // The renderer ties a hint to the excerpt above by a line; without an excerpt
        // that line would begin at nothing.
        let hints: Vec<_> = diagnostic.hints.iter().map(|hint| shortened(hint)).collect();
        let tied = if excerpts.is_empty() { 0 } else { hints.len() };
        let (tied, loose) = hints.split_at(tied);
        group = group.elements(tied.iter().map(|hint| Level::HELP.message(&**hint)));
        let mut page = self.renderer.render(&[group]);
        for hint in loose {
            let hint = Group::with_title(Level::HELP.primary_title(&**hint));
            page = page + "\n" + &self.renderer.render(&[hint]);
        }
        excerpts.iter().fold(page, |page, excerpt| excerpt.correct(page))
    }

    /// One excerpt for neighbouring labels on a line, in the order of the labels.
    fn excerpts<'l>(&mut self, labels: &'l [Label]) -> Vec<Excerpt<'l>>
    where
        'a: 'l,
    {
        let mut excerpts: Vec<Excerpt<'l>> = Vec::new();
        for label in labels {
            let excerpt = self.excerpt(label);
            match excerpts.last_mut().filter(|other| other.covers(&excerpt)) {
                Some(other) => other.marks.extend(excerpt.marks),
                None => excerpts.push(excerpt),
            }
        }
        excerpts
    }

    fn excerpt<'l>(&mut self, label: &'l Label) -> Excerpt<'l>
    where
        'a: 'l,
    {
        let source = self.sources.get(label.span.file);
        let text = &*source.text;
        let end_of_text = text.trim_end().len();
        let offset = match label.span.start as usize {
            offset if offset >= text.len() => end_of_text,
            offset => floor(text, offset),
        };
        let starts = source.line_starts();
        let number = starts.partition_point(|&start| start as usize <= offset);
        let from = starts[number.saturating_sub(1)] as usize;
        let to = starts.get(number).map_or(text.len(), |&start| start as usize);
        let column = text.get(from..offset).unwrap_or_default().chars().count() + 1;
        let secrets =
            self.secrets.entry(label.span.file).or_insert_with(|| match source.shown {
                Shown::All => Vec::new(),
                Shown::Keys => (self.secret_parts)(source),
                Shown::Nothing => whole(source),
            });
        let line = text[from..to].trim_end_matches(['\n', '\r']);
        let masked = MaskedLine::new(line, from, secrets);
        let start = masked.start((offset - from).min(line.len()));
        let end = masked.end((label.span.end as usize).saturating_sub(from));
        let line = masked.text;
        let end = floor(&line, end.min(start + MAX_UNDERLINED).max(start));
        let mark = line.starts_with('\u{feff}').then_some('\u{feff}'.len_utf8());
        let low = floor(&line, start.saturating_sub(CONTEXT_BYTES));
        let low = low.max(mark.unwrap_or_default());
        let high = floor(&line, end.max(low) + CONTEXT_BYTES);
        Excerpt {
            file: label.span.file,
            name: &source.name,
            number,
            column,
            is_masked: source.is_secret(),
            line,
            window: low..high,
            marks: vec![(start.max(low)..end.max(low), &label.text)],
        }
    }
}

/// Returns the last offset up to `at` at which a character begins.
fn floor(text: &str, at: usize) -> usize {
    let mut offsets = (0..=at.min(text.len())).rev();
    offsets.find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// Returns the range of a text that is secret as a whole.
fn whole(source: &Source) -> Vec<Range<usize>> {
    std::iter::once(0..source.text.len()).collect()
}

/// A line with a mask for each of its secret parts.
struct MaskedLine<'l> {
    text: Cow<'l, str>,
    /// The secret parts of the line as it was written, and the offsets of their masks.
    parts: Vec<(Range<usize>, usize)>,
}

impl<'l> MaskedLine<'l> {
    /// Masks a line that begins at byte `from` of its text.
    fn new(line: &'l str, from: usize, secrets: &[Range<usize>]) -> MaskedLine<'l> {
        let first = secrets.partition_point(|part| part.end <= from);
        let secrets = secrets.get(first..).unwrap_or_default().iter();
        let secrets = secrets.take_while(|part| part.start < from + line.len());
        let mut text = String::new();
        let mut parts = Vec::new();
        let mut end = 0;
        for part in secrets {
            let start = part.start.saturating_sub(from);
            let part = line.get(start..(part.end - from).min(line.len()));
            let part = part.unwrap_or_default();
            let blank = |c: char| c.is_whitespace() || c == '\u{feff}';
            let start = start + part.len() - part.trim_start_matches(blank).len();
            let part = start..start + part.trim_matches(blank).len();
            if !part.is_empty() {
                text.push_str(&line[end..part.start]);
                end = part.end;
                parts.push((part, text.len()));
                text.push_str(MASK);
            }
        }
        if parts.is_empty() {
            return MaskedLine { text: line.into(), parts };
        }
        text.push_str(&line[end..]);
        MaskedLine { text: text.into(), parts }
    }

    /// Returns the offset of a byte at which a mark starts.
    fn start(&self, at: usize) -> usize {
        self.offset(at, |part| part.start <= at && at < part.end, 0)
    }

    /// Returns the offset of a byte at which a mark ends.
    fn end(&self, at: usize) -> usize {
        self.offset(at, |part| part.start < at && at <= part.end, MASK.len())
    }

    fn offset(
        &self,
        at: usize,
        covers: impl Fn(&Range<usize>) -> bool,
        to: usize,
    ) -> usize {
        let before = self.parts.partition_point(|(part, _)| part.end <= at);
        let near = self.parts.get(before.saturating_sub(1)..).unwrap_or_default();
        match near.iter().take(2).find(|(part, _)| covers(part)) {
            Some((_, mask)) => mask + to,
            None => match self.parts.get(..before).and_then(<[_]>::last) {
                Some((part, mask)) => mask + MASK.len() + (at - part.end),
                None => at,
            },
        }
    }
}

struct Excerpt<'l> {
    file: FileId,
    name: &'l str,
    /// The number of the line, from 1.
    number: usize,
    /// The column of the first mark in the line as it was written, from 1.
    column: usize,
    is_masked: bool,
    line: Cow<'l, str>,
    /// The bytes of the line that are handed to the renderer.
    window: Range<usize>,
    /// The marked bytes of the line, with their notes.
    marks: Vec<(Range<usize>, &'l str)>,
}

impl<'l> Excerpt<'l> {
    fn covers(&self, other: &Excerpt<'_>) -> bool {
        (self.file, self.number) == (other.file, other.number)
            && other.marks.iter().all(|(mark, _)| {
                self.window.start <= mark.start && mark.end <= self.window.end
            })
    }

    fn snippet(&'l self, kind: AnnotationKind) -> Snippet<'l, Annotation<'l>> {
        let offset =
            |at| visible(self.line.get(self.window.start..at).unwrap_or_default()).len();
        let marks = self.marks.iter().enumerate().map(|(i, (mark, text))| {
            let kind = if i == 0 { kind } else { AnnotationKind::Context };
            let text = (!text.is_empty()).then_some(*text);
            kind.span(offset(mark.start)..offset(mark.end)).label(text.map(shortened))
        });
        let window = self.line.get(self.window.clone()).unwrap_or_default();
        Snippet::source(visible(window))
            .path(shortened(self.name))
            .line_start(self.number)
            .annotations(marks)
    }

    /// Returns the page with the column counted in the whole line: the renderer counts in
    /// the window.
    fn correct(&self, page: String) -> String {
        let Some((mark, _)) = self.marks.first() else { return page };
        let is_shifted = self.is_masked || self.line.is_empty();
        if self.window.start <= '\u{feff}'.len_utf8() && !is_shifted {
            return page;
        }
        let name = shortened(self.name);
        let place = |column: usize| format!("{name}:{}:{column}", self.number);
        let shown = self.line.get(self.window.start..mark.start).unwrap_or_default();
        page.replacen(&place(shown.chars().count() + 1), &place(self.column), 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Span;

    fn show(text: &str, spans: &[(u32, u32)]) -> String {
        let mut sources = Sources::default();
        let file = sources.add("base.yml", text);
        let mut diagnostic = Diagnostic::error("Missing path");
        for &(start, end) in spans {
            diagnostic = diagnostic.label(Span { file, start, end }, "here");
        }
        let diagnostic = diagnostic.hint("did you mean 'a'?");
        Printer::new(&sources, false).print(&diagnostic)
    }

    fn lines(text: &str, spans: &[(u32, u32)]) -> Vec<String> {
        show(text, spans).lines().map(|line| line.trim_end().to_owned()).collect()
    }

    #[test]
    fn places() {
        let shown = show("a: 1\nb: 2\n", &[(5, 6), (0, 1)]);
        let wanted = "\
error: Missing path
 --> base.yml:2:1
  |
2 | b: 2
  | ^ here
  |
 ::: base.yml:1:1
  |
1 | a: 1
  | - here
  |
  = help: did you mean 'a'?";
        assert_eq!(shown, wanted);
    }

    #[test]
    fn alignment() {
        for (text, span, column, excerpt, underline) in [
            ("\tb: 日本 x\r\n", (11, 12), 8, "1 |     b: 日本 x", 16),
            ("\u{feff}b: 2\n", (3, 4), 1, "1 | b: 2", 4),
            ("b: 2\n\n", (6, 6), 5, "1 | b: 2", 8),
            ("b: 2", (4, 4), 5, "1 | b: 2", 8),
            ("", (0, 0), 1, "1 |", 4),
        ] {
            let shown = lines(text, &[span]);
            assert!(shown[1].ends_with(&format!(":{column}")), "{}", shown[1]);
            assert_eq!(shown[3], excerpt);
            assert_eq!(shown[4].find('^'), Some(underline), "{shown:#?}");
        }
    }

    #[test]
    fn long_line() {
        let text = format!("{}X{}", "日".repeat(2000), "é".repeat(2000));
        let shown = lines(&text, &[(6000, 9000)]);
        assert_eq!(shown[1], " --> base.yml:1:2001");
        assert!(shown[3].starts_with("1 | ... 日") && shown[3].ends_with("é..."));
        assert!(shown.iter().all(|line| line.chars().count() < 150));
    }

    #[test]
    fn any_offset() {
        for text in ["", "\n", "\r\n\r", "a", "日\n\u{feff}本", "\u{feff}", "\u{feff}\n"]
        {
            for start in 0..12 {
                for end in 0..12 {
                    show(text, &[(start, end), (end, u32::MAX)]);
                }
            }
        }
    }
}
