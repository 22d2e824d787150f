//! The edit of a text beside its values (comments, blank lines, order of keys), and its origin:
//! somebody edited the text, or a program printed its values anew. The options of a save say
//! which of them counts.

use std::borrow::Cow;
use std::ops::Range;

use hashbrown::HashSet;

use super::layout_edit::{
    Correspondence, KeptLines, LayoutChange, LayoutEdits, LineCount,
};
use crate::arena::{Arena, Index};
use crate::compare::{Numbering, align, common_ends, unaligned};
use crate::diagnostic::Diagnostic;
use crate::layout::{Layout, bare_lines, each_line, written_comments};
use crate::node::Tree;
use crate::scalar::Tag;
use crate::source::Span;
use crate::yaml::Options;

/// The text of an edited expansion, beside its values.
pub(super) struct TextEdit<'a> {
    source: &'a Tree,
    /// The printed expansion of the source.
    pub expanded: Tree,
    /// The comments of the expansion.
    known: HashSet<String>,
    pub kind: EditKind,
    comments: Comments,
    /// The lines that stay although they are missing: none of their kind is left, as after a
    /// tool that drops comments.
    kept: KeptLines,
}

/// The texts of an edit, and what is known of them.
pub(super) struct EditedTexts<'a, 'e> {
    pub source: &'a Tree,
    pub edited: &'e Tree,
    /// The printed expansion of the source.
    pub expanded: Tree,
    pub options: &'e RestoreOptions,
    /// True if the expansion has the edited values.
    pub same_values: bool,
}

impl<'a> TextEdit<'a> {
    /// Compares the printed expansion of a source with the edited text.
    pub(super) fn new(texts: EditedTexts<'a, '_>) -> TextEdit<'a> {
        let EditedTexts { source, edited, expanded, options, same_values } = texts;
        let RestoreOptions { comments, missing, edited_text, .. } = options;
        let kind = match comments {
            Comments::Edited => EditKind::Text,
            Comments::Source => EditKind::Dump,
            Comments::Auto => {
                let text = match edited_text.as_deref() {
                    Some(text) => Cow::Borrowed(text),
                    None => text_without(edited.base(), missing),
                };
                EditKind::of(expanded.base().text(), &text)
            }
        };
        let known: HashSet<String> =
            comments_of(expanded.base()).into_iter().map(str::to_owned).collect();
        // An edit of nothing but comments may write them all anew.
        let mut given = given_comments(edited.base(), missing);
        let some_left = given.any(|it| same_values || known.contains(it));
        let comments = *comments;
        let is_auto = comments != Comments::Edited;
        let kept = KeptLines {
            comments: is_auto && !some_left,
            blank_lines: is_auto && has_lost_blank_lines(expanded.base(), edited.base()),
        };
        TextEdit { source, expanded, known, kind, comments, kept }
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
            kept: self.kept,
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
            return Vec::from_iter(missing_note(missing, self.kept.comments));
        }
        unsaved_notes(&unsaved)
    }

    /// Returns the places of the comments of the edited text that neither the expansion nor
    /// the saved document has.
    fn unsaved_comments(&self, edited: &Tree, saved: &Tree) -> Vec<Span> {
        if self.comments == Comments::Source {
            return Vec::new();
        }
        let file = edited.file();
        let text = edited.base().text();
        let saved = comments_of(saved.base());
        let mut unsaved = written_comments(edited.base());
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

/// Number of blank lines that nobody removes one by one from a text.
const MANY_BLANK_LINES: usize = 2;

/// Returns true if an edited text has none of the blank lines of the expansion.
fn has_lost_blank_lines(expanded: &Arena, edited: &Arena) -> bool {
    blank_lines(expanded) >= MANY_BLANK_LINES && blank_lines(edited) == 0
}

/// Returns the number of blank lines of a text outside of its scalars.
fn blank_lines(arena: &Arena) -> usize {
    let is_scalar = |&i: &Index| {
        let style = arena.style(i);
        !(style.is_mapping() || style.is_sequence())
    };
    let mut scalars = arena.indices().filter(is_scalar).map(|i| arena.span(i)).peekable();
    let mut count = 0;
    let mut at = 0;
    for line in each_line(arena.text()) {
        while scalars.next_if(|span| span.end as usize <= at).is_some() {}
        let is_inside = scalars.peek().is_some_and(|span| (span.start as usize) < at);
        count += usize::from(line.trim().is_empty() && !is_inside);
        at += line.len();
    }
    count
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

// By the following three numbers three of 893 edits by hand look like a dump, and none of 93
// dumps looks like an edit by hand.

/// At least one line of this many of an edited text is kept from the expansion.
const KEPT_SHARE: usize = 2;

/// At most one line of this many of an edited text is changed.
const CHANGED_SHARE: usize = 5;

/// Number of changed lines that are few in a text of any length.
// A fifth of a short text is less than one edit.
const MAX_FEW_LINES: usize = 3;

/// The origin of an edited expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EditKind {
    /// Somebody edited the printed text: its comments and the order of its keys count.
    Text,
    /// A program printed the values: only these count.
    Dump,
}

impl EditKind {
    /// Compares an edited text with the expansion that it was made of.
    pub(super) fn of(expanded: &str, edited: &str) -> EditKind {
        let [old, new] = [expanded, edited].map(lines);
        let total = new.len();
        let kept = kept_lines(&old, &new).into_iter().filter(|&kept| kept).count();
        let changed = total - kept;
        let few = CHANGED_SHARE * changed <= total || changed <= MAX_FEW_LINES;
        let is_text = KEPT_SHARE * kept >= total && few;
        if is_text { EditKind::Text } else { EditKind::Dump }
    }
}

/// Returns the lines that are not blank.
fn lines(text: &str) -> Vec<&str> {
    let lines = bare_lines(text).map(str::trim_end);
    lines.filter(|line| !line.trim_start().is_empty()).collect()
}

/// Maximum number of lines that are compared in order.
// The time grows with the number of lines and of differences: measured with a release build,
// two texts of 4,096 lines in random order take up to 40 ms, of 65,536 lines 700 ms.
const MAX_COMPARED_LINES: usize = 1 << 12;

/// Returns for each line of `new` true if `old` has it, in the same order. In texts
/// of more than [`MAX_COMPARED_LINES`] changed lines it may stand anywhere.
fn kept_lines(old: &[&str], new: &[&str]) -> Vec<bool> {
    let [head, tail] = common_ends(old, new, |a, b| a == b);
    let [old, middle] = [old, new].map(|lines| &lines[head..lines.len() - tail]);
    let mut kept = vec![true; new.len()];
    if old.len().max(middle.len()) > MAX_COMPARED_LINES {
        let mut left = LineCount::new(old.iter().copied());
        let marks = kept[head..].iter_mut().zip(middle);
        marks.for_each(|(kept, line)| *kept = left.take(line));
        return kept;
    }
    let [before, after] = Numbering::each([old, middle]);
    for ranges in unaligned(&align(&before, &after), before.len(), after.len()) {
        kept[head + ranges.new.start..head + ranges.new.end].fill(false);
    }
    kept
}

/// Returns true if the text of a document has a tag that its value does not show. Dumps of
/// the data alone have none, and say nothing about the tags of the source.
pub fn has_tags(document: &Tree) -> bool {
    document.base().tags().any(|(_, tag)| !Tag::is_shown(&tag))
}

/// Returns true if a text is all one flow collection, as JSON is. With aliases it is YAML.
pub(super) fn is_flow(arena: &Arena) -> bool {
    let mut roots = arena.sections().iter().map(|section| section.root);
    let flow = roots.all(|root| arena.style(root).is_flow());
    flow && arena.aliases().is_empty()
}

/// The options of a save.
#[derive(Clone, Debug, Default)]
pub struct RestoreOptions {
    /// The options with which the saved document is read again.
    pub reading: Options,
    /// The text whose comments are saved.
    pub comments: Comments,
    /// True to change also the values that inherit an edited value, where the edited text
    /// still has the old one.
    pub follow_sources: bool,
    /// The numbers of the documents that EDITED lacks. They were filled in from the expansion,
    /// and do not count where the edited text is told from a dump.
    pub missing: Vec<usize>,
    /// True if EDITED has tags. `None` if the edited document is the text of EDITED, in which
    /// no variables and templates were put back: these may bring tags.
    pub has_tags: Option<bool>,
    /// The text of EDITED, if it is not that of the edited document: lines in which variables
    /// were put back are not those of the expansion.
    pub edited_text: Option<String>,
}

/// The parts of an edited expansion that are saved beside its values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Comments {
    /// Those of the edited text if somebody edited it, those of the source if a program
    /// printed it anew.
    #[default]
    Auto,
    /// The comments, blank lines and order of keys of the edited text.
    Edited,
    /// Those of the source.
    Source,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_changed_lines_are_an_edit_of_the_text() {
        let expanded = "a: 1\nb:\n- c\n- d\n";
        let kind = |edited| EditKind::of(expanded, edited);
        assert_eq!(kind(expanded), EditKind::Text);
        assert_eq!(kind("a: 1\n\n# note\nb:\n- c\n- d\n"), EditKind::Text);
        assert_eq!(kind("{\"a\": 1, \"b\": [\"c\", \"d\"]}\n"), EditKind::Dump);
        assert_eq!(kind("a: 1\nb:\n  - c\n  - d\n  - e\n"), EditKind::Dump);
    }

    #[test]
    fn lines_are_kept_in_order() {
        let kept = kept_lines(&["a", "b", "c", "d"], &["a", "x", "c", "b", "d"]);
        assert_eq!(kept, [true, false, true, false, true]);
        assert_eq!(kept_lines(&[], &["a"]), [false]);
    }

    #[test]
    fn long_texts_are_compared_without_order() {
        let old: Vec<String> = (0..10_000).map(|n| n.to_string()).collect();
        let old: Vec<&str> = old.iter().map(String::as_str).collect();
        let new: Vec<&str> = old.iter().rev().copied().chain(["other"]).collect();
        let kept = kept_lines(&old, &new);
        assert_eq!(kept.iter().filter(|&&kept| kept).count(), 10_000);
    }
}
