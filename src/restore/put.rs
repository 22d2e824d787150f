//! The `put` of the lens: writes an edit into a document. Input: the document, its
//! expansion and the edited expansion; output: the document in which the edit is an
//! override at the deepest site above it. Nodes that did not change keep their bytes.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::compare::{
    Ancestor, Comparer, EntryKey, Layers, MappingEntry, MappingIndex, NewPosition,
    OldPart, Versions,
};
use super::site::{ImportOutcome, ImportSite, ImportSites, SiteImport};
use super::writing::ValueStyle;
use super::written::escape_token;
use crate::arena::{Index, Style, flag};
use crate::compile;
use crate::diagnostic::Diagnostic;
use crate::merge::{STRATEGY_KEY, Strategy};
use crate::node::{Kind, NodeId, Seat, Slot, SlotId, Tree};
use crate::scalar::Scalar;

/// A node of the source and the value that it is to expand to.
#[derive(Clone, Debug)]
struct PendingNode {
    seat: Seat,
    source: NodeId,
    view: Option<NodeId>,
    edited: NodeId,
    /// The index of the collection around it in `ancestors`.
    frame: Option<usize>,
    inherited: Layers,
    /// True if the inherited values will be others after the edit.
    inherits_changed: bool,
}

enum Pending {
    Node(Box<PendingNode>),
    /// A new mapping in which the differences from inherited values are to be written.
    Override(u32, Layers, Edited),
}

/// Maximum number of nodes that an edit may open or make.
// Overrides are written in full at each alias: a document of 1 kB in which aliases repeat
// aliases needs billions. Four million nodes are about as much as a text of 100 MB.
const MAX_NEW_NODES: usize = 1 << 22;

/// A value after the edit, and before if it was there.
#[derive(Clone, Copy, Debug)]
struct Edited {
    view: Option<NodeId>,
    edited: NodeId,
}

pub(super) struct EditWriter<'a, 'p> {
    source: &'a Tree,
    root: NodeId,
    roots: Versions,
    sites: ImportSites<'a>,
    compare: &'p mut Comparer<'a>,
    out: &'p mut Tree,
    style: ValueStyle,
    /// True if keys such as `+/a` are directives.
    expands_directives: bool,
    /// True if sites with indirect imports are left alone, until the edit is in their sources.
    defers_indirect: bool,
    /// True if the source as it was given has directives, even if none are left.
    had_directives: bool,
    ancestors: Vec<Ancestor>,
    /// The edited values of the anchored nodes that changed; `None` if they were removed.
    anchor_values: HashMap<Index, Option<NodeId>>,
    pending: Vec<Pending>,
    problems: Vec<Diagnostic>,
    changes: Vec<(NodeId, DirectiveChange)>,
}

/// The values that a mapping has without entries of its own.
struct InheritedEntries {
    /// The values of its own directives and of those of the mappings around it.
    layers: Layers,
    /// The values of its `<<` keys, the weakest first.
    merged: Vec<NodeId>,
}

/// The entries that a mapping has of its own.
#[derive(Default)]
struct OwnEntries<'a> {
    slots: HashMap<EntryKey<'a>, SlotId>,
    /// True if the order of the edited entries tells where a new one stands.
    in_order: bool,
}

/// An entry of the source; of equal keys the last one, which counts.
struct OwnEntry<'a> {
    key: EntryKey<'a>,
    at: SlotId,
    slot: Slot,
}

/// An entry that the edit removes, and its value in the expansion.
struct RemovedEntry<'a> {
    own: OwnEntry<'a>,
    view: NodeId,
}

struct ListItem {
    at: SlotId,
    source: NodeId,
    part: OldPart,
}

#[derive(Clone)]
pub(super) enum DirectiveChange {
    /// It is replaced by the values it gave, for the given reason.
    WrittenOut(String),
    Renamed(String),
}

/// The document that whiteouts and nullouts are copied from.
pub(super) const MARKERS: &str = "[{+%: whiteout}, {+%: nullout}]";

/// The indices of the two mappings in the arena of [`MARKERS`].
const WHITEOUT: Index = 1;
const NULLOUT: Index = 4;

impl<'a, 'p> EditWriter<'a, 'p> {
    /// Prepares an edit of the document at `root`, whose directives may be expanded.
    pub(super) fn new(
        (source, root): (&'a Tree, NodeId),
        roots: Versions,
        sites: ImportSites<'a>,
        (compare, out): (&'p mut Comparer<'a>, &'p mut Tree),
        style: ValueStyle,
        expands_directives: bool,
    ) -> Self {
        EditWriter {
            source,
            root,
            roots,
            sites,
            compare,
            out,
            style,
            expands_directives,
            defers_indirect: false,
            had_directives: false,
            ancestors: Vec::new(),
            anchor_values: HashMap::new(),
            pending: Vec::new(),
            problems: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// Sets two flags: indirect imports are deferred, and the source had directives.
    pub(super) fn with(mut self, defers_indirect: bool, had_directives: bool) -> Self {
        (self.defers_indirect, self.had_directives) = (defers_indirect, had_directives);
        self
    }

    /// Returns the values that cannot be written and the directives that changed.
    pub(super) fn finish(self) -> (Vec<Diagnostic>, Vec<(NodeId, DirectiveChange)>) {
        (self.problems, self.changes)
    }

    pub(super) fn run(&mut self, root: usize, edited: NodeId) {
        let place = PendingNode {
            seat: Seat::Root(root),
            source: self.root,
            view: self.roots.view,
            edited,
            frame: None,
            inherited: Layers::new(),
            inherits_changed: false,
        };
        self.pending.push(Pending::Node(Box::new(place)));
        while let Some(task) = self.pending.pop() {
            match task {
                Pending::Node(place) => self.write_node(*place),
                Pending::Override(..) if self.has_too_many_nodes() => return,
                Pending::Override(id, layers, edited) => {
                    let inherited = InheritedEntries { layers, merged: Vec::new() };
                    self.write_differences(id, &inherited, edited, OwnEntries::default());
                }
            }
        }
    }

    /// Returns true and reports a problem if the edit needs too many new nodes.
    fn has_too_many_nodes(&mut self) -> bool {
        let full = self.out.opened_count() > MAX_NEW_NODES;
        if full && self.problems.is_empty() {
            self.problems.push(*Diagnostic::error("the edit needs too many overrides"));
        }
        full
    }

    fn write_node(&mut self, mut place: PendingNode) {
        let Some(i) = self.index(place.source) else { return self.replace(&place) };
        let arena = self.source.base();
        // An alias may have to change although its own value is the same: its anchor
        // stands for another value now.
        let same = place.view.is_some_and(|view| self.compare.equal(view, place.edited));
        let moved = !self.anchor_values.is_empty() && arena.has(i, flag::HAS_ALIAS);
        if same && !moved && !place.inherits_changed && !self.sites.holds_changed(i) {
            return;
        }
        if arena.anchor(i).is_some() {
            self.anchor_values.insert(i, Some(place.edited));
        }
        if arena.style(i) == Style::Alias {
            return self.write_alias(&place, same);
        }
        if !place.inherited.is_empty() && !same {
            let needless = self.compare.equals_inherited(&place.inherited, place.edited)
                && (self.is_another_text(&place) || !self.is_shortened(&place));
            if let (true, Seat::Slot(id, at)) = (needless, place.seat) {
                self.forget_anchors(place.source);
                return self.out.remove_slot(id, at);
            }
        }
        // A mapping with `+%: replace` keeps nothing of what it would inherit.
        if self.expands_directives
            && Strategy::of(self.source, place.source) == Some(Strategy::Replace)
        {
            place.inherited.clear();
        }
        match (self.source.kind(place.source), self.kind(place.edited)) {
            _ if self.is_marker(place.source) && same => {}
            // Even where an inherited value would do: the text may hold a variable.
            (Kind::Scalar, _) if same && !self.source.is_null(place.source) => {}
            _ if self.is_marker(place.source) => self.replace(&place),
            (Kind::Mapping, Kind::Mapping)
                if self.defers_indirect
                    && self.sites.get(i).is_some_and(ImportSite::is_indirect) => {}
            (Kind::Mapping, _) if self.sites.get(i).is_some() => {
                self.write_site(place, i);
            }
            (Kind::Mapping, Kind::Mapping) | (Kind::Sequence, Kind::Sequence)
                if self.is_another_text(&place) =>
            {
                self.replace(&place);
            }
            (Kind::Mapping, Kind::Mapping) => self.write_mapping(place),
            (Kind::Sequence, Kind::Sequence) => self.write_sequence(place),
            (Kind::Scalar, Kind::Scalar) if self.is_written_as(&place) => {}
            _ if self.source.is_null(place.source) && self.inherits(&place) => {}
            _ => self.replace(&place),
        }
    }

    /// Returns true if a collection was written anew in the other style, so that none of its
    /// text can stay. An empty one has no text that could.
    fn is_another_text(&mut self, place: &PendingNode) -> bool {
        let given = self.style.written(place.edited).filter(|_| self.style.is_verbatim());
        let (Some(NodeId::Clean(file, there)), Some(here)) =
            (given, self.index(place.source))
        else {
            return false;
        };
        let arena = self.source.base();
        if arena.next(here) == here + 1 {
            return true;
        }
        let is_block =
            |style| matches!(style, Style::BlockMapping | Style::BlockSequence);
        let styles = (arena.style(here), self.compare.document.arena(file).style(there));
        is_block(styles.0) != is_block(styles.1)
            && !(here..arena.next(here)).any(|i| self.sites.get(i).is_some())
    }

    /// Returns true if an edit has only removed children of a written collection, and left
    /// some: what is left is meant to stay, even if it is inherited as well.
    fn is_shortened(&mut self, place: &PendingNode) -> bool {
        let Some(view) = place.view else { return false };
        match [self.source.kind(place.source), self.kind(view), self.kind(place.edited)] {
            [Kind::Sequence, Kind::Sequence, Kind::Sequence] => {
                let mut was = self.items(view).into_iter();
                let left = self.items(place.edited);
                let mut stays =
                    |&item: &NodeId| was.any(|it| self.compare.equal(it, item));
                !left.is_empty() && left.iter().all(&mut stays)
            }
            [Kind::Mapping, Kind::Mapping, Kind::Mapping] => {
                let was = self.compare.entries(view);
                let left = self.compare.entries(place.edited);
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

    /// Returns the index of a node of the source. Nodes that were made or copied just now,
    /// when a `<<` was written out, have none.
    fn index(&self, node: NodeId) -> Option<Index> {
        match node {
            NodeId::Clean(file, i) if file == self.source.file() => Some(i),
            NodeId::Clean(..) | NodeId::Opened(_) => None,
        }
    }

    fn kind(&self, node: NodeId) -> Kind {
        self.compare.document.kind(node)
    }

    fn is_written_as(&mut self, place: &PendingNode) -> bool {
        let null = self.source.is_null(place.source) && !place.inherited.is_empty();
        !null && self.compare.equal(place.source, place.edited)
    }

    fn inherits(&mut self, place: &PendingNode) -> bool {
        self.compare.equals_inherited(&place.inherited, place.edited)
    }

    /// Keeps an alias while its anchor has the edited value.
    fn write_alias(&mut self, place: &PendingNode, same: bool) {
        let Some(i) = self.index(place.source) else { return };
        let kept = match self.anchor_values.get(&self.source.base().target(i)) {
            Some(&Some(target)) => self.compare.equal(target, place.edited),
            Some(None) | None => same,
        };
        if !kept {
            self.replace(place);
        }
    }

    fn write_mapping(&mut self, place: PendingNode) {
        let frame = self.push_frame(&place);
        if let Some(id) = self.open(&place) {
            self.write_entries(id, place, frame);
        }
    }

    fn push_frame(&mut self, place: &PendingNode) -> usize {
        let versions = Versions { view: place.view, edited: Some(place.edited) };
        self.ancestors.push(Ancestor { parent: place.frame, versions });
        self.ancestors.len() - 1
    }

    /// Opens the collection of a node. Its aliases follow.
    fn open(&mut self, place: &PendingNode) -> Option<u32> {
        let id = self.out.open(place.seat, true)?;
        let index = self.index(place.source);
        if let Some(i) = index.filter(|&i| self.source.base().anchor(i).is_some()) {
            self.out.set_alias_value(self.source.file(), i, NodeId::Opened(id));
        }
        Some(id)
    }

    fn write_entries(&mut self, id: u32, place: PendingNode, frame: usize) {
        let edited = self.compare.entries(place.edited);
        let merged = self.merge_key_values(id, &place, &edited);
        let view = place.view.map(|view| self.compare.entries(view));
        let inherited = InheritedEntries { layers: place.inherited, merged };
        let versions = Edited { view: place.view, edited: place.edited };
        let (mut places, mut removed) = (Vec::new(), Vec::new());
        let all = self.own_entries(id, place.source);
        let slots = all.iter().map(|own| (own.key.clone(), own.at)).collect();
        let mut own = OwnEntries { slots, in_order: false };
        let written = self.written_keys(&inherited, place.edited);
        let seated = |at, slot: Slot, view, edited, inherited| PendingNode {
            seat: Seat::Slot(id, at),
            source: slot.value,
            view,
            edited,
            frame: Some(frame),
            inherited,
            inherits_changed: place.inherits_changed,
        };
        for entry in all {
            let view = view.as_ref().and_then(|view| view.get(&entry.key));
            let layers = self.compare.inherited(&inherited.layers, &entry.key);
            match (view, edited.get(&entry.key)) {
                (None, Some(edited)) if self.is_directive_key(entry.slot.key) => {
                    self.refuse(edited, "a merge directive");
                }
                (Some(view), Some(value))
                    if self.is_merged_now(
                        &inherited,
                        (&entry.key, view, value),
                        &written,
                    ) =>
                {
                    self.forget_anchors(entry.slot.value);
                    self.out.remove_slot(id, entry.at);
                    own.slots.remove(&entry.key);
                }
                (view, Some(edited)) => {
                    places.push(seated(entry.at, entry.slot, view, edited, layers));
                }
                (None, None) => {}
                (Some(view), None) if layers.is_empty() => {
                    removed.push(RemovedEntry { own: entry, view });
                }
                (Some(_), None) => {
                    self.forget_anchors(entry.slot.value);
                    let whiteout = self.whiteout();
                    self.out.set_at(Seat::Slot(id, entry.at), whiteout, None);
                }
            }
        }
        let lists = (place.view, place.edited);
        for (renamed, edited) in
            self.remove_entries(id, removed, lists, &inherited, &mut own)
        {
            let OwnEntry { at, slot, .. } = renamed.own;
            places.push(seated(at, slot, Some(renamed.view), edited, Layers::new()));
        }
        // A dump that sorts keys says nothing about the place of a new one.
        own.in_order = self.style.is_verbatim() || self.keeps_order(versions);
        self.write_differences(id, &inherited, versions, own);
        let places = places.into_iter().rev();
        self.pending.extend(places.map(|place| Pending::Node(Box::new(place))));
    }

    fn own_entries(&mut self, id: u32, of: NodeId) -> Vec<OwnEntry<'a>> {
        let directives = self.directives_of(of);
        let slots = self.out.children(id);
        let slots: Vec<(SlotId, Slot)> =
            slots.ids().map(|at| (at, *slots.get(at))).collect();
        let (mut own, mut met): (Vec<OwnEntry<'a>>, HashMap<EntryKey<'a>, usize>) =
            Default::default();
        for (at, slot) in slots {
            // An opened key is a directive that was renamed just now.
            let Some(key) = slot.key.filter(is_written) else { continue };
            if self.out.is_merge(&slot) || directives.contains(&key) {
                continue;
            }
            let key = self.compare.key(key);
            match met.get(&key) {
                Some(&twin) => own[twin] = OwnEntry { key, at, slot },
                None => {
                    met.insert(key.clone(), own.len());
                    own.push(OwnEntry { key, at, slot });
                }
            }
        }
        own
    }

    /// Returns the values that the `<<` keys of opened mapping `id` will give it. Expands
    /// these keys if an anchor is gone, or if an entry must go: `<<` has no whiteouts.
    fn merge_key_values(
        &mut self,
        id: u32,
        place: &PendingNode,
        edited: &Rc<MappingIndex<'a>>,
    ) -> Vec<NodeId> {
        let slots = self.out.children(id).iter();
        let values: Vec<NodeId> =
            slots.filter(|slot| self.out.is_merge(slot)).map(|slot| slot.value).collect();
        if values.is_empty() {
            return Vec::new();
        }
        // The filled-in values count too: an own entry overrides by the key as filled in.
        let filled: Vec<NodeId> =
            values.iter().flat_map(|&value| self.compare.document.items(value)).collect();
        let mut merged: Option<Vec<NodeId>> = Some(Vec::new());
        for value in values {
            let more = self.merge_sources(value);
            merged = merged.zip(more).map(|(merged, more)| [more, merged].concat());
        }
        let own = self.own_entries(id, place.source);
        let own: HashSet<&EntryKey<'a>> = own.iter().map(|own| &own.key).collect();
        let mut is_wanted = |layers: &[NodeId]| {
            let keys = self.compare.inherited_keys(layers);
            keys.iter().all(|(key, _)| own.contains(key) || edited.get(key).is_some())
        };
        let kept = merged.filter(|merged| is_wanted(merged) && is_wanted(&filled));
        kept.unwrap_or_else(|| {
            self.out.expand_merge_keys(id);
            Vec::new()
        })
    }

    /// Returns the future values of a `<<` key, the weakest first; `None` if one is gone.
    fn merge_sources(&self, value: NodeId) -> Option<Vec<NodeId>> {
        let is = self.source_after_edit(value)?;
        let document = if is == value { self.source } else { self.compare.document };
        let sources = match document.kind(is) {
            Kind::Sequence => document.items(is),
            Kind::Scalar | Kind::Mapping => vec![is],
        };
        // Of several sources the first is the strongest.
        sources.into_iter().rev().map(|source| self.source_after_edit(source)).collect()
    }

    /// Returns the future value of a source of `<<`; `None` if it is gone.
    fn source_after_edit(&self, source: NodeId) -> Option<NodeId> {
        let NodeId::Clean(file, i) = source else { return Some(source) };
        let arena = self.source.base();
        if file != arena.file() || arena.style(i) != Style::Alias {
            return Some(source);
        }
        match self.anchor_values.get(&arena.target(i)) {
            None => Some(source),
            Some(&became) => became.filter(|&node| self.kind(node) != Kind::Scalar),
        }
    }

    /// Removes entries. Returns those that another key has now: they are renamed.
    fn remove_entries(
        &mut self,
        id: u32,
        removed: Vec<RemovedEntry<'a>>,
        (view, edited): (Option<NodeId>, NodeId),
        inherited: &InheritedEntries,
        own: &mut OwnEntries<'a>,
    ) -> Vec<(RemovedEntry<'a>, NodeId)> {
        if removed.is_empty() {
            return Vec::new();
        }
        let all = self.compare.entries(edited);
        let fresh: Vec<_> =
            all.list.iter().filter(|e| !own.slots.contains_key(&e.key)).collect();
        // Scalars such as `true` are equal by chance; only where one entry went and one
        // came is a new key surely the old one under another name.
        let lone = fresh.len() == 1 && removed.len() == 1;
        let mut added: HashMap<u32, Vec<_>> = HashMap::new();
        for entry in fresh.into_iter().rev() {
            let certain = lone || self.kind(entry.value) != Kind::Scalar;
            if certain && self.inherited_value(inherited, &entry.key).is_empty() {
                added.entry(self.compare.class(entry.value)).or_default().push(entry);
            }
        }
        let (mut twins, mut names) = (self.slots_by_key(id), self.out.key_digests(id));
        let mut renamed = Vec::new();
        for entry in removed {
            let class =
                if added.is_empty() { u32::MAX } else { self.compare.class(entry.view) };
            let same = added.get_mut(&class).and_then(Vec::pop).cloned();
            let changed = || {
                let to =
                    self.compare.renamed_and_changed((view?, edited), &entry.own.key);
                let to = to.filter(|to| !own.slots.contains_key(&to.key));
                to.filter(|to| self.inherited_value(inherited, &to.key).is_empty())
            };
            if let Some(to) = same.or_else(changed) {
                let key = self.renamed_key(to.name, entry.own.slot.key);
                self.out.rename_with_digests(id, entry.own.at, key, &mut names);
                own.slots.insert(to.key.clone(), entry.own.at);
                renamed.push((entry, to.value));
                continue;
            }
            self.forget_anchors(entry.own.slot.value);
            for at in twins.remove(&entry.own.key).unwrap_or_default() {
                if self.out.children(id).holds(at) {
                    self.out.remove_slot(id, at);
                }
            }
        }
        renamed
    }

    fn slots_by_key(&mut self, id: u32) -> HashMap<EntryKey<'a>, Vec<SlotId>> {
        let slots = self.out.children(id);
        let mut twins: HashMap<EntryKey<'a>, Vec<SlotId>> = HashMap::new();
        for at in slots.ids() {
            if let Some(key) = slots.get(at).key.filter(is_written) {
                twins.entry(self.compare.key(key)).or_default().push(at);
            }
        }
        twins
    }

    /// Returns the values that a mapping without an entry `key` has there.
    fn inherited_value(
        &mut self,
        inherited: &InheritedEntries,
        key: &EntryKey<'a>,
    ) -> Layers {
        let mut layers = self.compare.inherited(&inherited.layers, key);
        let mut merged = inherited.merged.iter().rev();
        let merged = merged.find_map(|&merged| self.compare.entries(merged).get(key));
        if let Some(value) = merged {
            self.compare.add_layer(&mut layers, value);
        }
        layers
    }

    /// Returns the keys that the edited text has in a mapping beside its `<<`. There are
    /// none without a `<<`, where nobody asks.
    fn written_keys(
        &mut self,
        inherited: &InheritedEntries,
        mapping: NodeId,
    ) -> HashSet<EntryKey<'a>> {
        if inherited.merged.is_empty() {
            return HashSet::new();
        }
        let slots = self.compare.document.slots(mapping);
        let keys = slots.iter().filter_map(|slot| slot.key);
        keys.map(|key| self.compare.key(key)).collect()
    }

    /// Returns true if an entry changed to what `<<` gives, and is none of those that the
    /// edited text has `written`.
    fn is_merged_now(
        &mut self,
        inherited: &InheritedEntries,
        (key, was, value): (&EntryKey<'a>, NodeId, NodeId),
        written: &HashSet<EntryKey<'a>>,
    ) -> bool {
        if inherited.merged.is_empty() || self.compare.equal(was, value) {
            return false;
        }
        let mut merged = inherited.merged.iter();
        if !merged.any(|&merged| self.compare.entries(merged).get(key).is_some()) {
            return false;
        }
        let all = self.inherited_value(inherited, key);
        if !self.compare.equals_inherited(&all, value) {
            return false;
        }
        !written.contains(key)
    }

    /// Adds entries to mapping `id` until it expands to `edited`; `own` keys are done.
    fn write_differences(
        &mut self,
        id: u32,
        inherited: &InheritedEntries,
        versions: Edited,
        mut own: OwnEntries<'a>,
    ) {
        let edited = self.compare.entries(versions.edited);
        let view = versions.view.map(|view| self.compare.entries(view));
        for (at, entry) in edited.list.iter().enumerate() {
            if own.slots.contains_key(&entry.key) {
                continue;
            }
            let all = self.inherited_value(inherited, &entry.key);
            if !all.is_empty() && self.compare.equals_inherited(&all, entry.value) {
                continue;
            }
            let layers = self.compare.inherited(&inherited.layers, &entry.key);
            self.check_key(entry.name, entry.value);
            let key = self.new_key(entry.name);
            let was = view.as_ref().and_then(|view| view.get(&entry.key));
            let versions = Edited { view: was, edited: entry.value };
            let value = self.override_node(layers, versions, None);
            let position = self.position_of_new(id, &own, (&edited.list, at));
            let slot = self.out.insert_entry_at(id, position, key, value);
            own.slots.insert(entry.key.clone(), slot);
        }
        for (key, name) in self.compare.inherited_keys(&inherited.layers) {
            if own.slots.contains_key(&key) || edited.get(&key).is_some() {
                continue;
            }
            let (key, whiteout) = (self.renamed_key(name, None), self.whiteout());
            self.out.push_entry(id, key, whiteout);
        }
    }

    /// Returns the position of a new entry in mapping `id`: behind the nearest of the edited
    /// entries before it that is written, else before the nearest one behind it.
    fn position_of_new(
        &self,
        id: u32,
        own: &OwnEntries<'a>,
        (edited, at): (&[MappingEntry<'a>], usize),
    ) -> usize {
        let slots = self.out.children(id);
        let written = |entry: &MappingEntry<'a>| {
            let slot = own.slots.get(&entry.key).filter(|&&slot| slots.holds(slot));
            slot.map(|&slot| slots.position(slot))
        };
        if !own.in_order {
            return slots.len();
        }
        let before = edited[..at].iter().rev().find_map(written);
        let after = || edited[at + 1..].iter().find_map(written);
        before.map(|at| at + 1).or_else(after).unwrap_or(slots.len())
    }

    fn override_node(
        &mut self,
        layers: Layers,
        versions: Edited,
        was: Option<NodeId>,
    ) -> NodeId {
        let Edited { view, edited } = versions;
        if self.kind(edited) == Kind::Mapping && self.compare.is_mapping(&layers) {
            let node = self.out.new_mapping(&[], None);
            if self.is_in_brackets(edited, &layers) {
                self.out.put_in_brackets(node);
            }
            if let NodeId::Opened(id) = node {
                self.pending.push(Pending::Override(id, layers, versions));
            }
            return node;
        }
        if let Some(same) = view.and_then(|view| self.restatement(view, edited)) {
            return same;
        }
        let null = self.compare.document.is_null(edited);
        if null && layers.iter().any(|&layer| !self.compare.document.is_null(layer)) {
            return self.nullout();
        }
        self.new_value(edited, was)
    }

    /// Returns true if an override is written in flow style: as it was given, or as what it
    /// overrides if the edited text is a dump.
    fn is_in_brackets(&self, edited: NodeId, layers: &[NodeId]) -> bool {
        let given = self.style.written(edited).filter(|_| self.style.is_verbatim());
        let document = self.compare.document;
        let written = match given.or(layers.last().copied()) {
            Some(NodeId::Clean(file, i)) => Some((file, i)),
            Some(NodeId::Opened(id)) => document.origin(id),
            None => None,
        };
        written
            .is_some_and(|(file, i)| document.arena(file).style(i) == Style::FlowMapping)
    }

    /// Returns the text that the source has for a list that stays as it was, although its
    /// source changes; `None` if it holds a relative directive, an anchor or an alias, which
    /// mean something else in another place.
    fn restatement(&mut self, view: NodeId, edited: NodeId) -> Option<NodeId> {
        if self.kind(view) != Kind::Sequence || !self.compare.equal(view, edited) {
            return None;
        }
        let (file, i) = match view {
            NodeId::Clean(file, i) => (file, i),
            NodeId::Opened(id) => self.compare.document.origin(id)?,
        };
        let arena = self.source.base();
        let names = flag::HAS_ANCHOR | flag::HAS_ALIAS;
        if file != arena.file() || arena.has(i, names) || self.sites.holds_changed(i) {
            return None;
        }
        let sites = (i..arena.next(i)).filter_map(|i| self.sites.get(i));
        let mut imports = sites.flat_map(|site| &site.imports);
        (!imports.any(SiteImport::is_relative)).then_some(NodeId::Clean(file, i))
    }

    /// Returns true if the edited text has the keys of a mapping in the order of the
    /// expansion.
    fn keeps_order(&mut self, Edited { view, edited }: Edited) -> bool {
        let Some(view) = view else { return true };
        let (view, edited) = (self.compare.entries(view), self.compare.entries(edited));
        let places: HashMap<&EntryKey<'a>, usize> =
            view.list.iter().zip(0..).map(|(entry, at)| (&entry.key, at)).collect();
        let both = edited.list.iter().filter_map(|entry| places.get(&entry.key));
        both.is_sorted()
    }

    fn write_sequence(&mut self, place: PendingNode) {
        let frame = self.push_frame(&place);
        let Some(id) = self.out.open(place.seat, true) else { return };
        let Some(items) = self.take_list_items(id, &place, frame) else {
            return self.replace(&place);
        };
        // The list is opened before its items are known, and its anchor is set only now:
        // where the items are not known it is replaced as a whole.
        self.open(&place);
        let wanted = self.compare.document.items(place.edited);
        let standing: Vec<&ListItem> =
            items.iter().filter(|item| !item.part.gives.is_empty()).collect();
        let parts: Vec<&OldPart> = standing.iter().map(|item| &item.part).collect();
        let pairs = self.compare.pair(&parts, &wanted);
        let pairs = standing.iter().zip(pairs);
        let chosen: HashMap<usize, (&ListItem, bool)> = pairs
            .clone()
            .filter_map(|(item, new)| Some((new?.at, (*item, new?.moved))))
            .collect();
        self.place_items(id, &place, frame, &wanted, &chosen);
        for (item, new) in pairs {
            self.drop_item(id, item, new);
        }
    }

    fn drop_item(&mut self, id: u32, item: &ListItem, new: Option<NewPosition>) {
        if new.is_some_and(|new| !new.moved) {
            return;
        }
        if new.is_none() {
            self.forget_anchors(item.source);
        }
        self.out.remove_item(id, item.at);
        if item.part.splice && new.is_none() {
            self.note_splice(item.source);
        }
    }

    fn note_splice(&mut self, source: NodeId) {
        let Some(i) = self.index(source) else { return };
        if let Some(site) = self.sites.get(i) {
            let keys = site.imports.iter().map(|import| import.key);
            let why = "its part of the list is not what it names any more";
            let change = DirectiveChange::WrittenOut(why.into());
            self.changes.extend(keys.map(|key| (key, change.clone())));
        }
    }

    /// Inserts the edited items between those that stay, in the edited order.
    fn place_items(
        &mut self,
        id: u32,
        place: &PendingNode,
        frame: usize,
        wanted: &[NodeId],
        chosen: &HashMap<usize, (&ListItem, bool)>,
    ) {
        let (mut position, mut at, mut places) = (0, 0, Vec::new());
        while at < wanted.len() {
            let (edited, found) = (wanted[at], chosen.get(&at));
            let (item, seat) = if let Some(&(item, false)) = found {
                position = self.out.children(id).position(item.at) + 1;
                at += item.part.gives.len();
                if item.part.splice {
                    continue;
                }
                (item, item.at)
            } else {
                let value = match found {
                    Some((item, _)) => item.source,
                    None => self.new_value(edited, None),
                };
                let seat = self.out.insert_item(id, position, value, None);
                (position, at) =
                    (position + 1, at + found.map_or(1, |it| it.0.part.gives.len()));
                let Some(&(item, _)) = found.filter(|it| !it.0.part.splice) else {
                    continue;
                };
                (item, seat)
            };
            places.push(PendingNode {
                seat: Seat::Slot(id, seat),
                source: item.source,
                view: item.part.view,
                edited,
                frame: Some(frame),
                inherited: Layers::new(),
                inherits_changed: place.inherits_changed,
            });
        }
        let places = places.into_iter().rev();
        self.pending.extend(places.map(|place| Pending::Node(Box::new(place))));
    }

    /// Returns the items of the source, without those whose imports are gone; `None` if they
    /// do not add up to the expansion.
    fn take_list_items(
        &mut self,
        id: u32,
        place: &PendingNode,
        frame: usize,
    ) -> Option<Vec<ListItem>> {
        let view = self.compare.document.items(place.view?);
        let (mut view, mut items) = (view.into_iter(), Vec::new());
        let slots = self.out.children(id);
        let written: Vec<(SlotId, NodeId)> =
            slots.ids().map(|at| (at, slots.get(at).value)).collect();
        for (at, source) in written {
            let part = match self.write_spliced_import(Seat::Slot(id, at), source, frame)
            {
                Some((before, after)) => {
                    let before = before.map_or(0, |found| self.width(found));
                    view.by_ref().take(before).for_each(drop);
                    let gone =
                        matches!(after, ImportOutcome::Dangling | ImportOutcome::Reused);
                    let (gives, view) = match after.value() {
                        Some(found) if self.kind(found) == Kind::Sequence => {
                            (self.compare.document.items(found), None)
                        }
                        found => (Vec::from_iter(found), found),
                    };
                    // It would be an error, or stand for another value.
                    if gives.is_empty() && before > 0 && gone {
                        self.out.remove_item(id, at);
                        self.note_splice(source);
                        continue;
                    }
                    OldPart { view, gives, splice: true, site: true }
                }
                None if self.is_marker(source) => {
                    OldPart { view: None, gives: Vec::new(), splice: false, site: false }
                }
                None => {
                    let view = view.next()?;
                    let i = self.index(source);
                    let site = i.is_some_and(|i| self.sites.get(i).is_some());
                    let gives = self.lone_import_after_edit(source, frame);
                    let gives = vec![gives.unwrap_or(view)];
                    OldPart { view: Some(view), gives, splice: false, site }
                }
            };
            items.push(ListItem { at, source, part });
        }
        view.next().is_none().then_some(items)
    }

    /// Returns the number of items that an imported value has in a list.
    fn width(&self, found: NodeId) -> usize {
        match self.kind(found) {
            Kind::Sequence => self.compare.document.items(found).len(),
            Kind::Scalar | Kind::Mapping => 1,
        }
    }

    /// Respells the directive of an item that is a lone directive and imports no mapping, so
    /// that its value replaces the item. Returns the values before and after the edit.
    fn write_spliced_import(
        &mut self,
        seat: Seat,
        source: NodeId,
        frame: usize,
    ) -> Option<(Option<NodeId>, ImportOutcome)> {
        let i = self.index(source)?;
        let [import] = &self.sites.get(i)?.imports[..] else { return None };
        let found = import.found;
        let other = self.source.base().entries(i).count() > 1;
        if other || found.is_some_and(|found| self.kind(found) == Kind::Mapping) {
            return None;
        }
        self.ancestors.push(Ancestor { parent: Some(frame), versions: Versions::NONE });
        let (key, after) = self.import_outcomes(i, self.ancestors.len() - 1).pop()?;
        let ImportOutcome::Renamed(found_after, pointer) = after else {
            return Some((found, after));
        };
        let item = self.out.open(seat, true)?;
        self.respell_directive(item, key, &pointer);
        Some((found, ImportOutcome::Found(found_after)))
    }

    /// Returns the value that an item will have that is a lone directive.
    fn lone_import_after_edit(&mut self, source: NodeId, frame: usize) -> Option<NodeId> {
        let i = self.index(source)?;
        let [import] = &self.sites.get(i)?.imports[..] else { return None };
        if import.is_relative() || self.source.base().entries(i).count() > 1 {
            return None;
        }
        self.import_outcomes(i, frame).pop()?.1.value()
    }

    fn write_site(&mut self, mut place: PendingNode, i: Index) {
        let frame = self.push_frame(&place);
        let imports = self.import_outcomes(i, frame);
        let alone = self.source.base().entries(i).count() == imports.len();
        if let (true, [(key, outcome)]) = (alone, &imports[..])
            && let Some(found) =
                outcome.value().filter(|&it| self.kind(it) != Kind::Mapping)
        {
            if !self.keep_directive_value(&place, (*key, outcome), found) {
                self.replace(&place);
            }
            return;
        }
        // No override turns a merge of mappings into a scalar or a list.
        if self.kind(place.edited) != Kind::Mapping {
            return self.replace(&place);
        }
        let Some(id) = self.open(&place) else { return };
        let mut left = imports.len();
        for (key, outcome) in imports {
            let conflict = match outcome.value() {
                Some(found) if self.kind(found) != Kind::Mapping => {
                    Some("what it names is no mapping any more")
                }
                Some(found) if self.has_unwanted_directive(found, place.edited) => {
                    Some("what it gives cannot be left out")
                }
                None if outcome == ImportOutcome::Reused => Some("what it names is gone"),
                Some(_) | None => None,
            };
            if let Some(why) = conflict {
                self.drop_directive(id, key, why);
                left -= 1;
                continue;
            }
            match &outcome {
                ImportOutcome::Renamed(_, pointer) => {
                    self.respell_directive(id, key, pointer);
                }
                ImportOutcome::Dangling => self.make_optional(id, key),
                ImportOutcome::Found(_)
                | ImportOutcome::Missing
                | ImportOutcome::Reused => {}
            }
            if let Some(found) = outcome.value() {
                self.compare.add_layer(&mut place.inherited, found);
            }
        }
        if left == 0 && place.inherited.is_empty() {
            self.drop_markers(id);
        }
        place.inherits_changed |= self.sites.holds_changed(i);
        self.write_entries(id, place, frame);
    }

    /// Returns true if an imported value holds raw directives that are to go: a whiteout
    /// of a directive would be read as the directive.
    fn has_unwanted_directive(&mut self, found: NodeId, edited: NodeId) -> bool {
        let (mut todo, mut met) = (vec![(found, edited)], HashSet::new());
        while let Some((found, edited)) = todo.pop() {
            let mappings = [found, edited].map(|node| self.kind(node) == Kind::Mapping);
            if mappings != [true, true]
                || self.compare.equal(found, edited)
                || !met.insert((found, edited))
            {
                continue;
            }
            let (found, edited) =
                (self.compare.entries(found), self.compare.entries(edited));
            for entry in &found.list {
                match edited.get(&entry.key) {
                    Some(edited) => todo.push((entry.value, edited)),
                    None if self.is_directive_key(Some(entry.name)) => return true,
                    None => {}
                }
            }
        }
        false
    }

    /// Keeps a lone directive that gives the edited value, or a part of the edited list.
    fn keep_directive_value(
        &mut self,
        place: &PendingNode,
        (key, after): (NodeId, &ImportOutcome),
        found: NodeId,
    ) -> bool {
        if self.compare.equal(found, place.edited) {
            let open = self.open(place);
            if let (ImportOutcome::Renamed(_, pointer), Some(id)) = (after, open) {
                self.respell_directive(id, key, pointer);
            }
            return true;
        }
        let (part, all) = (self.items(found), self.items(place.edited));
        let renamed = *after != ImportOutcome::Found(found);
        if renamed || part.is_empty() || part.len() > all.len() {
            return false;
        }
        let same = |it: &mut Self, at: usize| {
            part.iter().zip(&all[at..]).all(|(&a, &b)| it.compare.equal(a, b))
        };
        let Some(at) = (0..=all.len() - part.len()).find(|&at| same(self, at)) else {
            return false;
        };
        let list = self.out.new_sequence();
        let NodeId::Opened(id) = list else { return false };
        let before = all[..at].iter().map(|&item| Some(item));
        let after = all[at + part.len()..].iter().map(|&item| Some(item));
        for (position, item) in before.chain([None]).chain(after).enumerate() {
            let item = match item {
                Some(item) => self.new_value(item, None),
                None => place.source,
            };
            self.out.insert_item(id, position, item, None);
        }
        self.out.set_at(place.seat, list, None);
        true
    }

    fn items(&self, node: NodeId) -> Vec<NodeId> {
        self.compare.document.items(node)
    }

    /// Returns the values that the directives of a site will import.
    fn import_outcomes(
        &mut self,
        i: Index,
        frame: usize,
    ) -> Vec<(NodeId, ImportOutcome)> {
        let Some(site) = self.sites.get(i) else { return Vec::new() };
        let (source, roots) = ((self.source, self.root), self.roots);
        let after = |import: &SiteImport<'a>| {
            let here = (&self.ancestors[..], frame);
            (import.key, self.sites.outcome(import, source, here, self.compare, roots))
        };
        site.imports.iter().map(after).collect()
    }

    fn drop_directive(&mut self, id: u32, key: NodeId, why: &str) {
        match self.directive_slot(id, key) {
            Some(at) => self.out.remove_slot(id, at),
            None => self.out.expand_merge_keys(id),
        }
        self.changes.push((key, DirectiveChange::WrittenOut(why.to_owned())));
    }

    /// Removes the whiteouts and nullouts of a mapping without directives.
    fn drop_markers(&mut self, id: u32) {
        let slots = self.out.children(id);
        let markers = slots.ids().filter(|&at| self.is_marker(slots.get(at).value));
        for at in markers.collect::<Vec<_>>() {
            self.out.remove_slot(id, at);
        }
    }

    fn directives_of(&self, mapping: NodeId) -> Vec<NodeId> {
        let Some(i) = self.index(mapping) else { return Vec::new() };
        let imports = self.sites.get(i).into_iter().flat_map(|site| &site.imports);
        imports.map(|import| import.key).collect()
    }

    /// Returns the slot of a directive; `None` if it comes from `<<`.
    fn directive_slot(&self, id: u32, key: NodeId) -> Option<SlotId> {
        let slots = self.out.children(id);
        slots.ids().find(|&at| slots.get(at).key == Some(key))
    }

    /// Changes the pointer of a directive whose value has a new name.
    fn respell_directive(&mut self, id: u32, key: NodeId, pointer: &[String]) {
        let text = self.key_text(key);
        let head = text.split('/').next().unwrap_or_default().to_owned();
        let tokens = pointer.iter().map(|token| escape_token(token));
        let new = tokens.fold(head, |text, token| format!("{text}/{token}"));
        self.rename_directive(id, key, &new);
    }

    /// Makes a directive optional whose value is gone.
    fn make_optional(&mut self, id: u32, key: NodeId) {
        let text = self.key_text(key);
        self.rename_directive(id, key, &text.replacen('+', "+?", 1));
    }

    fn rename_directive(&mut self, id: u32, key: NodeId, text: &str) {
        let Some(at) = self.directive_slot(id, key) else {
            return self.drop_directive(id, key, "what it names is gone");
        };
        let new = if self.is_quoted(key) {
            self.out.new_text_like(text, key)
        } else {
            self.out.new_text(text)
        };
        self.out.rename(id, at, new);
        self.changes.push((key, DirectiveChange::Renamed(text.to_owned())));
    }

    fn key_text(&self, key: NodeId) -> String {
        match self.source.scalar(key) {
            Scalar::String(text) => text.into_owned(),
            _ => String::new(),
        }
    }

    fn replace(&mut self, place: &PendingNode) {
        let mut was = Some(place.source);
        let index = self.index(place.source);
        if let Some(i) = index {
            self.forget_inner_anchors(i);
            self.note_replaced(i);
            was = was.filter(|_| self.source.base().style(i) != Style::Alias);
        }
        let versions = Edited { view: place.view, edited: place.edited };
        let node = self.override_node(place.inherited.clone(), versions, was);
        self.out.set_at(place.seat, node, None);
        if let Some(i) = index.filter(|&i| self.source.base().anchor(i).is_some()) {
            self.out.set_alias_value(self.source.file(), i, node);
        }
    }

    /// Reports the directives in a value that is replaced.
    fn note_replaced(&mut self, i: Index) {
        for site in (i..self.source.base().next(i)).filter_map(|i| self.sites.get(i)) {
            let keys = site.imports.iter().map(|import| import.key);
            let change = DirectiveChange::WrittenOut("what held it was replaced".into());
            self.changes.extend(keys.map(|key| (key, change.clone())));
        }
    }

    /// Records that a node and the anchors in it are gone.
    fn forget_anchors(&mut self, source: NodeId) {
        let Some(i) = self.index(source) else { return };
        if self.source.base().anchor(i).is_some() {
            self.anchor_values.insert(i, None);
        }
        self.forget_inner_anchors(i);
    }

    fn forget_inner_anchors(&mut self, i: Index) {
        let arena = self.source.base();
        if !arena.has(i, flag::HAS_ANCHOR) {
            return;
        }
        let lost = (i + 1..arena.next(i)).filter(|&i| arena.anchor(i).is_some());
        self.anchor_values.extend(lost.map(|i| (i, None)));
    }

    /// Returns a new value. A string in place of a quoted one is quoted the same way.
    fn new_value(&mut self, edited: NodeId, was: Option<NodeId>) -> NodeId {
        self.check_value(edited);
        let document = self.compare.document;
        let node = document.follow(self.style.written(edited).unwrap_or(edited));
        if !self.style.is_verbatim()
            && document.kind(node) == Kind::Scalar
            && let Scalar::String(text) = document.scalar(node)
            && let Some(was) = was.filter(|&was| self.is_quoted(was))
            && !text.contains('\n')
        {
            return self.out.new_text_like(&text, was);
        }
        self.copy(edited)
    }

    /// Returns true if the style of a written string can be kept.
    fn is_quoted(&self, was: NodeId) -> bool {
        let Some(i) = self.index(was) else { return false };
        let arena = self.source.base();
        // The layout of block scalars and multi-line strings fits their own text only.
        let quoted = matches!(arena.style(i), Style::Single | Style::Double);
        quoted && arena.tag(i).is_none() && !arena.has(i, flag::MULTILINE)
    }

    fn renamed_key(&mut self, name: NodeId, was: Option<NodeId>) -> NodeId {
        if self.style.is_verbatim() && self.given_key(name).is_some() {
            return self.new_key(name);
        }
        let document = self.compare.document;
        let name = self.style.written(name).unwrap_or(name);
        if document.kind(name) != Kind::Scalar {
            return self.copy(name);
        }
        match (document.scalar(name), was.filter(|&was| self.is_quoted(was))) {
            (Scalar::String(text), Some(was)) => self.out.new_text_like(&text, was),
            (scalar, _) => self.out.new_scalar(scalar.into_owned()),
        }
    }

    /// Returns the key of a new entry. A key as it was given brings its comments.
    fn new_key(&mut self, name: NodeId) -> NodeId {
        self.given_key(name).unwrap_or_else(|| self.renamed_key(name, None))
    }

    /// Returns a key as it was given, if it can stand so in any place.
    fn given_key(&self, name: NodeId) -> Option<NodeId> {
        let key = self.style.written(name).filter(|_| !self.style.restyles())?;
        let NodeId::Clean(file, i) = key else { return None };
        let arena = self.compare.document.arena(file);
        let bare = !arena.has(i, flag::PROPS | flag::MULTILINE)
            && !arena.raw(i).contains('\u{feff}');
        let style = arena.style(i);
        let plain = matches!(style, Style::Plain | Style::Single | Style::Double);
        (plain && bare).then_some(key)
    }

    /// Returns a new value: as it was given, or in the style of its neighbours.
    fn copy(&mut self, node: NodeId) -> NodeId {
        let document = self.compare.document;
        let mut made = Vec::new();
        let mut todo = vec![(node, None)];
        while let Some((node, home)) = todo.pop() {
            let written = self.style.written(node);
            let node = written.unwrap_or(node);
            let copy = match document.kind(node) {
                _ if written.is_some() && !self.style.restyles() => node,
                Kind::Scalar => self.out.new_scalar(document.scalar(node).into_owned()),
                Kind::Sequence => {
                    let copy = self.out.new_sequence();
                    let items = document.items(node).into_iter().rev();
                    todo.extend(items.map(|item| (item, Some((copy, None)))));
                    copy
                }
                Kind::Mapping => {
                    let copy = self.out.new_mapping(&[], None);
                    let pairs = document.pairs(node).into_iter().rev();
                    todo.extend(pairs.map(|(key, item)| (item, Some((copy, Some(key))))));
                    copy
                }
            };
            match home {
                None => made.push(copy),
                Some((NodeId::Opened(id), None)) => {
                    self.out.insert_item(id, self.out.children(id).len(), copy, None);
                }
                Some((NodeId::Opened(id), Some(key))) => {
                    let key = self.style.written(key).unwrap_or(key);
                    let key = match document.kind(key) {
                        Kind::Scalar => {
                            self.out.new_scalar(document.scalar(key).into_owned())
                        }
                        Kind::Sequence | Kind::Mapping => key,
                    };
                    self.out.push_entry(id, key, copy);
                }
                Some((NodeId::Clean(..), _)) => {}
            }
        }
        made.pop().unwrap_or(node)
    }

    fn whiteout(&self) -> NodeId {
        NodeId::Clean(self.style.markers, WHITEOUT)
    }

    fn nullout(&self) -> NodeId {
        NodeId::Clean(self.style.markers, NULLOUT)
    }

    /// Returns true if a written mapping is a whiteout or a nullout.
    fn is_marker(&self, node: NodeId) -> bool {
        let out = [Some(Strategy::Whiteout), Some(Strategy::Nullout)];
        self.expands_directives
            && self.index(node).is_some()
            && out.contains(&Strategy::of(self.source, node))
    }

    /// Returns true if a key is a directive or a strategy.
    fn is_directive_key(&self, key: Option<NodeId>) -> bool {
        let document = self.compare.document;
        key.is_some_and(|key| match document.scalar(key) {
            Scalar::String(text) if document.kind(key) == Kind::Scalar => {
                self.expands_directives
                    && (compile::is_directive_key(&text) || text == STRATEGY_KEY)
            }
            _ => false,
        })
    }

    /// Reports a new value that would read back as something else.
    fn check_value(&mut self, value: NodeId) {
        if !self.expands_directives {
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
                self.check_key(key, value);
            }
        }
    }

    /// Reports a new entry that would read back as something else.
    fn check_key(&mut self, key: NodeId, value: NodeId) {
        let document = self.compare.document;
        let Scalar::String(text) = document.scalar(key) else { return };
        if !self.expands_directives {
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
    fn refuse(&mut self, node: NodeId, what: &str) {
        if !self.problems.is_empty() {
            return;
        }
        let problem = Diagnostic::error(format!("this would read back as {what}"));
        let document = self.compare.document;
        let place = document.span(node).map(|span| document.first_line(span));
        let problem = place.into_iter().fold(problem, Diagnostic::at);
        let hint = if self.had_directives {
            "is EDITED the source rather than its expansion?"
        } else {
            "`--no-directives` reads and saves it as data"
        };
        self.problems.push(*problem.hint(hint));
    }
}

fn is_written(key: &NodeId) -> bool {
    matches!(key, NodeId::Clean(..))
}
