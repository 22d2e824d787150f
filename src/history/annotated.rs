//! The result as it is printed, with the places that stand on each line.

use std::ops::Range;

use super::place_search::{HistoryEvent, PlaceRecord};
use super::record::DocumentHistory;
use crate::arena::{Arena, Index, Style};
use crate::diagnostic::{Diagnostic, Result};
use crate::layout::each_line;
use crate::node::Tree;
use crate::source::Sources;
use crate::yaml::{self, Expansion};

/// Stands for a secret.
const MASK: &str = "***";

/// The result as it is printed.
#[derive(Debug)]
pub struct Annotated {
    /// The lines, secrets masked.
    pub lines: Vec<AnnotatedLine>,
    /// All places, in the order of the document.
    pub places: Vec<PlaceRecord>,
}

/// A line of the result.
#[derive(Debug, Default)]
pub struct AnnotatedLine {
    /// The text without its break.
    pub text: String,
    /// The numbers of the places that begin on it, or go on.
    pub places: Vec<usize>,
    /// The number of the place that its origin is that of.
    pub origin: Option<usize>,
}

/// A value in the printed text.
struct PrintedValue {
    node: Index,
    key: Option<Index>,
    /// The offset of the `-` of an item.
    dash: Option<usize>,
    depth: usize,
}

impl Annotated {
    /// Prints the result and reads it again: its values stand in the order of the document.
    ///
    /// # Errors
    /// Something in the result is secret, and the text cannot be read again, or its values
    /// are not those of the document: then it is not known where the secret stands. Or the
    /// histories of all places take more bytes than `limit`.
    pub fn new(
        history: &DocumentHistory,
        sources: &mut Sources,
        limit: Expansion,
    ) -> Result<Annotated> {
        let tree = history.tree();
        let text = yaml::print(tree).to_string();
        let file = sources.add("the result", text.as_str());
        // Each input has kept to the limit, but their depths add up in the result.
        let options = yaml::Options {
            dialect: tree.dialect(),
            depth: u32::MAX,
            ..yaml::Options::default()
        };
        let printed = yaml::read(sources, file, &options);
        let mut page = Page::new(&text, limit);
        let mut is_complete = true;
        for root in 0..tree.roots().len() {
            is_complete &= page.annotate(history, printed.as_ref().ok(), root)?;
        }
        if !is_complete && tree.has_secrets() {
            let message = "the secrets of the result cannot be masked: its text does not read \
                           back as the same document";
            let hint =
                "`--format json` lists the values, and `explain BASE PATH` explains one";
            return Err(Diagnostic::error(message).hint(hint));
        }
        Ok(page.finish(&text))
    }

    /// Returns the last event of a line: that of its origin.
    pub fn origin(&self, line: &AnnotatedLine) -> Option<&HistoryEvent> {
        self.places[line.origin?].events.last()
    }
}

struct Page {
    /// The offsets at which the lines begin.
    starts: Vec<usize>,
    lines: Vec<AnnotatedLine>,
    places: Vec<PlaceRecord>,
    /// The parts of the text that are secret.
    secrets: Vec<Range<usize>>,
    /// The bytes that the places take, and how many they may.
    held: usize,
    limit: Expansion,
}

impl Page {
    fn new(text: &str, limit: Expansion) -> Page {
        let mut starts = vec![0];
        // An empty text has a line of its own, at which its value stands.
        starts.extend(each_line(text).scan(0, |end, line| {
            *end += line.len();
            Some(*end)
        }));
        if starts.len() > 1 {
            starts.pop();
        }
        let lines = starts.iter().map(|_| AnnotatedLine::default()).collect();
        Page { starts, lines, places: Vec::new(), secrets: Vec::new(), held: 0, limit }
    }

    /// Puts the places of a document on the lines. Returns true if they are those of the
    /// values in the text.
    fn annotate(
        &mut self,
        history: &DocumentHistory,
        printed: Option<&Tree>,
        root: usize,
    ) -> Result<bool> {
        let arena = printed.map_or(history.tree().base(), |printed| printed.base());
        let section = printed.and_then(|it| it.base().sections().get(root));
        let values = section.map_or(Vec::new(), |it| values(arena, it.root));
        let mut is_same = true;
        let mut rest = values.iter();
        history.visit(root, &mut |mut place| {
            // The printed text reads back as the same document. If it did not, no line
            // would get a wrong origin.
            let value =
                rest.next().filter(|value| is_same && is_of(arena, value, &place));
            is_same = value.is_some();
            let style = value.map(|value| arena.style(value.node));
            // An alias is written out if its anchor is gone, or has another value.
            let is_open = style.map_or(place.is_collection, Style::is_collection);
            if let Some(value) = value {
                self.add(arena, value, history, &place);
            }
            place.events.shrink_to_fit();
            self.held = self.held.saturating_add(place.size());
            self.limit.check_histories(self.held)?;
            self.places.push(place);
            Ok(is_open)
        })?;
        Ok(is_same && rest.next().is_none())
    }

    /// Puts the next place on its lines.
    fn add(
        &mut self,
        arena: &Arena,
        value: &PrintedValue,
        history: &DocumentHistory,
        place: &PlaceRecord,
    ) {
        let style = arena.style(value.node);
        let is_secret = place.value.is_some_and(|it| history.is_secret(&it));
        if is_secret && !style.is_collection() && style != Style::Alias {
            self.secrets.push(extent(arena, value.node));
        }
        if let Some(key) = value.key.filter(|_| place.hides_key) {
            self.secrets.push(extent(arena, key));
        }
        let Range { start, end } = extent(arena, value.node);
        let key = value.key.map(|key| extent(arena, key).start);
        let first = self.line_of(key.or(value.dash).unwrap_or(start));
        let last = if style.is_collection() {
            first
        } else {
            self.line_of(end.max(start + 1) - 1).max(first)
        };
        for line in first..=last {
            self.lines[line].places.push(self.places.len());
        }
    }

    fn line_of(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset).saturating_sub(1)
    }

    fn finish(mut self, text: &str) -> Annotated {
        self.secrets.sort_by_key(|range| range.start);
        let places = &self.places;
        for (at, line) in self.lines.iter_mut().enumerate() {
            let start = self.starts[at];
            let end = self.starts.get(at + 1).copied().unwrap_or(text.len());
            line.text = masked(text, start..end, &self.secrets);
            // Of several values on a line the last change counts, and a value counts more
            // than the collection around it.
            let rank = |&&number: &&usize| {
                let place = &places[number];
                let moment = place.events.last().map_or(0, |event| event.moment);
                (!place.is_collection, moment)
            };
            let shown = line.places.iter().filter(|&&it| !places[it].events.is_empty());
            line.origin = shown.rev().max_by_key(rank).copied();
        }
        Annotated { lines: self.lines, places: self.places }
    }
}

/// Returns true if a printed value may be that of a place.
fn is_of(arena: &Arena, value: &PrintedValue, place: &PlaceRecord) -> bool {
    let style = arena.style(value.node);
    let may_be_scalar = !place.is_collection || style == Style::Alias;
    value.depth == place.depth && (may_be_scalar || style.is_collection())
}

/// Returns the values below a node in the order of the text, collections before what is in
/// them.
fn values(arena: &Arena, root: Index) -> Vec<PrintedValue> {
    let mut values = Vec::new();
    let mut todo = vec![PrintedValue { node: root, key: None, dash: None, depth: 0 }];
    while let Some(value) = todo.pop() {
        let style = arena.style(value.node);
        let depth = value.depth + 1;
        let first = todo.len();
        if style.is_mapping() {
            todo.extend(arena.entries(value.node).map(|(key, node)| PrintedValue {
                node,
                key: Some(key),
                dash: None,
                depth,
            }));
        } else if style.is_sequence() {
            todo.extend(arena.children(value.node).map(|node| {
                let dash = arena.indicator(node).map(|at| at as usize);
                PrintedValue { node, key: None, dash, depth }
            }));
        }
        todo[first..].reverse();
        values.push(value);
    }
    values
}

fn extent(arena: &Arena, node: Index) -> Range<usize> {
    let span = arena.span(node);
    span.start as usize..span.end as usize
}

/// Returns a line without its break, with its secret parts masked.
fn masked(text: &str, line: Range<usize>, secrets: &[Range<usize>]) -> String {
    let mut out = String::new();
    let mut from = line.start;
    let first = secrets.partition_point(|secret| secret.end <= line.start);
    for secret in secrets[first..].iter().take_while(|secret| secret.start < line.end) {
        let part = secret.start.max(from)..secret.end.min(line.end);
        if part.is_empty() {
            continue;
        }
        out.push_str(&text[from..part.start]);
        out.push_str(MASK);
        from = part.end;
    }
    out.push_str(&text[from.min(line.end)..line.end]);
    out.trim_end_matches(['\n', '\r']).to_owned()
}
