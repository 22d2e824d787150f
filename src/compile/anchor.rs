//! `*name` → the mapping or list that carries the anchor `&name`, or is called so by `+&`.

use std::collections::HashMap;
use std::rc::Rc;

use super::link::Linker;
use super::lookup::Layer;
use crate::node::{Kind, Node, Slot, Slots};
use crate::source::FileId;

/// What the names of one text stand for.
pub(super) type Names = Rc<HashMap<Box<str>, Layer>>;

impl Linker<'_> {
    /// What a name stands for in `file`, else in the document, else in what it includes.
    pub(super) fn anchor(&mut self, name: &str, file: FileId) -> Option<Layer> {
        let document = self.document.file();
        let near = self.anchor_in(name, file);
        let near = near.or_else(|| self.anchor_in(name, document));
        near.or_else(|| {
            self.load_all();
            let files = self.files.order.clone();
            files.into_iter().find_map(|file| self.anchor_in(name, file))
        })
    }

    /// What a name stands for in `file`.
    pub(super) fn anchor_in(&mut self, name: &str, file: FileId) -> Option<Layer> {
        self.names(file).get(name).copied()
    }

    /// The names of a file. Of a name given twice the last one counts, and `+&` counts
    /// more than an anchor.
    pub(super) fn names(&mut self, file: FileId) -> Names {
        if let Some(names) = self.anchors.get(&file) {
            return names.clone();
        }
        let root = self.root_of(file);
        let mut names = self.anchored(file, root);
        let mut todo = vec![root];
        while let Some(node) = todo.pop() {
            let branch = self.branch(node);
            if let Some((_, Some(name))) = &branch.name {
                names.insert(name.as_str().into(), Layer { node, own: true });
            }
            todo.extend(branch.children.iter().rev().map(|&(_, child)| child));
        }
        let names = Rc::new(names);
        self.anchors.insert(file, names.clone());
        names
    }

    /// What a mapping named by `+&` is to a directive inside of it: what stands before the
    /// entry with the directive.
    pub(super) fn before(&mut self, named: Node, key: Node) -> Node {
        let (Node::Clean(file, from), Node::Clean(other, at)) = (named, key) else {
            return named;
        };
        let arena = self.document.arena(file);
        if file != other || !(from..arena.next(from)).contains(&at) {
            return named;
        }
        let slots = self.document.slots(named).into_owned().into_iter();
        let before = slots.take_while(|slot| match slot.value {
            Node::Clean(_, value) => arena.next(value) <= at,
            Node::Opened(_) => false,
        });
        let plain = |slot: &Slot| slot.key.is_some_and(|key| !self.is_marked(key));
        let slots = Slots::new(before.filter(plain).collect());
        let id = self.document.new_collection_like(named, Kind::Mapping);
        self.document.set_children(id, slots);
        Node::Opened(id)
    }

    fn anchored(&self, file: FileId, root: Node) -> HashMap<Box<str>, Layer> {
        let Node::Clean(_, root) = root else { return HashMap::new() };
        let arena = self.document.arena(file);
        let end = arena.next(root);
        let inside = |i: &u32| root <= *i && *i < end;
        let anchored = arena.props_nodes().filter(inside);
        let layer = |i| {
            let node = Node::Clean(file, i);
            let collection = self.document.kind(node) != Kind::Scalar;
            Some((arena.anchor(i)?.into(), Layer { node, own: false }))
                .filter(|_| collection)
        };
        anchored.filter_map(layer).collect()
    }

    /// The root of the document that stands in a file.
    pub(super) fn root_of(&self, file: FileId) -> Node {
        if file == self.document.file() {
            self.root
        } else {
            Node::Clean(file, self.document.arena(file).sections()[0].root)
        }
    }

    /// Whether `node` is a document as a whole.
    pub(super) fn is_root(&self, node: Node) -> bool {
        let root = |file| node == self.root_of(file);
        matches!(node, Node::Clean(file, _) if root(file))
    }

    /// Reads every file that is included anywhere.
    fn load_all(&mut self) {
        if std::mem::replace(&mut self.loaded_all, true) {
            return;
        }
        let mut next = 0;
        let mut todo = vec![self.root];
        loop {
            while let Some(node) = todo.pop() {
                let branch = self.branch(node);
                for &id in &branch.directives {
                    // What cannot be read is told when somebody wants it.
                    self.loaded(id).ok();
                }
                todo.extend(branch.children.iter().rev().map(|&(_, child)| child));
            }
            let Some(&file) = self.files.order.get(next) else { break };
            todo.push(self.root_of(file));
            next += 1;
        }
    }
}
