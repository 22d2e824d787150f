//! The verdict of yaml.v2 on a tree: errors of its decoder, in the order it raises them.

use hashbrown::HashSet;

use super::refusal::{Accepted, Refusal};
use super::syntax::{self, Shape, shape};
use crate::arena::{Arena, Index, flag};
use crate::yaml::options::DecodeTarget;

/// Checks that yaml.v2 can decode the first document into `target`.
///
/// # Errors
/// The refusal by yaml.v2.
pub fn decode(arena: &Arena, target: DecodeTarget) -> std::result::Result<(), Refusal> {
    let target = match target {
        DecodeTarget::Value => NodeTarget::Value,
        DecodeTarget::Records(fields) => NodeTarget::Records(fields),
        DecodeTarget::Entries => NodeTarget::Entries,
    };
    let roots = arena.sections().iter().take(1);
    let todo = roots.map(|first| DecodeTask::Node(first.root, target)).collect();
    let mut decoder = Decoder {
        arena,
        todo,
        open_aliases: HashSet::new(),
        outermost_alias: 0,
        decoded: 1,
        expanded: 0,
    };
    decoder.run().map_err(|refusal| *refusal)
}

/// The field of a record that has a value of any type; the others are scalars.
const ANY_VALUE: &str = "value";

#[derive(Clone, Copy)]
enum NodeTarget {
    Value,
    Records(&'static [&'static str]),
    /// A record of these fields.
    Record(&'static [&'static str]),
    /// A mapping whose keys are text.
    Entries,
    Text,
}

/// A task; the last one of the stack is done next.
enum DecodeTask {
    Node(Index, NodeTarget),
    /// Decodes the items of a sequence, from one node up to another.
    Items(Index, Index, NodeTarget),
    /// Decodes the entries of a mapping, from one node up to another.
    Entries(Index, Index, NodeTarget),
    Key(Index),
    Merge(Index, NodeTarget),
    /// Decodes an item of a list after `<<`.
    Source(Index, NodeTarget),
    /// Ends the node of an alias.
    Leave(Index),
}

struct Decoder<'a> {
    arena: &'a Arena,
    todo: Vec<DecodeTask>,
    /// Aliases that are being decoded.
    open_aliases: HashSet<Index>,
    /// The outermost of them.
    outermost_alias: Index,
    /// Number of decoded nodes, the document included.
    decoded: u64,
    /// Number of nodes that were decoded through an alias.
    expanded: u64,
}

impl Decoder<'_> {
    fn run(&mut self) -> Accepted<()> {
        while let Some(task) = self.todo.pop() {
            match task {
                DecodeTask::Node(i, target) => self.node(i, target)?,
                DecodeTask::Items(at, end, target) => self.item(at, end, target),
                DecodeTask::Entries(at, end, target) => self.entry(at, end, target),
                DecodeTask::Key(i) => self.key(i)?,
                DecodeTask::Merge(i, target) => self.merge(i, target)?,
                DecodeTask::Source(i, target) => self.source(i, target)?,
                DecodeTask::Leave(i) => drop(self.open_aliases.remove(&i)),
            }
        }
        Ok(())
    }

    /// Decodes a node. A node of the wrong type is reported by the compiler of ops.
    fn node(&mut self, i: Index, target: NodeTarget) -> Accepted<()> {
        self.count()?;
        let first = i + 1;
        let end = self.arena.next(i);
        match (shape(self.arena, i), target) {
            (Shape::Alias, _) => self.alias(i, target)?,
            (Shape::Scalar, _) if self.arena.tag(i).is_some() => {
                self.arena.typed(i).map_err(|message| self.refusal(i, message))?;
            }
            (Shape::Sequence, NodeTarget::Value) => {
                self.todo.push(DecodeTask::Items(first, end, target));
            }
            (Shape::Sequence, NodeTarget::Records(fields)) => {
                self.todo.push(DecodeTask::Items(first, end, NodeTarget::Record(fields)));
            }
            (
                Shape::Mapping,
                NodeTarget::Value | NodeTarget::Record(_) | NodeTarget::Entries,
            ) => {
                self.todo.push(DecodeTask::Entries(first, end, target));
            }
            (Shape::Scalar | Shape::Sequence | Shape::Mapping, _) => {}
        }
        Ok(())
    }

    /// Counts a node, and refuses a document if too many of them come from aliases.
    fn count(&mut self) -> Accepted<()> {
        self.decoded += 1;
        self.expanded += u64::from(!self.open_aliases.is_empty());
        // As in yaml.v2, which never refuses a small document.
        if self.expanded > 100
            && self.decoded > 1000
            && self.expanded as f64 / self.decoded as f64 > allowed_ratio(self.decoded)
        {
            let message = "document contains excessive aliasing";
            return Err(self.refusal(self.outermost_alias, message));
        }
        Ok(())
    }

    fn alias(&mut self, i: Index, target: NodeTarget) -> Accepted<()> {
        if self.open_aliases.is_empty() {
            self.outermost_alias = i;
        }
        if !self.open_aliases.insert(i) {
            let name = self.arena.raw(i).trim_start_matches('*');
            return Err(self.refusal(i, format!("anchor '{name}' value contains itself")));
        }
        self.todo.push(DecodeTask::Leave(i));
        self.todo.push(DecodeTask::Node(self.arena.target(i), target));
        Ok(())
    }

    fn item(&mut self, at: Index, end: Index, target: NodeTarget) {
        if at < end {
            self.todo.push(DecodeTask::Items(self.arena.next(at), end, target));
            self.todo.push(DecodeTask::Node(at, target));
        }
    }

    fn entry(&mut self, key: Index, end: Index, target: NodeTarget) {
        if key >= end {
            return;
        }
        let value = self.arena.next(key);
        self.todo.push(DecodeTask::Entries(self.arena.next(value), end, target));
        match target {
            _ if self.arena.has(key, flag::MERGE_KEY) => {
                self.todo.push(DecodeTask::Merge(value, target));
            }
            NodeTarget::Record(fields) => {
                let name = self.arena.string(self.arena.target(key));
                if fields.contains(&&*name) {
                    let any = name == ANY_VALUE;
                    let target = if any { NodeTarget::Value } else { NodeTarget::Text };
                    self.todo.push(DecodeTask::Node(value, target));
                }
                self.todo.push(DecodeTask::Node(key, NodeTarget::Text));
            }
            NodeTarget::Entries => {
                // The value of a key that is no text is not decoded.
                if shape(self.arena, self.arena.target(key)) == Shape::Scalar {
                    self.todo.push(DecodeTask::Node(value, NodeTarget::Value));
                }
                self.todo.push(DecodeTask::Node(key, NodeTarget::Text));
            }
            _ => self.todo.extend([
                DecodeTask::Node(value, target),
                DecodeTask::Key(key),
                DecodeTask::Node(key, target),
            ]),
        }
    }

    fn key(&mut self, i: Index) -> Accepted<()> {
        match shape(self.arena, self.arena.target(i)) {
            Shape::Sequence | Shape::Mapping => {
                let key = syntax::render(self.arena, i);
                Err(self.refusal(i, format!("invalid map key: {key}")))
            }
            Shape::Scalar | Shape::Alias => Ok(()),
        }
    }

    fn merge(&mut self, i: Index, target: NodeTarget) -> Accepted<()> {
        if shape(self.arena, i) != Shape::Sequence {
            return self.source(i, target);
        }
        self.todo.extend(self.arena.children(i).map(|i| DecodeTask::Source(i, target)));
        Ok(())
    }

    fn source(&mut self, i: Index, target: NodeTarget) -> Accepted<()> {
        if shape(self.arena, self.arena.target(i)) != Shape::Mapping {
            let message = "map merge requires map or sequence of maps as the value";
            return Err(self.refusal(i, message));
        }
        self.node(i, target)
    }

    fn refusal(&self, i: Index, message: impl Into<String>) -> Box<Refusal> {
        Box::new(Refusal::new(message, self.arena.span(i).start as usize))
    }
}

/// Returns the ratio of decoded nodes that may come from aliases.
fn allowed_ratio(decoded: u64) -> f64 {
    // As in yaml.v2: nearly all nodes of a small document, a tenth of a large one.
    const SMALL: u64 = 400_000;
    const LARGE: u64 = 4_000_000;
    let beyond = decoded.clamp(SMALL, LARGE) - SMALL;
    0.99 - 0.89 * (beyond as f64 / (LARGE - SMALL) as f64)
}
