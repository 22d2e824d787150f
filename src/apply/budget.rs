//! The bytes that the ops of a patch may put into documents beside what the patch itself
//! holds: copies of values. All ops of a run share one budget, since a copy of a copy doubles
//! a document with each op.

use super::failure::{OpFailure, OpResult};
use crate::node::EntryComments;
use crate::patch::{NewComment, NewComments, Patch};
use crate::yaml::Expansion;

/// The memory that an edit of a place takes, as far as the limit is concerned.
// What is opened to put a value there: a collection with its slots.
const PLACE: usize = 256;

/// The number of places that are edited in any case.
// A low limit is meant for large documents.
const FEWEST_PLACES: usize = 1 << 12;

/// The copies that the ops of a run may make.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: usize,
    bytes_left: u64,
    places_left: usize,
    is_spent: bool,
}

impl Budget {
    /// Returns the whole budget of a patch.
    pub(crate) fn of(patch: &Patch) -> Budget {
        let limit = patch.limit.unwrap_or(Expansion::default().0);
        let places_left = (limit / PLACE).max(FEWEST_PLACES);
        Budget { limit, bytes_left: limit as u64, places_left, is_spent: false }
    }

    /// Takes the bytes of copies of a value.
    ///
    /// Fails if fewer are left, or if too many places got copies.
    pub(super) fn copy(&mut self, size: u64, copies: usize) -> OpResult<()> {
        let bytes = self.bytes_left.checked_sub(size.saturating_mul(copies as u64));
        let places = self.places_left.checked_sub(copies);
        match bytes.zip(places) {
            Some((bytes, places)) => {
                self.bytes_left = bytes;
                self.places_left = places;
                Ok(())
            }
            None => Err(self.spent()),
        }
    }

    /// Returns true if an op has failed for want of bytes. Others would fail likewise.
    pub(crate) fn is_spent(&self) -> bool {
        self.is_spent
    }

    fn spent(&mut self) -> OpFailure {
        self.is_spent = true;
        let message = format!("the ops copy more than {} bytes", self.limit);
        let hint = "`--limit expansion=N` raises the limit";
        OpFailure::new(message, usize::MAX).hint(Some(hint.into()))
    }
}

/// Returns the bytes of the comments that an op gives to each place, and of those that come
/// along with its value.
pub(super) fn comment_size(new: &NewComments, brought: Option<&EntryComments>) -> u64 {
    let given = [&new.trailing, &new.leading].into_iter().map(|comment| match comment {
        NewComment::Text(text) => text.len(),
        NewComment::Unchanged | NewComment::Removed => 0,
    });
    let given: usize = given.sum();
    (given + brought.map_or(0, EntryComments::size)) as u64
}
