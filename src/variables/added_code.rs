//! Code that an edited copy has and its document has not: templates, expressions and
//! `((names))` that somebody wrote there, or data that would be read as such.

use hashbrown::HashMap;

use super::edited_copy::{EditedCopy, has_names_of};
use super::syntax::is_use;
use crate::compare::{PairedNodes, Values, pair_nodes, pair_nodes_by_place};
use crate::node::{NodeId, Tree};
use crate::source::Span;

/// The code of an edited copy that its document does not have at the same place.
pub struct AddedCode<'a> {
    filled: &'a Tree,
    edited: &'a Tree,
    /// The code, each with what the filled-in document has in its place.
    places: HashMap<NodeId, Option<NodeId>>,
}

impl<'a> AddedCode<'a> {
    /// Finds the code of `edited`, a copy of `written` as it was `filled` in.
    pub fn find(
        written: &Tree,
        filled: &'a Tree,
        edited: &'a Tree,
        is_template: &dyn Fn(&Tree, NodeId) -> bool,
    ) -> AddedCode<'a> {
        let arena = edited.base();
        let nodes = arena.indices().map(|i| NodeId::Clean(arena.file(), i));
        let code =
            nodes.filter(|&node| is_use(edited, node) || is_template(edited, node));
        let mut places: HashMap<NodeId, Option<NodeId>> =
            code.map(|node| (node, None)).collect();
        // Most copies have no code, and pairing all nodes takes time.
        if places.is_empty() {
            return AddedCode { filled, edited, places };
        }
        let copy = EditedCopy::new(written, filled, edited, is_template);
        let mut values = Values::new([written, edited]);
        let PairedNodes { same, changed } = pair_nodes(filled, edited, |_| true);
        for (old, new) in same.into_iter().chain(changed) {
            let new = edited.follow(new);
            if !places.contains_key(&new) {
                continue;
            }
            let was = copy.written(old).unwrap_or(old);
            let is_known = values.equal(was, new)
                || !is_template(edited, new)
                    && has_known_names(written, was, edited, new);
            if is_known {
                places.remove(&new);
            } else {
                places.insert(new, Some(old));
            }
        }
        AddedCode { filled, edited, places }
    }

    /// Returns true if there is none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Returns the code whose value is neither what it says nor what stood there before, in
    /// order. `evaluated` is the copy with the values of its code.
    pub fn refused(&self, evaluated: &Tree) -> Vec<NodeId> {
        let is_code = |node| self.places.contains_key(&node);
        let PairedNodes { changed, .. } =
            pair_nodes_by_place(evaluated, self.edited, is_code);
        let mut values = Values::new([self.filled, evaluated]);
        let mut refused: Vec<NodeId> = Vec::new();
        for (now, code) in changed {
            let was = self.places.get(&code).copied().flatten();
            if !was.is_some_and(|was| values.equal(was, now)) {
                refused.push(code);
            }
        }
        self.in_order(refused)
    }

    /// Returns the code at the places where an evaluation failed, in order.
    pub fn failed(&self, places: &[Span]) -> Vec<NodeId> {
        let fails = |span: Span| {
            places.iter().any(|at| {
                at.file == span.file && at.start < span.end && span.start < at.end
            })
        };
        let code = self.places.keys().copied();
        let failed = code.filter(|&node| self.edited.span(node).is_some_and(fails));
        self.in_order(failed.collect())
    }

    fn in_order(&self, mut nodes: Vec<NodeId>) -> Vec<NodeId> {
        nodes.sort_by_key(|&node| self.edited.span(node).map(|span| span.start));
        nodes.dedup();
        nodes
    }
}

/// Returns true if an edited text has no `((names))` but those of the written one.
fn has_known_names(written: &Tree, was: NodeId, edited: &Tree, new: NodeId) -> bool {
    let texts = written.string(was).zip(edited.string(new));
    texts.is_some_and(|(was, new)| has_names_of(&was, &new))
}
