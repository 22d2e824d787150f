//! Merges: each mapping with directives takes in what they import, in its place.

use hashbrown::HashSet;

use super::failure::{OpFailure, describe_type};
use super::traversal::locate;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::merge::{Merger, NAME_KEY, STRATEGY_KEY, remove_whiteouts};
use crate::node::{Kind, NodeId, OpId, Path, Seat, Tree};
use crate::patch::{Edit, Import, Merge, Op};
use crate::scalar::Identity;

/// Bytes of the limit on a merged document for which merging may read one entry: aliases
/// let the same mappings meet many times, and most of what meets is then replaced.
// The default limit of 256 MiB allows 2^21 entries.
const BYTES_PER_ENTRY: usize = 128;

/// The number of entries that merging may read if the document may have `limit` bytes.
pub(crate) fn entry_budget(limit: usize) -> usize {
    limit / BYTES_PER_ENTRY
}

/// Runs merges in document `at` of the stream, and returns what is wrong with any of them
/// in document order. `shift` is the number of opened nodes that precede those of the
/// ops, `budget` the number of entries that may still be read, `first` the number of the
/// first op in the history of the document, if the merges are recorded there.
pub(crate) fn merge_all(
    ops: &[Op],
    document: &mut Tree,
    at: usize,
    shift: u32,
    first: Option<OpId>,
    budget: &mut usize,
) -> Vec<Diagnostic> {
    let mut failed = Vec::new();
    for (id, op) in (0..).zip(ops) {
        match &op.edit {
            // The op that used the budget up has reported it.
            Edit::Merge(_) if *budget == 0 => {}
            Edit::Merge(merge) => {
                let op = first.map(|first| first + id);
                let site = Site::find(document, merge, at, shift, op);
                failed.extend(site.and_then(|site| site.run(budget)).err());
            }
            Edit::RemoveWhiteouts => remove_whiteouts(document, at),
            // Ops of ops-files come after the merges.
            Edit::Test(_)
            | Edit::Replace(_)
            | Edit::Remove
            | Edit::Add(_)
            | Edit::Combine(..)
            | Edit::Keep => {}
        }
    }
    if !ops.is_empty() {
        document.freeze();
    }
    // The ops are in reverse document order: inner sites are merged before outer ones.
    failed.into_iter().rev().flatten().collect()
}

/// A mapping with directives, in its place.
struct Site<'a> {
    document: &'a mut Tree,
    merge: &'a Merge,
    shift: u32,
    /// The op that merges, if the history of the document has it.
    op: Option<OpId>,
    seat: Seat,
    node: NodeId,
    pairs: Vec<(NodeId, NodeId)>,
}

impl<'a> Site<'a> {
    /// Opens the way to the mapping of a merge in document `at`.
    fn find(
        document: &'a mut Tree,
        merge: &'a Merge,
        at: usize,
        shift: u32,
        op: Option<OpId>,
    ) -> Result<Site<'a>, Diagnostics> {
        let path: Path = merge.site.iter().map(|step| step.shifted(shift)).collect();
        let seat = locate(document, &path, at).ok_or_else(|| {
            let gone = Diagnostic::error("the mapping with the directives is gone");
            let key = merge.imports.first().and_then(|import| document.span(import.key));
            gone.at(key)
        })?;
        let node = document.follow(document.node_at(seat));
        let pairs = document.pairs(node);
        Ok(Site { document, merge, shift, op, seat, node, pairs })
    }

    /// Merges at the site. Fails with one diagnostic for each import that does not fit.
    fn run(self, budget: &mut usize) -> Result<(), Diagnostics> {
        match self.merge.imports.iter().find(|import| self.is_value(import)) {
            Some(import) => self.replace(import),
            None => self.merge(budget),
        }
    }

    fn found(&self, import: &Import) -> Option<NodeId> {
        Some(import.found?.shifted(self.shift))
    }

    /// Returns true if an import found something other than a mapping.
    fn is_value(&self, import: &Import) -> bool {
        let found = self.found(import);
        found.is_some_and(|found| self.document.kind(found) != Kind::Mapping)
    }

    /// Replaces the mapping by an import that is none, or an item by those of a list.
    fn replace(self, import: &Import) -> Result<(), Diagnostics> {
        let Some(found) = self.found(import) else { return Ok(()) };
        let mut keys = self.pairs.iter().map(|&(key, _)| key);
        let key = import.key.shifted(self.shift);
        if let Some(other) = keys.find(|&other| !self.document.is_same_key(key, other)) {
            return Err(self.conflict(import, found, other).into());
        }
        match self.sequence() {
            Some((id, at)) if self.document.kind(found) == Kind::Sequence => {
                self.splice(id, at, found);
            }
            _ => self.document.set_at(self.seat, found, self.op),
        }
        Ok(())
    }

    fn sequence(&self) -> Option<(u32, u32)> {
        let Seat::Slot(id, at) = self.seat else { return None };
        (self.document.kind(NodeId::Opened(id)) == Kind::Sequence).then_some((id, at))
    }

    fn splice(self, id: u32, at: u32, list: NodeId) {
        let items = self.document.items(list);
        let mut position = self.document.children(id).position(at);
        let Some((&first, rest)) = items.split_first() else {
            return self.document.remove_item(id, at);
        };
        self.document.set_at(self.seat, first, self.op);
        for &item in rest {
            position += 1;
            self.document.insert_item(id, position, item, self.op);
        }
    }

    fn conflict(&self, import: &Import, found: NodeId, other: NodeId) -> Box<Diagnostic> {
        let document = &*self.document;
        let key = import.key.shifted(self.shift);
        let name = document.string(key).unwrap_or_default();
        let found_type = describe_type(document, found);
        let message = format!("can not merge '{name}' with non-map value: {found_type}");
        OpFailure::new(message, usize::MAX)
            .label_line(document, key, "this would replace the whole mapping")
            .label_line(document, other, "which holds this, too")
            .label_line(document, found, format!("found {found_type}"))
            .into_diagnostic()
    }

    /// Merges the mapping over its imports, later imports over earlier ones.
    fn merge(self, budget: &mut usize) -> Result<(), Diagnostics> {
        let imports = &self.merge.imports;
        let found: Vec<NodeId> = imports.iter().filter_map(|it| self.found(it)).collect();
        let leaving = self.leaving_keys();
        let alone = leaving.len() == self.pairs.len();
        if let (true, true, [], Some((id, at))) =
            (alone, !imports.is_empty(), &found[..], self.sequence())
        {
            self.document.remove_item(id, at);
            return Ok(());
        }
        // A single import into an otherwise empty mapping is taken as it is, uncopied.
        if let [only] = found[..]
            && alone
            && self.document.get(only, STRATEGY_KEY).is_none()
        {
            self.document.set_at(self.seat, only, self.op);
            return Ok(());
        }
        // The merger notes the op at each entry that it adds.
        let merger = Merger::new(self.document, self.merge.lists, self.op, budget);
        let node = merger.merge(found, self.node, &leaving)?;
        self.document.set_at(self.seat, node, None);
        Ok(())
    }

    /// The keys of entries that have served their purpose and are not merged.
    fn leaving_keys(&self) -> Vec<NodeId> {
        let imports = &self.merge.imports;
        let written: HashSet<Identity<'_>> = imports
            .iter()
            .filter_map(|import| self.document.identity(import.key.shifted(self.shift)))
            .collect();
        let goes = |key: NodeId| {
            self.document.identity(key).is_some_and(|key| written.contains(&key))
                || self.document.is_text(key, NAME_KEY)
                || !imports.is_empty() && self.document.is_text(key, STRATEGY_KEY)
        };
        self.pairs.iter().map(|&(key, _)| key).filter(|&key| goes(key)).collect()
    }
}
