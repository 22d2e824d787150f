//! The entries of a mapping, taken one after another by their keys.

use std::collections::VecDeque;

use hashbrown::HashMap;

use crate::arena::{Arena, Index, Style};
use crate::scalar::Identity;

/// An entry with its key.
type Entry<'a> = (Identity<'a>, (Index, Index));

/// The entries of a mapping that are not taken yet, without collections as keys.
pub(super) struct EntriesByKey<'a> {
    /// The entries from the first one on that was not asked for in its turn.
    rest: std::vec::IntoIter<Entry<'a>>,
    /// The rest by its keys, once an entry was asked for out of turn.
    index: Option<HashMap<Identity<'a>, VecDeque<(Index, Index)>>>,
}

impl<'a> EntriesByKey<'a> {
    pub(super) fn new(arena: &'a Arena, mapping: Index) -> EntriesByKey<'a> {
        let entry = |entry: (Index, Index)| Some((key(arena, entry.0)?, entry));
        let entries: Vec<Entry<'a>> = arena.entries(mapping).filter_map(entry).collect();
        EntriesByKey { rest: entries.into_iter(), index: None }
    }

    /// Takes the first entry of a key.
    pub(super) fn take(&mut self, key: &Identity<'a>) -> Option<(Index, Index)> {
        // Two versions of a mapping mostly have the same keys in the same order.
        if let (None, Some((next, _))) = (&self.index, self.rest.as_slice().first())
            && next == key
        {
            return self.rest.next().map(|(_, entry)| entry);
        }
        let index = self.index.get_or_insert_with(|| {
            let mut index: HashMap<Identity<'_>, VecDeque<_>> = HashMap::new();
            for (key, entry) in &mut self.rest {
                index.entry(key).or_default().push_back(entry);
            }
            index
        });
        index.get_mut(key).and_then(VecDeque::pop_front)
    }
}

/// Returns the identity of a written key; `None` for a collection and for an alias.
pub(super) fn key(arena: &Arena, i: Index) -> Option<Identity<'_>> {
    let style = arena.style(i);
    let scalar = !(style.is_mapping() || style.is_sequence() || style == Style::Alias);
    scalar.then(|| arena.scalar(i).identity())
}
