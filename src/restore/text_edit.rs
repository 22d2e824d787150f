//! What an edit of a text says beside the values: comments, blank lines, order of keys.

use std::collections::{HashMap, HashSet};

use super::comments::{CommentEdit, Commented};
use super::edit_kind::{Comments, EditKind};
use super::expander::Expanded;
use super::matching::{LinedText, Matches, Matching};
use super::new_text::NewText;
use super::order::OrderEdit;
use super::written::ChildIndex;
use crate::arena::{Arena, Index};
use crate::merge::Strategy;
use crate::node::{Kind, NodeId, Tree};
use crate::patch::Edit;
use crate::source::Span;

/// The text of an edited expansion, beside its values.
pub(super) struct TextEdit<'a> {
    source: &'a Tree,
    /// The printed expansion of the source.
    expanded: Tree,
    pub kind: EditKind,
    comments: Comments,
    /// True if comments that are missing stay: no comment is left although values changed,
    /// as after a tool that drops comments.
    pub keeps_missing: bool,
}

impl<'a> TextEdit<'a> {
    /// Compares the printed expansion of a source with the edited text. `same_values`: both
    /// have the same values.
    pub(super) fn new(
        (source, edited): (&'a Tree, &Tree),
        expanded: Tree,
        comments: Comments,
        same_values: bool,
    ) -> TextEdit<'a> {
        let kind = match comments {
            Comments::Edited => EditKind::Text,
            Comments::Source => EditKind::Dump,
            Comments::Auto => EditKind::of(expanded.base().text(), edited.base().text()),
        };
        let there = comments_of(expanded.base());
        let some_left = comments_of(edited.base()).iter().any(|it| there.contains(it));
        let keeps_missing = comments != Comments::Edited && !some_left && !same_values;
        TextEdit { source, expanded, kind, comments, keeps_missing }
    }

    /// Returns the text of the saved document with its keys in the edited order; `None` if
    /// no key has to move. The result is not checked: it may expand to other values.
    pub(super) fn ordered(&self, texts: &Texts<'_>, matches: &Matches) -> Option<String> {
        let Texts { saved, expanded, edited } = texts;
        OrderEdit { saved, expanded, edited }.apply(&matches.mappings)
    }

    /// Returns the text of the saved document with new entries as the edited text has them;
    /// `None` if they are the same. The result is not checked.
    pub(super) fn worded(&self, texts: &Texts<'_>, matches: &Matches) -> Option<String> {
        let new = NewText {
            source: self.source.base().text(),
            saved: &texts.saved,
            expanded: self.expanded.base().text(),
            edited: &texts.edited,
        };
        new.apply(&matches.entries)
    }

    /// Returns the text of the saved document with the comments of the edited text. The
    /// result is not checked.
    pub(super) fn commented(&self, texts: &Texts<'_>, matches: &Matches) -> Commented {
        let Texts { saved, expanded, edited } = texts;
        let keeps_missing = self.keeps_missing;
        let left = comments_of(saved.arena);
        let lost = comments_of(self.source.base()).difference(&left).cloned().collect();
        let edit = CommentEdit { saved, expanded, edited, keeps_missing, lost: &lost };
        edit.apply(&matches.lines)
    }
}

impl TextEdit<'_> {
    /// Returns the places of the comments of the edited text that neither the expansion nor
    /// the saved document has.
    pub(super) fn unsaved_comments(&self, edited: &Tree, saved: &Tree) -> Vec<Span> {
        if self.comments == Comments::Source {
            return Vec::new();
        }
        let known: [HashSet<String>; 2] =
            [&self.expanded, saved].map(|tree| comments_of(tree.base()));
        let text = LinedText::new(edited.base());
        let is_unsaved = |line: &usize| {
            let comment = text.comment(*line);
            !comment.is_empty() && !known.iter().any(|known| known.contains(comment))
        };
        let unsaved = (0..text.lines.count()).filter(is_unsaved);
        let span = |line: usize| {
            let range = text.lines.range(line);
            Span { file: edited.file(), start: range.start as u32, end: range.end as u32 }
        };
        unsaved.map(span).collect()
    }
}

/// A document, its expansion as it is printed, and the edited text.
pub(super) struct Texts<'a> {
    saved: LinedText<'a>,
    expanded: LinedText<'a>,
    edited: LinedText<'a>,
}

impl<'a> Texts<'a> {
    pub(super) fn new(
        saved: &'a Tree,
        expanded: &'a Tree,
        edited: &'a Tree,
    ) -> Texts<'a> {
        let [saved, expanded, edited] = [saved, expanded, edited].map(Tree::base);
        Texts {
            saved: LinedText::new(saved),
            expanded: LinedText::new(expanded),
            edited: LinedText::new(edited),
        }
    }

    /// Matches the lines of the texts of `current`, whose values the edited text has.
    pub(super) fn matches(&self, current: &Expanded) -> Matches {
        let widths = widths(current, self.edited.arena.sections().len());
        let Texts { saved, expanded, edited } = self;
        let matching = Matching { saved, expanded, edited, widths: &widths };
        matching.find()
    }
}

/// Returns the number of items that a mapping of the source expands to in a list, for those
/// with a lone directive that imports no mapping, and for whiteouts.
fn widths(current: &Expanded, given: usize) -> HashMap<Index, usize> {
    let Expanded { source, patches, view } = current;
    let (mut written, mut widths) = (ChildIndex::new(source.base()), HashMap::new());
    let mut imported = view.roots()[source.roots().len() + given..].iter();
    for (patch, &root) in patches.iter().zip(source.roots()) {
        for op in &patch.ops {
            let Edit::Merge(merge) = &op.edit else { continue };
            let found: Vec<Option<NodeId>> = merge
                .imports
                .iter()
                .map(|import| import.found.and_then(|_| imported.next().copied()))
                .collect();
            let nodes = written.nodes_on_path(root, &merge.site);
            let site = nodes.and_then(|nodes| nodes.last().copied());
            let (&[found], Some(site)) = (&found[..], site) else { continue };
            let lone = source.base().entries(site).count() == 1;
            let width = match found.map(|found| (view.kind(found), found)) {
                None => 0,
                Some((Kind::Mapping, _)) => continue,
                Some((Kind::Sequence, found)) => view.items(found).len(),
                Some((Kind::Scalar, _)) => 1,
            };
            if lone {
                widths.insert(site, width);
            }
        }
        if let NodeId::Clean(file, root) = root {
            let nodes = root..source.base().next(root);
            let markers = nodes.filter(|&i| is_marker(source, NodeId::Clean(file, i)));
            widths.extend(markers.map(|i| (i, 0)));
        }
    }
    widths
}

/// Returns true for a whiteout or a nullout, of which nothing is left in a list.
fn is_marker(source: &Tree, node: NodeId) -> bool {
    let strategy = Strategy::of(source, node);
    matches!(strategy, Some(Strategy::Whiteout | Strategy::Nullout))
}

/// Returns the comments of a text, without the blanks around them.
fn comments_of(arena: &Arena) -> HashSet<String> {
    let text = LinedText::new(arena);
    let comments = (0..text.lines.count()).map(|line| text.comment(line));
    comments.filter(|comment| !comment.is_empty()).map(str::to_owned).collect()
}
