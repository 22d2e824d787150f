//! Histories as JSON.

use interpolate::unstable::history::{By, Event, Length, PlaceHistory, Redaction, Value};
use interpolate::unstable::yaml;

use super::super::failure::Failure;
use super::place::Places;

/// Returns the history of one place.
pub fn print(places: &Places<'_>, place: &PlaceHistory) -> Result<String, Failure> {
    Ok(object(places, place, true)? + "\n")
}

/// Returns the histories of places, as a list.
pub fn print_all(places: &Places<'_>, found: &[PlaceHistory]) -> Result<String, Failure> {
    let all =
        found.iter().map(|place| Ok(format!("  {}", object(places, place, false)?)));
    let all: Vec<String> = all.collect::<Result<_, Failure>>()?;
    Ok(if all.is_empty() {
        "[]\n".into()
    } else {
        format!("[\n{}\n]\n", all.join(",\n"))
    })
}

fn object(
    places: &Places<'_>,
    place: &PlaceHistory,
    is_alone: bool,
) -> Result<String, Failure> {
    let mut fields = vec![
        format!("\"document\": {}", place.document),
        format!("\"path\": {}", yaml::json::quoted(&place.path)),
    ];
    let value = place.value.as_ref().map(|it| field(places, "value", it)).transpose()?;
    fields.extend(value);
    let events = events(places, place)?;
    let (begin, between, end) =
        if is_alone { ("\n  ", ",\n  ", "\n") } else { ("", ", ", "") };
    fields.push(match &events[..] {
        [] => "\"history\": []".into(),
        _ => format!("\"history\": [{begin}{}{end}]", events.join(between)),
    });
    Ok(format!("{{{}}}", fields.join(", ")))
}

/// Returns the events of a place, each op once.
fn events(places: &Places<'_>, place: &PlaceHistory) -> Result<Vec<String>, Failure> {
    let all = places.history.events(place);
    let mut events: Vec<String> =
        all.iter().map(|it| event(places, it)).collect::<Result<_, Failure>>()?;
    events.dedup();
    Ok(events)
}

fn event(places: &Places<'_>, event: &Event) -> Result<String, Failure> {
    let place = places.of(event);
    let file = place.as_ref().map(|it| yaml::json::quoted(&it.name()));
    let position = place.and_then(|it| it.position());
    let null = || "null".to_owned();
    let op = event.op.filter(|_| matches!(event.by, By::Op | By::Directive));
    let mut fields = vec![
        format!("\"by\": \"{}\"", event.by.name()),
        format!("\"action\": \"{}\"", event.action.name()),
        format!("\"file\": {}", file.unwrap_or_else(null)),
        format!("\"line\": {}", position.map_or_else(null, |(line, _)| line.to_string())),
        format!("\"column\": {}", position.map_or_else(null, |(_, it)| it.to_string())),
        format!("\"op\": {}", op.map_or_else(null, |op| op.to_string())),
    ];
    for (name, value) in [("before", &event.before), ("after", &event.after)] {
        fields.extend(value.as_ref().map(|it| field(places, name, it)).transpose()?);
    }
    Ok(format!("{{{}}}", fields.join(", ")))
}

fn field(places: &Places<'_>, name: &str, value: &Value) -> Result<String, Failure> {
    let whole = Length::Whole(places.options.input.expansion());
    let text = places.history.print(value, Redaction::Json, whole)?;
    Ok(format!("\"{name}\": {text}"))
}
