//! Levels: all nodes of both documents that the same keys lead to, whichever items of lists
//! stand between them. All jobs of all instance groups are one level.

use std::ops::Range;

use hashbrown::HashMap;

use super::name::{LevelPart, Name, NamedChild, Trees, children};
use crate::node::{Kind, NodeId, Tree};

/// The number of a level, and that of a spot in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct SpotId {
    pub level: usize,
    pub spot: usize,
}

/// A node of a level.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub node: NodeId,
    pub name: Name,
    /// The position of an item in its list.
    pub position: u32,
    /// The spot of the collection around it, in the level above.
    pub around: usize,
    /// The spot at the same place of the other document.
    pub twin: Option<usize>,
    /// True if another item of its list has the same name.
    pub is_double: bool,
}

/// The nodes of one document at a level, and those with a name.
#[derive(Clone, Debug, Default)]
pub(super) struct LevelSide {
    pub spots: Vec<Spot>,
    by_name: HashMap<Name, Vec<usize>>,
    by_place: HashMap<(usize, Name), usize>,
    /// Number of keys that were looked up in the spots.
    lookups: usize,
    /// The values in the mappings of the spots, by key; empty until a second key is looked
    /// up. `None` for those with `<<`.
    // Spots with aliases of one mapping share it.
    members: HashMap<NodeId, Option<HashMap<String, NodeId>>>,
}

/// The nodes of both documents at a level.
#[derive(Clone, Debug, Default)]
pub(super) struct Level {
    /// The level above; that of the roots is its own.
    pub above: usize,
    pub old: LevelSide,
    pub new: LevelSide,
}

/// The levels of an old and a new document, made when they are asked for. A node belongs
/// to one level, so that all of them together are as large as the documents.
#[derive(Debug)]
pub(super) struct Levels<'a> {
    trees: Trees<'a>,
    levels: Vec<Level>,
    known: HashMap<(usize, LevelPart), usize>,
}

impl LevelSide {
    /// Returns the spots with a name.
    pub(super) fn named(&self, name: &Name) -> &[usize] {
        self.by_name.get(name).map_or(&[], |spots| spots)
    }

    /// Returns the spot with a name in the collection of a spot of the level above.
    pub(super) fn at(&self, around: usize, name: &Name) -> Option<usize> {
        self.by_place.get(&(around, name.clone())).copied()
    }

    /// Returns the spots below a spot of the level above.
    pub(super) fn all_in(&self, around: usize) -> Range<usize> {
        let start = self.spots.partition_point(|spot| spot.around < around);
        start..self.spots.partition_point(|spot| spot.around <= around)
    }

    /// Adds a child of the collection of a spot of the level above.
    fn add(&mut self, around: usize, NamedChild { name, node, position }: NamedChild) {
        let at = self.spots.len();
        self.by_name.entry(name.clone()).or_default().push(at);
        // Of two items with one name the first counts.
        let first = *self.by_place.entry((around, name.clone())).or_insert(at);
        let is_double = first != at;
        self.spots.push(Spot { node, name, position, around, twin: None, is_double });
        self.spots[first].is_double |= is_double;
    }

    /// Returns the nodes below these.
    fn below(&mut self, tree: &Tree, part: &LevelPart) -> LevelSide {
        if let LevelPart::Key(_) = part {
            self.count_lookup(tree);
        }
        let mut side = LevelSide::default();
        for (around, spot) in self.spots.iter().enumerate() {
            match part {
                LevelPart::Key(key) => {
                    if let Some(node) = self.member(tree, spot.node, key) {
                        let name = Name::Key(key.clone());
                        side.add(around, NamedChild { name, node, position: 0 });
                    }
                }
                LevelPart::Items(key) if tree.kind(spot.node) == Kind::Sequence => {
                    for child in children(tree, spot.node, key.as_deref()) {
                        side.add(around, child);
                    }
                }
                LevelPart::Items(_) => {}
            }
        }
        side
    }

    /// Counts a lookup of a key. From the second one on, all keys are known.
    // Otherwise each of many keys would pass all others.
    fn count_lookup(&mut self, tree: &Tree) {
        self.lookups += 1;
        if self.lookups == 2 {
            for spot in &self.spots {
                let node = tree.follow(spot.node);
                self.members.entry(node).or_insert_with(|| tree.members(node));
            }
        }
    }

    /// Returns the value of a key in a mapping of these spots.
    fn member(&self, tree: &Tree, mapping: NodeId, key: &str) -> Option<NodeId> {
        match self.members.get(&tree.follow(mapping)) {
            Some(Some(members)) => members.get(key).copied(),
            _ => tree.member(mapping, key).map(|(_, value)| value),
        }
    }
}

impl<'a> Levels<'a> {
    /// Starts with the roots of two documents.
    pub(super) fn new(trees: Trees<'a>, roots: [NodeId; 2]) -> Levels<'a> {
        let [old, new] = roots.map(|node| {
            let mut side = LevelSide::default();
            side.add(0, NamedChild { name: Name::Index(0), node, position: 0 });
            side.spots[0].twin = Some(0);
            side
        });
        Levels {
            trees,
            levels: vec![Level { above: 0, old, new }],
            known: HashMap::new(),
        }
    }

    /// Returns a level by its number.
    pub(super) fn get(&self, level: usize) -> &Level {
        &self.levels[level]
    }

    /// Returns a spot of the old document.
    pub(super) fn old(&self, id: SpotId) -> &Spot {
        &self.levels[id.level].old.spots[id.spot]
    }

    /// Returns the level below another one.
    pub(super) fn below(&mut self, above: usize, part: LevelPart) -> usize {
        if let Some(&known) = self.known.get(&(above, part.clone())) {
            return known;
        }
        let of = &mut self.levels[above];
        let mut old = of.old.below(self.trees[0], &part);
        let mut new = of.new.below(self.trees[1], &part);
        for (at, spot) in old.spots.iter_mut().enumerate() {
            let around = of.old.spots[spot.around].twin;
            spot.twin = around.and_then(|around| new.at(around, &spot.name));
            if let Some(twin) = spot.twin {
                let taken = new.spots[twin].twin.replace(at);
                // A second item with the same name has no twin.
                if let Some(first) = taken {
                    new.spots[twin].twin = Some(first);
                    spot.twin = None;
                }
            }
        }
        self.levels.push(Level { above, old, new });
        let number = self.levels.len() - 1;
        self.known.insert((above, part), number);
        number
    }

    /// Returns the spots that names lead to in the old document, as far as they lead; the
    /// first is the root.
    pub(super) fn old_spots(&mut self, names: &[&Name]) -> Vec<SpotId> {
        let mut at = SpotId { level: 0, spot: 0 };
        let mut spots = vec![at];
        for name in names {
            let level = self.below(at.level, name.part());
            let Some(spot) = self.levels[level].old.at(at.spot, name) else { break };
            at = SpotId { level, spot };
            spots.push(at);
        }
        spots
    }

    /// Returns the names and positions that lead from the root of the new document to a
    /// spot.
    pub(super) fn way_to_new(
        &self,
        mut level: usize,
        mut spot: usize,
    ) -> Vec<(Name, u32)> {
        let mut way = Vec::new();
        while level != 0 {
            let here = &self.levels[level].new.spots[spot];
            way.push((here.name.clone(), here.position));
            (level, spot) = (self.levels[level].above, here.around);
        }
        way.reverse();
        way
    }
}
