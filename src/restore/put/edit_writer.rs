//! The walk through source, expansion and edited expansion.

use super::list_writer::ListWriter;
use super::mapping_writer::{MappingWriter, SiteWriter};
use super::new_values::NewValues;
use super::put_state::{
    AnchorValues, DirectiveChange, InheritedOrigins, Pending, PendingNode, PutMode,
    PutState,
};
use crate::arena::{Index, Style, flag};
use crate::diagnostic::Diagnostic;
use crate::merge::Strategy;
use crate::node::{Kind, NodeId, Seat, Tree};
use crate::restore::compare::{Change, Comparer, Layers};
use crate::restore::site::DocumentEdit;

/// The result of writing the edit of one document.
pub(in crate::restore) struct WrittenEdit {
    /// The values that cannot be written.
    pub problems: Vec<Diagnostic>,
    /// The directives that changed.
    pub changes: Vec<(NodeId, DirectiveChange)>,
    /// True if a new list names inherited items.
    pub names_items: bool,
}

/// Writes the edit of the document that has the number `number` in the source into `out`.
pub(in crate::restore) fn write_edit<'a>(
    number: usize,
    document: DocumentEdit<'a>,
    compare: &mut Comparer<'a>,
    out: &mut Tree,
    values: &NewValues<'a>,
    mode: PutMode,
) -> WrittenEdit {
    let source = document.source;
    let place = PendingNode {
        seat: Seat::Root(number),
        source: document.root,
        change: Change { was: Some(document.view), now: document.edited },
        frame: None,
        inherited: Layers::new(),
        inherits_changed: false,
    };
    let mut put = PutState {
        source,
        edit: document,
        compare,
        out,
        values,
        mode,
        ancestors: Vec::new(),
        anchors: AnchorValues::new(source.base()),
        pending: vec![Pending::Node(Box::new(place))],
        problems: Vec::new(),
        changes: Vec::new(),
        origins: InheritedOrigins::default(),
        has_named_items: false,
    };
    put.run();
    let PutState { problems, changes, has_named_items: names_items, .. } = put;
    WrittenEdit { problems, changes, names_items }
}

impl PutState<'_, '_> {
    fn run(&mut self) {
        while let Some(task) = self.pending.pop() {
            match task {
                Pending::Node(place) => self.write_node(*place),
                Pending::Override(..) if self.has_too_many_nodes() => return,
                Pending::Override(id, layers, change) => {
                    MappingWriter::write_override(self, id, layers, change);
                }
            }
        }
    }

    fn write_node(&mut self, mut place: PendingNode) {
        let Some(i) = self.index(place.source) else { return self.replace(&place) };
        let arena = self.source.base();
        // An alias may have to change although its own value is the same: its anchor
        // stands for another value now.
        let Change { was, now } = place.change;
        let same = was.is_some_and(|view| self.compare.equal(view, now));
        let moved = !self.anchors.values.is_empty() && arena.has(i, flag::HAS_ALIAS);
        if same && !moved && !place.inherits_changed && !self.edit.holds_changed(i) {
            return;
        }
        self.anchors.set(i, now);
        if arena.style(i) == Style::Alias {
            return self.write_alias(&place, i, same);
        }
        if !same
            && let Seat::Slot(id, at) = place.seat
            && !place.inherited.is_empty()
            && self.compare.equals_inherited(&place.inherited, now)
            // The edited text may mean to keep what is written.
            && (self.is_written_anew(&place, i) || !self.only_loses_children(&place))
        {
            self.anchors.forget(i);
            return self.out.remove_slot(id, at);
        }
        // A mapping with `+%: replace` keeps nothing of what it would inherit.
        if self.mode.expands_directives
            && Strategy::of(self.source, place.source) == Some(Strategy::Replace)
        {
            place.inherited.clear();
        }
        if !same {
            self.write_tag(&place);
        }
        self.write_value(place, i, same);
    }

    /// Gives a collection that stays one the tag of the edited one.
    fn write_tag(&mut self, place: &PendingNode) {
        let Change { was, now } = place.change;
        let kinds = [self.source.kind(place.source), self.kind(now)];
        // At a directive, the tag may be that of the values that it imports.
        let is_edited = !self.compare.same_tag(was.unwrap_or(place.source), now);
        if is_edited
            && kinds[0] == kinds[1]
            && kinds[0] != Kind::Scalar
            && let Some((file, i)) = self.values.tag_of(now)
            && let Some(id) = self.open(place)
        {
            self.out.retag(id, file, i);
        }
    }

    /// Writes node `i` of the source, which is neither an alias nor needless.
    fn write_value(&mut self, place: PendingNode, i: Index, same: bool) {
        let is_marker = self.is_marker(place.source);
        let is_null = self.source.is_null(place.source);
        // The import of a directive is not known until the edit is in its source.
        let is_deferred = self.mode.defers_indirect
            && self.edit.sites.imports(i).iter().any(|import| import.indirect);
        match (self.source.kind(place.source), self.kind(place.change.now)) {
            _ if is_marker && same => {}
            // Even where an inherited value would do: the text may hold a variable.
            (Kind::Scalar, _) if same && !is_null => {}
            _ if is_marker => self.replace(&place),
            (Kind::Mapping, Kind::Mapping) if is_deferred => {}
            (Kind::Mapping, _) if self.edit.sites.get(i).is_some() => {
                SiteWriter::write(self, place, i);
            }
            (Kind::Mapping, Kind::Mapping) | (Kind::Sequence, Kind::Sequence)
                if self.is_written_anew(&place, i) =>
            {
                self.replace(&place);
            }
            (Kind::Mapping, Kind::Mapping) => {
                let frame = self.push_frame(&place);
                if let Some(id) = self.open(&place) {
                    MappingWriter::write(self, id, place, frame);
                }
            }
            (Kind::Sequence, Kind::Sequence) => ListWriter::write(self, &place),
            (Kind::Scalar, Kind::Scalar)
                if (!is_null || place.inherited.is_empty())
                    && self.compare.equal(place.source, place.change.now) => {}
            _ if is_null
                && self.compare.equals_inherited(&place.inherited, place.change.now) => {}
            _ => self.replace(&place),
        }
    }

    /// Returns true if a collection was written anew in the other style, so that none of its
    /// text can stay. An empty one has no text that could.
    fn is_written_anew(&self, place: &PendingNode, here: Index) -> bool {
        let Some(NodeId::Clean(file, there)) = self.values.kept_text(place.change.now)
        else {
            return false;
        };
        let arena = self.source.base();
        if arena.next(here) == here + 1 {
            return true;
        }
        let styles = (arena.style(here), self.compare.document.arena(file).style(there));
        styles.0.is_block_collection() != styles.1.is_block_collection()
            && !(here..arena.next(here)).any(|i| self.edit.sites.get(i).is_some())
    }

    /// Returns true if an edit has only removed children of a written collection, and left
    /// some: what is left is meant to stay, even if it is inherited as well.
    fn only_loses_children(&mut self, place: &PendingNode) -> bool {
        let Change { was: Some(view), now: edited } = place.change else { return false };
        match [self.source.kind(place.source), self.kind(view), self.kind(edited)] {
            [Kind::Sequence, Kind::Sequence, Kind::Sequence] => {
                let mut was = self.items(view).into_iter();
                let mut left = self.items(edited).into_iter();
                left.len() > 0
                    && left.all(|item| was.any(|it| self.compare.equal(it, item)))
            }
            [Kind::Mapping, Kind::Mapping, Kind::Mapping] => {
                let [was, left] = [view, edited].map(|node| self.compare.entries(node));
                let own = self.source.pairs(place.source).into_iter();
                let mut own = own.map(|(key, _)| self.compare.key(key));
                own.any(|key| left.get(&key).is_some())
                    && left.list.iter().all(|entry| {
                        let was = was.get(&entry.key);
                        was.is_some_and(|was| self.compare.equal(was, entry.value))
                    })
            }
            _ => false,
        }
    }

    /// Keeps an alias while its anchor has the edited value.
    fn write_alias(&mut self, place: &PendingNode, i: Index, same: bool) {
        let kept = match self.anchors.get(self.source.base().target(i)) {
            Some(Some(target)) => self.compare.equal(target, place.change.now),
            Some(None) | None => same,
        };
        if !kept {
            self.replace(place);
        }
    }
}
