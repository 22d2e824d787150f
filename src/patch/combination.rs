//! The rules by which a collection takes in another.

/// The rules by which a collection takes in another. Mappings are combined deeply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Combination {
    /// A null removes the entry with its key.
    pub null_removes: bool,
    /// The effect of a list on a list.
    pub lists: Joining,
    /// True if values of different kinds cannot be combined; else the new one replaces.
    pub is_strict: bool,
}

/// The effect of a new list on one that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joining {
    /// It takes its place.
    Replace,
    /// Its items come after those that are there.
    Append,
}

impl Combination {
    /// `type: merge` of an ops-file.
    pub const MERGE: Combination =
        Combination { null_removes: false, lists: Joining::Replace, is_strict: false };
    /// JSON Merge Patch (RFC 7396).
    pub const MERGE_PATCH: Combination =
        Combination { null_removes: true, ..Self::MERGE };
    /// `update` of an OpenAPI Overlay.
    pub const OVERLAY: Combination =
        Combination { null_removes: false, lists: Joining::Append, is_strict: true };
}
