//! Parts of reports that commands print alike: paths, places, short values, lists.

use interpolate::unstable::source::{Sources, Span};
use interpolate::unstable::yaml::json::quoted;

/// Maximum length of a value in a line, in characters: with a path it fits a terminal.
pub const MAX_VALUE_LENGTH: usize = 60;

/// A place as people and programs read it, from 1.
pub struct PrintedPosition {
    pub file: String,
    pub line: usize,
    pub column: usize,
}

impl PrintedPosition {
    pub fn of(span: Span, sources: &Sources) -> PrintedPosition {
        let source = sources.get(span.file);
        let (line, column) = source.position(span.start);
        PrintedPosition { file: source.name.clone(), line, column }
    }

    /// Returns the start of a line for people: `base.yml:1: `.
    pub fn prefix(place: Option<PrintedPosition>) -> String {
        place.map_or(String::new(), |it| format!("{}:{}: ", it.file, it.line))
    }

    /// Returns the fields of a place in JSON, which are null without one.
    pub fn json(place: Option<PrintedPosition>) -> String {
        let (file, line) = match place {
            Some(PrintedPosition { file, line, .. }) => (quoted(&file), line.to_string()),
            None => ("null".into(), "null".into()),
        };
        format!("\"file\": {file}, \"line\": {line}")
    }
}

/// Returns a path as people read it.
pub fn named(path: &str) -> &str {
    if path.is_empty() { "(the document)" } else { path }
}

/// Returns a value on one line, which is cut off if it is long.
pub fn shortened(text: String) -> String {
    if text.chars().count() <= MAX_VALUE_LENGTH {
        return text;
    }
    text.chars().take(MAX_VALUE_LENGTH - 1).chain(['…']).collect()
}

/// Returns a number of things: `2 files`.
pub fn counted(count: usize, name: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {name}{plural}")
}

/// Returns a JSON list with a line for each of its items.
pub fn json_list(items: &[String]) -> String {
    match items {
        [] => "[]\n".into(),
        items => format!("[\n{}\n]\n", items.join(",\n")),
    }
}
