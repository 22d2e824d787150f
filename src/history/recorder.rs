//! Recording: a patch, variables and templates are applied, and their effects kept.

use std::collections::{HashMap, HashSet};

use super::applied_op::AppliedOp;
use super::change::{Cause, Change, ChangeSource, PastPlace};
use super::changes::Changes;
use super::links::Links;
use super::record::History;
use crate::apply::{self, Applied, Located, Reach};
use crate::arena::Index;
use crate::diagnostic::Diagnostics;
use crate::node::{Effect, Kind, NodeId, OpId, Step, Tree};
use crate::patch::{Content, Edit, Link, Op, Patch};
use crate::select::MAX_STEPS;
use crate::source::FileId;
use crate::target::Target;

/// Keeps what happens to a document, for its [`History`].
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    has_started: bool,
    changes: Vec<Change>,
    links: Vec<Link>,
    /// The numbers of the ops that import, by the keys of their directives.
    imports: HashMap<(FileId, Index), OpId>,
    ops: HashMap<OpId, AppliedOp>,
}

impl Recorder {
    /// Begins to note the changes of a document, unless it has.
    pub fn start(&mut self, document: &mut Tree) {
        if !std::mem::replace(&mut self.has_started, true) {
            document.start_journal();
        }
    }

    /// Applies a patch to the documents that it reaches. Merges of directives come first.
    ///
    /// # Errors
    /// As [`apply::apply_to`].
    pub fn apply(
        &mut self,
        patch: &Patch,
        document: &mut Tree,
        reach: &Reach,
    ) -> Result<Applied, Diagnostics> {
        self.start(document);
        let first = document.op_count();
        for (by, op) in (first..).zip(&patch.ops) {
            let from = op.source().map(Target::spell);
            let (kind, path) = (op.kind(), op.at.spell());
            self.ops.insert(by, AppliedOp { kind, path, from });
            let Edit::Merge(merge) = &op.edit else { continue };
            for import in &merge.imports {
                if let NodeId::Clean(file, i) = import.key {
                    self.imports.insert((file, i), by);
                }
            }
        }
        self.links.extend(&patch.links);
        apply::observe_to(patch, document, reach, &mut |tree, number, effects| {
            let by = first + number as OpId;
            self.record_op(tree, &patch.ops[number], by, effects);
        })
    }

    /// Keeps what [`variables::fill`](crate::variables::fill) has done since.
    pub fn record_variables(&mut self, document: &mut Tree) {
        self.record(Cause::Variables, document.take_effects());
    }

    /// Keeps what the evaluation of templates and expressions has done since.
    pub fn record_templates(&mut self, document: &mut Tree) {
        let effects = document.take_effects();
        for effect in &effects {
            hide_made(document, effect);
        }
        self.record(Cause::Templates, effects);
    }

    /// Returns the history of the document, which is complete.
    pub fn finish(self, mut document: Tree) -> History {
        let copied = document.end_journal();
        let changes = Changes::new(&document, self.changes, copied);
        let directives = Links::new(self.links, self.imports);
        History::new(document, changes, directives, self.ops)
    }

    fn record(&mut self, cause: Cause, effects: Vec<Effect>) {
        let change = |effect| Change { cause, effect, source: None };
        self.changes.extend(effects.into_iter().map(change));
    }

    fn record_op(&mut self, tree: &Tree, op: &Op, by: OpId, effects: Vec<Effect>) {
        let first = self.changes.len();
        self.record(Cause::Op(by), effects);
        match &op.edit {
            Edit::Add(content) | Edit::Combine(content, _) => match content {
                Content::Moved(_) => self.note_moved(tree, first),
                Content::Copied(from) => self.note_copied(tree, first, from),
                Content::Written(_) => {}
            },
            Edit::Test(_)
            | Edit::Replace(_)
            | Edit::Remove
            | Edit::Keep
            | Edit::Merge(_)
            | Edit::RemoveWhiteouts => {}
        }
    }

    /// Notes the place from which the last op has moved a value.
    fn note_moved(&mut self, tree: &Tree, first: usize) {
        let is_removal = |change: &Change| change.effect.after.is_none();
        let Some(at) = self.changes[first..].iter().position(is_removal) else { return };
        let Effect { root, ref path, before, .. } = self.changes[first + at].effect;
        let place = PastPlace { root, path: path.clone(), moment: first + at };
        for change in &mut self.changes[first + at + 1..] {
            change.source = source(tree, &change.effect, before, &place, true);
        }
    }

    /// Notes the place from which the last op has copied a value.
    fn note_copied(&mut self, tree: &Tree, first: usize, from: &Target) {
        let moment = self.changes.len();
        for change in &mut self.changes[first..] {
            let root = change.effect.root;
            let Some(found) = located(tree, root, from) else { continue };
            let place = PastPlace { root, path: found.path, moment };
            change.source = source(tree, &change.effect, Some(found.node), &place, false);
        }
    }
}

/// Hides what a template became that was made of the value of a variable.
fn hide_made(document: &mut Tree, effect: &Effect) {
    let (Some(before), Some(after)) = (effect.before, effect.after) else { return };
    let is_secret = |node: &NodeId| document.is_secret(*node);
    if scalars(document, before).iter().any(is_secret) {
        scalars(document, after).into_iter().for_each(|node| document.hide(node));
    }
}

/// Returns the scalars in a value, its keys included.
fn scalars(tree: &Tree, node: NodeId) -> Vec<NodeId> {
    let (mut todo, mut met, mut scalars) = (vec![node], HashSet::new(), Vec::new());
    while let Some(node) = todo.pop().map(|node| tree.follow(node)) {
        if !met.insert(node) {
            continue;
        }
        if tree.kind(node) == Kind::Scalar {
            scalars.push(node);
        }
        let slots = tree.slots(node);
        let parts =
            slots.iter().flat_map(|slot| slot.key.into_iter().chain([slot.value]));
        todo.extend(parts);
    }
    scalars
}

/// Returns the source of a change if it put a node somewhere, on its own or in what it made.
fn source(
    tree: &Tree,
    effect: &Effect,
    node: Option<NodeId>,
    place: &PastPlace,
    is_moved: bool,
) -> Option<ChangeSource> {
    let put = effect.inside.last().unwrap_or(&effect.path);
    let below = put.get(effect.path.len()..)?.to_vec();
    let is_it = node_at(tree, effect.after?, &below) == node;
    is_it.then(|| ChangeSource { below, place: place.clone(), is_moved })
}

fn node_at(tree: &Tree, from: NodeId, path: &[Step]) -> Option<NodeId> {
    path.iter().try_fold(from, |node, step| match *step {
        Step::Index(index) => tree.items(node).get(index as usize).copied(),
        Step::Key(key) => {
            let same = |pair: &(NodeId, NodeId)| tree.is_same_key(pair.0, key);
            tree.pairs(node).into_iter().find(same).map(|(_, value)| value)
        }
    })
}

/// Returns the one place that a target leads to.
fn located(tree: &Tree, root: usize, target: &Target) -> Option<Located> {
    let start = Located::root(tree.roots()[root]);
    match target {
        Target::Pointer(pointer) => apply::resolve(tree, start, pointer),
        Target::Json(pointer) => pointer.tokens.iter().try_fold(start, |at, token| {
            if tree.kind(at.node) == Kind::Sequence {
                let index: u32 = token.parse().ok()?;
                let item = *tree.items(at.node).get(index as usize)?;
                return Some(at.child(Step::Index(index), item, None));
            }
            let (key, value) = tree.member(at.node, token)?;
            Some(at.child(Step::Key(key), value, None))
        }),
        Target::Query(query) => {
            let found = apply::find_all(tree, query, root, MAX_STEPS).ok()?;
            let (node, path) = found.into_iter().next()?;
            Some(Located { node, path, by: None })
        }
    }
}
