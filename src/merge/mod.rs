//! The deep merge: two nodes of one document come in, what is inherited and what is said
//! here; a node goes out in which the latter overrides the former. Only the mappings that
//! meet are made anew, whatever else there is stays the node it was.

mod entries;
mod list;
mod rule;
mod settle;

use std::collections::{HashMap, HashSet, VecDeque};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::node::{Document, Kind, Node, OpId, Slot, Slots};
use crate::patch::Lists;
use crate::scalar::Identity;
use entries::Entries;
use rule::Fate;

pub(crate) use settle::settle;

/// The key that says how a mapping is merged.
const STRATEGY: &str = "+%";

/// One merge, with what it needs to know and what it has done so far.
pub(crate) struct Merger<'d> {
    document: &'d mut Document,
    lists: Lists,
    by: Option<OpId>,
    /// How many more entries may be made: mappings that aliases repeat meet often.
    room: &'d mut usize,
    /// What was made of what is inherited and what is said.
    made: HashMap<(Node, Node), u32>,
    /// Made, but still empty.
    todo: VecDeque<(u32, Node, Node)>,
    wrong: Vec<Diagnostic>,
}

impl<'d> Merger<'d> {
    pub(crate) fn new(
        document: &'d mut Document,
        lists: Lists,
        by: Option<OpId>,
        room: &'d mut usize,
    ) -> Merger<'d> {
        let (made, todo, wrong) = (HashMap::new(), VecDeque::new(), Vec::new());
        Merger { document, lists, by, room, made, todo, wrong }
    }

    /// The mapping `own` over the mapping `base`.
    ///
    /// # Errors
    /// Every `+%: error` that two mappings met at, or that there is no room.
    pub(crate) fn merge(&mut self, base: Node, own: Node) -> Result<Node, Diagnostics> {
        self.merge_without(Some(base), own, &[])
    }

    /// The mapping `own`, without the entries `leaving`, over the mapping `base`.
    ///
    /// # Errors
    /// As for [`Merger::merge`].
    pub(crate) fn merge_without(
        &mut self,
        base: Option<Node>,
        own: Node,
        leaving: &[Node],
    ) -> Result<Node, Diagnostics> {
        let own = self.document.follow(own);
        let top = self.document.restyled(own, Kind::Mapping);
        self.fill(top, base, own, leaving);
        while let Some((id, base, own)) = self.todo.pop_front() {
            if *self.room == 0 {
                return Err(too_much().into());
            }
            match self.document.kind(own) {
                Kind::Sequence => self.fill_list(id, base, own),
                Kind::Mapping | Kind::Scalar => self.fill(id, Some(base), own, &[]),
            }
        }
        match self.wrong.is_empty() {
            true => Ok(Node::Opened(top)),
            false => Err(Diagnostics(std::mem::take(&mut self.wrong))),
        }
    }

    /// Fills opened mapping `id` with what `own` says and what it inherits from `base`.
    fn fill(&mut self, id: u32, base: Option<Node>, own: Node, leaving: &[Node]) {
        let plan = self.plan(base, own, leaving);
        let size = plan.own.len() + plan.inherited.len();
        *self.room = self.room.saturating_sub(size + 1);
        let mut slots = Vec::with_capacity(size);
        for (slot, fate) in plan.own {
            slots.extend(self.settled(slot, fate));
        }
        let by = self.by;
        let inherited = plan.inherited.into_iter();
        slots.extend(inherited.map(|(key, value)| Slot {
            was: None,
            key: Some(key),
            value,
            by,
        }));
        self.document.fill(id, Slots::new(slots));
    }

    fn plan(&self, base: Option<Node>, own: Node, leaving: &[Node]) -> Plan {
        let document = &*self.document;
        let inherited = base.map(|base| Entries::new(document, base)).unwrap_or_default();
        let said = Entries::new(document, own);
        let leaving: HashSet<Identity<'_>> =
            leaving.iter().filter_map(|&key| document.identity(key)).collect();
        let leaves =
            |key| document.identity(key).is_some_and(|key| leaving.contains(&key));
        let fates = said.pairs.iter().map(|&(key, value)| {
            let spent = base.is_some() && is_strategy(document, key);
            let fate = if spent || leaves(key) {
                Fate::Gone
            } else {
                let other = inherited.find(document, key);
                rule::fate(document, self.lists, other, (key, value))
            };
            (key, fate)
        });
        let fates: HashMap<Node, Fate> = fates.collect();
        let own = own_slots(document, own, &said, &fates);
        let unsaid = |&(key, _): &(Node, Node)| {
            let said = || said.find(document, key).is_some_and(|(key, _)| !leaves(key));
            !is_strategy(document, key) && !said()
        };
        let inherited = inherited.pairs.iter().copied().filter(unsaid).collect();
        Plan { own, inherited }
    }

    /// What becomes of an entry.
    fn settled(&mut self, slot: Slot, fate: Fate) -> Option<Slot> {
        let value = match fate {
            Fate::Same => return Some(slot),
            Fate::Gone => return None,
            Fate::Node(node) => node,
            Fate::Null => self.document.new_null(),
            Fate::Meet(base, own) => self.meet(base, own),
            Fate::Wrong(diagnostic) => {
                self.wrong.push(*diagnostic);
                return None;
            }
        };
        Some(Slot { value, by: self.by.or(slot.by), ..slot })
    }

    /// What two collections become when they meet.
    fn meet(&mut self, base: Node, own: Node) -> Node {
        let pair = (self.document.follow(base), self.document.follow(own));
        let id = match self.made.get(&pair) {
            Some(&id) => id,
            None => {
                let id = self.document.restyled(pair.1, self.document.kind(pair.1));
                self.made.insert(pair, id);
                self.todo.push_back((id, pair.0, pair.1));
                id
            }
        };
        Node::Opened(id)
    }
}

/// What a mapping will hold.
struct Plan {
    own: Vec<(Slot, Fate)>,
    inherited: Vec<(Node, Node)>,
}

/// The entries of `own` as they stand. If one that comes from `<<` changes, what is merged
/// there is written out.
fn own_slots(
    document: &Document,
    own: Node,
    said: &Entries<'_>,
    fates: &HashMap<Node, Fate>,
) -> Vec<(Slot, Fate)> {
    let slots = document.slots(own);
    let written: HashMap<Node, Slot> =
        slots.iter().filter_map(|slot| Some((slot.key?, *slot))).collect();
    let stays = |&(key, _): &(Node, Node)| {
        written.contains_key(&key) || matches!(fates.get(&key), Some(Fate::Same))
    };
    let slots = match said.pairs.iter().all(stays) {
        true => slots.into_owned(),
        false => {
            let slot = |&(key, value): &(Node, Node)| {
                let new = Slot { was: None, key: Some(key), value, by: None };
                written.get(&key).copied().unwrap_or(new)
            };
            said.pairs.iter().map(slot).collect()
        }
    };
    let gone: HashSet<Identity<'_>> = said
        .pairs
        .iter()
        .filter(|(key, _)| matches!(fates.get(key), Some(Fate::Gone)))
        .filter_map(|&(key, _)| document.identity(key))
        .collect();
    let fate = |slot: Slot| {
        let fate = match slot.key.and_then(|key| fates.get(&key)) {
            Some(fate) => fate.clone(),
            // An earlier one of several entries with this key goes where the last one goes.
            None if slot
                .key
                .and_then(|key| document.identity(key))
                .is_some_and(|key| gone.contains(&key)) =>
            {
                Fate::Gone
            }
            None => Fate::Same,
        };
        (slot, fate)
    };
    slots.into_iter().map(fate).collect()
}

fn is_strategy(document: &Document, key: Node) -> bool {
    document.is_text(key, STRATEGY)
}

fn too_much() -> Box<Diagnostic> {
    Diagnostic::error("what directives import makes the document too large")
}
