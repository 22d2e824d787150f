//! The document: the arena of a text and the edits laid over it. Reads follow aliases and
//! `<<`; edits open the nodes along their path.

use std::borrow::Cow;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use super::aliases::AliasState;
use super::hints::{EntryComments, Hints};
use super::homes::Homes;
use super::journal::{Effect, Journal};
use super::merge_sources::MergeSources;
use super::opened::{Body, Kind, Opened, OpenedNodes};
use super::path::Seat;
use super::slots::{NodeId, OpId, Slot, SlotId, Slots};
use crate::arena::{Arena, Index, NONE, Section, Style, flag};
use crate::diagnostic::{Diagnostic, Result};
use crate::scalar::{Dialect, Scalar, Tag};
use crate::source::{FileId, Span};

/// A text and the edits laid over it.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The text it was read from.
    pub(super) base: Arc<Arena>,
    /// The other texts that nodes of it come from, sorted by number.
    others: Vec<Arc<Arena>>,
    pub(super) opened: OpenedNodes,
    /// Nodes that were opened by a search, by written node. They are never in the tree.
    detached: HashMap<(FileId, Index), u32>,
    pub(super) merge_sources: MergeSources,
    roots: Vec<NodeId>,
    pub(super) aliases: AliasState,
    pub(super) homes: Homes,
    /// Nodes that no message shows, made of the values of variables.
    secret: HashSet<NodeId>,
    hints: Hints,
    /// The ops that were applied, by number: the places they were written at.
    history: Vec<Option<Span>>,
    /// The changes of ops, if somebody wants to know them.
    journal: Option<Box<Journal>>,
}

// The roots, the opened nodes and the ops.
impl Tree {
    /// Returns the document of a text, with a root for each document of the stream.
    pub(crate) fn new(arena: Arena) -> Tree {
        Tree::of_shared(Arc::new(arena))
    }

    /// Returns the document of a text that others have too.
    pub(crate) fn of_shared(arena: Arc<Arena>) -> Tree {
        let file = arena.file();
        let roots =
            arena.sections().iter().map(|s| NodeId::Clean(file, s.root)).collect();
        Tree {
            base: arena,
            others: Vec::new(),
            opened: OpenedNodes::default(),
            detached: HashMap::new(),
            merge_sources: MergeSources::default(),
            roots,
            aliases: AliasState::default(),
            homes: Homes::default(),
            secret: HashSet::new(),
            hints: Hints::default(),
            history: Vec::new(),
            journal: None,
        }
    }

    /// The root of the first document of the stream.
    pub fn root(&self) -> NodeId {
        self.roots[0]
    }

    /// The root of every document of the stream.
    pub fn roots(&self) -> &[NodeId] {
        &self.roots
    }

    pub(crate) fn set_roots(&mut self, roots: Vec<NodeId>) {
        self.roots = roots;
    }

    pub(crate) fn add_roots(&mut self, roots: &[NodeId]) {
        self.roots.extend(roots);
    }

    pub(crate) fn opened(&self, id: u32) -> &Opened {
        &self.opened[id]
    }

    pub(crate) fn opened_nodes(&self) -> &[Opened] {
        self.opened.as_slice()
    }

    /// Number of nodes that were opened or made.
    pub fn opened_count(&self) -> usize {
        self.opened.as_slice().len()
    }

    pub(crate) fn into_opened(self) -> Vec<Opened> {
        self.opened.into_vec()
    }

    pub(crate) fn origin(&self, id: u32) -> Option<(FileId, Index)> {
        self.origin_of(NodeId::Opened(id))
    }

    /// Returns the first form of a node: what it was opened from, or what it is a copy of. It
    /// stays the same while the content of the node is edited.
    pub(crate) fn lineage(&self, node: NodeId) -> NodeId {
        let NodeId::Opened(id) = self.follow(node) else { return self.follow(node) };
        let first = self.opened[id].copy_of.unwrap_or(id);
        self.origin(id).map_or(NodeId::Opened(first), |(file, i)| NodeId::Clean(file, i))
    }

    /// Records ops that are about to be applied. Returns the number of the first one.
    pub(crate) fn record_ops(&mut self, ops: impl Iterator<Item = Option<Span>>) -> OpId {
        let first = self.history.len() as OpId;
        self.history.extend(ops);
        first
    }

    /// Number of ops in the history.
    pub(crate) fn op_count(&self) -> OpId {
        self.history.len() as OpId
    }

    /// The place at which an op was written that was applied; `None` if it was built in
    /// code.
    pub fn op_span(&self, op: OpId) -> Option<Span> {
        *self.history.get(op as usize)?
    }
}

// Aliases, and the journal of changes.
impl Tree {
    /// Replaces written node `i` by `node` for all its aliases.
    pub(crate) fn set_alias_value(&mut self, file: FileId, i: Index, node: NodeId) {
        self.aliases.set_value(file, i, node);
    }

    pub(crate) fn alias_value(&self, file: FileId, i: Index) -> Option<NodeId> {
        self.aliases.value(file, i)
    }

    /// Returns true if aliases have followed an edit since the nodes were frozen.
    pub(super) fn aliases_have_followed(&self) -> bool {
        self.aliases.has_followed()
    }

    /// Returns true if aliases stand for something else than what was written.
    pub(crate) fn has_alias_values(&self) -> bool {
        self.aliases.has_values()
    }

    /// Returns what aliases stand for in place of what was written, in the order of texts.
    pub(crate) fn alias_values(&self) -> Vec<NodeId> {
        if !self.has_alias_values() {
            return Vec::new();
        }
        let aliases = self.arenas().flat_map(|arena| {
            arena.aliases().iter().map(|&(_, target)| (arena.file(), target))
        });
        aliases.filter_map(|(file, target)| self.alias_value(file, target)).collect()
    }

    /// Returns true if a node is an alias or has one in it.
    pub(crate) fn has_alias(&mut self, node: NodeId) -> bool {
        let mut todo = vec![node];
        let mut met = HashSet::new();
        while let Some(node) = todo.pop() {
            match node {
                NodeId::Clean(file, i) => {
                    let arena = self.arena(file);
                    if arena.style(i) == Style::Alias || arena.has(i, flag::HAS_ALIAS) {
                        return true;
                    }
                }
                NodeId::Opened(id) if !self.aliases.is_free(id) && met.insert(id) => {
                    todo.extend(self.inside(id));
                }
                NodeId::Opened(_) => {}
            }
        }
        // A frozen node does not change any more, and may be copied again.
        met.retain(|&id| self.opened.is_frozen(id));
        self.aliases.add_free(met);
        false
    }

    /// Begins to note all changes.
    pub(crate) fn start_journal(&mut self) {
        self.journal = Some(Box::new(Journal::new(&self.roots, &self.opened)));
    }

    /// Bounds the number of steps that the ways of all changes together may have.
    pub(crate) fn bound_journal(&mut self, most_steps: usize) {
        self.journal.iter_mut().for_each(|journal| journal.bound(most_steps));
    }

    /// Returns true if changes were not noted since the ways have reached their bound.
    pub(crate) fn has_full_journal(&self) -> bool {
        self.journal.as_ref().is_some_and(|journal| journal.is_full())
    }

    /// Returns the changes since the last call, if there is a journal.
    pub(crate) fn take_effects(&mut self) -> Vec<Effect> {
        self.journal.as_mut().map(|journal| journal.take_effects()).unwrap_or_default()
    }

    /// Returns the opened collections around the place of an effect, inner ones first, if
    /// there is a journal. A collection stays the same one while its way changes.
    pub(crate) fn around(&self, effect: &Effect) -> Vec<u32> {
        self.journal.as_ref().map(|it| it.around(effect.seat)).unwrap_or_default()
    }

    /// Ends the journal. Returns the nodes that copies were made of, by copy.
    pub(crate) fn end_journal(&mut self) -> HashMap<u32, u32> {
        self.journal.take().map(|journal| journal.into_copied()).unwrap_or_default()
    }

    pub(super) fn note_removal(&mut self, id: u32, at: SlotId) {
        let value = self.children(id).get(at).value;
        self.note_change(Seat::Slot(id, at), Some(value), None);
    }

    pub(super) fn note_change(
        &mut self,
        seat: Seat,
        before: Option<NodeId>,
        after: Option<NodeId>,
    ) {
        if let Some(journal) = &mut self.journal
            && before != after
        {
            journal.note(&self.opened, seat, before, after);
        }
    }

    /// Notes for the journal that an op has put a value where an equal one is, which stays.
    pub(crate) fn note_kept(&mut self, seat: Seat, value: NodeId) {
        let before = self.node_at(seat);
        if let Some(journal) = &mut self.journal {
            journal.push(&self.opened, seat, Some(before), Some(value));
        }
    }

    /// Returns true if changes are noted.
    pub(crate) fn has_journal(&self) -> bool {
        self.journal.is_some()
    }
}

// The texts.
impl Tree {
    /// Returns true if nothing was edited.
    pub fn is_clean(&self) -> bool {
        let written = self.base().sections().iter();
        let written = written.map(|section| NodeId::Clean(self.file(), section.root));
        !self.hints.has_dangling()
            && self.roots.iter().zip(written).all(|(root, written)| *root == written)
    }

    /// The text this document was read from.
    pub fn file(&self) -> FileId {
        self.base().file()
    }

    /// The rules it was read by.
    pub fn dialect(&self) -> Dialect {
        self.base().dialect()
    }

    /// The arena of the text this document was read from.
    pub fn base(&self) -> &Arena {
        &self.base
    }

    /// The arena of a text that nodes of this document come from.
    ///
    /// # Panics
    /// The text is no part of this document: the node is one of another document.
    #[inline]
    pub fn arena(&self, file: FileId) -> &Arena {
        if file == self.base.file() {
            return &self.base;
        }
        match self.other(file) {
            Ok(at) => &self.others[at],
            Err(_) => panic!("this is a node of another document"),
        }
    }

    fn other(&self, file: FileId) -> std::result::Result<usize, usize> {
        self.others.binary_search_by_key(&file, |arena| arena.file())
    }

    /// The arenas of all texts that nodes of this document come from.
    pub fn arenas(&self) -> impl Iterator<Item = &Arc<Arena>> {
        std::iter::once(&self.base).chain(&self.others)
    }

    pub(crate) fn shared_base(&self) -> &Arc<Arena> {
        &self.base
    }

    /// Returns a document with `node` as its root and `blank` as its own, empty text.
    pub(crate) fn standalone(&self, node: NodeId, blank: Arena) -> Tree {
        let mut standalone =
            Tree { base: Arc::new(blank), roots: vec![node], ..self.clone() };
        standalone.merge_sources.forget();
        standalone.add_arena(self.shared_base());
        standalone
    }

    /// Returns true if any of the texts has an alias.
    pub fn has_aliases(&self) -> bool {
        self.arenas().any(|arena| !arena.aliases().is_empty())
    }

    /// Adds the arena of another text, whose nodes may then be part of this document.
    /// Fails with a diagnostic if another text has its number, which happens only after
    /// 4 billion texts.
    pub(crate) fn try_add_arena(&mut self, arena: &Arc<Arena>) -> Result<()> {
        let there = self.arenas().find(|there| there.file() == arena.file());
        let other = there.is_some_and(|there| {
            !Arc::ptr_eq(there, arena) && there.text() != arena.text()
        });
        if other {
            return Err(Diagnostic::error("the numbers of texts are used up"));
        }
        self.add_arena(arena);
        Ok(())
    }

    /// Returns true if any node must not be shown in messages.
    pub fn has_secrets(&self) -> bool {
        !self.secret.is_empty() || self.arenas().any(|arena| arena.is_secret())
    }

    /// Adds the arena of another text, or replaces the one with its number.
    pub(crate) fn add_arena(&mut self, arena: &Arc<Arena>) {
        match self.other(arena.file()) {
            _ if arena.file() == self.file() => self.base = arena.clone(),
            Ok(at) if Arc::ptr_eq(&self.others[at], arena) => return,
            Ok(at) => self.others[at] = arena.clone(),
            Err(at) => return self.others.insert(at, arena.clone()),
        }
        self.merge_sources.forget();
    }
}

// Reading.
impl Tree {
    /// The kind of `node`.
    #[inline]
    pub fn kind(&self, node: NodeId) -> Kind {
        match node {
            NodeId::Clean(file, i) => match self.arena(file).style(i) {
                Style::Alias => self.kind_of_alias(node),
                style if style.is_sequence() => Kind::Sequence,
                style if style.is_mapping() => Kind::Mapping,
                _ => Kind::Scalar,
            },
            NodeId::Opened(id) => match self.opened[id].body {
                Body::Scalar(_) => Kind::Scalar,
                Body::Sequence(_) => Kind::Sequence,
                Body::Mapping(_) => Kind::Mapping,
            },
        }
    }

    fn kind_of_alias(&self, alias: NodeId) -> Kind {
        let node = self.follow(alias);
        // An alias without a target stands for nothing.
        if let NodeId::Clean(file, i) = node
            && self.arena(file).style(i) == Style::Alias
        {
            return Kind::Scalar;
        }
        self.kind(node)
    }

    /// The value of a scalar, as bosh would see it here; null for a collection.
    pub fn scalar(&self, node: NodeId) -> Scalar<'_> {
        if let NodeId::Clean(file, i) = node
            && let Some(text) = self.arena(file).plain_string(i)
        {
            return Scalar::String(text.into());
        }
        let scalar = self.scalar_as_written(node);
        match node {
            // The value of a variable is not printed before it is part of the document.
            NodeId::Clean(file, _)
                if file != self.base().file() && !self.arena(file).is_secret() =>
            {
                self.rewritten(scalar)
            }
            NodeId::Clean(..) | NodeId::Opened(_) => scalar,
        }
    }

    /// The value of a scalar in its own text; null for a collection.
    pub fn scalar_as_written(&self, node: NodeId) -> Scalar<'_> {
        match self.follow(node) {
            NodeId::Clean(file, i) => self.arena(file).scalar(i),
            NodeId::Opened(id) => match &self.opened[id].body {
                Body::Scalar(scalar) => scalar.borrowed(),
                Body::Sequence(_) | Body::Mapping(_) => Scalar::Null,
            },
        }
    }

    /// Returns true for a node that is a float in its text.
    pub(super) fn is_float(&self, node: NodeId) -> bool {
        matches!(self.scalar_as_written(node), Scalar::Float(_))
    }

    /// Converts a scalar of another text. bosh prints an op's value and reads it again
    /// before it is part of the document, so that `1.0` becomes the integer 1.
    fn rewritten<'a>(&self, scalar: Scalar<'a>) -> Scalar<'a> {
        match scalar {
            // From 1e6 on yaml.v2 prints an exponent, which reads back as a float.
            Scalar::Float(x) if self.base().dialect() == Dialect::Go && x.abs() < 1e6 => {
                if x.fract() == 0.0 {
                    Scalar::Int(x as i128)
                } else {
                    scalar
                }
            }
            other => other,
        }
    }

    /// The items of a sequence; none for anything else.
    pub fn items(&self, node: NodeId) -> Vec<NodeId> {
        match self.follow(node) {
            _ if self.kind(node) != Kind::Sequence => Vec::new(),
            NodeId::Clean(file, i) => {
                let items = self.arena(file).children(i);
                items.map(|item| NodeId::Clean(file, item)).collect()
            }
            NodeId::Opened(id) => self.children(id).iter().map(|it| it.value).collect(),
        }
    }

    /// Returns true if the document of `root` is absent: the text has comments at most.
    pub fn is_absent(&self, root: NodeId) -> bool {
        self.empty_section(root).is_some_and(|section| section.marker == NONE)
    }

    /// Returns true if the document of `root` is empty: it has a marker and comments at most.
    pub fn is_empty_document(&self, root: NodeId) -> bool {
        self.empty_section(root).is_some()
    }

    /// Returns the positions of the documents that are not empty; of all, if all are.
    pub fn filled_documents(&self) -> Vec<usize> {
        let roots = self.roots().iter().enumerate();
        let filled = roots.filter(|(_, root)| !self.is_empty_document(**root));
        let filled: Vec<usize> = filled.map(|(at, _)| at).collect();
        if filled.is_empty() { (0..self.roots().len()).collect() } else { filled }
    }

    /// Returns the section of a document without a value.
    fn empty_section(&self, root: NodeId) -> Option<&Section> {
        let NodeId::Clean(file, i) = root else { return None };
        let arena = self.arena(file);
        let sections = arena.sections();
        let at = sections.binary_search_by_key(&i, |section| section.root).ok()?;
        arena.is_bare(i).then(|| &sections[at])
    }

    /// Returns true if `node` is the value of a variable or a part of one.
    pub fn is_secret(&self, node: NodeId) -> bool {
        let is_written = match self.follow(node) {
            NodeId::Clean(file, _) => self.arena(file).is_secret(),
            NodeId::Opened(_) => false,
        };
        is_written || self.is_hidden(node)
    }

    /// Returns true if no message shows `node`. The keys of a variable's value are shown.
    pub fn is_hidden(&self, key: NodeId) -> bool {
        self.secret.contains(&self.follow(key))
    }

    /// The tag on `node` with its handle resolved, aliases followed.
    pub fn tag(&self, node: NodeId) -> Option<Cow<'_, str>> {
        let (file, i) = self.tagged_as(self.follow(node))?;
        self.arena(file).resolved_tag(i)
    }

    /// Returns the written node whose tag a node has, or the lack of one.
    pub(crate) fn tagged_as(&self, node: NodeId) -> Option<(FileId, Index)> {
        match node {
            NodeId::Clean(file, i) => Some((file, i)),
            NodeId::Opened(id) => self.opened.get(id)?.tagged_as,
        }
    }

    /// Returns the tag of a node, unless the value shows it: `!Ref` and `!!set`, but not
    /// `!!int`.
    pub(crate) fn own_tag(&self, node: NodeId) -> Option<Cow<'_, str>> {
        self.tag(node).filter(|tag| !Tag::is_shown(tag))
    }

    /// The span of `node`, if it was written.
    pub fn span(&self, node: NodeId) -> Option<Span> {
        let (file, i) = self.origin_of(node)?;
        Some(self.arena(file).span(i))
    }

    /// Returns the first line of a span, for messages.
    pub fn first_line(&self, span: Span) -> Span {
        let text = &self.arena(span.file).text()[span.start as usize..span.end as usize];
        let line = text.lines().next().unwrap_or_default().trim_end().len() as u32;
        Span { end: span.start + line, ..span }
    }

    /// The first line of `node`, or the start of the document if it was never written.
    pub fn first_line_of(&self, node: NodeId) -> Span {
        let start = Span { file: self.file(), start: 0, end: 0 };
        self.first_line(self.span(node).unwrap_or(start))
    }

    /// The Go type that yaml.v2 gives `node`.
    pub fn type_name(&self, node: NodeId) -> &'static str {
        match self.kind(node) {
            Kind::Scalar => self.scalar(node).type_name(),
            Kind::Sequence => "[]interface {}",
            Kind::Mapping => "map[interface {}]interface {}",
        }
    }

    /// Returns true if `node` is null.
    pub fn is_null(&self, node: NodeId) -> bool {
        // A plain null is `~`, `null`, `Null` or `NULL`, in any dialect.
        if let NodeId::Clean(file, i) = node
            && self.arena(file).style(i) == Style::Plain
            && !self.arena(file).has(i, flag::PROPS)
            && self.arena(file).raw(i).len() > "null".len()
        {
            return false;
        }
        self.kind(node) == Kind::Scalar && self.scalar(node) == Scalar::Null
    }

    /// Returns the node that an alias stands for; any other node itself.
    pub fn follow(&self, node: NodeId) -> NodeId {
        match node {
            NodeId::Clean(file, i) if self.arena(file).style(i) == Style::Alias => {
                let target = self.arena(file).target(i);
                self.alias_value(file, target).unwrap_or(NodeId::Clean(file, target))
            }
            NodeId::Clean(..) | NodeId::Opened(_) => node,
        }
    }

    /// The text of a string; `None` for anything else.
    pub fn string(&self, node: NodeId) -> Option<Cow<'_, str>> {
        match self.scalar(node) {
            Scalar::String(text) => Some(text),
            _ => None,
        }
    }

    /// The text of a scalar, whatever its type: of a number, its digits as written.
    pub fn text_of(&self, node: NodeId) -> Cow<'_, str> {
        let node = self.follow(node);
        // Without a tag the type does not change the text.
        if let NodeId::Clean(file, i) = node
            && !self.arena(file).has(i, flag::PROPS)
        {
            return self.arena(file).string(i);
        }
        match (self.scalar(node), node) {
            (Scalar::String(text), _) => text,
            (_, NodeId::Clean(file, i)) => self.arena(file).string(i),
            (_, NodeId::Opened(_)) => Cow::Borrowed(""),
        }
    }

    /// Returns true if `node` is the string `text`.
    pub fn is_text(&self, node: NodeId, text: &str) -> bool {
        // Most keys are plain and on one line: their bytes are their text.
        if let NodeId::Clean(file, i) = node
            && self.arena(file).style(i) == Style::Plain
            && !self.arena(file).has(i, flag::MULTILINE)
            && self.arena(file).raw(i) != text
        {
            return false;
        }
        matches!(self.scalar(node), Scalar::String(found) if found == text)
            && self.kind(node) == Kind::Scalar
    }
}

// Opening and editing.
impl Tree {
    /// The slots of opened collection `id`.
    pub fn children(&self, id: u32) -> &Slots {
        self.opened[id].slots()
    }

    pub(super) fn children_mut(&mut self, id: u32) -> &mut Slots {
        self.opened[id].slots_mut()
    }

    pub(crate) fn node_at(&self, seat: Seat) -> NodeId {
        match seat {
            Seat::Root(at) => self.roots[at],
            Seat::Slot(id, at) => self.children(id).get(at).value,
            Seat::Detached(node) => node,
        }
    }

    /// Replaces the node at a seat, by an op if one is given.
    pub(crate) fn set_at(&mut self, seat: Seat, node: NodeId, by: Option<OpId>) {
        let is_edit = self.node_at(seat) != node;
        let seat = if is_edit { self.seat_of_edit(seat) } else { seat };
        let before = self.node_at(seat);
        self.note_change(seat, Some(before), Some(node));
        if is_edit {
            self.leave_inside(seat);
            let is_followed = self.follow_edit(seat, node);
            if let Some(journal) = self.journal.as_mut().filter(|_| is_followed) {
                journal.note_followed(before);
            }
        }
        match seat {
            Seat::Root(at) => self.roots[at] = node,
            Seat::Slot(id, at) => {
                let slot = self.children_mut(id).get_mut(at);
                // An edit without an op, such as a variable, keeps the op that made the
                // slot.
                slot.value = node;
                slot.by = by.or(slot.by);
                self.opened[id].lookup.mark_changed(None, at);
            }
            Seat::Detached(_) => {}
        }
    }

    /// Opens the collection at a seat; `None` for a scalar. The target of an alias, and
    /// any node that may stand elsewhere too, is copied first; if `attach` is false, the
    /// copy does not become part of the tree, so that a search changes nothing.
    pub(crate) fn open(&mut self, seat: Seat, attach: bool) -> Option<u32> {
        if !attach {
            return self.open_here(seat, attach);
        }
        let seat = self.seat_of_edit(seat);
        let id = self.open_here(seat, attach)?;
        self.follow_edit(seat, NodeId::Opened(id));
        Some(id)
    }

    /// Opens the collection at a seat, without following an alias to its home.
    pub(super) fn open_here(&mut self, seat: Seat, attach: bool) -> Option<u32> {
        let seated = self.node_at(seat);
        let node = self.follow(seated);
        let NodeId::Clean(file, i) = node else {
            let NodeId::Opened(id) = node else { return None };
            let copies = attach && self.opened.is_frozen(id);
            let id = (self.kind(node) != Kind::Scalar).then_some(id)?;
            return Some(if copies { self.copy_frozen(seat, id) } else { id });
        };
        let seated = match seat {
            // A collection that may stand in several places keeps what a search finds in it
            // as it is: copies of it would share what was opened.
            Seat::Slot(id, _) if !attach && self.opened.is_frozen(id) => None,
            Seat::Detached(_) => None,
            Seat::Root(_) | Seat::Slot(..) => (attach || node == seated).then_some(seat),
        };
        if seated.is_none()
            && let Some(&id) = self.detached.get(&(file, i))
        {
            return Some(id);
        }
        let slots = Slots::new(self.slots(NodeId::Clean(file, i)).into_owned());
        let body = match self.kind(node) {
            Kind::Scalar => return None,
            Kind::Sequence => Body::Sequence(slots),
            Kind::Mapping => Body::Mapping(slots),
        };
        let id = self.push(Some((file, i)), body);
        match seated {
            Some(seat) => {
                self.note_written(seat, id);
                self.replace_at(seat, NodeId::Opened(id));
            }
            None => drop(self.detached.insert((file, i), id)),
        }
        Some(id)
    }

    /// Replaces the node at a seat by one that means the same: indexes stay valid.
    pub(super) fn replace_at(&mut self, seat: Seat, node: NodeId) {
        if let Some(journal) = &mut self.journal {
            journal.note_seat(seat, node);
        }
        match seat {
            Seat::Root(at) => self.roots[at] = node,
            Seat::Slot(id, at) => self.children_mut(id).get_mut(at).value = node,
            Seat::Detached(_) => {}
        }
    }

    fn push(&mut self, was: Option<(FileId, u32)>, body: Body) -> u32 {
        let merges = match &body {
            Body::Mapping(slots) => self.merge_slots(slots),
            Body::Scalar(_) | Body::Sequence(_) => Vec::new(),
        };
        self.opened.push(Opened::new(was, body, merges))
    }

    pub(crate) fn new_text(&mut self, text: &str) -> NodeId {
        self.new_scalar(Scalar::String(text.to_owned().into()))
    }

    pub(crate) fn new_secret(&mut self, text: &str) -> NodeId {
        let node = self.new_text(text);
        self.hide(node);
        node
    }

    pub(crate) fn hide(&mut self, node: NodeId) {
        self.secret.insert(node);
    }

    pub(crate) fn new_null(&mut self) -> NodeId {
        self.new_scalar(Scalar::Null)
    }

    /// Makes a list of nodes, which stays outside of the document.
    pub fn new_list(&mut self, items: impl IntoIterator<Item = NodeId>) -> NodeId {
        let items = items.into_iter().map(|value| Slot::new(None, value, None));
        NodeId::Opened(self.push(None, Body::Sequence(Slots::new(items.collect()))))
    }

    pub(crate) fn new_sequence(&mut self) -> NodeId {
        self.new_list([])
    }

    pub(crate) fn new_mapping(
        &mut self,
        entries: &[(&str, &str)],
        by: Option<OpId>,
    ) -> NodeId {
        let slots = entries.iter().map(|(key, value)| {
            Slot::new(Some(self.new_text(key)), self.new_text(value), by)
        });
        let slots = Slots::new(slots.collect());
        NodeId::Opened(self.push(None, Body::Mapping(slots)))
    }

    /// Returns the span of a seat for messages: the first line of its key or node.
    pub(crate) fn span_at(&self, seat: Seat) -> Option<Span> {
        let slot = match seat {
            Seat::Slot(id, at) => Some(self.children(id).get(at)),
            Seat::Root(_) | Seat::Detached(_) => None,
        };
        let key = slot.and_then(|slot| self.span(slot.key?));
        Some(self.first_line(key.or_else(|| self.span(self.node_at(seat)))?))
    }

    pub(crate) fn new_text_like(&mut self, text: &str, was: NodeId) -> NodeId {
        let scalar = Scalar::String(text.to_owned().into());
        NodeId::Opened(self.push(self.origin_of(was), Body::Scalar(scalar)))
    }

    /// Returns a seat outside of the tree in which `node` can be opened.
    pub(crate) fn scratch_seat(&mut self, node: NodeId) -> Seat {
        let slot = Slot::new(None, node, None);
        Seat::Slot(self.push(None, Body::Sequence(Slots::new(vec![slot]))), 0)
    }

    /// Returns the hints for printing that edits left.
    pub(crate) fn hints(&self) -> &Hints {
        &self.hints
    }

    pub(crate) fn hints_mut(&mut self) -> &mut Hints {
        &mut self.hints
    }

    /// Returns the comments that an edit gave to an entry.
    pub(crate) fn comments(&self, slot: &Slot) -> Option<&EntryComments> {
        self.hints.comments(slot.comments?)
    }

    pub(crate) fn new_scalar(&mut self, scalar: Scalar<'static>) -> NodeId {
        NodeId::Opened(self.push(None, Body::Scalar(scalar)))
    }

    /// Appends opened nodes of another document. Returns the shift of their numbers.
    pub(crate) fn append_opened(&mut self, opened: &[Opened]) -> u32 {
        self.opened.append(opened)
    }

    /// Declares that all opened nodes may stand in several places from now on.
    pub(crate) fn freeze(&mut self) {
        self.opened.freeze();
    }

    /// Declares that a value may stand in several places from now on.
    // A copy of all opened nodes for each of many ops would take quadratic time and memory.
    pub(crate) fn freeze_within(&mut self, value: NodeId) {
        // An alias may stand for an opened node elsewhere.
        if self.has_alias(value) {
            return self.freeze();
        }
        let mut todo = vec![value];
        while let Some(node) = todo.pop() {
            if let NodeId::Opened(id) = node
                && !self.opened.is_frozen(id)
            {
                self.opened.share(id);
                todo.extend(self.inside(id));
            }
        }
    }

    /// Replaces opened node `id` at a seat by a copy, which may change.
    fn copy_frozen(&mut self, seat: Seat, id: u32) -> u32 {
        let node = id;
        let copy_of = Some(self.opened[node].copy_of.unwrap_or(node));
        let copy = Opened { copy_of, ..self.opened[node].shifted(0) };
        let id = self.opened.push(copy);
        if let Some(journal) = &mut self.journal {
            journal.note_copy(node, id);
        }
        self.note_home(seat, node, id);
        self.replace_at(seat, NodeId::Opened(id));
        id
    }

    /// Makes an empty collection in the style of `was`.
    pub(crate) fn new_collection_like(&mut self, was: NodeId, kind: Kind) -> u32 {
        let body = match kind {
            Kind::Sequence => Body::Sequence(Slots::default()),
            Kind::Mapping | Kind::Scalar => Body::Mapping(Slots::default()),
        };
        self.push(self.origin_of(was), body)
    }

    pub(super) fn inside(&self, id: u32) -> impl Iterator<Item = NodeId> {
        self.children(id).iter().flat_map(Slot::nodes)
    }

    /// The written node that `node` is or was opened from.
    pub(crate) fn origin_of(&self, node: NodeId) -> Option<(FileId, Index)> {
        match node {
            NodeId::Clean(file, i) => Some((file, i)),
            NodeId::Opened(id) => self.opened.get(id)?.was,
        }
    }
}
