//! The comparison of two documents, or of two streams of them, which makes the ops that turn one
//! into the other.

use std::borrow::Cow;

use hashbrown::{HashMap, HashSet};

use crate::compare::{
    DocumentName, DocumentPairs, ItemName, KeptItems, ListSides, Meaning, Side, Values,
    has_complex_key, is_copy, is_renamed, is_same_text, visit_limit,
};
use crate::diagnostic::Result;
use crate::node::{Kind, NodeId, Tree};
use crate::patch::{Edit, Op, Origin, Patch};
use crate::pointer::{Modifier, Pointer, Token};
use crate::scalar::{Dialect, Identity, Scalar};
use crate::select::DocumentSelector;
use crate::source::Span;
use crate::yaml;

/// The part that tags such as `!Ref` have in a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagRule {
    /// Values with different tags differ. bosh drops tags: in its dialect they do not count.
    Count,
    /// Tags do not count: those of NEW are lost, as in data that a program printed.
    Ignore,
}

/// Returns the ops for another document of both streams; none if one lacks it.
///
/// # Errors
/// `new` was edited and cannot be printed so that it reads back.
pub fn diff_at(old: &Tree, new: &Tree, root: usize) -> Result<Patch> {
    let patches = diff_documents(old, new, &[(root, root)], TagRule::Count)?;
    Ok(patches.into_iter().next().unwrap_or_default())
}

/// Returns the ops that turn each document of `old` into the one of `new` that it is paired
/// with.
pub(super) fn diff_documents(
    old: &Tree,
    new: &Tree,
    pairs: &[(usize, usize)],
    tags: TagRule,
) -> Result<Vec<Patch>> {
    // An edited document shares nodes with others, and its aliases may stand for edited
    // nodes: the values of ops are taken from its printed form.
    let new = yaml::clean(new)?;
    let is_copy = is_copy(old, &new);
    let patch = |&(was, now): &(usize, usize)| {
        let roots = old.roots().get(was).zip(new.roots().get(now));
        let roots = roots.filter(|_| !(is_copy && was == now));
        let ops = roots.map_or_else(Vec::new, |(&was, &now)| {
            let mut walk = DiffWalk::new(old, &new, tags);
            walk.visit(None, was, now, None);
            walk.run();
            walk.ops
        });
        Patch { ops, arenas: vec![new.shared_base().clone()], ..Patch::default() }
    };
    Ok(pairs.iter().map(patch).collect())
}

impl TagRule {
    /// Returns true if values of two documents with different tags differ.
    pub(super) fn count(self, old: &Tree) -> bool {
        self == TagRule::Count && old.base().dialect() != Dialect::Go
    }
}

/// Maximum cost of the ops in a collection, relative to the cost of replacing it.
// Above 1, since an op for each change is easier to review than a new copy of the
// collection; much above, the ops are longer than the document.
const MAX_COST_RATIO: usize = 2;

/// Cost of an op beside its path and its value.
// An op is printed in about four lines: `type`, `path`, `value` and a blank one.
const OP_COST: usize = 4;

/// A walk through two documents that makes ops.
struct DiffWalk<'a> {
    old: &'a Tree,
    new: &'a Tree,
    path: Vec<Token>,
    /// The collections around the current node, the innermost last.
    entered: Vec<EnteredPair>,
    todo: Vec<DiffTask<'a>>,
    ops: Vec<Op>,
    /// The cost of all ops, including ops that were dropped because they cost too much.
    cost: usize,
    values: Values<'a>,
    /// Pairs of aliased nodes that were found to be equal.
    known_equal: HashSet<(NodeId, NodeId)>,
    /// Number of pairs that may still be looked into.
    // Nested aliases stand for exponentially many pairs. At 0, values that are not equal
    // are replaced.
    visits_left: usize,
}

struct EnteredPair {
    old: NodeId,
    new: NodeId,
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
enum DiffTask<'a> {
    /// Two nodes at the same place. The entry with the key `done` is compared already.
    Visit {
        token: Token,
        old: NodeId,
        new: NodeId,
        done: Option<Cow<'a, str>>,
    },
    Add(Token, NodeId),
}

impl<'a> DiffWalk<'a> {
    fn new(old: &'a Tree, new: &'a Tree, tags: TagRule) -> DiffWalk<'a> {
        DiffWalk {
            old,
            new,
            path: Vec::new(),
            entered: Vec::new(),
            todo: Vec::new(),
            ops: Vec::new(),
            cost: 0,
            values: Values::new([old, new]).with_tags(tags.count(old)),
            known_equal: HashSet::new(),
            visits_left: visit_limit([old, new]),
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
                    DiffTask::Visit { token, old, new, done } => {
                        self.visit(Some(token), old, new, done);
                    }
                    DiffTask::Add(token, value) => {
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
        let was = self.old.follow(old);
        let now = self.new.follow(new);
        let aliased = was != old || now != new;
        let kind = self.new.kind(new);
        let alike = self.old.kind(old) == kind && self.values.same_tag(was, now);
        let same = match kind {
            Kind::Scalar => {
                alike && Meaning::of(self.old, old) == Meaning::of(self.new, new)
            }
            Kind::Sequence | Kind::Mapping => {
                aliased && self.known_equal.contains(&(was, now))
            }
        };
        if same {
            return;
        }
        if kind == Kind::Scalar || !alike {
            return self.replace(token, new);
        }
        if self.visits_left == 0 {
            if !self.values.equal(was, now) {
                self.replace(token, new);
            }
            return;
        }
        self.visits_left -= 1;
        let deeper = token.is_some();
        self.path.extend(token);
        self.entered.push(EnteredPair {
            old: was,
            new: now,
            aliased,
            deeper,
            todo: self.todo.len(),
            ops: self.ops.len(),
            cost: self.cost,
            limit: MAX_COST_RATIO * (OP_COST + self.path.len() + self.size(now)),
        });
        let representable = match kind {
            _ if self.path.len() >= Pointer::LONGEST => self.values.equal(was, now),
            Kind::Mapping => self.compare_mappings(was, now, done.as_deref()),
            Kind::Sequence | Kind::Scalar => self.compare_lists(was, now),
        };
        if !representable {
            self.leave(true);
        }
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
            self.known_equal.insert((frame.old, frame.new));
        }
        let token = if frame.deeper { self.path.pop() } else { None };
        if whole {
            self.replace(token, frame.new);
        }
    }

    fn replace(&mut self, token: Option<Token>, value: NodeId) {
        self.emit(token, usize::MAX, Some(value));
    }

    /// Adds the op that puts or removes a value at `token`. `required` tokens must exist.
    fn emit(&mut self, token: Option<Token>, required: usize, value: Option<NodeId>) {
        if self.entered.last().is_some_and(|it| self.cost - it.cost > it.limit) {
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

    fn is_skipped(&self, old: NodeId, new: NodeId) -> bool {
        is_same_text(self.old, old, self.new, new)
    }

    /// Compares two mappings, all but the entry `done`. Returns false if there is a
    /// difference that no path can express.
    fn compare_mappings(&mut self, old: NodeId, new: NodeId, done: Option<&str>) -> bool {
        let (a, passed) = self.old.effective_pairs(old);
        let b = self.new.pairs(new);
        let doubled = if passed > 0 { self.doubled_keys(old) } else { HashSet::new() };
        if has_complex_key(self.old, &a)
            || has_complex_key(self.new, &b)
            || self.path_meets_merge_key(old, [&a, &b])
            || self.merges_tagged_key(old, &a)
        {
            return self.values.equal(old, new);
        }
        self.visits_left = self.visits_left.saturating_sub(a.len() + b.len());
        let mut places = None;
        let mut next = 0;
        let mut tasks = Vec::new();
        let mut kept = vec![false; a.len()];
        for &(key, value) in &b {
            let scalar = self.new.scalar(key);
            let identity = scalar.clone().identity();
            let next_key = a.get(next).map(|&(key, _)| self.old.scalar(key).identity());
            let place = if next_key.as_ref() == Some(&identity) {
                Some(next)
            } else {
                let places = places.get_or_insert_with(|| {
                    let keys = a.iter().map(|&(key, _)| self.old.scalar(key).identity());
                    keys.zip(0..).collect::<HashMap<Identity<'_>, usize>>()
                });
                places.get(&identity).copied()
            };
            if let Some(i) = place {
                // No path leads to a key, only to its value.
                if !self.values.same_tag(a[i].0, key) {
                    return self.values.equal(old, new);
                }
                kept[i] = true;
                next = i + 1;
                if self.is_skipped(a[i].1, value) {
                    continue;
                }
            } else if self.values.own_tag(key, Side::New).is_some() {
                return false;
            }
            let token = key_token(&scalar);
            if matches!((&token, done), (Some(Token::Key(key)), Some(done)) if key == done)
            {
                continue;
            }
            match (token, place.map(|i| a[i].1)) {
                (Some(token), Some(old)) => {
                    tasks.push(DiffTask::Visit { token, old, new: value, done: None });
                }
                (Some(token), None) => tasks.push(DiffTask::Add(token, value)),
                (None, Some(old)) if self.values.equal(old, value) => {}
                (None, _) => return false,
            }
        }
        for (&(key, _), kept) in a.iter().zip(kept) {
            if !kept {
                let Some(token) = key_token(&self.old.scalar(key)) else { return false };
                if doubled.contains(&key) {
                    return false;
                }
                self.emit(Some(token), usize::MAX, None);
            }
        }
        self.todo.extend(tasks.into_iter().rev());
        true
    }

    /// Returns true if a `<<` may bring a key with a tag, which an edit would write without it.
    fn merges_tagged_key(&self, old: NodeId, pairs: &[(NodeId, NodeId)]) -> bool {
        !self.old.merge_keys(old).is_empty()
            && pairs.iter().any(|&(key, _)| self.values.own_tag(key, Side::Old).is_some())
    }

    /// Returns the keys of an old mapping that stand there twice: no op removes both entries.
    fn doubled_keys(&self, mapping: NodeId) -> HashSet<NodeId> {
        let tree = self.old;
        if tree.dialect() == Dialect::Go {
            return HashSet::new();
        }
        let slots = tree.slots(mapping);
        let mut by_identity: HashMap<Identity<'_>, Vec<NodeId>> = HashMap::new();
        for key in slots.iter().filter_map(|slot| slot.key) {
            by_identity.entry(tree.scalar(key).identity()).or_default().push(key);
        }
        by_identity.into_values().filter(|keys| keys.len() > 1).flatten().collect()
    }

    /// Returns true if the path of an entry would lead to a merge key of the old mapping,
    /// because both have the same text.
    fn path_meets_merge_key(&self, old: NodeId, both: [&[(NodeId, NodeId)]; 2]) -> bool {
        let merges = self.old.merge_keys(old).into_iter();
        let texts: HashSet<Cow<'_, str>> =
            merges.filter_map(|key| self.old.string(key)).collect();
        let mut sides = [self.old, self.new].into_iter().zip(both);
        !texts.is_empty()
            && sides.any(|(tree, pairs)| {
                let mut keys = pairs.iter().filter_map(|&(key, _)| tree.string(key));
                keys.any(|key| texts.contains(&key))
            })
    }

    /// Compares two lists. Returns false if no item stays.
    fn compare_lists(&mut self, old: NodeId, new: NodeId) -> bool {
        let a = self.old.items(old);
        let b = self.new.items(new);
        self.visits_left = self.visits_left.saturating_sub(a.len() + b.len());
        let lists = ListSides { old: &a, new: &b };
        let edges = lists.same_edges(&self.values);
        if lists.are_same(edges) {
            return true;
        }
        let items = KeptItems::find(&mut self.values, lists, edges);
        if items.kept.is_empty() {
            return false;
        }
        self.remove_items(&items);
        self.add_items(&items, &b);
        self.visit_items(&items, lists);
        true
    }

    /// Removes the items that do not stay.
    // Names stay valid; indices do if the last item goes first.
    fn remove_items(&mut self, items: &KeptItems<'a>) {
        let mut stay = items.kept.iter().rev().map(|&(i, _)| i).peekable();
        let mut gone = Vec::new();
        for (i, name) in items.old_names.iter().enumerate().rev() {
            if stay.next_if_eq(&i).is_none() {
                let token = name.as_ref().and_then(|name| name.token(Vec::new()));
                gone.push(token.unwrap_or(Token::Index(i as i64, Vec::new())));
            }
        }
        // Names stay valid in any order; ops in the order of the list are easier to read.
        if !gone.iter().any(|token| matches!(token, Token::Index(..))) {
            gone.reverse();
        }
        gone.into_iter().for_each(|token| self.emit(Some(token), usize::MAX, None));
    }

    /// Inserts new items, the first one first: the items before it are in place then.
    fn add_items(&mut self, items: &KeptItems<'a>, new: &[NodeId]) {
        let mut rest = &items.kept[..];
        let mut before = None;
        for (j, &item) in new.iter().enumerate() {
            if let Some((&(i, _), more)) =
                rest.split_first().filter(|(kept, _)| kept.1 == j)
            {
                (rest, before) = (more, items.old_names[i].as_ref());
                continue;
            }
            let token = rest.first().map(|&(i, _)| {
                let next = items.old_names[i].as_ref();
                before
                    .and_then(|name| name.token(vec![Modifier::After]))
                    .or_else(|| next?.token(vec![Modifier::Before]))
                    .unwrap_or(Token::Index(j as i64, vec![Modifier::Before]))
            });
            self.replace(Some(token.unwrap_or(Token::End)), item);
            before = items.new_names[j].as_ref();
        }
    }

    /// Compares the items that stay, each at its new position.
    fn visit_items(&mut self, items: &KeptItems<'a>, lists: ListSides<'_>) {
        let from = self.todo.len();
        for &(i, j) in &items.kept {
            let was = items.old_names[i].as_ref();
            let is = items.new_names[j].as_ref();
            let old = lists.old[i];
            let new = lists.new[j];
            if self.is_skipped(old, new) {
                continue;
            }
            let at = |name: Option<&ItemName<'_>>| {
                let token = name.and_then(|name| name.token(Vec::new()));
                token.unwrap_or(Token::Index(j as i64, Vec::new()))
            };
            let names = was.zip(is);
            let renamed = names.filter(|(was, is)| was.identity() != is.identity());
            let Some((was, is)) = renamed else {
                // A name that only one of them has is not there all the time.
                let token = at(was.filter(|_| is.is_some()));
                self.todo.push(DiffTask::Visit { token, old, new, done: None });
                continue;
            };
            let value = self.new.get(new, &is.key).filter(|_| was.key == is.key);
            let bare = self.new.pairs(new).len() == 1;
            if let Some(value) =
                value.filter(|_| bare || is_renamed(&mut self.values, old, new))
            {
                self.path.push(at(Some(was)));
                self.replace(Some(Token::Key(is.key.to_string())), value);
                self.path.pop();
                let done = Some(is.key.clone());
                self.todo.push(DiffTask::Visit { token: at(Some(is)), old, new, done });
            } else if value.is_some() {
                self.replace(Some(at(Some(was))), new);
            } else {
                self.todo.push(DiffTask::Visit { token: at(None), old, new, done: None });
            }
        }
        self.todo[from..].reverse();
    }
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

/// Returns the ops that turn each document of `old` into the one of `new` that it is paired
/// with: one patch for all, whose ops select the documents by name; or, if the documents are
/// paired by place or a name cannot be selected, a patch for each pair.
///
/// # Errors
/// As [`diff`](super::diff).
pub fn diff_streams(
    old: &Tree,
    new: &Tree,
    pairs: &DocumentPairs,
    tags: TagRule,
) -> Result<Vec<Patch>> {
    let mut patches = diff_documents(old, new, &pairs.pairs, tags)?;
    let Some((names, _)) = pairs.names.as_ref().filter(|(names, _)| names.len() > 1)
    else {
        return Ok(patches);
    };
    let texts = DocumentName::selectors(names);
    let selectors = pairs.pairs.iter().map(|&(at, _)| {
        let text = texts[at].as_deref()?;
        DocumentSelector::parse(text).ok()
    });
    let Some(selectors) = selectors.collect::<Option<Vec<_>>>() else {
        return Ok(patches);
    };
    let mut all = Patch::default();
    for (patch, selector) in patches.iter_mut().zip(selectors) {
        for op in &mut patch.ops {
            op.only = vec![selector.clone()];
        }
        // All values stand in one text, that of NEW.
        if all.arenas.is_empty() {
            all.arenas.append(&mut patch.arenas);
        }
        all.ops.append(&mut patch.ops);
    }
    Ok(vec![all])
}
