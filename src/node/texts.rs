//! The texts that nodes of a tree come from.

use std::sync::Arc;

use crate::arena::Arena;
use crate::source::FileId;

/// The text of a tree and the other texts that its nodes come from.
#[derive(Clone, Debug)]
pub(super) struct Texts {
    /// The text that the tree was read from.
    base: Arc<Arena>,
    /// The others, sorted by number.
    others: Vec<Arc<Arena>>,
}

impl Texts {
    pub(super) fn new(base: Arc<Arena>) -> Texts {
        Texts { base, others: Vec::new() }
    }

    pub(super) fn base(&self) -> &Arc<Arena> {
        &self.base
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Arc<Arena>> {
        std::iter::once(&self.base).chain(&self.others)
    }

    /// Returns the arena of a text.
    ///
    /// # Panics
    /// The text is none of these: the node is one of another document.
    #[inline]
    pub(super) fn arena(&self, file: FileId) -> &Arena {
        if file == self.base.file() {
            return &self.base;
        }
        match self.position(file) {
            Ok(at) => &self.others[at],
            Err(_) => panic!("this is a node of another document"),
        }
    }

    /// Adds a text, or replaces the one with its number. Returns true if what is known
    /// about the one before does not hold any more.
    pub(super) fn add(&mut self, arena: &Arc<Arena>) -> bool {
        match self.position(arena.file()) {
            _ if arena.file() == self.base.file() => self.base = arena.clone(),
            Ok(at) if Arc::ptr_eq(&self.others[at], arena) => return false,
            Ok(at) => self.others[at] = arena.clone(),
            Err(at) => {
                self.others.insert(at, arena.clone());
                return false;
            }
        }
        true
    }

    fn position(&self, file: FileId) -> Result<usize, usize> {
        self.others.binary_search_by_key(&file, |arena| arena.file())
    }
}
