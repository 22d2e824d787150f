//! The put of the lens: a document, what it expands to and what that was edited to → the
//! document with the edit in it. What did not change keeps its bytes; a change belongs to
//! the deepest site above it and becomes an override there.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::compare::{Beneath, Both, Compare, Entries, Entry, Frame, Key, New, Old};
use super::site::{After, Imported, Site, Sites};
use super::writing::Writing;
use crate::arena::{Index, Style, flag};
use crate::compile;
use crate::diagnostic::Diagnostic;
use crate::merge::Strategy;
use crate::node::{Document, Kind, Node, Seat, Slot, SlotId};
use crate::scalar::Scalar;

/// A place of the source and what is to be said there.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) seat: Seat,
    /// What is written there.
    pub(super) source: Node,
    /// What it expands to.
    pub(super) view: Option<Node>,
    /// What it is to expand to.
    pub(super) edited: Node,
    /// The number of the collection around it.
    pub(super) frame: Option<usize>,
    /// What would stand there if nothing was written.
    pub(super) inherited: Beneath,
    /// Whether what is inherited will be something else.
    pub(super) stirred: bool,
}

/// What is still to be done.
pub(super) enum Task {
    /// Say what a place is to be.
    Place(Box<Place>),
    /// Say in a new mapping what differs from what is inherited.
    Differ(u32, Beneath, Node),
}

/// So many nodes are made for an edit, at most about.
const OPENED: usize = 1 << 22;

/// Puts an edit into a document.
pub(super) struct Put<'a, 'p> {
    pub(super) source: &'a Document,
    pub(super) root: Node,
    pub(super) roots: Both,
    pub(super) sites: Sites<'a>,
    pub(super) compare: &'p mut Compare<'a>,
    pub(super) out: &'p mut Document,
    pub(super) writing: Writing,
    /// Whether keys such as `+/a` mean something.
    pub(super) expands: bool,
    /// Whether what takes something raw is left until the edit is in its source.
    pub(super) patient: bool,
    /// Whether SOURCE has directives, were they given up since or not.
    pub(super) sited: bool,
    pub(super) frames: Vec<Frame>,
    /// What the anchored nodes that changed are to be; none if they are gone.
    pub(super) became: HashMap<Index, Option<Node>>,
    pub(super) tasks: Vec<Task>,
    /// What cannot be said.
    pub(super) problems: Vec<Diagnostic>,
    /// What became of directives.
    pub(super) notes: Vec<(Node, Fate)>,
}

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

/// An item of the source.
struct Item {
    at: SlotId,
    source: Node,
    part: Old,
}

/// What became of a directive.
pub(super) enum Fate {
    /// What it gave was written out, and why.
    Gone(String),
    /// It is spelled another way.
    Renamed(String),
}

/// The text that strategies are copied from.
pub(super) const STRATEGIES: &str = "[{+%: whiteout}, {+%: nullout}]";

impl<'a, 'p> Put<'a, 'p> {
    pub(super) fn new(
        (source, root): (&'a Document, Node),
        roots: Both,
        sites: Sites<'a>,
        (compare, out): (&'p mut Compare<'a>, &'p mut Document),
        writing: Writing,
        expands: bool,
    ) -> Self {
        Put {
            source,
            root,
            roots,
            sites,
            compare,
            out,
            writing,
            expands,
            patient: false,
            sited: false,
            frames: Vec::new(),
            became: HashMap::new(),
            tasks: Vec::new(),
            problems: Vec::new(),
            notes: Vec::new(),
        }
    }

    pub(super) fn run(&mut self, root: usize, edited: Node) {
        let place = Place {
            seat: Seat::Root(root),
            source: self.root,
            view: self.roots.view,
            edited,
            frame: None,
            inherited: Beneath::new(),
            stirred: false,
        };
        self.tasks.push(Task::Place(Box::new(place)));
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Place(place) => self.place(*place),
                Task::Differ(..) if self.is_full() => return,
                Task::Differ(id, layers, edited) => {
                    let own = HashSet::new();
                    self.differ(
                        id,
                        &Inherited { layers, merged: Vec::new() },
                        edited,
                        &own,
                    );
                }
            }
        }
    }

    /// Whether overrides of what aliases repeat grow beyond all bounds.
    fn is_full(&mut self) -> bool {
        let full = self.out.opened_count() > OPENED;
        if full && self.problems.is_empty() {
            self.problems.push(*Diagnostic::error("the edit needs too many overrides"));
        }
        full
    }

    fn place(&mut self, mut place: Place) {
        let Node::Clean(_, i) = place.source else { return self.replace(&place) };
        let arena = self.source.base();
        let same = place.view.is_some_and(|view| self.compare.same(view, place.edited));
        let moved = !self.became.is_empty() && arena.has(i, flag::HAS_ALIAS);
        if same && !moved && !place.stirred && !self.sites.is_stirred(i) {
            return;
        }
        if arena.anchor(i).is_some() {
            self.became.insert(i, Some(place.edited));
        }
        if arena.style(i) == Style::Alias {
            return self.alias(&place, same);
        }
        if !place.inherited.is_empty() && !same {
            let needless = self.compare.same_as_inherited(&place.inherited, place.edited);
            if let (true, Seat::Slot(id, at)) = (needless, place.seat) {
                self.lose(place.source);
                return self.out.remove_slot(id, at);
            }
        }
        if self.replaces(place.source) {
            place.inherited.clear();
        }
        match (self.source.kind(place.source), self.kind(place.edited)) {
            _ if self.is_out(place.source) && same => {}
            // Whatever it would inherit: its text may be a variable.
            (Kind::Scalar, _) if same && !self.source.is_null(place.source) => {}
            _ if self.is_out(place.source) => self.replace(&place),
            (Kind::Mapping, Kind::Mapping)
                if self.patient && self.sites.get(i).is_some_and(Site::is_raw) => {}
            (Kind::Mapping, _) if self.sites.get(i).is_some() => self.site(place, i),
            (Kind::Mapping, Kind::Mapping) => self.mapping(place),
            (Kind::Sequence, Kind::Sequence) => self.sequence(place),
            (Kind::Scalar, Kind::Scalar) if self.says(&place) => {}
            _ if self.source.is_null(place.source) && self.inherits(&place) => {}
            _ => self.replace(&place),
        }
    }

    pub(super) fn kind(&self, node: Node) -> Kind {
        self.compare.document.kind(node)
    }

    /// Whether the scalar that is written is the one that is wanted.
    fn says(&mut self, place: &Place) -> bool {
        let null = self.source.is_null(place.source) && !place.inherited.is_empty();
        !null && self.compare.same(place.source, place.edited)
    }

    /// Whether what is inherited is what is wanted.
    fn inherits(&mut self, place: &Place) -> bool {
        self.compare.same_as_inherited(&place.inherited, place.edited)
    }

    /// Keeps an alias while what it names has the value that is wanted.
    fn alias(&mut self, place: &Place, same: bool) {
        let Node::Clean(_, i) = place.source else { return };
        let kept = match self.became.get(&self.source.base().target(i)) {
            Some(&Some(target)) => self.compare.same(target, place.edited),
            Some(None) | None => same,
        };
        if !kept {
            self.replace(place);
        }
    }

    fn mapping(&mut self, place: Place) {
        let frame = self.push_frame(&place);
        if let Some(id) = self.open(&place) {
            self.entries(id, place, frame);
        }
    }

    pub(super) fn push_frame(&mut self, place: &Place) -> usize {
        let both = Both { view: place.view, edited: Some(place.edited) };
        self.frames.push(Frame { around: place.frame, both });
        self.frames.len() - 1
    }

    /// Opens the collection of a place; its aliases will name what becomes of it.
    pub(super) fn open(&mut self, place: &Place) -> Option<u32> {
        let id = self.out.open(place.seat, true)?;
        if let Node::Clean(file, i) = place.source
            && self.source.base().anchor(i).is_some()
        {
            self.out.set_alias_value(file, i, Node::Opened(id));
        }
        Some(id)
    }

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

    /// Says what the items of a list are to be.
    pub(super) fn sequence(&mut self, place: Place) {
        let frame = self.push_frame(&place);
        let Some(id) = self.out.open(place.seat, true) else { return };
        let Some(items) = self.parts(id, &place, frame) else {
            return self.replace(&place);
        };
        self.open(&place);
        let wanted = self.compare.document.items(place.edited);
        let standing: Vec<&Item> =
            items.iter().filter(|item| !item.part.gives.is_empty()).collect();
        let parts: Vec<&Old> = standing.iter().map(|item| &item.part).collect();
        let pairs = self.compare.pair(&parts, &wanted);
        let pairs = standing.iter().zip(pairs);
        let chosen: HashMap<usize, (&Item, bool)> = pairs
            .clone()
            .filter_map(|(item, new)| Some((new?.at, (*item, new?.moved))))
            .collect();
        self.seat_items(id, &place, frame, &wanted, &chosen);
        for (item, new) in pairs {
            self.drop_item(id, item, new);
        }
    }

    /// Takes an item out, unless it stays where it is.
    fn drop_item(&mut self, id: u32, item: &Item, new: Option<New>) {
        if new.is_some_and(|new| !new.moved) {
            return;
        }
        if new.is_none() {
            self.lose(item.source);
        }
        self.out.remove_item(id, item.at);
        if item.part.splice {
            self.note_splice(item.source);
        }
    }

    fn note_splice(&mut self, source: Node) {
        let Node::Clean(_, i) = source else { return };
        if let Some(site) = self.sites.get(i) {
            let keys = site.imports.iter().map(|import| import.key);
            let why = "its part of the list is not what it names any more".to_owned();
            self.notes.extend(keys.map(|key| (key, Fate::Gone(why.clone()))));
        }
    }

    /// Puts the wanted items in their order between those that stay.
    fn seat_items(
        &mut self,
        id: u32,
        place: &Place,
        frame: usize,
        wanted: &[Node],
        chosen: &HashMap<usize, (&Item, bool)>,
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
                    None => self.value(edited, None),
                };
                let seat = self.out.insert_item(id, position, value, None);
                (position, at) = (position + 1, at + 1);
                let Some(&(item, _)) = found else { continue };
                (item, seat)
            };
            places.push(Place {
                seat: Seat::Slot(id, seat),
                source: item.source,
                view: item.part.view,
                edited,
                frame: Some(frame),
                inherited: Beneath::new(),
                stirred: place.stirred,
            });
        }
        let places = places.into_iter().rev();
        self.tasks.extend(places.map(|place| Task::Place(Box::new(place))));
    }

    /// The items of the source; none if it is not clear what they expanded to.
    fn parts(&mut self, id: u32, place: &Place, frame: usize) -> Option<Vec<Item>> {
        let view = self.compare.document.items(place.view?);
        let (mut view, mut items) = (view.into_iter(), Vec::new());
        let slots = self.out.children(id);
        let written: Vec<(SlotId, Node)> =
            slots.ids().map(|at| (at, slots.get(at).value)).collect();
        for (at, source) in written {
            let part = match self.import(Seat::Slot(id, at), source, frame) {
                Some((before, after)) => {
                    let before = before.map_or(0, |found| self.width(found));
                    view.by_ref().take(before).for_each(drop);
                    let gone = matches!(after, After::Gone | After::Taken);
                    let (gives, view) = match after {
                        After::Found(found) if self.kind(found) == Kind::Sequence => {
                            (self.compare.document.items(found), None)
                        }
                        After::Found(found) => (vec![found], Some(found)),
                        After::Renamed(..)
                        | After::Missing
                        | After::Gone
                        | After::Taken => (Vec::new(), None),
                    };
                    // What gives nothing any more but did is to go.
                    if gives.is_empty() && before > 0 && gone {
                        self.out.remove_item(id, at);
                        self.note_splice(source);
                        continue;
                    }
                    Old { view, gives, splice: true, site: true }
                }
                None if self.is_out(source) => {
                    Old { view: None, gives: Vec::new(), splice: false, site: false }
                }
                None => {
                    let view = view.next()?;
                    let site = matches!(source, Node::Clean(_, i) if self.sites.get(i).is_some());
                    Old { view: Some(view), gives: vec![view], splice: false, site }
                }
            };
            items.push(Item { at, source, part });
        }
        view.next().is_none().then_some(items)
    }

    /// How many items a found value takes up in a list.
    fn width(&self, found: Node) -> usize {
        match self.kind(found) {
            Kind::Sequence => self.compare.document.items(found).len(),
            Kind::Scalar | Kind::Mapping => 1,
        }
    }

    /// What an item imports before and after the edit, if it is nothing but a directive
    /// that names no mapping.
    fn import(
        &mut self,
        seat: Seat,
        source: Node,
        frame: usize,
    ) -> Option<(Option<Node>, After)> {
        let Node::Clean(_, i) = source else { return None };
        let [import] = &self.sites.get(i)?.imports[..] else { return None };
        let found = import.found;
        let other = self.source.base().entries(i).count() > 1;
        if other || found.is_some_and(|found| self.kind(found) == Kind::Mapping) {
            return None;
        }
        self.frames
            .push(Frame { around: Some(frame), both: Both { view: None, edited: None } });
        let here = self.frames.len() - 1;
        let (key, after) = self.imports(i, here).pop()?;
        let After::Renamed(found_after, pointer) = after else {
            return Some((found, after));
        };
        let item = self.out.open(seat, true)?;
        self.respell(item, key, &pointer);
        Some((found, After::Found(found_after)))
    }

    /// Says what a mapping with directives is to be.
    pub(super) fn site(&mut self, mut place: Place, i: Index) {
        let frame = self.push_frame(&place);
        let imports = self.imports(i, frame);
        let alone = self.source.base().entries(i).count() == imports.len();
        if let ([(key, after @ (After::Found(found) | After::Renamed(found, _)))], true) =
            (&imports[..], alone)
            && self.kind(*found) != Kind::Mapping
        {
            if !self.keep_value(&place, (*key, after), *found) {
                self.replace(&place);
            }
            return;
        }
        if self.kind(place.edited) != Kind::Mapping {
            return self.replace(&place);
        }
        let Some(id) = self.open(&place) else { return };
        let mut left = imports.len();
        for (key, after) in imports {
            match after {
                After::Found(found) | After::Renamed(found, _)
                    if self.kind(found) != Kind::Mapping =>
                {
                    self.drop_directive(id, key, "what it names is no mapping any more");
                    left -= 1;
                }
                After::Found(found) | After::Renamed(found, _)
                    if self.is_stuck(found, place.edited) =>
                {
                    self.drop_directive(id, key, "what it gives cannot be left out");
                    left -= 1;
                }
                After::Found(found) => self.compare.lay(&mut place.inherited, found),
                After::Renamed(found, pointer) => {
                    self.respell(id, key, &pointer);
                    self.compare.lay(&mut place.inherited, found);
                }
                After::Missing => {}
                After::Gone => self.make_optional(id, key),
                After::Taken => {
                    self.drop_directive(id, key, "what it names is gone");
                    left -= 1;
                }
            }
        }
        if left == 0 && place.inherited.is_empty() {
            self.drop_outs(id);
        }
        place.stirred |= self.sites.is_stirred(i);
        self.entries(id, place, frame);
    }

    /// Whether what is found has directives, taken raw, that are not wanted: no whiteout
    /// can be said of them.
    fn is_stuck(&mut self, found: Node, edited: Node) -> bool {
        let (mut todo, mut met) = (vec![(found, edited)], HashSet::new());
        while let Some((found, edited)) = todo.pop() {
            let mappings = [found, edited].map(|node| self.kind(node) == Kind::Mapping);
            if mappings != [true, true]
                || self.compare.same(found, edited)
                || !met.insert((found, edited))
            {
                continue;
            }
            let (found, edited) =
                (self.compare.entries(found), self.compare.entries(edited));
            for entry in &found.list {
                match edited.get(&entry.key) {
                    Some(edited) => todo.push((entry.value, edited)),
                    None if self.is_machinery(Some(entry.name)) => return true,
                    None => {}
                }
            }
        }
        false
    }

    /// Keeps a directive that stands for a value, or for a part of a list.
    fn keep_value(
        &mut self,
        place: &Place,
        (key, after): (Node, &After),
        found: Node,
    ) -> bool {
        if self.compare.same(found, place.edited) {
            if let (After::Renamed(_, pointer), Some(id)) = (after, self.open(place)) {
                self.respell(id, key, pointer);
            }
            return true;
        }
        let (part, all) = (self.items(found), self.items(place.edited));
        if *after != After::Found(found) || part.is_empty() || part.len() > all.len() {
            return false;
        }
        let same = |it: &mut Self, at: usize| {
            part.iter().zip(&all[at..]).all(|(&a, &b)| it.compare.same(a, b))
        };
        let Some(at) = (0..=all.len() - part.len()).find(|&at| same(self, at)) else {
            return false;
        };
        let list = self.out.new_sequence();
        let Node::Opened(id) = list else { return false };
        let before = all[..at].iter().map(|&item| Some(item));
        let after = all[at + part.len()..].iter().map(|&item| Some(item));
        for (position, item) in before.chain([None]).chain(after).enumerate() {
            let item = match item {
                Some(item) => self.value(item, None),
                None => place.source,
            };
            self.out.insert_item(id, position, item, None);
        }
        self.out.set_at(place.seat, list, None);
        true
    }

    fn items(&self, node: Node) -> Vec<Node> {
        self.compare.document.items(node)
    }

    /// What the directives of a site will import.
    pub(super) fn imports(&mut self, i: Index, frame: usize) -> Vec<(Node, After)> {
        let Some(site) = self.sites.get(i) else { return Vec::new() };
        let (source, roots) = ((self.source, self.root), self.roots);
        let after = |import: &Imported<'a>| {
            let here = (&self.frames[..], frame);
            let after = self.sites.after(import, source, here, self.compare, roots);
            (import.key, after)
        };
        site.imports.iter().map(after).collect()
    }

    fn drop_directive(&mut self, id: u32, key: Node, why: &str) {
        match self.directive(id, key) {
            Some(at) => self.out.remove_slot(id, at),
            None => self.out.expand_merge_keys(id),
        }
        self.notes.push((key, Fate::Gone(why.to_owned())));
    }

    /// Whiteouts go with the last of the directives that they were for.
    fn drop_outs(&mut self, id: u32) {
        let slots = self.out.children(id);
        let outs = slots.ids().filter(|&at| self.is_out(slots.get(at).value));
        for at in outs.collect::<Vec<_>>() {
            self.out.remove_slot(id, at);
        }
    }

    /// The keys of the directives of a mapping.
    pub(super) fn directives_of(&self, mapping: Node) -> Vec<Node> {
        let Node::Clean(_, i) = mapping else { return Vec::new() };
        let imports = self.sites.get(i).into_iter().flat_map(|site| &site.imports);
        imports.map(|import| import.key).collect()
    }

    /// The slot of a directive, unless it comes from `<<`.
    fn directive(&self, id: u32, key: Node) -> Option<SlotId> {
        let slots = self.out.children(id);
        slots.ids().find(|&at| slots.get(at).key == Some(key))
    }

    /// Lets a directive name what was renamed.
    pub(super) fn respell(&mut self, id: u32, key: Node, pointer: &[String]) {
        let text = self.text(key);
        let escape = |token: &String| token.replace('~', "~0").replace('/', "~1");
        let head = text.split('/').next().unwrap_or_default();
        let tokens = pointer
            .iter()
            .map(escape)
            .fold(head.to_owned(), |text, token| format!("{text}/{token}"));
        self.rename_directive(id, key, &tokens);
    }

    /// Lets a directive name what is gone, which it may then.
    fn make_optional(&mut self, id: u32, key: Node) {
        let text = self.text(key);
        self.rename_directive(id, key, &text.replacen('+', "+?", 1));
    }

    fn rename_directive(&mut self, id: u32, key: Node, text: &str) {
        let Some(at) = self.directive(id, key) else {
            return self.drop_directive(id, key, "what it names is gone");
        };
        let new = if self.is_quoted(key) {
            self.out.new_text_like(text, key)
        } else {
            self.out.new_text(text)
        };
        self.out.rename(id, at, new);
        self.notes.push((key, Fate::Renamed(text.to_owned())));
    }

    fn text(&self, key: Node) -> String {
        match self.source.scalar(key) {
            Scalar::String(text) => text.into_owned(),
            _ => String::new(),
        }
    }

    /// Lets a place be what is wanted, whatever is written there.
    pub(super) fn replace(&mut self, place: &Place) {
        let mut was = Some(place.source);
        if let Node::Clean(_, i) = place.source {
            self.lose_inside(i);
            self.note_replaced(i);
            was = was.filter(|_| self.source.base().style(i) != Style::Alias);
        }
        let node = self.over(place.inherited.clone(), place.edited, was);
        self.out.set_at(place.seat, node, None);
        if let Node::Clean(file, i) = place.source
            && self.source.base().anchor(i).is_some()
        {
            self.out.set_alias_value(file, i, node);
        }
    }

    /// Says of each directive in a value that is replaced that it goes.
    fn note_replaced(&mut self, i: Index) {
        for site in (i..self.source.base().next(i)).filter_map(|i| self.sites.get(i)) {
            let why = "what held it was replaced";
            let fate = |import: &Imported<'_>| (import.key, Fate::Gone(why.to_owned()));
            self.notes.extend(site.imports.iter().map(fate));
        }
    }

    /// What is written there goes, and the anchors in it.
    pub(super) fn lose(&mut self, source: Node) {
        let Node::Clean(_, i) = source else { return };
        if self.source.base().anchor(i).is_some() {
            self.became.insert(i, None);
        }
        self.lose_inside(i);
    }

    fn lose_inside(&mut self, i: Index) {
        let arena = self.source.base();
        if !arena.has(i, flag::HAS_ANCHOR) {
            return;
        }
        let lost = (i + 1..arena.next(i)).filter(|&i| arena.anchor(i).is_some());
        self.became.extend(lost.map(|i| (i, None)));
    }

    /// A new value; a string that replaces a quoted one keeps the quotes.
    pub(super) fn value(&mut self, edited: Node, was: Option<Node>) -> Node {
        self.check(edited);
        let document = self.compare.document;
        let node = document.follow(self.writing.written(edited).unwrap_or(edited));
        if document.kind(node) == Kind::Scalar
            && let Scalar::String(text) = document.scalar(node)
            && let Some(was) = was.filter(|&was| self.is_quoted(was))
            && !text.contains('\n')
        {
            return self.out.new_text_like(&text, was);
        }
        self.copy(edited)
    }

    /// Whether the style of a written string can be kept.
    pub(super) fn is_quoted(&self, was: Node) -> bool {
        let Node::Clean(_, i) = was else { return false };
        let arena = self.source.base();
        let quoted = matches!(arena.style(i), Style::Single | Style::Double);
        quoted && arena.tag(i).is_none() && !arena.has(i, flag::MULTILINE)
    }

    /// A new key.
    pub(super) fn key(&mut self, name: Node, was: Option<Node>) -> Node {
        let document = self.compare.document;
        let name = self.writing.written(name).unwrap_or(name);
        if document.kind(name) != Kind::Scalar {
            return self.copy(name);
        }
        match (document.scalar(name), was.filter(|&was| self.is_quoted(was))) {
            (Scalar::String(text), Some(was)) => self.out.new_text_like(&text, was),
            (scalar, _) => self.out.new_scalar(scalar.into_owned()),
        }
    }

    /// The key of a new entry, which brings its comments where it is as it was given.
    pub(super) fn new_key(&mut self, name: Node) -> Node {
        match self.writing.written(name) {
            Some(key @ Node::Clean(file, i)) if !self.writing.restyles() => {
                let arena = self.compare.document.arena(file);
                let style = arena.style(i);
                let bare = !arena.has(i, flag::PROPS | flag::MULTILINE)
                    && !arena.raw(i).contains('\u{feff}');
                let plain = matches!(style, Style::Plain | Style::Single | Style::Double);
                if plain && bare { key } else { self.key(name, None) }
            }
            _ => self.key(name, None),
        }
    }

    /// A new value: as it was given, or without a style of its own.
    fn copy(&mut self, node: Node) -> Node {
        let document = self.compare.document;
        let mut made = Vec::new();
        let mut todo = vec![(node, None)];
        while let Some((node, home)) = todo.pop() {
            let written = self.writing.written(node);
            let node = written.unwrap_or(node);
            let copy = match document.kind(node) {
                _ if written.is_some() && !self.writing.restyles() => node,
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
                Some((Node::Opened(id), None)) => {
                    let end = self.out.children(id).len();
                    self.out.insert_item(id, end, copy, None);
                }
                Some((Node::Opened(id), Some(key))) => {
                    let key = self.writing.written(key).unwrap_or(key);
                    let key = match document.kind(key) {
                        Kind::Scalar => {
                            self.out.new_scalar(document.scalar(key).into_owned())
                        }
                        Kind::Sequence | Kind::Mapping => key,
                    };
                    self.out.push_entry(id, key, copy);
                }
                Some((Node::Clean(..), _)) => {}
            }
        }
        made.pop().unwrap_or(node)
    }

    pub(super) fn whiteout(&self) -> Node {
        Node::Clean(self.writing.strategies, 1)
    }

    pub(super) fn nullout(&self) -> Node {
        Node::Clean(self.writing.strategies, 4)
    }

    /// Whether a written mapping is a whiteout or a nullout.
    pub(super) fn is_out(&self, node: Node) -> bool {
        let out = [Some(Strategy::Whiteout), Some(Strategy::Nullout)];
        self.expands && out.contains(&self.source.strategy(node))
    }

    /// Whether a written mapping says that it stands instead of what is inherited.
    pub(super) fn replaces(&self, node: Node) -> bool {
        self.expands && self.source.strategy(node) == Some(Strategy::Replace)
    }

    /// Whether a key means something.
    pub(super) fn is_machinery(&self, key: Option<Node>) -> bool {
        let document = self.compare.document;
        key.is_some_and(|key| match document.scalar(key) {
            Scalar::String(text) if document.kind(key) == Kind::Scalar => {
                self.expands && (compile::counts(&text) || text == "+%")
            }
            _ => false,
        })
    }

    /// Refuses a value that is to be written if it would read back as something else.
    fn check(&mut self, value: Node) {
        if !self.expands {
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

    /// Refuses a key that is to be written if it would read back as something else.
    pub(super) fn check_key(&mut self, key: Node, value: Node) {
        let document = self.compare.document;
        let Scalar::String(text) = document.scalar(key) else { return };
        if !self.expands {
            return;
        }
        let is = |word| document.is_text(value, word);
        if compile::counts(&text) {
            self.refuse(key, "a merge directive");
        } else if text == "+%" && (is("whiteout") || is("nullout")) {
            self.refuse(key, "a strategy");
        }
    }

    /// Says that something cannot be written.
    pub(super) fn refuse(&mut self, node: Node, what: &str) {
        if !self.problems.is_empty() {
            return;
        }
        let problem = Diagnostic::error(format!("this would read back as {what}"));
        let document = self.compare.document;
        let place = document.span(node).map(|span| document.first_line(span));
        let problem = place.into_iter().fold(problem, Diagnostic::at);
        let hint = if self.sited {
            "is EDITED the source rather than its expansion?"
        } else {
            "`--no-directives` reads and saves it as data"
        };
        self.problems.push(*problem.hint(hint));
    }
}

fn is_written(key: &Node) -> bool {
    matches!(key, Node::Clean(..))
}
