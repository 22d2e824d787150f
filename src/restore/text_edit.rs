//! The edit of a text beside its values: comments, blank lines, order of keys.

use std::borrow::Cow;
use std::ops::Range;

use hashbrown::HashSet;

use super::correspondence::Correspondence;
use super::edit_kind::EditKind;
use super::layout_edit::{LayoutChange, LayoutEdits};
use super::save_options::Comments;
use crate::arena::Arena;
use crate::diagnostic::Diagnostic;
use crate::layout::{Layout, written_comments};
use crate::node::Tree;
use crate::source::Span;

/// The text of an edited expansion, beside its values.
pub(super) struct TextEdit<'a> {
    source: &'a Tree,
    /// The printed expansion of the source.
    pub expanded: Tree,
    /// The comments of the expansion.
    known: HashSet<String>,
    pub kind: EditKind,
    comments: Comments,
    /// True if comments that are missing stay: no comment is left although values changed,
    /// as after a tool that drops comments.
    keeps_missing: bool,
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

    /// Returns the edits of the saved document for what the edited text says beside the
    /// values. `printed` is the expansion of the saved document.
    pub(super) fn layout_edits(
        &self,
        saved: &Tree,
        printed: &Tree,
        edited: &Tree,
        matched: &Correspondence,
    ) -> LayoutEdits {
        let [saved, expanded, edited] =
            [saved, printed, edited].map(|text| Layout { arena: text.base() });
        let left = comments_of(saved.arena);
        let orphans =
            comments_of(self.source.base()).difference(&left).copied().collect();
        let change = LayoutChange {
            saved,
            expanded,
            edited,
            matched,
            keeps_missing: self.keeps_missing,
            orphans: &orphans,
        };
        change.edits()
    }

    /// Returns the notes about the comments of the edited text that a saved document does not
    /// have, and about those that the edited text lacks, whose number is `missing`.
    pub(super) fn notes(
        &self,
        edited: &Tree,
        saved: &Tree,
        missing: usize,
    ) -> Vec<Diagnostic> {
        let unsaved = self.unsaved_comments(edited, saved);
        if self.kind == EditKind::Dump {
            return Vec::from_iter(dump_note(unsaved.len()));
        }
        if unsaved.is_empty() {
            return Vec::from_iter(missing_note(missing, self.keeps_missing));
        }
        unsaved_notes(&unsaved)
    }

    /// Returns the places of the comments of the edited text that neither the expansion nor
    /// the saved document has.
    fn unsaved_comments(&self, edited: &Tree, saved: &Tree) -> Vec<Span> {
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

/// Maximum number of comments that are reported with their places.
// Each takes several lines with its excerpt. Five are enough to recognize the kind of comment;
// more would bury the other messages. The number of the others follows.
const MAX_REPORTED_COMMENTS: usize = 5;

/// Returns the note about the comments of the source that EDITED lacks, which are kept or
/// removed.
fn missing_note(count: usize, keeps_missing: bool) -> Option<Diagnostic> {
    let [comments, are, were, stay] = match count {
        0 => return None,
        1 => ["1 comment", "is", "was", "stays"],
        _ => [&*format!("{count} comments"), "are", "were", "stay"],
    };
    let (end, hint) = if keeps_missing {
        (format!("and {stay}"), "`--comments edited` removes them")
    } else {
        (format!("and {were} removed"), "`--comments source` keeps them")
    };
    let note = format!("{comments} of SOURCE {are} not in EDITED {end}");
    Some(*Diagnostic::warning(note).hint(hint))
}

/// Returns the note that the comments of EDITED do not count, since a program printed it.
fn dump_note(unsaved: usize) -> Option<Diagnostic> {
    let comments = match unsaved {
        0 => return None,
        1 => "1 comment of it is".to_owned(),
        _ => format!("{unsaved} comments of it are"),
    };
    let note = format!("EDITED looks printed by a program: {comments} not saved");
    let hint = "`--comments edited` saves them";
    Some(*Diagnostic::warning(note).hint(hint))
}

/// Returns the notes about the comments of EDITED that have no place in the saved document.
fn unsaved_notes(places: &[Span]) -> Vec<Diagnostic> {
    let note = |&place: &Span| {
        let note = Diagnostic::warning("this comment is not saved").at(place);
        *note.hint("the entry that it belongs to has no line in SOURCE")
    };
    let mut notes: Vec<Diagnostic> =
        places.iter().take(MAX_REPORTED_COMMENTS).map(note).collect();
    if let more @ 1.. = places.len().saturating_sub(MAX_REPORTED_COMMENTS) {
        let note = format!("{more} more comments are not saved");
        notes.push(*Diagnostic::warning(note));
    }
    notes
}
