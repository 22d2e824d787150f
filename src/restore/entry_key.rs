//! The keys of mappings, by their values.

use crate::scalar::Identity;

/// A key, for look-ups.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum EntryKey<'a> {
    Scalar(Identity<'a>),
    /// A collection, by its class.
    Class(u32),
}

impl EntryKey<'_> {
    /// Returns the key as a token of a pointer, without escapes; `?` for a key that no token
    /// stands for.
    pub(super) fn token(&self) -> String {
        match self {
            EntryKey::Scalar(Identity::String(text)) => text.clone().into_owned(),
            EntryKey::Scalar(Identity::Int(number)) => number.to_string(),
            EntryKey::Scalar(Identity::Bool(is)) => is.to_string(),
            EntryKey::Scalar(Identity::Float(bits)) => f64::from_bits(*bits).to_string(),
            EntryKey::Scalar(Identity::Null) => "null".to_owned(),
            EntryKey::Scalar(_) | EntryKey::Class(_) => "?".to_owned(),
        }
    }
}
