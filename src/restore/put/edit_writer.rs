//! The walk through source, expansion and edited expansion.

use super::directives::{DirectiveChange, Directives};
use super::inherited_part::InheritedOrigins;
use super::list_writer::ListWriter;
use super::mapping_writer::MappingWriter;
use super::new_values::NewValues;
use super::override_value::replace;
use super::put_state::{AnchorValues, Pending, PendingNode, PutState};
use super::refusals::{PutMode, Refusals};
use super::site_writer::SiteWriter;
use crate::arena::{Index, Style, flag};
use crate::diagnostic::Diagnostic;
use crate::merge::Strategy;
use crate::node::{Kind, NodeId, Seat, Tree};
use crate::restore::compare::{Change, Comparer};
use crate::restore::layers::Layers;
use crate::restore::site::{DocumentEdit, ImportSite};
use crate::restore::writing::ValueStyle;

/// Writes the edit of one document.
pub(in crate::restore) struct EditWriter<'a, 'p> {
    put: PutState<'a, 'p>,
    /// The root of the edited document.
    edited: NodeId,
}

impl<'a, 'p> EditWriter<'a, 'p> {
    /// Prepares an edit of one document, which is written into the second tree.
    pub(in crate::restore) fn new(
        document: DocumentEdit<'a>,
        (compare, out): (&'p mut Comparer<'a>, &'p mut Tree),
        style: ValueStyle,
        mode: PutMode,
    ) -> Self {
        let roots = document.roots();
        let DocumentEdit { written: (source, root), edited, sites, .. } = document;
        let document = compare.document;
        let put = PutState {
            source,
            root,
            roots,
            sites,
            compare,
            out,
            values: NewValues::new(source, document, style),
            mode,
            ancestors: Vec::new(),
            anchors: AnchorValues::new(source.base()),
            pending: Vec::new(),
            refusals: Refusals::new(document, mode),
            directives: Directives::new(source),
            origins: InheritedOrigins::default(),
            has_named_items: false,
        };
        EditWriter { put, edited }
    }

    /// Returns the values that cannot be written and the directives that changed.
    pub(in crate::restore) fn finish(
        self,
    ) -> (Vec<Diagnostic>, Vec<(NodeId, DirectiveChange)>) {
        let PutState { refusals, directives, .. } = self.put;
        (refusals.into_problems(), directives.into_changes())
    }

    /// Returns true if a new list names inherited items.
    pub(in crate::restore) fn has_named_items(&self) -> bool {
        self.put.has_named_items
    }

    /// Writes the document that has the number `root` in the source.
    pub(in crate::restore) fn run(&mut self, root: usize) {
        let place = PendingNode {
            seat: Seat::Root(root),
            source: self.put.root,
            change: Change { was: self.put.roots.was, now: self.edited },
            frame: None,
            inherited: Layers::new(),
            inherits_changed: false,
        };
        self.put.pending.push(Pending::Node(Box::new(place)));
        while let Some(task) = self.put.pending.pop() {
            match task {
                Pending::Node(place) => self.write_node(*place),
                Pending::Override(..) if self.put.has_too_many_nodes() => return,
                Pending::Override(id, layers, change) => {
                    MappingWriter::write_override(&mut self.put, id, layers, change);
                }
            }
        }
    }

    fn write_node(&mut self, mut place: PendingNode) {
        let put = &mut self.put;
        let Some(i) = put.index(place.source) else { return replace(put, &place) };
        let arena = put.source.base();
        // An alias may have to change although its own value is the same: its anchor
        // stands for another value now.
        let Change { was, now } = place.change;
        let same = was.is_some_and(|view| put.compare.equal(view, now));
        let moved = !put.anchors.is_empty() && arena.has(i, flag::HAS_ALIAS);
        if same && !moved && !place.inherits_changed && !put.sites.holds_changed(i) {
            return;
        }
        put.anchors.set(i, now);
        if arena.style(i) == Style::Alias {
            return self.write_alias(&place, i, same);
        }
        if !same
            && let Seat::Slot(id, at) = place.seat
            && self.is_needless(&place, i)
        {
            self.put.anchors.forget(i);
            return self.put.out.remove_slot(id, at);
        }
        // A mapping with `+%: replace` keeps nothing of what it would inherit.
        if self.put.mode.expands_directives
            && Strategy::of(self.put.source, place.source) == Some(Strategy::Replace)
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
        let put = &mut self.put;
        let Change { was, now } = place.change;
        let kinds = [put.source.kind(place.source), put.kind(now)];
        // At a directive, the tag may be that of the values that it imports.
        let is_edited = !put.compare.same_tag(was.unwrap_or(place.source), now);
        if is_edited
            && kinds[0] == kinds[1]
            && kinds[0] != Kind::Scalar
            && let Some(written) = put.values.tag_of(now)
            && let Some(id) = put.open(place)
        {
            put.out.retag(id, written);
        }
    }

    /// Returns true if an inherited value is the edited one, and the edited text does not
    /// mean to keep what is written.
    fn is_needless(&mut self, place: &PendingNode, i: Index) -> bool {
        !place.inherited.is_empty()
            && self.put.compare.equals_inherited(&place.inherited, place.change.now)
            && (self.is_written_anew(place, i) || !self.only_loses_children(place))
    }

    /// Writes node `i` of the source, which is neither an alias nor needless.
    fn write_value(&mut self, place: PendingNode, i: Index, same: bool) {
        let put = &mut self.put;
        let (is_marker, is_null) =
            (put.is_marker(place.source), put.source.is_null(place.source));
        match (put.source.kind(place.source), put.kind(place.change.now)) {
            _ if is_marker && same => {}
            // Even where an inherited value would do: the text may hold a variable.
            (Kind::Scalar, _) if same && !is_null => {}
            _ if is_marker => replace(put, &place),
            (Kind::Mapping, Kind::Mapping) if self.is_deferred(i) => {}
            (Kind::Mapping, _) if self.put.sites.get(i).is_some() => {
                SiteWriter::write(&mut self.put, place, i);
            }
            (Kind::Mapping, Kind::Mapping) | (Kind::Sequence, Kind::Sequence)
                if self.is_written_anew(&place, i) =>
            {
                replace(&mut self.put, &place);
            }
            (Kind::Mapping, Kind::Mapping) => self.write_mapping(place),
            (Kind::Sequence, Kind::Sequence) => ListWriter::write(&mut self.put, &place),
            (Kind::Scalar, Kind::Scalar) if self.is_written_as(&place) => {}
            _ if is_null && self.inherits(&place) => {}
            _ => replace(&mut self.put, &place),
        }
    }

    fn write_mapping(&mut self, place: PendingNode) {
        let frame = self.put.push_frame(&place);
        if let Some(id) = self.put.open(&place) {
            MappingWriter::write(&mut self.put, id, place, frame);
        }
    }

    /// Returns true if node `i` is a site that is left alone in this attempt.
    fn is_deferred(&self, i: Index) -> bool {
        let site = self.put.sites.get(i);
        self.put.mode.defers_indirect && site.is_some_and(ImportSite::is_indirect)
    }

    /// Returns true if a collection was written anew in the other style, so that none of its
    /// text can stay. An empty one has no text that could.
    fn is_written_anew(&self, place: &PendingNode, here: Index) -> bool {
        let put = &self.put;
        let Some(NodeId::Clean(file, there)) = put.values.kept_text(place.change.now)
        else {
            return false;
        };
        let arena = put.source.base();
        if arena.next(here) == here + 1 {
            return true;
        }
        let styles = (arena.style(here), put.compare.document.arena(file).style(there));
        styles.0.is_block_collection() != styles.1.is_block_collection()
            && !(here..arena.next(here)).any(|i| put.sites.get(i).is_some())
    }

    /// Returns true if an edit has only removed children of a written collection, and left
    /// some: what is left is meant to stay, even if it is inherited as well.
    fn only_loses_children(&mut self, place: &PendingNode) -> bool {
        let Change { was: Some(view), now: edited } = place.change else { return false };
        let put = &mut self.put;
        match [put.source.kind(place.source), put.kind(view), put.kind(edited)] {
            [Kind::Sequence, Kind::Sequence, Kind::Sequence] => {
                let (mut was, left) = (put.items(view).into_iter(), put.items(edited));
                let mut stays =
                    |&item: &NodeId| was.any(|it| put.compare.equal(it, item));
                !left.is_empty() && left.iter().all(&mut stays)
            }
            [Kind::Mapping, Kind::Mapping, Kind::Mapping] => {
                let (was, left) =
                    (put.compare.entries(view), put.compare.entries(edited));
                let own = put.source.pairs(place.source).into_iter();
                let mut own = own.map(|(key, _)| put.compare.key(key));
                own.any(|key| left.get(&key).is_some())
                    && left.list.iter().all(|entry| {
                        let was = was.get(&entry.key);
                        was.is_some_and(|was| put.compare.equal(was, entry.value))
                    })
            }
            _ => false,
        }
    }

    fn is_written_as(&mut self, place: &PendingNode) -> bool {
        let null = self.put.source.is_null(place.source) && !place.inherited.is_empty();
        !null && self.put.compare.equal(place.source, place.change.now)
    }

    fn inherits(&mut self, place: &PendingNode) -> bool {
        self.put.compare.equals_inherited(&place.inherited, place.change.now)
    }

    /// Keeps an alias while its anchor has the edited value.
    fn write_alias(&mut self, place: &PendingNode, i: Index, same: bool) {
        let put = &mut self.put;
        let kept = match put.anchors.get(put.source.base().target(i)) {
            Some(Some(target)) => put.compare.equal(target, place.change.now),
            Some(None) | None => same,
        };
        if !kept {
            replace(put, place);
        }
    }
}
