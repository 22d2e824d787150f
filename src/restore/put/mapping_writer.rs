//! The edit of a mapping: its directives, if it has some, then entry after entry.

use hashbrown::{HashMap, HashSet};

use super::inherited_entries::{
    InheritedEntries, OwnEntries, OwnEntry, own_entries, slots_by_key,
};
use super::put_state::{InheritedOrigin, PendingNode, PutState, SourcePointer};
use crate::arena::Index;
use crate::compare::{EntryKey, MappingEntry};
use crate::node::{EntryComments, Kind, NodeId, Seat};
use crate::restore::compare::{Change, Layers};
use crate::restore::site::{ImportOutcome, SiteImport};

/// Writes the entries of one mapping.
pub(super) struct MappingWriter<'w, 'a, 'p> {
    put: &'w mut PutState<'a, 'p>,
    /// The mapping in the document with the edit.
    id: u32,
    change: Change<NodeId>,
    /// The index of the mapping among the ancestors.
    frame: Option<usize>,
    inherited: InheritedEntries,
    /// True if the inherited values will be others after the edit.
    inherits_changed: bool,
    own: OwnEntries<'a>,
    /// The entries that the edit removes, with their values in the expansion.
    removed: Vec<(OwnEntry<'a>, NodeId)>,
    /// The entries that stay.
    places: Vec<PendingNode>,
}

/// The added entries that a removed one may have become, by the classes of their values.
type AddedEntries<'a> = HashMap<u32, Vec<MappingEntry<'a>>>;

impl<'w, 'a, 'p> MappingWriter<'w, 'a, 'p> {
    /// Writes the entries of the mapping `place`, which was opened as `id`. Its own index
    /// among the ancestors is `frame`.
    pub(super) fn write(
        put: &'w mut PutState<'a, 'p>,
        id: u32,
        place: PendingNode,
        frame: usize,
    ) {
        let PendingNode { source, change, inherits_changed, .. } = place;
        let layers = place.inherited;
        let inherited = InheritedEntries::new(put, id, source, change.now, layers);
        let all = own_entries(put, id, source);
        let mut writer = MappingWriter::new(put, id, inherited, change);
        (writer.frame, writer.inherits_changed) = (Some(frame), inherits_changed);
        writer.own.slots = all.iter().map(|own| (own.key.clone(), own.at)).collect();
        writer.write_own(all);
        writer.write_removed();
        // A dump that sorts keys says nothing about the place of a new one.
        writer.own.in_order = writer.put.values.keeps_spelling || writer.keeps_order();
        writer.write_differences();
        let MappingWriter { put, places, .. } = writer;
        put.push_nodes(places);
    }

    /// Writes into the new mapping `id` what differs from inherited values.
    pub(super) fn write_override(
        put: &'w mut PutState<'a, 'p>,
        id: u32,
        layers: Layers,
        change: Change<NodeId>,
    ) {
        let inherited = InheritedEntries::of_layers(layers);
        MappingWriter::new(put, id, inherited, change).write_differences();
    }

    fn new(
        put: &'w mut PutState<'a, 'p>,
        id: u32,
        inherited: InheritedEntries,
        change: Change<NodeId>,
    ) -> Self {
        MappingWriter {
            put,
            id,
            change,
            frame: None,
            inherited,
            inherits_changed: false,
            own: OwnEntries::default(),
            removed: Vec::new(),
            places: Vec::new(),
        }
    }

    /// Sorts the own entries into those that stay and those that are removed.
    fn write_own(&mut self, all: Vec<OwnEntry<'a>>) {
        let edited = self.put.compare.entries(self.change.now);
        let view = self.change.was.map(|view| self.put.compare.entries(view));
        let written =
            self.inherited.keys_beside_merged(self.put.compare, self.change.now);
        for entry in all {
            let view = view.as_ref().and_then(|view| view.entry(&entry.key));
            let now = edited.entry(&entry.key);
            if let (Some(view), Some(now)) = (view, now)
                && !self.put.compare.same_tag(view.name, now.name)
            {
                self.put.out.give_key(Seat::Slot(self.id, entry.at), now.name);
            }
            let view = view.map(|view| view.value);
            let layers = self.put.inherited(&self.inherited.layers, &entry.key);
            match (view, now.map(|now| now.value)) {
                (None, Some(edited)) if self.is_directive(&entry) => {
                    self.put.refuse(edited, "a merge directive");
                }
                (Some(was), Some(now))
                    if self.inherited.is_merged_now(self.put, &entry.key, was, now)
                        && !written.contains(&entry.key) =>
                {
                    self.put.forget_anchors(entry.slot.value);
                    self.put.out.remove_slot(self.id, entry.at);
                    self.own.slots.remove(&entry.key);
                }
                (was, Some(now)) => self.keep(&entry, Change { was, now }, layers),
                (None, None) => {}
                (Some(view), None) if layers.is_empty() => {
                    self.removed.push((entry, view));
                }
                (Some(_), None) => {
                    self.put.forget_anchors(entry.slot.value);
                    let whiteout = self.put.values.whiteout();
                    let seat = Seat::Slot(self.id, entry.at);
                    self.put.out.set_at(seat, whiteout, None);
                }
            }
        }
    }

    fn is_directive(&self, entry: &OwnEntry<'a>) -> bool {
        entry.slot.key.is_some_and(|key| self.put.is_directive_key(key))
    }

    fn keep(&mut self, entry: &OwnEntry<'a>, change: Change<NodeId>, inherited: Layers) {
        self.places.push(PendingNode {
            seat: Seat::Slot(self.id, entry.at),
            source: entry.slot.value,
            change,
            frame: self.frame,
            inherited,
            inherits_changed: self.inherits_changed,
        });
    }

    /// Removes entries, or renames those that another key has now.
    fn write_removed(&mut self) {
        let removed = std::mem::take(&mut self.removed);
        if removed.is_empty() {
            return;
        }
        let mut added = self.added_entries(removed.len());
        let mut twins = slots_by_key(self.put, self.id);
        let mut names = self.put.out.key_digests(self.id);
        for (entry, view) in removed {
            if let Some(to) = self.new_entry_of(&entry, view, &mut added) {
                let out = &mut *self.put.out;
                let key = self.put.values.renamed_key(out, to.name, entry.slot.key);
                out.rename_with_digests(self.id, entry.at, key, &mut names);
                self.own.slots.insert(to.key.clone(), entry.at);
                let change = Change { was: Some(view), now: to.value };
                self.keep(&entry, change, Layers::new());
            } else {
                self.put.forget_anchors(entry.slot.value);
                for at in twins.remove(&entry.key).unwrap_or_default() {
                    if self.put.out.children(self.id).holds(at) {
                        self.put.out.remove_slot(self.id, at);
                    }
                }
            }
        }
    }

    /// Returns the added entries that one of a number of removed entries may have become.
    fn added_entries(&mut self, removed_count: usize) -> AddedEntries<'a> {
        let all = self.put.compare.entries(self.change.now);
        let new = all.list.iter().filter(|it| !self.own.slots.contains_key(&it.key));
        let new: Vec<_> = new.collect();
        // Scalars such as `true` are equal by chance; only where one entry went and one
        // came is a new key surely the old one under another name.
        let lone = new.len() == 1 && removed_count == 1;
        let mut added = AddedEntries::new();
        for entry in new.into_iter().rev() {
            let certain = lone || self.put.kind(entry.value) != Kind::Scalar;
            if certain && self.inherited.get(self.put.compare, &entry.key).is_empty() {
                let class = self.put.compare.class(entry.value);
                added.entry(class).or_default().push(entry.clone());
            }
        }
        added
    }

    /// Returns the added entry that a removed one has become.
    fn new_entry_of(
        &mut self,
        entry: &OwnEntry<'a>,
        view: NodeId,
        added: &mut AddedEntries<'a>,
    ) -> Option<MappingEntry<'a>> {
        let compare = &mut *self.put.compare;
        let class = if added.is_empty() { u32::MAX } else { compare.class(view) };
        let same = added.get_mut(&class).and_then(Vec::pop);
        same.or_else(|| {
            let renamed = compare.renamed_keys(self.change.was?, self.change.now);
            let to = renamed.get_similar(&entry.key)?.clone();
            let is_new = !self.own.slots.contains_key(&to.key)
                && self.inherited.get(compare, &to.key).is_empty();
            is_new.then_some(to)
        })
    }

    /// Returns true if the edited text has the keys in the order of the expansion.
    fn keeps_order(&mut self) -> bool {
        let Some(view) = self.change.was else { return true };
        let compare = &mut *self.put.compare;
        let [view, edited] = [view, self.change.now].map(|node| compare.entries(node));
        let places: HashMap<&EntryKey<'a>, usize> =
            view.list.iter().zip(0..).map(|(entry, at)| (&entry.key, at)).collect();
        let both = edited.list.iter().filter_map(|entry| places.get(&entry.key));
        both.is_sorted()
    }

    /// Adds entries until the mapping expands to the edited one; the own keys are done.
    fn write_differences(&mut self) {
        let edited = self.put.compare.entries(self.change.now);
        let view = self.change.was.map(|view| self.put.compare.entries(view));
        for (at, entry) in edited.list.iter().enumerate() {
            if self.own.slots.contains_key(&entry.key) {
                continue;
            }
            let all = self.inherited.get(self.put.compare, &entry.key);
            if !all.is_empty() && self.put.compare.equals_inherited(&all, entry.value) {
                continue;
            }
            let was = view.as_ref().and_then(|view| view.get(&entry.key));
            self.add(&edited.list, at, was);
        }
        for (key, name) in self.put.compare.inherited_keys(&self.inherited.layers) {
            if self.own.slots.contains_key(&key) || edited.get(&key).is_some() {
                continue;
            }
            let whiteout = self.put.values.whiteout();
            let key = self.put.values.renamed_key(self.put.out, name, None);
            let out = &mut *self.put.out;
            let end = out.children(self.id).len();
            let at = out.insert_entry_at(self.id, end, key, whiteout);
            // The comments of the entry are not those of its removal.
            let [trailing, leading] = [(), ()].map(|()| Some("".into()));
            let comments = EntryComments { trailing, leading, ..Default::default() };
            out.give_comments(Seat::Slot(self.id, at), comments);
        }
    }

    /// Adds the entry `edited[at]`, which has the value `was` in the expansion.
    fn add(&mut self, edited: &[MappingEntry<'a>], at: usize, was: Option<NodeId>) {
        let entry = &edited[at];
        let layers = self.put.inherited(&self.inherited.layers, &entry.key);
        self.put.check_entry(entry.name, entry.value);
        let key = self.put.values.key(self.put.out, entry.name);
        let change = Change { was, now: entry.value };
        let value = match self.put.list_override(&layers, change) {
            Some(list) => list,
            None => self.put.override_value(layers, change, None),
        };
        let slots = self.put.out.children(self.id);
        let position = self.own.position_of_new(slots, edited, at);
        let slot = self.put.out.insert_entry_at(self.id, position, key, value);
        self.own.slots.insert(entry.key.clone(), slot);
    }
}

/// Writes one mapping with directives: its directives, then its entries.
pub(super) struct SiteWriter<'w, 'a, 'p> {
    put: &'w mut PutState<'a, 'p>,
    place: PendingNode,
}

impl<'w, 'a, 'p> SiteWriter<'w, 'a, 'p> {
    /// Writes the mapping `place`, node `i` of the source.
    pub(super) fn write(put: &'w mut PutState<'a, 'p>, place: PendingNode, i: Index) {
        let frame = put.push_frame(&place);
        let imports = put.import_outcomes(i, frame);
        let alone = put.source.base().entries(i).count() == imports.len();
        let mut writer = SiteWriter { put, place };
        if let (true, [(import, outcome)]) = (alone, &imports[..])
            && let Some(found) = outcome.value()
            && writer.put.kind(found) != Kind::Mapping
        {
            if !writer.keep_directive_value(import.key, outcome, found) {
                writer.put.replace(&writer.place);
            }
            return;
        }
        // No override turns a merge of mappings into a scalar or a list.
        if writer.put.kind(writer.place.change.now) != Kind::Mapping {
            return writer.put.replace(&writer.place);
        }
        let Some(id) = writer.put.open(&writer.place) else { return };
        let mut is_site = false;
        for (import, outcome) in imports {
            is_site |= writer.write_directive(id, import, &outcome);
        }
        let SiteWriter { put, mut place } = writer;
        // Without directives, whiteouts and nullouts would override nothing.
        if !is_site && place.inherited.is_empty() {
            let slots = put.out.children(id);
            let markers = slots.ids().filter(|&at| put.is_marker(slots.get(at).value));
            for at in markers.collect::<Vec<_>>() {
                put.out.remove_slot(id, at);
            }
        }
        place.inherits_changed |= put.edit.holds_changed(i);
        MappingWriter::write(put, id, place, frame);
    }

    /// Writes a directive as it will be, and adds its value to the inherited ones. Returns
    /// false if it is written out.
    fn write_directive(
        &mut self,
        id: u32,
        import: SiteImport<'a>,
        outcome: &ImportOutcome,
    ) -> bool {
        let key = import.key;
        let mut tokens = &import.source.pointer;
        if let Some(why) = self.conflict(outcome) {
            self.put.write_out(id, key, why);
            return false;
        }
        match outcome {
            ImportOutcome::Renamed(_, pointer) => {
                self.put.respell(id, key, pointer);
                tokens = pointer;
            }
            ImportOutcome::Dangling => self.put.make_optional(id, key),
            ImportOutcome::Found(_) | ImportOutcome::Missing | ImportOutcome::Reused => {}
        }
        if let Some(found) = outcome.value() {
            if let Some(pointer) = SourcePointer::of_import(self.put, import, tokens) {
                self.put.origins.0.insert(found, InheritedOrigin::Import(pointer));
            }
            self.put.compare.add_layer(&mut self.place.inherited, found);
        }
        true
    }

    /// Returns the reason why a directive cannot stand beside the edit.
    fn conflict(&mut self, outcome: &ImportOutcome) -> Option<&'static str> {
        match outcome.value() {
            Some(found) if self.put.kind(found) != Kind::Mapping => {
                Some("what it names is no mapping any more")
            }
            Some(found) if self.has_unwanted_directive(found) => {
                Some("what it gives cannot be left out")
            }
            None if *outcome == ImportOutcome::Reused => Some("what it names is gone"),
            Some(_) | None => None,
        }
    }

    /// Returns true if an imported value holds raw directives that are to go: a whiteout
    /// of a directive would be read as the directive.
    fn has_unwanted_directive(&mut self, found: NodeId) -> bool {
        let put = &mut *self.put;
        let mut todo = vec![(found, self.place.change.now)];
        let mut met = HashSet::new();
        while let Some((found, edited)) = todo.pop() {
            let mappings = [found, edited].map(|node| put.kind(node) == Kind::Mapping);
            if mappings != [true, true] || !met.insert((found, edited)) {
                continue;
            }
            let [there, here] = [found, edited].map(|node| put.compare.entries(node));
            // The entries of a large mapping are known, but comparing it takes its size.
            let may_be_equal = there.list.len() == here.list.len();
            if may_be_equal && put.compare.equal(found, edited) {
                continue;
            }
            for entry in &there.list {
                match here.get(&entry.key) {
                    Some(edited) => todo.push((entry.value, edited)),
                    None if put.is_directive_key(entry.name) => return true,
                    None => {}
                }
            }
        }
        false
    }

    /// Keeps a lone directive that gives the edited value, or a part of the edited list.
    fn keep_directive_value(
        &mut self,
        key: NodeId,
        after: &ImportOutcome,
        found: NodeId,
    ) -> bool {
        if self.put.compare.equal(found, self.place.change.now) {
            let open = self.put.open(&self.place);
            if let (ImportOutcome::Renamed(_, pointer), Some(id)) = (after, open) {
                self.put.respell(id, key, pointer);
            }
            return true;
        }
        if *after != ImportOutcome::Found(found) {
            return false;
        }
        let [part, all] = [found, self.place.change.now].map(|list| self.put.items(list));
        let Some(at) = self.put.position_of_part(&part, &all) else { return false };
        self.write_around(&all[..at], &all[at + part.len()..]);
        true
    }

    /// Replaces the mapping by a list that holds it between new items.
    fn write_around(&mut self, before: &[NodeId], after: &[NodeId]) {
        let before = self.put.new_values(before);
        let after = self.put.new_values(after);
        let list =
            self.put.out.new_list([before, vec![self.place.source], after].concat());
        self.put.out.set_at(self.place.seat, list, None);
    }
}
