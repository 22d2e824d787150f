//! The comments that an op gives to its entry.

/// Comments that an op gives to the entry it changes, without `#`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewComments {
    /// The comment behind the entry.
    pub trailing: NewComment,
    /// The lines above the entry.
    pub leading: NewComment,
}

/// The change of a comment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum NewComment {
    /// It stays as it is.
    #[default]
    Unchanged,
    /// It is removed.
    Removed,
    /// It has this text, of one line or several.
    Text(String),
}
