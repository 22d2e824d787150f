//! The text of a scalar comes in; it goes out plain, quoted or as a block, folded where
//! lines get too long.

use super::analyze::{is_break, is_printable};
use super::emit::Emitter;
use crate::scalar::push_escape;

impl Emitter<'_> {
    pub(super) fn plain(&mut self, text: &str, fold: bool) {
        if !self.whitespace && (!text.is_empty() || self.in_flow()) {
            self.write(' ');
        }
        self.lines(text, fold, false);
        (self.whitespace, self.indention) = (false, false);
    }

    pub(super) fn single(&mut self, text: &str, fold: bool) {
        self.indicator("'", true, false, false);
        if self.lines(text, fold, true) {
            self.write_indent();
        }
        self.indicator("'", false, false, false);
        (self.whitespace, self.indention) = (false, false);
    }

    /// The text, plain or in single quotes; tells whether it ends in a line break.
    fn lines(&mut self, text: &str, fold: bool, single: bool) -> bool {
        let (mut spaces, mut breaks, mut first) = (false, false, true);
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let next = chars.peek().copied();
            if c == ' ' {
                let inner = !single || !first && next.is_some();
                let full = fold && !spaces && self.column > self.width;
                if full && inner && next != Some(' ') {
                    self.write_indent();
                } else {
                    self.write(c);
                }
                spaces = true;
            } else if is_break(c) {
                if !breaks && c == '\n' {
                    self.line_break('\n');
                }
                self.line_break(c);
                (self.indention, breaks) = (true, true);
            } else {
                if breaks {
                    self.write_indent();
                }
                if single && c == '\'' {
                    self.write(c);
                }
                self.write(c);
                (self.indention, spaces, breaks) = (false, false, false);
            }
            first = false;
        }
        breaks
    }

    pub(super) fn double(&mut self, text: &str, fold: bool) {
        self.indicator("\"", true, false, false);
        let (mut spaces, mut first) = (false, true);
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            let next = chars.peek().copied();
            let hidden = !is_printable(c) || !self.unicode && !c.is_ascii();
            if hidden || is_break(c) || matches!(c, '"' | '\\') {
                escape(c).chars().for_each(|c| self.write(c));
                spaces = false;
            } else if c == ' ' {
                let full = fold && !spaces && self.column > self.width;
                if full && !first && next.is_some() {
                    self.write_indent();
                    if next == Some(' ') {
                        self.write('\\');
                    }
                } else {
                    self.write(c);
                }
                spaces = true;
            } else {
                self.write(c);
                spaces = false;
            }
            first = false;
        }
        self.indicator("\"", false, false, false);
        (self.whitespace, self.indention) = (false, false);
    }

    pub(super) fn literal(&mut self, text: &str) {
        self.header("|", text);
        let mut breaks = true;
        for c in text.chars() {
            if is_break(c) {
                self.line_break(c);
                (self.indention, breaks) = (true, true);
                continue;
            }
            if breaks {
                self.write_indent();
            }
            self.write(c);
            (self.indention, breaks) = (false, false);
        }
    }

    pub(super) fn folded(&mut self, text: &str) {
        self.header(">", text);
        let (mut breaks, mut leading) = (true, true);
        for (at, c) in text.char_indices() {
            let rest = &text[at + c.len_utf8()..];
            if is_break(c) {
                if !breaks && !leading && c == '\n' {
                    let after = text[at..].trim_start_matches(is_break);
                    if after.starts_with(|c| !matches!(c, ' ' | '\t' | '\0')) {
                        self.line_break('\n');
                    }
                }
                self.line_break(c);
                (self.indention, breaks) = (true, true);
                continue;
            }
            if breaks {
                self.write_indent();
                leading = matches!(c, ' ' | '\t');
            }
            let full = !breaks && self.column > self.width;
            if full && c == ' ' && !rest.starts_with(' ') {
                self.write_indent();
            } else {
                self.write(c);
            }
            (self.indention, breaks) = (false, false);
        }
    }

    /// The first line of a block: its indentation where it cannot be seen, and what
    /// becomes of the line breaks at its end.
    fn header(&mut self, sign: &str, text: &str) {
        self.indicator(sign, true, false, false);
        if text.starts_with(|c| c == ' ' || is_break(c)) {
            self.indicator(&self.step.to_string(), false, false, false);
        }
        let mut end = text.chars().rev();
        let keep = match (end.next().is_some_and(is_break), end.next()) {
            (false, _) => "-",
            (true, before) if before.is_none_or(is_break) => "+",
            (true, _) => "",
        };
        self.is_open = keep == "+";
        self.indicator(keep, false, false, false);
        self.line_break('\n');
        (self.whitespace, self.indention) = (true, true);
    }
}

/// A character as it is written in double quotes.
fn escape(c: char) -> String {
    let mut text = String::new();
    push_escape(&mut text, c);
    text
}
