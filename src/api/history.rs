//! Histories: who set each value of a document.

use super::error::{Error, Place, Result};
use crate::history::{self, Action, Annotated, By, Length, Redaction};
use crate::select::QueryBudget;
use crate::source::Sources;
use crate::target::Target;
use crate::yaml::Expansion;

/// The history of a document that was [recorded](super::Recording).
#[derive(Debug)]
pub struct History {
    history: history::DocumentHistory,
    texts: Sources,
}

/// The history of one place of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PlaceHistory {
    /// The path: `/jobs/0/instances`. The path of a value that was removed is that which it
    /// had before.
    pub path: String,
    /// The value as JSON; `None` if it was removed. A value of a variable is
    /// `"<redacted>"`, and so is a value that is made of one, or a result of a template that
    /// contains one.
    pub value: Option<String>,
    /// The events, the oldest first; of a collection, also those that changed a part of it,
    /// without the values.
    pub events: Vec<Event>,
}

/// An event: something put a value at a place, changed it or removed it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Event {
    /// The kind of thing that did it.
    pub by: By,
    /// The effect on the value.
    pub action: Action,
    /// The place at which the value, the op, the directive or the template is written; of a
    /// variable, that of its value. `None` for what code made.
    pub place: Option<Place>,
    /// The path of the value that was moved or copied there.
    pub from: Option<String>,
    /// The names of the variables.
    pub names: Vec<String>,
    /// The value before, as JSON; `None` if there was none, or if a part of it changed.
    pub before: Option<String>,
    /// The value after, as JSON; `None` if it was removed, or if a part of it changed.
    pub after: Option<String>,
}

/// A line of a document that was [recorded](super::Recording), as it is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Line {
    /// The text without its line break. Secret parts are masked.
    pub text: String,
    /// The document of the stream that the line is of, from 0.
    pub document: usize,
    /// The paths of the values that begin on the line or go on there, those of collections
    /// before what is in them.
    pub paths: Vec<String>,
    /// The last event of a value on the line: who made the line what it is. `None` for a
    /// line without a value, such as a comment.
    pub origin: Option<Event>,
}

impl History {
    /// `arguments` are the texts of ops that stand in no arena.
    pub(super) fn new(history: history::DocumentHistory, arguments: Sources) -> History {
        let mut texts = arguments;
        for arena in history.tree().arenas() {
            texts.insert(arena.file(), arena.source().clone());
        }
        History { history, texts }
    }

    /// Returns the histories of the places that a path leads to, or led to before something
    /// was removed. The path is one of bosh, `jobs[name=web].instances` or a JSONPath, which
    /// leads to any number of places.
    ///
    /// # Errors
    /// The path is malformed, or aliases expand a value to more than 256 MB.
    ///
    /// ```
    /// use interpolate::{Document, Patch, Recording};
    ///
    /// let mut recording = Recording::of(Document::parse("jobs: [{name: web}, {name: db}]\n")?);
    /// recording.apply(&Patch::new().remove("/jobs/name=db")?)?;
    /// let history = recording.finish();
    /// assert_eq!(history.find("/jobs/name=db")?[0].value, None);
    /// assert_eq!(history.find("$.jobs[*].name")?[0].path, "/jobs/0/name");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn find(&self, path: &str) -> Result<Vec<PlaceHistory>> {
        self.find_in(0, path)
    }

    /// Returns the histories of the places that a path leads to in a document of the
    /// stream, from 0. There are none in a document that does not exist.
    ///
    /// # Errors
    /// As [`find`](History::find).
    pub fn find_in(&self, document: usize, path: &str) -> Result<Vec<PlaceHistory>> {
        let target = Target::parse_argument(path)
            .map_err(|why| Error::message(format!("path '{path}': {why}")))?;
        if document >= self.history.tree().roots().len() {
            return Ok(Vec::new());
        }
        let found = self.history.find(document, &target, &mut QueryBudget::default());
        let found = found.map_err(|error| self.error(error))?;
        found.into_iter().map(|place| self.place(place)).collect()
    }

    /// Returns the histories of all values of the first document that are no collections
    /// with content, in the order of the document. Aliases are followed.
    ///
    /// # Errors
    /// Aliases expand the document to more than 256 MB.
    pub fn values(&self) -> Result<Vec<PlaceHistory>> {
        let found = self.history.values(0, Expansion::default());
        let found = found.map_err(|error| self.error(error))?;
        found.into_iter().map(|place| self.place(place)).collect()
    }

    /// Returns the lines of the whole stream, as it is printed, with the places that stand
    /// on each.
    ///
    /// # Errors
    /// The text has secrets that cannot be masked, or aliases expand a value to more than
    /// 256 MB.
    ///
    /// ```
    /// use interpolate::{By, Document, Patch, Recording};
    ///
    /// let text = "web:\n  port: 80   # public\n  n: 2\n";
    /// let mut recording = Recording::of(Document::parse(text)?);
    /// let ops = "- {type: replace, path: /web/n, value: 5}\n";
    /// recording.apply(&Patch::parse("scale.yml", ops)?)?;
    /// let lines = recording.finish().lines()?;
    /// assert_eq!(lines[1].text, "  port: 80   # public");
    /// assert_eq!(lines[2].paths, ["/web/n"]);
    /// let origin = lines[2].origin.as_ref().unwrap();
    /// assert_eq!(origin.by, By::Op);
    /// assert_eq!(origin.place.as_ref().unwrap().name, "scale.yml");
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    pub fn lines(&self) -> Result<Vec<Line>> {
        let mut texts = self.texts.clone();
        let printed = Annotated::new(&self.history, &mut texts, Expansion::default());
        let printed = printed.map_err(|error| self.error(error))?;
        let mut document = 0;
        let mut lines = Vec::new();
        for line in &printed.lines {
            let places = line.places.iter().map(|&number| &printed.places[number]);
            document = places.clone().next().map_or(document, |place| place.document);
            let origin = printed.origin(line).cloned();
            lines.push(Line {
                text: line.text.clone(),
                document,
                paths: places.map(|place| place.path.clone()).collect(),
                origin: origin.map(|event| self.event(event)).transpose()?,
            });
        }
        Ok(lines)
    }

    fn place(&self, place: history::PlaceRecord) -> Result<PlaceHistory> {
        let events = self.history.events(&place).into_iter();
        let events = events.map(|event| self.event(event));
        Ok(PlaceHistory {
            path: place.path,
            value: self.print(place.value)?,
            events: events.collect::<Result<_>>()?,
        })
    }

    fn event(&self, event: history::HistoryEvent) -> Result<Event> {
        let place = event.place.filter(|span| self.texts.has(span.file));
        Ok(Event {
            by: event.by,
            action: event.action,
            place: place.map(|span| Place::new(self.texts.get(span.file), span)),
            from: event.from,
            names: event.names,
            before: self.print(event.before)?,
            after: self.print(event.after)?,
        })
    }

    fn print(&self, value: Option<history::PastValue>) -> Result<Option<String>> {
        let whole = Length::Whole(Expansion::default());
        let print = |value| self.history.print(&value, Redaction::Json, whole);
        value.map(print).transpose().map_err(|error| self.error(error))
    }

    fn error(&self, error: Box<crate::diagnostic::Diagnostic>) -> Error {
        Error::new(error, self.texts.clone())
    }
}
