//! The report of a patch: the effects of each op on one document.

use super::split;
use crate::apply::{self, Reach};
use crate::diagnostic::Diagnostics;
use crate::node::{Effect, NodeId, Opened, Step, Tree, snapshot};
use crate::patch::{Edit, NewComments, Op, Origin, Patch};
use crate::target::Target;

/// A patch as it works on one document.
#[derive(Debug)]
pub struct Plan {
    /// The ops, in the order they are applied.
    pub ops: Vec<PlannedOp>,
    /// The document after the last op, to which the values belong.
    pub document: Tree,
}

/// An op with its effects.
#[derive(Clone, Debug)]
pub struct PlannedOp {
    /// The number of the op in the patch.
    pub number: usize,
    /// The place it was written at.
    pub origin: Option<Origin>,
    /// `replace`, `import` …
    pub kind: &'static str,
    /// The place from which it takes its value.
    pub from: Option<String>,
    /// Its target.
    pub path: String,
    /// The changes that it makes.
    pub matches: Vec<PlannedMatch>,
    /// True if it gives comments to an entry.
    pub comments: bool,
}

/// The change of one place.
#[derive(Clone, Debug)]
pub struct PlannedMatch {
    /// The document of the stream, by position.
    pub root: usize,
    /// The place, as a pointer of bosh without matches.
    pub path: String,
    /// The value before; `None` if it was added.
    pub before: Option<NodeId>,
    /// The value after; `None` if it was removed.
    pub after: Option<NodeId>,
    /// The collections that were made on the way.
    pub created: Vec<String>,
}

impl Plan {
    /// Applies a patch to a copy of a document, and notes what each op does. The patch is
    /// for the only document that the reach has by default.
    ///
    /// # Errors
    /// As [`apply::apply_to`].
    pub fn new(
        patch: &Patch,
        document: &Tree,
        reach: &Reach,
    ) -> Result<Plan, Diagnostics> {
        let root = reach.default.first().copied().unwrap_or_default();
        let (imports, rest) = split(patch);
        let mut tree = document.clone();
        let mut values = Vec::new();
        let mut matches: Vec<Vec<PlannedMatch>> = Vec::new();
        if !imports.ops.is_empty() {
            apply::apply(&imports, &mut tree, root..root + 1)?;
            matches.extend(
                imports.ops.iter().map(|op| imported(&tree, op, root, &mut values)),
            );
        }
        let first = matches.len();
        matches.resize(first + rest.ops.len(), Vec::new());
        let mut comments = vec![false; matches.len()];
        let mut given = tree.hints().comments_given();
        apply::observe(&rest, &mut tree, reach, &mut |tree, number, effects| {
            let effects = in_order(&rest.ops[number], effects);
            let planned = effects.into_iter().map(|it| planned(tree, it, &mut values));
            matches[first + number].extend(planned);
            // Comments that come along with a value are no change of their own.
            let sets_comments = rest.ops[number].comments != NewComments::default();
            comments[first + number] |=
                sets_comments && tree.hints().comments_given() > given;
            given = tree.hints().comments_given();
        })?;
        let by = tree.append_opened(&values);
        for one in matches.iter_mut().flatten() {
            one.before = one.before.map(|node| node.shifted(by));
            one.after = one.after.map(|node| node.shifted(by));
        }
        let effects = matches.into_iter().zip(comments);
        let ops = imports.ops.iter().chain(&rest.ops).zip(effects).enumerate();
        let ops = ops.filter(|(_, (op, _))| op.edit != Edit::RemoveWhiteouts);
        let ops = ops.map(|(number, (op, (matches, comments)))| PlannedOp {
            number,
            origin: op.origin,
            kind: op.kind(),
            from: op.source().map(Target::spell),
            path: op.at.spell(),
            matches,
            comments,
        });
        Ok(Plan { ops: ops.collect(), document: tree })
    }
}

/// Returns the place of a mapping after its directives were applied.
fn imported(
    tree: &Tree,
    op: &Op,
    root: usize,
    values: &mut Vec<Opened>,
) -> Vec<PlannedMatch> {
    let Target::Pointer(pointer) = &op.at else { return Vec::new() };
    let start = apply::LocatedNode::root(tree.roots()[root]);
    let found = apply::resolve(tree, start, pointer).filter(|_| op.edit.merges());
    let imported = found.map(|found| PlannedMatch {
        root,
        path: tree.shown_path(&found.path),
        before: None,
        after: Some(snapshot(tree, found.node, values)),
        created: Vec::new(),
    });
    imported.into_iter().collect()
}

/// Returns the effects of an op in the order of the document. A query is applied to its last
/// match first.
fn in_order(op: &Op, mut effects: Vec<Effect>) -> Vec<Effect> {
    if let Target::Query(_) = op.at {
        effects.sort_by_cached_key(|effect| {
            effect.path.iter().map(Step::rank).collect::<Vec<_>>()
        });
    }
    effects
}

fn planned(tree: &Tree, effect: Effect, values: &mut Vec<Opened>) -> PlannedMatch {
    let [before, after] = [effect.before, effect.after]
        .map(|node| node.map(|node| snapshot(tree, node, values)));
    let path = tree.shown_path(&effect.path);
    // Each way leads to what was put into the one before.
    let mut created: Vec<String> =
        effect.inside.iter().map(|path| tree.shown_path(path)).collect();
    let is_chain = created.iter().all(|inner| inner.starts_with(&path));
    let Some(last) = created.pop().filter(|_| is_chain) else {
        let created = Vec::new();
        return PlannedMatch { root: effect.root, path, before, after, created };
    };
    created.insert(0, path);
    let after =
        effect.inside.last().and_then(|way| tree.at_path(tree.roots()[effect.root], way));
    let after = after.map(|node| snapshot(tree, node, values));
    PlannedMatch { root: effect.root, path: last, before, after, created }
}
