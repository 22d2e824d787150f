//! The comments that an edit gives to an entry.

/// The comments of an entry that an edit moved, copied or commented.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryComments {
    /// The comment behind it, with its `#` and the blanks before; empty for none. `None` if
    /// it is as written.
    pub trailing: Option<Box<str>>,
    /// The lines directly above it, each with its `#`; empty for none. `None` if they are as written.
    pub leading: Option<Box<str>>,
}

impl EntryComments {
    /// Returns true if nothing differs from what is written.
    pub(crate) fn is_unchanged(&self) -> bool {
        self.trailing.is_none() && self.leading.is_none()
    }

    /// Returns these comments, with those of `other` where they are as written.
    pub(crate) fn or(self, other: EntryComments) -> EntryComments {
        EntryComments {
            trailing: self.trailing.or(other.trailing),
            leading: self.leading.or(other.leading),
        }
    }
}
