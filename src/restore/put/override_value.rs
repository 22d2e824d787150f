//! The value in place of an inherited one or of a written one: an override, a list that names the
//! parts of the inherited list that it keeps, or the edited value; and the pointers to inherited
//! values.

use hashbrown::HashMap;

use super::edit_writer::{Pending, PendingNode, PutState};
use crate::arena::{Index, Style, flag};
use crate::compare::ListPart;
use crate::node::{Kind, NodeId, Tree};
use crate::patch::Base;
use crate::pointer::JsonPointer;
use crate::restore::compare::Change;
use crate::restore::layers::Layers;
use crate::restore::site::SiteImport;
use crate::scalar::Scalar;

impl PutState<'_, '_> {
    /// Replaces a node of the source.
    pub(super) fn replace(&mut self, place: &PendingNode) {
        let mut was = Some(place.source);
        let index = self.index(place.source);
        if let Some(i) = index {
            self.anchors.forget_inner(i);
            // The directives in it go.
            let all = i..self.source.base().next(i);
            let keys = all.flat_map(|i| self.edit.sites.imports(i)).map(|it| it.key);
            self.note_written_out(keys.collect(), "what held it was replaced");
            was = was.filter(|_| self.source.base().style(i) != Style::Alias);
        }
        let node = self.override_value(place.inherited.clone(), place.change, was);
        self.out.set_at(place.seat, node, None);
        if let Some(i) = index.filter(|&i| self.source.base().anchor(i).is_some()) {
            self.out.set_alias_value(self.source.file(), i, node);
        }
    }

    /// Returns the node of a value where `layers` are inherited: an override of them if they
    /// are mappings. The source had the node `was` there.
    pub(super) fn override_value(
        &mut self,
        layers: Layers,
        change: Change<NodeId>,
        was: Option<NodeId>,
    ) -> NodeId {
        let now = change.now;
        if self.kind(now) == Kind::Mapping && self.compare.is_mapping(&layers) {
            let node = self.out.new_mapping(&[], None);
            if self.is_in_brackets(change, &layers) {
                self.out.put_in_brackets(node);
            }
            if let NodeId::Opened(id) = node {
                self.pending.push(Pending::Override(id, layers, change));
            }
            return node;
        }
        if let Some(same) = change.was.and_then(|view| self.restatement(view, now)) {
            return same;
        }
        let null = self.compare.document.is_null(now);
        if null && layers.iter().any(|&layer| !self.compare.document.is_null(layer)) {
            return self.values.nullout();
        }
        self.new_value(now, was)
    }

    /// Returns true if an override is written in flow style: as it was given, or as what it
    /// overrides if the edited text is a dump.
    pub(super) fn is_in_brackets(
        &self,
        change: Change<NodeId>,
        layers: &[NodeId],
    ) -> bool {
        let document = self.compare.document;
        // An edited layer has the style of the dump.
        let overridden = || change.was.or(layers.last().copied());
        let node = self.values.kept_text(change.now).or_else(overridden);
        let written = node.and_then(|node| document.origin_of(node));
        written.is_some_and(|(file, i)| document.arena(file).style(i).is_flow())
    }

    /// Returns the text that the source has for a list that stays as it was, although its
    /// source changes; `None` if it holds a relative directive, an anchor or an alias, which
    /// mean something else in another place.
    fn restatement(&mut self, view: NodeId, edited: NodeId) -> Option<NodeId> {
        if self.kind(view) != Kind::Sequence || !self.compare.equal(view, edited) {
            return None;
        }
        let (file, i) = self.compare.document.origin_of(view)?;
        let arena = self.source.base();
        let names = flag::HAS_ANCHOR | flag::HAS_ALIAS;
        if file != arena.file() || arena.has(i, names) || self.edit.holds_changed(i) {
            return None;
        }
        let mut imports = (i..arena.next(i)).flat_map(|i| self.edit.sites.imports(i));
        (!imports.any(SiteImport::is_relative)).then_some(NodeId::Clean(file, i))
    }

    /// Returns a list that has the edited items in place of the inherited list `layer`, and
    /// names those that it keeps; `None` if it would not be shorter than the edited list.
    pub(super) fn list_override(
        &mut self,
        layers: &[NodeId],
        change: Change<NodeId>,
    ) -> Option<NodeId> {
        let &[layer] = layers else { return None };
        let was = change.was.filter(|_| self.mode.names_items)?;
        let lists =
            [was, layer, change.now].map(|node| self.kind(node) == Kind::Sequence);
        // A list that stays as it was is restated with the directives that it had.
        if lists != [true; 3] || self.compare.equal(was, change.now) {
            return None;
        }
        let pointer = self.origins.pointer(self.compare.document, layer)?;
        let (inherited, edited) = (self.items(layer), self.items(change.now));
        let items = match self.position_of_part(&inherited, &edited) {
            Some(at) if self.is_list_of_document(layer) => {
                let end = at + inherited.len();
                let whole = self.named(&pointer);
                let before = self.new_values(&edited[..at]);
                let after = self.new_values(&edited[end..]);
                [before, vec![whole], after].concat()
            }
            _ => self.kept_items(layer, &pointer, &edited)?,
        };
        self.has_named_items = true;
        let list = self.out.new_sequence();
        let NodeId::Opened(id) = list else { return None };
        for (position, item) in items.into_iter().enumerate() {
            self.out.insert_item(id, position, item, None);
        }
        if self.is_in_brackets(change, layers) {
            self.out.put_in_brackets(list);
        }
        Some(list)
    }

    fn new_values(&mut self, edited: &[NodeId]) -> Vec<NodeId> {
        edited.iter().map(|&item| self.new_value(item, None)).collect()
    }

    /// Returns a mapping with the directive that a pointer is.
    pub(super) fn named(&mut self, pointer: &SourcePointer) -> NodeId {
        let node = self.out.new_mapping(&[], None);
        let key = self.new_key(&pointer.text, pointer.key);
        let value = self.values.directive_value(self.out, pointer.key);
        if let NodeId::Opened(id) = node {
            self.out.push_entry(id, key, value);
        }
        node
    }

    /// Returns the edited items, of which long ones are named that the inherited list `layer`
    /// has as well; `None` if no item is.
    fn kept_items(
        &mut self,
        layer: NodeId,
        pointer: &SourcePointer,
        edited: &[NodeId],
    ) -> Option<Vec<NodeId>> {
        let parts = InheritedPart::all(self, layer, pointer)?;
        let positions = self.pair(&parts, edited);
        // The items of a directive that gives others now are named one by one.
        let mut pieces = Vec::new();
        for (part, position) in parts.into_iter().zip(positions) {
            if part.part.splice && position.is_none() {
                pieces.extend(part.into_items());
            } else {
                pieces.push(part);
            }
        }
        let positions = self.pair(&pieces, edited);
        let placed: HashMap<usize, &InheritedPart> = pieces
            .iter()
            .zip(positions)
            .filter_map(|(part, at)| Some((at?, part)))
            .collect();
        let (mut items, mut at, mut names) = (Vec::new(), 0, false);
        while at < edited.len() {
            let part = placed.get(&at);
            let kept = part.and_then(|part| self.kept_item(part, edited[at]));
            names |= kept.is_some();
            items.push(match kept {
                Some(kept) => kept,
                None => self.new_value(edited[at], None),
            });
            at += part.map_or(1, |part| part.part.gives.len());
        }
        names.then_some(items)
    }

    fn pair(&mut self, parts: &[InheritedPart], edited: &[NodeId]) -> Vec<Option<usize>> {
        let parts: Vec<&ListPart> = parts.iter().map(|part| &part.part).collect();
        let positions = self.compare.pair(&parts, edited);
        positions.into_iter().map(|new| new.map(|new| new.at)).collect()
    }

    /// Returns the item that names an inherited one, which `edited` stands for now; `None` if
    /// the edited item is not longer.
    fn kept_item(&mut self, part: &InheritedPart, edited: NodeId) -> Option<NodeId> {
        if part.part.splice {
            let pointer = part.pointer.as_ref()?;
            return Some(part.directive.unwrap_or_else(|| self.named(pointer)));
        }
        let (item, pointer) = (part.part.view?, part.pointer.as_ref()?);
        if self.compare.equal(item, edited) {
            return self.short_name(item, pointer);
        }
        let overridden = self.is_overridden(item, edited);
        let name = overridden.then(|| self.named(pointer))?;
        if let NodeId::Opened(id) = name {
            let change = Change { was: Some(item), now: edited };
            self.pending.push(Pending::Override(id, vec![item], change));
        }
        Some(name)
    }

    /// Returns the item that names an inherited mapping, if that is shorter.
    pub(super) fn short_name(
        &mut self,
        item: NodeId,
        pointer: &SourcePointer,
    ) -> Option<NodeId> {
        let is_mapping = self.kind(item) == Kind::Mapping;
        let shorter = is_mapping && self.line_count(item) > 1;
        shorter.then(|| self.named(pointer))
    }

    /// Returns true if an override of an inherited item is shorter than the edited one, and has
    /// no whiteouts.
    fn is_overridden(&mut self, item: NodeId, edited: NodeId) -> bool {
        if [item, edited].map(|node| self.kind(node)) != [Kind::Mapping; 2]
            || self.line_count(item) < MIN_OVERRIDDEN_LINES
        {
            return false;
        }
        let (was, now) = (self.compare.entries(item), self.compare.entries(edited));
        let stays = was.list.iter().all(|entry| now.get(&entry.key).is_some());
        stays && 2 * self.compare.differences(item, edited) <= now.list.len()
    }

    /// Returns the number of lines that a value was written in.
    fn line_count(&self, value: NodeId) -> usize {
        let document = self.compare.document;
        let written = document.origin_of(document.follow(value));
        written
            .map_or(0, |(file, i)| document.arena(file).raw(i).trim_end().lines().count())
    }

    /// Returns true if a list is written as a list without directives: a directive can name each
    /// item by its index.
    pub(super) fn is_list_of_values(&self, list: NodeId) -> bool {
        let children = self.written_list(list).map(|i| self.source.base().children(i));
        children
            .is_some_and(|mut all| all.all(|child| self.edit.sites.get(child).is_none()))
    }

    /// Returns the node of the source that a list was written as.
    fn written_list(&self, list: NodeId) -> Option<Index> {
        let document = self.compare.document;
        let (file, i) = document.origin_of(document.follow(list))?;
        let arena = self.source.base();
        (file == arena.file() && arena.style(i).is_sequence()).then_some(i)
    }
}

/// Number of lines from which an item is overridden and not restated.
// A directive and one entry are two lines.
const MIN_OVERRIDDEN_LINES: usize = 3;

/// An item of an inherited list as it is written: a value, or a directive whose items are
/// spliced in.
pub(super) struct InheritedPart {
    /// The item as it is written, if it is a directive.
    pub directive: Option<NodeId>,
    /// The pointer to the item; `None` if no directive can name it.
    pub pointer: Option<SourcePointer>,
    /// For a directive, the pointer to the list, if directives can name its items.
    inner: Option<SourcePointer>,
    pub part: ListPart,
}

impl InheritedPart {
    /// Returns the parts of a list at a pointer; `None` if the list is not written as a list.
    pub(super) fn all(
        put: &mut PutState<'_, '_>,
        list: NodeId,
        pointer: &SourcePointer,
    ) -> Option<Vec<InheritedPart>> {
        let i = put.written_list(list)?;
        let mut items = put.items(list).into_iter();
        let mut parts = Vec::new();
        for (at, child) in put.source.base().children(i).enumerate() {
            // A directive counts the items that are written, spliced in or not.
            let pointer = pointer.child(&at.to_string());
            let spliced = InheritedPart::spliced(put, child, &pointer);
            if let Some(spliced) = &spliced {
                items.by_ref().take(spliced.part.gives.len()).for_each(drop);
            }
            parts.push(match spliced {
                Some(spliced) => spliced,
                None => InheritedPart::lone(items.next()?, Some(pointer)),
            });
        }
        items.next().is_none().then_some(parts)
    }

    /// Returns the part that is a value.
    fn lone(item: NodeId, pointer: Option<SourcePointer>) -> InheritedPart {
        let part =
            ListPart { view: Some(item), gives: vec![item], splice: false, site: false };
        InheritedPart { directive: None, pointer, inner: None, part }
    }

    /// Returns the part that node `i` of the source is if its items are spliced in.
    fn spliced(
        put: &mut PutState<'_, '_>,
        i: Index,
        pointer: &SourcePointer,
    ) -> Option<InheritedPart> {
        let import = put.lone_import(i)?;
        let found = import.found?;
        let gives = match put.kind(found) {
            Kind::Mapping => return None,
            Kind::Sequence => put.items(found),
            Kind::Scalar => vec![found],
        };
        let named = SourcePointer::of_import(put, import, &import.source.pointer);
        let inner = named.filter(|_| put.is_list_of_values(found));
        let part = ListPart { view: None, gives, splice: true, site: true };
        Some(InheritedPart {
            // In another place a relative directive names something else.
            directive: (!import.is_relative())
                .then_some(NodeId::Clean(put.source.file(), i)),
            pointer: Some(pointer.clone()),
            inner,
            part,
        })
    }

    /// Returns the items of a directive as parts.
    pub(super) fn into_items(self) -> impl Iterator<Item = InheritedPart> {
        let InheritedPart { inner, part, .. } = self;
        part.gives.into_iter().enumerate().map(move |(at, item)| {
            let pointer = inner.as_ref().map(|list| list.child(&at.to_string()));
            InheritedPart::lone(item, pointer)
        })
    }
}

/// A pointer to an inherited value: that of a directive, and tokens behind it.
#[derive(Clone, Debug)]
pub(super) struct SourcePointer {
    /// The key of the directive. A key made from the pointer is quoted as it is.
    pub key: NodeId,
    /// The key that imports the value.
    pub text: String,
}

impl SourcePointer {
    /// Returns the pointer of a directive, whose tokens are `tokens` after the edit; `None` if
    /// its value can be named by no key alone.
    pub(super) fn of_import(
        put: &mut PutState<'_, '_>,
        SiteImport { key, source, .. }: SiteImport<'_>,
        tokens: &[String],
    ) -> Option<SourcePointer> {
        let document = put.source;
        let NodeId::Clean(file, i) = key else { return None };
        let value = NodeId::Clean(file, document.base().next(i));
        if source.raw || !document.is_null(value) {
            return None;
        }
        let Scalar::String(name) = document.scalar(key) else { return None };
        let start = match source.base {
            Base::File(..) => return None,
            Base::Root | Base::Anchor(_) => name.split('/').next()?.to_owned(),
            Base::Parent(dots) => {
                let written = &mut put.compare.written;
                let (_, here) = written.pointer_to_parent(document, key)?;
                let mark = if source.optional { "+?" } else { "+" };
                format!("{mark}{}", climb(&here, dots)?)
            }
        };
        let start = SourcePointer { key, text: start };
        Some(tokens.iter().fold(start, |pointer, token| pointer.child(token)))
    }

    /// Returns the pointer to a child.
    pub(super) fn child(&self, token: &str) -> SourcePointer {
        let text = format!("{}/{}", self.text, JsonPointer::escape(token));
        SourcePointer { key: self.key, text }
    }
}

/// Returns the pointer to the collection that a number of dots leads to; one dot is that at
/// `pointer`.
fn climb(pointer: &str, dots: u32) -> Option<&str> {
    (1..dots).try_fold(pointer, |at, _| Some(&at[..at.rfind('/')?]))
}

/// The places of the inherited values that were met, by their nodes. A node that comes from
/// several places has the last one that was met.
#[derive(Default)]
pub(super) struct InheritedOrigins(pub HashMap<NodeId, Origin>);

pub(super) enum Origin {
    /// The value of a directive.
    Import(SourcePointer),
    /// An entry of an inherited mapping: the mapping, and the key.
    Entry(NodeId, NodeId),
}

impl InheritedOrigins {
    /// Returns the pointer to an inherited value; `None` if no directive can name it.
    pub(super) fn pointer(
        &self,
        document: &Tree,
        value: NodeId,
    ) -> Option<SourcePointer> {
        let (mut at, mut tokens) = (value, Vec::new());
        let pointer = loop {
            match self.0.get(&at)? {
                Origin::Import(pointer) => break pointer.clone(),
                Origin::Entry(mapping, key) => {
                    let Scalar::String(token) = document.scalar(*key) else {
                        return None;
                    };
                    tokens.push(token);
                    at = *mapping;
                }
            }
        };
        let tokens = tokens.iter().rev();
        Some(tokens.fold(pointer, |pointer, token| pointer.child(token)))
    }
}
