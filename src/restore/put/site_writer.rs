//! The edit of a mapping with directives.

use hashbrown::HashSet;

use super::inherited_part::{Origin, SourcePointer};
use super::mapping_writer::MappingWriter;
use super::override_value::replace;
use super::put_state::{PendingNode, PutState};
use crate::arena::Index;
use crate::node::{Kind, NodeId};
use crate::restore::site::ImportOutcome;

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
        if let (true, [(key, outcome)]) = (alone, &imports[..])
            && let Some(found) = outcome.value()
            && writer.put.kind(found) != Kind::Mapping
        {
            if !writer.keep_directive_value((*key, outcome), found) {
                replace(writer.put, &writer.place);
            }
            return;
        }
        // No override turns a merge of mappings into a scalar or a list.
        if writer.put.kind(writer.place.change.now) != Kind::Mapping {
            return replace(writer.put, &writer.place);
        }
        let Some(id) = writer.put.open(&writer.place) else { return };
        let mut is_site = false;
        for (key, outcome) in imports {
            is_site |= writer.write_directive(id, key, &outcome);
        }
        if !is_site && writer.place.inherited.is_empty() {
            writer.drop_markers(id);
        }
        let SiteWriter { put, mut place } = writer;
        place.inherits_changed |= put.sites.holds_changed(i);
        MappingWriter::write(put, id, place, frame);
    }

    /// Writes a directive as it will be, and adds its value to the inherited ones. Returns
    /// false if it is written out.
    fn write_directive(&mut self, id: u32, key: NodeId, outcome: &ImportOutcome) -> bool {
        if let Some(why) = self.conflict(outcome) {
            self.put.write_out(id, key, why);
            return false;
        }
        match outcome {
            ImportOutcome::Renamed(_, pointer) => {
                self.put.respell(id, key, pointer);
            }
            ImportOutcome::Dangling => {
                self.put.make_optional(id, key);
            }
            ImportOutcome::Found(_) | ImportOutcome::Missing | ImportOutcome::Reused => {}
        }
        if let Some(found) = outcome.value() {
            self.note_origin(key, outcome, found);
            self.put.compare.add_layer(&mut self.place.inherited, found);
        }
        true
    }

    /// Records the pointer to an imported value.
    fn note_origin(&mut self, key: NodeId, outcome: &ImportOutcome, found: NodeId) {
        let Some(i) = self.put.index(self.place.source) else { return };
        let imports = self.put.sites.get(i).into_iter().flat_map(|site| &site.imports);
        let import = imports.map(|import| (import.key, import.source));
        let Some(import) = import.into_iter().find(|import| import.0 == key) else {
            return;
        };
        let tokens = match outcome {
            ImportOutcome::Renamed(_, pointer) => pointer,
            _ => &import.1.pointer,
        };
        if let Some(pointer) = SourcePointer::of_import(
            self.put.source,
            &mut self.put.compare.written,
            import,
            tokens,
        ) {
            self.put.origins.0.insert(found, Origin::Import(pointer));
        }
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
        let (mut todo, mut met) = (vec![(found, self.place.change.now)], HashSet::new());
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
        (key, after): (NodeId, &ImportOutcome),
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
        let (part, all) = (self.put.items(found), self.put.items(self.place.change.now));
        let Some(at) = self.put.position_of_part(&part, &all) else { return false };
        self.write_around(&all[..at], &all[at + part.len()..]);
        true
    }

    /// Replaces the mapping by a list that holds it between new items.
    fn write_around(&mut self, before: &[NodeId], after: &[NodeId]) {
        let list = self.put.out.new_sequence();
        let NodeId::Opened(id) = list else { return };
        let before = before.iter().map(|&item| Some(item));
        let after = after.iter().map(|&item| Some(item));
        for (position, item) in before.chain([None]).chain(after).enumerate() {
            let item = match item {
                Some(item) => self.put.new_value(item, None),
                None => self.place.source,
            };
            self.put.out.insert_item(id, position, item, None);
        }
        self.put.out.set_at(self.place.seat, list, None);
    }

    /// Removes the whiteouts and nullouts of a mapping without directives.
    fn drop_markers(&mut self, id: u32) {
        let slots = self.put.out.children(id);
        let markers = slots.ids().filter(|&at| self.put.is_marker(slots.get(at).value));
        for at in markers.collect::<Vec<_>>() {
            self.put.out.remove_slot(id, at);
        }
    }
}
