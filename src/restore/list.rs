//! A list of the source and the list it is to be → its items, each in its place: spliced
//! ones stay while what they give is there.

use std::collections::{HashMap, HashSet};

use super::align::{Part, WEIGHED, align};
use super::compare::Key;
use super::holder::Fate;
use super::layer::Layers;
use super::put::{Place, Put, Task};
use super::site::After;
use crate::node::{Kind, Node, Seat, SlotId};
use crate::scalar::Identity;

/// The keys by which items are told from each other.
const NAMES: [&str; 3] = ["name", "id", "key"];

/// So many entries of mappings are compared to weigh all pairs, about.
const WORK: usize = 1 << 20;

/// An item of the source.
struct Item {
    at: SlotId,
    source: Node,
    /// What it expanded to, of one item.
    view: Option<Node>,
    /// What it will expand to, left alone.
    gives: Vec<Node>,
    /// Whether what it gives is what a directive names.
    splice: bool,
}

impl Put<'_, '_> {
    /// Says what the items of a list are to be.
    pub(super) fn sequence(&mut self, place: Place) {
        let frame = self.push_frame(&place);
        let Some(id) = self.out.open(place.seat, true) else { return };
        let Some(items) = self.parts(id, &place, frame) else {
            return self.replace(&place);
        };
        self.open(&place);
        let wanted = self.compare.document.items(place.edited);
        let classes: Vec<u32> =
            wanted.iter().map(|&item| self.compare.class(item)).collect();
        let standing: Vec<&Item> =
            items.iter().filter(|item| !item.gives.is_empty()).collect();
        let parts: Vec<Part> = standing
            .iter()
            .map(|item| Part {
                classes: item
                    .gives
                    .iter()
                    .map(|&node| self.compare.class(node))
                    .collect(),
                flexible: !item.splice,
            })
            .collect();
        let most = WORK / standing.len().saturating_mul(wanted.len()).clamp(1, WEIGHED);
        let here = standing.iter().filter_map(|item| self.name(item.view?)).collect();
        let there = wanted.iter().filter_map(|&item| self.name(item)).collect();
        let pairs = align(&parts, &classes, &mut |part, item| match self.are_others(
            standing[part],
            wanted[item],
            (&here, &there),
        ) {
            true => 0,
            false => self.likeness(standing[part], wanted[item], most),
        });
        let mut chosen: HashMap<usize, (&Item, usize)> = HashMap::new();
        let mut left: HashMap<u32, Vec<&Item>> = HashMap::new();
        for ((item, part), pair) in standing.iter().zip(&parts).zip(pairs).rev() {
            match (pair, &part.classes[..]) {
                (Some(at), classes) => drop(chosen.insert(at, (item, classes.len()))),
                (None, &[class]) if !item.splice => {
                    left.entry(class).or_default().push(item);
                    let name = item.view.and_then(|view| self.name(view));
                    left.entry(name.unwrap_or(class)).or_default().push(item);
                }
                (None, _) => {}
            }
        }
        let mut kept: HashSet<SlotId> = HashSet::new();
        for item in (0..wanted.len()).filter_map(|at| chosen.get(&at)) {
            kept.insert(item.0.at);
        }
        let moved =
            self.seat_items(id, &place, frame, (&wanted, &classes), &chosen, left);
        self.drop_items(id, &standing, &kept, &moved);
    }

    fn drop_items(
        &mut self,
        id: u32,
        items: &[&Item],
        kept: &HashSet<SlotId>,
        moved: &HashSet<SlotId>,
    ) {
        for item in items.iter().filter(|item| !kept.contains(&item.at)) {
            if !moved.contains(&item.at) {
                self.lose(item.source);
            }
            self.out.remove_item(id, item.at);
            if item.splice {
                self.note_splice(item.source);
            }
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

    /// Puts the wanted items in their order between those that stay; the slots that the
    /// moved ones leave go out.
    fn seat_items<'i>(
        &mut self,
        id: u32,
        place: &Place,
        frame: usize,
        (wanted, classes): (&[Node], &[u32]),
        chosen: &HashMap<usize, (&'i Item, usize)>,
        mut left: HashMap<u32, Vec<&'i Item>>,
    ) -> HashSet<SlotId> {
        let (mut position, mut at, mut places) = (0, 0, Vec::new());
        let mut moved: HashSet<SlotId> = HashSet::new();
        while at < wanted.len() {
            let edited = wanted[at];
            let (item, seat) = match chosen.get(&at) {
                Some(&(item, len)) => {
                    position = self.out.children(id).position(item.at) + 1;
                    at += len;
                    if item.splice {
                        continue;
                    }
                    (item, item.at)
                }
                None => {
                    let mut take = |class: u32| {
                        let items = left.get_mut(&class)?;
                        let there =
                            items.iter().rposition(|item| !moved.contains(&item.at));
                        items.truncate(there.map_or(0, |there| there + 1));
                        items.pop()
                    };
                    let named = self.name(edited);
                    let found = take(classes[at]).or_else(|| take(named?));
                    let value = match found {
                        Some(item) => item.source,
                        None => self.value(edited, None),
                    };
                    let seat = self.out.insert_item(id, position, value, None);
                    (position, at) = (position + 1, at + 1);
                    let Some(item) = found else { continue };
                    moved.insert(item.at);
                    (item, seat)
                }
            };
            places.push(Place {
                seat: Seat::Slot(id, seat),
                source: item.source,
                view: item.view,
                edited,
                frame: Some(frame),
                inherited: Layers::new(),
                stirred: place.stirred,
            });
        }
        let places = places.into_iter().rev();
        self.tasks.extend(places.map(|place| Task::Place(Box::new(place))));
        moved
    }

    /// A number that items with the same name, and only they, have in common.
    fn name(&mut self, item: Node) -> Option<u32> {
        let entries = self.compare.entries(item);
        let key = |name: &'static str| Key::Scalar(Identity::String(name.into()));
        let name = NAMES.iter().find_map(|name| entries.get(&key(name)))?;
        let named = self.compare.class(name);
        // Classes count up from 0.
        Some(u32::MAX - 1 - named)
    }

    /// Whether an item and a wanted one have names of which one is found on the other
    /// side, too: what is there was not renamed, it moved.
    fn are_others(
        &mut self,
        item: &Item,
        wanted: Node,
        (here, there): (&HashSet<u32>, &HashSet<u32>),
    ) -> bool {
        let Some(view) = item.view else { return false };
        let (old, new) = (self.name(view), self.name(wanted));
        let is_in = |name: Option<u32>, set: &HashSet<u32>| {
            name.is_some_and(|it| set.contains(&it))
        };
        old != new && (is_in(old, there) || is_in(new, here))
    }

    /// The items of the source; none if it is not clear what they expanded to.
    fn parts(&mut self, id: u32, place: &Place, frame: usize) -> Option<Vec<Item>> {
        let view = self.compare.document.items(place.view?);
        let (mut view, mut items) = (view.into_iter(), Vec::new());
        let slots = self.out.children(id);
        let written: Vec<(SlotId, Node)> =
            slots.ids().map(|at| (at, slots.get(at).value)).collect();
        for (at, source) in written {
            let item = match self.import(Seat::Slot(id, at), source, frame) {
                Some((before, after)) => {
                    let before = before.map_or(0, |found| self.width(found));
                    view.by_ref().take(before).for_each(drop);
                    let gone = after == After::Gone;
                    let (gives, view) = match after {
                        After::Found(found) if self.kind(found) == Kind::Sequence => {
                            (self.compare.document.items(found), None)
                        }
                        After::Found(found) => (vec![found], Some(found)),
                        After::Renamed(..) | After::Missing | After::Gone => {
                            (Vec::new(), None)
                        }
                    };
                    // What gives nothing any more but did is to go.
                    if gives.is_empty() && before > 0 && gone {
                        self.out.remove_item(id, at);
                        self.note_splice(source);
                        continue;
                    }
                    Item { at, source, view, gives, splice: true }
                }
                None if self.is_out(source) => {
                    Item { at, source, view: None, gives: Vec::new(), splice: false }
                }
                None => {
                    let view = view.next()?;
                    Item {
                        at,
                        source,
                        view: Some(view),
                        gives: vec![view],
                        splice: false,
                    }
                }
            };
            items.push(item);
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
        self.frames.push(super::site::Frame {
            around: Some(frame),
            both: super::site::Both { view: None, edited: None },
        });
        let here = self.frames.len() - 1;
        let (key, after) = self.imports(i, here).pop()?;
        let After::Renamed(found_after, pointer) = after else {
            return Some((found, after));
        };
        let item = self.out.open(seat, true)?;
        self.respell(item, key, &pointer);
        Some((found, After::Found(found_after)))
    }

    /// How alike an item and a wanted one are: less than 100, 0 if they are no pair. No
    /// more than so many entries are looked at.
    fn likeness(&mut self, item: &Item, wanted: Node, most: usize) -> u32 {
        let Some(view) = item.view else { return 0 };
        let site =
            matches!(item.source, Node::Clean(_, i) if self.sites.get(i).is_some());
        match (self.kind(view), self.kind(wanted)) {
            (Kind::Mapping, Kind::Mapping) => {
                let named = (self.name(view), self.name(wanted));
                let (view, wanted) =
                    (self.compare.entries(view), self.compare.entries(wanted));
                match named {
                    (Some(a), Some(b)) if a == b => return 95,
                    (None, None) => {}
                    _ => return u32::from(!site),
                }
                let (mut shared, mut equal) = (0, 0);
                for entry in view.list.iter().take(most) {
                    let Some(other) = wanted.get(&entry.key) else { continue };
                    let classes = [entry.value, other].map(|it| self.compare.class(it));
                    shared += 1;
                    equal += u32::from(classes[0] == classes[1]);
                }
                let all = view.list.len().max(wanted.list.len()).clamp(1, most) as u32;
                let floor = if site { 0 } else { 2 };
                (10 * shared / all + 80 * equal / all).max(if shared > 0 {
                    3
                } else {
                    floor
                })
            }
            (a, b) if site => u32::from(a == b),
            (a, b) if a == b => 2,
            _ => 1,
        }
    }
}
