//! Scalars that are not in their own place: as they were written where that reads the
//! same, else spelled anew.

use super::content::{Content, is_foreign};
use super::layout::{Chomping, Layout};
use super::line;
use super::output::{Shift, Source};
use super::{Place, Printer, Seat};
use crate::arena::{Index, Style, flag};
use crate::node::{Body, Node};
use crate::scalar::{
    Context, Quote, Scalar, literal, spell_json, spell_quoted, spell_with,
};
use crate::source::FileId;

impl<'a> Printer<'a> {
    /// Spells a value on one line.
    pub(super) fn spell(&mut self, scalar: &Scalar<'_>, place: Place) {
        let context = if place.flow { Context::Flow } else { Context::Block };
        if let (true, Scalar::String(text)) = (place.json, scalar) {
            return self.out.push(&spell_json(text));
        }
        let quote = match scalar {
            Scalar::String(_) => self.majority().1,
            _ => Quote::default(),
        };
        self.out.push(&spell_with(scalar, context, quote));
    }

    /// Writes written scalar `i` within a line; `bare` if nothing was written before it.
    pub(super) fn inline_scalar(
        &mut self,
        (file, i): (FileId, Index),
        bare: bool,
        place: Place,
    ) {
        let arena = self.document.arena(file);
        let tagged = arena.tag(i).is_some();
        let style = arena.style(i);
        if style == Style::Empty && tagged && !place.flow {
            return;
        }
        self.out.push(if bare { "" } else { " " });
        if is_foreign(self.document, file, i) {
            let scalar = self.document.scalar(Node::Clean(file, i));
            return self.spell(&scalar, place);
        }
        let merge = style == Style::Plain && arena.raw(i) == "<<";
        if place.json && bare && !merge {
            let scalar = self.document.scalar(Node::Clean(file, i));
            return self.spell(&scalar, place);
        }
        if self.fits((file, i), place) {
            return self.copy_scalar((file, i), place);
        }
        let untyped = matches!(style, Style::Plain | Style::Empty) && !tagged;
        if untyped {
            let scalar = self.document.scalar(Node::Clean(file, i));
            return self.spell(&scalar, place);
        }
        let quote = self.majority().1;
        self.out.push(&spell_quoted(&arena.string(i), quote));
    }

    /// Whether a written scalar reads the same in that place.
    fn fits(&self, (file, i): (FileId, Index), place: Place) -> bool {
        let arena = self.document.arena(file);
        let (raw, lines) = (arena.raw(i), arena.has(i, flag::MULTILINE));
        let marker = raw.starts_with("---") || raw.starts_with("...");
        match arena.style(i) {
            // Only Go's dialect has this escape.
            Style::Double if raw.contains("\\'") && !self.copies(file) => false,
            Style::Single | Style::Double => !lines || !place.flow,
            Style::Plain => {
                let merge = arena.has(i, flag::MERGE_KEY);
                (merge || self.copies(file))
                    && !(lines && place.flow)
                    && !(place.flow && raw.contains([',', '[', ']', '{', '}', '?', ':']))
                    && !(place.seat == Seat::Root && marker)
            }
            Style::Alias => true,
            _ => false,
        }
    }

    fn copy_scalar(&mut self, (file, i): (FileId, Index), place: Place) {
        let arena = self.document.arena(file);
        let layout = Layout { arena };
        let (at, end) = (layout.content(i), layout.end(i));
        if !arena.has(i, flag::MULTILINE) {
            return self.out.push(arena.raw(i));
        }
        let from = layout.indent(layout.next_line(at).min(end));
        let shift = Shift { from, to: place.column + place.hints.step() };
        self.out.enter(Source { arena, at, shift, scope: place.scope });
        self.out.copy(end);
        self.out.leave();
    }

    /// The header of a block scalar.
    pub(super) fn header(&self, content: &Content, place: Place) -> String {
        let step = place.hints.step();
        match content.node {
            Node::Clean(file, i) => {
                let layout = Layout { arena: self.document.arena(file) };
                let header = layout.slice(layout.content(i), layout.after_header(i));
                let mut out = header[..1].to_owned();
                if header.contains(|c: char| c.is_ascii_digit()) {
                    out += &step.to_string();
                }
                let cut = !layout.arena.raw(i).ends_with(line::BREAKS)
                    && !layout.arena.string(i).ends_with('\n');
                match header.find(['-', '+']) {
                    _ if cut => out.push('-'),
                    Some(at) => out.push_str(&header[at..=at]),
                    None => {}
                }
                out
            }
            Node::Opened(id) => {
                let Body::Scalar(Scalar::String(text)) = self.document.opened(id).body()
                else {
                    return String::new();
                };
                let Some(literal) = literal(text) else { return String::new() };
                let indicator =
                    if literal.indicator { step.to_string() } else { String::new() };
                format!("|{indicator}{}", literal.chomping)
            }
        }
    }

    /// Writes the lines of a block scalar.
    pub(super) fn block_scalar(&mut self, content: &Content, place: Place) {
        let column = place.column + place.hints.step();
        let chomping = Chomping::of(&self.header(content, place));
        match content.node {
            Node::Clean(file, i) => {
                let layout = Layout { arena: self.document.arena(file) };
                let from = layout.next_line(layout.after_header(i));
                let lines = layout.slice(from, layout.end(i));
                self.indented(lines, layout.column(i), column);
                self.out.ends_scalar(chomping);
            }
            Node::Opened(_) => {
                let scalar = self.document.scalar(content.node);
                if let Scalar::String(text) = &scalar {
                    self.indented(text, 0, column);
                }
                self.out.ends_scalar(chomping);
            }
        }
    }

    /// Writes lines in another column.
    fn indented(&mut self, lines: &str, from: usize, to: usize) {
        for (line, _) in line::split(lines) {
            let blanks = line.bytes().take_while(|&byte| byte == b' ').count();
            let text = &line[blanks.min(from)..];
            if !text.is_empty() {
                self.out.spaces(to);
                self.out.push(text);
            }
            self.out.newline();
        }
    }

    /// The last block scalar of a text without a final line break gets one now, and must
    /// not read it.
    pub(super) fn seal(&mut self, to: usize) {
        let layout = self.out.layout();
        // A value that is not written stands behind its key.
        let count = layout.arena.nodes().len() as Index;
        let written = |i: &Index| layout.content(*i) < layout.end(*i);
        let Some(last) = (0..count).rev().find(written) else { return };
        let open = to == layout.text().len()
            && !layout.text().ends_with(line::BREAKS)
            && layout.is_block_scalar(last)
            && layout.end(last) == to
            && !layout.arena.string(last).ends_with('\n');
        let after = layout.after_header(last);
        let header = layout.slice(layout.content(last), after);
        if !open || header.contains('-') || self.out.source().at > layout.content(last) {
            return;
        }
        match header.find('+') {
            Some(at) => {
                self.out.copy(layout.content(last) + at);
                self.out.skip(layout.content(last) + at + 1);
            }
            None => self.out.copy(after),
        }
        self.out.push("-");
    }
}
