//! Bookmarks: nodes that are followed while their document is edited.

use super::document::Document;
use super::error::{Error, Result};
use super::node::Node;
use crate::apply::{self, LocatedNode};
use crate::node::{Kind, NodeId, Tree};
use crate::pointer::JsonPointer;

/// A node of a document that is found again after edits.
///
/// It is found while its content is edited, and an item of a list also when others are added,
/// removed or moved; once it is removed or replaced, it is not. In a text that was read anew,
/// by [`Document::put`], it is what stands at its old place.
///
/// ```
/// use interpolate::{Document, JsonPointer};
///
/// let mut document = Document::parse("jobs: [{name: web}, {name: db}]\n")?;
/// let db = document.find("/jobs/name=db")?.bookmark();
/// document.remove("/jobs/0")?;
/// assert_eq!(db.find(&document)?.path(), "/jobs/0");
/// document.remove("/jobs/0")?;
/// assert!(db.find(&document).is_err());
/// # Ok::<(), interpolate::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bookmark {
    /// The lineage of the root.
    root: NodeId,
    /// The steps from there.
    steps: Vec<MarkedStep>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct MarkedStep {
    /// The token of a JSON Pointer.
    token: String,
    /// The lineage of the node to which it led.
    node: NodeId,
    /// The alias that stood there, if it was one.
    alias: Option<NodeId>,
}

impl MarkedStep {
    fn new(token: String, tree: &Tree, node: NodeId) -> MarkedStep {
        let alias = (tree.follow(node) != node).then_some(node);
        MarkedStep { token, node: tree.lineage(node), alias }
    }

    /// Returns true if an item of a list is the one that was marked.
    fn is(&self, tree: &Tree, item: NodeId) -> bool {
        let is_alias = tree.follow(item) != item;
        match self.alias {
            Some(alias) if is_alias => item == alias,
            // An edit has written it out. The node with the anchor is another item.
            Some(_) => {
                matches!(item, NodeId::Opened(_)) && tree.lineage(item) == self.node
            }
            None => !is_alias && tree.lineage(item) == self.node,
        }
    }
}

impl Node<'_> {
    /// Returns a bookmark of a node of the first document.
    pub fn bookmark(&self) -> Bookmark {
        let (tree, at) = self.located();
        let mut node = tree.root();
        let root = tree.lineage(node);
        let tokens = self.pointer().tokens;
        let mut steps = Vec::new();
        for (step, token) in at.path.iter().zip(tokens) {
            // An entry of a merge key and a target of an alias are on the way, too.
            let Some(next) = tree.at_path(node, &[*step]) else { break };
            node = next;
            steps.push(MarkedStep::new(token, tree, node));
        }
        Bookmark { root, steps }
    }
}

impl Bookmark {
    /// Returns the bookmark of a node right below the one that was marked.
    ///
    /// ```
    /// let document = interpolate::Document::parse("jobs: [{name: web}, {name: db}]\n")?;
    /// let jobs = document.find("/jobs")?;
    /// let mark = jobs.bookmark();
    /// assert!(jobs.items().all(|job| mark.child(&job) == job.bookmark()));
    /// # Ok::<(), interpolate::Error>(())
    /// ```
    #[must_use]
    pub fn child(&self, node: &Node<'_>) -> Bookmark {
        let (tree, at) = node.located();
        let token = node.pointer().tokens.pop();
        let step = token.map(|token| MarkedStep::new(token, tree, at.node));
        let steps = self.steps.iter().cloned().chain(step);
        Bookmark { root: self.root, steps: steps.collect() }
    }

    /// Returns the node in the document that it was marked in.
    ///
    /// # Errors
    /// It has gone: the place where the way to it ends.
    pub fn find<'d>(&self, document: &'d Document) -> Result<Node<'d>> {
        let tree = document.tree();
        let mut at = LocatedNode::root(tree.root());
        let mut is_known = tree.lineage(at.node) == self.root;
        for step in &self.steps {
            let follows = is_known && tree.kind(at.node) == Kind::Sequence;
            let token = if follows { followed(tree, &at, step) } else { None };
            if follows && token.is_none() {
                return Err(gone(tree, at));
            }
            let pointer = JsonPointer::of([token.as_ref().unwrap_or(&step.token)]);
            let Some(next) = apply::resolve(tree, at.clone(), &pointer) else {
                let [token] = &pointer.tokens[..] else { return Err(gone(tree, at)) };
                // It fails, and tells what is there.
                return document.at(&Node::new(tree, at).pointer().child(token));
            };
            let is_same = tree.lineage(next.node) == step.node;
            if is_known && !is_same {
                return Err(replaced(tree, next));
            }
            is_known = is_same;
            at = next;
        }
        Ok(Node::new(tree, at))
    }
}

/// Returns the index of a marked item of a list: of several, that which is next to the place
/// where it was.
fn followed(tree: &Tree, list: &LocatedNode, step: &MarkedStep) -> Option<String> {
    let was: usize = step.token.parse().ok()?;
    let items = tree.items(list.node);
    let is_it = |&at: &usize| step.is(tree, items[at]);
    if was < items.len() && is_it(&was) {
        return Some(step.token.clone());
    }
    let found = (0..items.len()).filter(is_it).min_by_key(|at| at.abs_diff(was));
    found.map(|at| at.to_string())
}

fn replaced(tree: &Tree, by: LocatedNode) -> Error {
    let place = Node::new(tree, by).pointer();
    Error::message(format!("the value at '{place}' has been replaced"))
}

fn gone(tree: &Tree, list: LocatedNode) -> Error {
    let list = Node::new(tree, list).pointer();
    Error::message(format!("the item is no longer in the list at '{list}'"))
}
