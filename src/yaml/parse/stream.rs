//! The stream: documents, what stands between them, and which characters may not stand
//! anywhere.

use std::collections::HashMap;

use crate::arena::{Index, NONE, Props, Raw, Section, Style};
use crate::diagnostic::{Diagnostic, Result};

use super::Parser;
use super::build::{Frame, State};
use super::scan::BOM;

impl Parser<'_> {
    /// Reads every document.
    pub(super) fn stream(&mut self) -> Result<()> {
        let unusual = self.check_controls()?;
        self.begin_document();
        self.indent();
        loop {
            match self.document() {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    self.leave_rest(error)?;
                    break;
                }
            }
        }
        self.end_stream();
        if unusual { self.check_characters() } else { Ok(()) }
    }

    fn begin_document(&mut self) {
        if !self.anchors.is_empty() {
            self.anchors = HashMap::new();
        }
        if !self.declared.is_empty() {
            self.declared = HashMap::new();
        }
        self.frames.clear();
        self.top = Frame::root();
        self.inner = Props::NONE;
        self.outer = Props::NONE;
        self.indicator = NONE;
        self.after = NONE as usize;
    }

    /// Reads one document, if there is one.
    fn document(&mut self) -> Result<bool> {
        if !self.prologue()? {
            return Ok(false);
        }
        let bare = self.sections.last().is_some_and(|section| section.suffix == NONE);
        if bare && !self.marker(b'-') {
            return self.error_at("did not find expected <document start>", self.at);
        }
        let start = self.sections.last().map_or(0, |section| section.end);
        let root = self.nodes.len() as u32;
        let mut section = Section { start, end: start, root, marker: NONE, suffix: NONE };
        if self.marker(b'-') {
            self.at += 3;
            self.after = self.at;
            section.marker = self.at as u32;
        }
        let handles =
            self.handles.partition_point(|h| h.section < self.sections.len() as u32);
        let text = self.text;
        self.handles[handles..]
            .sort_by_key(|h| &text[h.name.0 as usize..h.name.1 as usize]);
        self.sections.push(section);
        if section.marker != NONE {
            self.skip_blanks();
            self.fresh = false;
            if !self.line_is_done() {
                while self.token()? {}
            }
        }
        self.lines()?;
        self.end_document()?;
        Ok(true)
    }

    /// Goes over comments, directives and `...` to the first line of a document.
    fn prologue(&mut self) -> Result<bool> {
        let (mut directives, mut versioned) = (false, false);
        loop {
            if self.byte_order_mark() && (!self.go || self.at == 0) {
                self.marks.push(self.at);
                self.at += BOM.len();
                self.indent();
            }
            if self.byte(self.at) == b'#' || self.line_break(self.at) > 0 {
                self.next_line();
                continue;
            }
            let ended = self.at >= self.text.len();
            if directives && (ended || !self.marker(b'-')) && self.byte(self.at) != b'%' {
                return self.error_at("did not find expected <document start>", self.at);
            }
            if ended {
                return Ok(false);
            }
            if self.marker(b'.') {
                self.suffix()?;
            } else if self.at == self.line && self.byte(self.at) == b'%' {
                directives = true;
                self.directive(&mut versioned)?;
            } else {
                return Ok(true);
            }
        }
    }

    /// Goes behind the line of a `...`, which belongs to the document before it.
    fn suffix(&mut self) -> Result<()> {
        self.at += 3;
        self.skip_blanks();
        let end = self.end_of_line(self.at);
        if !self.ends(self.at) && self.byte(self.at) != b'#' {
            return self.error_at("did not find expected <document start>", self.at);
        }
        let end = end + self.line_break(end);
        self.next_line();
        if let Some(section) = self.sections.last_mut() {
            section.end = end as u32;
        }
        Ok(())
    }

    fn end_document(&mut self) -> Result<()> {
        while !self.frames.is_empty() {
            self.close()?;
        }
        if self.top.state == State::Root {
            self.fill()?;
        }
        let suffix = self.marker(b'.');
        if let Some(section) = self.sections.last_mut() {
            section.end = self.line as u32;
            if suffix {
                section.suffix = self.line as u32;
            }
        }
        self.begin_document();
        if suffix { self.suffix() } else { Ok(()) }
    }

    /// Go's reader is done when the first document is: an error behind it is none.
    fn leave_rest(&mut self, error: Box<Diagnostic>) -> Result<()> {
        let Some(&last) = self.sections.last().filter(|_| self.go) else {
            return Err(error);
        };
        match (self.sections.len(), last.end == last.start) {
            (1, true) if !self.root_is_complete(last.root)? => return Err(error),
            (1, true) => self.sections[0].end = self.last as u32,
            (_, true) => self.drop_document(last),
            (_, false) => {}
        }
        self.rest = Some(error);
        Ok(())
    }

    /// Whether the document may end here, within a line. Properties that meet others are
    /// those of an empty root.
    fn root_is_complete(&mut self, root: Index) -> Result<bool> {
        let bottom = *self.frames.first().unwrap_or(&self.top);
        let above = self.outer.start != NONE;
        let beside = self.inner.start != NONE && self.frames.is_empty();
        if bottom.state == State::Root && (above || beside) {
            if above {
                self.inner = Props::NONE;
            }
            self.forget_nodes(root);
            self.frames.clear();
            self.top = bottom;
            self.fill()?;
        }
        Ok(self.frames.is_empty() && self.top.state == State::Rooted)
    }

    /// Forgets what was read of the document of the last section.
    fn drop_document(&mut self, section: Section) {
        self.sections.pop();
        self.forget_nodes(section.root);
        let kept = self.sections.len() as u32;
        self.handles.retain(|handle| handle.section < kept);
    }

    fn forget_nodes(&mut self, first: Index) {
        self.nodes.truncate(first as usize);
        self.props.retain(|props| props.node < first);
        self.aliases.retain(|&(alias, _)| alias < first);
    }

    /// There is always a section, and the last one takes the comments behind it.
    fn end_stream(&mut self) {
        let end = self.text.len() as u32;
        if self.sections.is_empty() {
            self.top = Frame::root();
            self.nodes.push(Raw {
                style: Style::Empty,
                flags: 0,
                start: self.at as u32,
                end: self.at as u32,
                len: 1,
                indicator: NONE,
                column: 0,
            });
            self.sections.push(Section {
                start: 0,
                end,
                root: 0,
                marker: NONE,
                suffix: NONE,
            });
        }
        if self.rest.is_none()
            && let Some(section) = self.sections.last_mut()
        {
            section.end = end;
        }
    }

    /// Refuses control characters; whether others stand there that need a closer look.
    fn check_controls(&mut self) -> Result<bool> {
        let mut unusual = false;
        for (i, chunk) in self.text.chunks(4096).enumerate() {
            let (mut control, mut other) = (false, false);
            for &byte in chunk {
                control |= byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r');
                other |= matches!(byte, 0x7F | 0xC2 | 0xEF);
            }
            unusual |= other;
            if control {
                let control =
                    |&byte: &u8| byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r');
                let at = i * 4096 + chunk.iter().position(control).unwrap_or(0);
                if self.go {
                    self.text = &self.text[..at];
                    break;
                }
                return self.error("control characters are not allowed", at, at + 1);
            }
        }
        Ok(unusual && self.strict)
    }

    /// For the standard: DEL, C1 and the like stand inside quotes only.
    fn check_characters(&self) -> Result<()> {
        let text = String::from_utf8_lossy(self.text);
        for (at, character) in text.char_indices() {
            let unusual = match character {
                '\u{85}' => false,
                '\u{7F}'..='\u{9F}' | '\u{FFFE}' | '\u{FFFF}' => true,
                '\u{FEFF}' => self.marks.binary_search(&at).is_err(),
                _ => false,
            };
            if unusual && !self.is_quoted(at as u32) {
                let end = at + character.len_utf8();
                return self.error("control characters are not allowed", at, end);
            }
        }
        Ok(())
    }

    fn is_quoted(&self, at: u32) -> bool {
        let next = self.nodes.partition_point(|node| node.start <= at);
        next > 0 && {
            let node = &self.nodes[next - 1];
            matches!(node.style, Style::Single | Style::Double) && at < node.end
        }
    }
}
