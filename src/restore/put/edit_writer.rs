//! The walk through source, expansion and edited expansion, and its state, which the writers of an
//! edit share: the documents, the rules of one attempt, the keys of directives that change, and
//! the values that would read back as something else.

use hashbrown::{HashMap, HashSet};

use super::list_writer::ListWriter;
use super::mapping_writer::{MappingWriter, SiteWriter};
use super::new_values::{NewValues, is_quoted};
use super::override_value::{InheritedOrigins, Origin};
use crate::arena::{Arena, Index, Style, flag};
use crate::compare::EntryKey;
use crate::compile;
use crate::diagnostic::Diagnostic;
use crate::merge::{STRATEGY_KEY, Strategy};
use crate::node::{Kind, NodeId, Seat, SlotId, Tree};
use crate::pointer::JsonPointer;
use crate::restore::compare::{Ancestor, Change, Comparer};
use crate::restore::layers::Layers;
use crate::restore::site::{DocumentEdit, ImportOutcome, SiteImport};
use crate::scalar::Scalar;

/// What the edit of one document has led to.
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
    (compare, out): (&mut Comparer<'a>, &mut Tree),
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
        let moved = !self.anchors.is_empty() && arena.has(i, flag::HAS_ALIAS);
        if same && !moved && !place.inherits_changed && !self.edit.holds_changed(i) {
            return;
        }
        self.anchors.set(i, now);
        if arena.style(i) == Style::Alias {
            return self.write_alias(&place, i, same);
        }
        if !same
            && let Seat::Slot(id, at) = place.seat
            && self.is_needless(&place, i)
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
            && let Some(written) = self.values.tag_of(now)
            && let Some(id) = self.open(place)
        {
            self.out.retag(id, written);
        }
    }

    /// Returns true if an inherited value is the edited one, and the edited text does not
    /// mean to keep what is written.
    fn is_needless(&mut self, place: &PendingNode, i: Index) -> bool {
        !place.inherited.is_empty()
            && self.compare.equals_inherited(&place.inherited, place.change.now)
            && (self.is_written_anew(place, i) || !self.only_loses_children(place))
    }

    /// Writes node `i` of the source, which is neither an alias nor needless.
    fn write_value(&mut self, place: PendingNode, i: Index, same: bool) {
        let (is_marker, is_null) =
            (self.is_marker(place.source), self.source.is_null(place.source));
        match (self.source.kind(place.source), self.kind(place.change.now)) {
            _ if is_marker && same => {}
            // Even where an inherited value would do: the text may hold a variable.
            (Kind::Scalar, _) if same && !is_null => {}
            _ if is_marker => self.replace(&place),
            (Kind::Mapping, Kind::Mapping) if self.is_deferred(i) => {}
            (Kind::Mapping, _) if self.edit.sites.get(i).is_some() => {
                SiteWriter::write(self, place, i);
            }
            (Kind::Mapping, Kind::Mapping) | (Kind::Sequence, Kind::Sequence)
                if self.is_written_anew(&place, i) =>
            {
                self.replace(&place);
            }
            (Kind::Mapping, Kind::Mapping) => self.write_mapping(place),
            (Kind::Sequence, Kind::Sequence) => ListWriter::write(self, &place),
            (Kind::Scalar, Kind::Scalar) if self.is_written_as(&place) => {}
            _ if is_null && self.inherits(&place) => {}
            _ => self.replace(&place),
        }
    }

    fn write_mapping(&mut self, place: PendingNode) {
        let frame = self.push_frame(&place);
        if let Some(id) = self.open(&place) {
            MappingWriter::write(self, id, place, frame);
        }
    }

    /// Returns true if node `i` is a site that is left alone in this attempt.
    fn is_deferred(&self, i: Index) -> bool {
        // What a directive will import is not known until the edit is in its source.
        let mut imports = self.edit.sites.imports(i).iter();
        self.mode.defers_indirect && imports.any(|import| import.indirect)
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
                let (mut was, left) = (self.items(view).into_iter(), self.items(edited));
                let mut stays =
                    |&item: &NodeId| was.any(|it| self.compare.equal(it, item));
                !left.is_empty() && left.iter().all(&mut stays)
            }
            [Kind::Mapping, Kind::Mapping, Kind::Mapping] => {
                let (was, left) =
                    (self.compare.entries(view), self.compare.entries(edited));
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

    fn is_written_as(&mut self, place: &PendingNode) -> bool {
        let null = self.source.is_null(place.source) && !place.inherited.is_empty();
        !null && self.compare.equal(place.source, place.change.now)
    }

    fn inherits(&mut self, place: &PendingNode) -> bool {
        self.compare.equals_inherited(&place.inherited, place.change.now)
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
        if full {
            self.refuse_size();
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
                let origin = Origin::Entry(entry.layer, entry.name);
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
        let compare = &mut *self.compare;
        let mut is_part =
            |at: &usize| part.iter().zip(&all[*at..]).all(|(&a, &b)| compare.equal(a, b));
        (0..=last).find(|at| is_part(at))
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
        let outcome = |import: &SiteImport<'a>| {
            let here = (&self.ancestors[..], frame);
            (*import, self.edit.outcome(import, here, self.compare))
        };
        self.edit.sites.imports(i).iter().map(outcome).collect()
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
        let text = self.key_text(key);
        let head = text.split('/').next().unwrap_or_default().to_owned();
        let tokens = pointer.iter().map(|token| JsonPointer::escape(token));
        let new = tokens.fold(head, |text, token| format!("{text}/{token}"));
        self.rename_directive(id, key, &new);
    }

    /// Makes a directive optional whose value is gone.
    pub(super) fn make_optional(&mut self, id: u32, key: NodeId) {
        let text = self.key_text(key);
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

    fn key_text(&self, key: NodeId) -> String {
        match self.source.scalar(key) {
            Scalar::String(text) => text.into_owned(),
            _ => String::new(),
        }
    }

    /// Returns the slot of a directive; `None` if it comes from `<<`.
    fn directive_slot(&self, id: u32, key: NodeId) -> Option<SlotId> {
        let slots = self.out.children(id);
        slots.ids().find(|&at| slots.get(at).key == Some(key))
    }

    /// Returns true if a key is a directive or a strategy.
    pub(super) fn is_directive_key(&self, key: NodeId) -> bool {
        match self.compare.document.scalar(key) {
            Scalar::String(text) if self.compare.document.kind(key) == Kind::Scalar => {
                self.mode.expands_directives
                    && (compile::is_directive_key(&text) || text == STRATEGY_KEY)
            }
            _ => false,
        }
    }

    /// Reports a new value that would read back as something else.
    pub(super) fn check_value(&mut self, value: NodeId) {
        if !self.mode.expands_directives {
            return;
        }
        let document = self.compare.document;
        let (mut todo, mut met) = (vec![value], HashSet::new());
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
        let Scalar::String(text) = document.scalar(key) else { return };
        if !self.mode.expands_directives {
            return;
        }
        let is = |word| document.is_text(value, word);
        if compile::is_directive_key(&text) {
            self.refuse(key, "a merge directive");
        } else if text == STRATEGY_KEY && (is("whiteout") || is("nullout")) {
            self.refuse(
                key,
                "the strategy `+%`, which removes or empties an inherited entry",
            );
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

    /// Reports that the edit needs more new nodes than allowed.
    pub(super) fn refuse_size(&mut self) {
        if self.problems.is_empty() {
            self.problems.push(*Diagnostic::error("the edit needs too many overrides"));
        }
    }
}

/// The edited values of the anchored nodes of a text that changed.
pub(super) struct AnchorValues<'a> {
    arena: &'a Arena,
    /// `None` stands for a node that was removed.
    values: HashMap<Index, Option<NodeId>>,
}

impl<'a> AnchorValues<'a> {
    pub(super) fn new(arena: &'a Arena) -> AnchorValues<'a> {
        AnchorValues { arena, values: HashMap::new() }
    }

    /// Returns true if no anchor was visited so far.
    pub(super) fn is_empty(&self) -> bool {
        self.values.is_empty()
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
