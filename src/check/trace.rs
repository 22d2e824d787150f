//! The effects of the ops of a patch on one document, and names of places that stay the same while
//! items of lists come and go.

use hashbrown::HashSet;

use crate::apply::{self, ChangeRemark, Reach};
use crate::arena::{Arena, Index};
use crate::compare::{ItemName, NAME_KEYS, Values};
use crate::diagnostic::Diagnostics;
use crate::node::{Effect, Kind, NodeId, OpId, Step, Tree};
use crate::patch::{Edit, Op, Patch};
use crate::pointer::{JsonPointer, Token};
use crate::scalar::Dialect;
use crate::target::Target;

/// A document that ops are checked on, with its directives applied.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The document.
    pub tree: Tree,
    /// The documents of the stream that the patch is for.
    pub reach: Reach,
}

/// The effects of each op of a patch on a subject.
#[derive(Debug)]
pub struct Trace {
    /// By number of the op.
    pub(super) ops: Vec<OpTrace>,
    /// Changes that were likely not meant.
    pub(super) remarks: Vec<ChangeRemark>,
    /// The subject after the last op.
    pub(super) result: Tree,
    /// The ops of which something is left in the result.
    pub(super) left: HashSet<usize>,
}

/// The effects of one op.
#[derive(Debug, Default)]
pub(super) struct OpTrace {
    /// The places that it changes, also to an equal value.
    pub writes: Vec<TouchedPlace>,
    /// True if it changes the data.
    pub changes: bool,
    /// True if something was put somewhere.
    pub puts: bool,
    /// The written nodes with aliases that it edits.
    pub shared: HashSet<Index>,
}

/// A place that an op looks at.
#[derive(Debug)]
pub(super) struct Read {
    pub place: TouchedPlace,
    /// True if it looks at all that is inside, too.
    pub whole: bool,
}

impl Trace {
    /// Applies a patch to a subject, and notes what each op does.
    ///
    /// # Errors
    /// Each op that fails.
    pub fn new(patch: &Patch, subject: &Subject) -> Result<Trace, Diagnostics> {
        let mut tree = subject.tree.clone();
        let first = tree.op_count();
        let mut ops: Vec<OpTrace> =
            patch.ops.iter().map(|_| OpTrace::default()).collect();
        let anchors = AliasedNodes::new(subject.tree.base());
        let applied = apply::observe(
            patch,
            &mut tree,
            &subject.reach,
            &mut |tree, number, effects| {
                for effect in &effects {
                    ops[number].add(tree, &patch.ops[number], effect, &anchors);
                }
            },
        )?;
        let left = left(&tree, first);
        Ok(Trace { ops, remarks: applied.remarks, result: tree, left })
    }
}

impl OpTrace {
    fn add(&mut self, tree: &Tree, op: &Op, effect: &Effect, anchors: &AliasedNodes<'_>) {
        let node = effect.after.or(effect.before);
        self.writes.push(place(tree, effect.root, &effect.path, node));
        self.puts |= effect.after.is_some();
        self.changes |= match (effect.before, effect.after) {
            (Some(before), Some(after)) => !is_kept(tree, before, after),
            _ => true,
        };
        if op.aliases.is_none() {
            self.shared.extend(anchors.on_way(tree, effect));
        }
    }
}

/// The nodes of a text that have aliases.
struct AliasedNodes<'a> {
    arena: &'a Arena,
    named: HashSet<Index>,
}

impl AliasedNodes<'_> {
    fn new(arena: &Arena) -> AliasedNodes<'_> {
        AliasedNodes {
            arena,
            named: arena.aliases().iter().map(|&(_, node)| node).collect(),
        }
    }

    /// Returns the nodes with aliases around a changed place, and the place itself.
    fn on_way(&self, tree: &Tree, effect: &Effect) -> Vec<Index> {
        if self.named.is_empty() {
            return Vec::new();
        }
        let around = tree.around(effect).into_iter().map(NodeId::Opened);
        let written = around.chain(effect.before).filter_map(|node| tree.origin_of(node));
        let here = written.filter(|(file, _)| *file == self.arena.file());
        here.map(|(_, i)| i).filter(|i| self.named.contains(i)).collect()
    }
}

/// Returns the numbers of the ops that put something that is still there. `first` is the
/// number of the first op in the history of the tree.
fn left(tree: &Tree, first: OpId) -> HashSet<usize> {
    let mut left = HashSet::new();
    let mut seen = HashSet::new();
    let mut todo: Vec<NodeId> = tree.roots().to_vec();
    while let Some(node) = todo.pop() {
        let NodeId::Opened(id) = node else { continue };
        if tree.kind(node) == Kind::Scalar || !seen.insert(id) {
            continue;
        }
        for slot in tree.children(id).iter() {
            left.extend(
                slot.by.and_then(|by| by.checked_sub(first)).map(|by| by as usize),
            );
            todo.push(slot.value);
        }
    }
    left
}

/// Returns the places that an op looks at.
pub(super) fn reads(op: &Op) -> Vec<Read> {
    let mut reads =
        vec![read(&op.at, matches!(op.edit, Edit::Test(_) | Edit::Combine(..)))];
    reads.extend(op.source().map(|from| read(from, true)));
    reads
}

fn read(at: &Target, whole: bool) -> Read {
    let Target::Pointer(pointer) = at else {
        // A query may look at everything, and so may the indices of a JSON Pointer.
        return Read { place: TouchedPlace::new(), whole: true };
    };
    let mut place = TouchedPlace::new();
    for token in &pointer.tokens {
        match (named_by(token), token) {
            (Some(name), _) => place.push(name),
            (None, Token::End) => return Read { place, whole: false },
            (None, _) => return Read { place, whole: true },
        }
    }
    Read { place, whole }
}

/// A place: a step for each collection around it. An item is named by its name, or by its
/// text if it is a scalar, else by its number.
pub(super) type TouchedPlace = Vec<String>;

/// Returns the place that a way leads to. `last` is the node there, if the tree does not
/// have it any more.
fn place(tree: &Tree, root: usize, path: &[Step], last: Option<NodeId>) -> TouchedPlace {
    let mut node = tree.roots()[root];
    let mut place = TouchedPlace::with_capacity(path.len());
    for (at, step) in path.iter().enumerate() {
        let is_last = at + 1 == path.len();
        let child = match last.filter(|_| is_last) {
            Some(last) => Some(last),
            None => child(tree, node, *step),
        };
        place.push(name(tree, *step, child));
        let Some(child) = child else { break };
        node = child;
    }
    place
}

/// Returns the child of a collection at a step.
fn child(tree: &Tree, node: NodeId, step: Step) -> Option<NodeId> {
    match (step, node) {
        // A list that an op has changed is opened, and may be long.
        (Step::Index(at), NodeId::Opened(id)) => {
            let slots = tree.children(id);
            Some(slots.get(slots.at(at as usize)?).value)
        }
        (Step::Index(at), _) => tree.items(node).get(at as usize).copied(),
        (Step::Key(key), _) => own(tree, node, key).or_else(|| {
            let mut pairs = tree.pairs(node).into_iter();
            pairs.find(|pair| tree.is_same_key(pair.0, key)).map(|(_, value)| value)
        }),
    }
}

/// Returns the value of the entry that has this very key, and not an equal one: to read all
/// keys for each op would take long in a large mapping.
fn own(tree: &Tree, node: NodeId, key: NodeId) -> Option<NodeId> {
    let NodeId::Opened(id) = node else { return None };
    let slot = tree.children(id).iter().find(|slot| slot.key == Some(key))?;
    Some(slot.value)
}

fn name(tree: &Tree, step: Step, node: Option<NodeId>) -> String {
    let at = match step {
        Step::Key(key) => return tree.text_of(key).into_owned(),
        Step::Index(at) => at,
    };
    let Some(node) = node else { return at.to_string() };
    match tree.kind(node) {
        Kind::Scalar => format!("={}", tree.text_of(node)),
        Kind::Sequence => at.to_string(),
        Kind::Mapping => named(tree, node).unwrap_or_else(|| at.to_string()),
    }
}

/// Returns the name of an item: `name=web`.
fn named(tree: &Tree, item: NodeId) -> Option<String> {
    let name = ItemName::of(tree, item)?;
    Some(format!("{}={}", name.key, tree.text_of(name.node)))
}

/// Returns the name of the place that a token leads to; `None` if it depends on what is
/// there.
fn named_by(token: &Token) -> Option<String> {
    match token {
        Token::Key(key) => Some(key.clone()),
        Token::Match { key, value, modifiers } => {
            let is_name = key == NAME_KEYS[0] && modifiers.is_empty();
            is_name.then(|| format!("{key}={value}"))
        }
        Token::Index(..) | Token::End => None,
    }
}

/// Returns a place as a path that people read.
pub(super) fn shown(place: &[String]) -> String {
    let path = JsonPointer { tokens: place.to_vec() }.to_string();
    if path.is_empty() { "/".into() } else { path }
}

/// Returns true if a value that is put in the place of another one is no edit.
fn is_kept(tree: &Tree, before: NodeId, after: NodeId) -> bool {
    if tree.dialect() == Dialect::Go {
        return tree.equal(before, after);
    }
    Values::within(tree).with_spelling().equal(before, after)
}
