//! The walk over three versions of a document, which edits the tree of ours.

use std::collections::{HashMap, HashSet};

use super::arrange::{by_key, by_value};
use super::comments::{VersionComments, is_written_in, of_theirs};
use super::line_merge::merge_cleanly;
use super::merged_trees::MergedTrees;
use super::path::{PathStep, Paths};
use super::remedy::{Remedy, insert};
use super::row::Row;
use crate::diff::{Classes, ascending, is_same_text, own_tag};
use crate::node::{Aliases, EntryComments, Kind, NodeId, Seat, SlotId, Tree};
use crate::yaml::takes_comments;

/// The keys whose values name the items of a list, the first that does counts.
const NAME_KEYS: [&str; 3] = ["name", "id", "key"];

/// Nodes of three versions at the same place.
#[derive(Clone, Copy)]
struct Visit {
    seat: Seat,
    base: Option<NodeId>,
    ours: NodeId,
    theirs: NodeId,
    path: Option<u32>,
}

/// Work that is left, the next item last.
enum Task {
    Visit(Visit),
    Conflict(Option<u32>, Remedy),
}

pub(super) struct Merger {
    /// The tree of ours, and the nodes of the others.
    joined: Tree,
    base: Option<NodeId>,
    theirs: NodeId,
}

impl Merger {
    pub(super) fn new(base: Option<&Tree>, ours: &Tree, theirs: &Tree) -> Merger {
        let mut joined = ours.clone();
        for arena in base.into_iter().chain([theirs]).flat_map(Tree::arenas) {
            joined.add_arena(arena);
        }
        Merger { joined, base: base.map(Tree::root), theirs: theirs.root() }
    }

    pub(super) fn run(self) -> MergedTrees {
        let trees = self.walk(false).run();
        if self.joined.base().aliases().is_empty() {
            return trees;
        }
        // Aliases that both sides have need no edits of their own.
        let followed = self.walk(true).run();
        let same = match (&trees.theirs, &followed.theirs) {
            (Some(a), Some(b)) => is_equal(a, b) && is_equal(&trees.ours, &followed.ours),
            (None, None) => is_equal(&trees.ours, &followed.ours),
            _ => false,
        };
        if same { followed.with_conflicts(trees.conflicts) } else { trees }
    }

    fn walk(&self, follows: bool) -> Walk<'_> {
        let tree = &self.joined;
        let size = tree.arenas().map(|arena| arena.nodes().len()).sum::<usize>();
        let mut ours = tree.clone();
        if follows {
            ours.start_alias_edits(Aliases::Follow);
        }
        let seat = Seat::Root(0);
        let (base, theirs) = (self.base, self.theirs);
        let visit = Visit { seat, base, ours: tree.root(), theirs, path: None };
        Walk {
            tree,
            // As in `diff`.
            classes: Classes::new([tree, tree], 64 * size + 100_000).with_tags(),
            visits_left: 8 * size + 10_000,
            follows,
            ours,
            paths: Paths::default(),
            todo: vec![Task::Visit(visit)],
            conflicts: Vec::new(),
        }
    }
}

fn is_equal(a: &Tree, b: &Tree) -> bool {
    let arenas = a.arenas().chain(b.arenas());
    let size = arenas.map(|arena| arena.nodes().len()).sum::<usize>();
    let mut classes = Classes::new([a, b], 64 * size + 100_000).with_tags();
    classes.equal(a.root(), b.root())
}

struct Walk<'a> {
    tree: &'a Tree,
    classes: Classes<'a>,
    /// Number of nodes that may still be looked into.
    // Nested aliases stand for exponentially many. At 0, values are merged as a whole.
    visits_left: usize,
    /// True if the aliases of an edited node have its new value.
    follows: bool,
    /// The tree of ours with the edits.
    ours: Tree,
    paths: Paths,
    todo: Vec<Task>,
    conflicts: Vec<(Option<u32>, Remedy)>,
}

impl Walk<'_> {
    fn run(mut self) -> MergedTrees {
        while let Some(task) = self.todo.pop() {
            match task {
                Task::Visit(visit) => self.visit(visit),
                Task::Conflict(path, remedy) => self.conflicts.push((path, remedy)),
            }
        }
        let spell =
            |(path, _): &(Option<u32>, Remedy)| self.paths.spell(self.tree, *path);
        let conflicts: Vec<String> = self.conflicts.iter().map(spell).collect();
        let remedies = self.conflicts.into_iter().map(|(_, remedy)| remedy).collect();
        MergedTrees::new(self.ours, conflicts, remedies)
    }

    fn visit(&mut self, visit: Visit) {
        let Visit { seat, base, ours, theirs, .. } = visit;
        let tree = self.tree;
        // The comment behind the last entry is not in the text of a collection.
        let same = |a, b| {
            is_same_text((tree, a), (tree, b)) && line_tail(tree, a) == line_tail(tree, b)
        };
        if same(ours, theirs) || base.is_some_and(|base| same(base, theirs)) {
            return;
        }
        if self.follows && self.are_one_alias(visit) {
            return;
        }
        // Edits of entries keep what stands around them.
        let are_blocks = line_tail(tree, ours).and(line_tail(tree, theirs)).is_some();
        if !are_blocks && base.is_some_and(|base| same(base, ours)) {
            return self.set(seat, ours, theirs);
        }
        // To look into an alias, its node has to be written out.
        let is_alias = tree.follow(ours) != ours;
        let looks_into = self.visits_left > 0 && !(is_alias && self.is_one_sided(visit));
        self.visits_left = self.visits_left.saturating_sub(1);
        if looks_into && self.are_all(visit, Kind::Mapping) && self.merge_mappings(visit)
            || looks_into
                && self.are_all(visit, Kind::Sequence)
                && self.merge_lists(visit)
        {
            return;
        }
        self.choose(visit);
    }

    /// Returns true if all versions of a node are an alias of the same name.
    fn are_one_alias(&self, Visit { base, ours, theirs, .. }: Visit) -> bool {
        let name = |node: NodeId| match node {
            NodeId::Clean(file, i) if self.tree.follow(node) != node => {
                Some(self.tree.arena(file).raw(i))
            }
            _ => None,
        };
        let base = base.map_or(name(ours), name);
        name(ours).is_some() && name(ours) == name(theirs) && name(ours) == base
    }

    /// Puts a value of theirs in the place of one of ours. An alias is replaced itself.
    fn set(&mut self, seat: Seat, ours: NodeId, theirs: NodeId) {
        if self.tree.follow(ours) == ours {
            self.ours.set_at(seat, theirs, None);
        } else {
            self.ours.set_as_is(seat, theirs);
        }
    }

    /// Opens a collection of ours. An alias is written out.
    fn open(&mut self, seat: Seat, ours: NodeId) -> Option<u32> {
        if self.tree.follow(ours) == ours {
            self.ours.open(seat, true)
        } else {
            self.ours.open_as_is(seat)
        }
    }

    /// Returns true if at most one side changed a value.
    fn is_one_sided(&mut self, Visit { base, ours, theirs, .. }: Visit) -> bool {
        self.is_equal(ours, theirs)
            || base.is_some_and(|base| {
                self.is_equal(base, theirs) || self.is_equal(base, ours)
            })
    }

    fn is_equal(&mut self, a: NodeId, b: NodeId) -> bool {
        self.class(a) == self.class(b)
    }

    fn class(&mut self, node: NodeId) -> u32 {
        self.classes.of_old(node)
    }

    fn classes(&mut self, nodes: &[NodeId]) -> Vec<u32> {
        nodes.iter().map(|&node| self.class(node)).collect()
    }

    /// Returns true if all versions of a node have this kind, and both sides have one tag.
    fn are_all(&self, Visit { base, ours, theirs, .. }: Visit, kind: Kind) -> bool {
        let tree = self.tree;
        [Some(ours), Some(theirs), base].iter().flatten().all(|&it| tree.kind(it) == kind)
            && own_tag(tree, ours) == own_tag(tree, theirs)
    }

    /// Merges values as a whole.
    fn choose(&mut self, visit: Visit) {
        let Visit { seat, base, ours, theirs, path } = visit;
        let is_unchanged =
            |walk: &mut Self, side| base.is_some_and(|base| walk.is_equal(base, side));
        if self.is_equal(ours, theirs) || is_unchanged(self, theirs) {
            return;
        }
        if is_unchanged(self, ours) {
            self.set(seat, ours, theirs);
        } else if let Some(text) = self.merged_text(visit) {
            let merged = self.ours.new_text_like(&text, ours);
            self.set(seat, ours, merged);
        } else {
            self.conflicts.push((path, Remedy::Replace(seat, theirs)));
        }
    }

    /// Returns the merged lines of three texts of several lines.
    fn merged_text(&self, Visit { base, ours, theirs, .. }: Visit) -> Option<String> {
        let tree = self.tree;
        let lines = |node| {
            let is_text = tree.kind(node) == Kind::Scalar;
            let text = tree.string(node).filter(|_| is_text)?;
            let several = text.trim_end_matches('\n').contains('\n');
            several.then_some(text)
        };
        let (base, ours, theirs) = (base?, ours, theirs);
        let same_tag = own_tag(tree, ours) == own_tag(tree, theirs);
        let texts = (lines(base)?, lines(ours)?, lines(theirs)?);
        merge_cleanly(&texts.0, &texts.1, &texts.2).filter(|_| same_tag)
    }
}

// Mappings.
impl Walk<'_> {
    /// Merges mappings by key. Returns false if a key occurs twice.
    fn merge_mappings(&mut self, visit: Visit) -> bool {
        let tree = self.tree;
        let pairs = [visit.base, Some(visit.ours), Some(visit.theirs)]
            .map(|node| node.map(|node| tree.pairs(node)).unwrap_or_default());
        let keys = pairs.each_ref().map(|pairs| {
            let keys: Vec<NodeId> = pairs.iter().map(|&(key, _)| key).collect();
            self.classes(&keys)
        });
        let is_unique =
            |keys: &Vec<u32>| keys.iter().collect::<HashSet<_>>().len() == keys.len();
        if !keys.iter().all(is_unique) {
            return false;
        }
        let [base, ours, theirs] = keys.each_ref().map(|keys| &keys[..]);
        self.visits_left = self.visits_left.saturating_sub(ours.len() + theirs.len());
        let Some(rows) = by_key([base, ours, theirs], false) else { return false };
        let Some(id) = self.open(visit.seat, visit.ours) else { return false };
        let slots = self.ours.children(id);
        let slot = |at| slots.get(at).key.map(|key| (key, at));
        let own: HashMap<NodeId, SlotId> = slots.ids().filter_map(slot).collect();
        let mut entries = Entries { visit, id, after: None, tasks: Vec::new() };
        for row in rows {
            self.merge_entry(&mut entries, row, &pairs, &own);
        }
        self.todo.extend(entries.tasks.into_iter().rev());
        true
    }

    fn merge_entry(
        &mut self,
        entries: &mut Entries,
        row: Row,
        pairs: &[Vec<(NodeId, NodeId)>; 3],
        own: &HashMap<NodeId, SlotId>,
    ) {
        let [base, ours, theirs] = row.of(pairs);
        let Some((key, value)) = ours.or(theirs) else { return };
        let path = self.paths.join(entries.visit.path, PathStep::Key(key));
        let is_merged =
            |of: NodeId, (key, _): (NodeId, NodeId)| !is_written_in(self.tree, of, key);
        if self.follows
            && ours.is_none_or(|entry| is_merged(entries.visit.ours, entry))
            && theirs.is_none_or(|entry| is_merged(entries.visit.theirs, entry))
        {
            return;
        }
        let (Some((_, here)), there) = (ours, theirs) else {
            if base.is_none_or(|(_, before)| !self.is_equal(before, value)) {
                self.add(entries, (Some(key), value), base.is_some(), path);
            }
            return;
        };
        let slot = own.get(&key).copied();
        match (base, there) {
            (None, None) => {}
            (Some((_, before)), None) if self.is_equal(before, here) => {
                self.ours.remove_entry_of(entries.id, key);
                return;
            }
            (Some(_), None) => {
                let remedy = Remedy::RemoveEntry(entries.id, key);
                entries.tasks.push(Task::Conflict(path, remedy));
            }
            (_, Some((there_key, theirs))) => {
                let before = base.map(|(_, value)| value);
                // An entry from `<<` that needs no edit stays one.
                let is_kept = |walk: &mut Self| {
                    walk.is_equal(here, theirs)
                        || before.is_some_and(|before| walk.is_equal(before, theirs))
                };
                if slot.is_none() && is_kept(self) {
                    return;
                }
                let Some(seat) = self.seat(entries.id, key, slot) else { return };
                if slot.is_some() {
                    let first = [base.map(|(key, _)| key), Some(key), Some(there_key)];
                    self.merge_comments(entries.visit, seat, first);
                }
                let visit = Visit { seat, base: before, ours: here, theirs, path };
                entries.tasks.push(Task::Visit(visit));
            }
        }
        entries.after = slot.or(entries.after);
    }

    /// Adds an entry or an item of theirs: that is a conflict if ours removed it.
    fn add(
        &mut self,
        entries: &mut Entries,
        (key, value): (Option<NodeId>, NodeId),
        conflicts: bool,
        path: Option<u32>,
    ) {
        let (into, after, from) = (entries.id, entries.after, entries.visit.theirs);
        let remedy = Remedy::Insert { into, after, key, value, from };
        if conflicts {
            entries.tasks.push(Task::Conflict(path, remedy));
        } else {
            entries.after = insert(&mut self.ours, &remedy, after).or(after);
        }
    }

    /// Returns the seat of an entry of ours. One from `<<` becomes an own entry.
    fn seat(&mut self, id: u32, key: NodeId, slot: Option<SlotId>) -> Option<Seat> {
        match slot {
            Some(at) => Some(Seat::Slot(id, at)),
            None => self.ours.entry_of(id, key),
        }
    }
}

// Lists.
impl Walk<'_> {
    /// Merges lists item by item. Returns false if they are merged as a whole.
    fn merge_lists(&mut self, visit: Visit) -> bool {
        let tree = self.tree;
        let items = [visit.base, Some(visit.ours), Some(visit.theirs)]
            .map(|node| node.map(|node| tree.items(node)).unwrap_or_default());
        let count: usize = items.iter().map(Vec::len).sum();
        self.visits_left = self.visits_left.saturating_sub(count);
        let (rows, name) = match self.names(&items) {
            Some((key, names)) => {
                (by_key(names.each_ref().map(|names| &names[..]), true), Some(key))
            }
            None => {
                let values = items.each_ref().map(|items| self.classes(items));
                let is_mapping =
                    |&(_, item): &(NodeId, NodeId)| tree.kind(item) == Kind::Mapping;
                let pairs = items.each_ref().map(|items| {
                    items.iter().map(|&item| (item, item)).collect::<Vec<_>>()
                });
                let all = |row: Row| row.of(&pairs).iter().flatten().all(is_mapping);
                (by_value(values.each_ref().map(|values| &values[..]), all), None)
            }
        };
        let Some(rows) = rows else { return false };
        let Some(id) = self.open(visit.seat, visit.ours) else { return false };
        self.lay_items(visit, id, &items, (&rows, name));
        true
    }

    /// Returns the key that names all items, and their names.
    fn names(
        &mut self,
        items: &[Vec<NodeId>; 3],
    ) -> Option<(&'static str, [Vec<u32>; 3])> {
        let tree = self.tree;
        NAME_KEYS.into_iter().find_map(|key| {
            let names = items.each_ref().map(|items| {
                let name = |&item: &NodeId| {
                    let name = tree.get(item, key)?;
                    (tree.kind(name) == Kind::Scalar).then(|| self.class(name))
                };
                items.iter().map(name).collect::<Option<Vec<u32>>>()
            });
            let [Some(base), Some(ours), Some(theirs)] = names else { return None };
            let names = [base, ours, theirs];
            let is_unique = |names: &Vec<u32>| {
                names.iter().collect::<HashSet<_>>().len() == names.len()
            };
            names.iter().all(is_unique).then_some((key, names))
        })
    }

    /// Brings the items of ours into the order of some rows, and merges them.
    fn lay_items(
        &mut self,
        visit: Visit,
        id: u32,
        items: &[Vec<NodeId>; 3],
        (rows, name): (&[Row], Option<&'static str>),
    ) {
        let mut slots: Vec<Option<SlotId>> =
            self.ours.children(id).ids().map(Some).collect();
        let rows: Vec<Row> =
            rows.iter().copied().filter(|&row| !self.is_removed(row, items)).collect();
        let there = rows.iter().enumerate();
        let there: Vec<_> = there.filter_map(|(at, row)| Some((at, row.ours?))).collect();
        let stay: HashSet<usize> = ascending(&there).into_iter().map(|it| it.1).collect();
        for (at, slot) in slots.iter_mut().enumerate() {
            if !stay.contains(&at)
                && let Some(slot) = slot.take()
            {
                self.ours.remove_item(id, slot);
            }
        }
        let mut entries = Entries { visit, id, after: None, tasks: Vec::new() };
        for row in rows {
            let [_, ours, theirs] = row.of(items);
            let Some(item) = ours.or(theirs) else { continue };
            let step = match name {
                Some(key) => {
                    PathStep::Name(key, self.tree.get(item, key).unwrap_or(item))
                }
                None => PathStep::Index(row.ours.or(row.theirs).unwrap_or(0)),
            };
            let path = self.paths.join(visit.path, step);
            let slot = row.ours.and_then(|at| slots[at]);
            self.merge_item(&mut entries, row.of(items), slot, path);
        }
        self.todo.extend(entries.tasks.into_iter().rev());
    }

    /// Merges an item. It is at a slot, or is added behind the last one.
    fn merge_item(
        &mut self,
        entries: &mut Entries,
        [base, ours, theirs]: [Option<NodeId>; 3],
        slot: Option<SlotId>,
        path: Option<u32>,
    ) {
        let Some(ours) = ours else {
            if let Some(theirs) = theirs {
                self.add(entries, (None, theirs), base.is_some(), path);
            }
            return;
        };
        let (into, after, from) = (entries.id, entries.after, entries.visit.ours);
        let slot = slot.or_else(|| {
            let remedy = Remedy::Insert { into, after, key: None, value: ours, from };
            insert(&mut self.ours, &remedy, after)
        });
        let Some(slot) = slot else { return };
        entries.after = Some(slot);
        let seat = Seat::Slot(into, slot);
        if let Some(theirs) = theirs {
            self.merge_comments(entries.visit, seat, [base, Some(ours), Some(theirs)]);
            entries.tasks.push(Task::Visit(Visit { seat, base, ours, theirs, path }));
        } else if base.is_some() {
            let remedy = Remedy::RemoveItem(into, slot);
            entries.tasks.push(Task::Conflict(path, remedy));
        }
    }

    /// Returns true for an item that one side removed and the other one left as it was.
    fn is_removed(&mut self, row: Row, items: &[Vec<NodeId>; 3]) -> bool {
        let Row { base: Some(base), ours, theirs } = row else { return false };
        match (ours, theirs) {
            (Some(at), None) => self.is_equal(items[0][base], items[1][at]),
            (None, Some(at)) => self.is_equal(items[0][base], items[2][at]),
            _ => false,
        }
    }
}

/// The entries or items of a collection that is merged.
struct Entries {
    visit: Visit,
    /// The opened collection.
    id: u32,
    /// The last slot that is there.
    after: Option<SlotId>,
    tasks: Vec<Task>,
}

// Comments, and what is put into the tree.
impl Walk<'_> {
    /// Gives an entry of ours the comments that only theirs changed. `first` has its key or
    /// item in each version.
    fn merge_comments(&mut self, around: Visit, seat: Seat, first: [Option<NodeId>; 3]) {
        let Seat::Slot(id, at) = seat else { return };
        let of = [around.base, Some(around.ours), Some(around.theirs)];
        let [base, ours, theirs] = [0, 1, 2].map(|side| match (of[side], first[side]) {
            (Some(of), Some(first)) => VersionComments::of(self.tree, of, first),
            _ => VersionComments::default(),
        });
        let new = of_theirs(&base, &ours, &theirs);
        if new != EntryComments::default()
            && takes_comments(
                &self.ours,
                NodeId::Opened(id),
                self.ours.children(id).get(at),
            )
        {
            self.ours.give_comments(seat, new);
        }
    }
}

/// Returns the text behind a block collection on its last line; `None` for anything else.
fn line_tail(tree: &Tree, node: NodeId) -> Option<&str> {
    let NodeId::Clean(file, i) = node else { return None };
    let arena = tree.arena(file);
    let end = arena.nodes()[i as usize].end as usize;
    let rest = arena.style(i).is_block_collection().then(|| arena.text().get(end..))?;
    rest.map(|rest| rest.split(['\n', '\r']).next().unwrap_or_default())
}
