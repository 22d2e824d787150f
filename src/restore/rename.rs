//! Two mappings, before and after the edit → which keys that are gone go by another name
//! now: their value stands there, or one with much of it.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::compare::{Compare, Entry, Key};
use super::pair::Share;
use crate::node::{Kind, Node};

/// What was added to a mapping, for those who look for what is gone.
#[derive(Default)]
pub(super) struct Renames<'a> {
    /// The one entry that was added with a value of each class; none if there are several.
    by_value: HashMap<u32, Option<Entry<'a>>>,
    /// The entry that was added with much of what stood at a key.
    by_key: HashMap<Key<'a>, Entry<'a>>,
}

/// So many pairs of entries are weighed.
const PAIRS: usize = 1 << 10;

/// So many entries of them are compared, about.
const WORK: usize = 1 << 14;

impl<'a> Compare<'a> {
    /// The entry that the one at `key`, which is gone, has become, if there is but one.
    pub(super) fn renamed(
        &mut self,
        (view, edited): (Node, Node),
        key: &Key<'a>,
        was: Node,
    ) -> Option<Entry<'a>> {
        let renames = self.renames(view, edited);
        if renames.by_value.is_empty() {
            return None;
        }
        let found = renames.by_value.get(&self.class(was));
        found.map_or_else(|| renames.by_key.get(key).cloned(), Clone::clone)
    }

    /// The entry with much of what stood at `key`, which is gone.
    pub(super) fn renamed_and_changed(
        &mut self,
        (view, edited): (Node, Node),
        key: &Key<'a>,
    ) -> Option<Entry<'a>> {
        self.renames(view, edited).by_key.get(key).cloned()
    }

    fn renames(&mut self, view: Node, edited: Node) -> Rc<Renames<'a>> {
        let pair = (self.document.follow(view), self.document.follow(edited));
        if let Some(known) = self.renames.get(&pair) {
            return known.clone();
        }
        let (before, after) = (self.entries(view), self.entries(edited));
        let only = |entry: &&Entry<'a>, other: &super::compare::Entries<'a>| {
            other.get(&entry.key).is_none()
        };
        let added: Vec<_> = after.list.iter().filter(|e| only(e, &before)).collect();
        let mut renames = Renames::default();
        for &entry in &added {
            let twin = renames.by_value.entry(self.class(entry.value));
            twin.and_modify(|twin| *twin = None).or_insert(Some(entry.clone()));
        }
        if !added.is_empty() {
            let gone: Vec<_> = before.list.iter().filter(|e| only(e, &after)).collect();
            renames.by_key = self.changed(&gone, &added, &renames);
        }
        let renames = Rc::new(renames);
        self.renames.insert(pair, renames.clone());
        renames
    }

    /// Pairs what is gone with what was added and is much like it, the likest first.
    fn changed(
        &mut self,
        gone: &[&Entry<'a>],
        added: &[&Entry<'a>],
        known: &Renames<'a>,
    ) -> HashMap<Key<'a>, Entry<'a>> {
        let found: HashSet<u32> = gone.iter().map(|it| self.class(it.value)).collect();
        let mut left = |entries: &[&Entry<'a>], is_found: &dyn Fn(u32) -> bool| {
            let mut left: Vec<Entry<'a>> = entries.iter().map(|&it| it.clone()).collect();
            left.retain(|it| {
                self.document.kind(it.value) != Kind::Scalar
                    && !is_found(self.class(it.value))
            });
            left
        };
        let gone = left(gone, &|class| known.by_value.contains_key(&class));
        let added = left(added, &|class| found.contains(&class));
        if gone.len().saturating_mul(added.len()) > PAIRS {
            return HashMap::new();
        }
        let alone = gone.len() == 1 && added.len() == 1;
        let most = WORK / gone.len().saturating_mul(added.len()).max(1);
        let mut pairs = Vec::new();
        for (i, old) in gone.iter().enumerate() {
            for (j, new) in added.iter().enumerate() {
                let weight = self.kinship((old.value, new.value), most, alone);
                pairs.extend(weight.map(|weight| (Reverse(weight), i, j)));
            }
        }
        pairs.sort_unstable();
        let (mut renamed, mut taken) = (HashMap::new(), HashSet::new());
        for (_, i, j) in pairs {
            if !renamed.contains_key(&gone[i].key) && taken.insert(j) {
                renamed.insert(gone[i].key.clone(), added[j].clone());
            }
        }
        renamed
    }

    /// How much two collections have in common, if that is half of them; where there is no
    /// other to choose, their keys are enough.
    fn kinship(
        &mut self,
        (old, new): (Node, Node),
        most: usize,
        alone: bool,
    ) -> Option<u32> {
        match (self.document.kind(old), self.document.kind(new)) {
            (Kind::Mapping, Kind::Mapping) => {
                let Share { shared, equal, all } = self.share(old, new, most);
                let kin = 2 * equal >= all || alone && 2 * shared >= all;
                kin.then_some(10 * shared / all + 80 * equal / all)
            }
            (Kind::Sequence, Kind::Sequence) => {
                let [old, new] = [old, new].map(|list| {
                    let items = self.document.items(list).into_iter().take(most);
                    items.map(|item| self.class(item)).collect::<Vec<u32>>()
                });
                let all = old.len().max(new.len()) as u32;
                let old: HashSet<u32> = old.into_iter().collect();
                let equal = new.iter().filter(|class| old.contains(class)).count() as u32;
                (all > 0 && 2 * equal >= all).then(|| 90 * equal / all)
            }
            _ => None,
        }
    }
}
