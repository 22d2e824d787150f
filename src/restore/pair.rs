//! A list and the list it is to be → which items of the one are which of the other: those
//! that stay in order, and those that change places.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::align::{Part, WEIGHED, align};
use super::compare::{Compare, Key};
use crate::node::{Kind, Node};
use crate::scalar::Identity;

/// The keys by which items are told from each other.
const NAMES: [&str; 3] = ["name", "id", "key"];

/// So many entries of mappings are compared to weigh all pairs, about.
const WORK: usize = 1 << 20;

/// An item that is so much like one is that one, wherever it went.
const MUCH: u32 = 40;

/// A part of the old list.
pub(super) struct Old {
    /// What it expanded to, of one item.
    pub(super) view: Option<Node>,
    /// What it will expand to, left alone.
    pub(super) gives: Vec<Node>,
    /// Whether what it gives is what a directive names.
    pub(super) splice: bool,
    /// Whether it has directives of its own.
    pub(super) site: bool,
}

/// The place of a part in the new list.
#[derive(Clone, Copy, Debug)]
pub(super) struct New {
    pub(super) at: usize,
    /// Whether it stands there out of its order.
    pub(super) moved: bool,
}

/// The place of each item of a list in another one.
pub(super) type Places = Rc<[Option<usize>]>;

impl Compare<'_> {
    /// The place of each part of a list in the new one.
    pub(super) fn pair(&mut self, old: &[&Old], new: &[Node]) -> Vec<Option<New>> {
        let classes: Vec<u32> = new.iter().map(|&item| self.class(item)).collect();
        let part = |old: &&Old| Part {
            classes: old.gives.iter().map(|&node| self.class(node)).collect(),
            flexible: !old.splice,
        };
        let parts: Vec<Part> = old.iter().map(part).collect();
        let most = WORK / old.len().saturating_mul(new.len()).clamp(1, WEIGHED);
        let here: HashSet<u32> =
            old.iter().filter_map(|old| self.name(old.view?)).collect();
        let there: HashSet<u32> =
            new.iter().filter_map(|&item| self.name(item)).collect();
        let surplus = surplus(&parts, &classes);
        let stays = align(&parts, &classes, &mut |part, item| {
            let left = |class: &u32| surplus.get(class).copied().unwrap_or(0);
            let is_found = parts[part].classes.iter().any(|class| left(class) <= 0);
            let (old, class, new) = (old[part], classes[item], new[item]);
            let is_there = left(&class) >= 0;
            if is_found || is_there || self.are_others(old, new, (&here, &there)) {
                0
            } else {
                self.likeness(old, new, most)
            }
        });
        let mut pairs: Vec<Option<New>> =
            stays.iter().map(|at| at.map(|at| New { at, moved: false })).collect();
        self.find_moved(old, &parts, (new, &classes), &mut pairs);
        self.find_renamed(old, new, (&here, &there), &mut pairs);
        pairs
    }

    /// Finds the parts that are left among the new items that are left: what is equal, and
    /// what has the same name.
    fn find_moved(
        &mut self,
        old: &[&Old],
        parts: &[Part],
        (new, classes): (&[Node], &[u32]),
        pairs: &mut [Option<New>],
    ) {
        let mut left: HashMap<u32, Vec<usize>> = HashMap::new();
        let mut taken = vec![false; new.len()];
        for (i, (old, part)) in old.iter().zip(parts).enumerate().rev() {
            match (pairs[i], &part.classes[..]) {
                (Some(New { at, .. }), classes) => {
                    taken[at..at + classes.len()].fill(true);
                }
                (None, &[class]) if !old.splice => {
                    left.entry(class).or_default().push(i);
                    let name = old.view.and_then(|view| self.name(view));
                    left.entry(name.unwrap_or(class)).or_default().push(i);
                }
                (None, _) => {}
            }
        }
        for at in (0..new.len()).filter(|&at| !taken[at]) {
            let mut take = |class: u32| {
                let items = left.get_mut(&class)?;
                let there = items.iter().rposition(|&i| pairs[i].is_none());
                items.truncate(there.map_or(0, |there| there + 1));
                items.pop()
            };
            let found = take(classes[at]).or_else(|| take(self.name(new[at])?));
            if let Some(i) = found {
                pairs[i] = Some(New { at, moved: true });
            }
        }
    }

    /// Pairs items that changed their name and their place: the likest first.
    fn find_renamed(
        &mut self,
        old: &[&Old],
        new: &[Node],
        (here, there): (&HashSet<u32>, &HashSet<u32>),
        pairs: &mut [Option<New>],
    ) {
        let taken: HashSet<usize> = pairs.iter().flatten().map(|new| new.at).collect();
        let mut left: Vec<usize> = (0..old.len()).collect();
        left.retain(|&i| pairs[i].is_none() && old[i].view.is_some() && !old[i].splice);
        let fresh: Vec<usize> = (0..new.len()).filter(|at| !taken.contains(at)).collect();
        let most = WORK / left.len().saturating_mul(fresh.len()).max(1);
        if most < WORK / WEIGHED {
            return;
        }
        let mut found = Vec::new();
        for &i in &left {
            for &at in &fresh {
                if !self.are_others(old[i], new[at], (here, there)) {
                    let weight = self.likeness(old[i], new[at], most);
                    found.push((Reverse(weight), i, at));
                }
            }
        }
        found.retain(|&(Reverse(weight), ..)| weight >= MUCH);
        found.sort_unstable();
        let mut taken = HashSet::new();
        for (_, i, at) in found {
            if pairs[i].is_none() && taken.insert(at) {
                pairs[i] = Some(New { at, moved: true });
            }
        }
    }

    /// Where the items of a list are after the edit.
    pub(super) fn places(&mut self, view: Node, edited: Node) -> Places {
        let document = self.document;
        let lists = (document.follow(view), document.follow(edited));
        if let Some(known) = self.places.get(&lists) {
            return known.clone();
        }
        let items = document.items(view);
        let places: Places = if self.same(view, edited) {
            (0..items.len()).map(Some).collect()
        } else {
            let old = |item| Old {
                view: Some(item),
                gives: vec![item],
                splice: false,
                site: false,
            };
            let old: Vec<Old> = items.into_iter().map(old).collect();
            let old: Vec<&Old> = old.iter().collect();
            let pairs = self.pair(&old, &document.items(edited));
            pairs.into_iter().map(|new| new.map(|new| new.at)).collect()
        };
        self.places.insert(lists, places.clone());
        places
    }

    /// A number that items with the same name, and only they, have in common.
    fn name(&mut self, item: Node) -> Option<u32> {
        let entries = self.entries(item);
        let key = |name: &'static str| Key::Scalar(Identity::String(name.into()));
        let name = NAMES.iter().find_map(|name| entries.get(&key(name)))?;
        let named = self.class(name);
        // Classes count up from 0.
        Some(u32::MAX - 1 - named)
    }

    /// Whether an item and a new one have names of which one is found on the other
    /// side, too: what is there was not renamed, it moved.
    fn are_others(
        &mut self,
        old: &Old,
        new: Node,
        (here, there): (&HashSet<u32>, &HashSet<u32>),
    ) -> bool {
        let Some(view) = old.view else { return false };
        let (was, is) = (self.name(view), self.name(new));
        let is_in = |name: Option<u32>, set: &HashSet<u32>| {
            name.is_some_and(|it| set.contains(&it))
        };
        was != is && (is_in(was, there) || is_in(is, here))
    }

    /// How alike an item and a new one are: less than 100, 0 if they are no pair. No
    /// more than so many entries are looked at.
    fn likeness(&mut self, old: &Old, new: Node, most: usize) -> u32 {
        let Some(view) = old.view else { return 0 };
        let site = old.site;
        match (self.document.kind(view), self.document.kind(new)) {
            (Kind::Mapping, Kind::Mapping) => {
                let named = (self.name(view), self.name(new));
                let renamed = named.0 != named.1;
                match named {
                    (Some(_), Some(_)) if !renamed => return 95,
                    _ => {}
                }
                let Share { shared, equal, all } = self.share(view, new, most);
                let alike = 10 * shared / all + 80 * equal / all;
                match (renamed, site) {
                    // Its name is another one; but for it, it is what it was.
                    (true, true) if 2 * equal + 1 < all || equal == 0 => 0,
                    (true, _) => alike.max(1),
                    (false, _) if shared > 0 => alike.max(3),
                    (false, true) => 0,
                    (false, false) => alike.max(2),
                }
            }
            (a, b) if site => u32::from(a == b),
            (a, b) if a == b => 2,
            _ => 1,
        }
    }
}

/// What two mappings have in common.
pub(super) struct Share {
    /// Keys that both have.
    pub(super) shared: u32,
    /// Those with a value that means the same.
    pub(super) equal: u32,
    /// The keys of the larger one, at least one.
    pub(super) all: u32,
}

impl Compare<'_> {
    /// What two mappings have in common. No more than so many entries are looked at.
    pub(super) fn share(&mut self, view: Node, new: Node, most: usize) -> Share {
        let (view, new) = (self.entries(view), self.entries(new));
        let (mut shared, mut equal) = (0, 0);
        for entry in view.list.iter().take(most) {
            let Some(other) = new.get(&entry.key) else { continue };
            let classes = [entry.value, other].map(|it| self.class(it));
            shared += 1;
            equal += u32::from(classes[0] == classes[1]);
        }
        let all = view.list.len().max(new.list.len()).clamp(1, most.max(1)) as u32;
        Share { shared, equal, all }
    }
}

/// How many more old items than new ones mean the same, by what they mean. Where none are
/// left, each is found unchanged.
fn surplus(old: &[Part], new: &[u32]) -> HashMap<u32, i64> {
    let mut surplus = HashMap::new();
    for class in old.iter().flat_map(|part| &part.classes) {
        *surplus.entry(*class).or_default() += 1;
    }
    for &class in new {
        *surplus.entry(class).or_default() -= 1;
    }
    surplus
}
