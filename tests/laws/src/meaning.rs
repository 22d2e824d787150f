//! Compares the data of two documents. The fuzz targets use it too.

use std::collections::HashSet;

use interpolate::unstable::node::{Kind, NodeId, Tree};

/// Returns the difference between a document and its printed text, read again.
pub fn difference(a: &Tree, b: &Tree) -> Result<(), String> {
    let (x, y) = (a.roots(), b.roots());
    if x.len() != y.len() {
        return Err(format!("{} documents, {} printed", x.len(), y.len()));
    }
    let pairs = x.iter().zip(y);
    let mut each = pairs.map(|(&x, &y)| difference_of((a, x), (b, y)));
    each.find(Result::is_err).unwrap_or(Ok(()))
}

/// Returns the difference between a value and its printed text.
pub fn difference_of(
    (a, x): (&Tree, NodeId),
    (b, y): (&Tree, NodeId),
) -> Result<(), String> {
    let mut todo: Vec<(NodeId, NodeId, String)> = vec![(x, y, String::new())];
    let mut met = HashSet::new();
    while let Some((x, y, path)) = todo.pop() {
        if !met.insert((x, y)) {
            continue;
        }
        if a.kind(x) != b.kind(y) {
            return Err(format!("{path}: {:?} printed as {:?}", a.kind(x), b.kind(y)));
        }
        let (items, pairs) = (a.items(x), a.pairs(x));
        if items.len() != b.items(y).len() || pairs.len() != b.pairs(y).len() {
            return Err(format!("{path}: another number of children"));
        }
        if a.kind(x) == Kind::Scalar && a.scalar(x).identity() != b.scalar(y).identity() {
            let (x, y) = (a.scalar(x), b.scalar(y));
            return Err(format!("{path}: {x:?} printed as {y:?}"));
        }
        for (i, pair) in items.into_iter().zip(b.items(y)).enumerate() {
            todo.push((pair.0, pair.1, format!("{path}/{i}")));
        }
        for ((k, v), (l, w)) in pairs.into_iter().zip(b.pairs(y)) {
            let path = format!("{path}/{:?}", a.scalar(k));
            todo.push((k, l, path.clone() + " (key)"));
            todo.push((v, w, path));
        }
    }
    Ok(())
}
