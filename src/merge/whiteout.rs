//! The end of all merges of a document: whiteouts that met nothing are removed, nullouts
//! become null. Only nodes on the way to one are opened.

use hashbrown::{HashMap, HashSet};
use memchr::memmem;

use super::rule::{STRATEGY_KEY, Strategy};
use crate::arena::{Arena, Index, Style, flag};
use crate::node::{Kind, NodeId, Seat, Tree};
use crate::source::FileId;

/// Removes the whiteouts from a document of the stream, and makes nullouts null.
pub(crate) fn remove_whiteouts(document: &mut Tree, root: usize) {
    let marks: HashMap<FileId, Vec<Index>> = document
        .arenas()
        .map(|arena| (arena.file(), marks(arena, document)))
        .filter(|(_, marks)| !marks.is_empty())
        .collect();
    if marks.is_empty() {
        return;
    }
    let todo = vec![Seat::Root(root)];
    let replaced = HashMap::new();
    Sweep { document, marks, replaced, visited: HashSet::new(), todo }.run(root);
}

/// Returns true if a key of a text may be `+%`. May be wrong in that direction only.
pub(crate) fn may_have_whiteouts(text: &str) -> bool {
    // In double quotes either character may be an escape: `"\x2B%"`, `"+\x25"`.
    has(text, STRATEGY_KEY)
        || has(text, "+\\")
        || has(text, "\\") && (has(text, "2b") || has(text, "2B"))
}

fn has(text: &str, word: &str) -> bool {
    memmem::find(text.as_bytes(), word.as_bytes()).is_some()
}

/// The nodes of a text that may have to be removed, in order: mappings with `+%`, and
/// aliases of nodes that contain one.
fn marks(arena: &Arena, document: &Tree) -> Vec<Index> {
    if !may_have_whiteouts(arena.text()) {
        return Vec::new();
    }
    let mut marks: Vec<Index> = Vec::new();
    for at in arena.indices() {
        let marked = match arena.style(at) {
            Style::BlockMapping | Style::FlowMapping | Style::FlowPair => {
                arena.entries(at).any(|(key, _)| {
                    document.is_text(NodeId::Clean(arena.file(), key), STRATEGY_KEY)
                })
            }
            // The target precedes its alias: its marks are complete.
            Style::Alias => {
                let target = arena.target(at);
                holds(&marks, target, arena.next(target))
            }
            _ => false,
        };
        if marked {
            marks.push(at);
        }
    }
    marks
}

/// Returns true if a mark is at `from` or later, and before `to`.
fn holds(marks: &[Index], from: Index, to: Index) -> bool {
    let first = marks.partition_point(|&at| at < from);
    marks.get(first).is_some_and(|&at| at < to)
}

struct Sweep<'d> {
    document: &'d mut Tree,
    marks: HashMap<FileId, Vec<Index>>,
    /// The opened node of each written node, which all its aliases share.
    replaced: HashMap<(FileId, Index), NodeId>,
    visited: HashSet<u32>,
    todo: Vec<Seat>,
}

impl Sweep<'_> {
    fn run(mut self, root: usize) {
        // The root cannot be removed; it loses the key instead.
        if self.whiteout(self.document.node_at(Seat::Root(root))).is_some()
            && let Some(id) = self.document.open(Seat::Root(root), true)
        {
            self.document.remove_entry(id, STRATEGY_KEY);
        }
        while let Some(seat) = self.todo.pop() {
            if let Some(id) = self.enter(seat) {
                self.sweep(id);
            }
        }
    }

    /// Opens the node at `seat` if it may contain a whiteout and was not entered before.
    fn enter(&mut self, seat: Seat) -> Option<u32> {
        let id = match self.document.node_at(seat) {
            NodeId::Opened(id) => id,
            NodeId::Clean(file, i) => self.open(seat, file, i)?,
        };
        self.visited.insert(id).then_some(id)
    }

    fn open(&mut self, seat: Seat, file: FileId, i: Index) -> Option<u32> {
        let arena = self.document.arena(file);
        if !holds(self.marks.get(&file)?, i, arena.next(i)) {
            return None;
        }
        if arena.style(i) == Style::Alias {
            // The target is opened once for all aliases.
            let target = arena.target(i);
            if self.replaced.contains_key(&(file, target)) {
                return None;
            }
            let seat = self.document.scratch_seat(NodeId::Clean(file, target));
            return self.open(seat, file, target);
        }
        if let Some(&node) = self.replaced.get(&(file, i)) {
            self.document.set_at(seat, node, None);
            return None;
        }
        let anchored = arena.has(i, flag::PROPS);
        let id = self.document.open(seat, true)?;
        self.replaced.insert((file, i), NodeId::Opened(id));
        if anchored {
            self.document.set_alias_value(file, i, NodeId::Opened(id));
        }
        Some(id)
    }

    fn sweep(&mut self, id: u32) {
        match self.document.kind(NodeId::Opened(id)) {
            Kind::Mapping => self.sweep_entries(id),
            Kind::Sequence => self.sweep_items(id),
            Kind::Scalar => return,
        }
        self.todo.extend(self.document.children(id).ids().map(|at| Seat::Slot(id, at)));
    }

    fn sweep_entries(&mut self, id: u32) {
        let slots = self.document.children(id).iter();
        let own: HashSet<NodeId> = slots.filter_map(|slot| slot.key).collect();
        for (key, value) in self.document.pairs(NodeId::Opened(id)) {
            // An entry from `<<` is removed from the mapping it comes from.
            let strategy = self.whiteout(value).filter(|_| own.contains(&key));
            let Some(strategy) = strategy else { continue };
            let Some(Seat::Slot(id, at)) = self.document.entry_of(id, key) else {
                continue;
            };
            if strategy == Strategy::Nullout {
                let null = self.document.new_null();
                self.document.set_at(Seat::Slot(id, at), null, None);
            } else {
                self.document.remove_entry_of(id, key);
            }
        }
    }

    fn sweep_items(&mut self, id: u32) {
        let slots = self.document.children(id);
        let items: Vec<_> = slots.ids().map(|at| (at, slots.get(at).value)).collect();
        for (at, value) in items {
            match self.whiteout(value) {
                Some(Strategy::Nullout) => {
                    let null = self.document.new_null();
                    self.document.set_at(Seat::Slot(id, at), null, None);
                }
                Some(_) => self.document.remove_item(id, at),
                None => {}
            }
        }
    }

    /// The strategy of a whiteout or nullout; `None` for any other value.
    fn whiteout(&self, value: NodeId) -> Option<Strategy> {
        let document = &*self.document;
        if let NodeId::Clean(file, i) = value {
            let marks = self.marks.get(&file)?;
            holds(marks, i, document.arena(file).next(i)).then_some(())?;
        }
        if document.kind(value) != Kind::Mapping {
            return None;
        }
        let strategy = Strategy::of(document, value)?;
        matches!(strategy, Strategy::Whiteout | Strategy::Nullout).then_some(strategy)
    }
}
