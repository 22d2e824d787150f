//! The stream: documents, directives, and the lines between them.

use super::cursor::BOM;
use super::expected::Expected;
use super::properties::is_uri;
use super::{CONTROL_CHARACTER, Leaf, NO_DOCUMENT_START, OpenNode, Parser};
use crate::arena::{Handle, Index, NONE, Range, Section, Style};
use crate::diagnostic::{Diagnostic, Result};

/// The stream: documents, and the lines between them.
impl Parser<'_> {
    pub(super) fn stream(&mut self) -> Result<()> {
        let unusual = self.check_controls()?;
        self.begin_document();
        self.text.indent();
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
        // Last, since quotes must be known: some characters are allowed only there.
        if unusual { self.check_characters() } else { Ok(()) }
    }

    fn begin_document(&mut self) {
        self.frames.clear();
        self.top = OpenNode::root();
        self.properties.begin_document();
        self.indicator = NONE;
        // An empty root then begins at the cursor.
        self.after_prefix = NONE as usize;
    }

    /// Reads one document; returns false if there is none.
    fn document(&mut self) -> Result<bool> {
        if !self.prologue()? {
            return Ok(false);
        }
        if !self.is_suffixed() && !self.text.is_marker(b'-') {
            return self.error_here(NO_DOCUMENT_START);
        }
        self.properties.sort_handles(&self.text, self.sections.len() as u32);
        self.begin_section()?;
        self.lines()?;
        self.end_document()?;
        Ok(true)
    }

    /// Returns true unless a document stands above that no `...` ends.
    fn is_suffixed(&self) -> bool {
        self.sections.last().is_none_or(|section| section.suffix != NONE)
    }

    /// Begins a section and reads the rest of the line of its `---`.
    fn begin_section(&mut self) -> Result<()> {
        let start = self.sections.last().map_or(0, |section| section.end);
        let root = self.nodes.len() as Index;
        let mut section = Section { start, end: start, root, marker: NONE, suffix: NONE };
        if !self.text.is_marker(b'-') {
            self.sections.push(section);
            return Ok(());
        }
        self.text.at += 3;
        self.after_prefix = self.text.at;
        section.marker = self.text.at as u32;
        self.sections.push(section);
        if self.after_indicator(false)? {
            while self.token()? {}
        }
        Ok(())
    }

    /// Skips comments, directives and markers before a document. Returns false at the end
    /// of the text.
    fn prologue(&mut self) -> Result<bool> {
        let mut directives = false;
        let mut versioned = false;
        loop {
            // In YAML 1.2, a directive belongs to the `---` that follows it.
            let is_allowed =
                !(self.text.go && self.text.at > 0 || self.text.strict && directives);
            if self.text.is_byte_order_mark() && is_allowed {
                self.byte_order_mark();
            }
            if self.text.peek() == b'#' || self.text.line_break(self.text.at) > 0 {
                self.text.next_line();
                continue;
            }
            let ended = self.text.is_at_end();
            if directives
                && (ended || !self.text.is_marker(b'-'))
                && self.text.peek() != b'%'
            {
                return self.error_here(NO_DOCUMENT_START);
            }
            if ended {
                return Ok(false);
            }
            if self.text.is_marker(b'.') {
                self.suffix()?;
            } else if self.text.at == self.text.line_start && self.text.peek() == b'%' {
                if self.text.strict && !self.is_suffixed() {
                    return self.error_here(NO_DOCUMENT_START);
                }
                directives = true;
                self.directive(&mut versioned)?;
            } else {
                return Ok(true);
            }
        }
    }

    /// Skips the byte order mark at the cursor.
    fn byte_order_mark(&mut self) {
        self.byte_order_marks.push(self.text.at);
        self.text.at += BOM.len();
        self.text.indent();
        if self.text.go && self.text.is_byte_order_mark() {
            // To yaml.v2, a second one is a character of the line that takes a column.
            self.text.at += BOM.len();
            self.text.indent_from(self.text.at - 1);
        }
    }

    /// Skips the line of a `...`, which belongs to the document before it.
    fn suffix(&mut self) -> Result<()> {
        self.text.at += 3;
        self.text.skip_blanks();
        let end = self.text.end_of_line(self.text.at);
        if !self.text.is_line_end(self.text.at) && self.text.peek() != b'#' {
            return self.error_here(NO_DOCUMENT_START);
        }
        let end = end + self.text.line_break(end);
        self.text.next_line();
        if let Some(section) = self.sections.last_mut() {
            section.end = end as u32;
        }
        Ok(())
    }

    fn end_document(&mut self) -> Result<()> {
        while !self.frames.is_empty() {
            self.close()?;
        }
        if self.top.phase == Expected::Root {
            self.push_empty()?;
        }
        let suffix = self.text.is_marker(b'.');
        if let Some(section) = self.sections.last_mut() {
            section.end = self.text.line_start as u32;
            if suffix {
                section.suffix = self.text.line_start as u32;
            }
        }
        self.begin_document();
        if suffix { self.suffix() } else { Ok(()) }
    }

    /// Keeps an error behind the first document for later: yaml.v2 reads no further.
    fn leave_rest(&mut self, error: Box<Diagnostic>) -> Result<()> {
        let Some(&last) = self.sections.last().filter(|_| self.text.go) else {
            return Err(error);
        };
        match (self.sections.len(), last.end == last.start) {
            (1, true) if !self.root_is_complete(last.root)? => return Err(error),
            (1, true) => self.sections[0].end = self.last_end as u32,
            (_, true) => self.drop_document(last),
            (_, false) => {}
        }
        self.ignored_error = Some(error);
        Ok(())
    }

    /// Returns true if the document may end here, within a line.
    fn root_is_complete(&mut self, root: Index) -> Result<bool> {
        let bottom = *self.frames.first().unwrap_or(&self.top);
        let above = self.properties.are_above();
        let beside = self.properties.on_line() && self.frames.is_empty();
        if bottom.phase == Expected::Root && (above || beside) {
            if above {
                self.properties.forget_line();
            }
            self.forget_nodes(root);
            self.frames.clear();
            self.top = bottom;
            self.push_empty()?;
        }
        Ok(self.frames.is_empty() && self.top.phase == Expected::Rooted)
    }

    fn drop_document(&mut self, section: Section) {
        self.sections.pop();
        self.forget_nodes(section.root);
        let kept = self.sections.len() as u32;
        self.properties.forget_handles(kept);
    }

    fn forget_nodes(&mut self, first: Index) {
        self.nodes.truncate(first);
        self.properties.forget_nodes(first);
        self.aliases.retain(|&(alias, _)| alias < first);
    }

    /// Ends the last section at the end of the text; an empty text gets one.
    fn end_stream(&mut self) {
        let end = self.text.bytes.len() as u32;
        if self.sections.is_empty() {
            self.push_leaf(Leaf::new(Style::Empty, 0, self.text.at, self.text.at), NONE);
            let section = Section { start: 0, end, root: 0, marker: NONE, suffix: NONE };
            self.sections.push(section);
        }
        if self.ignored_error.is_none()
            && let Some(section) = self.sections.last_mut()
        {
            section.end = end;
        }
    }
}

/// Characters that YAML forbids.
impl Parser<'_> {
    /// Refuses control characters. Returns true if others need a closer look.
    fn check_controls(&mut self) -> Result<bool> {
        let mut unusual = false;
        for (i, chunk) in self.text.bytes.chunks(4096).enumerate() {
            // Without a way out of the inner loop it is compiled to vector instructions.
            // The size of a chunk only bounds the work behind a control character.
            let mut control = false;
            let mut other = false;
            for &byte in chunk {
                control |= is_control(byte);
                other |= matches!(byte, 0x7F | 0xC2 | 0xEF);
            }
            unusual |= other;
            if control {
                let place = chunk.iter().position(|&byte| is_control(byte));
                return self.control(i * 4096 + place.unwrap_or(0));
            }
        }
        Ok(unusual && self.text.strict)
    }

    /// Refuses a control character. For yaml.v2 the text ends there, and may end before.
    #[cold]
    fn control(&mut self, at: usize) -> Result<bool> {
        let refused: Result<bool> = self.error(CONTROL_CHARACTER, at, at + 1);
        if !self.text.go {
            return refused;
        }
        self.text.bytes = &self.text.bytes[..at];
        self.ignored_error = refused.err();
        Ok(false)
    }

    /// Refuses DEL, C1 controls and the like outside of quotes, as YAML 1.2 does.
    fn check_characters(&self) -> Result<()> {
        let text = String::from_utf8_lossy(self.text.bytes);
        for (at, character) in text.char_indices() {
            let unusual = match character {
                '\u{85}' => false,
                '\u{7F}'..='\u{9F}' | '\u{FFFE}' | '\u{FFFF}' => true,
                '\u{FEFF}' => self.byte_order_marks.binary_search(&at).is_err(),
                _ => false,
            };
            if unusual && !self.is_quoted(at as u32) {
                let end = at + character.len_utf8();
                return self.error(CONTROL_CHARACTER, at, end);
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

/// Directives: `%YAML 1.2`, `%TAG ! prefix`, and reserved ones.
impl Parser<'_> {
    /// Reads the directive at the cursor and ends its line. `versioned`: `%YAML` was read.
    fn directive(&mut self, versioned: &mut bool) -> Result<()> {
        let start = self.text.at;
        let words = self.words();
        match (words.first().map(|&word| self.text.name(word)), &words[1..]) {
            (Some(b"%YAML"), _) if self.text.go => {}
            (Some(b"%YAML"), &[version]) => {
                if std::mem::replace(versioned, true) {
                    let end = version.1 as usize;
                    return self.error("found duplicate %YAML directive", start, end);
                }
                self.version(version)?;
            }
            (Some(b"%TAG"), &[handle, prefix]) => self.tag_handle(handle, prefix)?,
            (Some(b"%YAML" | b"%TAG"), _) => {
                let end = self.text.at;
                return self.error("did not find expected whitespace", start, end);
            }
            (Some(b"%"), _) => {
                let message = "could not find expected directive name";
                return self.error(message, start, start + 1);
            }
            (_, _) => {}
        }
        self.text.next_line();
        Ok(())
    }

    /// Reads the words of the line up to a comment.
    fn words(&mut self) -> Vec<Range> {
        let mut words = Vec::new();
        while !self.text.is_line_end(self.text.at) && self.text.peek() != b'#' {
            let start = self.text.at;
            while !self.text.is_blank_or_end(self.text.at) {
                self.text.at += 1;
            }
            words.push((start as u32, self.text.at as u32));
            self.text.skip_blanks();
        }
        words
    }

    fn version(&self, version: Range) -> Result<()> {
        let text = self.text.name(version);
        let mut parts = text.split(|&byte| byte == b'.');
        let has_numbers = parts.clone().count() == 2
            && parts.clone().all(|part| !part.is_empty())
            && text.iter().all(|&byte| byte == b'.' || byte.is_ascii_digit());
        let message = if !has_numbers {
            "did not find expected digit or '.' character"
        } else if parts.next() != Some(b"1") {
            "found incompatible YAML document"
        } else {
            return Ok(());
        };
        self.text.error_in(message, version)
    }

    fn tag_handle(&mut self, handle: Range, prefix: Range) -> Result<()> {
        let name = self.text.name(handle);
        let well_formed = match name {
            b"!" => true,
            [b'!', word @ .., b'!'] => {
                word.iter().all(|&byte| byte == b'-' || byte.is_ascii_alphanumeric())
                    || !self.text.strict
            }
            _ => false,
        };
        if !well_formed {
            return self.text.error_in("did not find expected '!'", handle);
        }
        // YAML 1.2 takes no flow indicator for the beginning of a global prefix.
        let begins_well = !self.text.strict
            || !matches!(self.text.name(prefix), [b',' | b'[' | b']' | b'{' | b'}', ..]);
        let is_wrong = !begins_well || !is_uri(self.text.name(prefix), true);
        if is_wrong && !self.text.go {
            return self.text.error_in("did not find expected tag URI", prefix);
        }
        let section = self.sections.len() as u32;
        if self.properties.declare(&self.text, Handle { section, name: handle, prefix }) {
            Ok(())
        } else {
            self.text.error_in("found duplicate %TAG directive", handle)
        }
    }
}

fn is_control(byte: u8) -> bool {
    byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r')
}
