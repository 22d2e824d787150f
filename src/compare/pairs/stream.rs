//! Which document of a stream is which of another one.

use std::collections::BTreeMap;

use crate::compare::DocumentName;
use crate::node::Tree;

/// The documents of two streams that belong together, by position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentPairs {
    /// In the order of the first stream.
    pub pairs: Vec<(usize, usize)>,
    /// The documents of the first stream that the second one lacks.
    pub only_old: Vec<usize>,
    /// The documents of the second stream that the first one lacks.
    pub only_new: Vec<usize>,
    /// The names of the documents of both streams, if they are paired by name; by place
    /// otherwise.
    pub names: Option<(Vec<DocumentName>, Vec<DocumentName>)>,
}

impl DocumentPairs {
    /// Pairs documents by kind, name and namespace, if all documents of both streams have
    /// them, and no two of a stream the same; else by place. Two single documents are a pair.
    pub fn new(old: &Tree, new: &Tree) -> DocumentPairs {
        let [there, given] = [old, new].map(|stream| stream.roots().len());
        let names = DocumentName::all(old).zip(DocumentName::all(new));
        let Some((old_names, new_names)) = names.filter(|_| there > 1 || given > 1)
        else {
            let both = there.min(given);
            return DocumentPairs {
                pairs: (0..both).map(|at| (at, at)).collect(),
                only_old: (both..there).collect(),
                only_new: (both..given).collect(),
                names: None,
            };
        };
        let mut places: BTreeMap<_, _> = new_names.iter().zip(0..).collect();
        let mut pairs = Vec::new();
        let mut only_old = Vec::new();
        for (at, name) in old_names.iter().enumerate() {
            match places.remove(name) {
                Some(other) => pairs.push((at, other)),
                None => only_old.push(at),
            }
        }
        let mut only_new: Vec<usize> = places.into_values().collect();
        only_new.sort_unstable();
        DocumentPairs { pairs, only_old, only_new, names: Some((old_names, new_names)) }
    }

    /// Returns true if the documents of the second stream are in another order.
    pub fn are_reordered(&self) -> bool {
        !self.pairs.is_sorted_by_key(|&(_, new)| new)
    }
}
