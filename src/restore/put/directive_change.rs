//! The fate of a directive.

/// A change of a directive of the source.
#[derive(Clone)]
pub(in crate::restore) enum DirectiveChange {
    /// It is replaced by the values it gave, for the given reason.
    WrittenOut(String),
    /// Its key is written in another way.
    Renamed(String),
}
