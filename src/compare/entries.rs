//! The entries of a mapping, in order and by their keys.

use hashbrown::HashMap;

use crate::node::NodeId;
use crate::scalar::Identity;

/// A key, for look-ups.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum EntryKey<'a> {
    Scalar(Identity<'a>),
    /// A collection, by its class.
    Class(u32),
}

impl EntryKey<'_> {
    /// Returns the key as a token of a pointer, without escapes; `?` for a key that no token
    /// stands for.
    pub(crate) fn token(&self) -> String {
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

/// The entries of a mapping.
pub(crate) struct MappingIndex<'a> {
    pub list: Vec<MappingEntry<'a>>,
    index: HashMap<EntryKey<'a>, usize>,
}

impl<'a> MappingIndex<'a> {
    pub(crate) fn new(list: Vec<MappingEntry<'a>>) -> MappingIndex<'a> {
        let keys = list.iter().map(|entry| entry.key.clone());
        let index = keys.zip(0..).collect();
        MappingIndex { list, index }
    }

    pub(crate) fn entry(&self, key: &EntryKey<'a>) -> Option<&MappingEntry<'a>> {
        self.index.get(key).map(|&at| &self.list[at])
    }

    pub(crate) fn get(&self, key: &EntryKey<'a>) -> Option<NodeId> {
        self.entry(key).map(|entry| entry.value)
    }
}

/// An entry with its key as a node.
#[derive(Clone, Debug)]
pub(crate) struct MappingEntry<'a> {
    pub key: EntryKey<'a>,
    pub name: NodeId,
    pub value: NodeId,
}
