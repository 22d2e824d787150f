//! The state that the writers of an edit share: the documents, the rules of one attempt, the
//! keys of directives that change, and the values that would read back as something else; and
//! the value in place of an inherited one or of a written one: an override, a list that names
//! the parts of the inherited list that it keeps, or the edited value.

use hashbrown::{HashMap, HashSet};

use super::new_values::{NewValues, is_quoted};
use crate::arena::{Arena, Index, Style, flag};
use crate::compare::{EntryKey, ListPart};
use crate::compile;
use crate::diagnostic::Diagnostic;
use crate::merge::{STRATEGY_KEY, Strategy};
use crate::node::{Kind, NodeId, Seat, SlotId, Tree};
use crate::patch::Base;
use crate::pointer::JsonPointer;
use crate::restore::compare::{Ancestor, Change, Comparer, Layers};
use crate::restore::site::{DocumentEdit, ImportOutcome, SiteImport, SitePlace};

/// Maximum number of nodes that an edit may open or make.
// Overrides are written in full at each alias: a document of 1 kB in which aliases repeat
// aliases needs billions. Four million nodes are about as much as a text of 100 MB.
const MAX_NEW_NODES: usize = 1 << 22;

/// The documents of an edit, the work that is left, and what is known of the work done.
pub(super) struct PutState<'a, 'p> {
    pub source: &'a Tree,
    pub edit: DocumentEdit<'a>,
    pub compare: &'p mut Comparer<'a>,
    /// The document with the edit.
    pub out: &'p mut Tree,
    pub values: &'p NewValues<'a>,
    pub mode: PutMode,
    /// The collections around the nodes that were visited.
    pub ancestors: Vec<Ancestor>,
    pub anchors: AnchorValues<'a>,
    pub pending: Vec<Pending>,
    /// The values that would read back as something else.
    pub problems: Vec<Diagnostic>,
    /// The changes of directives.
    pub changes: Vec<(NodeId, DirectiveChange)>,
    pub origins: InheritedOrigins,
    /// True if a new list names inherited items.
    pub has_named_items: bool,
}

impl<'a> PutState<'a, '_> {
    /// Returns the index of a node of the source. Nodes that were made or copied just now,
    /// when a `<<` was written out, have none.
    pub(super) fn index(&self, node: NodeId) -> Option<Index> {
        match node {
            NodeId::Clean(file, i) if file == self.source.file() => Some(i),
            NodeId::Clean(..) | NodeId::Opened(_) => None,
        }
    }

    pub(super) fn kind(&self, node: NodeId) -> Kind {
        self.compare.document.kind(node)
    }

    pub(super) fn items(&self, node: NodeId) -> Vec<NodeId> {
        self.compare.document.items(node)
    }

    /// Returns true if a written mapping is a whiteout or a nullout.
    pub(super) fn is_marker(&self, node: NodeId) -> bool {
        let out = [Some(Strategy::Whiteout), Some(Strategy::Nullout)];
        self.mode.expands_directives
            && self.index(node).is_some()
            && out.contains(&Strategy::of(self.source, node))
    }

    /// Returns a new value, and reports what in it would read back as something else.
    pub(super) fn new_value(&mut self, edited: NodeId, was: Option<NodeId>) -> NodeId {
        self.check_value(edited);
        self.values.value(self.out, edited, was)
    }

    /// Returns true and reports a problem if the edit needs too many new nodes.
    pub(super) fn has_too_many_nodes(&mut self) -> bool {
        let full = self.out.opened_count() > MAX_NEW_NODES;
        if full && self.problems.is_empty() {
            self.problems.push(*Diagnostic::error("the edit needs too many overrides"));
        }
        full
    }

    /// Returns true if a list was written as one, in the source or in the edited text: it is
    /// not the value of a variable, of a template or of another file.
    pub(super) fn is_list_of_document(&self, list: NodeId) -> bool {
        let document = self.compare.document;
        let written = document.origin_of(document.follow(list));
        let texts = [self.source.file(), self.values.file];
        written.is_some_and(|(file, i)| {
            texts.contains(&file) && document.arena(file).style(i).is_sequence()
        })
    }

    /// Adds a collection to the ancestors. Returns its index there.
    pub(super) fn push_frame(&mut self, place: &PendingNode) -> usize {
        let change = Change { was: place.change.was, now: Some(place.change.now) };
        self.ancestors.push(Ancestor { parent: place.frame, change });
        self.ancestors.len() - 1
    }

    /// Adds nodes to the work that is left, so that the first is next.
    pub(super) fn push_nodes(&mut self, places: Vec<PendingNode>) {
        let places = places.into_iter().rev();
        self.pending.extend(places.map(|place| Pending::Node(Box::new(place))));
    }

    /// Opens the collection of a node. Its aliases follow.
    pub(super) fn open(&mut self, place: &PendingNode) -> Option<u32> {
        let id = self.out.open(place.seat, true)?;
        let index = self.index(place.source);
        if let Some(i) = index.filter(|&i| self.source.base().anchor(i).is_some()) {
            self.out.set_alias_value(self.source.file(), i, NodeId::Opened(id));
        }
        Some(id)
    }

    /// Records that a node and the anchors in it are gone.
    pub(super) fn forget_anchors(&mut self, source: NodeId) {
        if let Some(i) = self.index(source) {
            self.anchors.forget(i);
        }
    }

    /// Returns the values that mappings have for a key, and records where they come from.
    pub(super) fn inherited(&mut self, layers: &[NodeId], key: &EntryKey<'a>) -> Layers {
        let found = self.compare.inherited(layers, key);
        if self.mode.names_items && !found.is_empty() {
            for entry in self.compare.inherited_entries(layers, key) {
                let origin = InheritedOrigin::Entry(entry.layer, entry.name);
                self.origins.0.insert(entry.value, origin);
            }
        }
        found
    }

    /// Returns the import of a mapping that has no entries but one directive.
    pub(super) fn lone_import(&self, i: Index) -> Option<SiteImport<'a>> {
        let &[import] = self.edit.sites.imports(i) else { return None };
        let alone = self.source.base().entries(i).count() <= 1;
        alone.then_some(import)
    }

    /// Returns the position at which a list holds all items of another one.
    pub(super) fn position_of_part(
        &mut self,
        part: &[NodeId],
        all: &[NodeId],
    ) -> Option<usize> {
        let last = all.len().checked_sub(part.len()).filter(|_| !part.is_empty())?;
        (0..=last).find(|&at| {
            part.iter().zip(&all[at..]).all(|(&a, &b)| self.compare.equal(a, b))
        })
    }

    /// Returns the keys of the directives of a mapping.
    pub(super) fn directives_of(&self, mapping: NodeId) -> Vec<NodeId> {
        let Some(i) = self.index(mapping) else { return Vec::new() };
        self.edit.sites.imports(i).iter().map(|import| import.key).collect()
    }

    /// Returns the values that the directives of a site will import.
    pub(super) fn import_outcomes(
        &mut self,
        i: Index,
        frame: usize,
    ) -> Vec<(SiteImport<'a>, ImportOutcome)> {
        let here = SitePlace { ancestors: &self.ancestors, at: frame };
        let imports = self.edit.sites.imports(i).iter();
        let outcomes = imports.map(|it| (*it, self.edit.outcome(it, here, self.compare)));
        outcomes.collect()
    }

    /// Records that directives are replaced by the values they gave.
    pub(super) fn note_written_out(&mut self, keys: Vec<NodeId>, why: &str) {
        let change = DirectiveChange::WrittenOut(why.to_owned());
        self.changes.extend(keys.into_iter().map(|key| (key, change.clone())));
    }

    /// Removes a directive from opened mapping `id`.
    pub(super) fn write_out(&mut self, id: u32, key: NodeId, why: &str) {
        match self.directive_slot(id, key) {
            Some(at) => self.out.remove_slot(id, at),
            None => self.out.expand_merge_keys(id),
        }
        self.note_written_out(vec![key], why);
    }

    /// Changes the pointer of a directive whose value has a new name.
    pub(super) fn respell(&mut self, id: u32, key: NodeId, pointer: &[String]) {
        let text = self.source.string(key).unwrap_or_default();
        let head = text.split('/').next().unwrap_or_default();
        let pointer = JsonPointer { tokens: pointer.to_vec() };
        self.rename_directive(id, key, &format!("{head}{pointer}"));
    }

    /// Makes a directive optional whose value is gone.
    pub(super) fn make_optional(&mut self, id: u32, key: NodeId) {
        let text = self.source.string(key).unwrap_or_default();
        self.rename_directive(id, key, &text.replacen('+', "+?", 1));
    }

    fn rename_directive(&mut self, id: u32, key: NodeId, text: &str) {
        let Some(at) = self.directive_slot(id, key) else {
            return self.write_out(id, key, "what it names is gone");
        };
        let new = self.new_key(text, key);
        self.out.rename(id, at, new);
        self.changes.push((key, DirectiveChange::Renamed(text.to_owned())));
    }

    /// Returns a key that is quoted as the directive `like`.
    pub(super) fn new_key(&mut self, text: &str, like: NodeId) -> NodeId {
        if is_quoted(self.source, like) {
            self.out.new_text_like(text, like)
        } else {
            self.out.new_text(text)
        }
    }

    /// Returns the slot of a directive; `None` if it comes from `<<`.
    fn directive_slot(&self, id: u32, key: NodeId) -> Option<SlotId> {
        let slots = self.out.children(id);
        slots.ids().find(|&at| slots.get(at).key == Some(key))
    }

    /// Returns true if a key is a directive or a strategy.
    pub(super) fn is_directive_key(&self, key: NodeId) -> bool {
        let document = self.compare.document;
        let text = document.string(key).filter(|_| document.kind(key) == Kind::Scalar);
        self.mode.expands_directives
            && text.is_some_and(|it| compile::is_directive_key(&it) || it == STRATEGY_KEY)
    }

    /// Reports a new value that would read back as something else.
    pub(super) fn check_value(&mut self, value: NodeId) {
        if !self.mode.expands_directives {
            return;
        }
        let document = self.compare.document;
        let mut todo = vec![value];
        let mut met = HashSet::new();
        while let Some(node) = todo.pop() {
            if document.kind(node) == Kind::Scalar || !met.insert(document.follow(node)) {
                continue;
            }
            todo.extend(document.items(node));
            for (key, value) in document.pairs(node) {
                todo.push(value);
                self.check_entry(key, value);
            }
        }
    }

    /// Reports a new entry that would read back as something else.
    pub(super) fn check_entry(&mut self, key: NodeId, value: NodeId) {
        let document = self.compare.document;
        let text = document.string(key).filter(|_| self.mode.expands_directives);
        let Some(text) = text else { return };
        let mut strategies = ["whiteout", "nullout"].into_iter();
        if compile::is_directive_key(&text) {
            self.refuse(key, "a merge directive");
        } else if text == STRATEGY_KEY
            && strategies.any(|word| document.is_text(value, word))
        {
            let what = "the strategy `+%`, which removes or empties an inherited entry";
            self.refuse(key, what);
        }
    }

    /// Reports that a value cannot be written. Later problems are often parts of it.
    pub(super) fn refuse(&mut self, node: NodeId, what: &str) {
        if !self.problems.is_empty() {
            return;
        }
        let problem = Diagnostic::error(format!("this would read back as {what}"));
        let document = self.compare.document;
        let place = document.span(node).map(|span| document.first_line(span));
        let problem = problem.at(place);
        let hint = if self.mode.had_directives {
            "is EDITED the source rather than its expansion?"
        } else {
            "`--no-directives` reads and saves it as data"
        };
        self.problems.push(*problem.hint(hint));
    }
}

/// The edited values of the anchored nodes of a text that changed.
pub(super) struct AnchorValues<'a> {
    arena: &'a Arena,
    /// The values of the anchors that were visited; `None` for a node that was removed.
    pub values: HashMap<Index, Option<NodeId>>,
}

impl<'a> AnchorValues<'a> {
    pub(super) fn new(arena: &'a Arena) -> AnchorValues<'a> {
        AnchorValues { arena, values: HashMap::new() }
    }

    /// Returns the edited value of an anchored node, `Some(None)` if it was removed; `None`
    /// if it stays as it is.
    pub(super) fn get(&self, anchored: Index) -> Option<Option<NodeId>> {
        self.values.get(&anchored).copied()
    }

    /// Records the edited value of a node if it has an anchor.
    pub(super) fn set(&mut self, i: Index, value: NodeId) {
        if self.arena.anchor(i).is_some() {
            self.values.insert(i, Some(value));
        }
    }

    /// Records that a node and the anchors in it are removed.
    pub(super) fn forget(&mut self, i: Index) {
        if self.arena.anchor(i).is_some() {
            self.values.insert(i, None);
        }
        self.forget_inner(i);
    }

    /// Records that the anchors in a node are removed.
    pub(super) fn forget_inner(&mut self, i: Index) {
        let arena = self.arena;
        if !arena.has(i, flag::HAS_ANCHOR) {
            return;
        }
        let inner = (i + 1..arena.next(i)).filter(|&i| arena.anchor(i).is_some());
        self.values.extend(inner.map(|i| (i, None)));
    }
}

/// A part of the edit that is still to be written.
pub(super) enum Pending {
    Node(Box<PendingNode>),
    /// A new mapping in which the differences from inherited values are to be written.
    Override(u32, Layers, Change<NodeId>),
}

/// A node of the source and the value that it is to expand to.
#[derive(Clone, Debug)]
pub(super) struct PendingNode {
    pub seat: Seat,
    pub source: NodeId,
    pub change: Change<NodeId>,
    /// The index of the collection around it among the ancestors.
    pub frame: Option<usize>,
    pub inherited: Layers,
    /// True if the inherited values will be others after the edit.
    pub inherits_changed: bool,
}

/// A change of a directive of the source.
#[derive(Clone)]
pub(in crate::restore) enum DirectiveChange {
    /// It is replaced by the values it gave, for the given reason.
    WrittenOut(String),
    /// Its key is written in another way.
    Renamed(String),
}

/// The way in which an edit is written into a document.
#[derive(Clone, Copy, Debug)]
pub(in crate::restore) struct PutMode {
    /// True if keys such as `+/a` are directives.
    pub expands_directives: bool,
    /// True if sites with indirect imports are left alone, until the edit is in their
    /// sources.
    pub defers_indirect: bool,
    /// True if a new list may name the inherited items that it keeps.
    pub names_items: bool,
    /// True if the source as it was given has directives, even if none are left.
    pub had_directives: bool,
}

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
                self.out.hints_mut().put_in_brackets(node);
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
        let overridden = change.was.or(layers.last().copied());
        let node = self.values.kept_text(change.now).or(overridden);
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
        let [inherited, edited] = [layer, change.now].map(|list| self.items(list));
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
        let list = self.out.new_list(items);
        if self.is_in_brackets(change, layers) {
            self.out.hints_mut().put_in_brackets(list);
        }
        Some(list)
    }

    pub(super) fn new_values(&mut self, edited: &[NodeId]) -> Vec<NodeId> {
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
        let mut items = Vec::new();
        let mut at = 0;
        let mut names = false;
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
        let item = part.part.view?;
        let pointer = part.pointer.as_ref()?;
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
        let [was, now] = [item, edited].map(|node| self.compare.entries(node));
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
        let part = ListPart::lone(item);
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
        let name = document.string(key)?;
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
pub(super) struct InheritedOrigins(pub HashMap<NodeId, InheritedOrigin>);

pub(super) enum InheritedOrigin {
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
        let mut at = value;
        let mut tokens = Vec::new();
        let pointer = loop {
            match self.0.get(&at)? {
                InheritedOrigin::Import(pointer) => break pointer.clone(),
                InheritedOrigin::Entry(mapping, key) => {
                    tokens.push(document.string(*key)?);
                    at = *mapping;
                }
            }
        };
        let tokens = tokens.iter().rev();
        Some(tokens.fold(pointer, |pointer, token| pointer.child(token)))
    }
}
