//! The deep merge: layers of one document come in, each overriding those before it; a node
//! goes out. Only the mappings that meet are made anew, whatever else there is stays the
//! node it was.

mod layer;
mod list;
mod rule;
mod settle;

use std::collections::{HashMap, VecDeque};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::node::{Document, Kind, Node, OpId, Slot, Slots};
use crate::patch::Lists;
use layer::Layers;
use rule::Value;

pub(crate) use rule::Strategy;
pub(crate) use settle::{may_have_whiteouts, remove_whiteouts};

/// The key that says how a mapping is merged.
const STRATEGY: &str = "+%";

/// One merge, with what it needs to know and what it has done so far.
pub(crate) struct Merger<'d> {
    document: &'d mut Document,
    lists: Lists,
    by: Option<OpId>,
    /// How many more entries may be made: mappings that aliases repeat meet often.
    room: &'d mut usize,
    /// What was made of layers.
    made: HashMap<Vec<Node>, u32>,
    /// Made, but still empty.
    todo: VecDeque<(u32, Vec<Node>)>,
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

    /// The mapping `own`, without the entries `leaving`, over other mappings, the
    /// strongest last.
    ///
    /// # Errors
    /// Every `+%: error` that two mappings met at, or that there is no room.
    pub(crate) fn merge(
        mut self,
        mut layers: Vec<Node>,
        own: Node,
        leaving: &[Node],
    ) -> Result<Node, Diagnostics> {
        layers.push(own);
        let top = self.document.new_collection_like(own, Kind::Mapping);
        self.fill(top, &layers, leaving);
        while let Some((id, layers)) = self.todo.pop_front() {
            if *self.room == 0 {
                return Err(too_large().into());
            }
            match self.document.kind(layers[0]) {
                Kind::Sequence => self.fill_list(id, &layers),
                Kind::Mapping | Kind::Scalar => self.fill(id, &layers, &[]),
            }
        }
        if self.wrong.is_empty() {
            Ok(Node::Opened(top))
        } else {
            Err(Diagnostics(self.wrong))
        }
    }

    /// Fills opened mapping `id` with the entries of its layers.
    fn fill(&mut self, id: u32, layers: &[Node], leaving: &[Node]) {
        let mut said = Layers::new(self.document, self.lists);
        said.extend(layers, leaving);
        let wrong = std::mem::take(&mut said.wrong);
        let (size, entries) = (said.size(), said.finish());
        *self.room = self.room.saturating_sub(size + 1);
        self.wrong.extend(wrong);
        let slots = entries.into_iter().map(|(slot, value)| self.slot(slot, value));
        let slots = Slots::new(slots.collect());
        self.document.set_children(id, slots);
    }

    fn slot(&mut self, slot: Slot, value: Value) -> Slot {
        let value = match value {
            Value::Node(node) if slot.was.is_some() && node == slot.value => return slot,
            Value::Node(node) => node,
            Value::Absent | Value::Null => self.document.new_null(),
            Value::Meet(layers) => self.meet(layers),
        };
        Slot { value, by: self.by.or(slot.by), ..slot }
    }

    /// What collections become when they meet.
    fn meet(&mut self, mut layers: Vec<Node>) -> Node {
        for layer in &mut layers {
            *layer = self.document.follow(*layer);
        }
        let own = layers[layers.len() - 1];
        let id = match self.made.get(&layers) {
            Some(&id) => id,
            None => {
                let id = self.document.new_collection_like(own, self.document.kind(own));
                self.made.insert(layers.clone(), id);
                self.todo.push_back((id, layers));
                id
            }
        };
        Node::Opened(id)
    }
}

/// There is no room.
pub(crate) fn too_large() -> Box<Diagnostic> {
    Diagnostic::error("what the directives import makes the document too large")
        .hint("`--limit expansion=N` raises the limit")
}
