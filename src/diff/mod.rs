//! Document × document → patch: the ops that turn what the one means into what the other
//! means. Each op counts on those before it, as they are applied one after another.
//!
//! Both are walked together, from the root. Entries go together by their key, items by
//! their name or by what they mean. Where the ops within a collection would say more than the collection
//! itself, it is replaced as a whole.

mod align;
mod class;
mod mapping;
mod moved;
mod name;
mod sequence;

use std::borrow::Cow;
use std::collections::HashSet;

use crate::arena::{Arena, Style, flag};
use crate::node::{Document, Kind, Node};
use crate::patch::{Edit, Op, Origin, Patch};
use crate::pointer::{Pointer, Token};
use crate::source::Span;
use class::{Classes, meaning};
use moved::Lists;

/// The ops that turn the first document of `old` into the first one of `new`, as go-patch
/// can say them. None if they mean the same: spelling, comments and the order of keys do
/// not count.
pub fn diff(old: &Document, new: &Document) -> Patch {
    diff_at(old, new, 0)
}

/// The same of another document of both streams, if there is one.
pub fn diff_at(old: &Document, new: &Document, root: usize) -> Patch {
    let mut walk = Walk::new(old, new);
    if let (Some(&old), Some(&new)) = (old.roots().get(root), new.roots().get(root)) {
        walk.visit(None, old, new, None);
        walk.run();
    }
    Patch { ops: walk.ops, arenas: vec![new.shared_base().clone()], ..Patch::default() }
}

/// Nodes of two documents that have the same place.
pub(crate) struct Paired {
    /// Those that mean the same.
    pub(crate) same: Vec<(Node, Node)>,
    pub(crate) changed: Vec<(Node, Node)>,
}

/// The nodes of `new` that have the place of those `old` nodes that are `wanted`. An item
/// that moved has its place by its name or by what it means, and what else is in a list may
/// come from anywhere in it; a value is found under another key, too, and
/// what is in a new entry may come from anywhere.
pub(crate) fn pair(
    old: &Document,
    new: &Document,
    wanted: impl Fn(Node) -> bool,
) -> Paired {
    let mut walk = Walk { pairs: Some(Vec::new()), ..Walk::new(old, new) };
    for (&old, &new) in old.roots().iter().zip(new.roots()) {
        walk.visit(None, old, new, None);
        walk.run();
        let new = std::mem::take(&mut walk.added);
        walk.lists.insert(0, Lists { old, new });
    }
    let pairs = walk.pairs.take().unwrap_or_default().into_iter();
    let (mut same, mut changed): (Vec<_>, Vec<_>) =
        pairs.partition(|&(old, new)| walk.classes.equal(old, new));
    walk.place(&mut same, &wanted);
    same.retain(|&(old, _)| wanted(old));
    let found: HashSet<Node> = same.iter().map(|&(_, new)| new).collect();
    changed.retain(|&(old, new)| wanted(old) && !found.contains(&new));
    Paired { same, changed }
}

/// The nodes of `new` that are `wanted`, each with what stands at the same position of `old`.
pub(crate) fn pair_strictly(
    old: &Document,
    new: &Document,
    wanted: impl Fn(Node) -> bool,
) -> Paired {
    let mut walk = Walk::new(old, new);
    let (mut same, mut changed) = (Vec::new(), Vec::new());
    let roots = old.roots().iter().copied().zip(new.roots().iter().copied());
    let (mut todo, mut met) = (roots.collect::<Vec<_>>(), HashSet::new());
    while let Some((old, new)) = todo.pop() {
        if wanted(new) {
            if walk.classes.equal(old, new) {
                same.push((old, new));
            } else {
                changed.push((old, new));
            }
            continue;
        }
        let (from, to) = (walk.old.follow(old), walk.new.follow(new));
        let (before, after) = (walk.old.slots(from), walk.new.slots(to));
        if before.len() == after.len() && met.insert((from, to)) {
            let both = before.iter().zip(after.iter());
            todo.extend(both.map(|(before, after)| (before.value, after.value)));
        }
    }
    Paired { same, changed }
}

/// Ops that cost so many times what their collection costs are not worth their while.
const WORTH: usize = 2;

/// What an op costs beside its path and its value.
const OP: usize = 4;

struct Walk<'a> {
    old: &'a Document,
    new: &'a Document,
    /// Where the walk is.
    path: Vec<Token>,
    /// The collections it is in, the innermost last.
    frames: Vec<Frame>,
    todo: Vec<Task<'a>>,
    ops: Vec<Op>,
    /// What the ops cost, those included that were too many to be kept.
    cost: usize,
    classes: Classes<'a>,
    /// Everything that met, if that is what is asked for.
    pairs: Option<Vec<(Node, Node)>>,
    /// Lists whose items may have moved, the innermost last.
    lists: Vec<Lists>,
    /// What is in new entries may be copied from anywhere: their keys and values.
    added: Vec<(Option<Node>, Node, bool)>,
    /// What met behind an alias and was found to mean the same.
    settled: HashSet<(Node, Node)>,
    /// How many more pairs are looked into: aliases may make them without number.
    left: usize,
}

/// A pair of collections that the walk is in.
struct Frame {
    pair: (Node, Node),
    aliased: bool,
    /// Whether its path has a token of its own.
    deeper: bool,
    /// How many tasks, ops and how much cost there was before it.
    todo: usize,
    ops: usize,
    cost: usize,
    /// The most that the ops within it may cost.
    limit: usize,
}

/// What is still to be done, the next thing last.
enum Task<'a> {
    /// Two nodes that have the same place; the entry of that key is done already.
    Visit { token: Token, old: Node, new: Node, done: Option<Cow<'a, str>> },
    /// An entry that is new.
    Add(Token, Node),
}

impl<'a> Walk<'a> {
    fn new(old: &'a Document, new: &'a Document) -> Walk<'a> {
        let size = old.base().nodes().len() + new.base().nodes().len();
        Walk {
            old,
            new,
            path: Vec::new(),
            frames: Vec::new(),
            todo: Vec::new(),
            ops: Vec::new(),
            cost: 0,
            classes: Classes::new([old, new], 64 * size + 100_000),
            pairs: None,
            lists: Vec::new(),
            added: Vec::new(),
            settled: HashSet::new(),
            left: 8 * size + 10_000,
        }
    }

    fn run(&mut self) {
        while let Some(frame) = self.frames.last() {
            if self.cost - frame.cost > frame.limit {
                self.leave(true);
            } else if self.todo.len() == frame.todo {
                self.leave(false);
            } else if let Some(task) = self.todo.pop() {
                match task {
                    Task::Visit { token, old, new, done } => {
                        self.visit(Some(token), old, new, done);
                    }
                    Task::Add(token, value) => {
                        let required = self.path.len();
                        self.emit(Some(token), required, Some(value));
                    }
                }
            }
        }
    }

    /// Compares what stands at `token` of the collection the walk is in.
    fn visit(
        &mut self,
        token: Option<Token>,
        old: Node,
        new: Node,
        done: Option<Cow<'a, str>>,
    ) {
        if done.is_none() && self.passes(old, new) {
            return;
        }
        self.note(old, new);
        let pair = (self.old.follow(old), self.new.follow(new));
        let aliased = pair != (old, new);
        let kind = self.new.kind(new);
        let alike = self.old.kind(old) == kind;
        let same = match kind {
            Kind::Scalar => alike && meaning(self.old, old) == meaning(self.new, new),
            Kind::Sequence | Kind::Mapping => aliased && self.settled.contains(&pair),
        };
        if same {
            return;
        }
        if kind == Kind::Scalar || !alike || self.left == 0 {
            return self.replace(token, new);
        }
        self.left -= 1;
        self.enter(token, pair, aliased);
        let told = match kind {
            _ if self.path.len() >= Pointer::LONGEST => {
                self.classes.equal(pair.0, pair.1)
            }
            Kind::Mapping => self.mapping(pair, done.as_deref()),
            Kind::Sequence | Kind::Scalar => self.sequence(pair),
        };
        if !told {
            self.leave(true);
        }
    }

    fn enter(&mut self, token: Option<Token>, pair: (Node, Node), aliased: bool) {
        let deeper = token.is_some();
        self.path.extend(token);
        let limit = match self.pairs {
            None => WORTH * (OP + self.path.len() + self.size(pair.1)),
            Some(_) => usize::MAX,
        };
        let (todo, ops, cost) = (self.todo.len(), self.ops.len(), self.cost);
        self.frames.push(Frame { pair, aliased, deeper, todo, ops, cost, limit });
    }

    /// Ends the innermost collection, which is replaced as a whole or as its ops have it.
    fn leave(&mut self, whole: bool) {
        let Some(frame) = self.frames.pop() else { return };
        self.todo.truncate(frame.todo);
        if whole {
            self.ops.truncate(frame.ops);
            self.cost = frame.cost;
        } else if frame.aliased && self.cost == frame.cost {
            self.settled.insert(frame.pair);
        }
        let token = if frame.deeper { self.path.pop() } else { None };
        if whole {
            self.replace(token, frame.pair.1);
        }
    }

    fn replace(&mut self, token: Option<Token>, value: Node) {
        self.emit(token, usize::MAX, Some(value));
    }

    fn remove(&mut self, token: Token) {
        self.emit(Some(token), usize::MAX, None);
    }

    /// Adds the op that puts a value at `token` of the collection the walk is in, or removes
    /// what is there. So many of its tokens are required.
    fn emit(&mut self, token: Option<Token>, required: usize, value: Option<Node>) {
        let over = |frame: &Frame| self.cost - frame.cost > frame.limit;
        if self.frames.last().is_some_and(over) {
            return;
        }
        let tokens: Vec<Token> = self.path.iter().cloned().chain(token).collect();
        self.cost += OP + tokens.len() + value.map_or(0, |value| self.size(value));
        let marked = tokens.iter().position(Token::needs_mark).unwrap_or(tokens.len());
        let at = Pointer { required: required.min(marked), tokens };
        let edit = value.map_or(Edit::Remove, Edit::Replace);
        let span = Span { file: self.new.file(), start: 0, end: 0 };
        let number = self.ops.len() as u32;
        self.ops.push(Op { at, edit, origin: Origin { span, path: span, number } });
    }

    /// How much it takes to write down `node` of the new document.
    fn size(&self, node: Node) -> usize {
        match node {
            Node::Clean(file, i) => self.new.arena(file).nodes()[i as usize].len as usize,
            Node::Opened(_) => 1,
        }
    }

    /// These have the same place.
    fn note(&mut self, old: Node, new: Node) {
        if let Some(pairs) = &mut self.pairs {
            pairs.push((old, new));
        }
    }

    /// Whether two nodes need not be looked into.
    fn passes(&self, old: Node, new: Node) -> bool {
        self.pairs.is_none() && self.is_same_text(old, new)
    }

    /// Whether two nodes are surely the same, since they are written alike.
    fn is_same_text(&self, old: Node, new: Node) -> bool {
        let (Node::Clean(f, a), Node::Clean(g, b)) = (old, new) else { return false };
        let (x, y) = (self.old.arena(f), self.new.arena(g));
        let (p, q) = (&x.nodes()[a as usize], &y.nodes()[b as usize]);
        let column = |style| {
            use Style::{BlockMapping, BlockSequence, Folded, Literal};
            matches!(style, BlockMapping | BlockSequence | Folded | Literal)
        };
        let plain = |arena: &Arena, i| !arena.has(i, flag::HAS_ALIAS);
        p.len == q.len
            && p.style == q.style
            && (p.column == q.column || !column(p.style))
            && plain(x, a)
            && plain(y, b)
            && x.raw(a) == y.raw(b)
            && x.tag(a) == y.tag(b)
            && x.dialect() == y.dialect()
            && !x.declares_tags()
            && !y.declares_tags()
    }
}
