//! The verdict of yaml.v2 on a tree: what it refuses when it makes values of the nodes,
//! in the order in which it comes to them.

use std::collections::HashSet;

use super::refusal::{Refusal, Result};
use super::syntax::{self, Shape, shape};
use crate::arena::{Arena, Index, flag};
use crate::yaml::options::Target;

/// Says why the first document is refused as what it is to become, if it is.
///
/// # Errors
/// What yaml.v2 says.
pub fn decode(arena: &Arena, target: Target) -> std::result::Result<(), Refusal> {
    let want = match target {
        Target::Value => Want::Value,
        Target::Records(fields) => Want::Records(fields),
        Target::Entries => Want::Entries,
    };
    let roots = arena.sections().iter().take(1);
    let todo = roots.map(|first| Task::Node(first.root, want)).collect();
    let mut decoder = Decoder {
        arena,
        todo,
        inside: HashSet::new(),
        outermost: 0,
        seen: 1,
        expanded: 0,
    };
    decoder.run().map_err(|refusal| *refusal)
}

/// What a node is to become.
#[derive(Clone, Copy)]
enum Want {
    Value,
    Records(&'static [&'static str]),
    /// A record of these fields.
    Record(&'static [&'static str]),
    /// A mapping whose keys are text.
    Entries,
    Text,
}

/// What is left to do. Last in, first out.
enum Task {
    Node(Index, Want),
    /// The items of a sequence from here on, up to the end.
    Items(Index, Index, Want),
    /// The entries of a mapping from here on, up to the end.
    Entries(Index, Index, Want),
    /// A key that was decoded.
    Key(Index),
    /// What stands after `<<`.
    Merge(Index, Want),
    /// What stands in a list after `<<`.
    Source(Index, Want),
    /// The end of what an alias stands for.
    Leave(Index),
}

struct Decoder<'a> {
    arena: &'a Arena,
    todo: Vec<Task>,
    /// Aliases being decoded.
    inside: HashSet<Index>,
    /// The outermost of them.
    outermost: Index,
    /// How many nodes were decoded, the document included.
    seen: u64,
    /// How many of them by way of an alias.
    expanded: u64,
}

impl Decoder<'_> {
    fn run(&mut self) -> Result<()> {
        while let Some(task) = self.todo.pop() {
            match task {
                Task::Node(i, want) => self.node(i, want)?,
                Task::Items(at, end, want) => self.item(at, end, want),
                Task::Entries(at, end, want) => self.entry(at, end, want),
                Task::Key(i) => self.key(i)?,
                Task::Merge(i, want) => self.merge(i, want)?,
                Task::Source(i, want) => self.source(i, want)?,
                Task::Leave(i) => drop(self.inside.remove(&i)),
            }
        }
        Ok(())
    }

    /// Decodes a node; one of the wrong kind is left for others to complain of.
    fn node(&mut self, i: Index, want: Want) -> Result<()> {
        self.count()?;
        let (first, end) = (i + 1, self.arena.next(i));
        match (shape(self.arena, i), want) {
            (Shape::Alias, _) => self.alias(i, want)?,
            (Shape::Scalar, _) if self.arena.tag(i).is_some() => {
                self.arena.typed(i).map_err(|message| self.refusal(i, message))?;
            }
            (Shape::Sequence, Want::Value) => {
                self.todo.push(Task::Items(first, end, want));
            }
            (Shape::Sequence, Want::Records(fields)) => {
                self.todo.push(Task::Items(first, end, Want::Record(fields)));
            }
            (Shape::Mapping, Want::Value | Want::Record(_) | Want::Entries) => {
                self.todo.push(Task::Entries(first, end, want));
            }
            (Shape::Scalar | Shape::Sequence | Shape::Mapping, _) => {}
        }
        Ok(())
    }

    /// Counts a node and refuses too many that come from aliases.
    fn count(&mut self) -> Result<()> {
        self.seen += 1;
        self.expanded += u64::from(!self.inside.is_empty());
        if self.expanded > 100 && self.seen > 1000 {
            let ratio = self.expanded as f64 / self.seen as f64;
            if ratio > allowed_ratio(self.seen) {
                let message = "document contains excessive aliasing";
                return Err(self.refusal(self.outermost, message));
            }
        }
        Ok(())
    }

    fn alias(&mut self, i: Index, want: Want) -> Result<()> {
        if self.inside.is_empty() {
            self.outermost = i;
        }
        if !self.inside.insert(i) {
            let name = self.arena.raw(i).trim_start_matches('*');
            return Err(self.refusal(i, format!("anchor '{name}' value contains itself")));
        }
        self.todo.push(Task::Leave(i));
        self.todo.push(Task::Node(self.arena.target(i), want));
        Ok(())
    }

    fn item(&mut self, at: Index, end: Index, want: Want) {
        if at < end {
            self.todo.push(Task::Items(self.arena.next(at), end, want));
            self.todo.push(Task::Node(at, want));
        }
    }

    fn entry(&mut self, key: Index, end: Index, want: Want) {
        if key >= end {
            return;
        }
        let value = self.arena.next(key);
        self.todo.push(Task::Entries(self.arena.next(value), end, want));
        match want {
            _ if self.arena.has(key, flag::MERGE_KEY) => {
                self.todo.push(Task::Merge(value, want));
            }
            Want::Record(fields) => {
                let name = self.arena.string(self.arena.target(key));
                if fields.contains(&&*name) {
                    self.todo.push(Task::Node(value, Want::Value));
                }
                self.todo.push(Task::Node(key, Want::Text));
            }
            Want::Entries => self
                .todo
                .extend([Task::Node(value, Want::Value), Task::Node(key, Want::Text)]),
            _ => self.todo.extend([
                Task::Node(value, want),
                Task::Key(key),
                Task::Node(key, want),
            ]),
        }
    }

    fn key(&mut self, i: Index) -> Result<()> {
        match shape(self.arena, self.arena.target(i)) {
            Shape::Sequence | Shape::Mapping => {
                let key = syntax::render(self.arena, i);
                Err(self.refusal(i, format!("invalid map key: {key}")))
            }
            Shape::Scalar | Shape::Alias => Ok(()),
        }
    }

    fn merge(&mut self, i: Index, want: Want) -> Result<()> {
        if shape(self.arena, i) != Shape::Sequence {
            return self.source(i, want);
        }
        self.todo.extend(self.arena.children(i).map(|i| Task::Source(i, want)));
        Ok(())
    }

    fn source(&mut self, i: Index, want: Want) -> Result<()> {
        if shape(self.arena, self.arena.target(i)) != Shape::Mapping {
            let message = "map merge requires map or sequence of maps as the value";
            return Err(self.refusal(i, message));
        }
        self.node(i, want)
    }

    fn refusal(&self, i: Index, message: impl Into<String>) -> Box<Refusal> {
        Box::new(Refusal::new(message, self.arena.span(i).start as usize))
    }
}

/// What part of so many nodes may come from aliases: nearly all of a small document, a
/// tenth of a large one.
fn allowed_ratio(seen: u64) -> f64 {
    const SMALL: u64 = 400_000;
    const LARGE: u64 = 4_000_000;
    let beyond = seen.clamp(SMALL, LARGE) - SMALL;
    0.99 - 0.89 * (beyond as f64 / (LARGE - SMALL) as f64)
}
