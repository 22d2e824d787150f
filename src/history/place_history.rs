//! The history of one place.

use super::event::Event;
use super::timeline::Interval;
use super::value::Value;

/// The history of one place.
#[derive(Clone, Debug)]
pub struct PlaceHistory {
    /// The document of the stream.
    pub document: usize,
    /// The place, as a pointer of bosh without matches. What was removed is where it was.
    pub path: String,
    /// Number of steps from the root.
    pub depth: usize,
    /// The value; `None` if it was removed.
    pub value: Option<Value>,
    /// True if the value is a mapping or a list, and no alias of one.
    pub is_collection: bool,
    /// True if the key is made of the value of a variable.
    pub hides_key: bool,
    /// The events of the whole value, the oldest first.
    pub events: Vec<Event>,
    /// What stood at the place of a collection, and when.
    pub(super) intervals: Vec<Interval>,
}
