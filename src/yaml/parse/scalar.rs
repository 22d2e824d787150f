//! One line of a plain scalar, and block scalars.

use crate::arena::{Style, flag};
use crate::diagnostic::Result;

use super::Parser;
use super::build::Leaf;
use super::scan::FLOW;

impl Parser<'_> {
    /// The offset at which the plain text from `from` on stops: at `: `, ` #`, the end of
    /// the line, or, of class FLOW, a flow indicator.
    #[inline(always)]
    pub(super) fn plain_line(&self, from: usize, classes: u8) -> usize {
        let mut at = from;
        loop {
            at = self.find(at, classes | self.wide);
            match self.byte(at) {
                b':' if self.spaced(at + 1) => return at,
                b':' if classes & FLOW != 0
                    && !self.go
                    && self.flow_indicator(at + 1) =>
                {
                    return at;
                }
                b'#' if at > from && matches!(self.byte(at - 1), b' ' | b'\t') => {
                    return at;
                }
                b':' | b'#' => {}
                0xC2 | 0xE2 if self.line_break(at) == 0 => {}
                _ => return at,
            }
            at += 1;
        }
    }

    /// The end of the text in `start..stop` without the blanks behind it.
    #[inline(always)]
    pub(super) fn trim(&self, start: usize, mut stop: usize) -> usize {
        while stop > start && matches!(self.byte(stop - 1), b' ' | b'\t') {
            stop -= 1;
        }
        stop
    }

    /// `|` or `>`, its header and its lines.
    pub(super) fn block_scalar(&mut self) -> Result<bool> {
        let start = self.at;
        if !self.top.state.takes_node() {
            return self.unexpected(start, start + 1);
        }
        let style = if self.byte(start) == b'|' { Style::Literal } else { Style::Folded };
        let (indent, keep) = self.header()?;
        let indent = match indent {
            0 => self.block_indent()?,
            _ => self.top.column.max(0) as usize + indent,
        };
        let end = self.content(indent, keep);
        self.value(Leaf::new(style, flag::MULTILINE | flag::COOKED, start, end))?;
        if let Some(node) = self.nodes.last_mut() {
            node.column = indent as u32;
        }
        self.after_content()
    }

    /// Goes to the line behind a block scalar. For the standard a line of tabs may follow
    /// it only at the end of a document.
    fn after_content(&mut self) -> Result<bool> {
        self.indent();
        let tab = self.tab.then_some(self.at - 1);
        if !self.ends(self.at) && self.byte(self.at) != b'#' {
            return Ok(false);
        }
        self.next_line();
        match tab {
            Some(tab)
                if self.strict && self.at < self.text.len() && !self.document_ends() =>
            {
                let message =
                    "found a tab character where an indentation space is expected";
                self.error_at(message, tab)
            }
            _ => Ok(false),
        }
    }

    /// Goes behind the line of the header: its number or 0, and whether it says `+`.
    fn header(&mut self) -> Result<(usize, bool)> {
        let start = self.at;
        let (mut indent, mut chomp) = (0, 0);
        self.at += 1;
        loop {
            match self.byte(self.at) {
                byte @ b'1'..=b'9' if indent == 0 => indent = usize::from(byte - b'0'),
                byte @ (b'+' | b'-') if chomp == 0 => chomp = byte,
                b'0' => {
                    let message = "found an indentation indicator equal to 0";
                    return self.error(message, start, self.at + 1);
                }
                _ => break,
            }
            self.at += 1;
        }
        self.skip_blanks();
        let comment =
            self.byte(self.at) == b'#' && (!self.strict || self.after_blank(self.at));
        if comment {
            self.at = self.end_of_line(self.at);
        }
        if !self.ends(self.at) {
            return self.error_at("did not find expected comment or line break", self.at);
        }
        self.at += self.line_break(self.at);
        Ok((indent, chomp == b'+'))
    }

    /// The indentation of a block scalar that does not say it: that of its first line of
    /// content.
    fn block_indent(&self) -> Result<usize> {
        let least = (self.top.column + 1) as usize;
        let (mut line, mut widest) = (self.at, 0);
        let (text, width) = loop {
            let text = self.spaces_end(line, usize::MAX);
            let length = self.line_break(text);
            if length == 0 {
                break (text, text - line);
            }
            widest = widest.max(text - line);
            line = text + length;
        };
        let ended = text >= self.text.len();
        let indent = match width < least {
            _ if ended || self.go => widest.max(width).max(least),
            true if self.byte(text) == b'\t' && !self.is_empty_line(text) => {
                let message =
                    "found a tab character where an indentation space is expected";
                return self.error_at(message, text);
            }
            true => widest.max(least),
            false if widest > width => {
                let message =
                    "found a line with less spaces than an empty line before it";
                return self.error(message, line, text);
            }
            false => width,
        };
        Ok(if self.yaml11 { indent.max(1) } else { indent })
    }

    fn is_empty_line(&self, mut at: usize) -> bool {
        while matches!(self.byte(at), b' ' | b'\t') {
            at += 1;
        }
        self.ends(at)
    }

    /// The end of the at most `most` spaces at `at`.
    #[inline(always)]
    fn spaces_end(&self, at: usize, most: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        at + rest.iter().take(most).take_while(|&&byte| byte == b' ').count()
    }

    /// Goes behind the lines of a block scalar; the end of its content.
    fn content(&mut self, indent: usize, keep: bool) -> usize {
        let mut end = self.at;
        loop {
            let text = self.spaces_end(self.at, indent);
            let length = self.line_break(text);
            if length > 0 {
                self.at = text + length;
                if keep {
                    end = self.at;
                }
                continue;
            }
            if text >= self.text.len() {
                self.at = text;
                return if keep { text } else { end };
            }
            self.line = self.at;
            if text - self.at < indent || indent == 0 && self.document_ends() {
                return end;
            }
            let stop = self.end_of_line(text);
            self.at = stop + self.line_break(stop);
            end = self.at;
        }
    }
}
