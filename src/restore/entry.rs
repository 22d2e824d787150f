//! The entries of a mapping of the source and those it is to have → the entries it says
//! itself: what is inherited is left unsaid.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::compare::{Entries, Entry, Key};
use super::layer::Beneath;
use super::put::{Place, Put, Task};
use crate::arena::Style;
use crate::node::{Kind, Node, Seat, Slot, SlotId};

/// What a mapping does not say itself.
pub(super) struct Inherited {
    /// What its directives give it, and those of the mappings around it.
    pub(super) layers: Beneath,
    /// What `<<` gives it, the weakest first.
    pub(super) merged: Vec<Node>,
}

/// An entry of the source, the last one with its key.
struct Own<'a> {
    key: Key<'a>,
    at: SlotId,
    slot: Slot,
}

/// An entry that is to go, and what it expanded to.
struct Removed<'a> {
    own: Own<'a>,
    view: Node,
}

impl<'a> Put<'a, '_> {
    /// Says what the entries of opened mapping `id` are to be.
    pub(super) fn entries(&mut self, id: u32, place: Place, frame: usize) {
        let edited = self.compare.entries(place.edited);
        let merged = self.merged(id, &place, &edited);
        let view = place.view.map(|view| self.compare.entries(view));
        let inherited = Inherited { layers: place.inherited, merged };
        let (mut places, mut removed) = (Vec::new(), Vec::new());
        let all = self.own(id, place.source);
        let mut own: HashSet<Key<'a>> = all.iter().map(|own| own.key.clone()).collect();
        let seated = |at, slot: Slot, view, edited, inherited| Place {
            seat: Seat::Slot(id, at),
            source: slot.value,
            view,
            edited,
            frame: Some(frame),
            inherited,
            stirred: place.stirred,
        };
        for entry in all {
            let view = view.as_ref().and_then(|view| view.get(&entry.key));
            let layers = self.compare.inherited(&inherited.layers, &entry.key);
            match (view, edited.get(&entry.key)) {
                (None, Some(edited)) if self.is_machinery(entry.slot.key) => {
                    self.refuse(edited, "a merge directive");
                }
                (view, Some(edited)) => {
                    places.push(seated(entry.at, entry.slot, view, edited, layers));
                }
                (None, None) => {}
                (Some(view), None) if layers.is_empty() => {
                    removed.push(Removed { own: entry, view });
                }
                (Some(_), None) => {
                    self.lose(entry.slot.value);
                    let whiteout = self.whiteout();
                    self.out.set_at(Seat::Slot(id, entry.at), whiteout, None);
                }
            }
        }
        let lists = (place.view, place.edited);
        for (renamed, edited) in self.remove(id, removed, lists, &inherited, &mut own) {
            let Own { at, slot, .. } = renamed.own;
            places.push(seated(at, slot, Some(renamed.view), edited, Beneath::new()));
        }
        self.differ(id, &inherited, place.edited, &own);
        let places = places.into_iter().rev();
        self.tasks.extend(places.map(|place| Task::Place(Box::new(place))));
    }

    /// The own entries of an opened mapping.
    fn own(&mut self, id: u32, of: Node) -> Vec<Own<'a>> {
        let directives = self.directives_of(of);
        let slots = self.out.children(id);
        let slots: Vec<(SlotId, Slot)> =
            slots.ids().map(|at| (at, *slots.get(at))).collect();
        let (mut own, mut met): (Vec<Own<'a>>, HashMap<Key<'a>, usize>) =
            Default::default();
        for (at, slot) in slots {
            // A directive that is respelled is said already.
            let Some(key) = slot.key.filter(is_written) else { continue };
            if self.out.is_merge(&slot) || directives.contains(&key) {
                continue;
            }
            let key = self.compare.key(key);
            match met.get(&key) {
                Some(&twin) => own[twin] = Own { key, at, slot },
                None => {
                    met.insert(key.clone(), own.len());
                    own.push(Own { key, at, slot });
                }
            }
        }
        own
    }

    /// What the `<<` of opened mapping `id` will give it. They are written out if what
    /// they name is gone, or if there is no other way to be rid of an entry.
    fn merged(&mut self, id: u32, place: &Place, edited: &Rc<Entries<'a>>) -> Vec<Node> {
        let slots = self.out.children(id).iter();
        let values: Vec<Node> =
            slots.filter(|slot| self.out.is_merge(slot)).map(|slot| slot.value).collect();
        if values.is_empty() {
            return Vec::new();
        }
        // Beside own entries, variables in what it names count too.
        let filled: Vec<Node> =
            values.iter().flat_map(|&value| self.compare.document.items(value)).collect();
        let mut merged: Option<Vec<Node>> = Some(Vec::new());
        for value in values {
            let more = self.sources_of(value);
            merged = merged.zip(more).map(|(merged, more)| [more, merged].concat());
        }
        let own = self.own(id, place.source);
        let own: HashSet<&Key<'a>> = own.iter().map(|own| &own.key).collect();
        let mut is_wanted = |layers: &[Node]| {
            let keys = self.compare.inherited_keys(layers);
            keys.iter().all(|(key, _)| own.contains(key) || edited.get(key).is_some())
        };
        let kept = merged.filter(|merged| is_wanted(merged) && is_wanted(&filled));
        kept.unwrap_or_else(|| {
            self.out.expand_merge_keys(id);
            Vec::new()
        })
    }

    /// What the value of a `<<` names and will be, the weakest first; none if that is gone.
    fn sources_of(&self, value: Node) -> Option<Vec<Node>> {
        let is = self.is_to_be(value)?;
        let document = if is == value { self.source } else { self.compare.document };
        let sources = match document.kind(is) {
            Kind::Sequence => document.items(is),
            Kind::Scalar | Kind::Mapping => vec![is],
        };
        // Of several sources the first is the strongest.
        sources.into_iter().rev().map(|source| self.is_to_be(source)).collect()
    }

    /// What a source of `<<` will be, unless it is gone.
    fn is_to_be(&self, source: Node) -> Option<Node> {
        let Node::Clean(file, i) = source else { return Some(source) };
        let arena = self.source.base();
        if file != arena.file() || arena.style(i) != Style::Alias {
            return Some(source);
        }
        match self.became.get(&arena.target(i)) {
            None => Some(source),
            Some(&became) => became.filter(|&node| self.kind(node) != Kind::Scalar),
        }
    }

    /// Removes entries. One whose value another key now has, or much of it, is renamed;
    /// these go out.
    fn remove(
        &mut self,
        id: u32,
        removed: Vec<Removed<'a>>,
        (view, edited): (Option<Node>, Node),
        inherited: &Inherited,
        own: &mut HashSet<Key<'a>>,
    ) -> Vec<(Removed<'a>, Node)> {
        if removed.is_empty() {
            return Vec::new();
        }
        let all = self.compare.entries(edited);
        let fresh: Vec<_> = all.list.iter().filter(|e| !own.contains(&e.key)).collect();
        let lone = fresh.len() == 1 && removed.len() == 1;
        let mut added: HashMap<u32, Vec<_>> = HashMap::new();
        for entry in fresh.into_iter().rev() {
            let told = lone || self.kind(entry.value) != Kind::Scalar;
            if told && self.inherited(inherited, &entry.key).is_empty() {
                added.entry(self.compare.class(entry.value)).or_default().push(entry);
            }
        }
        let (mut twins, mut names) = (self.twins(id), self.out.key_digests(id));
        let mut renamed = Vec::new();
        for entry in removed {
            let class =
                if added.is_empty() { u32::MAX } else { self.compare.class(entry.view) };
            let same = added.get_mut(&class).and_then(Vec::pop).cloned();
            let changed = || {
                let to =
                    self.compare.renamed_and_changed((view?, edited), &entry.own.key);
                to.filter(|to| self.is_new(to, inherited, own))
            };
            if let Some(to) = same.or_else(changed) {
                let key = self.key(to.name, entry.own.slot.key);
                self.out.rename_with_digests(id, entry.own.at, key, &mut names);
                own.insert(to.key.clone());
                renamed.push((entry, to.value));
                continue;
            }
            self.lose(entry.own.slot.value);
            for at in twins.remove(&entry.own.key).unwrap_or_default() {
                if self.out.children(id).holds(at) {
                    self.out.remove_slot(id, at);
                }
            }
        }
        renamed
    }

    /// Whether a mapping has nothing yet for the key of an entry.
    fn is_new(
        &mut self,
        entry: &Entry<'a>,
        inherited: &Inherited,
        own: &HashSet<Key<'a>>,
    ) -> bool {
        !own.contains(&entry.key) && self.inherited(inherited, &entry.key).is_empty()
    }

    /// The slots of an opened mapping by their written key.
    fn twins(&mut self, id: u32) -> HashMap<Key<'a>, Vec<SlotId>> {
        let slots = self.out.children(id);
        let mut twins: HashMap<Key<'a>, Vec<SlotId>> = HashMap::new();
        for at in slots.ids() {
            if let Some(key) = slots.get(at).key.filter(is_written) {
                twins.entry(self.compare.key(key)).or_default().push(at);
            }
        }
        twins
    }

    /// What a mapping that does not say `key` has there.
    fn inherited(&mut self, inherited: &Inherited, key: &Key<'a>) -> Beneath {
        let mut layers = self.compare.inherited(&inherited.layers, key);
        let mut merged = inherited.merged.iter().rev();
        let merged = merged.find_map(|&merged| self.compare.entries(merged).get(key));
        if let Some(value) = merged {
            self.compare.lay(&mut layers, value);
        }
        layers
    }

    /// Adds to opened mapping `id` what makes it mean `edited`, but for the keys it says.
    pub(super) fn differ(
        &mut self,
        id: u32,
        inherited: &Inherited,
        edited: Node,
        own: &HashSet<Key<'a>>,
    ) {
        let edited = self.compare.entries(edited);
        for entry in edited.list.iter().filter(|entry| !own.contains(&entry.key)) {
            let all = self.inherited(inherited, &entry.key);
            if !all.is_empty() && self.compare.same_as_inherited(&all, entry.value) {
                continue;
            }
            let layers = self.compare.inherited(&inherited.layers, &entry.key);
            self.check_key(entry.name, entry.value);
            let key = self.new_key(entry.name);
            let value = self.over(layers, entry.value, None);
            self.out.push_entry(id, key, value);
        }
        for (key, name) in self.compare.inherited_keys(&inherited.layers) {
            if own.contains(&key) || edited.get(&key).is_some() {
                continue;
            }
            let (key, whiteout) = (self.key(name, None), self.whiteout());
            self.out.push_entry(id, key, whiteout);
        }
    }

    /// The node that makes a place mean `edited`.
    pub(super) fn over(
        &mut self,
        layers: Beneath,
        edited: Node,
        was: Option<Node>,
    ) -> Node {
        let mapping = self.kind(edited) == Kind::Mapping;
        if mapping && self.compare.is_mapping(&layers) {
            let node = self.out.new_mapping(&[], None);
            if let Node::Opened(id) = node {
                self.tasks.push(Task::Differ(id, layers, edited));
            }
            return node;
        }
        let null = self.compare.document.is_null(edited);
        if null && layers.iter().any(|&layer| !self.compare.document.is_null(layer)) {
            return self.nullout();
        }
        self.value(edited, was)
    }
}

fn is_written(key: &Node) -> bool {
    matches!(key, Node::Clean(..))
}
