//! The history of a document, and of each of its places.

use std::collections::BTreeSet;
use std::rc::Rc;

use hashbrown::{HashMap, HashSet};

use super::changes::{ChangeLog, PastPlace};
use super::child_index::{CollectionChild, children};
use super::derivation::Links;
use super::finder::{Finder, Interval, Timeline};
use super::place_search::{
    Action, AppliedOp, Events, HistoryEvent, PlaceRecord, PlaceSearch,
};
use super::value::{Length, PastValue, Redaction, ValuePrinter};
use crate::apply;
use crate::diagnostic::Result;
use crate::node::{Kind, NodeId, OpId, Path, Step, Tree};
use crate::pointer::{Pointer, Token};
use crate::select::QueryBudget;
use crate::target::Target;
use crate::yaml::Expansion;

/// Number of steps of a query in which a child is found as it was at all times.
// Each place of a query is found from the root; measured in deep mappings.
const STEPS_OF_CHILD: usize = 4;

/// A document that a patch, variables and templates have changed, with what they did.
#[derive(Debug)]
pub struct DocumentHistory {
    pub(super) tree: Tree,
    pub(super) changes: ChangeLog,
    pub(super) links: Links,
    pub(super) ops: HashMap<OpId, AppliedOp>,
}

/// A place that is to be visited.
enum HistoryVisit {
    Root(Timeline),
    /// A child of what stood around it.
    Child(Rc<Timeline>, CollectionChild),
    /// A part of what is as it was written.
    Written(Step, NodeId),
}

impl HistoryVisit {
    /// Returns the step to the place.
    fn step(&self) -> Option<Step> {
        match self {
            HistoryVisit::Root(_) => None,
            HistoryVisit::Child(_, child) => Some(child.step),
            HistoryVisit::Written(step, _) => Some(*step),
        }
    }
}

impl DocumentHistory {
    fn search(&self) -> PlaceSearch<'_> {
        let DocumentHistory { tree, changes, links, .. } = self;
        let events = Events { tree, changes };
        PlaceSearch { events, links, finder: Finder::new(tree, changes) }
    }

    /// The document, in its final state.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Returns the history of each place that a target leads to in a document of the
    /// stream, also of one that was removed. None if nothing ever was there.
    ///
    /// # Errors
    /// A query takes more than the budget has.
    pub fn find(
        &self,
        root: usize,
        target: &Target,
        queries: &mut QueryBudget,
    ) -> Result<Vec<PlaceRecord>> {
        let mut places = self.search();
        let pointer = match target {
            Target::Query(query) => {
                let found = apply::find_all(&self.tree, query, root, queries)?;
                let steps = found.iter().map(|(_, path)| path.len()).sum::<usize>();
                queries.take(steps.saturating_mul(STEPS_OF_CHILD))?;
                let moment = self.changes.len();
                let place = |(_, path): (NodeId, Path)| {
                    let place = PastPlace { root, path, moment };
                    let timeline = places.finder.at(&place);
                    places.place(timeline, &place.path)
                };
                let found: Vec<PlaceRecord> = found.into_iter().map(place).collect();
                // A removed place may be the only one of a query.
                match query.pointer().filter(|_| found.is_empty()) {
                    Some(pointer) => pointer,
                    None => return Ok(found),
                }
            }
            Target::Pointer(pointer) => pointer.clone(),
            Target::Json(pointer) => {
                let tokens: Vec<Token> =
                    pointer.tokens.iter().cloned().map(Token::Key).collect();
                Pointer { required: tokens.len(), tokens }
            }
        };
        let found = places.finder.find(root, &pointer);
        Ok(found
            .map(|(timeline, path)| places.place(timeline, &path))
            .into_iter()
            .collect())
    }

    /// Returns an op by its number in the patch.
    pub fn op(&self, op: OpId) -> Option<&AppliedOp> {
        self.ops.get(&op)
    }

    /// Visits every node of a document of the stream where it is written, collections
    /// before what is in them. What is in a collection, or in that of an alias, is visited
    /// if `see` returns true for it.
    ///
    /// # Errors
    /// The result of `see`.
    pub fn visit(
        &self,
        root: usize,
        see: &mut dyn FnMut(PlaceRecord) -> Result<bool>,
    ) -> Result<()> {
        self.visit_all(root, false, see)
    }

    /// Returns the histories of all values of a document of the stream that are no
    /// collections with content. Aliases are followed, and the entries that a `<<` provides
    /// are those of the mapping.
    ///
    /// # Errors
    /// Aliases expand the document to more than `limit`.
    pub fn values(&self, root: usize, limit: Expansion) -> Result<Vec<PlaceRecord>> {
        let mut values = Vec::new();
        self.visit_values(root, limit, &mut |place| {
            values.push(place);
            Ok(())
        })?;
        Ok(values)
    }

    /// Visits the values that [`values`](DocumentHistory::values) returns.
    ///
    /// # Errors
    /// As [`values`](DocumentHistory::values), and what `see` returns.
    pub fn visit_values(
        &self,
        root: usize,
        limit: Expansion,
        see: &mut dyn FnMut(PlaceRecord) -> Result<()>,
    ) -> Result<()> {
        let mut size = 0_usize;
        self.visit_all(root, true, &mut |place| {
            size = size.saturating_add(place.path.len() + 1);
            limit.check(size, 0)?;
            if place.value.is_some() {
                see(place)?;
            }
            Ok(true)
        })
    }

    fn visit_all(
        &self,
        root: usize,
        expands: bool,
        see: &mut dyn FnMut(PlaceRecord) -> Result<bool>,
    ) -> Result<()> {
        let mut places = self.search();
        let start = places.finder.root(root, self.changes.len());
        let mut todo = vec![(HistoryVisit::Root(start), 0)];
        let mut path = Path::new();
        while let Some((visit, depth)) = todo.pop() {
            path.truncate(usize::max(depth, 1) - 1);
            path.extend(visit.step());
            let timeline = match visit {
                HistoryVisit::Root(timeline) => timeline,
                HistoryVisit::Child(around, child) => places.child(&around, child),
                HistoryVisit::Written(_, node) => {
                    Timeline::whole(root, node, self.changes.len())
                }
            };
            let node = timeline.last().and_then(|it| it.node);
            let node = node.map(|node| self.tree.follow(node));
            let around = node
                .filter(|node| self.tree.kind(*node) != Kind::Scalar)
                .map(|node| (node, timeline.clone()));
            // Of an expanded document, only what has no content is a value.
            let is_seen = !expands
                || around.as_ref().is_none_or(|&(node, _)| {
                    self.tree.slots(node).iter().all(|slot| self.tree.is_merge(slot))
                        && children(&self.tree, node, true).is_empty()
                });
            if is_seen && !see(places.place(timeline, &path))? {
                continue;
            }
            let Some((node, around)) = around else { continue };
            let first = todo.len();
            let inner = self.inner(node, around, expands).into_iter();
            todo.extend(inner.map(|visit| (visit, depth + 1)));
            todo[first..].reverse();
        }
        Ok(())
    }

    /// Returns the places in a collection, which has a timeline.
    fn inner(&self, node: NodeId, around: Timeline, expands: bool) -> Vec<HistoryVisit> {
        let children = children(&self.tree, node, expands).into_iter();
        if self.is_as_written(&around) {
            return children.map(|it| HistoryVisit::Written(it.step, it.node)).collect();
        }
        let around = Rc::new(around);
        children.map(|child| HistoryVisit::Child(around.clone(), child)).collect()
    }

    /// Returns true for a value that is as it was written, with all that is in it.
    fn is_as_written(&self, timeline: &Timeline) -> bool {
        let whole = (0, self.changes.len());
        let [Interval { from, to, node: Some(NodeId::Clean(..)) }] =
            timeline.intervals[..]
        else {
            return false;
        };
        (from, to) == whole
            && timeline.source.is_none()
            && self.links.is_empty()
            && !self.changes.have_followers()
    }

    /// Returns the events of a place and those that changed a part of the collections that
    /// stood there.
    pub fn events(&self, place: &PlaceRecord) -> Vec<HistoryEvent> {
        let mut events = place.events.clone();
        if !place.intervals.is_empty() {
            events.extend(self.inside(place).into_iter().map(|(_, part)| HistoryEvent {
                action: Action::Changed,
                before: None,
                after: None,
                ..part
            }));
            events.sort_by_key(|event| event.moment);
        }
        events
    }

    /// Returns what ops, variables and templates changed inside of the collections that stood
    /// at a place, with the paths, in the order of time.
    pub fn inside(&self, place: &PlaceRecord) -> Vec<(String, HistoryEvent)> {
        let mut numbers = BTreeSet::new();
        for interval in &place.intervals {
            self.add_inside(*interval, &mut numbers);
        }
        let events = Events { tree: &self.tree, changes: &self.changes };
        let told = |number| {
            let path = self.tree.shown_path(&self.changes.get(number).effect.path);
            events.changes(number).into_iter().map(move |event| (path.clone(), event))
        };
        numbers.into_iter().flat_map(told).collect()
    }

    /// Adds the numbers of the changes inside of what stood somewhere for some time.
    fn add_inside(&self, interval: Interval, numbers: &mut BTreeSet<usize>) {
        let range = interval.from..interval.to;
        let mut todo = Vec::new();
        let mut met = HashSet::new();
        todo.extend(interval.node.map(|node| self.tree.follow(node)));
        while let Some(node) = todo.pop() {
            let NodeId::Opened(id) = node else { continue };
            if !met.insert(id) {
                continue;
            }
            for number in self.changes.of_collection(id) {
                todo.extend(self.changes.get(number).effect.before);
                if range.contains(&number) {
                    numbers.insert(number);
                }
            }
            let slots = self.tree.children(id);
            todo.extend(slots.ids().map(|at| slots.get(at).value));
        }
    }

    /// Returns the text of a value on one line, as JSON has it.
    ///
    /// # Errors
    /// Aliases expand it to more than the limit.
    pub fn print(
        &self,
        value: &PastValue,
        redaction: Redaction,
        length: Length,
    ) -> Result<String> {
        let mut text = String::new();
        self.write(&mut text, value, redaction, length)?;
        Ok(text)
    }

    /// Writes the text of a value behind another text, as [`print`](DocumentHistory::print) has it.
    ///
    /// # Errors
    /// Aliases expand it to more than the limit.
    pub fn write(
        &self,
        out: &mut String,
        value: &PastValue,
        redaction: Redaction,
        length: Length,
    ) -> Result<()> {
        let DocumentHistory { tree, changes, .. } = self;
        let PastValue { node, moment } = *value;
        ValuePrinter { tree, changes, moment, redaction, out }.run(node, length)
    }

    /// Returns true if a value is the value of a variable, or is made of one.
    pub fn is_secret(&self, value: &PastValue) -> bool {
        self.tree.is_secret(value.node)
    }
}
