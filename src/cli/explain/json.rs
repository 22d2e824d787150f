//! Histories as JSON. All is written into one text: the history of a large document is many
//! times as long as the document.

use std::fmt::Write;

use interpolate::unstable::diagnostic::Result;
use interpolate::unstable::history::{
    By, HistoryEvent, Length, PastValue, PlaceRecord, Redaction,
};
use interpolate::unstable::yaml::json::quoted;

use super::place::ExplainContext;

/// Returns the history of one place.
pub fn print(places: &ExplainContext<'_>, place: &PlaceRecord) -> Result<String> {
    let mut out = String::new();
    push_place(&mut out, places, place, ["\n  ", ",\n  ", "\n"])?;
    out.push('\n');
    Ok(out)
}

/// A list of histories that is being written.
pub struct JsonList<'a> {
    places: &'a ExplainContext<'a>,
    out: String,
}

impl<'a> JsonList<'a> {
    pub fn new(places: &'a ExplainContext<'a>) -> JsonList<'a> {
        JsonList { places, out: String::new() }
    }

    pub fn push(&mut self, place: &PlaceRecord) -> Result<()> {
        self.out.push_str(if self.out.is_empty() { "[\n  " } else { ",\n  " });
        push_place(&mut self.out, self.places, place, ["", ", ", ""])
    }

    pub fn finish(mut self) -> String {
        self.out.push_str(if self.out.is_empty() { "[]\n" } else { "\n]\n" });
        self.out
    }
}

/// Writes the history of a place, with texts before, between and behind its events.
fn push_place(
    out: &mut String,
    places: &ExplainContext<'_>,
    place: &PlaceRecord,
    [begin, between, end]: [&str; 3],
) -> Result<()> {
    let path = quoted(&place.path);
    write!(out, "{{\"document\": {}, \"path\": {path}", place.document).ok();
    push_field(out, places, "value", place.value.as_ref())?;
    out.push_str(", \"history\": [");
    let events = places.history.events(place);
    let mut last = 0..0;
    let mut separator = begin;
    for event in &events {
        let before = out.len();
        out.push_str(separator);
        let start = out.len();
        push_event(out, places, event)?;
        // An op that changed many parts of a collection is told once.
        if out[start..] == out[last.clone()] {
            out.truncate(before);
        } else {
            (last, separator) = (start..out.len(), between);
        }
    }
    out.push_str(if events.is_empty() { "" } else { end });
    out.push_str("]}");
    Ok(())
}

fn push_event(
    out: &mut String,
    places: &ExplainContext<'_>,
    event: &HistoryEvent,
) -> Result<()> {
    let place = places.of(event);
    let file = place.as_ref().map(|it| quoted(&it.name()));
    let position = place.and_then(|it| it.position());
    let (line, column) = position.unzip();
    let op = event.op.filter(|_| matches!(event.by, By::Op | By::Directive));
    let by = event.by.name();
    let action = event.action.name();
    write!(out, "{{\"by\": \"{by}\", \"action\": \"{action}\"").ok();
    write!(out, ", \"file\": {}", file.as_deref().unwrap_or("null")).ok();
    push_number(out, "line", line);
    push_number(out, "column", column);
    push_number(out, "op", op.map(|op| op as usize));
    push_field(out, places, "before", event.before.as_ref())?;
    push_field(out, places, "after", event.after.as_ref())?;
    out.push('}');
    Ok(())
}

fn push_number(out: &mut String, name: &str, number: Option<usize>) {
    match number {
        Some(number) => write!(out, ", \"{name}\": {number}"),
        None => write!(out, ", \"{name}\": null"),
    }
    .ok();
}

/// Writes a value, if there is one.
fn push_field(
    out: &mut String,
    places: &ExplainContext<'_>,
    name: &str,
    value: Option<&PastValue>,
) -> Result<()> {
    let Some(value) = value else { return Ok(()) };
    write!(out, ", \"{name}\": ").ok();
    let whole = Length::Whole(places.options.input.expansion());
    places.history.write(out, value, Redaction::Json, whole)
}
