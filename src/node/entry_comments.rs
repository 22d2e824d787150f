//! The comments that an edit gives to an entry.

/// The comments of an entry that an edit moved, copied or commented.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryComments {
    /// The comment behind it, with its `#` and the blanks before; empty for none. `None` if
    /// it is as written.
    pub beside: Option<Box<str>>,
    /// The lines above it, each with its `#`; empty for none. `None` if they are as written.
    pub above: Option<Box<str>>,
}

impl EntryComments {
    /// Returns true if nothing differs from what is written.
    pub(crate) fn is_unchanged(&self) -> bool {
        self.beside.is_none() && self.above.is_none()
    }

    /// Returns these comments, with those of `other` where they are as written.
    pub(crate) fn or(self, other: EntryComments) -> EntryComments {
        EntryComments {
            beside: self.beside.or(other.beside),
            above: self.above.or(other.above),
        }
    }
}
