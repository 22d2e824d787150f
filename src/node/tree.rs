//! The document: the arena of a text and the edits laid over it. Reads follow aliases and
//! `<<`; edits open the nodes along their path.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use super::aliases::{AliasState, Aliases};
use super::hints::{EntryComments, Hints};
use super::journal::{Effect, Journal};
use super::lookup::{ItemIndex, KeyDigests, KeyIndex, Lookup, MatchIndex};
use super::merge_sources::{MergeSources, Provided};
use super::opened::{Body, Kind, Opened, OpenedNodes};
use super::path::Seat;
use super::slots::{NodeId, OpId, Slot, SlotId, Slots};
use super::texts::Texts;
use crate::arena::{Arena, Index, NONE, Style, flag};
use crate::diagnostic::{Diagnostic, Result};
use crate::scalar::{Dialect, Identity, Scalar, Tag};
use crate::source::{FileId, Span};

/// A text and the edits laid over it.
#[derive(Clone, Debug)]
pub struct Tree {
    texts: Texts,
    opened: OpenedNodes,
    /// Nodes that were opened by a search, by written node. They are never in the tree.
    detached: HashMap<(FileId, Index), u32>,
    /// The values by string key that the value of a `<<` provides, by written node. A
    /// path through the mapping would otherwise read all its sources for each key.
    merged: HashMap<(FileId, Index), HashMap<Box<str>, NodeId>>,
    /// The effective entries of the sources of `<<` as they were written.
    merge_sources: MergeSources,
    roots: Vec<NodeId>,
    aliases: AliasState,
    /// Nodes that no message shows, made of the values of variables.
    secret: HashSet<NodeId>,
    hints: Hints,
    /// The ops that were applied, by number: the places they were written at.
    history: Vec<Option<Span>>,
    /// The changes of ops, if somebody wants to know them.
    journal: Option<Box<Journal>>,
}

// The texts and the roots.
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
            texts: Texts::new(arena),
            opened: OpenedNodes::default(),
            detached: HashMap::new(),
            merged: HashMap::new(),
            merge_sources: MergeSources::default(),
            roots,
            aliases: AliasState::default(),
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
        self.opened.get(id)?.was
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

    /// Sets the effect of the next edits on aliases. If they keep the old value, edits of
    /// nodes with aliases are noted only if that is to be told.
    pub(crate) fn start_alias_edits(&mut self, aliases: Aliases, is_told: bool) {
        if self.aliases.start(self.texts.base(), aliases, is_told) {
            self.freeze();
        }
    }

    /// Returns the nodes with aliases that were edited meanwhile, each with the places of
    /// its aliases.
    pub(crate) fn end_alias_edits(&mut self) -> Vec<(Span, Vec<Span>)> {
        self.aliases.end(self.texts.base())
    }

    /// Returns the seat at which an edit has to happen. For an alias that follows its anchor
    /// it is that of the anchor's node.
    fn seat_of_edit(&mut self, seat: Seat) -> Seat {
        if !self.aliases.has_edits() {
            return seat;
        }
        let (written, is_alias) = match self.node_at(seat) {
            NodeId::Clean(file, i) => {
                let arena = self.arena(file);
                (Some((file, arena.target(i))), arena.style(i) == Style::Alias)
            }
            NodeId::Opened(id) => (self.opened[id].was, false),
        };
        let followed = written.filter(|&(file, i)| self.aliases.note_edit(file, i));
        let anchored = followed.filter(|_| is_alias);
        anchored.and_then(|(file, i)| self.seat_of_written(file, i)).unwrap_or(seat)
    }

    /// Returns the seat of a node as it was written, if it is still there. The collections
    /// on the way are opened.
    fn seat_of_written(&mut self, file: FileId, i: Index) -> Option<Seat> {
        let root = self.arena(file).sections().iter().rposition(|it| it.root <= i)?;
        let mut seat = Seat::Root(root);
        loop {
            let id = match self.node_at(seat) {
                NodeId::Clean(_, here) if here == i => return Some(seat),
                NodeId::Opened(id) if self.opened[id].was == Some((file, i)) => {
                    return Some(seat);
                }
                _ => self.open_as_is(seat)?,
            };
            let arena = self.arena(file);
            let slots = self.children(id);
            let holds = |&at: &SlotId| {
                let value = slots.get(at).value;
                let written = match value {
                    NodeId::Clean(in_file, here) => Some((in_file, here)),
                    NodeId::Opened(id) => self.opened[id].was,
                };
                written.is_some_and(|(in_file, here)| {
                    in_file == file && (here..arena.next(here)).contains(&i)
                })
            };
            seat = Seat::Slot(id, slots.ids().find(holds)?);
        }
    }

    /// Replaces the node at a seat without an effect on aliases.
    pub(crate) fn set_as_is(&mut self, seat: Seat, node: NodeId) {
        let edits = self.aliases.take_edits();
        self.set_at(seat, node, None);
        self.aliases.restore_edits(edits);
    }

    /// Opens the collection at a seat without an effect on aliases.
    pub(crate) fn open_as_is(&mut self, seat: Seat) -> Option<u32> {
        let edits = self.aliases.take_edits();
        let id = self.open(seat, true);
        self.aliases.restore_edits(edits);
        id
    }

    /// Gives the aliases of a written node its new value, if they follow. Returns true if
    /// they do.
    fn follow_edit(&mut self, written: Option<(FileId, Index)>, node: NodeId) -> bool {
        written.is_some_and(|(file, i)| self.aliases.follow_edit(file, i, node))
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

    fn note_removal(&mut self, id: u32, at: SlotId) {
        let value = self.children(id).get(at).value;
        if let Some((file, i)) = self.origin_of(value) {
            self.aliases.note_removal(file, i);
        }
        self.note_change(Seat::Slot(id, at), Some(value), None);
    }

    fn note_change(&mut self, seat: Seat, before: Option<NodeId>, after: Option<NodeId>) {
        if let Some(journal) = &mut self.journal
            && before != after
        {
            journal.note(&self.opened, seat, before, after);
        }
    }

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
        self.texts.base()
    }

    /// The arena of a text that nodes of this document come from.
    ///
    /// # Panics
    /// The text is no part of this document: the node is one of another document.
    #[inline]
    pub fn arena(&self, file: FileId) -> &Arena {
        self.texts.arena(file)
    }

    /// The arenas of all texts that nodes of this document come from.
    pub fn arenas(&self) -> impl Iterator<Item = &Arc<Arena>> {
        self.texts.all()
    }

    pub(crate) fn shared_base(&self) -> &Arc<Arena> {
        self.texts.base()
    }

    /// Returns a document with `node` as its root and `blank` as its own, empty text.
    pub(crate) fn standalone(&self, node: NodeId, blank: Arena) -> Tree {
        let mut standalone = Tree {
            texts: Texts::new(Arc::new(blank)),
            roots: vec![node],
            merge_sources: MergeSources::default(),
            ..self.clone()
        };
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
        if self.texts.add(arena) {
            self.merge_sources = MergeSources::default();
        }
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

    /// Returns true if a node is an alias or has one in it.
    pub(crate) fn has_alias(&mut self, node: NodeId) -> bool {
        let (mut todo, mut met) = (vec![node], HashSet::new());
        while let Some(node) = todo.pop() {
            match node {
                NodeId::Clean(file, i) => {
                    let arena = self.arena(file);
                    if arena.style(i) == Style::Alias || arena.has(i, flag::HAS_ALIAS) {
                        return true;
                    }
                }
                NodeId::Opened(id) if !self.aliases.is_free(id) && met.insert(id) => {
                    let nodes = |slot: &Slot| slot.key.into_iter().chain([slot.value]);
                    todo.extend(self.children(id).iter().flat_map(nodes));
                }
                NodeId::Opened(_) => {}
            }
        }
        // What is frozen does not change any more, and may be copied again.
        met.retain(|&id| self.opened.is_frozen(id));
        self.aliases.add_free(met);
        false
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
            NodeId::Clean(file, i) if self.kind(node) == Kind::Sequence => self
                .arena(file)
                .children(i)
                .map(|item| NodeId::Clean(file, item))
                .collect(),
            NodeId::Clean(..) => Vec::new(),
            NodeId::Opened(id) => match &self.opened[id].body {
                Body::Sequence(slots) => slots.iter().map(|slot| slot.value).collect(),
                Body::Scalar(_) | Body::Mapping(_) => Vec::new(),
            },
        }
    }

    /// The entries of a mapping, each key once, `<<` followed; none for anything else.
    pub fn pairs(&self, node: NodeId) -> Vec<(NodeId, NodeId)> {
        self.effective_pairs(node).0
    }

    /// The entries of a mapping, each key once, and the number of overridden entries.
    pub fn effective_pairs(&self, node: NodeId) -> (Vec<(NodeId, NodeId)>, usize) {
        match self.distinct(node) {
            Some(pairs) => (pairs, 0),
            None => EffectivePairs::collected(self, node),
        }
    }

    /// The entries of a mapping as written, if it surely has no `<<` and no duplicates.
    fn distinct(&self, node: NodeId) -> Option<Vec<(NodeId, NodeId)>> {
        let pairs: Vec<(NodeId, NodeId)> = match self.follow(node) {
            NodeId::Clean(file, i) if self.kind(node) == Kind::Mapping => {
                let arena = self.arena(file);
                if self.has_written_merge(file, i) {
                    return None;
                }
                let pair =
                    |(key, value)| (NodeId::Clean(file, key), NodeId::Clean(file, value));
                arena.entries(i).map(pair).collect()
            }
            NodeId::Clean(..) => Vec::new(),
            NodeId::Opened(id) => match &self.opened[id] {
                Opened { merges, .. } if !merges.is_empty() => return None,
                Opened { body: Body::Mapping(slots), .. } => slots
                    .iter()
                    .filter_map(|slot| Some((slot.key?, slot.value)))
                    .collect(),
                _ => Vec::new(),
            },
        };
        // Sorting digests is much cheaper than a set of identities, which own their
        // strings.
        let several = if pairs.len() > 1 { &pairs[..] } else { &[] };
        let mut digests = Vec::with_capacity(several.len());
        for &(key, _) in several {
            if self.kind(key) != Kind::Scalar {
                return None;
            }
            digests.push(self.scalar(key).identity().digest());
        }
        digests.sort_unstable();
        digests.is_sorted_by(|a, b| a < b).then_some(pairs)
    }

    /// Returns the own entries of opened mapping `id` that another entry overrides.
    pub(crate) fn passed_slots(&self, id: u32) -> HashSet<SlotId> {
        let node = NodeId::Opened(id);
        if self.distinct(node).is_some() {
            return HashSet::new();
        }
        let kept: HashSet<(NodeId, NodeId)> = self.pairs(node).into_iter().collect();
        let slots = self.children(id);
        let is_passed = |slot: &Slot| {
            let pair = slot.key.map(|key| (key, slot.value));
            pair.is_some_and(|pair| !kept.contains(&pair)) && !self.is_merge(slot)
        };
        slots.ids().filter(|&at| is_passed(slots.get(at))).collect()
    }

    fn merged_pairs(&self, value: NodeId) -> Vec<(NodeId, NodeId)> {
        EffectivePairs::of_sources(self, value).collect().0
    }

    /// Returns the value of the string key `key` of a mapping.
    pub fn get(&self, node: NodeId, key: &str) -> Option<NodeId> {
        self.find_slot(node, key).map(|slot| slot.value)
    }

    /// Returns the effective entry of the string key `key` of a mapping: an own one, or
    /// the one that a `<<` provides.
    pub(crate) fn find_slot(&self, node: NodeId, key: &str) -> Option<Slot> {
        let is = |k: NodeId| self.is_named(k, key);
        let merges = |k: NodeId| self.is_merge_key(k);
        let (found, merges) = match self.follow(node) {
            NodeId::Clean(file, i) if self.kind(node) == Kind::Mapping => {
                let arena = self.arena(file);
                let slots = arena.entries(i).map(|entry| written_entry(arena, entry));
                last(slots, is, merges)
            }
            NodeId::Opened(id) => last(self.children(id).iter().copied(), is, merges),
            NodeId::Clean(..) => return None,
        };
        // Without `<<` the last entry counts, and the others need not be compared.
        if !merges {
            return found;
        }
        EffectivePairs::of(self, node).find(key)
    }

    /// Returns true if the document of `root` is absent: the text has comments at most.
    pub fn is_absent(&self, root: NodeId) -> bool {
        let NodeId::Clean(file, i) = root else { return false };
        let arena = self.arena(file);
        let Ok(at) = arena.sections().binary_search_by_key(&i, |section| section.root)
        else {
            return false;
        };
        arena.sections()[at].marker == NONE && arena.is_bare(i)
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
        let (file, i) = match self.follow(node) {
            NodeId::Clean(file, i) => (file, i),
            NodeId::Opened(id) => self.opened.get(id)?.tagged_as?,
        };
        self.arena(file).resolved_tag(i)
    }

    /// Gives an opened node the tag of a written one, or none if that has none.
    pub(crate) fn retag(&mut self, id: u32, written: (FileId, Index)) {
        self.opened[id].tagged_as = Some(written);
    }

    /// Returns the written node whose tag a node has, or the lack of one.
    pub(crate) fn tagged_as(&self, node: NodeId) -> Option<(FileId, Index)> {
        match node {
            NodeId::Clean(file, i) => Some((file, i)),
            NodeId::Opened(id) => self.opened(id).tagged_as,
        }
    }

    /// Returns the tag of a node, unless the value shows it: `!Ref` and `!!set`, but not
    /// `!!int`.
    pub(crate) fn own_tag(&self, node: NodeId) -> Option<Cow<'_, str>> {
        self.tag(node).filter(|tag| !Tag::is_shown(tag))
    }

    /// The span of `node`, if it was written.
    pub fn span(&self, node: NodeId) -> Option<Span> {
        match node {
            NodeId::Clean(file, i) => Some(self.arena(file).span(i)),
            NodeId::Opened(id) => {
                let (file, i) = self.opened.get(id)?.was?;
                Some(self.arena(file).span(i))
            }
        }
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

    /// The children of a collection as written, `<<` and duplicates included. Of a text of
    /// yaml.v2 in a document of another dialect, entries before a `<<` that overrides them
    /// are left out: in that dialect they would override it.
    pub fn slots(&self, node: NodeId) -> Cow<'_, [Slot]> {
        let mut slots = self.all_slots(node);
        if let NodeId::Clean(file, i) = self.follow(node)
            && self.arena(file).dialect() == Dialect::Go
            && self.dialect() != Dialect::Go
            && self.has_written_merge(file, i)
        {
            let overridden = self.merge_sources.overridden(self.arena(file));
            let stays =
                |slot: &Slot| !slot.was.is_some_and(|key| overridden.contains(&key));
            slots.to_mut().retain(stays);
        }
        slots
    }

    /// The children of a collection as written, the overridden ones included.
    fn all_slots(&self, node: NodeId) -> Cow<'_, [Slot]> {
        match self.follow(node) {
            NodeId::Clean(file, i) => Cow::Owned(written_slots(self.arena(file), i)),
            NodeId::Opened(id) => match &self.opened[id].body {
                Body::Scalar(_) => Cow::Borrowed(&[]),
                Body::Sequence(slots) | Body::Mapping(slots) => slots.to_slice(),
            },
        }
    }

    /// Returns the keys of a mapping that merge others into it.
    pub(crate) fn merge_keys(&self, mapping: NodeId) -> Vec<NodeId> {
        match self.follow(mapping) {
            NodeId::Clean(file, i) if self.kind(mapping) == Kind::Mapping => {
                let arena = self.arena(file);
                let keys = arena.entries(i).map(|(key, _)| key);
                let merges = keys.filter(|&key| arena.has(key, flag::MERGE_KEY));
                merges.map(|key| NodeId::Clean(file, key)).collect()
            }
            NodeId::Clean(..) => Vec::new(),
            NodeId::Opened(id) => {
                let slots = self.children(id);
                let keys = self.merges(id).into_iter().map(|at| slots.get(at).key);
                keys.flatten().collect()
            }
        }
    }

    /// Returns true if a written mapping has an entry with the key `<<`.
    pub(super) fn has_written_merge(&self, file: FileId, i: Index) -> bool {
        let arena = self.arena(file);
        arena.style(i).is_mapping()
            && arena.entries(i).any(|(key, _)| arena.has(key, flag::MERGE_KEY))
    }

    /// Returns true if `slot` is an entry with the key `<<`.
    pub fn is_merge(&self, slot: &Slot) -> bool {
        slot.key.is_some_and(|key| self.is_merge_key(key))
    }

    pub(crate) fn is_merge_key(&self, key: NodeId) -> bool {
        match key {
            NodeId::Clean(file, i) => self.arena(file).has(i, flag::MERGE_KEY),
            NodeId::Opened(_) => false,
        }
    }

    /// Returns true if `key` is the string key `name`.
    fn is_named(&self, key: NodeId, name: &str) -> bool {
        self.is_text(key, name) && !self.is_nameless(key)
    }

    /// Returns true for a merge key in Go's dialect, which is no key once it was read.
    fn is_nameless(&self, key: NodeId) -> bool {
        self.is_merge_key(key) && self.dialect() == Dialect::Go
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

// The sources of `<<`.
impl Tree {
    /// Returns the sources that the value of a `<<` names, the strongest first.
    fn sources(&self, value: NodeId) -> Vec<NodeId> {
        let value = self.follow(value);
        match self.kind(value) {
            Kind::Sequence => {
                self.items(value).into_iter().map(|item| self.follow(item)).collect()
            }
            Kind::Mapping => vec![value],
            Kind::Scalar => Vec::new(),
        }
    }

    /// Returns the sources of a mapping.
    fn merging_sources(&self, mapping: NodeId) -> Vec<NodeId> {
        let slots = self.all_slots(mapping);
        let merges = slots.iter().filter(|slot| self.is_merge(slot));
        merges.flat_map(|slot| self.sources(slot.value)).collect()
    }

    /// Returns what a source with sources of its own provides, if that is known.
    fn provided(&self, source: NodeId) -> Option<(FileId, Provided)> {
        let (file, i) = self.merging(source)?;
        Some((file, self.merge_sources.get((file, i))?))
    }

    /// Returns a written mapping with a `<<`, of which no edit changes what it provides.
    fn merging(&self, source: NodeId) -> Option<(FileId, Index)> {
        let NodeId::Clean(file, i) = source else { return None };
        (!self.has_alias_values() && self.has_written_merge(file, i)).then_some((file, i))
    }

    /// Finds out what sources provide that have sources of their own, inner ones first.
    // A chain of sources would otherwise be read from its end to its start for each link.
    fn learn(&self, sources: Vec<NodeId>) {
        let known = &self.merge_sources;
        let is_new = |source: NodeId| {
            self.merging(source).filter(|&source| !known.has(source)).is_some()
        };
        let mut todo = sources;
        while let Some(&source) = todo.last() {
            let written = self.merging(source).filter(|&source| !known.has(source));
            let Some((file, i)) = written else {
                todo.pop();
                continue;
            };
            if known.is_full() {
                return;
            }
            let before = todo.len();
            let inner = self.merging_sources(source).into_iter();
            todo.extend(inner.filter(|&inner| is_new(inner)));
            if todo.len() > before {
                continue;
            }
            todo.pop();
            let mut search = EffectivePairs::new(self);
            search.push_mapping(source);
            let index = |node| match node {
                NodeId::Clean(_, i) => Some(i),
                NodeId::Opened(_) => None,
            };
            let (pairs, passed) = search.collect();
            let entry = |(key, value)| Some((index(key)?, index(value)?));
            let entries = pairs.into_iter().filter_map(entry).collect();
            known.insert((file, i), Provided { entries, passed });
        }
    }
}

// Look-ups.
impl Tree {
    /// Returns the last own slot of opened mapping `id` with the string key `key`.
    pub(crate) fn find_key(&mut self, id: u32, key: &str) -> Option<SlotId> {
        let lookup = &mut self.opened[id].lookup;
        if let Some(keys) = &lookup.keys {
            return keys.get(key);
        }
        // Most mappings are searched once, and then reading their keys is cheaper than
        // indexing them.
        if std::mem::replace(&mut lookup.searched, true) {
            let keys = self.index_keys(id);
            let found = keys.get(key);
            self.opened[id].lookup.keys = Some(keys);
            return found;
        }
        let is = |slot: &Slot| slot.key.is_some_and(|k| self.is_named(k, key));
        let slots = self.children(id);
        slots.ids().filter(|&at| is(slots.get(at))).last()
    }

    /// Returns the string keys of opened mapping `id`, sorted by their bytes; instead of a
    /// hidden one, `hidden`. Many ops may fail at one mapping: they are kept.
    pub(crate) fn sorted_keys(&mut self, id: u32, hidden: &str) -> Arc<Vec<String>> {
        let has_merges = self.has_merges(id);
        let kept = self.opened[id].lookup.names.clone();
        if let Some(names) = kept.filter(|_| !has_merges) {
            return names;
        }
        let text = |key: NodeId| {
            if self.is_hidden(key) {
                return Some(hidden.to_owned());
            }
            Some(self.string(key)?.into_owned())
        };
        let pairs = self.pairs(NodeId::Opened(id)).into_iter();
        let mut names: Vec<String> = pairs.filter_map(|(key, _)| text(key)).collect();
        names.sort_unstable();
        let names = Arc::new(names);
        self.opened[id].lookup.names = Some(names.clone());
        names
    }

    fn index_keys(&self, id: u32) -> KeyIndex {
        let mut keys = KeyIndex::default();
        let slots = self.children(id);
        for at in slots.ids() {
            let Some(key) = slots.get(at).key else { continue };
            match self.string(key).filter(|_| !self.is_nameless(key)) {
                Some(text) => keys.insert(text.into(), at),
                None => keys.has_others = true,
            }
        }
        keys
    }

    /// Returns true if all keys of opened mapping `id` are known to be strings, and none of
    /// them is `<<`.
    pub(crate) fn has_only_strings(&self, id: u32) -> bool {
        let keys = self.opened[id].lookup.keys.as_ref();
        keys.is_some_and(|keys| !keys.has_others) && !self.has_merges(id)
    }

    pub(crate) fn key_digests(&self, id: u32) -> KeyDigests {
        let mut digests = KeyDigests::default();
        let slots = self.children(id);
        for at in slots.ids() {
            let key = slots.get(at).key.and_then(|key| self.identity_as_written(key));
            if let Some(key) = key {
                digests.of(key.digest()).push(at);
            }
        }
        digests
    }

    /// Returns the mappings in sequence `id` with the string `value` at `key`, in order.
    pub(crate) fn find_matches(
        &mut self,
        id: u32,
        key: &str,
        value: &str,
    ) -> Vec<SlotId> {
        let mut index = self.match_index(id, key);
        for at in std::mem::take(&mut index.stale) {
            self.index_item(id, at, &mut index);
        }
        let slots = self.children(id);
        let mut found = index.find(value, |at| {
            let item = slots.holds(at).then(|| slots.get(at).value)?;
            self.string(self.get(item, key)?)
        });
        found.sort_by_cached_key(|&at| slots.position(at));
        self.opened[id].lookup.matches.push(index);
        found
    }

    fn match_index(&mut self, id: u32, key: &str) -> MatchIndex {
        if let Some(index) = self.opened[id].lookup.take_match(key) {
            return index;
        }
        let slots = self.children(id);
        let mut index = MatchIndex::new(key, slots.len());
        for at in slots.ids() {
            self.index_item(id, at, &mut index);
        }
        index
    }

    fn index_item(&self, id: u32, at: SlotId, index: &mut MatchIndex) {
        let slots = self.children(id);
        if !slots.holds(at) {
            return;
        }
        let part = self.get(slots.get(at).value, &index.key);
        if let Some(value) = part.and_then(|part| self.string(part)) {
            index.insert(&value, at);
        }
    }

    /// Returns true if opened sequence `id` has an item that equals a node, as
    /// [`equal`](Tree::equal) has it.
    pub(crate) fn has_item(&mut self, id: u32, value: NodeId) -> bool {
        let lookup = &mut self.opened[id].lookup;
        // Aliases that follow change items that no index hears of.
        if !std::mem::replace(&mut lookup.searched, true) || self.aliases.has_followed() {
            let mut slots = self.children(id).iter();
            return slots.any(|slot| self.equal(slot.value, value));
        }
        let index = lookup.items.take();
        let mut index = index.unwrap_or_else(|| ItemIndex {
            stale: self.children(id).ids().collect(),
            ..ItemIndex::default()
        });
        let slots = self.children(id);
        for at in std::mem::take(&mut index.stale) {
            if slots.holds(at) {
                let digest = self.item_digest(slots.get(at).value, Tree::scalar);
                index.items.entry(digest).or_default().push(at);
            }
        }
        let digest = self.item_digest(value, Tree::scalar_as_written);
        let alike = index.items.get(&digest).into_iter().flatten();
        let mut alike = alike.filter(|&&at| slots.holds(at));
        let found = alike.any(|&at| self.equal(slots.get(at).value, value));
        self.opened[id].lookup.items = Some(index);
        found
    }

    /// Returns a digest that equal items have in common: that of a scalar, or those of the
    /// scalars at the string keys of a mapping.
    fn item_digest<'a>(
        &'a self,
        item: NodeId,
        read: fn(&'a Tree, NodeId) -> Scalar<'a>,
    ) -> u64 {
        let of_scalar = |node| match read(self, node) {
            // Equal numbers may differ in their sign, as 0.0 and -0.0 do.
            Scalar::Float(_) => 0,
            scalar => scalar.identity().digest(),
        };
        match self.kind(item) {
            Kind::Scalar => of_scalar(item),
            Kind::Sequence => 1,
            Kind::Mapping => {
                let scalar = |(key, value)| {
                    let is_scalar = self.kind(value) == Kind::Scalar;
                    let key = self.string(key).filter(|_| is_scalar)?;
                    let key = Scalar::String(key).identity().digest();
                    Some(key.rotate_left(1) ^ of_scalar(value))
                };
                let scalars = self.pairs(item).into_iter().filter_map(scalar);
                // The order of keys does not count.
                scalars.fold(2, u64::wrapping_add)
            }
        }
    }

    /// The slots of opened collection `id`.
    pub fn children(&self, id: u32) -> &Slots {
        self.opened[id].slots()
    }
}

// Comparing.
impl Tree {
    /// Returns true if `found` equals `expected` as Go's `reflect.DeepEqual` has it:
    /// types count, order of keys and spelling do not. `expected` is read as its own text
    /// has it.
    pub fn equal(&self, found: NodeId, expected: NodeId) -> bool {
        let mut todo = vec![(found, expected)];
        // Nested aliases let a small text contain exponentially many equal pairs.
        let mut compared = HashSet::new();
        while let Some((found, expected)) = todo.pop() {
            let (found, expected) = (self.follow(found), self.follow(expected));
            let kind = self.kind(found);
            if kind != self.kind(expected) {
                return false;
            }
            if kind != Kind::Scalar && !compared.insert((found, expected)) {
                continue;
            }
            let same = match kind {
                Kind::Scalar => self.scalar(found) == self.scalar_as_written(expected),
                Kind::Sequence => self.zip_items(found, expected, &mut todo),
                Kind::Mapping => self.zip_entries(found, expected, &mut todo),
            };
            if !same {
                return false;
            }
        }
        true
    }

    fn zip_items(&self, a: NodeId, b: NodeId, todo: &mut Vec<(NodeId, NodeId)>) -> bool {
        let (a, b) = (self.items(a), self.items(b));
        let same = a.len() == b.len();
        todo.extend(a.into_iter().zip(b));
        same
    }

    fn zip_entries(
        &self,
        a: NodeId,
        b: NodeId,
        todo: &mut Vec<(NodeId, NodeId)>,
    ) -> bool {
        let is_scalar = |&(key, _): &(NodeId, NodeId)| self.kind(key) == Kind::Scalar;
        let parts = |node| self.pairs(node).into_iter().partition(is_scalar);
        let (a, more): (Vec<_>, Vec<_>) = parts(a);
        let (b, others): (Vec<_>, Vec<_>) = parts(b);
        let same = a.len() == b.len() && more.len() == others.len();
        // Entries with collections for keys have to be in the same order.
        let both = more.into_iter().zip(others);
        todo.extend(both.flat_map(|((k, v), (l, w))| [(k, l), (v, w)]));
        let a: HashMap<Identity<'_>, NodeId> = a
            .into_iter()
            .map(|(key, value)| (self.scalar(key).identity(), value))
            .collect();
        same && b.into_iter().all(|(key, value)| {
            let found = a.get(&self.scalar_as_written(key).identity());
            todo.extend(found.map(|&found| (found, value)));
            found.is_some()
        })
    }
}

// Opening and editing.
impl Tree {
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
        if is_edit
            && self.follow_edit(self.origin_of(before), node)
            && let Some(journal) = &mut self.journal
        {
            journal.note_followed(before);
        }
        match seat {
            Seat::Root(at) => self.roots[at] = node,
            Seat::Slot(id, at) => {
                let slot = self.children_mut(id).get_mut(at);
                // An edit without an op, such as a variable, keeps the op that made the
                // slot.
                (slot.value, slot.by) = (node, by.or(slot.by));
                self.opened[id].lookup.mark_changed(None, at);
            }
            Seat::Detached(_) => {}
        }
    }

    /// Opens the collection at a seat; `None` for a scalar. The target of an alias, and
    /// any node that may stand elsewhere too, is copied first; if `attach` is false, the
    /// copy does not become part of the tree, so that a search changes nothing.
    pub(crate) fn open(&mut self, seat: Seat, attach: bool) -> Option<u32> {
        let seat = if attach { self.seat_of_edit(seat) } else { seat };
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
                self.replace_at(seat, NodeId::Opened(id));
                self.follow_edit(Some((file, i)), NodeId::Opened(id));
            }
            None => drop(self.detached.insert((file, i), id)),
        }
        Some(id)
    }

    /// Replaces the node at a seat by one that means the same: indexes stay valid.
    fn replace_at(&mut self, seat: Seat, node: NodeId) {
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
            Body::Mapping(slots) => {
                slots.ids().filter(|&at| self.is_merge(slots.get(at))).collect()
            }
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
        let item = |value| Slot::new(None, value, None);
        let slots = Slots::new(items.into_iter().map(item).collect());
        NodeId::Opened(self.push(None, Body::Sequence(slots)))
    }

    pub(crate) fn new_sequence(&mut self) -> NodeId {
        NodeId::Opened(self.push(None, Body::Sequence(Slots::default())))
    }

    pub(crate) fn new_mapping(
        &mut self,
        entries: &[(&str, &str)],
        by: Option<OpId>,
    ) -> NodeId {
        let slots = entries.iter().map(|(key, value)| {
            let (key, value) = (Some(self.new_text(key)), self.new_text(value));
            Slot::new(key, value, by)
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

    /// Tells the indexes that the entry `key` of an item of opened sequence `id` changes.
    pub(crate) fn mark_changed(&mut self, id: u32, at: SlotId, key: &str) {
        self.opened[id].lookup.mark_changed(Some(key), at);
    }

    /// Gives a slot of opened mapping `id` another key, and removes an entry that has it.
    pub(crate) fn rename(&mut self, id: u32, at: SlotId, key: NodeId) {
        let mut digests = self.key_digests(id);
        self.rename_with_digests(id, at, key, &mut digests);
    }

    /// Gives the entry at a seat another key: the same with other properties, or one that no
    /// other entry has.
    pub(crate) fn give_key(&mut self, seat: Seat, key: NodeId) {
        if let Seat::Slot(id, at) = seat {
            self.opened[id].lookup = Lookup::default();
            self.children_mut(id).get_mut(at).key = Some(key);
        }
    }

    /// Gives an entry of opened mapping `id` a key that no entry has, by an op.
    pub(crate) fn move_key(
        &mut self,
        id: u32,
        at: SlotId,
        key: NodeId,
        by: Option<OpId>,
    ) {
        self.note_removal(id, at);
        let name = |key: NodeId| self.string(key).map(Cow::into_owned);
        let (old, new) = (self.children(id).get(at).key.and_then(name), name(key));
        let slot = self.children_mut(id).get_mut(at);
        (slot.key, slot.by) = (Some(key), by);
        let value = slot.value;
        let lookup = &mut self.opened[id].lookup;
        match old.zip(new) {
            // A new index for each of many ops would take quadratic time.
            Some((old, new)) if lookup.is_unique() => {
                lookup.remove(&old);
                lookup.add(Some(&new), at);
            }
            _ => *lookup = Lookup::default(),
        }
        self.note_change(Seat::Slot(id, at), None, Some(value));
    }

    /// Renames one of many slots of a mapping, whose digests are `digests`.
    // One by one, each rename would read all keys again.
    pub(crate) fn rename_with_digests(
        &mut self,
        id: u32,
        at: SlotId,
        key: NodeId,
        digests: &mut KeyDigests,
    ) {
        // A collection has no digest, and is no null.
        let twin = self.identity_as_written(key).and_then(|identity| {
            let slots = self.children(id);
            let same = |slot: &Slot| {
                let other = slot.key.and_then(|key| self.identity_as_written(key));
                other.is_some_and(|other| other == identity)
            };
            let others = digests.of(identity.digest());
            let twin = others.iter().copied().find(|&other| {
                other != at && slots.holds(other) && same(slots.get(other))
            });
            others.push(at);
            twin
        });
        if let Some(twin) = twin {
            self.children_mut(id).remove(twin);
        }
        self.children_mut(id).get_mut(at).key = Some(key);
        self.opened[id].lookup = Lookup::default();
    }

    /// Replaces written node `i` by `node` for all its aliases.
    pub(crate) fn set_alias_value(&mut self, file: FileId, i: Index, node: NodeId) {
        self.aliases.set_value(file, i, node);
    }

    pub(crate) fn alias_value(&self, file: FileId, i: Index) -> Option<NodeId> {
        self.aliases.value(file, i)
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

    /// Gives comments to the entry at a seat; those it got before stay where the new ones
    /// are as written.
    pub(crate) fn give_comments(&mut self, seat: Seat, new: EntryComments) {
        let Seat::Slot(id, at) = seat else { return };
        if new.is_unchanged() {
            return;
        }
        let before = self.comments(self.children(id).get(at)).cloned();
        let number = self.hints.add_comments(new.or(before.unwrap_or_default()));
        self.children_mut(id).get_mut(at).comments = number;
    }

    /// Returns true if opened mapping `id` has an entry `<<`.
    pub(crate) fn has_merges(&self, id: u32) -> bool {
        !self.merges(id).is_empty()
    }

    fn children_mut(&mut self, id: u32) -> &mut Slots {
        self.opened[id].slots_mut()
    }

    /// Inserts an item into opened sequence `id`, before the one at `position`.
    pub(crate) fn insert_item(
        &mut self,
        id: u32,
        position: usize,
        value: NodeId,
        by: Option<OpId>,
    ) -> SlotId {
        let slot = Slot::new(None, value, by);
        let at = self.children_mut(id).insert(position, slot);
        self.opened[id].lookup.add(None, at);
        self.note_change(Seat::Slot(id, at), None, Some(value));
        at
    }

    pub(crate) fn insert_entry(
        &mut self,
        id: u32,
        key: &str,
        value: NodeId,
        by: Option<OpId>,
    ) -> SlotId {
        let slot = Slot::new(Some(self.new_text(key)), value, by);
        let end = self.children(id).len();
        let at = self.children_mut(id).insert(end, slot);
        self.opened[id].lookup.add(Some(key), at);
        self.note_change(Seat::Slot(id, at), None, Some(value));
        at
    }

    pub(crate) fn remove_item(&mut self, id: u32, at: SlotId) {
        self.note_removal(id, at);
        self.children_mut(id).remove(at);
    }

    /// Returns the seat of the effective entry of the string `key` in opened mapping
    /// `id`. If `attach` is true, an entry from `<<` becomes an own entry.
    pub(crate) fn entry(&mut self, id: u32, key: &str, attach: bool) -> Option<Seat> {
        let own = self.find_key(id, key);
        let merges = self.merges(id);
        if merges.is_empty() {
            return own.map(|at| Seat::Slot(id, at));
        }
        let go = self.base().dialect() == Dialect::Go;
        let place = own.map(|at| self.children(id).position(at));
        let stronger = |it: &Tree, &at: &SlotId| {
            place.is_none_or(|own| go && it.children(id).position(at) > own)
        };
        let mut sources = merges.iter().rev();
        let value = sources.find_map(|&at| {
            stronger(self, &at).then(|| self.merged(id, at, key)).flatten()
        });
        let Some(value) = value else { return own.map(|at| Seat::Slot(id, at)) };
        if !attach {
            return Some(Seat::Detached(value));
        }
        let last = merges.iter().map(|&at| self.children(id).position(at)).max();
        let position = last.map_or(0, |last| last + 1);
        Some(self.override_merged(id, own, position, key, value))
    }

    /// Returns the value of the string `key` that the entry `<<` at a slot provides.
    fn merged(&mut self, id: u32, at: SlotId, key: &str) -> Option<NodeId> {
        let value = self.follow(self.children(id).get(at).value);
        let NodeId::Clean(file, i) = value else {
            let pairs = self.merged_pairs(value);
            let found = pairs.into_iter().find(|&(k, _)| self.is_text(k, key));
            return found.map(|(_, value)| value);
        };
        if !self.merged.contains_key(&(file, i)) {
            let pairs = self.merged_pairs(value).into_iter();
            let entry = |(key, value)| Some((self.string(key)?.into(), value));
            let values = pairs.filter_map(entry).collect();
            self.merged.insert((file, i), values);
        }
        self.merged.get(&(file, i))?.get(key).copied()
    }

    fn override_merged(
        &mut self,
        id: u32,
        own: Option<SlotId>,
        position: usize,
        key: &str,
        value: NodeId,
    ) -> Seat {
        let slot = Slot::new(Some(self.new_text(key)), value, None);
        let at = self.children_mut(id).insert(position, slot);
        if let Some(own) = own {
            self.children_mut(id).remove(own);
            self.opened[id].lookup.remove(key);
        }
        self.opened[id].lookup.add(Some(key), at);
        Seat::Slot(id, at)
    }

    /// Removes every entry with the string key `key` from opened mapping `id`. If it
    /// comes from `<<`, the merge is written out first.
    pub(crate) fn remove_entry(&mut self, id: u32, key: &str) {
        let merges = self.merges(id);
        if merges.iter().any(|&at| self.merged(id, at, key).is_some()) {
            self.expand_merge_keys(id);
        }
        let Some(last) = self.find_key(id, key) else { return };
        self.note_removal(id, last);
        self.remove_named(id, key);
    }

    /// Removes all own entries with the string key `key` from opened mapping `id`, which is no
    /// change of its own: the caller notes what becomes of the effective one.
    pub(crate) fn remove_named(&mut self, id: u32, key: &str) {
        let Some(last) = self.find_key(id, key) else { return };
        let slots = self.children(id);
        let is = |at: &SlotId| slots.get(*at).key.is_some_and(|k| self.is_named(k, key));
        let all: Vec<SlotId> = if self.opened[id].lookup.is_unique() {
            vec![last]
        } else {
            slots.ids().filter(is).collect()
        };
        for at in all {
            self.children_mut(id).remove(at);
        }
        self.opened[id].lookup.remove(key);
    }

    fn merges(&self, id: u32) -> Vec<SlotId> {
        let slots = self.children(id);
        let merges = self.opened[id].merges.iter().copied();
        merges.filter(|&at| slots.holds(at)).collect()
    }

    /// Replaces the `<<` of opened mapping `id` by the entries that it provides.
    pub(crate) fn expand_merge_keys(&mut self, id: u32) {
        let merges = self.merges(id);
        let pairs = self.pairs(NodeId::Opened(id));
        let slots = self.children(id);
        let keyed = |at: SlotId| slots.get(at).key.map(|key| (key, at));
        let own: HashMap<NodeId, SlotId> = slots.ids().filter_map(keyed).collect();
        let mut position = merges.first().map_or(0, |&at| slots.position(at));
        for (key, value) in pairs {
            // An entry that overrides one of `<<` stands in its place: templates that print
            // the mapping show the order.
            if let Some(&at) = own.get(&key) {
                position = position.max(self.children(id).position(at) + 1);
            } else {
                let slot = Slot::new(Some(key), value, None);
                self.children_mut(id).insert(position, slot);
                position += 1;
            }
        }
        for at in merges {
            self.children_mut(id).remove(at);
        }
        self.opened[id].merges.clear();
        self.opened[id].lookup = Lookup::default();
    }

    pub(crate) fn new_scalar(&mut self, scalar: Scalar<'static>) -> NodeId {
        NodeId::Opened(self.push(None, Body::Scalar(scalar)))
    }

    /// Adds an entry with a key of any type at the end of opened mapping `id`.
    pub(crate) fn push_entry(&mut self, id: u32, key: NodeId, value: NodeId) {
        self.insert_entry_at(id, self.children(id).len(), key, value);
    }

    /// Inserts an entry with a key of any type into opened mapping `id`, before the one at
    /// `position`.
    pub(crate) fn insert_entry_at(
        &mut self,
        id: u32,
        position: usize,
        key: NodeId,
        value: NodeId,
    ) -> SlotId {
        let slot = Slot::new(Some(key), value, None);
        self.opened[id].lookup = Lookup::default();
        let at = self.children_mut(id).insert(position, slot);
        self.note_change(Seat::Slot(id, at), None, Some(value));
        at
    }

    /// Puts the children of opened collection `id` in another order, which names each slot
    /// once.
    pub(crate) fn reorder(&mut self, id: u32, order: &[SlotId]) {
        let mut slots = self.children(id).clone();
        slots.reorder(order);
        self.set_children(id, slots);
    }

    pub(crate) fn remove_slot(&mut self, id: u32, at: SlotId) {
        self.opened[id].lookup = Lookup::default();
        self.children_mut(id).remove(at);
    }

    /// Copies the opened nodes of a value to a list, as they are now. Returns the value in
    /// that list, which needs nothing of this tree but its texts.
    pub(crate) fn snapshot(&self, node: NodeId, list: &mut Vec<Opened>) -> NodeId {
        let (mut copies, mut todo, start) = (HashMap::new(), vec![node], list.len());
        while let Some(node) = todo.pop() {
            let node = self.followed(node);
            let Some(copy) = self.copy_of(node).filter(|_| !copies.contains_key(&node))
            else {
                continue;
            };
            if let Body::Sequence(slots) | Body::Mapping(slots) = &copy.body {
                let inside = |slot: &Slot| slot.key.into_iter().chain(Some(slot.value));
                todo.extend(slots.iter().flat_map(inside));
            }
            copies.insert(node, list.len() as u32);
            list.push(copy);
        }
        let copied = |node: NodeId| {
            let node = self.followed(node);
            copies.get(&node).map_or(node, |&copy| NodeId::Opened(copy))
        };
        for copy in &mut list[start..] {
            let (Body::Sequence(slots) | Body::Mapping(slots)) = &mut copy.body else {
                continue;
            };
            for at in slots.ids().collect::<Vec<_>>() {
                let slot = slots.get_mut(at);
                (slot.key, slot.value) = (slot.key.map(copied), copied(slot.value));
            }
        }
        copied(node)
    }

    /// Returns the new value of an alias that has followed an edit; any other node itself.
    fn followed(&self, node: NodeId) -> NodeId {
        match node {
            NodeId::Clean(file, i) if self.arena(file).style(i) == Style::Alias => {
                self.alias_value(file, self.arena(file).target(i)).unwrap_or(node)
            }
            NodeId::Clean(..) | NodeId::Opened(_) => node,
        }
    }

    /// Returns a copy of an opened node, or of a written one in which aliases may have
    /// followed an edit.
    fn copy_of(&self, node: NodeId) -> Option<Opened> {
        let (file, i) = match node {
            NodeId::Opened(id) => return Some(self.opened[id].shifted(0)),
            NodeId::Clean(file, i) => (file, i),
        };
        let arena = self.arena(file);
        let is_collection = self.kind(node) != Kind::Scalar;
        if !self.has_alias_values()
            || !is_collection
            || arena.style(i) == Style::Alias
            || !arena.has(i, flag::HAS_ALIAS)
        {
            return None;
        }
        let slots = Slots::new(written_slots(arena, i));
        let is_merge = |at: &SlotId| self.is_merge(slots.get(*at));
        let merges = slots.ids().filter(is_merge).collect();
        let body = match self.kind(node) {
            Kind::Mapping => Body::Mapping(slots),
            Kind::Sequence | Kind::Scalar => Body::Sequence(slots),
        };
        Some(Opened::new(Some((file, i)), body, merges))
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
                if !matches!(self.opened[id].body, Body::Scalar(_)) {
                    todo.extend(self.inside(id));
                }
            }
        }
    }

    /// Replaces opened node `id` at a seat by a copy, which may change.
    fn copy_frozen(&mut self, seat: Seat, id: u32) -> u32 {
        let node = id;
        let id = self.opened.push(self.opened[node].shifted(0));
        if let Some(journal) = &mut self.journal {
            journal.note_copy(node, id);
        }
        self.replace_at(seat, NodeId::Opened(id));
        self.follow_edit(self.opened[id].was, NodeId::Opened(id));
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

    /// Estimates the size of a printed document. A node counts in each of its places.
    pub(crate) fn printed_size(&self, root: usize) -> u64 {
        // Each node once: shared nodes in shared nodes stand in exponentially many
        // places.
        let mut sizes: HashMap<u32, u64> = HashMap::new();
        let mut todo = vec![self.roots[root]];
        while let Some(&node) = todo.last() {
            let NodeId::Opened(id) = node else {
                todo.pop();
                continue;
            };
            let before = todo.len();
            if !sizes.contains_key(&id) {
                let new = |child: &NodeId| matches!(child, NodeId::Opened(id) if !sizes.contains_key(id));
                todo.extend(self.inside(id).filter(new));
            }
            if todo.len() > before {
                continue;
            }
            todo.pop();
            if !sizes.contains_key(&id) {
                let size = |node| self.size_of(node, &sizes);
                let sum = self.inside(id).map(size).fold(2, u64::saturating_add);
                sizes.insert(id, sum);
            }
        }
        self.size_of(self.roots[root], &sizes)
    }

    fn size_of(&self, node: NodeId, sizes: &HashMap<u32, u64>) -> u64 {
        match node {
            NodeId::Opened(id) => sizes.get(&id).copied().unwrap_or(0),
            NodeId::Clean(file, i) => {
                let span = self.arena(file).span(i);
                u64::from(span.end - span.start) + 1
            }
        }
    }

    fn inside(&self, id: u32) -> impl Iterator<Item = NodeId> {
        let slots = self.children(id).iter();
        slots.flat_map(|slot| slot.key.into_iter().chain(Some(slot.value)))
    }

    pub(crate) fn set_children(&mut self, id: u32, slots: Slots) {
        *self.children_mut(id) = slots;
        let slots = self.children(id);
        let merges = slots.ids().filter(|&at| self.is_merge(slots.get(at))).collect();
        let opened = &mut self.opened[id];
        opened.merges = merges;
        opened.lookup = Lookup::default();
    }

    /// The written node that `node` is or was opened from.
    pub(crate) fn origin_of(&self, node: NodeId) -> Option<(FileId, u32)> {
        match node {
            NodeId::Clean(file, i) => Some((file, i)),
            NodeId::Opened(id) => self.opened[id].was,
        }
    }

    /// Returns the seat of the effective entry of a key of any type in opened mapping
    /// `id`. An entry from `<<` becomes an own entry.
    pub(crate) fn entry_of(&mut self, id: u32, key: NodeId) -> Option<Seat> {
        if let Some(text) = self.string(key).map(Cow::into_owned) {
            return self.entry(id, &text, true);
        }
        let slots = self.children(id);
        let here = |&at: &u32| slots.get(at).key == Some(key);
        let is = |&at: &u32| slots.get(at).key.is_some_and(|k| self.is_same_key(k, key));
        let own = slots.ids().find(here).or_else(|| slots.ids().filter(is).last());
        if own.is_none() && !self.merges(id).is_empty() {
            self.expand_merge_keys(id);
            return self.entry_of(id, key);
        }
        own.map(|at| Seat::Slot(id, at))
    }

    /// Removes the entry with a key of any type from opened mapping `id`, and all that it
    /// overrides: those with an equal key that is a scalar. Of equal keys that are collections,
    /// each has an entry of its own, as in [`Tree::pairs`].
    pub(crate) fn remove_entry_of(&mut self, id: u32, key: NodeId) {
        if let Some(text) = self.string(key).map(Cow::into_owned) {
            self.remove_entry(id, &text);
        } else if let Some(Seat::Slot(id, at)) = self.entry_of(id, key) {
            if self.identity(key).is_none() {
                return self.remove_item(id, at);
            }
            let slots = self.children(id);
            let is = |at: &SlotId| {
                slots.get(*at).key.is_some_and(|other| self.is_same_key(other, key))
            };
            let all: Vec<SlotId> = slots.ids().filter(is).collect();
            self.remove_equal_entries(id, &all);
        }
    }

    /// Removes all entries with one key, which is no string, from opened mapping `id`. The
    /// last one overrides the others.
    pub(crate) fn remove_equal_entries(&mut self, id: u32, all: &[SlotId]) {
        if let Some(&last) = all.last() {
            self.note_removal(id, last);
        }
        for &at in all {
            self.children_mut(id).remove(at);
        }
    }

    /// Returns true if two keys are the same key.
    pub fn is_same_key(&self, a: NodeId, b: NodeId) -> bool {
        match (self.identity(a), self.identity(b)) {
            (Some(a), Some(b)) => a == b,
            (None, None) => self.follow(a) == self.follow(b) || self.equal(a, b),
            _ => false,
        }
    }

    /// The identity of a scalar key in its own text; `None` for a collection.
    fn identity_as_written(&self, key: NodeId) -> Option<Identity<'_>> {
        let is_scalar = self.kind(key) == Kind::Scalar;
        is_scalar.then(|| self.scalar_as_written(key).identity())
    }

    /// The identity of a scalar key; `None` for a collection.
    pub fn identity(&self, key: NodeId) -> Option<Identity<'_>> {
        (self.kind(key) == Kind::Scalar).then(|| self.scalar(key).identity())
    }
}

/// Returns the last entry whose key satisfies `is`, and true if any key is `<<`.
fn last(
    slots: impl Iterator<Item = Slot>,
    is: impl Fn(NodeId) -> bool,
    merges: impl Fn(NodeId) -> bool,
) -> (Option<Slot>, bool) {
    slots.fold((None, false), |(found, any), slot| match slot.key {
        Some(key) => (if is(key) { Some(slot) } else { found }, any || merges(key)),
        None => (found, any),
    })
}

fn written_entry(arena: &Arena, (key, value): (Index, Index)) -> Slot {
    let node = |i| NodeId::Clean(arena.file(), i);
    Slot { was: Some(key), ..Slot::new(Some(node(key)), node(value), None) }
}

fn written_slots(arena: &Arena, i: u32) -> Vec<Slot> {
    let item = |item| {
        let value = NodeId::Clean(arena.file(), item);
        Slot { was: Some(item), ..Slot::new(None, value, None) }
    };
    match arena.style(i) {
        style if style.is_mapping() => {
            arena.entries(i).map(|entry| written_entry(arena, entry)).collect()
        }
        style if style.is_sequence() => arena.children(i).map(item).collect(),
        _ => Vec::new(),
    }
}

/// The search for the effective entry of every key of a mapping, with `<<` and
/// duplicates: the first entry with the key, from the strongest to the weakest. A source
/// of `<<` that was visited before has nothing to add, and what a source with sources of its
/// own provides is known, so that the work is linear.
struct EffectivePairs<'a> {
    document: &'a Tree,
    pairs: Vec<(NodeId, NodeId, EntryPlace)>,
    keys: HashSet<Identity<'a>>,
    /// The keys that are collections.
    collections: HashSet<NodeId>,
    visited: HashSet<NodeId>,
    /// The parts that are not read yet, the strongest last.
    todo: Vec<Unread>,
    /// For each mapping, the number of those that were read completely before it.
    ends: Vec<usize>,
    ended: usize,
    read: usize,
}

/// The number of a mapping, and a position in it.
type EntryPlace = (usize, usize);

/// A part of what is to be read.
enum Unread {
    Entry(Slot, EntryPlace),
    /// The end of the mapping with this number, and of its sources.
    End(usize),
}

impl<'a> EffectivePairs<'a> {
    fn new(document: &'a Tree) -> Self {
        EffectivePairs {
            document,
            pairs: Vec::new(),
            keys: HashSet::new(),
            collections: HashSet::new(),
            visited: HashSet::new(),
            todo: Vec::new(),
            ends: Vec::new(),
            ended: 0,
            read: 0,
        }
    }

    /// Returns the effective entries of a mapping, and the number of those that others
    /// override.
    fn collected(document: &'a Tree, mapping: NodeId) -> (Vec<(NodeId, NodeId)>, usize) {
        let mapping = document.follow(mapping);
        document.learn(vec![mapping]);
        let Some((file, known)) = document.provided(mapping) else {
            return EffectivePairs::of(document, mapping).collect();
        };
        let node = |i| NodeId::Clean(file, i);
        let pairs = known.entries.iter().map(|&(key, value)| (node(key), node(value)));
        (pairs.collect(), known.passed)
    }

    /// Prepares the search in a mapping.
    fn of(document: &'a Tree, mapping: NodeId) -> Self {
        document.learn(document.merging_sources(mapping));
        let mut search = EffectivePairs::new(document);
        search.push_mapping(mapping);
        search
    }

    /// Prepares the search in the sources of a `<<`.
    fn of_sources(document: &'a Tree, value: NodeId) -> Self {
        document.learn(document.sources(value));
        let mut search = EffectivePairs::new(document);
        search.push_sources(value);
        search
    }

    /// Returns the effective entries, and the number of those that others override. Own
    /// entries come first, then those of each source, of the weakest one first.
    fn collect(mut self) -> (Vec<(NodeId, NodeId)>, usize) {
        while let Some((slot, at)) = self.next() {
            match slot.key {
                Some(_) if self.document.is_merge(&slot) => self.push_sources(slot.value),
                Some(key) => self.take(key, slot.value, at),
                None => {}
            }
        }
        let passed = self.read - self.pairs.len();
        let ends = self.ends;
        // Each mapping is in order already, from its end: a stable sort makes use of that.
        self.pairs.sort_by_key(|&(.., (of, at))| (Reverse(ends[of]), at));
        (self.pairs.into_iter().map(|(key, value, _)| (key, value)).collect(), passed)
    }

    /// Returns the effective entry of the string `key`.
    fn find(mut self, key: &str) -> Option<Slot> {
        while let Some((slot, _)) = self.next() {
            match slot.key {
                Some(_) if self.document.is_merge(&slot) => self.push_sources(slot.value),
                Some(k) if self.document.is_named(k, key) => return Some(slot),
                Some(_) | None => {}
            }
        }
        None
    }

    fn next(&mut self) -> Option<(Slot, EntryPlace)> {
        loop {
            match self.todo.pop()? {
                Unread::Entry(slot, at) => return Some((slot, at)),
                Unread::End(number) => {
                    self.ends[number] = self.ended;
                    self.ended += 1;
                }
            }
        }
    }

    fn take(&mut self, key: NodeId, value: NodeId, at: EntryPlace) {
        let document = self.document;
        let is_fresh = match document.kind(key) {
            Kind::Scalar => self.keys.insert(document.scalar(key).identity()),
            Kind::Sequence | Kind::Mapping => self.collections.insert(key),
        };
        if is_fresh {
            self.pairs.push((key, value, at));
        }
    }

    /// Adds the entries of a mapping. In yaml.v2 an entry overrides those before it, `<<`
    /// or not; elsewhere own entries override merged ones. Of own duplicates the last
    /// counts.
    fn push_mapping(&mut self, mapping: NodeId) {
        let document = self.document;
        let dialect = match document.follow(mapping) {
            NodeId::Clean(file, _) => document.arena(file).dialect(),
            NodeId::Opened(_) => document.dialect(),
        };
        let mut slots = document.all_slots(mapping).into_owned();
        if dialect != Dialect::Go {
            slots.sort_by_key(|slot| !self.document.is_merge(slot));
        }
        self.push(slots);
    }

    fn push(&mut self, entries: impl IntoIterator<Item = Slot>) {
        let number = self.ends.len();
        self.ends.push(0);
        self.todo.push(Unread::End(number));
        let entries = entries.into_iter().enumerate();
        let from = self.todo.len();
        self.todo.extend(entries.map(|(at, slot)| Unread::Entry(slot, (number, at))));
        self.read += self.todo.len() - from;
    }

    /// Adds the sources of a `<<`, of which the first is the strongest.
    fn push_sources(&mut self, value: NodeId) {
        for source in self.document.sources(value).into_iter().rev() {
            if !self.visited.insert(source) {
                continue;
            }
            match self.document.provided(source) {
                Some((file, known)) => {
                    let arena = self.document.arena(file);
                    let entries = known.entries.iter();
                    self.push(entries.map(|&entry| written_entry(arena, entry)));
                }
                None => self.push_mapping(source),
            }
        }
    }
}
