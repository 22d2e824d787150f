//! The comments that an edit gives to an entry.

/// The comments and blank lines of an entry that an edit moved, copied or commented. Each is
/// `None` if it is as written.
///
/// Every comment and every blank line of a text is a part of one entry, or stands at the end
/// of the document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EntryComments {
    /// The comment behind it, with its `#` and the blanks before; empty for none.
    pub trailing: Option<Box<str>>,
    /// The lines directly above it, each with its `#`; empty for none.
    pub leading: Option<Box<str>>,
    /// The lines between these and what stands before: blank lines, and comments that the
    /// entry does not own. They have the indentation of the collection as it is written.
    pub gap: Option<Box<str>>,
    /// The deeper comment lines below it, behind what its last child owns; as in `gap`.
    pub dangling: Option<Box<str>>,
}

impl EntryComments {
    /// Returns true if nothing differs from what is written.
    pub(crate) fn is_unchanged(&self) -> bool {
        *self == EntryComments::default()
    }

    /// Returns these comments, with those of `other` where they are as written.
    pub(crate) fn or(self, other: EntryComments) -> EntryComments {
        EntryComments {
            trailing: self.trailing.or(other.trailing),
            leading: self.leading.or(other.leading),
            gap: self.gap.or(other.gap),
            dangling: self.dangling.or(other.dangling),
        }
    }
}
