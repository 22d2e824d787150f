//! A mapping with merge directives takes in what they import.

use std::collections::HashSet;

use super::Root;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::merge::Merger;
use crate::node::{Document, Kind, Node, Seat};
use crate::patch::{Import, Merge, Path, Step};
use crate::scalar::Identity;

/// Keys that go where directives do: how the mapping is merged, and its name.
const STRATEGY: &str = "+%";
const NAME: &str = "+&";

/// A mapping with directives, in its place.
struct Site<'a> {
    document: &'a mut Document,
    merge: &'a Merge,
    /// By how much the numbers of opened nodes in the op are moved.
    by: u32,
    seat: Seat,
    node: Node,
    pairs: Vec<(Node, Node)>,
}

/// Merges at one site.
///
/// # Errors
/// What is imported cannot be merged into the mapping.
pub(super) fn run(
    document: &mut Document,
    merge: &Merge,
    root: Root,
    room: &mut usize,
) -> Result<(), Diagnostics> {
    let seat = locate(document, &merge.site, root).ok_or_else(|| {
        let gone = Diagnostic::error("the mapping with the directives is gone");
        let key = merge.imports.first().and_then(|import| document.span(import.key));
        key.into_iter().fold(gone, Diagnostic::at)
    })?;
    let seated = document.node_at(seat);
    let node = document.follow(seated);
    let pairs = document.pairs(node);
    let site = Site { document, merge, by: root.by, seat, node, pairs };
    if let Some(import) = merge.imports.iter().find(|import| site.is_value(import)) {
        return site.replace(import);
    }
    site.merge(room, root)
}

/// Where a path leads, with everything opened on the way.
fn locate(document: &mut Document, path: &Path, root: Root) -> Option<Seat> {
    let mut seat = Seat::Root(root.at);
    for &step in path {
        let id = document.open(seat, true)?;
        seat = match (step, document.kind(Node::Opened(id))) {
            (Step::Key(key), Kind::Mapping) => {
                document.entry_of(id, key.shifted(root.by))?
            }
            (Step::Index(at), Kind::Sequence) => {
                Seat::Slot(id, document.children(id).at(at as usize)?)
            }
            _ => return None,
        };
    }
    Some(seat)
}

impl Site<'_> {
    fn found(&self, import: &Import) -> Option<Node> {
        Some(import.found?.shifted(self.by))
    }

    /// Whether what was found is no mapping.
    fn is_value(&self, import: &Import) -> bool {
        let found = self.found(import);
        found.is_some_and(|found| self.document.kind(found) != Kind::Mapping)
    }

    fn is_key(&self, import: &Import, key: Node) -> bool {
        self.document.is_same_key(import.key.shifted(self.by), key)
    }

    /// What is no mapping stands in the place of the whole mapping, the items of a list
    /// in the place of an item.
    fn replace(self, import: &Import) -> Result<(), Diagnostics> {
        let Some(found) = self.found(import) else { return Ok(()) };
        let mut keys = self.pairs.iter().map(|&(key, _)| key);
        if let Some(other) = keys.find(|&key| !self.is_key(import, key)) {
            return Err(self.conflict(import, found, other).into());
        }
        match self.sequence() {
            Some((id, at)) if self.document.kind(found) == Kind::Sequence => {
                self.splice(id, at, found);
            }
            _ => self.document.set_at(self.seat, found, None),
        }
        Ok(())
    }

    /// The opened sequence that the mapping is an item of.
    fn sequence(&self) -> Option<(u32, u32)> {
        let Seat::Slot(id, at) = self.seat else { return None };
        let is = self.document.kind(Node::Opened(id)) == Kind::Sequence;
        is.then_some((id, at))
    }

    fn splice(self, id: u32, at: u32, list: Node) {
        let items = self.document.items(list);
        let mut position = self.document.children(id).position(at);
        let Some((&first, rest)) = items.split_first() else {
            return self.document.remove_item(id, at);
        };
        self.document.set_at(self.seat, first, None);
        for &item in rest {
            position += 1;
            self.document.insert_item(id, position, item, None);
        }
    }

    fn conflict(&self, import: &Import, found: Node, other: Node) -> Box<Diagnostic> {
        let document = &*self.document;
        let place = |node| document.span(node).map(|span| document.first_line(span));
        let key = import.key.shifted(self.by);
        let name = document.string(key).unwrap_or_default();
        let sort = document.sort(found);
        let message = format!("can not merge '{name}' with non-map value: {sort}");
        let labels = [
            (key, "this would replace the whole mapping".to_owned()),
            (other, "which holds this, too".to_owned()),
            (found, format!("found {sort}")),
        ];
        let labels =
            labels.into_iter().filter_map(|(node, text)| Some((place(node)?, text)));
        labels.fold(Diagnostic::error(message), |d, (span, text)| d.label(span, text))
    }

    /// The mapping over what is imported, later imports over earlier ones.
    fn merge(self, room: &mut usize, root: Root) -> Result<(), Diagnostics> {
        let imports = &self.merge.imports;
        let found: Vec<Node> = imports.iter().filter_map(|it| self.found(it)).collect();
        let leaving = self.leaving();
        let alone = leaving.len() == self.pairs.len();
        if let (true, true, [], Some((id, at))) =
            (alone, !imports.is_empty(), &found[..], self.sequence())
        {
            self.document.remove_item(id, at);
            return Ok(());
        }
        let only = |it: &Site<'_>| match found[..] {
            [only] if alone => it.document.get(only, STRATEGY).is_none().then_some(only),
            _ => None,
        };
        let node = match only(&self) {
            Some(only) => only,
            None => {
                let lists = self.merge.lists;
                let merger = Merger::new(self.document, lists, root.op, room);
                merger.merge(found, self.node, &leaving)?
            }
        };
        self.document.set_at(self.seat, node, None);
        Ok(())
    }

    /// The keys of entries that go.
    fn leaving(&self) -> Vec<Node> {
        let imports = &self.merge.imports;
        let written: HashSet<Identity<'_>> = imports
            .iter()
            .filter_map(|import| self.document.identity(import.key.shifted(self.by)))
            .collect();
        let goes = |key: Node| {
            self.document.identity(key).is_some_and(|key| written.contains(&key))
                || self.document.is_text(key, NAME)
                || !imports.is_empty() && self.document.is_text(key, STRATEGY)
        };
        self.pairs.iter().map(|&(key, _)| key).filter(|&key| goes(key)).collect()
    }
}
