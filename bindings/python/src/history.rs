//! The result of `explain`.

use pyo3::prelude::*;

use crate::failure::Place;

/// The history of one place of a document.
#[pyclass(frozen, get_all, module = "interpolate")]
pub(crate) struct PlaceHistory {
    /// The path.
    path: String,
    /// The value as JSON; None if it was removed.
    value: Option<String>,
    /// The events, the oldest first.
    events: Vec<Event>,
}

/// Something put a value at a place, changed it or removed it.
#[pyclass(frozen, get_all, module = "interpolate")]
#[derive(Clone)]
pub(crate) struct Event {
    /// `text`, `op`, `directive`, `variable` or `template`.
    by: &'static str,
    /// `read`, `put`, `changed`, `moved` or `removed`.
    action: &'static str,
    /// The place of the cause; None for Python code.
    place: Option<Place>,
    /// The path of the value that was moved or copied there.
    source: Option<String>,
    /// The names of the variables.
    names: Vec<String>,
    /// The value before, as JSON.
    before: Option<String>,
    /// The value after, as JSON.
    after: Option<String>,
}

impl PlaceHistory {
    pub(crate) fn new(history: interpolate::PlaceHistory) -> PlaceHistory {
        let events = history.events.into_iter().map(Event::new);
        PlaceHistory {
            path: history.path,
            value: history.value,
            events: events.collect(),
        }
    }
}

impl Event {
    fn new(event: interpolate::Event) -> Event {
        Event {
            by: event.by.name(),
            action: event.action.name(),
            place: event.place.map(Place::new),
            source: event.from,
            names: event.names,
            before: event.before,
            after: event.after,
        }
    }
}

#[pymethods]
impl PlaceHistory {
    fn __repr__(&self) -> String {
        format!("<PlaceHistory of '{}': {} events>", self.path, self.events.len())
    }
}

#[pymethods]
impl Event {
    fn __repr__(&self) -> String {
        format!("<Event: {} by {}>", self.action, self.by)
    }
}
