//! The stream: documents, and what stands between them.

use std::collections::HashMap;

use crate::arena::{Index, NONE, Props, Range, Section, Style};
use crate::diagnostic::{Diagnostic, Result};

use super::Parser;
use super::build::Leaf;
use super::scan::BOM;
use super::state::{Frame, State};

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
        let suffixed = self.sections.last().is_none_or(|section| section.suffix != NONE);
        if !suffixed && !self.marker(b'-') {
            return self.error_at("did not find expected <document start>", self.at);
        }
        self.sort_handles();
        self.begin_section()?;
        self.lines()?;
        self.end_document()?;
        Ok(true)
    }

    /// Begins a section with its `---`, and the line of that.
    fn begin_section(&mut self) -> Result<()> {
        let start = self.sections.last().map_or(0, |section| section.end);
        let root = self.nodes.len() as Index;
        let mut section = Section { start, end: start, root, marker: NONE, suffix: NONE };
        if !self.marker(b'-') {
            self.sections.push(section);
            return Ok(());
        }
        self.at += 3;
        self.after = self.at;
        section.marker = self.at as u32;
        self.sections.push(section);
        if self.after_indicator(false)? {
            while self.token()? {}
        }
        Ok(())
    }

    /// The handles of the section that begins are looked up by name.
    fn sort_handles(&mut self) {
        let section = self.sections.len() as u32;
        let first = self.handles.partition_point(|handle| handle.section < section);
        let text = self.text;
        let name = |(start, end): Range| &text[start as usize..end as usize];
        self.handles[first..].sort_by_key(|handle| name(handle.name));
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
            self.push(Leaf::new(Style::Empty, 0, self.at, self.at), NONE);
            let section = Section { start: 0, end, root: 0, marker: NONE, suffix: NONE };
            self.sections.push(section);
        }
        if self.rest.is_none()
            && let Some(section) = self.sections.last_mut()
        {
            section.end = end;
        }
    }
}
