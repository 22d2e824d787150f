//! Documents that can be compared as JSON.

use interpolate::unstable::node::{Kind, Tree};

/// Returns true if a document is small and no key of it is a collection, which JSON would
/// show in its source spelling.
pub fn is_plain(document: &Tree) -> bool {
    let mut todo = vec![document.root()];
    let mut left = 10_000_u32;
    while let Some(node) = todo.pop() {
        left -= 1;
        if left == 0 {
            return false;
        }
        todo.extend(document.items(node));
        for (key, value) in document.pairs(node) {
            if document.kind(key) != Kind::Scalar {
                return false;
            }
            todo.push(value);
        }
    }
    true
}
