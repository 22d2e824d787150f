//! The evaluation of a query. It walks the nodes that the query asks for and no others.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::equality::{compare, is_equal_scalar, is_json_equal};
use super::i_regexp::IRegexp;
use super::query::Query;
use super::syntax::{Comparison, Condition, Nested, Operand, Segment, Selector};
use crate::diagnostic::{Diagnostic, Result};
use crate::node::{Kind, NodeId, Path, Step, Tree};

use crate::scalar::Scalar;

/// Maximum number of steps of a query, unless a caller sets another: about a second. A step
/// visits a child or compares a node.
pub const MAX_STEPS: u64 = 20_000_000;

/// Number of bytes of a text that are read in one step.
const BYTES_PER_STEP: usize = 64;

/// The evaluation of queries on one tree.
pub struct Selection<'t> {
    tree: &'t Tree,
    /// The node that `$` stands for.
    root: NodeId,
    limit: u64,
    steps_left: u64,
    /// The patterns met so far; `None` for a text that is no I-Regexp.
    patterns: HashMap<String, Option<IRegexp>>,
}

/// The way in which selected nodes are kept: with or without the steps that lead to them.
trait Trail {
    type At: Copy;
    fn child(&mut self, at: Self::At, step: Step, node: NodeId) -> Self::At;
    fn node(&self, at: Self::At) -> NodeId;
}

/// Nodes alone.
struct Nodes;

impl Trail for Nodes {
    type At = NodeId;

    fn child(&mut self, _: NodeId, _: Step, node: NodeId) -> NodeId {
        node
    }

    fn node(&self, at: NodeId) -> NodeId {
        at
    }
}

/// Nodes with the visit of the collection around them, by number; the first is the root.
struct Visits(Vec<(NodeId, Option<(u32, Step)>)>);

impl Trail for Visits {
    type At = u32;

    fn child(&mut self, at: u32, step: Step, node: NodeId) -> u32 {
        self.0.push((node, Some((at, step))));
        self.0.len() as u32 - 1
    }

    fn node(&self, at: u32) -> NodeId {
        self.0[at as usize].0
    }
}

impl Visits {
    fn path(&self, mut at: u32) -> Path {
        let mut path = Path::new();
        while let (_, Some((around, step))) = self.0[at as usize] {
            path.push(step);
            at = around;
        }
        path.reverse();
        path
    }
}

/// A value in a comparison; `None` is Nothing, the result of a query without a node.
type Value<'t> = Option<Compared<'t>>;

enum Compared<'t> {
    Scalar(Scalar<'t>),
    Collection(NodeId),
}

impl<'t> Selection<'t> {
    /// Creates the evaluation of queries on a document, whose root is `root`. A query fails
    /// once all queries together took more than `limit` steps.
    pub fn new(tree: &'t Tree, root: NodeId, limit: u64) -> Selection<'t> {
        let patterns = HashMap::new();
        Selection { tree, root, limit, steps_left: limit, patterns }
    }

    /// Returns the nodes that a query selects, in its order, each with the way to it. A node
    /// may be there several times.
    ///
    /// # Errors
    /// The query takes more steps than allowed.
    pub fn select(&mut self, query: &Query) -> Result<Vec<(NodeId, Path)>> {
        let mut visits = Visits(vec![(self.root, None)]);
        let found = self.run(&query.segments, &mut visits, 0)?;
        let found = found.into_iter();
        Ok(found.map(|at| (visits.node(at), visits.path(at))).collect())
    }

    fn run<T: Trail>(
        &mut self,
        segments: &[Segment],
        trail: &mut T,
        start: T::At,
    ) -> Result<Vec<T::At>> {
        let mut found = vec![start];
        for segment in segments {
            let mut next = Vec::new();
            for at in found {
                if segment.descends {
                    self.descend(segment, trail, at, &mut next)?;
                } else {
                    self.choose(segment, trail, at, &mut next)?;
                }
            }
            found = next;
        }
        Ok(found)
    }

    /// Adds what a segment selects from the children of a node.
    fn choose<T: Trail>(
        &mut self,
        segment: &Segment,
        trail: &mut T,
        at: T::At,
        found: &mut Vec<T::At>,
    ) -> Result<()> {
        let tree = self.tree;
        if let [Selector::Name(name)] = &segment.selectors[..] {
            self.take_steps(1)?;
            let member = tree.member(trail.node(at), name);
            found.extend(member.map(|(key, node)| trail.child(at, Step::Key(key), node)));
            return Ok(());
        }
        let mut children = Vec::new();
        tree.children_of(trail.node(at), &mut children);
        self.take_steps(children.len())?;
        self.pick(segment, trail, at, &children, found)
    }

    /// Adds what a segment selects from the children of a node and of its descendants.
    fn descend<T: Trail>(
        &mut self,
        segment: &Segment,
        trail: &mut T,
        at: T::At,
        found: &mut Vec<T::At>,
    ) -> Result<()> {
        let (mut todo, mut children) = (vec![at], Vec::new());
        while let Some(at) = todo.pop() {
            children.clear();
            self.tree.children_of(trail.node(at), &mut children);
            self.take_steps(children.len())?;
            self.pick(segment, trail, at, &children, found)?;
            let is_collection = |node| self.tree.kind(node) != Kind::Scalar;
            let inner = children.iter().rev().filter(|&&(_, node)| is_collection(node));
            todo.extend(inner.map(|&(step, node)| trail.child(at, step, node)));
        }
        Ok(())
    }

    fn pick<T: Trail>(
        &mut self,
        segment: &Segment,
        trail: &mut T,
        at: T::At,
        children: &[(Step, NodeId)],
        found: &mut Vec<T::At>,
    ) -> Result<()> {
        let mut take =
            |child: &(Step, NodeId)| found.push(trail.child(at, child.0, child.1));
        let is_list = matches!(children.first(), Some((Step::Index(_), _)));
        let items = if is_list { children } else { &[] };
        for selector in &segment.selectors {
            match selector {
                Selector::Name(name) => {
                    let is = |child: &&(Step, NodeId)| self.is_member(child.0, name);
                    children.iter().rev().find(is).into_iter().for_each(&mut take);
                }
                Selector::Wildcard => children.iter().for_each(&mut take),
                Selector::Index(index) => {
                    let from_start =
                        if *index < 0 { index + items.len() as i64 } else { *index };
                    let place = usize::try_from(from_start).ok();
                    let item = place.and_then(|place| items.get(place));
                    item.into_iter().for_each(&mut take);
                }
                Selector::Slice(slice) => {
                    let positions = slice.positions(items.len());
                    positions.filter_map(|place| items.get(place)).for_each(&mut take);
                }
                Selector::Filter(condition) => {
                    for child in children {
                        if self.holds(condition, child.1)? {
                            take(child);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn is_member(&self, step: Step, name: &str) -> bool {
        let Step::Key(key) = step else { return false };
        self.tree.is_member_name(key, name)
    }

    fn take_steps(&mut self, count: usize) -> Result<()> {
        self.steps_left = self.steps_left.saturating_sub(count as u64 + 1);
        if self.steps_left > 0 {
            return Ok(());
        }
        let message = format!("the query takes more than {} steps", self.limit);
        Err(Diagnostic::error(message).hint("`--limit query-steps=N` raises the limit"))
    }

    fn read_text(&mut self, text: &str) -> Result<()> {
        self.take_steps(text.len() / BYTES_PER_STEP)
    }

    pub(super) fn holds(&mut self, condition: &Condition, child: NodeId) -> Result<bool> {
        match condition {
            Condition::Any(parts) => {
                for part in parts {
                    if self.holds(part, child)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Condition::All(parts) => {
                for part in parts {
                    if !self.holds(part, child)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Condition::Not(part) => Ok(!self.holds(part, child)?),
            Condition::Exists(nested) => Ok(!self.nodes(nested, child)?.is_empty()),
            Condition::Compare(left, comparison, right) => {
                let (left, right) = (self.value(left, child)?, self.value(right, child)?);
                self.compare(left, *comparison, right)
            }
            Condition::Regexp { whole, text, pattern } => {
                let (text, pattern) =
                    (self.value(text, child)?, self.value(pattern, child)?);
                self.matches(text, pattern, *whole)
            }
        }
    }

    fn nodes(&mut self, nested: &Nested, child: NodeId) -> Result<Vec<NodeId>> {
        let start = if nested.is_absolute { self.root } else { child };
        self.run(&nested.segments, &mut Nodes, start)
    }

    fn value(&mut self, operand: &Operand, child: NodeId) -> Result<Value<'t>> {
        let count = |number: usize| Some(Compared::Scalar(Scalar::Int(number as i128)));
        Ok(match operand {
            Operand::Literal(scalar) => Some(Compared::Scalar(scalar.clone())),
            Operand::Singular(nested) => {
                self.nodes(nested, child)?.first().map(|&node| self.compared(node))
            }
            Operand::Count(nested) => count(self.nodes(nested, child)?.len()),
            Operand::Value(nested) => match self.nodes(nested, child)?[..] {
                [node] => Some(self.compared(node)),
                _ => None,
            },
            Operand::Length(operand) => match self.value(operand, child)? {
                Some(Compared::Scalar(Scalar::String(text))) => {
                    self.read_text(&text)?;
                    count(text.chars().count())
                }
                Some(Compared::Collection(node)) => {
                    let mut children = Vec::new();
                    self.tree.children_of(node, &mut children);
                    self.take_steps(children.len())?;
                    count(children.len())
                }
                Some(Compared::Scalar(_)) | None => None,
            },
        })
    }

    fn compared(&self, node: NodeId) -> Compared<'t> {
        match self.tree.kind(node) {
            Kind::Scalar => Compared::Scalar(self.tree.scalar_as_written(node)),
            Kind::Sequence | Kind::Mapping => Compared::Collection(node),
        }
    }

    fn compare(
        &mut self,
        left: Value<'t>,
        comparison: Comparison,
        right: Value<'t>,
    ) -> Result<bool> {
        let order = |left: &Value<'t>, right: &Value<'t>| match (left, right) {
            (Some(Compared::Scalar(left)), Some(Compared::Scalar(right))) => {
                compare(left, right)
            }
            _ => None,
        };
        let equal = self.is_equal(&left, &right)?;
        let order = order(&left, &right);
        Ok(match comparison {
            Comparison::Equal => equal,
            Comparison::NotEqual => !equal,
            Comparison::Less => order == Some(Ordering::Less),
            Comparison::AtMost => equal || order == Some(Ordering::Less),
            Comparison::Greater => order == Some(Ordering::Greater),
            Comparison::AtLeast => equal || order == Some(Ordering::Greater),
        })
    }

    fn is_equal(&mut self, left: &Value<'t>, right: &Value<'t>) -> Result<bool> {
        Ok(match (left, right) {
            (None, None) => true,
            (Some(Compared::Scalar(left)), Some(Compared::Scalar(right))) => {
                if let Scalar::String(text) = left {
                    self.read_text(text)?;
                }
                is_equal_scalar(left, right)
            }
            (Some(Compared::Collection(left)), Some(Compared::Collection(right))) => {
                let equal = is_json_equal(self.tree, *left, *right, &mut self.steps_left);
                self.take_steps(0)?;
                equal
            }
            _ => false,
        })
    }

    fn matches(
        &mut self,
        text: Value<'t>,
        pattern: Value<'t>,
        whole: bool,
    ) -> Result<bool> {
        let (
            Some(Compared::Scalar(Scalar::String(text))),
            Some(Compared::Scalar(Scalar::String(pattern))),
        ) = (text, pattern)
        else {
            return Ok(false);
        };
        if !self.patterns.contains_key(&*pattern) {
            self.read_text(&pattern)?;
            self.patterns.insert(pattern.to_string(), IRegexp::parse(&pattern).ok());
        }
        let Some(Some(regexp)) = self.patterns.get(&*pattern) else { return Ok(false) };
        let steps = regexp.cost(&text);
        let matches = regexp.matches(&text, whole);
        self.take_steps(steps)?;
        Ok(matches)
    }
}
