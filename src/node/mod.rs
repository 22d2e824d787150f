//! The one tree every pass reads: a [`Document`] is the arena of a text and the edits
//! laid over it. A node is either as it was written, or opened by an edit; opening
//! happens along the path of an edit and nowhere else.

mod edit;
mod entry;
mod equal;
mod graft;
mod index;
mod read;
mod settle;
mod slots;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::arena::{Arena, Index};
use crate::diagnostic::{Diagnostic, Result};
use crate::scalar::{Dialect, Scalar};
use crate::source::FileId;

pub(crate) use edit::Seat;
pub use read::Kind;
pub(crate) use slots::SlotId;
pub use slots::Slots;

/// The number of an op in its patch.
pub type OpId = u32;

/// A node of a [`Document`]: a number, to be asked about there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// As it was written.
    Clean(FileId, Index),
    /// Opened or made by an edit.
    Opened(u32),
}

impl Node {
    /// Stands in the slot of a removed entry.
    const GONE: Node = Node::Opened(u32::MAX);
}

/// A node that is no longer, or never was, what a text says.
#[derive(Clone, Debug)]
pub(crate) struct Opened {
    /// The written node it was opened from: its style, its comments, its anchor.
    was: Option<(FileId, Index)>,
    body: Body,
    /// The entries `<<` that it was opened with, in order.
    merges: Vec<SlotId>,
    lookup: index::Lookup,
}

impl Opened {
    /// The written node it was opened from.
    pub(crate) fn origin(&self) -> Option<(FileId, Index)> {
        self.was
    }

    pub(crate) fn body(&self) -> &Body {
        &self.body
    }
}

/// What an opened node holds.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Scalar(Scalar<'static>),
    Sequence(Slots),
    Mapping(Slots),
}

/// An item of a sequence or an entry of a mapping.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// The written item or key, of the node this was opened from, in whose place it stands.
    pub(crate) was: Option<Index>,
    /// The key, in a mapping.
    pub key: Option<Node>,
    /// The item or the value.
    pub value: Node,
    /// The op that put it there.
    pub by: Option<OpId>,
}

/// A text, read, and the edits laid over it.
#[derive(Clone, Debug)]
pub struct Document {
    file: FileId,
    arenas: Vec<Option<Arc<Arena>>>,
    opened: Vec<Opened>,
    /// The opened nodes before this one may stand in several places: they are copied before
    /// they change.
    frozen: u32,
    /// What was opened to be looked at, by what was written. Nothing of it is ever seated.
    detached: HashMap<(FileId, Index), u32>,
    /// The values that the string keys of what stands at a `<<` stand for.
    merged: HashMap<(FileId, Index), HashMap<Box<str>, Node>>,
    roots: Vec<Node>,
    /// What written nodes became for every alias of them.
    alias_values: HashMap<(FileId, Index), Node>,
    /// What was made of the values of variables. No message shows it.
    secret: HashSet<Node>,
    /// The text whose entries bring their comments with them.
    commented: Option<FileId>,
}

impl Document {
    /// The document as `arena` says it, with a root for each document of the stream.
    pub(crate) fn new(arena: Arena) -> Document {
        let file = arena.file();
        let roots = arena.sections().iter().map(|s| Node::Clean(file, s.root)).collect();
        let mut document = Document {
            file,
            arenas: Vec::new(),
            opened: Vec::new(),
            frozen: 0,
            detached: HashMap::new(),
            merged: HashMap::new(),
            roots,
            alias_values: HashMap::new(),
            secret: HashSet::new(),
            commented: None,
        };
        document.add_arena(&Arc::new(arena));
        document
    }

    /// The root of the first document of the stream.
    pub fn root(&self) -> Node {
        self.roots[0]
    }

    /// The root of every document of the stream.
    pub fn roots(&self) -> &[Node] {
        &self.roots
    }

    /// Replaces the roots.
    pub(crate) fn set_roots(&mut self, roots: Vec<Node>) {
        self.roots = roots;
    }

    /// Appends roots, one for each document of the stream.
    pub(crate) fn add_roots(&mut self, roots: &[Node]) {
        self.roots.extend(roots);
    }

    /// The node that was opened or made as number `id`.
    pub(crate) fn opened(&self, id: u32) -> &Opened {
        &self.opened[id as usize]
    }

    /// Every node that was opened or made, by number.
    pub(crate) fn opened_nodes(&self) -> &[Opened] {
        &self.opened
    }

    /// Number of nodes that were opened or made.
    pub(crate) fn opened_count(&self) -> usize {
        self.opened.len()
    }

    /// Takes the opened nodes out, by number.
    pub(crate) fn into_opened(self) -> Vec<Opened> {
        self.opened
    }

    /// The written node that opened node `id` was opened from, if any.
    pub(crate) fn origin(&self, id: u32) -> Option<(FileId, Index)> {
        self.opened.get(id as usize)?.was
    }

    /// The text whose entries bring their comments with them.
    pub(crate) fn comment_source(&self) -> Option<FileId> {
        self.commented
    }

    /// Lets entries of a text bring their comments with them.
    pub(crate) fn bring_comments_from(&mut self, file: FileId) {
        self.commented = Some(file);
    }

    /// Whether nothing was edited.
    pub fn is_clean(&self) -> bool {
        let clean = |(root, section): (&Node, &crate::arena::Section)| {
            *root == Node::Clean(self.file, section.root)
        };
        self.roots.iter().zip(self.base().sections()).all(clean)
    }

    /// The text this document was read from.
    pub fn file(&self) -> FileId {
        self.file
    }

    /// The rules it was read by.
    pub fn dialect(&self) -> Dialect {
        self.base().dialect()
    }

    /// The arena of the text this document was read from.
    pub fn base(&self) -> &Arena {
        self.arena(self.file)
    }

    /// The arena of a text that nodes of this document come from.
    pub fn arena(&self, file: FileId) -> &Arena {
        match self.arenas.get(file.0 as usize) {
            Some(Some(arena)) => arena,
            _ => self.base(),
        }
    }

    /// The arenas of all texts that nodes of this document may come from.
    pub(crate) fn arenas(&self) -> impl Iterator<Item = &Arc<Arena>> {
        self.arenas.iter().flatten()
    }

    /// The arena of the text this document was read from, to be shared.
    pub(crate) fn shared_base(&self) -> &Arc<Arena> {
        match &self.arenas[self.file.0 as usize] {
            Some(arena) => arena,
            None => unreachable!("a document holds its own arena"),
        }
    }

    /// A number that no text of this document has.
    pub(crate) fn unused_file(&self) -> FileId {
        FileId(self.arenas.len() as u32)
    }

    /// The document that `node` would be in the place of what a blank text says.
    pub(crate) fn standalone(&self, node: Node, blank: Arena) -> Document {
        let mut standalone =
            Document { file: blank.file(), roots: vec![node], ..self.clone() };
        standalone.add_arena(&Arc::new(blank));
        standalone
    }

    /// Whether any of the texts has an alias.
    pub(crate) fn has_aliases(&self) -> bool {
        self.arenas().any(|arena| !arena.aliases().is_empty())
    }

    /// Lets nodes of another text stand in this document, unless that would take the place
    /// of one that has its number.
    ///
    /// # Errors
    /// The texts were added to different [`Sources`](crate::source::Sources).
    pub(crate) fn try_add_arena(&mut self, arena: &Arc<Arena>) -> Result<()> {
        let there = self.arenas.get(arena.file().0 as usize).and_then(Option::as_ref);
        let other = there.is_some_and(|there| {
            !Arc::ptr_eq(there, arena) && there.text() != arena.text()
        });
        if other {
            let message = "these texts were added to different `Sources`: read what is \
                to be one document with the same ones";
            return Err(Diagnostic::error(message));
        }
        self.add_arena(arena);
        Ok(())
    }

    /// Whether there is anything that no message shows.
    pub(crate) fn has_secrets(&self) -> bool {
        !self.secret.is_empty()
            || self.arenas.iter().flatten().any(|arena| arena.is_secret())
    }

    /// Lets nodes of another text stand in this document.
    pub(crate) fn add_arena(&mut self, arena: &Arc<Arena>) {
        let at = arena.file().0 as usize;
        if self.arenas.len() <= at {
            self.arenas.resize(at + 1, None);
        }
        self.arenas[at] = Some(arena.clone());
    }
}
