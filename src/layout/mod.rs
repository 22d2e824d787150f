//! The layout of a written text: lines, blank lines and comments, as offsets that are computed
//! on demand. `Layout::lead` and `Layout::entry_stop` tell which comment belongs to which entry.

mod comment;
mod line;
mod lines;
mod style;
mod written;

pub(crate) use line::{
    Remark, bare, bare_lines, begins_with_comment, each_line, is_comment,
    is_comment_or_blank, is_marker, lines, may_hold_comment, remarks,
};
pub(crate) use lines::{TextLines, blanks_before_comments, reindented, written_comments};
pub(crate) use style::{CommonQuotes, IndentHints, is_json, majority};
pub(crate) use written::{Chomping, Layout, WrittenEntry, is_flow};
