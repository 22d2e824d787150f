//! Texts that are equal, so that their values need no look.

use crate::arena::{Arena, Style, flag};
use crate::node::{NodeId, Tree};

/// Returns true if two trees are of equal texts, and nothing was edited.
// What merge keys and aliases stand for may be too much to compare.
pub(crate) fn is_copy(old: &Tree, new: &Tree) -> bool {
    let before = old.base();
    let after = new.base();
    before.dialect() == after.dialect()
        && before.text() == after.text()
        && [old, new].iter().all(|tree| tree.is_clean())
        && old.roots().len() == new.roots().len()
}

/// Returns true if two nodes are equal for certain, since their text is equal.
pub(crate) fn is_same_text(old: &Tree, a: NodeId, new: &Tree, b: NodeId) -> bool {
    let (NodeId::Clean(f, a), NodeId::Clean(g, b)) = (a, b) else { return false };
    let x = old.arena(f);
    let y = new.arena(g);
    let p = &x.nodes()[a as usize];
    let q = &y.nodes()[b as usize];
    // The text of block styles depends on the indentation around it.
    let column = |style| {
        use Style::{BlockMapping, BlockSequence, Folded, Literal};
        matches!(style, BlockMapping | BlockSequence | Folded | Literal)
    };
    let plain = |arena: &Arena, i| !arena.has(i, flag::HAS_ALIAS);
    p.len == q.len
        && p.style == q.style
        && (x.column(a) == y.column(b) || !column(p.style))
        && plain(x, a)
        && plain(y, b)
        && x.raw(a) == y.raw(b)
        && x.tag(a) == y.tag(b)
        && x.dialect() == y.dialect()
        && !x.declares_tags()
        && !y.declares_tags()
}
