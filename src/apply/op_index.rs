//! The ops of a patch by the name of the document that they are for.

use hashbrown::HashMap;

use crate::compare::name_of_document;
use crate::node::Tree;
use crate::patch::Op;
use crate::select::DocumentSelector;

/// An index of ops, so that an op that names its document is looked at in that one only: a
/// stream may have as many such ops as documents.
pub(super) struct OpIndex<'a> {
    /// The positions of the ops that name their document, in order.
    named: HashMap<&'a str, Vec<usize>>,
    /// The positions of all others.
    others: Vec<usize>,
}

impl<'a> OpIndex<'a> {
    pub(super) fn new(ops: &'a [Op]) -> OpIndex<'a> {
        let (mut named, mut others) = (HashMap::<&str, Vec<usize>>::new(), Vec::new());
        for (at, op) in ops.iter().enumerate() {
            match op.only.iter().find_map(DocumentSelector::name) {
                Some(name) => named.entry(name).or_default().push(at),
                None => others.push(at),
            }
        }
        OpIndex { named, others }
    }

    /// Returns the position of the next op from `from` on that may be for a document, as it is
    /// now.
    pub(super) fn next(
        &self,
        document: &Tree,
        root: usize,
        from: usize,
    ) -> Option<usize> {
        let next = |ops: &[usize]| ops.get(ops.partition_point(|&at| at < from)).copied();
        let other = next(&self.others);
        if self.named.is_empty() {
            return other;
        }
        let name = name_of_document(document, document.roots()[root]);
        let named = self.named.get(&*name).and_then(|ops| next(ops));
        named.into_iter().chain(other).min()
    }
}
