//! The evaluation of a query. It walks the nodes that the query asks for and no others.

use std::cmp::Ordering;
use std::iter::successors;

use hashbrown::HashMap;

use super::budget::QueryBudget;
use super::i_regexp::IRegexp;
use super::query::Query;
use super::syntax::{ComparisonOp, Condition, Nested, Operand, Segment, Selector};
use crate::compare::{compare_scalars, is_equal_scalar, is_json_equal};
use crate::diagnostic::Result;
use crate::node::{Kind, NodeId, Path, Step, Tree};
use crate::scalar::Scalar;

/// Number of bytes of a text that are read in one step.
// Reading a text of this size takes as long as visiting a child.
const BYTES_PER_STEP: usize = 64;

/// Number of steps of a path, or instructions of a pattern, that are copied in one step.
// Copying a word takes far less time than visiting a child.
const COPIES_PER_STEP: usize = 16;

/// Maximum number of instructions of all patterns that are kept.
// The texts of a document may be patterns, and each of them large when written out.
const MAX_KEPT_INSTRUCTIONS: usize = 1_000_000;

/// The evaluation of queries on one tree.
pub struct Selection<'t, 'b> {
    tree: &'t Tree,
    /// The node that `$` stands for.
    root: NodeId,
    budget: &'b mut QueryBudget,
    /// The bytes that queries around a nested one keep.
    kept: usize,
    /// The patterns met so far; `None` for a text that is no I-Regexp.
    patterns: HashMap<String, Option<IRegexp>>,
    /// Number of instructions of these patterns.
    instructions: usize,
}

/// A value in a comparison; `None` is Nothing, the result of a query without a node.
type Comparable<'t> = Option<ComparedValue<'t>>;

enum ComparedValue<'t> {
    Scalar(Scalar<'t>),
    Collection(NodeId),
}

impl<'t, 'b> Selection<'t, 'b> {
    /// Creates the evaluation of queries on a document, whose root is `root`.
    pub fn new(
        tree: &'t Tree,
        root: NodeId,
        budget: &'b mut QueryBudget,
    ) -> Selection<'t, 'b> {
        let patterns = HashMap::new();
        Selection { tree, root, budget, kept: 0, patterns, instructions: 0 }
    }

    /// Returns the nodes that a query selects, in its order, each with the way to it. A node
    /// may be there several times.
    ///
    /// # Errors
    /// The query takes more steps or bytes than the budget has.
    pub fn select(&mut self, query: &Query) -> Result<Vec<(NodeId, Path)>> {
        let mut visits = Visits::from(self.root);
        let found = self.run(&query.segments, &mut visits, 0)?;
        let mut selected = Vec::new();
        let mut bytes = visits.size();
        for at in found {
            let path = visits.path(at);
            self.take_steps(path.len() / COPIES_PER_STEP)?;
            bytes += size_of::<(NodeId, Path)>() + path.len() * size_of::<Step>();
            self.budget.check_kept(bytes)?;
            selected.push((visits.node(at), path));
        }
        Ok(selected)
    }

    fn run<T: Trail>(
        &mut self,
        segments: &[Segment],
        trail: &mut T,
        start: T::At,
    ) -> Result<Vec<T::At>> {
        let around = self.kept;
        let mut found = vec![start];
        for segment in segments {
            let mut next = Vec::new();
            let before = found.len() * size_of::<T::At>();
            for at in found {
                self.kept = around + before;
                self.advance(segment, trail, at, &mut next)?;
            }
            found = next;
        }
        self.kept = around;
        Ok(found)
    }

    /// Adds what a segment selects from the children of a node and, if it descends, of its
    /// descendants.
    pub(super) fn advance<T: Trail>(
        &mut self,
        segment: &Segment,
        trail: &mut T,
        at: T::At,
        found: &mut Vec<T::At>,
    ) -> Result<()> {
        let tree = self.tree;
        match &segment.selectors[..] {
            [Selector::Name(name)] if !segment.descends => {
                let node = trail.node(at);
                self.take_steps(tree.entries_to_read(node))?;
                let member = tree.member(node, name);
                found.extend(
                    member.map(|(key, node)| trail.child(at, Step::Key(key), node)),
                );
                return Ok(());
            }
            [Selector::Index(index)] if !segment.descends => {
                let (item, passed) = tree.item_at(trail.node(at), *index);
                self.take_steps(passed)?;
                found.extend(
                    item.map(|(place, node)| trail.child(at, Step::Index(place), node)),
                );
                return Ok(());
            }
            _ => {}
        }
        let around = self.kept;
        let mut todo = vec![at];
        let mut children = Vec::new();
        while let Some(at) = todo.pop() {
            let positions = found.len() + todo.len();
            self.kept = around + trail.size() + positions * size_of::<T::At>();
            self.budget.check_kept(self.kept)?;
            children.clear();
            tree.children_of(trail.node(at), &mut children);
            // Each selector may look at all children.
            self.take_steps(children.len().saturating_mul(segment.selectors.len()))?;
            self.pick(segment, trail, at, &children, found)?;
            if segment.descends {
                let inner = children.iter().rev();
                let inner = inner.filter(|&&(_, node)| tree.kind(node) != Kind::Scalar);
                todo.extend(inner.map(|&(step, node)| trail.child(at, step, node)));
            }
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
                    let named = children.iter().rev();
                    let mut named = named.filter(|child| self.is_member(child.0, name));
                    // Of the keys `1` and `"1"`, the name is the string.
                    let string = named.clone().find(|child| self.has_string(child.0));
                    string.or_else(|| named.next()).into_iter().for_each(&mut take);
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

    fn has_string(&self, step: Step) -> bool {
        matches!(step, Step::Key(key) if self.tree.string(key).is_some())
    }

    fn take_steps(&mut self, count: usize) -> Result<()> {
        self.budget.take(count)
    }

    pub(super) fn holds(&mut self, condition: &Condition, child: NodeId) -> Result<bool> {
        self.take_steps(0)?;
        match condition {
            Condition::Any(parts) => parts
                .iter()
                .try_fold(false, |so_far, it| Ok(so_far || self.holds(it, child)?)),
            Condition::All(parts) => parts
                .iter()
                .try_fold(true, |so_far, it| Ok(so_far && self.holds(it, child)?)),
            Condition::Not(part) => Ok(!self.holds(part, child)?),
            Condition::Exists(nested) => Ok(!self.nodes(nested, child)?.is_empty()),
            Condition::Compare(left, comparison, right) => {
                let left = self.value(left, child)?;
                let right = self.value(right, child)?;
                self.compare(left, *comparison, right)
            }
            Condition::Regexp { whole, text, pattern } => {
                let text = self.value(text, child)?;
                let pattern = self.value(pattern, child)?;
                self.matches(text, pattern, *whole)
            }
        }
    }

    pub(super) fn nodes(
        &mut self,
        nested: &Nested,
        child: NodeId,
    ) -> Result<Vec<NodeId>> {
        let start = if nested.is_absolute { self.root } else { child };
        self.run(&nested.segments, &mut NoTrail, start)
    }

    fn value(&mut self, operand: &Operand, child: NodeId) -> Result<Comparable<'t>> {
        Ok(match operand {
            Operand::Literal(scalar) => {
                self.read_scalar(scalar)?;
                Some(ComparedValue::Scalar(scalar.clone()))
            }
            Operand::Singular(nested) => match self.nodes(nested, child)?.first() {
                Some(&node) => Some(self.compared(node)?),
                None => None,
            },
            Operand::Count(nested) => Some(count(self.nodes(nested, child)?.len())),
            Operand::Value(nested) => match self.nodes(nested, child)?[..] {
                [node] => Some(self.compared(node)?),
                _ => None,
            },
            Operand::Length(operand) => match self.value(operand, child)? {
                Some(ComparedValue::Scalar(Scalar::String(text))) => {
                    Some(count(text.chars().count()))
                }
                Some(ComparedValue::Collection(node)) => {
                    let mut children = Vec::new();
                    self.tree.children_of(node, &mut children);
                    self.take_steps(children.len())?;
                    Some(count(children.len()))
                }
                Some(ComparedValue::Scalar(_)) | None => None,
            },
        })
    }

    fn compared(&mut self, node: NodeId) -> Result<ComparedValue<'t>> {
        Ok(match self.tree.kind(node) {
            Kind::Scalar => {
                let scalar = self.tree.scalar_as_written(node);
                self.read_scalar(&scalar)?;
                ComparedValue::Scalar(scalar)
            }
            Kind::Sequence | Kind::Mapping => ComparedValue::Collection(node),
        })
    }

    /// Takes the steps of reading a scalar and comparing it once.
    fn read_scalar(&mut self, scalar: &Scalar<'_>) -> Result<()> {
        match scalar {
            Scalar::String(text) => self.take_steps(text.len() / BYTES_PER_STEP),
            Scalar::Binary(bytes) => self.take_steps(bytes.len() / BYTES_PER_STEP),
            // The time of reading a number grows with the square of its length.
            Scalar::Big(number) => {
                let bytes = number.bits() as usize / 8;
                self.take_steps((bytes / BYTES_PER_STEP).saturating_mul(bytes))
            }
            Scalar::Null | Scalar::Bool(_) | Scalar::Int(_) | Scalar::Float(_) => Ok(()),
        }
    }

    fn compare(
        &mut self,
        left: Comparable<'t>,
        comparison: ComparisonOp,
        right: Comparable<'t>,
    ) -> Result<bool> {
        let equal = self.is_equal(&left, &right)?;
        let order = match (left, right) {
            (Some(ComparedValue::Scalar(left)), Some(ComparedValue::Scalar(right))) => {
                compare_scalars(&left, &right)
            }
            _ => None,
        };
        Ok(match comparison {
            ComparisonOp::Equal => equal,
            ComparisonOp::NotEqual => !equal,
            ComparisonOp::Less => order == Some(Ordering::Less),
            ComparisonOp::AtMost => equal || order == Some(Ordering::Less),
            ComparisonOp::Greater => order == Some(Ordering::Greater),
            ComparisonOp::AtLeast => equal || order == Some(Ordering::Greater),
        })
    }

    fn is_equal(
        &mut self,
        left: &Comparable<'t>,
        right: &Comparable<'t>,
    ) -> Result<bool> {
        Ok(match (left, right) {
            (None, None) => true,
            (Some(ComparedValue::Scalar(left)), Some(ComparedValue::Scalar(right))) => {
                is_equal_scalar(left, right)
            }
            (
                Some(ComparedValue::Collection(left)),
                Some(ComparedValue::Collection(right)),
            ) => {
                let equal =
                    is_json_equal(self.tree, *left, *right, &mut self.budget.steps_left);
                self.take_steps(0)?;
                equal
            }
            _ => false,
        })
    }

    fn matches(
        &mut self,
        text: Comparable<'t>,
        pattern: Comparable<'t>,
        whole: bool,
    ) -> Result<bool> {
        let (
            Some(ComparedValue::Scalar(Scalar::String(text))),
            Some(ComparedValue::Scalar(Scalar::String(pattern))),
        ) = (text, pattern)
        else {
            return Ok(false);
        };
        self.compile(&pattern)?;
        let Some(Some(regexp)) = self.patterns.get(&*pattern) else { return Ok(false) };
        let steps = regexp.cost(&text);
        self.take_steps(steps)?;
        let regexp = self.patterns.get(&*pattern).and_then(Option::as_ref);
        Ok(regexp.is_some_and(|regexp| regexp.matches(&text, whole)))
    }

    /// Compiles a pattern, unless it is kept.
    fn compile(&mut self, pattern: &str) -> Result<()> {
        if self.patterns.contains_key(pattern) {
            return Ok(());
        }
        let regexp = IRegexp::parse(pattern).ok();
        let size = regexp.as_ref().map_or(0, IRegexp::size);
        self.take_steps((pattern.len() + size) / COPIES_PER_STEP)?;
        // A text that is no pattern takes space, too.
        self.instructions += size + pattern.len();
        if self.instructions > MAX_KEPT_INSTRUCTIONS {
            self.patterns.clear();
            self.instructions = size + pattern.len();
        }
        self.patterns.insert(pattern.to_owned(), regexp);
        Ok(())
    }
}

fn count<'t>(number: usize) -> ComparedValue<'t> {
    ComparedValue::Scalar(Scalar::Int(number as i128))
}

/// The nodes that a query has met, by position; the first is the root.
struct Visits(Vec<MetNode>);

/// A node that a query has met, and its step from the position around it; none of the root.
struct MetNode {
    node: NodeId,
    from: Option<(u32, Step)>,
}

impl Trail for Visits {
    type At = u32;

    fn child(&mut self, at: u32, step: Step, node: NodeId) -> u32 {
        self.0.push(MetNode { node, from: Some((at, step)) });
        self.0.len() as u32 - 1
    }

    fn node(&self, at: u32) -> NodeId {
        self.0[at as usize].node
    }

    fn size(&self) -> usize {
        self.0.len() * size_of::<MetNode>()
    }
}

impl Visits {
    /// Returns a root alone, at position 0.
    fn from(root: NodeId) -> Visits {
        Visits(vec![MetNode { node: root, from: None }])
    }

    /// Returns the steps from the root to the node at a position.
    fn path(&self, at: u32) -> Path {
        let steps =
            successors(self.0[at as usize].from, |(at, _)| self.0[*at as usize].from);
        let mut path: Path = steps.map(|(_, step)| step).collect();
        path.reverse();
        path
    }
}

/// Selected nodes, each at a position of its own.
pub(super) trait Trail {
    /// The position of a node.
    type At: Copy;

    /// Returns the position of a child of the node at a position.
    fn child(&mut self, at: Self::At, step: Step, node: NodeId) -> Self::At;

    /// Returns the node at a position.
    fn node(&self, at: Self::At) -> NodeId;

    /// Returns the number of bytes that the positions take.
    fn size(&self) -> usize;
}

/// Nodes without the steps.
pub(super) struct NoTrail;

impl Trail for NoTrail {
    type At = NodeId;

    fn child(&mut self, _: NodeId, _: Step, node: NodeId) -> NodeId {
        node
    }

    fn node(&self, at: NodeId) -> NodeId {
        at
    }

    fn size(&self) -> usize {
        0
    }
}
