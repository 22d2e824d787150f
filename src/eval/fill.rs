//! Evaluates a document in place. A patched document in, the same document with every
//! template and expression replaced by its value out. Everything else keeps its bytes.

use std::collections::BTreeSet;
use std::sync::Arc;

use hashbrown::HashSet;

use super::{Scope, Session, Strict, Thunk, complete, read, write};
use crate::arena::Style;
use crate::eval::python::{Class, Exception, Result, Secrecy, Value};
use crate::node::{Kind, NodeId, Seat, Tree};
use crate::source::FileId;

/// Evaluates the given documents of the stream, each with its own names. Returns the new
/// nodes whose values differ from run to run. A value that needs itself is an error.
///
/// # Errors
/// The exceptions of all sources that cannot be evaluated.
pub fn fill(
    document: &mut Tree,
    roots: impl IntoIterator<Item = usize>,
    session: &mut Session,
) -> std::result::Result<HashSet<NodeId>, Vec<Exception>> {
    session.strict = Strict::Cycles;
    let mut failures = Vec::new();
    let mut by_chance = HashSet::new();
    let written = Arc::new(document.clone());
    let mut marks = Vec::new();
    if document.has_secrets() {
        session.context.raise_secrecy(Secrecy::Private);
    }
    for root in roots {
        session.set_document(read::read(&written, document.roots()[root]));
        let done = session.run(|scope, held| {
            let mut fill = Fill {
                document: &mut *document,
                written: &written,
                scope,
                marks: &mut marks,
                met: HashSet::new(),
                by_chance: &mut by_chance,
                failures: Vec::new(),
            };
            fill.all(Seat::Root(root), held.clone());
            Ok(fill.failures)
        });
        match done {
            Ok(found) => failures.extend(found),
            Err(failure) => failures.push(*failure),
        }
    }
    // A source that many others need fails for each of them: report it once.
    let mut told = BTreeSet::new();
    failures.retain(|failure: &Exception| {
        told.insert((failure.message.clone(), failure.place()))
    });
    let failures = failures.into_iter().map(Box::new);
    let hidden: Vec<_> = failures.map(|one| *session.context.hide(one)).collect();
    if hidden.is_empty() { Ok(by_chance) } else { Err(hidden) }
}

/// Returns true if a node is a template or an expression.
pub fn is_source(document: &Tree, node: NodeId, session: &Session) -> bool {
    !is_data(document, node) && session.context.speaks(&read::glance(document, node))
}

/// Returns true if a node has a tag by which it is not evaluated, whatever it says.
pub fn is_data(document: &Tree, node: NodeId) -> bool {
    read::is_unsafe(document, node)
}

struct Fill<'a> {
    document: &'a mut Tree,
    /// The document before evaluation.
    written: &'a Arc<Tree>,
    scope: &'a Scope,
    /// The offsets of marks in the texts seen so far; nothing if a language has no marks.
    marks: &'a mut Vec<(FileId, Option<Vec<u32>>)>,
    /// The opened nodes that were visited: one may stand in several places.
    met: HashSet<u32>,
    /// The new nodes whose values differ from run to run.
    by_chance: &'a mut HashSet<NodeId>,
    failures: Vec<Exception>,
}

impl Fill<'_> {
    fn all(&mut self, root: Seat, held: Value) {
        let mut todo = vec![(root, held)];
        while let Some((seat, value)) = todo.pop() {
            if let Err(exception) = self.place(seat, &value, &mut todo) {
                self.failures.push(*exception);
            }
        }
    }

    /// Evaluates the node at a seat, or adds its members to `todo`.
    fn place(
        &mut self,
        seat: Seat,
        value: &Value,
        todo: &mut Vec<(Seat, Value)>,
    ) -> Result<()> {
        let node = self.document.node_at(seat);
        if let NodeId::Clean(file, i) = node {
            let alias = self.document.arena(file).style(i) == Style::Alias;
            // Most nodes hold no mark: skipping them keeps a large document from being
            // opened.
            if alias || !self.is_marked(file, i) {
                return Ok(());
            }
        }
        if read::is_unsafe(self.document, node) {
            return Ok(());
        }
        let source = read::glance(self.document, node);
        if self.scope.context.speaks(&source) {
            return self.replace(seat, node, value, &source);
        }
        if self.document.kind(node) == Kind::Scalar {
            return Ok(());
        }
        let value = value.force()?;
        let Some(id) = self.document.open(seat, true) else { return Ok(()) };
        self.set_alias_value(node, NodeId::Opened(id));
        if self.met.insert(id) {
            self.children(id, &value, todo);
        }
        Ok(())
    }

    fn replace(
        &mut self,
        seat: Seat,
        node: NodeId,
        value: &Value,
        source: &Value,
    ) -> Result<()> {
        let context = &self.scope.context;
        let chances = context.volatile_reads();
        let value = value.force().and_then(|value| complete(&value, context));
        match value.map_err(|exception| exception.located(source)) {
            Ok(value) => {
                if matches!((&value, source), (Value::Str(a), Value::Str(b)) if a == b) {
                    return Ok(());
                }
                // A number that is the value of a variable carries no mark.
                let new = write::write_result(self.document, &value, context);
                let new = new.map_err(|exception| exception.located(source))?;
                self.document.set_at(seat, new, None);
                self.set_alias_value(node, new);
                if context.volatile_reads() > chances {
                    self.by_chance.insert(new);
                }
                Ok(())
            }
            Err(raised) if raised.class == Class::Omitted => self.omit(seat, raised),
            Err(exception) => Err(exception),
        }
    }

    fn omit(&mut self, seat: Seat, exception: Box<Exception>) -> Result<()> {
        let Seat::Slot(id, at) = seat else { return Err(exception) };
        match self.document.children(id).get(at).key {
            Some(key) => self.document.remove_entry_of(id, key),
            None => self.document.remove_item(id, at),
        }
        Ok(())
    }

    fn set_alias_value(&mut self, node: NodeId, new: NodeId) {
        if let NodeId::Clean(file, i) = node
            && self.document.arena(file).anchor(i).is_some()
        {
            self.document.set_alias_value(file, i, new);
        }
    }

    fn children(&mut self, id: u32, value: &Value, todo: &mut Vec<(Seat, Value)>) {
        let ids: Vec<_> = self.document.children(id).ids().collect();
        let first = todo.len();
        for (i, at) in ids.into_iter().enumerate() {
            let slot = *self.document.children(id).get(at);
            let key = slot.key.and_then(|key| read::key(self.document, key));
            let member = match (value, key) {
                (Value::Dict(entries), Some(key)) => entries.read().get(&key).cloned(),
                (Value::List(items), None) => items.read().get(i).cloned(),
                _ => None,
            };
            // The value of a `<<` has no key in the mapping.
            let member = member.unwrap_or_else(|| {
                Thunk::of(&read::read(self.written, slot.value), self.scope)
            });
            todo.push((Seat::Slot(id, at), member));
        }
        // The last is taken first: this keeps the order of the document for messages.
        todo[first..].reverse();
    }

    /// Returns true if node `i` or a node in it may be a source.
    fn is_marked(&mut self, file: FileId, i: crate::arena::Index) -> bool {
        let known = self.marks.iter().position(|&(other, _)| other == file);
        let known = known.unwrap_or_else(|| {
            let marks = self.found(self.document.arena(file).text());
            self.marks.push((file, marks));
            self.marks.len() - 1
        });
        let (start, end) = self.document.arena(file).extent(i);
        let Some((_, Some(marks))) = self.marks.get(known) else { return true };
        marks.get(marks.partition_point(|&at| at < start)).is_some_and(|&at| at < end)
    }

    /// Returns the offsets of the marks of all languages in a text, sorted.
    fn found(&self, text: &str) -> Option<Vec<u32>> {
        let dialects = self.scope.context.dialects.iter();
        let marks = dialects.map(|d| d.marks()).collect::<Option<Vec<_>>>()?;
        // A double-quoted scalar may write a mark with escapes.
        let all = marks.into_iter().flatten().copied().chain(["\\x", "\\u", "\\U"]);
        let found = all.flat_map(|mark| text.match_indices(mark));
        let mut found: Vec<u32> = found.map(|(at, _)| at as u32).collect();
        found.sort_unstable();
        Some(found)
    }
}
