//! The comments of entries: those that an op gives, and those that come along with a value.

use std::sync::Arc;

use super::failure::{OpFailure, OpResult};
use crate::layout::{IndentHints, Layout, reindented};
use crate::node::{
    EntryComments, NodeId, Seat, Slot, Tree, entry_comments, takes_comments,
};
use crate::patch::{NewComment, NewComments};

/// Returns the comments that the entry at a seat owns.
pub(super) fn comments_at(document: &Tree, seat: Seat) -> EntryComments {
    let Seat::Slot(id, at) = seat else { return EntryComments::default() };
    let slot = document.children(id).get(at);
    entry_comments(document, NodeId::Opened(id), slot)
}

/// Gives an entry the comments of an op, and beside them those that came along.
///
/// Fails if comments of the op cannot stand there.
pub(super) fn give_comments(
    document: &mut Tree,
    seat: Seat,
    new: &NewComments,
    brought: EntryComments,
) -> OpResult<()> {
    if *new != NewComments::default() {
        check_place(document, seat)?;
    }
    let written = comments_at(document, seat).trailing.unwrap_or_default();
    let mut comments = printed(new, document).or(fitted(document, seat, brought));
    comments.trailing = comments.trailing.map(|new| aligned(&new, &written));
    document.give_comments(seat, comments);
    Ok(())
}

/// Returns a trailing comment with the blanks before the one that it replaces.
fn aligned(comment: &str, old: &str) -> Box<str> {
    let text = old.trim_start_matches([' ', '\t']);
    if comment.is_empty() || text.is_empty() {
        return comment.into();
    }
    format!("{}{}", &old[..old.len() - text.len()], comment.trim_start()).into()
}

fn check_place(document: &Tree, seat: Seat) -> OpResult<()> {
    let message = match seat {
        Seat::Slot(id, at) => {
            let slot: &Slot = document.children(id).get(at);
            if takes_comments(document, NodeId::Opened(id), slot) {
                return Ok(());
            }
            "a comment cannot stand here: the entry has no line of its own, or the \
             document is JSON"
        }
        Seat::Root(_) | Seat::Detached(_) => "a whole document has no comment",
    };
    let failure = OpFailure::new(message.into(), usize::MAX);
    Err(failure.label(document.span_at(seat), "this cannot have a comment"))
}

/// Returns comments from elsewhere, those below an entry as they stand at a written one.
fn fitted(document: &Tree, seat: Seat, brought: EntryComments) -> EntryComments {
    let Seat::Slot(id, at) = seat else { return brought };
    let is_written = document.children(id).get(at).was.is_some();
    let origin = document.origin(id).filter(|_| is_written);
    let (Some((file, of)), Some(lines)) = (origin, &brought.dangling) else {
        return brought;
    };
    let layout = Layout { arena: document.arena(file) };
    let column = layout.column(of) + IndentHints::of(layout, of).step();
    EntryComments { dangling: Some(reindented(lines, column).into()), ..brought }
}

fn printed(new: &NewComments, document: &mut Tree) -> EntryComments {
    let has_text = matches!(new.trailing, NewComment::Text(_));
    let blanks =
        if has_text { document.blanks_before_comments() } else { Arc::default() };
    EntryComments {
        trailing: text(&new.trailing, |text| format!("{blanks}{}", comment(text.trim()))),
        leading: text(&new.leading, |text| {
            let lines: Vec<String> = text.trim_end().split('\n').map(comment).collect();
            lines.join("\n")
        }),
        ..EntryComments::default()
    }
}

fn text(new: &NewComment, print: impl Fn(&str) -> String) -> Option<Box<str>> {
    match new {
        NewComment::Unchanged => None,
        NewComment::Removed => Some("".into()),
        NewComment::Text(text) => Some(print(text).into()),
    }
}

fn comment(line: &str) -> String {
    format!("# {}", line.trim_end()).trim_end().to_owned()
}
