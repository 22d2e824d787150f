//! The edit of a text beside its values: comments, blank lines, order of keys.

use std::borrow::Cow;
use std::ops::Range;

use hashbrown::HashSet;

use super::comment_edit::{CommentEdit, Commented};
use super::comments::Comments;
use super::edit_kind::EditKind;
use super::matches::Matches;
use super::order_edit::OrderEdit;
use super::text_versions::TextVersions;
use crate::arena::Arena;
use crate::layout::written_comments;
use crate::node::Tree;
use crate::source::Span;

/// The text of an edited expansion, beside its values.
pub(super) struct TextEdit<'a> {
    source: &'a Tree,
    /// The printed expansion of the source.
    expanded: Tree,
    /// The comments of the expansion.
    known: HashSet<String>,
    pub kind: EditKind,
    comments: Comments,
    /// True if comments that are missing stay: no comment is left although values changed,
    /// as after a tool that drops comments.
    pub keeps_missing: bool,
}

impl<'a> TextEdit<'a> {
    /// Compares the printed expansion of a source with the edited text, which was given
    /// without the documents `missing`; with `edited_text` if it was another one before
    /// variables were put back. `same_values`: both have the same values.
    pub(super) fn new(
        (source, edited): (&'a Tree, &Tree),
        expanded: Tree,
        (comments, missing): (Comments, &[usize]),
        edited_text: Option<&str>,
        same_values: bool,
    ) -> TextEdit<'a> {
        let kind = match comments {
            Comments::Edited => EditKind::Text,
            Comments::Source => EditKind::Dump,
            Comments::Auto => {
                let text = || text_without(edited.base(), missing);
                let text = edited_text.map_or_else(text, Cow::Borrowed);
                EditKind::of(expanded.base().text(), &text)
            }
        };
        let known: HashSet<String> =
            comments_of(expanded.base()).into_iter().map(str::to_owned).collect();
        let some_left =
            given_comments(edited.base(), missing).any(|it| known.contains(it));
        let keeps_missing = comments != Comments::Edited && !some_left && !same_values;
        TextEdit { source, expanded, known, kind, comments, keeps_missing }
    }

    /// Returns the text of the saved document with its keys in the edited order; `None` if
    /// no key has to move. The result is not checked: it may expand to other values.
    pub(super) fn with_order(
        &self,
        texts: &TextVersions<'_>,
        matches: &Matches,
    ) -> Option<String> {
        let TextVersions { saved, expanded, edited } = texts;
        OrderEdit { saved, expanded, edited }.apply(&matches.mappings)
    }

    /// Returns the text of the saved document with the comments of the edited text. The
    /// result is not checked.
    pub(super) fn with_comments(
        &self,
        texts: &TextVersions<'_>,
        matches: &Matches,
    ) -> Commented {
        let TextVersions { saved, expanded, edited } = texts;
        let keeps_missing = self.keeps_missing;
        let left = comments_of(saved.arena);
        let orphans =
            comments_of(self.source.base()).difference(&left).copied().collect();
        let edit =
            CommentEdit { saved, expanded, edited, keeps_missing, orphans: &orphans };
        edit.apply(&matches.lines)
    }

    /// Returns the places of the comments of the edited text that neither the expansion nor
    /// the saved document has.
    pub(super) fn unsaved_comments(&self, edited: &Tree, saved: &Tree) -> Vec<Span> {
        if self.comments == Comments::Source {
            return Vec::new();
        }
        let (file, edited) = (edited.file(), edited.base());
        let text = edited.text();
        let saved = comments_of(saved.base());
        let mut unsaved = written_comments(edited);
        unsaved.retain(|place| {
            let comment = text[place.clone()].trim_end();
            !(self.known.contains(comment) || saved.contains(comment))
        });
        let span = |place: Range<usize>| {
            // The whole line is shown.
            let start = text[..place.start].rfind(['\n', '\r']).map_or(0, |at| at + 1);
            Span { file, start: start as u32, end: place.end as u32 }
        };
        unsaved.into_iter().map(span).collect()
    }
}

/// Returns the text of a stream without some of its documents.
fn text_without<'a>(stream: &'a Arena, documents: &[usize]) -> Cow<'a, str> {
    if documents.is_empty() {
        return Cow::Borrowed(stream.text());
    }
    let documents: HashSet<usize> = documents.iter().copied().collect();
    let rest = stream.sections().iter().enumerate();
    let rest = rest.filter(|(number, _)| !documents.contains(number));
    rest.map(|(_, it)| &stream.text()[it.start as usize..it.end as usize]).collect()
}

/// Returns the comments of a stream without those of some of its documents.
fn given_comments<'a>(
    stream: &'a Arena,
    missing: &[usize],
) -> impl Iterator<Item = &'a str> {
    let missing: HashSet<usize> = missing.iter().copied().collect();
    let sections = stream.sections();
    let places = written_comments(stream).into_iter().filter(move |place| {
        let after = sections.partition_point(|it| it.start as usize <= place.start);
        !missing.contains(&after.saturating_sub(1))
    });
    places.map(|place| stream.text()[place].trim_end())
}

/// Returns the comments of a text, without the blanks around them.
fn comments_of(arena: &Arena) -> HashSet<&str> {
    given_comments(arena, &[]).collect()
}
