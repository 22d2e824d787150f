//! Three versions of a document → its merged data: a walk over them, which edits the tree of
//! ours.

use super::collection_merge::{merge_lists, merge_mappings};
use super::entries::{Remedy, Task};
use super::merged::merge_cleanly;
use super::versions::{Versions, Visit, is_equal};
use crate::compare::is_same_text;
use crate::layout::Layout;
use crate::node::{Kind, NodeId, Seat, Tree};

/// Merges the data of three versions of a document.
pub(super) fn merge_trees(
    base: Option<&Tree>,
    ours: &Tree,
    theirs: &Tree,
) -> MergedTrees {
    // The tree of ours, and the nodes of the others.
    let mut tree = ours.clone();
    for arena in base.into_iter().chain([theirs]).flat_map(Tree::arenas) {
        tree.hints_mut().note_version_text(arena.file());
        tree.add_arena(arena);
    }
    let root = Visit {
        seat: Seat::Root(0),
        base: base.map(Tree::root),
        ours: tree.root(),
        theirs: theirs.root(),
        path: None,
    };
    let trees = Walk::new(&tree, false).run(root);
    if tree.base().aliases().is_empty() {
        return trees;
    }
    // Aliases that both sides have need no edits of their own.
    let followed = Walk::new(&tree, true).run(root);
    let same = match (&trees.theirs, &followed.theirs) {
        (Some(a), Some(b)) => is_equal(a, b),
        (a, b) => a.is_none() && b.is_none(),
    };
    if same && is_equal(&trees.ours, &followed.ours) {
        return MergedTrees { conflicts: trees.conflicts, ..followed };
    }
    trees
}

/// A walk from the roots of three versions.
struct Walk<'a> {
    versions: Versions<'a>,
    conflicts: Vec<(Option<u32>, Remedy)>,
    /// Work that is left, the next item last.
    todo: Vec<Task>,
}

impl<'a> Walk<'a> {
    fn new(tree: &'a Tree, follows: bool) -> Walk<'a> {
        let versions = Versions::new(tree, follows);
        Walk { versions, conflicts: Vec::new(), todo: Vec::new() }
    }

    /// Merges everything below the roots.
    fn run(mut self, root: Visit) -> MergedTrees {
        self.visit(root);
        while let Some(task) = self.todo.pop() {
            match task {
                Task::Visit(visit) => self.visit(visit),
                Task::Conflict(path, remedy) => self.conflicts.push((path, remedy)),
            }
        }
        let Versions { tree, ours, paths, .. } = self.versions;
        let (conflicts, remedies): (Vec<_>, Vec<_>) = self.conflicts.into_iter().unzip();
        let theirs = (!remedies.is_empty()).then(|| {
            let mut theirs = ours.clone();
            Remedy::apply_all(&remedies, &mut theirs, None);
            theirs
        });
        let conflicts = conflicts.into_iter().map(|path| paths.spell(tree, path));
        MergedTrees { ours, theirs, conflicts: conflicts.collect(), remedies }
    }

    fn visit(&mut self, visit: Visit) {
        let Visit { base, ours, theirs, .. } = visit;
        let tree = self.versions.tree;
        if is_same_with_around(tree, ours, theirs)
            || base.is_some_and(|base| is_same_with_around(tree, base, theirs))
        {
            return;
        }
        if self.versions.follows && visit.is_one_alias(tree) {
            return;
        }
        // Edits of entries keep what stands around them.
        let are_blocks = [ours, theirs].iter().all(|&it| around(tree, it).is_some());
        if !are_blocks && base.is_some_and(|base| is_same_with_around(tree, base, ours)) {
            return self.versions.set(visit, theirs);
        }
        // To look into an alias, its node has to be written out.
        let is_alias = tree.follow(ours) != ours;
        let looks_into =
            self.versions.count(1) && !(is_alias && self.is_one_sided(visit));
        let tasks = if looks_into && visit.is_all(tree, Kind::Mapping) {
            merge_mappings(&mut self.versions, visit)
        } else if looks_into && visit.is_all(tree, Kind::Sequence) {
            merge_lists(&mut self.versions, visit)
        } else {
            None
        };
        match tasks {
            Some(tasks) => self.todo.extend(tasks.into_iter().rev()),
            None => self.choose(visit),
        }
    }

    /// Returns true if at most one side changed a value.
    fn is_one_sided(&mut self, Visit { base, ours, theirs, .. }: Visit) -> bool {
        self.versions.is_equal(ours, theirs)
            || base.is_some_and(|base| {
                self.versions.is_equal(base, theirs) || self.versions.is_equal(base, ours)
            })
    }

    /// Merges values as a whole.
    fn choose(&mut self, visit: Visit) {
        let Visit { seat, base, ours, theirs, path } = visit;
        let versions = &mut self.versions;
        if versions.is_equal(ours, theirs)
            || base.is_some_and(|base| versions.is_equal(base, theirs))
        {
            return;
        }
        if base.is_some_and(|base| versions.is_equal(base, ours)) {
            versions.set(visit, theirs);
        } else if let Some(text) = merged_text(versions.tree, visit) {
            let merged = versions.ours.new_text_like(&text, ours);
            versions.set(visit, merged);
        } else {
            self.conflicts.push((path, Remedy::Replace(seat, theirs)));
        }
    }
}

/// Returns the merged lines of three texts of several lines.
fn merged_text(tree: &Tree, Visit { base, ours, theirs, .. }: Visit) -> Option<String> {
    let lines = |node| {
        let is_text = tree.kind(node) == Kind::Scalar;
        let text = tree.string(node).filter(|_| is_text)?;
        let several = text.trim_end_matches('\n').contains('\n');
        several.then_some(text)
    };
    let same_tag = tree.own_tag(ours) == tree.own_tag(theirs);
    merge_cleanly(&lines(base?)?, &lines(ours)?, &lines(theirs)?).filter(|_| same_tag)
}

/// Returns true if the texts of two nodes are the same. That of a collection has no comments
/// above its first and below its last entry, which count, too.
fn is_same_with_around(tree: &Tree, a: NodeId, b: NodeId) -> bool {
    is_same_text(tree, a, tree, b) && around(tree, a) == around(tree, b)
}

/// Returns the texts above and below the entries of a block collection that belong to it;
/// `None` for anything else.
fn around(tree: &Tree, node: NodeId) -> Option<[&str; 2]> {
    let NodeId::Clean(file, i) = node else { return None };
    let layout = Layout { arena: tree.arena(file) };
    let is_block = layout.style(i).is_block_collection();
    is_block.then(|| layout.around(i))?
}

/// The merged data of a document.
pub(super) struct MergedTrees {
    /// With ours at all conflicts.
    pub ours: Tree,
    /// With theirs at all conflicts; `None` if there is none.
    pub theirs: Option<Tree>,
    /// The paths of the conflicts.
    pub conflicts: Vec<String>,
    remedies: Vec<Remedy>,
}

impl MergedTrees {
    /// Returns the merged data with a text at each conflict, whatever is there.
    pub(super) fn outline(&self, mark: &str) -> Tree {
        let mut outline = self.ours.clone();
        Remedy::apply_all(&self.remedies, &mut outline, Some(mark));
        outline
    }
}
