//! The ways of a target in both documents.

use super::name::Name;
use super::trail::Stop;

/// The ways of a target in the old and the new document.
pub(super) struct Ways {
    pub was: Vec<Stop>,
    pub now: Vec<Stop>,
}

impl Ways {
    /// Returns true if the target leads as far as before.
    pub(super) fn are_whole(&self) -> bool {
        self.now.len() >= self.was.len()
    }

    /// Returns the number of the first step that finds an item by its position, and finds
    /// another one than before.
    pub(super) fn strays_at(&self) -> Option<usize> {
        let mut pairs = self.was.iter().zip(&self.now);
        pairs.position(|(was, now)| {
            let is_named = matches!((&was.name, &now.name),
                (Name::Item { key, .. }, Name::Item { key: same, .. }) if key == same);
            was.position.is_some() && is_named && was.name != now.name
        })
    }
}
