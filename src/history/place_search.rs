//! Searching histories: the timeline of a place comes in, its events go out, as people know them.

use super::changes::{Cause, ChangeLog, LoggedChange};
use super::child_index::CollectionChild;
use super::derivation::{DerivedPlace, Links, Written, derivation, refers_to_list};
use super::finder::{Finder, Interval, Timeline};
use super::value::PastValue;
use crate::node::{Kind, NodeId, OpId, Seat, Step, Tree};
use crate::patch::Link;
use crate::source::Span;
use crate::variables::uses;

/// A search for histories.
pub(super) struct PlaceSearch<'h> {
    pub events: Events<'h>,
    pub links: &'h Links,
    pub finder: Finder<'h>,
}

impl<'h> PlaceSearch<'h> {
    pub(super) fn child(
        &mut self,
        around: &Timeline,
        child: CollectionChild,
    ) -> Timeline {
        if !child.is_merge {
            return self.finder.child(around.clone(), child.step.into());
        }
        let mut path = around.path.clone();
        path.push(child.step);
        let last = around.last().map(|it| Interval { node: Some(child.node), ..it });
        let intervals = last.into_iter().collect();
        Timeline { root: around.root, path, intervals, source: None }
    }

    pub(super) fn place(&mut self, timeline: Timeline, path: &[Step]) -> PlaceRecord {
        let tree = self.events.tree;
        let (whole, moves) = self.finder.whole(timeline);
        let last = whole.last();
        let value = last.and_then(|it| Some(PastValue { node: it.node?, moment: it.to }));
        let is_collection = value.is_some_and(|value| {
            tree.kind(value.node) != Kind::Scalar && tree.follow(value.node) == value.node
        });
        let mut events = self.events(&whole, &moves);
        if let (Some(read), Some(&Step::Key(key))) = (events.first_mut(), path.last())
            && is_collection
            && let Some(key) = read.place.and_then(|place| line_of_key(tree, key, place))
        {
            read.place = Some(key);
        }
        PlaceRecord {
            document: whole.root,
            path: tree.shown_path(path),
            depth: path.len(),
            value,
            is_collection,
            hides_key: match path.last() {
                Some(&Step::Key(key)) => tree.is_hidden(key),
                Some(Step::Index(_)) | None => false,
            },
            events,
            intervals: self.told_inside(whole.intervals, is_collection),
        }
    }

    /// Returns the intervals of a place whose changes inside are told: all of a collection, of
    /// any other value those in which a collection stood there that was replaced or removed.
    fn told_inside(
        &self,
        mut intervals: Vec<Interval>,
        is_collection: bool,
    ) -> Vec<Interval> {
        let tree = self.events.tree;
        let held = |node| tree.kind(node) != Kind::Scalar && tree.follow(node) == node;
        intervals.retain(|it| is_collection || it.node.is_some_and(held));
        intervals
    }

    fn events(&mut self, whole: &Timeline, moves: &[usize]) -> Vec<HistoryEvent> {
        let mut events = Vec::new();
        if let Some(&first) = whole.intervals.first() {
            match first.node {
                Some(node) if first.from == 0 => {
                    self.add_origin(whole, node, &mut events);
                }
                Some(_) => {
                    events.extend(self.events.all(first.from - 1, None, first.node));
                }
                None => {}
            }
        }
        for (before, after) in whole.intervals.iter().zip(whole.intervals.iter().skip(1))
        {
            let number = after.from - 1;
            if before.node.is_none() && after.node.is_none() {
                continue;
            }
            let mut now = self.events.all(number, before.node, after.node);
            if moves.contains(&number) {
                let source = &self.events.changes.get(number).source;
                let is_moved = source.as_ref().is_some_and(|it| it.is_moved);
                for event in &mut now {
                    event.before = None;
                    event.action = if is_moved { Action::Moved } else { Action::Put };
                }
            } else if before.node == after.node {
                continue;
            } else {
                for event in now.iter_mut().filter(|it| it.action != Action::Put) {
                    event.from = None;
                }
            }
            events.extend(now);
        }
        // The changes that an alias has followed.
        if let Some(node) = whole.last().and_then(|it| it.node) {
            let numbers = self.events.changes.of_alias(self.events.tree, node);
            let changed = numbers.iter().flat_map(|&number| self.events.changes(number));
            events.extend(changed.filter(|event| event.action == Action::Changed));
        }
        events
    }

    /// Adds the text that a node was read from, and the directives that brought it.
    fn add_origin(
        &mut self,
        whole: &Timeline,
        node: NodeId,
        events: &mut Vec<HistoryEvent>,
    ) {
        let tree = self.events.tree;
        let links = self.links;
        let value = Some(PastValue { node, moment: 0 });
        let event = |by, action, place| HistoryEvent {
            by,
            action,
            place,
            after: value,
            ..HistoryEvent::default()
        };
        let written = tree.origin_of(node);
        let derived = self.derivation(whole, written);
        let (chain, written) = derived.unwrap_or_else(|| (Vec::new(), written));
        let Some(written) = written else {
            events.push(event(By::Text, Action::Read, None));
            return;
        };
        let arena = tree.arena(written.0);
        let target = (written.0, arena.target(written.1));
        // The entries that a mapping inherits by directives are a part of it.
        let mut own = match node {
            NodeId::Opened(_) => self.inherited(whole, target),
            NodeId::Clean(..) => Vec::new(),
        };
        let is_merged = !own.is_empty();
        own.retain(|link| !chain.contains(link));
        own.dedup_by_key(|link| link.key);
        let read = event(By::Text, Action::Read, Some(arena.span(target.1)));
        events.push(HistoryEvent { after: value.filter(|_| !is_merged), ..read });
        if target != written {
            let alias = Some(arena.span(written.1));
            events.push(event(By::Text, Action::Put, alias));
        }
        let directive = |link: &Link, action| {
            let span = tree.arena(link.key.0).span(link.key.1);
            let op = links.op(link);
            HistoryEvent { op, ..event(By::Directive, action, Some(span)) }
        };
        events.extend(chain.iter().rev().map(|link| directive(link, Action::Put)));
        let last = own.len().saturating_sub(1);
        events.extend(own.iter().enumerate().map(|(at, link)| {
            let after = value.filter(|_| at == last);
            HistoryEvent { after, ..directive(link, Action::Changed) }
        }));
    }

    /// Returns the directives that added to a collection: its own, those of its items, and
    /// those of a mapping around it that refer to another collection at its place.
    fn inherited(&mut self, whole: &Timeline, target: Written) -> Vec<Link> {
        let tree = self.events.tree;
        let links = self.links;
        let file = target.0;
        let arena = tree.arena(target.0);
        let mut found = self.inherited_from_above(whole, target).unwrap_or_default();
        found.extend(links.of(target));
        let holds_any = links.any(file, target.1..arena.next(target.1));
        if arena.style(target.1).is_sequence() && holds_any {
            let items = arena.children(target.1).map(|item| (file, item));
            let splices = items.flat_map(|item| links.of(item));
            found.extend(splices.filter(|link| refers_to_list(tree, link)));
        }
        found
    }

    fn inherited_from_above(
        &mut self,
        whole: &Timeline,
        target: Written,
    ) -> Option<Vec<Link>> {
        let tree = self.events.tree;
        let links = self.links;
        if links.is_empty() {
            return None;
        }
        let section = tree.base().sections().get(whole.root)?;
        let mut at = (tree.file(), section.root);
        let mut found = Vec::new();
        for (depth, &step) in whole.path.iter().enumerate() {
            for &link in links.of(at) {
                let rest = whole.path[depth..].iter();
                let there = rest
                    .copied()
                    .try_fold(link.referent, |at, step| self.written_child(at, step));
                let are_mappings = there.is_some_and(|there| {
                    [there, target].into_iter().all(|(file, i)| {
                        tree.kind(NodeId::Clean(file, i)) == Kind::Mapping
                    })
                });
                found.extend(are_mappings.then_some(link));
            }
            at = self.written_child(at, step)?;
        }
        (at == target).then_some(found)
    }

    /// Returns the child of a node as both were written; aliases are followed.
    fn written_child(&mut self, (file, i): Written, step: Step) -> Option<Written> {
        let tree = self.events.tree;
        let node = NodeId::Clean(file, i);
        let child = match step {
            Step::Key(key) => self.finder.index.value(tree, node, key)?,
            Step::Index(index) => self.finder.index.item(tree, node, index)?,
        };
        let (file, i) = tree.origin_of(child)?;
        Some((file, tree.arena(file).target(i)))
    }

    /// Returns the directives that brought a node to its place, and where it is written. A
    /// node that was not written is what a strategy of its mapping made.
    fn derivation(
        &mut self,
        whole: &Timeline,
        target: Option<Written>,
    ) -> Option<(Vec<Link>, Option<Written>)> {
        let tree = self.events.tree;
        let links = self.links;
        if links.is_empty() && target.is_some() {
            return None;
        }
        let section = tree.base().sections().get(whole.root)?;
        let place = DerivedPlace {
            root: (tree.file(), section.root),
            path: &whole.path,
            way: &self.finder.way(whole.root, &whole.path),
            target: target.map(|(file, i)| (file, tree.arena(file).target(i))),
        };
        let (chain, found) = derivation(tree, links, &mut self.finder.index, &place)?;
        Some((chain, target.or(Some(found))))
    }
}

/// Returns the place of the key of a collection that begins below it: people look for the
/// collection there.
fn line_of_key(tree: &Tree, key: NodeId, collection: Span) -> Option<Span> {
    let key = tree.span(key).filter(|key| key.file == collection.file)?;
    let text = tree.arena(key.file).text();
    let between = text.get(key.end as usize..collection.start as usize)?.trim_start();
    let is_its_key = between.starts_with(':') && between.contains(['\n', '\r']);
    is_its_key.then_some(key)
}

/// The history of one place.
#[derive(Clone, Debug)]
pub struct PlaceRecord {
    /// The document of the stream.
    pub document: usize,
    /// The place, as a pointer of bosh without matches. What was removed is where it was.
    pub path: String,
    /// Number of steps from the root.
    pub depth: usize,
    /// The value; `None` if it was removed.
    pub value: Option<PastValue>,
    /// True if the value is a mapping or a list, and no alias of one.
    pub is_collection: bool,
    /// True if the key is made of the value of a variable.
    pub hides_key: bool,
    /// The events of the whole value, the oldest first.
    pub events: Vec<HistoryEvent>,
    /// The collections that stood at a place, each with its time, also if another value
    /// stands there now.
    pub(super) intervals: Vec<Interval>,
}

impl PlaceRecord {
    /// Returns the number of bytes that the record takes.
    pub(super) fn size(&self) -> usize {
        let texts = self.events.iter().map(|event| {
            let from = event.from.as_ref().map_or(0, String::capacity);
            let names = event.names.iter().map(|name| name.len() + size_of::<String>());
            from + names.sum::<usize>()
        });
        size_of::<PlaceRecord>()
            + self.path.capacity()
            + self.events.capacity() * size_of::<HistoryEvent>()
            + self.intervals.capacity() * size_of::<Interval>()
            + texts.sum::<usize>()
    }
}

/// Makes events of changes.
#[derive(Clone, Copy)]
pub(super) struct Events<'h> {
    pub tree: &'h Tree,
    pub changes: &'h ChangeLog,
}

impl Events<'_> {
    /// Returns the events of a change at its own place.
    pub(super) fn changes(&self, number: usize) -> Vec<HistoryEvent> {
        let effect = &self.changes.get(number).effect;
        let after = match effect.seat {
            Seat::Slot(id, at) => self.changes.in_slot(self.tree, id, at, number + 1),
            Seat::Root(_) | Seat::Detached(_) => effect.after,
        };
        self.all(number, effect.before, after.filter(|_| effect.after.is_some()))
    }

    /// Returns the events of a change at a place that had these values: one for each variable
    /// in a text.
    pub(super) fn all(
        &self,
        number: usize,
        before: Option<NodeId>,
        after: Option<NodeId>,
    ) -> Vec<HistoryEvent> {
        let change = self.changes.get(number);
        let action = match (before, after) {
            (None, _) => Action::Put,
            (Some(_), None) => Action::Removed,
            (Some(before), Some(after)) if self.are_same(before, after) => Action::Put,
            (Some(_), Some(_)) => Action::Changed,
        };
        let (by, op) = match change.cause {
            Cause::Op(op) => (By::Op, Some(op)),
            Cause::Variables => (By::Variable, None),
            Cause::Templates => (By::Template, None),
        };
        let names = match by {
            By::Variable => self.names(change.effect.before),
            _ => Vec::new(),
        };
        let value =
            |node: Option<NodeId>, moment| node.map(|node| PastValue { node, moment });
        each_name(HistoryEvent {
            by,
            action,
            place: self.place_of(change, after),
            op,
            from: change.source.as_ref().map(|it| self.tree.shown_path(&it.place.path)),
            names,
            before: value(before, number),
            after: value(after, number + 1),
            moment: number + 1,
        })
    }

    /// Returns true for two scalars with one value.
    fn are_same(&self, a: NodeId, b: NodeId) -> bool {
        let are_scalars = [a, b].map(|node| self.tree.kind(node) == Kind::Scalar);
        are_scalars == [true, true] && self.tree.equal(a, b)
    }

    /// Returns the place at which a change, or the value it put somewhere, is written.
    fn place_of(&self, change: &LoggedChange, after: Option<NodeId>) -> Option<Span> {
        let value = after.and_then(|node| self.tree.span(node));
        match change.cause {
            Cause::Op(op) => {
                let op = self.tree.op_span(op)?;
                // The value may be the alias of an anchor in another op.
                let written = value.filter(|it| it.file == op.file);
                Some(written.filter(|_| change.source.is_none()).unwrap_or(op))
            }
            Cause::Variables => value
                .filter(|it| self.tree.arena(it.file).source().is_secret())
                .filter(|_| change.effect.after.is_some()),
            Cause::Templates => change.effect.before.and_then(|it| self.tree.span(it)),
        }
    }

    /// Returns the names of the variables in a text.
    fn names(&self, node: Option<NodeId>) -> Vec<String> {
        let text = node.and_then(|node| self.tree.string(node)).unwrap_or_default();
        let mut names: Vec<String> = Vec::new();
        for name in uses(&text).map(|it| it.name) {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        names
    }
}

/// Returns an event for each of the variables of one: each has a place of its own.
fn each_name(mut event: HistoryEvent) -> Vec<HistoryEvent> {
    if event.names.len() < 2 {
        return vec![event];
    }
    let names = std::mem::take(&mut event.names);
    names
        .into_iter()
        .map(|name| HistoryEvent { names: vec![name], ..event.clone() })
        .collect()
}

/// The kind of thing that changed a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum By {
    /// The text that was read.
    #[default]
    Text,
    /// An op.
    Op,
    /// A merge directive.
    Directive,
    /// The value of a variable.
    Variable,
    /// A template or an expression.
    Template,
}

impl By {
    /// The name, as `explain` prints it.
    pub fn name(self) -> &'static str {
        match self {
            By::Text => "text",
            By::Op => "op",
            By::Directive => "directive",
            By::Variable => "variable",
            By::Template => "template",
        }
    }
}

/// The effect of an event on its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "lowercase"))]
pub enum Action {
    /// It was there when its text was read.
    #[default]
    Read,
    /// A value was put there.
    Put,
    /// There was another value.
    Changed,
    /// The value came from another place.
    Moved,
    /// The value was removed.
    Removed,
}

impl Action {
    /// The name, as `explain` prints it.
    pub fn name(self) -> &'static str {
        match self {
            Action::Read => "read",
            Action::Put => "put",
            Action::Changed => "changed",
            Action::Moved => "moved",
            Action::Removed => "removed",
        }
    }
}

/// One event of the history of a place.
#[derive(Clone, Debug, Default)]
pub struct HistoryEvent {
    /// The kind of thing that changed the place.
    pub by: By,
    /// The effect.
    pub action: Action,
    /// The place at which the value, the op, the directive or the template is written; of a
    /// variable, its value.
    pub place: Option<Span>,
    /// The number of the op in the patch, directives included.
    pub op: Option<OpId>,
    /// The path of the op, as it is written, or of what it moved or copied.
    pub from: Option<String>,
    /// The names of the variables.
    pub names: Vec<String>,
    /// The value before; `None` if there was none, or if only a part of it changed.
    pub before: Option<PastValue>,
    /// The value after; `None` if it was removed, or if only a part of it changed.
    pub after: Option<PastValue>,
    /// Number of changes of the document up to this one: events in the order of time.
    pub moment: usize,
}

/// An op that was applied, as people know it.
#[derive(Clone, Debug)]
pub struct AppliedOp {
    /// The kind, such as `replace`.
    pub kind: &'static str,
    /// The path, as it was written.
    pub path: String,
    /// The path from which it copied or moved a value, as it was written.
    pub from: Option<String>,
}
