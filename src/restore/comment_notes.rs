//! The messages about comments that are not saved, or not in the edited text.

use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// Maximum number of comments that are reported with their places.
// Each takes several lines with its excerpt. Five are enough to recognize the kind of comment;
// more would bury the other messages. The number of the others follows.
const MAX_REPORTED_COMMENTS: usize = 5;

/// Returns the note about the comments of the source that EDITED lacks, which are kept or
/// removed.
pub(super) fn missing(count: usize, keeps_missing: bool) -> Option<Diagnostic> {
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
pub(super) fn of_dump(unsaved: usize) -> Option<Diagnostic> {
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
pub(super) fn unsaved(places: &[Span]) -> Vec<Diagnostic> {
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
