//! A list of the source and the list it is to be → its items, each in its place: spliced
//! ones stay while what they give is there.

use std::collections::HashMap;

use super::holder::Fate;
use super::layer::Beneath;
use super::pair::{New, Old};
use super::put::{Place, Put, Task};
use super::site::After;
use crate::node::{Kind, Node, Seat, SlotId};

/// An item of the source.
struct Item {
    at: SlotId,
    source: Node,
    part: Old,
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
}
