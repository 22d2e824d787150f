//! Lines, comments and blank lines that are written, moved or left out among copied text.

use std::ops::Range;

use super::output::PrintOutput;
use crate::arena::Index;
use crate::layout::{WrittenEntry, bare_lines, is_comment_or_blank, reindented};

/// Whole lines: those around entries, and the ends of what is copied.
impl PrintOutput<'_> {
    /// Ends what was copied from elsewhere, up to before node `next`.
    pub(super) fn leave_before(&mut self, next: Option<Index>) {
        let layout = self.layout();
        self.leave();
        if let Some(last) = next.and_then(|next| layout.last_block_scalar(next)) {
            self.end_line();
            self.ends_copied_scalar(layout.chomping(last));
        }
    }

    /// Skips the text behind the first document that is no part of it.
    pub(super) fn end_document(&mut self, end: usize) {
        let layout = self.layout();
        // yaml.v2 reads one document and ignores errors behind it. Behind a changed
        // document the rest might become a part of it.
        let rest = layout.slice(end, layout.text().len());
        let mut rest = bare_lines(rest).map(str::trim);
        let beside = rest.next().is_none_or(is_no_content);
        if !beside || !rest.all(is_no_content) {
            self.copy(if beside { layout.next_line(end) } else { end });
            self.end_line();
            self.skip(layout.text().len());
        }
    }

    /// Copies up to the end of an entry or a collection.
    pub(super) fn copy_end(&mut self, to: usize) {
        self.seal_last_scalar(to);
        self.copy(to);
    }

    /// Writes a `-` into the header of the last block scalar if it ends without a break.
    pub(super) fn seal_last_scalar(&mut self, to: usize) {
        let layout = self.layout();
        // A left-out value may be the last node; it stands behind its key.
        let count = layout.arena.nodes().len() as Index;
        let mut nodes = (0..count).rev();
        let last = nodes.find(|&i| layout.content(i) < layout.end(i));
        let Some(last) = last else { return };
        let open = to == layout.text().len()
            && !layout.after_break(to)
            && layout.is_block_scalar(last)
            && layout.end(last) == to
            && !layout.arena.string(last).ends_with('\n');
        // A line break is written behind it, which must not become part of its value.
        let after = layout.after_header(last);
        let header = layout.slice(layout.content(last), after);
        if !open || header.contains('-') || self.at() > layout.content(last) {
            return;
        }
        match header.find('+') {
            Some(at) => {
                self.copy(layout.content(last) + at);
                self.skip(layout.content(last) + at + 1);
            }
            None => self.copy(after),
        }
        self.push("-");
    }

    /// Copies what stands before `next`, which ends at `to`, and ends its line.
    pub(super) fn copy_to_gap(&mut self, to: usize, next: Index) {
        let layout = self.layout();
        let scalar = layout.last_block_scalar(next).filter(|_| self.at() < to);
        // This may copy up to `to` already.
        self.seal_last_scalar(to);
        self.copy_through(to);
        self.end_line();
        if let Some(last) = scalar {
            self.ends_copied_scalar(layout.chomping(last));
        }
    }

    /// Writes lines in the place of those between what stands before a written entry and its
    /// leading comments. `next`: the node behind what stands before.
    pub(super) fn change_gap(
        &mut self,
        gap: Range<usize>,
        lines: &str,
        next: Index,
        column: usize,
    ) {
        self.copy_to_gap(gap.start, next);
        self.write_lines(lines, column);
        self.skip(gap.end);
    }

    /// Writes comments and blank lines above or below an entry in a column.
    pub(super) fn write_lines(&mut self, lines: &str, column: usize) {
        self.end_line();
        // A block scalar would take deeper comments for its own text.
        let most = if self.is_behind_scalar() { column } else { usize::MAX };
        for line in bare_lines(lines) {
            let text = line.trim_start_matches(' ');
            if text.is_empty() {
                self.blank_line(true);
                continue;
            }
            self.line_in(self.column(line.len() - text.len()).min(most), text);
        }
    }

    /// Writes comments below an entry from elsewhere, the least deep ones `step` columns deeper
    /// than the entry.
    pub(super) fn lines_below(&mut self, lines: &str, column: usize, step: usize) {
        self.end_line();
        // A block scalar would take deeper comments for its own text.
        if self.is_behind_scalar() {
            for line in bare_lines(lines).map(str::trim) {
                self.line_in(if line.is_empty() { 0 } else { column }, line);
            }
            return;
        }
        for line in bare_lines(&reindented(lines, column + step)) {
            let text = line.trim_start_matches(' ');
            self.line_in(line.len() - text.len(), text);
        }
    }

    /// Writes a line in a column.
    fn line_in(&mut self, column: usize, text: &str) {
        self.spaces(column);
        self.push(text);
        self.newline();
    }

    /// Writes comments on lines of their own, of which the first may be begun.
    fn comment_lines(&mut self, comments: &str, column: usize) {
        self.trim_line();
        self.end_line();
        for line in comments.lines() {
            self.line_in(column, line);
        }
    }

    /// Writes comments above an entry whose line is indented, if there are any.
    pub(super) fn lines_above(&mut self, comments: &str, column: usize) {
        if !comments.is_empty() {
            self.comment_lines(comments, column);
            self.spaces(column);
        }
    }

    /// Writes comments from the column on where the line has come to, and begins the next one.
    pub(super) fn lead_with(&mut self, comments: &[&str], column: usize) {
        for comment in comments {
            self.push(comment);
            self.newline();
            self.spaces(column);
        }
    }

    /// Writes comments in the place of those above a written entry in block style.
    /// `has_gap`: an edit has the lines above them written.
    pub(super) fn change_above(
        &mut self,
        entry: &WrittenEntry,
        above: &str,
        column: usize,
        has_gap: bool,
    ) {
        let layout = self.layout();
        let lead = layout.lead(entry);
        let line = layout.line(entry.start);
        if !layout.begins_line(entry.start) {
            self.copy(entry.start);
            return self.lines_above(above, column);
        }
        let head = layout.head_lines(entry);
        if !above.is_empty()
            && !has_gap
            && head.ends_with(&above.lines().collect::<Vec<_>>())
        {
            return;
        }
        self.copy(lead);
        // Behind the `-` of a copied item the first line is indented already.
        let begun = self.at() > lead;
        if !above.is_empty() {
            // Without a blank line the comments would become a part of the head of the file.
            if !head.is_empty() && !has_gap {
                self.newline();
            }
            self.comment_lines(above, column);
            self.spaces(if begun { column } else { 0 });
        }
        self.skip(if begun { entry.start } else { line.max(lead) });
    }

    /// Leaves out entries of block collection `of`. `fresh`: nothing stands before them.
    pub(super) fn drop_entries(&mut self, of: Index, gone: Range<Index>, fresh: bool) {
        let layout = self.layout();
        let last = gone.end == layout.arena.next(of);
        let mut at = gone.start;
        while at < gone.end {
            let entry = layout.entry(of, at);
            let removed = layout.removed_lines(of, &entry, last, fresh);
            self.copy(removed.start);
            let before = layout.last_block_scalar(at).filter(|_| at == gone.start);
            if let Some(last) = before {
                self.ends_copied_scalar(layout.chomping(last));
            }
            self.skip(removed.end);
            at = layout.arena.next(entry.value);
        }
    }

    /// Copies the comments below a new collection, which stay in it.
    pub(super) fn copy_below(&mut self, text: Range<usize>, column: usize) {
        let layout = self.layout();
        let mut from = text.start;
        self.skip(from);
        if from < text.end && !layout.opens_line(from) {
            let beside = layout.slice(from, layout.line_end(from)).trim();
            if !beside.is_empty() {
                self.line_in(column, beside);
            }
            from = layout.next_line(from);
            self.skip(from);
        }
        if self.is_behind_scalar() {
            // A block scalar would take deeper comments for its own text.
            for (at, indent) in layout.comment_lines(from..text.end) {
                if self.column(indent) > column {
                    self.copy(at);
                    self.spaces(column);
                    self.skip(at + indent);
                }
            }
        }
        self.copy(text.end);
    }

    /// Writes the comments in `below` in a column, moved out of a block scalar.
    // A block scalar would take deeper comments for its own text.
    pub(super) fn write_outside(&mut self, below: Range<usize>, column: usize) {
        let lines = bare_lines(self.layout().slice(below.start, below.end));
        for line in lines.map(str::trim).skip_while(|line| line.is_empty()) {
            self.line_in(if line.is_empty() { 0 } else { column }, line);
        }
    }

    /// Writes lines that stood in column `from` in column `to`.
    pub(super) fn indented(&mut self, lines: &str, from: usize, to: usize) {
        for line in bare_lines(lines) {
            let blanks = line.bytes().take_while(|&byte| byte == b' ').count();
            // A tab left of the column belongs to no line of the text.
            let text = if blanks < from { "" } else { &line[from..] };
            self.line_in(if text.is_empty() { 0 } else { to }, text);
        }
    }

    /// Begins the block of an item beside its `-`.
    pub(super) fn join(&mut self, entry: &WrittenEntry) {
        let layout = self.layout();
        let Some(after) = layout.after_indicator(entry.first) else { return };
        let first = layout.first_start(entry.value);
        let blanks = layout.indent(first) + layout.line(after);
        self.copy(after);
        self.spaces(blanks.saturating_sub(after).max(1));
        self.skip(first);
    }

    /// Leaves out one of several words on a line.
    pub(super) fn cut_word(&mut self, from: usize, to: usize) {
        let layout = self.layout();
        self.copy(from);
        let rest = layout.slice(to, layout.line_end(to));
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if blanks == rest.len() {
            self.trim_line();
        }
        // yaml.v2 refuses a tab behind a bare `-`.
        self.skip(to + blanks);
    }
}

/// Returns true for a line that is a comment or blank, with a mark of the byte order at most.
fn is_no_content(line: &str) -> bool {
    is_comment_or_blank(line) || line.starts_with('\u{feff}')
}
