//! The directives that brought a written node to its place: a search from the root of the
//! document along the path of the place, through what is written there and what directives
//! refer to. A mapping's own entries come first, then the strongest directive.

use std::ops::Range;

use hashbrown::{HashMap, HashSet};

use super::child_index::CollectionIndex;
use crate::arena::Index;
use crate::node::{NodeId, OpId, Step, Tree};
use crate::patch::Link;
use crate::source::FileId;

/// A node of a text.
pub(super) type Written = (FileId, Index);

/// Maximum number of nodes that the search for one place visits. A path is short, and few
/// directives stand along it; aliases and lists of directives could make it longer.
const MAX_VISITED: usize = 10_000;

/// A node that the search has reached.
#[derive(Clone, Copy)]
struct ReachedNode {
    node: Written,
    /// Number of steps of the path that led there.
    depth: usize,
    /// The directive that led there, and the node that the search came from.
    by: Option<Link>,
    parent: Option<usize>,
}

/// A step on the way to a place, as it was before all changes.
pub(super) struct Waypoint {
    /// The op of directives that put an item there.
    pub op: Option<OpId>,
    /// The node there, if it was written.
    pub node: Option<Written>,
}

/// The place whose content is derived.
pub(super) struct DerivedPlace<'a> {
    /// The root of its document.
    pub root: Written,
    pub path: &'a [Step],
    /// One for each step.
    pub way: &'a [Waypoint],
    /// The node at the place, if it was written.
    pub target: Option<Written>,
}

/// Returns the directives that brought the node at a place there, the outermost first, and
/// the node. None if it was written there.
pub(super) fn derivation(
    tree: &Tree,
    links: &Links,
    index: &mut CollectionIndex,
    place: &DerivedPlace<'_>,
) -> Option<(Vec<Link>, Written)> {
    let DerivedPlace { root: start, path, target, .. } = *place;
    let mut reached: Vec<ReachedNode> = Vec::new();
    let mut todo = vec![ReachedNode { node: start, depth: 0, by: None, parent: None }];
    let mut seen = HashSet::new();
    while let Some(mut at) = todo.pop() {
        let arena = tree.arena(at.node.0);
        at.node.1 = arena.target(at.node.1);
        if !seen.insert((at.node, at.depth)) || seen.len() > MAX_VISITED {
            continue;
        }
        let is_it = target.is_none_or(|target| target == at.node);
        if at.depth == path.len() && is_it {
            return Some((chain(&reached, at), at.node));
        }
        let parent = Some(reached.len());
        reached.push(at);
        // The last of `todo` is visited first: the weakest directives are added first.
        for &link in links.of(at.node) {
            let is_list = arena.style(at.node.1).is_sequence();
            // An item may be replaced by the items of a list.
            let splices = refers_to_list(tree, &link)
                && at.depth > 0
                && matches!(path[at.depth - 1], Step::Index(_))
                && !is_list;
            let next = ReachedNode {
                node: link.referent,
                depth: at.depth,
                by: Some(link),
                parent,
            };
            todo.push(next);
            if splices {
                todo.push(ReachedNode { depth: at.depth - 1, ..next });
            }
        }
        let children = children(tree, links, index, at, place);
        let child = |node| ReachedNode { node, depth: at.depth + 1, by: None, parent };
        todo.extend(children.into_iter().map(child));
    }
    None
}

/// Returns the directives on the way to a node, the outermost first.
fn chain(reached: &[ReachedNode], last: ReachedNode) -> Vec<Link> {
    let parents = std::iter::successors(Some(last), |at| Some(reached[at.parent?]));
    let mut chain: Vec<Link> = parents.filter_map(|at| at.by).collect();
    chain.reverse();
    chain
}

/// Returns the children of a node that may lead on, the likeliest last.
fn children(
    tree: &Tree,
    links: &Links,
    index: &mut CollectionIndex,
    reached: ReachedNode,
    place: &DerivedPlace<'_>,
) -> Vec<Written> {
    let ReachedNode { node: (file, i), depth, .. } = reached;
    let node = NodeId::Clean(file, i);
    let arena = tree.arena(file);
    let at = match place.path.get(depth) {
        None => return Vec::new(),
        Some(&Step::Key(key)) => {
            let value = index.value(tree, node, key);
            return value.and_then(|value| tree.origin_of(value)).into_iter().collect();
        }
        Some(&Step::Index(_)) if !arena.style(i).is_sequence() => return Vec::new(),
        Some(&Step::Index(at)) => at,
    };
    let holds = |item: &Written| {
        place
            .target
            .is_some_and(|target| *item == target || is_inside(tree, target, *item))
    };
    let exact = index.item(tree, node, at).and_then(|item| tree.origin_of(item));
    if !links.any(file, i..arena.next(i)) {
        return exact
            .filter(holds)
            .or_else(|| arena.children(i).map(|it| (file, it)).find(holds))
            .or(exact)
            .into_iter()
            .collect();
    }
    // Directives in lists shift the items behind them.
    let op = place.way.get(depth).and_then(|it| it.op);
    let items: Vec<Written> = arena.children(i).map(|it| (file, it)).collect();
    let importing = items.iter().find(|&&item| {
        op.is_some() && links.of(item).iter().any(|link| links.op(link) == op)
    });
    if let Some(&item) = importing {
        return vec![item];
    }
    let written = place.way.get(depth).and_then(|it| it.node);
    if let Some(&item) = items.iter().find(|&&item| written == Some(item)) {
        return vec![item];
    }
    let may_lead = |item: &Written| {
        let next = arena.next(item.1);
        links.any(file, item.1..next) || holds(item) || arena.target(item.1) != item.1
    };
    let is_shifted = items
        .iter()
        .take(at as usize)
        .any(|item| links.of(*item).iter().any(|it| refers_to_list(tree, it)));
    let unshifted = exact.filter(|_| !is_shifted);
    items.iter().copied().rev().filter(may_lead).chain(unshifted).collect()
}

/// Returns true for a directive that refers to a list.
pub(super) fn refers_to_list(tree: &Tree, link: &Link) -> bool {
    let (file, i) = link.referent;
    let arena = tree.arena(file);
    arena.style(arena.target(i)).is_sequence()
}

/// Returns true if a node stands in another one.
fn is_inside(tree: &Tree, inner: Written, outer: Written) -> bool {
    inner.0 == outer.0 && (outer.1..tree.arena(outer.0).next(outer.1)).contains(&inner.1)
}

/// The directives, by the mappings that hold them.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// The weakest first: a later directive overrides an earlier one.
    by_holder: HashMap<(FileId, Index), Vec<Link>>,
    /// The mappings in the order of the texts.
    holders: Vec<(FileId, Index)>,
    /// The numbers of the ops that import, by the keys of their directives.
    imports: HashMap<(FileId, Index), OpId>,
}

impl Links {
    pub(super) fn new(
        mut links: Vec<Link>,
        imports: HashMap<(FileId, Index), OpId>,
    ) -> Links {
        // Of one directive, the first referent is the strongest.
        links.reverse();
        links.sort_by_key(|link| link.key);
        let mut all = Links { imports, ..Links::default() };
        for link in links {
            let of_holder = all.by_holder.entry(link.holder).or_default();
            if of_holder.is_empty() {
                all.holders.push(link.holder);
            }
            of_holder.push(link);
        }
        all.holders.sort_unstable();
        all
    }

    pub(super) fn is_empty(&self) -> bool {
        self.holders.is_empty()
    }

    /// Returns the number of the op that imports for a directive of the document.
    pub(super) fn op(&self, link: &Link) -> Option<OpId> {
        self.imports.get(&link.key).copied()
    }

    /// Returns the directives that a mapping holds, the weakest first.
    pub(super) fn of(&self, holder: Written) -> &[Link] {
        self.by_holder.get(&holder).map_or(&[], |links| links)
    }

    /// Returns true if a directive stands in a range of nodes of a text.
    pub(super) fn any(&self, file: FileId, nodes: Range<Index>) -> bool {
        let at = self.holders.partition_point(|&holder| holder < (file, nodes.start));
        self.holders.get(at).is_some_and(|&holder| holder < (file, nodes.end))
    }
}
