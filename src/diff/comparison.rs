//! The comparison of two documents: nodes are paired by key, name and value; the result
//! is ops or the pairs themselves.

use std::borrow::Cow;
use std::ops::Range;

use hashbrown::{HashMap, HashSet};
use similar::DiffOp;

use super::class::{Classes, meaning};
use super::item_identity::{ItemIdentity, common_names, edits};
use super::name::{Name, Names};
use super::same_text::{is_copy, is_same_text};
use crate::diagnostic::Result;
use crate::node::{Kind, NodeId, Tree};
use crate::patch::{Edit, Op, Origin, Patch};
use crate::pointer::{Modifier, Pointer, Token};
use crate::scalar::{Identity, Scalar};
use crate::source::Span;
use crate::yaml;

/// Returns the ops for another document of both streams; none if one lacks it.
///
/// # Errors
/// `new` was edited and cannot be printed so that it reads back.
pub fn diff_at(old: &Tree, new: &Tree, root: usize) -> Result<Patch> {
    let patches = diff_documents(old, new, &[(root, root)])?;
    Ok(patches.into_iter().next().unwrap_or_default())
}

/// Returns the ops that turn each document of `old` into the one of `new` that it is paired
/// with.
pub(super) fn diff_documents(
    old: &Tree,
    new: &Tree,
    pairs: &[(usize, usize)],
) -> Result<Vec<Patch>> {
    // An edited document shares nodes with others, and its aliases may stand for edited
    // nodes: the values of ops are taken from its printed form.
    let new = yaml::clean(new)?;
    let is_copy = is_copy(old, &new);
    let patch = |&(was, now): &(usize, usize)| {
        let is_same = is_copy && was == now;
        let ops = if is_same { Vec::new() } else { compare(old, &new, (was, now)) };
        Patch { ops, arenas: vec![new.shared_base().clone()], ..Patch::default() }
    };
    Ok(pairs.iter().map(patch).collect())
}

/// Returns true if each document of `new` has the value of the one at its place in `old`.
pub(crate) fn has_equal_documents(old: &Tree, new: &Tree) -> bool {
    let (there, given) = (old.roots().len(), new.roots().len());
    let is_same = |root| compare(old, new, (root, root)).is_empty();
    given <= there && (is_copy(old, new) || (0..given).all(is_same))
}

fn compare(old: &Tree, new: &Tree, (was, now): (usize, usize)) -> Vec<Op> {
    let mut comparison = Comparison::new(old, new);
    if let (Some(&old), Some(&new)) = (old.roots().get(was), new.roots().get(now)) {
        comparison.visit(None, old, new, None);
        comparison.run();
    }
    comparison.ops
}

/// Nodes of two documents at the same place.
pub(crate) struct Paired {
    pub same: Vec<(NodeId, NodeId)>,
    pub changed: Vec<(NodeId, NodeId)>,
}

/// Returns the nodes of `new` at the places of those `old` nodes that are `wanted`.
///
/// Items that moved are found by name or value. Other values of a list are searched for
/// in the whole new list, renamed entries by their value, and new entries in the whole
/// document.
pub(crate) fn pair(old: &Tree, new: &Tree, wanted: impl Fn(NodeId) -> bool) -> Paired {
    let mut comparison =
        Comparison { pairs: Some(Vec::new()), ..Comparison::new(old, new) };
    for (&old, &new) in old.roots().iter().zip(new.roots()) {
        comparison.visit(None, old, new, None);
        comparison.run();
        let new = std::mem::take(&mut comparison.added);
        comparison.lists.insert(0, ListPair { old, new });
    }
    let pairs = comparison.pairs.take().unwrap_or_default().into_iter();
    let (mut same, mut changed): (Vec<_>, Vec<_>) =
        pairs.partition(|&(old, new)| comparison.classes.equal(old, new));
    comparison.pair_in_lists(&mut same, &wanted);
    same.retain(|&(old, _)| wanted(old));
    let found: HashSet<NodeId> = same.iter().map(|&(_, new)| new).collect();
    changed.retain(|&(old, new)| wanted(old) && !found.contains(&new));
    Paired { same, changed }
}

/// Returns the `wanted` nodes of `new`, each with the node at its position in `old`.
pub(crate) fn pair_strictly(
    old: &Tree,
    new: &Tree,
    wanted: impl Fn(NodeId) -> bool,
) -> Paired {
    let mut comparison = Comparison::new(old, new);
    let (mut same, mut changed) = (Vec::new(), Vec::new());
    let roots = old.roots().iter().copied().zip(new.roots().iter().copied());
    let (mut todo, mut met) = (roots.collect::<Vec<_>>(), HashSet::new());
    while let Some((old, new)) = todo.pop() {
        if wanted(new) {
            if comparison.classes.equal(old, new) {
                same.push((old, new));
            } else {
                changed.push((old, new));
            }
            continue;
        }
        let (from, to) = (comparison.old.follow(old), comparison.new.follow(new));
        let (before, after) = (comparison.old.slots(from), comparison.new.slots(to));
        if before.len() == after.len() && met.insert((from, to)) {
            let both = before.iter().zip(after.iter());
            todo.extend(both.map(|(before, after)| (before.value, after.value)));
        }
    }
    Paired { same, changed }
}

/// Maximum cost of the ops in a collection, relative to the cost of replacing it.
// Above 1, since an op for each change is easier to review than a new copy of the
// collection; much above, the ops are longer than the document.
const MAX_COST_RATIO: usize = 2;

/// Cost of an op beside its path and its value.
// An op is printed in about four lines: `type`, `path`, `value` and a blank one.
const OP_COST: usize = 4;

struct Comparison<'a> {
    old: &'a Tree,
    new: &'a Tree,
    path: Vec<Token>,
    /// The collections around the current node, the innermost last.
    entered: Vec<EnteredPair>,
    todo: Vec<Pending<'a>>,
    ops: Vec<Op>,
    /// The cost of all ops, including ops that were dropped because they cost too much.
    cost: usize,
    classes: Classes<'a>,
    /// The pairs that were met, if pairs are asked for.
    pairs: Option<Vec<(NodeId, NodeId)>>,
    /// Lists whose items may have moved, the innermost last.
    lists: Vec<ListPair>,
    /// The keys and values of new entries, which may be copies from anywhere.
    added: Vec<(Option<NodeId>, NodeId, bool)>,
    /// Pairs of aliased nodes that were found to be equal.
    known_equal: HashSet<(NodeId, NodeId)>,
    /// Number of pairs that may still be looked into.
    // Nested aliases stand for exponentially many pairs. At 0, values that are not equal
    // are replaced.
    visits_left: usize,
}

struct EnteredPair {
    pair: (NodeId, NodeId),
    aliased: bool,
    /// True if the pair has a token of its own in `path`.
    deeper: bool,
    /// The length of `todo` and `ops` and the cost when it was entered.
    todo: usize,
    ops: usize,
    cost: usize,
    limit: usize,
}

/// Work that is left, the next item last.
enum Pending<'a> {
    /// Two nodes at the same place. The entry with the key `done` is compared already.
    Visit {
        token: Token,
        old: NodeId,
        new: NodeId,
        done: Option<Cow<'a, str>>,
    },
    Add(Token, NodeId),
}

/// An old list and the items of the new one, each with true if its name shows which old
/// item it was; or an old document and its new entries with their keys.
struct ListPair {
    old: NodeId,
    new: Vec<(Option<NodeId>, NodeId, bool)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Role {
    Key,
    Item,
    /// The value of the key of that class.
    Value(u32),
    Any,
}

impl<'a> Comparison<'a> {
    fn new(old: &'a Tree, new: &'a Tree) -> Comparison<'a> {
        let size = old.base().nodes().len() + new.base().nodes().len();
        Comparison {
            old,
            new,
            path: Vec::new(),
            entered: Vec::new(),
            todo: Vec::new(),
            ops: Vec::new(),
            cost: 0,
            // Generous enough for every document without repeated aliases, each node of
            // which is visited a few times; the constants serve documents of a few lines.
            classes: Classes::new([old, new], 64 * size + 100_000),
            pairs: None,
            lists: Vec::new(),
            added: Vec::new(),
            known_equal: HashSet::new(),
            visits_left: 8 * size + 10_000,
        }
    }

    fn run(&mut self) {
        while let Some(frame) = self.entered.last() {
            if self.cost - frame.cost > frame.limit {
                self.leave(true);
            } else if self.todo.len() == frame.todo {
                self.leave(false);
            } else if let Some(task) = self.todo.pop() {
                match task {
                    Pending::Visit { token, old, new, done } => {
                        self.visit(Some(token), old, new, done);
                    }
                    Pending::Add(token, value) => {
                        self.emit(Some(token), self.path.len(), Some(value));
                    }
                }
            }
        }
    }

    /// Compares two nodes at `token` of the current collection.
    fn visit(
        &mut self,
        token: Option<Token>,
        old: NodeId,
        new: NodeId,
        done: Option<Cow<'a, str>>,
    ) {
        if done.is_none() && self.is_skipped(old, new) {
            return;
        }
        self.record_pair(old, new);
        let pair = (self.old.follow(old), self.new.follow(new));
        let aliased = pair != (old, new);
        let kind = self.new.kind(new);
        let alike = self.old.kind(old) == kind;
        let same = match kind {
            Kind::Scalar => alike && meaning(self.old, old) == meaning(self.new, new),
            Kind::Sequence | Kind::Mapping => aliased && self.known_equal.contains(&pair),
        };
        if same {
            return;
        }
        if kind == Kind::Scalar || !alike {
            return self.replace(token, new);
        }
        if self.visits_left == 0 {
            if !self.classes.equal(pair.0, pair.1) {
                self.replace(token, new);
            }
            return;
        }
        self.visits_left -= 1;
        self.enter(token, pair, aliased);
        let representable = match kind {
            _ if self.path.len() >= Pointer::LONGEST => {
                self.classes.equal(pair.0, pair.1)
            }
            Kind::Mapping => self.compare_mappings(pair, done.as_deref()),
            Kind::Sequence | Kind::Scalar => self.compare_lists(pair),
        };
        if !representable {
            self.leave(true);
        }
    }

    fn enter(&mut self, token: Option<Token>, pair: (NodeId, NodeId), aliased: bool) {
        let deeper = token.is_some();
        self.path.extend(token);
        let limit = match self.pairs {
            None => MAX_COST_RATIO * (OP_COST + self.path.len() + self.size(pair.1)),
            Some(_) => usize::MAX,
        };
        let (todo, ops, cost) = (self.todo.len(), self.ops.len(), self.cost);
        self.entered.push(EnteredPair { pair, aliased, deeper, todo, ops, cost, limit });
    }

    /// Leaves the innermost collection, and replaces it if `whole`.
    fn leave(&mut self, whole: bool) {
        let Some(frame) = self.entered.pop() else { return };
        self.todo.truncate(frame.todo);
        if whole {
            // The ops within are dropped; the replacement stands for them.
            self.ops.truncate(frame.ops);
            self.cost = frame.cost;
        } else if frame.aliased && self.cost == frame.cost {
            self.known_equal.insert(frame.pair);
        }
        let token = if frame.deeper { self.path.pop() } else { None };
        if whole {
            self.replace(token, frame.pair.1);
        }
    }

    fn replace(&mut self, token: Option<Token>, value: NodeId) {
        self.emit(token, usize::MAX, Some(value));
    }

    fn remove(&mut self, token: Token) {
        self.emit(Some(token), usize::MAX, None);
    }

    /// Adds the op that puts or removes a value at `token`. `required` tokens must exist.
    fn emit(&mut self, token: Option<Token>, required: usize, value: Option<NodeId>) {
        let over = |frame: &EnteredPair| self.cost - frame.cost > frame.limit;
        if self.entered.last().is_some_and(over) {
            return;
        }
        let tokens: Vec<Token> = self.path.iter().cloned().chain(token).collect();
        self.cost += OP_COST + tokens.len() + value.map_or(0, |value| self.size(value));
        let marked = tokens.iter().position(Token::needs_mark).unwrap_or(tokens.len());
        let at = Pointer { required: required.min(marked), tokens };
        let edit = value.map_or(Edit::Remove, Edit::Replace);
        let span = Span { file: self.new.file(), start: 0, end: 0 };
        let number = self.ops.len() as u32;
        let origin = Origin { span, path: span, from: None, number };
        self.ops.push(Op::new(at, edit, Some(origin)));
    }

    /// Returns the cost of writing `node` of the new document.
    fn size(&self, node: NodeId) -> usize {
        match node {
            NodeId::Clean(file, i) => {
                self.new.arena(file).nodes()[i as usize].len as usize
            }
            NodeId::Opened(_) => 1,
        }
    }

    fn record_pair(&mut self, old: NodeId, new: NodeId) {
        if let Some(pairs) = &mut self.pairs {
            pairs.push((old, new));
        }
    }

    fn is_skipped(&self, old: NodeId, new: NodeId) -> bool {
        self.pairs.is_none() && is_same_text((self.old, old), (self.new, new))
    }

    /// Compares two mappings, all but the entry `done`. Returns false if there is a
    /// difference that no path can express.
    fn compare_mappings(
        &mut self,
        (old, new): (NodeId, NodeId),
        done: Option<&str>,
    ) -> bool {
        let (a, b) = (self.old.pairs(old), self.new.pairs(new));
        if has_complex_key(self.old, &a)
            || has_complex_key(self.new, &b)
            || self.pairs.is_none() && self.path_meets_merge_key(old, [&a, &b])
        {
            return self.classes.equal(old, new);
        }
        self.visits_left = self.visits_left.saturating_sub(a.len() + b.len());
        let (mut places, mut next) = (None, 0);
        let (mut pending, mut kept) = (Vec::new(), vec![false; a.len()]);
        for &(key, value) in &b {
            let scalar = self.new.scalar(key);
            let identity = scalar.clone().identity();
            let is = |key| self.old.scalar(key).identity() == identity;
            let place = if a.get(next).is_some_and(|&(key, _)| is(key)) {
                Some(next)
            } else {
                let places = places.get_or_insert_with(|| self.places(&a));
                places.get(&identity).copied()
            };
            if let Some(i) = place {
                kept[i] = true;
                next = i + 1;
                self.record_pair(a[i].0, key);
                if self.is_skipped(a[i].1, value) {
                    continue;
                }
            }
            let token = key_token(&scalar);
            let is = |text: &str| matches!(&token, Some(Token::Key(key)) if key == text);
            if done.is_some_and(is) {
                continue;
            }
            let visit =
                |token, old| Pending::Visit { token, old, new: value, done: None };
            match (token, place.map(|i| a[i].1)) {
                (Some(token), Some(old)) => pending.push(visit(token, old)),
                (Some(token), None) => {
                    if self.pairs.is_some() {
                        self.added.extend([key, value].map(|it| (Some(key), it, false)));
                    }
                    pending.push(Pending::Add(token, value));
                }
                (None, Some(old)) if self.pairs.is_some() => {
                    pending.push(visit(Token::End, old));
                }
                (None, Some(old)) if self.classes.equal(old, value) => {}
                (None, _) => return false,
            }
        }
        if self.pairs.is_some() {
            let gone = a.iter().zip(&kept).filter(|(_, kept)| !**kept);
            let gone = gone.map(|(&(_, value), _)| value).collect();
            self.pair_renamed(gone, &mut pending);
        }
        for (&(key, _), kept) in a.iter().zip(kept) {
            if !kept {
                let Some(token) = key_token(&self.old.scalar(key)) else { return false };
                self.remove(token);
            }
        }
        self.todo.extend(pending.into_iter().rev());
        true
    }

    /// Returns true if the path of an entry would lead to a merge key of the old mapping,
    /// because both have the same text.
    fn path_meets_merge_key(&self, old: NodeId, both: [&[(NodeId, NodeId)]; 2]) -> bool {
        let merges = self.old.merge_keys(old).into_iter();
        let texts: HashSet<Cow<'_, str>> =
            merges.filter_map(|key| self.old.string(key)).collect();
        let meets = |tree: &Tree, pairs: &[(NodeId, NodeId)]| {
            let mut keys = pairs.iter().filter_map(|&(key, _)| tree.string(key));
            keys.any(|key| texts.contains(&key))
        };
        !texts.is_empty() && (meets(self.old, both[0]) || meets(self.new, both[1]))
    }

    /// Compares removed entries with new ones of equal value.
    fn pair_renamed(&mut self, gone: Vec<NodeId>, pending: &mut Vec<Pending<'a>>) {
        let added = pending.iter().filter_map(|task| match task {
            Pending::Add(_, value) => Some(*value),
            Pending::Visit { .. } => None,
        });
        let added: Vec<NodeId> = added.collect();
        let alone = gone.len() == 1 && added.len() == 1;
        let mut places: HashMap<u32, Vec<NodeId>> = HashMap::new();
        for old in gone.into_iter().rev() {
            if alone || self.old.kind(old) != Kind::Scalar {
                places.entry(self.classes.of_old(old)).or_default().push(old);
            }
        }
        for new in added {
            let old = places.get_mut(&self.classes.of_new(new)).and_then(Vec::pop);
            let token = Token::End;
            pending.extend(old.map(|old| Pending::Visit { token, old, new, done: None }));
        }
    }

    fn places(&self, pairs: &[(NodeId, NodeId)]) -> HashMap<Identity<'a>, usize> {
        let keys = pairs.iter().enumerate();
        keys.map(|(i, &(key, _))| (self.old.scalar(key).identity(), i)).collect()
    }

    /// Compares two lists. Returns false if no item stays.
    fn compare_lists(&mut self, (old, new): (NodeId, NodeId)) -> bool {
        let (a, b) = (self.old.items(old), self.new.items(new));
        self.visits_left = self.visits_left.saturating_sub(a.len() + b.len());
        let same = |pair: &(&NodeId, &NodeId)| {
            is_same_text((self.old, *pair.0), (self.new, *pair.1))
        };
        let first = a.iter().zip(&b).take_while(same).count();
        let rest = a[first..].iter().rev().zip(b[first..].iter().rev());
        let last = rest.take_while(same).count();
        if self.pairs.is_none() && first + last == a.len().max(b.len()) {
            return true;
        }
        let names = Names::find([(self.old, &a), (self.new, &b)]);
        let kept = self.align_items(&names, (&a, &b), (first, last));
        if self.pairs.is_some() {
            self.visit_items(&names, &kept, (&a, &b));
            self.visit_moved(&names, &kept, (&a, &b));
            self.record_lists(&names, old, &b);
            return true;
        }
        if kept.is_empty() {
            return false;
        }
        self.remove_items(&names, &kept);
        self.add_items(&names, &kept, &b);
        self.visit_items(&names, &kept, (&a, &b));
        true
    }

    /// Removes the items that do not stay.
    // Names stay valid; indices do if the last item goes first.
    fn remove_items(&mut self, names: &Names<'a>, kept: &[(usize, usize)]) {
        let mut stay = kept.iter().rev().map(|&(i, _)| i).peekable();
        let mut gone = Vec::new();
        for (i, name) in names.old.iter().enumerate().rev() {
            if stay.next_if_eq(&i).is_none() {
                let token = name.as_ref().and_then(|name| name.token(Vec::new()));
                gone.push(token.unwrap_or(Token::Index(i as i64, Vec::new())));
            }
        }
        // Names stay valid in any order; ops in the order of the list are easier to read.
        if !gone.iter().any(|token| matches!(token, Token::Index(..))) {
            gone.reverse();
        }
        gone.into_iter().for_each(|token| self.remove(token));
    }

    /// Inserts new items, the first one first: the items before it are in place then.
    fn add_items(
        &mut self,
        names: &Names<'a>,
        kept: &[(usize, usize)],
        items: &[NodeId],
    ) {
        let (mut rest, mut before) = (kept, None);
        for (j, &item) in items.iter().enumerate() {
            if let Some((&(i, _), more)) =
                rest.split_first().filter(|(kept, _)| kept.1 == j)
            {
                (rest, before) = (more, names.old[i].as_ref());
                continue;
            }
            let token = rest.first().map(|&(i, _)| {
                let next = names.old[i].as_ref();
                before
                    .and_then(|name| name.token(vec![Modifier::After]))
                    .or_else(|| next?.token(vec![Modifier::Before]))
                    .unwrap_or(Token::Index(j as i64, vec![Modifier::Before]))
            });
            self.replace(Some(token.unwrap_or(Token::End)), item);
            before = names.new[j].as_ref();
        }
    }

    /// Compares the items that stay, each at its new position.
    fn visit_items(
        &mut self,
        names: &Names<'a>,
        kept: &[(usize, usize)],
        (old, new): (&[NodeId], &[NodeId]),
    ) {
        let from = self.todo.len();
        for &(i, j) in kept {
            if self.is_skipped(old[i], new[j]) {
                continue;
            }
            let (was, is) = (names.old[i].as_ref(), names.new[j].as_ref());
            let at = |name: Option<&Name<'_>>| {
                let token = name.and_then(|name| name.token(Vec::new()));
                token.unwrap_or(Token::Index(j as i64, Vec::new()))
            };
            // Only ops are about names.
            let names = was.zip(is).filter(|_| self.pairs.is_none());
            let renamed = names.filter(|(was, is)| was.identity() != is.identity());
            let Some((was, is)) = renamed else {
                // A name that only one of them has is not there all the time.
                let token = at(was.filter(|_| is.is_some()));
                self.push_visit(token, (old[i], new[j]), None);
                continue;
            };
            let value = self.new.get(new[j], &is.key).filter(|_| was.key == is.key);
            let bare = self.new.pairs(new[j]).len() == 1;
            if let Some(value) = value.filter(|_| bare || self.is_renamed(old[i], new[j]))
            {
                self.path.push(at(Some(was)));
                self.replace(Some(Token::Key(is.key.to_string())), value);
                self.path.pop();
                self.push_visit(at(Some(is)), (old[i], new[j]), Some(is.key.clone()));
            } else if value.is_some() {
                self.record_pair(old[i], new[j]);
                self.replace(Some(at(Some(was))), new[j]);
            } else {
                self.push_visit(at(None), (old[i], new[j]), None);
            }
        }
        self.todo[from..].reverse();
    }

    fn push_visit(
        &mut self,
        token: Token,
        (old, new): (NodeId, NodeId),
        done: Option<Cow<'a, str>>,
    ) {
        self.todo.push(Pending::Visit { token, old, new, done });
    }

    /// Returns the items that stay, as ascending pairs of positions. The `first` and
    /// `last` items of both lists are known to be equal.
    fn align_items(
        &mut self,
        names: &Names<'_>,
        (old, new): (&[NodeId], &[NodeId]),
        (first, last): (usize, usize),
    ) -> Vec<(usize, usize)> {
        let (a, b) = (first..old.len() - last, first..new.len() - last);
        let mut kept: Vec<_> = (0..first).map(|i| (i, i)).collect();
        if !a.is_empty() && !b.is_empty() {
            self.align_middle(names, (old, new), (a.clone(), b.clone()), &mut kept);
        }
        kept.extend((a.end..old.len()).zip(b.end..new.len()));
        kept
    }

    fn align_middle(
        &mut self,
        names: &Names<'_>,
        (old, new): (&[NodeId], &[NodeId]),
        (a, b): (Range<usize>, Range<usize>),
        kept: &mut Vec<(usize, usize)>,
    ) {
        let tags_old: Vec<_> = a.clone().map(|i| self.tag_old(names, old, i)).collect();
        let tags_new: Vec<_> = b.clone().map(|j| self.tag_new(names, new, j)).collect();
        let moved: HashSet<ItemIdentity<'_>> = common_names(&tags_old, &tags_new);
        for op in edits(&tags_old, &tags_new) {
            let (from, to) = (op.old_range(), op.new_range());
            if let DiffOp::Equal { .. } = op {
                kept.extend(from.zip(to).map(|(i, j)| (a.start + i, b.start + j)));
                continue;
            }
            let stays = |tag: &ItemIdentity<'_>| !moved.contains(tag);
            let from = from.filter(|&i| stays(&tags_old[i])).map(|i| a.start + i);
            let to = to.filter(|&j| stays(&tags_new[j])).map(|j| b.start + j);
            let (from, to): (Vec<_>, Vec<_>) = (from.collect(), to.collect());
            let alone = from.len() == to.len();
            let one = from.len() == 1;
            for (i, j) in from.into_iter().zip(to) {
                let changed = match (&names.old[i], &names.new[j]) {
                    (None, None) => true,
                    (Some(was), Some(is)) => {
                        let like = alone && was.key == is.key && (one || was.is_like(is));
                        self.is_renamed(old[i], new[j])
                            || like && self.has_same_keys(old[i], new[j])
                    }
                    (None, Some(_)) | (Some(_), None) => {
                        alone && self.is_renamed(old[i], new[j])
                    }
                };
                kept.extend(changed.then_some((i, j)));
            }
        }
    }

    fn tag_old<'n>(
        &mut self,
        names: &'n Names<'_>,
        old: &[NodeId],
        i: usize,
    ) -> ItemIdentity<'n> {
        ItemIdentity::of(&names.old[i], || self.classes.of_old(old[i]))
    }

    fn tag_new<'n>(
        &mut self,
        names: &'n Names<'_>,
        new: &[NodeId],
        j: usize,
    ) -> ItemIdentity<'n> {
        ItemIdentity::of(&names.new[j], || self.classes.of_new(new[j]))
    }

    /// Returns true if half of the entries are equal: only the name may have changed.
    fn is_renamed(&mut self, old: NodeId, new: NodeId) -> bool {
        let (a, b) = (self.old.pairs(old), self.new.pairs(new));
        let scalar = |key: NodeId| self.new.kind(key) == Kind::Scalar;
        let before: HashMap<Identity<'_>, NodeId> = a
            .iter()
            .filter(|&&(key, _)| self.old.kind(key) == Kind::Scalar)
            .map(|&(key, value)| (self.old.scalar(key).identity(), value))
            .collect();
        let pairs =
            b.iter().filter(|&&(key, _)| scalar(key)).filter_map(|&(key, value)| {
                Some((*before.get(&self.new.scalar(key).identity())?, value))
            });
        let same = pairs.filter(|&(old, new)| self.classes.equal(old, new)).count();
        same > 0 && 2 * same + 1 >= a.len().max(b.len())
    }

    /// Returns true if two mappings have the same keys in the same order.
    fn has_same_keys(&self, old: NodeId, new: NodeId) -> bool {
        let (a, b) = (self.old.pairs(old), self.new.pairs(new));
        let identity = |document: &'a Tree, key| document.scalar(key).identity();
        a.len() == b.len()
            && a.iter()
                .zip(&b)
                .all(|(a, b)| identity(self.old, a.0) == identity(self.new, b.0))
    }

    /// Compares items that moved with those of the same name or value.
    fn visit_moved(
        &mut self,
        names: &Names<'a>,
        kept: &[(usize, usize)],
        (old, new): (&[NodeId], &[NodeId]),
    ) {
        let mut gone: HashMap<ItemIdentity<'_>, Vec<usize>> = HashMap::new();
        for i in (0..old.len()).rev() {
            if kept.binary_search_by_key(&i, |k| k.0).is_err() {
                gone.entry(self.tag_old(names, old, i)).or_default().push(i);
            }
        }
        let mut stays = kept.iter().map(|k| k.1).peekable();
        for j in 0..new.len() {
            if stays.next_if_eq(&j).is_some() {
                continue;
            }
            let tag = self.tag_new(names, new, j);
            if let Some(i) = gone.get_mut(&tag).and_then(Vec::pop) {
                let (old, new) = (old[i], new[j]);
                self.todo.push(Pending::Visit {
                    token: Token::End,
                    old,
                    new,
                    done: None,
                });
            }
        }
    }

    /// Records that values in the new list may come from anywhere in the old one.
    fn record_lists(&mut self, names: &Names<'a>, old: NodeId, new: &[NodeId]) {
        let known: HashSet<(&str, &str)> =
            names.old.iter().flatten().map(Name::identity).collect();
        let is_known = |name: &Name<'_>| known.contains(&name.identity());
        let named = names.new.iter().map(|name| name.as_ref().is_some_and(is_known));
        let new = new.iter().zip(named).map(|(&item, named)| (None, item, named));
        self.lists.push(ListPair { old, new: new.collect() });
    }

    /// Pairs values in lists and in new entries with equal `wanted` values of the same
    /// list or document, the innermost lists first. Values in `same` are paired already.
    fn pair_in_lists(
        &mut self,
        same: &mut Vec<(NodeId, NodeId)>,
        wanted: impl Fn(NodeId) -> bool,
    ) {
        let mut placed: HashSet<NodeId> = same.iter().map(|&(_, new)| new).collect();
        while let Some(ListPair { old, new }) = self.lists.pop() {
            let known = self.wanted_values(old, &wanted);
            if known.is_empty() {
                continue;
            }
            let mut todo = new;
            while let Some((key, node, named)) = todo.pop() {
                if self.visits_left == 0 || placed.contains(&node) {
                    continue;
                }
                self.visits_left -= 1;
                let role = role(key, node, |key| self.classes.of_new(key));
                let class = self.classes.of_new(node);
                let any = if role == Role::Key { role } else { Role::Any };
                let here = if named { any } else { role };
                let found = [here, any].into_iter().find_map(|r| known.get(&(r, class)));
                if let Some(&old) = found {
                    placed.insert(node);
                    same.push((old, node));
                    continue;
                }
                let below = keys_and_values(self.new, (key, node)).into_iter();
                todo.extend(below.map(|(key, node)| (key, node, named)));
            }
        }
    }

    /// Returns the wanted values of an old list, by role and class.
    fn wanted_values(
        &mut self,
        list: NodeId,
        wanted: impl Fn(NodeId) -> bool,
    ) -> HashMap<(Role, u32), NodeId> {
        let mut known = HashMap::new();
        let mut todo = keys_and_values(self.old, (None, list));
        while let Some((key, node)) = todo.pop() {
            if self.visits_left == 0 {
                break;
            }
            self.visits_left -= 1;
            if !wanted(node) {
                todo.extend(keys_and_values(self.old, (key, node)));
                continue;
            }
            let role = role(key, node, |key| self.classes.of_old(key));
            let class = self.classes.of_old(node);
            known.entry((role, class)).or_insert(node);
            if role != Role::Key && is_distinctive(self.old, node) {
                known.entry((Role::Any, class)).or_insert(node);
            }
        }
        known
    }
}

fn has_complex_key(document: &Tree, pairs: &[(NodeId, NodeId)]) -> bool {
    pairs.iter().any(|&(key, _)| document.kind(key) != Kind::Scalar)
}

/// Returns the token that leads to an entry, if there is one.
// `=` would be read as a match (`name=web`); go-patch has string keys only.
fn key_token(key: &Scalar<'_>) -> Option<Token> {
    match key {
        Scalar::String(text) if !text.contains('=') => {
            Some(Token::Key(text.clone().into_owned()))
        }
        _ => None,
    }
}

fn role(key: Option<NodeId>, node: NodeId, number: impl FnOnce(NodeId) -> u32) -> Role {
    match key {
        Some(key) if key == node => Role::Key,
        Some(key) => Role::Value(number(key)),
        None => Role::Item,
    }
}

/// Returns the keys and values of a collection, the last one first.
fn keys_and_values(
    document: &Tree,
    (key, node): (Option<NodeId>, NodeId),
) -> Vec<(Option<NodeId>, NodeId)> {
    if key == Some(node) || document.follow(node) != node {
        return Vec::new();
    }
    let slots = document.slots(node);
    let parts = slots.iter().rev().flat_map(|slot| {
        [Some((slot.key, slot.value)), slot.key.map(|key| (Some(key), key))]
    });
    parts.flatten().collect()
}

/// Returns true if equality of a value is no chance, as it is for numbers.
fn is_distinctive(document: &Tree, node: NodeId) -> bool {
    match document.kind(node) {
        Kind::Scalar => {
            matches!(document.scalar(node), Scalar::String(text) if !text.is_empty())
        }
        Kind::Sequence | Kind::Mapping => !document.slots(node).is_empty(),
    }
}
