//! Histories as JavaScript gets them.

use interpolate::{Event, Line, PlaceHistory};
use serde::Serialize;

use crate::failure::Spot;

/// The history of one place.
#[derive(Serialize)]
pub(crate) struct PlaceAnswer {
    path: String,
    value: Option<String>,
    events: Vec<EventAnswer>,
}

/// An event of a history.
#[derive(Serialize)]
pub(crate) struct EventAnswer {
    by: &'static str,
    action: &'static str,
    place: Option<Spot>,
    from: Option<String>,
    names: Vec<String>,
    before: Option<String>,
    after: Option<String>,
}

/// A line of a result.
#[derive(Serialize)]
pub(crate) struct LineAnswer {
    text: String,
    document: usize,
    paths: Vec<String>,
    origin: Option<EventAnswer>,
}

impl PlaceAnswer {
    pub(crate) fn of(place: PlaceHistory) -> PlaceAnswer {
        let events = place.events.into_iter().map(EventAnswer::of).collect();
        PlaceAnswer { path: place.path, value: place.value, events }
    }
}

impl EventAnswer {
    fn of(event: Event) -> EventAnswer {
        EventAnswer {
            by: event.by.name(),
            action: event.action.name(),
            place: event.place.map(|place| Spot::of(&place, "")),
            from: event.from,
            names: event.names,
            before: event.before,
            after: event.after,
        }
    }
}

impl LineAnswer {
    pub(crate) fn of(line: Line) -> LineAnswer {
        let origin = line.origin.map(EventAnswer::of);
        let Line { text, document, paths, .. } = line;
        LineAnswer { text, document, paths, origin }
    }
}
