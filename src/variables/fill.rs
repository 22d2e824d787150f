//! Filling in a document: every string and key with `((names))` in it is replaced by
//! what the names stand for. Only what holds a use is opened.

use std::collections::HashSet;

use super::lookup::Lookup;
use super::mark::marks;
use super::syntax::{is_whole, uses};
use crate::arena::{Index, Style};
use crate::diagnostic::Diagnostic;
use crate::node::{Document, Kind, Node, Seat};
use crate::scalar::Scalar;
use crate::source::{FileId, Span};

/// Fills in what sits at `root`.
pub(super) fn fill(document: &mut Document, root: Seat, lookup: &mut Lookup<'_>) {
    let (marks, met, filled) = (Vec::new(), HashSet::new(), HashSet::new());
    Fill { document, lookup, marks, met, filled, todo: vec![root] }.run();
}

struct Fill<'a, 'l> {
    document: &'a mut Document,
    lookup: &'a mut Lookup<'l>,
    /// The offsets at which the texts met so far may hold a use.
    marks: Vec<(FileId, Vec<u32>)>,
    /// The opened nodes met so far: one may stand in several places.
    met: HashSet<u32>,
    /// The anchored nodes for which what they became stands in.
    filled: HashSet<(FileId, Index)>,
    todo: Vec<Seat>,
}

impl Fill<'_, '_> {
    fn run(&mut self) {
        while let Some(seat) = self.todo.pop() {
            match self.document.node_at(seat) {
                Node::Clean(file, i) => self.clean(seat, file, i),
                Node::Opened(id) => self.opened(seat, id),
            }
        }
    }

    fn clean(&mut self, seat: Seat, file: FileId, i: Index) {
        if !self.is_marked(file, i) {
            return;
        }
        if self.document.arena(file).style(i) == Style::Alias {
            return self.alias(file, i);
        }
        match self.document.kind(Node::Clean(file, i)) {
            Kind::Scalar => {
                if let Some(value) = self.value(Node::Clean(file, i)) {
                    self.document.set_at(seat, value, None);
                }
            }
            Kind::Sequence | Kind::Mapping => {
                if let Some(id) = self.document.open(seat, true) {
                    self.children(id);
                }
            }
        }
        if self.document.arena(file).anchor(i).is_some() && self.is_free(file, i) {
            let filled = self.document.node_at(seat);
            self.document.set_alias_value(file, i, filled);
        }
    }

    /// Whether nothing stood in for a node before; what a pass made of it is filled in where
    /// it is, and this is another copy.
    fn is_free(&mut self, file: FileId, i: Index) -> bool {
        let free = self.document.alias_value(file, i).is_none();
        if free {
            self.filled.insert((file, i));
        }
        free || self.filled.contains(&(file, i))
    }

    /// What an alias stands for is filled in once, where its anchor is or, if nothing of
    /// that is left there, on its own.
    fn alias(&mut self, file: FileId, i: Index) {
        let target = self.document.arena(file).target(i);
        match self.document.follow(Node::Clean(file, i)) {
            Node::Opened(id) => self.children(id),
            clean if clean == Node::Clean(file, target) => {
                let seat = self.document.scratch_seat(clean);
                self.clean(seat, file, target);
            }
            Node::Clean(..) => {}
        }
    }

    fn opened(&mut self, seat: Seat, id: u32) {
        match self.document.kind(Node::Opened(id)) {
            Kind::Scalar => {
                if let Some(value) = self.value(Node::Opened(id)) {
                    self.document.set_at(seat, value, None);
                }
            }
            Kind::Sequence | Kind::Mapping => self.children(id),
        }
    }

    fn children(&mut self, id: u32) {
        if !self.met.insert(id) {
            return;
        }
        let ids: Vec<_> = self.document.children(id).ids().collect();
        let mut names = None;
        for at in ids.iter().copied() {
            if !self.document.children(id).holds(at) {
                continue;
            }
            if let Some(key) = self.document.children(id).get(at).key
                && let Some(value) = self.key(key)
            {
                let names = names.get_or_insert_with(|| self.document.key_digests(id));
                self.document.rename_with_digests(id, at, value, names);
            }
        }
        // One that had a key which another has now is gone.
        let slots = self.document.children(id);
        let ids = ids.into_iter().rev().filter(|&at| slots.holds(at));
        self.todo.extend(ids.map(|at| Seat::Slot(id, at)));
    }

    fn key(&mut self, key: Node) -> Option<Node> {
        if let Node::Clean(file, i) = key
            && !self.is_marked(file, i)
        {
            return None;
        }
        let value = self.value(key)?;
        if self.document.kind(value) == Kind::Scalar {
            self.document.hide(value);
            return Some(value);
        }
        let message = "Expected the variable that stands for a key to be a scalar";
        self.problem(Diagnostic::error(message), key);
        None
    }

    /// What the string `node` becomes, if it becomes something else.
    fn value(&mut self, node: Node) -> Option<Node> {
        if self.document.kind(node) != Kind::Scalar {
            return None;
        }
        let Scalar::String(text) = self.document.scalar(node) else { return None };
        let text = text.into_owned();
        let (mut current, mut whole) = (text.clone(), is_whole(&text));
        let (span, mut from) = (self.document.span(node), 0);
        // Names of which nothing is left in `current`.
        let mut gone: HashSet<&str> = HashSet::new();
        for found in uses(&text) {
            let place = span.map(|span| self.place(span, found.name, &mut from));
            let Some(value) = self.lookup.get(self.document, found.name, place) else {
                continue;
            };
            if whole {
                return Some(value);
            }
            if gone.contains(found.name) {
                continue;
            }
            let Some(part) = self.part(value, found.name, node) else { continue };
            let mut changed = false;
            for written in [format!("(({}))", found.name), format!("((!{}))", found.name)]
            {
                let next = self.replace(&current, &written, &part, node)?;
                changed |= next.is_some();
                current = next.unwrap_or(current);
            }
            if changed {
                // What was put in may be another use together with what is around it.
                gone.clear();
                whole = is_whole(&current);
            } else {
                gone.insert(found.name);
            }
        }
        (current != text).then(|| {
            let filled = self.document.new_text_like(&current, node);
            self.document.hide(filled);
            filled
        })
    }

    /// Replaces every `written` of `text`, if there is one, within the limit.
    fn replace(
        &mut self,
        text: &str,
        written: &str,
        part: &str,
        node: Node,
    ) -> Option<Option<String>> {
        let count = text.matches(written).count();
        if text.len() + count.saturating_mul(part.len()) > self.lookup.rules.expansion.0 {
            let message = format!(
                "a string grows beyond {} bytes; `--limit expansion=N` allows more",
                self.lookup.rules.expansion.0
            );
            self.problem(Diagnostic::error(message), node);
            return None;
        }
        Some((count > 0).then(|| text.replace(written, part)))
    }

    /// The text of a value within a longer string. The value itself is never shown.
    fn part(&mut self, value: Node, name: &str, node: Node) -> Option<String> {
        if self.document.kind(value) == Kind::Scalar {
            match self.document.scalar_as_written(value) {
                Scalar::String(text) => return Some(text.into_owned()),
                Scalar::Int(number) => return Some(number.to_string()),
                Scalar::Big(number) => return Some(number.to_string()),
                _ => {}
            }
        }
        let kind = match self.document.kind(value) {
            Kind::Scalar => self.document.scalar_as_written(value).type_name(),
            Kind::Sequence | Kind::Mapping => self.document.type_name(value),
        };
        let supported =
            "Supported types for interpolation within a string are integers and strings.";
        // All that can be said of a null its type says.
        let shown = if kind == "<nil>" { kind } else { "…" };
        let message = format!(
            "Invalid type '{kind}' for the value of variable '{name}'. {supported}"
        );
        let verbatim = format!(
            "Invalid type '{kind}' for value '{shown}' and variable '{name}'. {supported}"
        );
        self.problem(Diagnostic::error(message).verbatim(verbatim), node);
        None
    }

    fn problem(&mut self, diagnostic: Box<Diagnostic>, node: Node) {
        let span = self.document.span(node);
        self.lookup.problems.push(*span.into_iter().fold(diagnostic, Diagnostic::at));
    }

    /// Where the next use stands in the text that a string was written in, which is one
    /// of `name` unless an escape hides it. The uses before `from` were met.
    fn place(&self, span: Span, name: &str, from: &mut usize) -> Span {
        let text = &self.document.arena(span.file).text()
            [span.start as usize..span.end as usize];
        let rest = text.get(*from..).unwrap_or_default();
        let next = uses(rest).next().filter(|next| next.name == name);
        let Some(next) = next else {
            *from = text.len();
            return self.document.first_line(span);
        };
        let before = rest[next.range.clone()].find(name).unwrap_or_default();
        let start = span.start + (*from + next.range.start + before) as u32;
        *from += next.range.end;
        Span { start, end: start + name.len() as u32, ..span }
    }

    /// Whether node `i` or what is in it may hold a use.
    fn is_marked(&mut self, file: FileId, i: Index) -> bool {
        let arena = self.document.arena(file);
        let known = self.marks.iter().position(|&(other, _)| other == file);
        let known = known.unwrap_or_else(|| {
            self.marks.push((file, marks(arena)));
            self.marks.len() - 1
        });
        let (start, end) = arena.extent(i);
        let marks = &self.marks[known].1;
        marks.get(marks.partition_point(|&at| at < start)).is_some_and(|&at| at < end)
    }
}
