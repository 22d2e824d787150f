//! The comments that values and entries bring along: given by an edit, or written beside them
//! in another text.

use hashbrown::HashMap;

use crate::arena::{Index, Style};
use crate::layout::{Layout, WrittenEntry, is_comment, written_comments};
use crate::node::{EntryComments, NodeId, Slot, Tree};

/// The comments of an entry to which no edit gave any.
const NONE_GIVEN: &EntryComments =
    &EntryComments { trailing: None, leading: None, gap: None, dangling: None };

/// The comments that values and entries bring along.
pub(super) struct BroughtComments<'a> {
    document: &'a Tree,
    /// Offsets of the comments that are left out where values are copied, in their order.
    left_out: Vec<usize>,
}

impl<'a> BroughtComments<'a> {
    pub(super) fn new(document: &'a Tree) -> BroughtComments<'a> {
        let arena = document.hints().uncommented().map(|file| document.arena(file));
        let comments = arena.into_iter().flat_map(written_comments);
        let left_out = comments.map(|comment| comment.start).collect();
        BroughtComments { document, left_out }
    }

    /// Returns the comments that an edit gave to an entry.
    pub(super) fn given(&self, slot: &Slot) -> &'a EntryComments {
        self.document.comments(slot).unwrap_or(NONE_GIVEN)
    }

    /// Returns true if collection `i` of another text has comments that are not printed.
    pub(super) fn leaves_out(&self, layout: Layout<'_>, i: Index) -> bool {
        if self.document.hints().uncommented() != Some(layout.arena.file()) {
            return false;
        }
        let first = layout.entries(i).next();
        let from = first.map_or(layout.content(i), |first| layout.lead(&first));
        let is_block = layout.style(i).is_block_collection();
        let to = if is_block { layout.collection_stop(i) } else { layout.end(i) };
        let next = self.left_out.partition_point(|&comment| comment < from);
        self.left_out.get(next).is_some_and(|&comment| comment < to)
    }

    /// Returns the comments above an entry in the text that it is from.
    pub(super) fn above(&self, slot: &Slot) -> Vec<&'a str> {
        let source = self.source_entry(slot);
        source.map_or(Vec::new(), |(from, entry)| from.lead_lines(&entry))
    }

    /// Returns the comment beside a new entry, with the blanks before it.
    pub(super) fn beside(&self, slot: &Slot) -> Option<&'a str> {
        if let Some(beside) = self.given(slot).trailing.as_deref() {
            return (!beside.is_empty()).then_some(beside);
        }
        let (from, WrittenEntry { value, end, .. }) = self.source_entry(slot)?;
        let end = match from.style(value) {
            Style::BlockMapping | Style::BlockSequence => {
                let after = from.after_indicator(value)?;
                from.after_props_beside(value, after)
            }
            Style::Literal | Style::Folded => from.after_header(value),
            _ => end,
        };
        let rest = from.slice(end, from.line_end(end));
        let comment = rest.trim_start_matches([' ', '\t']);
        let begins = is_comment(comment) && comment.len() < rest.len();
        begins.then(|| rest.trim_end())
    }

    /// Returns the layout that a slot brings its comments from, and its entry there.
    fn source_entry(&self, slot: &Slot) -> Option<(Layout<'a>, WrittenEntry)> {
        let NodeId::Clean(file, first) = slot.key.unwrap_or(slot.value) else {
            return None;
        };
        if self.document.hints().comment_source() != Some(file) {
            return None;
        }
        let layout = Layout { arena: self.document.arena(file) };
        // A key without a `?` has no indicator, but its value has one.
        let value = if slot.key.is_some() { layout.arena.next(first) } else { first };
        layout.after_indicator(value)?;
        Some((layout, layout.entry_of(first, value)))
    }

    /// Counts the comments around the new entry of a slot in the text that it is from, less the
    /// same above those of `slots` that stay in collection `of`.
    pub(super) fn surplus(
        &self,
        slot: &Slot,
        layout: Layout<'a>,
        of: Index,
        slots: &[Slot],
    ) -> CommentSurplus<'a> {
        let mut left = HashMap::new();
        if let Some((from, entry)) = self.source_entry(slot)
            && let Some(around) = from.parent(entry.first)
        {
            let there = from.entries(around).map(|entry| from.lead_lines(&entry));
            for comments in there.chain([from.comments_behind(around)]) {
                *left.entry(comments).or_default() += 1;
            }
        }
        let stays = slots.iter().filter_map(|slot| slot.was);
        let stays = stays.map(|was| layout.lead_lines(&layout.entry(of, was)));
        for comments in stays.chain([layout.comments_behind(of)]) {
            *left.entry(comments).or_default() -= 1;
        }
        CommentSurplus { left }
    }
}

/// The comments that new entries of a collection may still bring.
pub(super) struct CommentSurplus<'a> {
    /// Number of copies of each.
    left: HashMap<Vec<&'a str>, i64>,
}

impl<'a> CommentSurplus<'a> {
    /// Returns true if a new entry brings these comments, which are then one copy less.
    pub(super) fn takes(&mut self, comments: &[&'a str]) -> bool {
        let Some(left) = self.left.get_mut(comments) else { return true };
        *left -= 1;
        *left >= 0
    }
}
