//! Walking a pointer through a document. One walk serves the three ways an op takes it:
//! to find a value, to replace one (making what is optional on the way), to remove one.

use super::failure::{Failure, container};
use super::step::Step;
use crate::node::{Document, Kind, Node, OpId, Seat};
use crate::pointer::{Modifier, Pointer, Token};

/// What a walk is for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Way {
    Find,
    Replace,
    Remove,
}

/// A pointer on its way through a document.
pub(super) struct Walk<'a> {
    pub(super) document: &'a mut Document,
    pub(super) pointer: &'a Pointer,
    pub(super) way: Way,
    /// Whether what is opened stays: only once the walk is known to change something.
    pub(super) attach: bool,
    /// Whether nobody reads all that a failure could say.
    pub(super) brief: bool,
    by: Option<OpId>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        document: &'a mut Document,
        pointer: &'a Pointer,
        way: Way,
    ) -> Self {
        let attach = way == Way::Replace;
        Walk { document, pointer, way, attach, brief: false, by: None }
    }

    pub(super) fn by(self, id: OpId) -> Self {
        Walk { by: Some(id), ..self }
    }

    pub(super) fn brief(self, brief: bool) -> Self {
        Walk { brief, ..self }
    }

    /// The node the pointer leads to from there.
    pub(super) fn find(mut self, from: Seat) -> Result<Node, Failure> {
        let mut seat = from;
        for depth in 0..self.pointer.tokens.len() {
            seat = match self.step(seat, depth)? {
                Step::Here(seat) => seat,
                Step::Item { id, at, .. } => Seat::Slot(id, at),
                Step::Missing(_) => Seat::Detached(self.make(depth)?),
            };
        }
        Ok(self.document.node_at(seat))
    }

    /// Puts `value` where the pointer leads.
    pub(super) fn replace(mut self, root: usize, value: Node) -> Result<(), Failure> {
        let mut seat = Seat::Root(root);
        let Some(last) = self.pointer.tokens.len().checked_sub(1) else {
            self.document.set_at(seat, value, self.by);
            return Ok(());
        };
        for depth in 0..last {
            seat = match self.step(seat, depth)? {
                Step::Here(seat) => seat,
                Step::Item { id, at, .. } => self.through(id, at, depth),
                Step::Missing(id) => {
                    let node = self.make(depth)?;
                    self.add(id, depth, node)
                }
            };
        }
        match self.step(seat, last)? {
            Step::Here(seat) => self.document.set_at(seat, value, self.by),
            Step::Item { id, at, beside: None } => {
                self.document.set_at(Seat::Slot(id, at), value, self.by);
            }
            Step::Item { id, at, beside: Some(beside) } => {
                let after = usize::from(beside == Modifier::After);
                let position = self.document.children(id).position(at) + after;
                self.document.insert_item(id, position, value, self.by);
            }
            Step::Missing(id) => {
                self.add(id, last, value);
            }
        }
        Ok(())
    }

    /// Removes what the pointer leads to; nothing if it is optional and missing.
    pub(super) fn remove(mut self, root: usize) -> Result<(), Failure> {
        let Some(last) = self.pointer.tokens.len().checked_sub(1) else {
            return Err(Failure::new("Cannot remove entire document".into(), 0));
        };
        for attach in [false, true] {
            self.attach = attach;
            let mut seat = Seat::Root(root);
            for depth in 0..=last {
                let step = self.step(seat, depth)?;
                seat = match step {
                    Step::Missing(_) => return Ok(()),
                    Step::Here(Seat::Slot(id, _)) if attach && depth == last => {
                        if let Token::Key(key) = &self.pointer.tokens[last] {
                            self.document.remove_entry(id, key);
                        }
                        return Ok(());
                    }
                    Step::Item { id, at, .. } if attach && depth == last => {
                        self.document.remove_item(id, at);
                        return Ok(());
                    }
                    Step::Here(seat) => seat,
                    Step::Item { id, at, .. } => self.through(id, at, depth),
                };
            }
        }
        Ok(())
    }

    /// Goes on through an item whose entries are about to change.
    fn through(&mut self, id: u32, at: u32, depth: usize) -> Seat {
        if let (true, Some(Token::Key(key))) =
            (self.attach, self.pointer.tokens.get(depth + 1))
        {
            self.document.mark_changed(id, at, key);
        }
        Seat::Slot(id, at)
    }

    /// What a missing place holds: what the token describes, or what the next one needs.
    fn make(&mut self, depth: usize) -> Result<Node, Failure> {
        if let Token::Match { key, value, .. } = &self.pointer.tokens[depth] {
            return Ok(self.document.new_mapping(&[(key, value)], self.by));
        }
        let Some(next) = self.pointer.tokens.get(depth + 1) else {
            return Ok(self.document.new_null());
        };
        match container(next) {
            Some(Kind::Mapping) => Ok(self.document.new_mapping(&[], self.by)),
            Some(Kind::Sequence) if self.way == Way::Replace || *next != Token::End => {
                Ok(self.document.new_sequence())
            }
            _ => Err(Failure::new(self.cannot_make(depth + 1), depth + 1)),
        }
    }

    fn cannot_make(&self, depth: usize) -> String {
        let tokens = match self.way {
            Way::Replace => "key, matching index or after last index",
            Way::Find | Way::Remove => "key or matching index",
        };
        format!("Expected to find {tokens} token at path '{}'", self.path(depth))
    }

    /// Adds `node` to the opened container in which the token at `depth` is missing.
    fn add(&mut self, id: u32, depth: usize, node: Node) -> Seat {
        let at = match &self.pointer.tokens[depth] {
            Token::Key(key) => self.document.insert_entry(id, key, node, self.by),
            Token::Match { .. } | Token::Index(..) | Token::End => {
                let end = self.document.children(id).len();
                self.document.insert_item(id, end, node, self.by)
            }
        };
        Seat::Slot(id, at)
    }

    /// The pointer as far as the token at `depth`, as bosh prints it.
    pub(super) fn path(&self, depth: usize) -> String {
        self.pointer.prefix(depth + 1).to_string()
    }
}
