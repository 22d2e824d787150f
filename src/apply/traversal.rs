//! The traversal of a path, whatever language it is written in. One traversal serves all
//! purposes of an op: to find a node, to replace one (making what is optional on the way), to
//! add one, to remove one.

use super::failure::{OpFailure, OpResult};
use super::hint::{self, FailedStep};
use super::place::{Landing, Purpose, note_change};
use super::resolve::{AnyPath, PathToken, position, shift};
use crate::node::{Kind, NodeId, OpId, Seat, Step, Tree};
use crate::pointer::{JsonPointer, Modifier, Token};

/// The effect of a node on the way that is missing and may be.
#[derive(Clone, Copy)]
enum Absence {
    /// The traversal stops before it.
    Stops,
    /// The traversal goes on in a new node outside of the tree.
    Detached,
    /// The node is made.
    Made,
}

/// The end of a way.
struct Reached {
    seat: Seat,
    /// Number of tokens that were followed.
    depth: usize,
}

/// The end of a way at which a value is put.
pub(super) struct Landed<'p> {
    pub at: Landing<'p>,
    /// The collection in which the first token that is made stands, and the number of tokens
    /// before it.
    pub made: Option<MadeToken>,
}

/// A token whose entry or item was missing, and is made.
#[derive(Clone, Copy)]
pub(super) struct MadeToken {
    pub around: NodeId,
    pub depth: usize,
}

pub(super) struct Traversal<'t, 'p> {
    document: &'t mut Tree,
    path: AnyPath<'p>,
    purpose: Purpose,
    /// True if opened nodes become part of the document. A search must not change it, and
    /// a removal only once it is known to find something.
    attach: bool,
    brief: bool,
    /// True if a `?` marks a key that may be missing. In a dotted path it is a part of the key.
    has_marks: bool,
    by: Option<OpId>,
    made: Option<MadeToken>,
}

/// Returns the seat to which steps lead, with all collections on the way opened.
pub(crate) fn locate(document: &mut Tree, path: &[Step], root: usize) -> Option<Seat> {
    Traversal::new(document, AnyPath::Steps(path), Purpose::Find).reach(root).ok()?
}

impl<'t, 'p> Traversal<'t, 'p> {
    pub(super) fn new(
        document: &'t mut Tree,
        path: impl Into<AnyPath<'p>>,
        purpose: Purpose,
    ) -> Self {
        Traversal {
            document,
            path: path.into(),
            purpose,
            attach: purpose.puts(),
            brief: false,
            has_marks: true,
            by: None,
            made: None,
        }
    }

    /// Follows the path for an op. A path without marks gets no hint at `?`.
    pub(super) fn by(self, id: OpId, has_marks: bool) -> Self {
        Traversal { by: Some(id), has_marks, ..self }
    }

    pub(super) fn brief(self, brief: bool) -> Self {
        Traversal { brief, ..self }
    }

    pub(super) fn find(mut self, seat: Seat) -> OpResult<NodeId> {
        let seat = self.follow(seat, self.path.len(), Absence::Detached)?.seat;
        Ok(self.document.node_at(seat))
    }

    /// Returns the seat of a node. It may be a seat outside of the tree: an edit there would
    /// be lost.
    pub(super) fn find_seat(mut self, seat: Seat) -> OpResult<Seat> {
        Ok(self.follow(seat, self.path.len(), Absence::Detached)?.seat)
    }

    /// Searches what the path leads to. Returns false if it is optional and missing.
    ///
    /// Nothing is changed. Where the search leads nowhere, a single pass would have copied
    /// aliases and merged entries on the way for nothing.
    pub(super) fn search(&mut self, root: usize) -> OpResult<bool> {
        let attach = std::mem::replace(&mut self.attach, false);
        let count = self.path.len();
        let reached = self.follow(Seat::Root(root), count, Absence::Stops)?;
        self.attach = attach;
        Ok(reached.depth == count)
    }

    /// Returns the seat that the path leads to; `None` if it leads nowhere. It may be a seat
    /// outside of the tree. Nothing is changed, and nothing is made.
    pub(super) fn seek(mut self, root: usize) -> Option<Seat> {
        self.attach = false;
        self.brief = true;
        let count = self.path.len();
        let reached = self.follow(Seat::Root(root), count, Absence::Stops).ok()?;
        (reached.depth == count).then_some(reached.seat)
    }

    /// Returns the seats that the tokens lead to, one after another, as far as they lead
    /// anywhere. They may be outside of the tree.
    pub(super) fn seats(mut self, root: usize) -> Vec<Seat> {
        self.brief = true;
        let mut seats = Vec::new();
        let mut around = Seat::Root(root);
        for depth in 0..self.path.len() {
            let Ok(Landing::Seat(seat)) = self.step(around, depth) else { break };
            seats.push(seat);
            around = seat;
        }
        seats
    }

    /// Returns the seat in the tree that the path leads to; `None` if it is optional and
    /// missing. Nothing is made.
    pub(super) fn reach(mut self, root: usize) -> OpResult<Option<Seat>> {
        // Only a pointer of bosh may lead to nothing without an error.
        if matches!(self.path, AnyPath::Bosh(_)) && !self.search(root)? {
            return Ok(None);
        }
        self.attach = true;
        let count = self.path.len();
        let reached = self.follow(Seat::Root(root), count, Absence::Stops)?;
        Ok((reached.depth == count).then_some(reached.seat))
    }

    /// Returns the number of tokens that lead somewhere, if a value can surely be put where a
    /// pointer of bosh leads to, or if there is what a JSON Pointer needs around a new value.
    /// Nothing is changed.
    pub(super) fn reaches(mut self, root: usize) -> Option<usize> {
        self.attach = false;
        self.brief = true;
        let count = match self.path {
            AnyPath::Bosh(pointer) => pointer.tokens.len(),
            path => path.len().saturating_sub(1),
        };
        let end = self.follow(Seat::Root(root), count, Absence::Stops).ok()?;
        let tokens = self.path.tokens();
        tokens.get(end.depth..).is_none_or(can_make).then_some(end.depth)
    }

    /// Follows the first `count` tokens from a seat. Stops before them if something is missing
    /// that may be, and the absence stops a search.
    fn follow(
        &mut self,
        mut seat: Seat,
        count: usize,
        absence: Absence,
    ) -> OpResult<Reached> {
        let tokens = self.path.tokens();
        for depth in 0..count {
            let landing = self.step(seat, depth)?;
            seat = match (landing, absence) {
                (Landing::Seat(seat), _) => seat,
                (_, Absence::Stops) => return Ok(Reached { seat, depth }),
                (_, Absence::Detached) => Seat::Detached(self.make(depth)?),
                (_, Absence::Made) => {
                    self.note_made(landing, depth);
                    let node = self.make(depth)?;
                    landing.put(self.document, node, self.by)
                }
            };
            // If an entry of an item is about to change, indexes of the list have to know.
            if let (true, Landing::Seat(Seat::Slot(id, at)), Some(Token::Key(key))) =
                (self.attach, landing, tokens.get(depth + 1))
            {
                self.document.mark_changed(id, at, key);
            }
        }
        Ok(Reached { seat, depth: count })
    }

    /// Returns the place that the path leads to. If a value is put there, what is optional and
    /// missing on the way is made; else there is no place if something is.
    pub(super) fn land(mut self, root: usize) -> OpResult<Option<Landed<'p>>> {
        if !self.purpose.puts() {
            let seat = self.reach(root)?;
            return Ok(seat.map(|seat| Landed { at: Landing::Seat(seat), made: None }));
        }
        let Some(last) = self.path.len().checked_sub(1) else {
            return Ok(Some(Landed { at: Landing::Seat(Seat::Root(root)), made: None }));
        };
        let around = self.follow(Seat::Root(root), last, Absence::Made)?.seat;
        let landing = self.step(around, last)?;
        self.note_made(landing, last);
        let made = self.made;
        if let (Purpose::Add, Landing::Seat(Seat::Slot(list, at))) =
            (self.purpose, landing)
        {
            let seat = Seat::Slot(list, at);
            if self.path.ends_with_index(self.document, seat) {
                let position = self.document.children(list).position(at);
                return Ok(Some(Landed { at: Landing::Gap { list, position }, made }));
            }
        }
        Ok(Some(Landed { at: landing, made }))
    }

    /// Notes the first token whose entry or item is missing.
    fn note_made(&mut self, landing: Landing<'p>, depth: usize) {
        let around = match landing {
            Landing::Seat(_) => return,
            Landing::Entry { mapping, .. } => mapping,
            Landing::Gap { list, .. } => list,
        };
        let around = NodeId::Opened(around);
        self.made.get_or_insert(MadeToken { around, depth });
    }

    fn step(&mut self, seat: Seat, depth: usize) -> OpResult<Landing<'p>> {
        match self.path.token(depth) {
            PathToken::Bosh(Token::Key(key)) => self.key(seat, depth, key),
            PathToken::Bosh(token @ Token::Index(index, modifiers)) => {
                if let Some(entry) = self.numbered_entry(seat, token) {
                    return Ok(Landing::Seat(entry));
                }
                let list = self.sequence(seat, depth);
                let id =
                    list.map_err(|failure| failure.hint(self.new_key_hint(seat, token)))?;
                self.item(id, *index, modifiers, depth, seat)
            }
            PathToken::Bosh(Token::Match { key, value, modifiers }) => {
                let id = self.sequence(seat, depth)?;
                let found = self.document.find_matches(id, key, value);
                let slots = self.document.children(id);
                match found[..] {
                    [at] => {
                        let index = slots.position(at) as i64;
                        self.item(id, index, modifiers, depth, seat)
                    }
                    [] if self.path.optional(depth) => {
                        Ok(Landing::Gap { list: id, position: slots.len() })
                    }
                    _ => Err(self.failed_step(seat, depth).no_match(id, &found)),
                }
            }
            PathToken::Bosh(Token::End) => self.end(seat, depth),
            PathToken::Json(name) => self.member(seat, depth, name),
            PathToken::Step(step) => {
                let seat = self.child(seat, step).map(Landing::Seat);
                seat.ok_or_else(|| OpFailure::new("there is nothing".into(), depth))
            }
        }
    }

    fn key(&mut self, seat: Seat, depth: usize, key: &'p str) -> OpResult<Landing<'p>> {
        let Some(id) = self.open(seat, Kind::Mapping) else {
            return Err(self.failed_step(seat, depth).no_container());
        };
        let found = if self.document.names_other_keys() {
            self.named_entry(id, key)
        } else {
            self.document.entry(id, key, self.attach)
        };
        if let Some(seat) = found {
            return Ok(Landing::Seat(seat));
        }
        if self.path.optional(depth) {
            return Ok(Landing::Entry { mapping: id, key });
        }
        Err(self.failed_step(seat, depth).no_key(id, key))
    }

    /// Returns the seat of the entry that an index names where there is a mapping.
    fn numbered_entry(&mut self, around: Seat, token: &Token) -> Option<Seat> {
        let name = token.number().filter(|_| self.document.names_other_keys())?;
        let id = self.open(around, Kind::Mapping)?;
        let seat = self.named_entry(id, &name)?;
        if self.attach {
            note_change(self.document, around);
        }
        Some(seat)
    }

    /// Returns a hint at the spelling of a new key that is a number.
    fn new_key_hint(&self, around: Seat, token: &Token) -> Option<String> {
        let document = &*self.document;
        let is_mapping = document.kind(document.node_at(around)) == Kind::Mapping;
        let may_add = self.purpose.puts() && self.has_marks && !self.brief;
        let is_key = is_mapping && document.names_other_keys();
        let number = token.number().filter(|_| may_add && is_key)?;
        Some(format!("write '{number}?' to add the key '{number}'"))
    }

    fn sequence(&mut self, seat: Seat, depth: usize) -> OpResult<u32> {
        let id = self.open(seat, Kind::Sequence);
        id.ok_or_else(|| self.failed_step(seat, depth).no_container())
    }

    /// Opens the collection at a seat; `None` for a scalar, and for one of another kind.
    fn open(&mut self, seat: Seat, kind: Kind) -> Option<u32> {
        let node = self.document.node_at(seat);
        if kind == Kind::Scalar || self.document.kind(node) != kind {
            return None;
        }
        self.document.open(seat, self.attach)
    }

    /// Follows an index: modifiers shift it, then a negative one counts from the end.
    fn item(
        &mut self,
        id: u32,
        index: i64,
        modifiers: &[Modifier],
        depth: usize,
        seat: Seat,
    ) -> OpResult<Landing<'p>> {
        let insert = self.purpose.puts() && depth + 1 == self.path.len();
        let shift =
            shift(modifiers, insert).map_err(|message| OpFailure::new(message, depth))?;
        let index = index.saturating_add(shift.by);
        let slots = self.document.children(id);
        let len = slots.len();
        let Some(position) = position(index, len) else {
            return Err(self.failed_step(seat, depth).no_item(index, len));
        };
        Ok(match (shift.beside, slots.at(position)) {
            (Some(Modifier::After), _) => {
                Landing::Gap { list: id, position: position + 1 }
            }
            (None, Some(at)) => Landing::Seat(Seat::Slot(id, at)),
            _ => Landing::Gap { list: id, position },
        })
    }

    /// Follows `-`, which only a value that is put somewhere may end with.
    fn end(&mut self, seat: Seat, depth: usize) -> OpResult<Landing<'p>> {
        if self.purpose.puts() {
            let list = self.sequence(seat, depth)?;
            let position = self.document.children(list).len();
            return Ok(Landing::Gap { list, position });
        }
        let finds = self.purpose == Purpose::Find;
        Err(self.failed_step(seat, depth).no_end(finds))
    }

    /// Follows a token of a JSON Pointer: the name of a member or the index of an item.
    fn member(
        &mut self,
        seat: Seat,
        depth: usize,
        name: &'p str,
    ) -> OpResult<Landing<'p>> {
        let adds = self.purpose == Purpose::Add && depth + 1 == self.path.len();
        let node = self.document.node_at(seat);
        let kind = self.document.kind(node);
        let index = match kind {
            Kind::Sequence if name != "-" => match JsonPointer::index(name) {
                None => return Err(self.failed_step(seat, depth).not_an_index(name)),
                index => index,
            },
            _ => None,
        };
        let Some(id) = self.open(seat, kind) else {
            return Err(self.failed_step(seat, depth).no_collection(name));
        };
        if kind == Kind::Mapping {
            if self.attach {
                note_change(self.document, seat);
            }
            return match self.named_entry(id, name) {
                Some(seat) => Ok(Landing::Seat(seat)),
                None if adds => Ok(Landing::Entry { mapping: id, key: name }),
                None => Err(self.failed_step(seat, depth).no_member(name)),
            };
        }
        let slots = self.document.children(id);
        let position = index.map_or(slots.len(), |index| index as usize);
        match slots.at(position) {
            Some(at) => Ok(Landing::Seat(Seat::Slot(id, at))),
            None if adds && position == slots.len() => {
                Ok(Landing::Gap { list: id, position })
            }
            None => Err(self.failed_step(seat, depth).no_index(name)),
        }
    }

    /// Returns the seat of the entry whose key has this text.
    fn named_entry(&mut self, id: u32, name: &str) -> Option<Seat> {
        let seat = self.document.entry(id, name, self.attach);
        if seat.is_some() || self.document.has_only_strings(id) {
            return seat;
        }
        // A key that is no string is named by its text.
        if !self.document.has_merges(id) {
            let found = self.document.find_other_key(id, name);
            return found.map(|at| Seat::Slot(id, at));
        }
        let (key, value) = self.document.member(NodeId::Opened(id), name)?;
        if self.attach {
            self.document.entry_of(id, key)
        } else {
            Some(Seat::Detached(value))
        }
    }

    /// Returns the seat of a child of the collection at a seat.
    fn child(&mut self, around: Seat, step: Step) -> Option<Seat> {
        match step {
            Step::Key(key) => {
                let id = self.open(around, Kind::Mapping)?;
                let seat = self.document.entry_of(id, key)?;
                note_change(self.document, around);
                Some(seat)
            }
            Step::Index(at) => {
                let id = self.open(around, Kind::Sequence)?;
                Some(Seat::Slot(id, self.document.children(id).at(at as usize)?))
            }
        }
    }

    /// Makes the missing node at `depth`: what its token describes, or a container for
    /// the next token.
    fn make(&mut self, depth: usize) -> OpResult<NodeId> {
        let tokens = self.path.tokens();
        if let Token::Match { key, value, .. } = &tokens[depth] {
            return Ok(self.document.new_mapping(&[(key, value)], self.by));
        }
        let Some(next) = tokens.get(depth + 1) else {
            return Ok(self.document.new_null());
        };
        match next {
            Token::Key(_) => Ok(self.document.new_mapping(&[], self.by)),
            Token::Match { .. } => Ok(self.document.new_sequence()),
            Token::End if self.purpose.puts() => Ok(self.document.new_sequence()),
            // The items before an index are unknown.
            Token::Index(..) | Token::End => {
                let puts = self.purpose.puts();
                Err(hint::not_made(self.path, depth + 1, puts))
            }
        }
    }

    fn failed_step(&mut self, seat: Seat, depth: usize) -> FailedStep<'_> {
        FailedStep {
            node: self.document.node_at(seat),
            document: self.document,
            path: self.path,
            depth,
            seat,
            purpose: self.purpose,
            has_marks: self.has_marks,
            brief: self.brief,
        }
    }
}

/// Returns true if missing nodes at these tokens can surely be made.
fn can_make(tokens: &[Token]) -> bool {
    tokens.windows(2).all(|pair| match pair {
        // The mapping that is made for a match has one entry.
        [Token::Match { key, .. }, Token::Key(next)] => next != key,
        [Token::Match { .. }, _] | [_, Token::Index(..)] => false,
        _ => true,
    })
}
