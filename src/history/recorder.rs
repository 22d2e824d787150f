//! Recording: a patch, variables and templates are applied, and their effects kept.

use hashbrown::{HashMap, HashSet};

use super::changes::{Cause, ChangeLog, ChangeSource, LoggedChange, PastPlace};
use super::derivation::Links;
use super::place_search::AppliedOp;
use super::record::DocumentHistory;
use crate::apply::{self, Applied, LocatedNode, Reach};
use crate::arena::Index;
use crate::diagnostic::Diagnostics;
use crate::node::{Effect, Kind, NodeId, OpId, Step, Tree};
use crate::patch::{Content, Edit, Link, Patch};
use crate::pointer::{Pointer, Token};
use crate::select::QueryBudget;
use crate::source::FileId;
use crate::target::Target;

/// Keeps what happens to a document, for its [`DocumentHistory`].
#[derive(Clone, Debug, Default)]
pub struct Recorder {
    has_started: bool,
    changes: Vec<LoggedChange>,
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
            let kind = op.kind();
            self.ops.insert(by, AppliedOp { kind, path: op.at.spell(), from });
            let Edit::Merge(merge) = &op.edit else { continue };
            for import in &merge.imports {
                if let NodeId::Clean(file, i) = import.key {
                    self.imports.insert((file, i), by);
                }
            }
        }
        self.links.extend(&patch.links);
        let mut queries = patch.query_budget();
        apply::observe_to(patch, document, reach, &mut |tree, number, effects| {
            let edit = &patch.ops[number].edit;
            self.record_op(tree, edit, first + number as OpId, effects, &mut queries);
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
            let Some((before, after)) = effect.before.zip(effect.after) else { continue };
            // The result of a template that was made of the value of a variable is hidden.
            if scalars(document, before).iter().any(|node| document.is_secret(*node)) {
                scalars(document, after).into_iter().for_each(|node| document.hide(node));
            }
        }
        self.record(Cause::Templates, effects);
    }

    /// Returns the history of the document, which is complete.
    pub fn finish(self, mut document: Tree) -> DocumentHistory {
        let copied = document.end_journal();
        let changes = ChangeLog::new(&document, self.changes, copied);
        let links = Links::new(self.links, self.imports);
        DocumentHistory { tree: document, changes, links, ops: self.ops }
    }

    fn record(&mut self, cause: Cause, effects: Vec<Effect>) {
        let change = |effect| LoggedChange { cause, effect, source: None };
        self.changes.extend(effects.into_iter().map(change));
    }

    fn record_op(
        &mut self,
        tree: &Tree,
        edit: &Edit,
        by: OpId,
        effects: Vec<Effect>,
        queries: &mut QueryBudget,
    ) {
        let first = self.changes.len();
        self.record(Cause::Op(by), effects);
        let (Edit::Add(content) | Edit::Combine(content, _)) = edit else { return };
        match content {
            Content::Moved(_) => self.note_moved(tree, first),
            Content::Copied(from) => self.note_copied(tree, first, from, queries),
            Content::Written(_) => {}
        }
    }

    /// Notes the place from which the last op has moved a value.
    fn note_moved(&mut self, tree: &Tree, first: usize) {
        let mut changes = self.changes[first..].iter();
        let Some(at) = changes.position(|it| it.effect.after.is_none()) else { return };
        let Effect { root, ref path, before, .. } = self.changes[first + at].effect;
        let place = PastPlace { root, path: path.clone(), moment: first + at };
        for change in &mut self.changes[first + at + 1..] {
            change.source = source(tree, &change.effect, before, &place, true);
        }
    }

    /// Notes the place from which the last op has copied a value.
    fn note_copied(
        &mut self,
        tree: &Tree,
        first: usize,
        from: &Target,
        queries: &mut QueryBudget,
    ) {
        let moment = self.changes.len();
        // An op with many targets has one source in each document.
        let mut known: HashMap<usize, Vec<LocatedNode>> = HashMap::new();
        for change in &mut self.changes[first..] {
            let root = change.effect.root;
            let found =
                known.entry(root).or_insert_with(|| sources(tree, root, from, queries));
            change.source = found.iter().find_map(|found| {
                let place = PastPlace { root, path: found.path.clone(), moment };
                let put = change.effect.inside.last().unwrap_or(&change.effect.path);
                let made = source(tree, &change.effect, Some(found.node), &place, false);
                made.filter(|_| *put != found.path)
            });
        }
    }
}

/// Returns the scalars in a value, its keys included.
fn scalars(tree: &Tree, node: NodeId) -> Vec<NodeId> {
    let mut todo = vec![node];
    let mut met = HashSet::new();
    let mut scalars = Vec::new();
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
    let is_it = tree.at_path(effect.after?, &below) == node;
    is_it.then(|| ChangeSource { below, place: place.clone(), is_moved })
}

/// Maximum number of places that are tried as the source of a copy.
// Items with the same name may be in a list of any length; the search must end soon for each
// op. Beyond it, the history of a copy begins with the copy.
const MAX_SOURCES: usize = 1000;

/// Returns the places that a target may have led to before its op has copied what was there.
/// The copy may stand before it in its list, or match as well.
fn sources(
    tree: &Tree,
    root: usize,
    target: &Target,
    queries: &mut QueryBudget,
) -> Vec<LocatedNode> {
    let start = vec![LocatedNode::root(tree.roots()[root])];
    match target {
        Target::Pointer(pointer) => pointer.tokens.iter().fold(start, |found, token| {
            let next = found.iter().flat_map(|at| candidates(tree, at, token));
            next.take(MAX_SOURCES).collect()
        }),
        Target::Json(pointer) => pointer.tokens.iter().fold(start, |found, name| {
            let token = |at: &LocatedNode| match name.parse() {
                Ok(index) if tree.kind(at.node) == Kind::Sequence => {
                    Token::Index(index, Vec::new())
                }
                _ => Token::Key(name.clone()),
            };
            let next = found.iter().flat_map(|at| candidates(tree, at, &token(at)));
            next.take(MAX_SOURCES).collect()
        }),
        Target::Query(query) => {
            let found = apply::find_all(tree, query, root, queries).unwrap_or_default();
            let place = |(node, path)| LocatedNode { node, path, by: None };
            found.into_iter().map(place).collect()
        }
    }
}

/// Returns the children that a token may have led to.
fn candidates(tree: &Tree, at: &LocatedNode, token: &Token) -> Vec<LocatedNode> {
    let pointer = Pointer { tokens: vec![token.clone()], required: 1 };
    let exact = apply::resolve(tree, at.clone(), &pointer);
    let items = match (tree.kind(at.node), token) {
        (Kind::Sequence, Token::Index(..) | Token::Match { .. }) => tree.slots(at.node),
        _ => return exact.into_iter().collect(),
    };
    let shifted = exact.as_ref().and_then(|it| match it.path.last() {
        Some(&Step::Index(index)) => Some(index + 1),
        _ => None,
    });
    let may_match = |index: u32, item: NodeId| match token {
        Token::Match { key, value, .. } => {
            tree.get(item, key).is_some_and(|part| tree.is_text(part, value))
        }
        _ => shifted == Some(index),
    };
    let more =
        (0..).zip(items.iter()).filter(|(index, slot)| may_match(*index, slot.value));
    let more =
        more.map(|(index, slot)| at.child(Step::Index(index), slot.value, slot.by));
    exact.into_iter().chain(more).collect()
}
