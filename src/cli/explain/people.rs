//! The history of a place for people: its value, then a line for each event.

use std::fmt::Write;

use interpolate::unstable::diagnostic::visible_line;
use interpolate::unstable::history::{
    Action, AppliedOp, By, HistoryEvent, Length, PastValue, PlaceRecord, Redaction,
};

use super::super::failure::Result;
use super::super::printed::{self, MAX_VALUE_LENGTH, named};
use super::place::ExplainContext;

/// Maximum number of changes inside of a collection that are listed.
const MAX_LISTED: usize = 40;

pub fn print(places: &ExplainContext<'_>, found: &[PlaceRecord]) -> Result<String> {
    let pages: Vec<String> = found
        .iter()
        .map(|it| page(places, it, found.len() > 1))
        .collect::<std::result::Result<_, _>>()?;
    Ok(pages.join("\n"))
}

fn page(
    places: &ExplainContext<'_>,
    place: &PlaceRecord,
    is_named: bool,
) -> Result<String> {
    let mut page = String::new();
    if is_named {
        writeln!(page, "{}:", visible_line(named(&place.path))).ok();
    }
    let value = match &place.value {
        Some(value) => shortened(places, value)?,
        None => "(removed)".into(),
    };
    writeln!(page, "{}", visible_line(value)).ok();
    let own = place.events.iter().map(|event| (None, event.clone()));
    let mut events: Vec<(Option<String>, HistoryEvent)> = own.collect();
    let mut inner = places.history.inside(place);
    let more = inner.len().saturating_sub(MAX_LISTED);
    inner.truncate(MAX_LISTED);
    events.extend(inner.into_iter().map(|(path, event)| (Some(path), event)));
    events.sort_by_key(|(_, event)| event.moment);
    let lines: Vec<(String, String)> = events
        .iter()
        .map(|(inner, event)| line(places, inner.as_deref(), event))
        .collect::<std::result::Result<_, _>>()?;
    let width = lines.iter().map(|(place, _)| place.chars().count()).max().unwrap_or(0);
    for (place, text) in lines {
        writeln!(page, "  {place:width$}  {text}").ok();
    }
    if more > 0 {
        writeln!(page, "  … and {more} more changes inside").ok();
    }
    Ok(page)
}

/// Returns the place of an event, and what happened.
fn line(
    places: &ExplainContext<'_>,
    inner: Option<&str>,
    event: &HistoryEvent,
) -> Result<(String, String)> {
    let place = places.of(event).map_or(String::new(), |place| place.to_string());
    let mut text = event.action.name().to_owned();
    if let Some(cause) = cause(places, event) {
        write!(text, " by {cause}").ok();
    }
    if let Some(path) = inner {
        write!(text, " at {path}").ok();
    }
    let values = change(places, event)?;
    if !values.is_empty() {
        write!(text, ": {values}").ok();
    }
    Ok((visible_line(place).into_owned(), visible_line(text).into_owned()))
}

/// Returns the cause of an event, unless it is a text.
pub fn cause(places: &ExplainContext<'_>, event: &HistoryEvent) -> Option<String> {
    let op = event.op.and_then(|op| places.history.op(op));
    match event.by {
        By::Text if event.action == Action::Put => Some("an alias".into()),
        By::Text => None,
        By::Op => {
            let AppliedOp { kind, path, from } = op?;
            // The place that a value was moved away from is the source itself.
            let is_source = event.action == Action::Removed;
            let written = from.as_ref().filter(|_| is_source);
            let from = event.from.as_ref().filter(|_| from.is_some()).or(written);
            let from = from.map_or(String::new(), |from| format!("{} -> ", named(from)));
            Some(format!("{kind} {from}{}", named(path)))
        }
        By::Directive => Some(event.place.map_or("a directive".into(), |span| {
            let text = &places.sources.get(span.file).text;
            let key = text.get(span.start as usize..span.end as usize);
            key.unwrap_or_default().trim_end().to_owned()
        })),
        By::Variable => {
            let names = event.names.iter().map(|name| format!("(({name}))"));
            let names: Vec<String> = names.collect();
            Some(if names.is_empty() { "a variable".into() } else { names.join(", ") })
        }
        By::Template => Some("a template".into()),
    }
}

pub fn change(places: &ExplainContext<'_>, event: &HistoryEvent) -> Result<String> {
    match (&event.before, &event.after) {
        (Some(before), Some(after)) if event.action != Action::Moved => {
            Ok(format!("{} -> {}", shortened(places, before)?, shortened(places, after)?))
        }
        (_, Some(value)) | (Some(value), None) => shortened(places, value),
        (None, None) => Ok(String::new()),
    }
}

/// Returns a value on one line, which is cut off if it is long.
pub fn shortened(places: &ExplainContext<'_>, value: &PastValue) -> Result<String> {
    let length = Length::Cut(4 * MAX_VALUE_LENGTH);
    Ok(printed::shortened(places.history.print(value, Redaction::People, length)?))
}
