//! Nodes on their way to a place of the printed text: the form that they take there, and what
//! of their written text can be taken as it is.

use std::borrow::Cow;

use super::{PlaceRole, Placement, ValueForm};
use crate::arena::{Arena, Index, Style, flag, verbatim_tag};
use crate::layout::{Layout, is_flow};
use crate::node::{Body, Kind, NodeId, Slot, Tree};
use crate::scalar::{BREAKS_1_1, Dialect, Quote, Scalar, Tag, literal};

/// Maximum length in bytes of a key without `?`.
// YAML allows 1,024 characters; the rest is for an anchor and a tag.
const LONG_KEY: usize = 1000;

/// The nodes of a document, whose texts may be of other files and dialects than the printed one.
#[derive(Clone, Copy)]
pub(super) struct Reuse<'a> {
    document: &'a Tree,
}

impl<'a> Reuse<'a> {
    pub(super) fn of(document: &'a Tree) -> Reuse<'a> {
        Reuse { document }
    }

    /// Returns the form that `node` takes in that place.
    pub(super) fn form(self, node: NodeId, place: Placement) -> ValueForm {
        if place.flow {
            return ValueForm::Inline;
        }
        match node {
            NodeId::Clean(file, i) => {
                self.written_form(self.document.arena(file), i, place)
            }
            NodeId::Opened(id) => {
                let slots = self.document.slots(node);
                let kept_flow = has_kept(&slots)
                    && self.document.origin(id).is_some_and(|(file, i)| {
                        is_flow(self.document.arena(file).style(i))
                            && !self.document.hints().is_restyled(file)
                    });
                let in_flow = kept_flow || self.document.hints().is_in_brackets(node);
                match self.document.opened(id).body() {
                    Body::Scalar(Scalar::String(text)) => text_form(text, place),
                    Body::Scalar(_) => ValueForm::Inline,
                    // A block collection cannot be empty.
                    Body::Sequence(_) | Body::Mapping(_)
                        if slots.is_empty() || in_flow =>
                    {
                        ValueForm::Inline
                    }
                    Body::Sequence(_) => ValueForm::Sequence,
                    Body::Mapping(_) => ValueForm::Mapping,
                }
            }
        }
    }

    /// Returns a text that has no spelling of its own: it is a part of JSON, or was made for a
    /// patch.
    pub(super) fn unspelled(self, node: NodeId) -> Option<Cow<'a, str>> {
        let hints = self.document.hints();
        match node {
            NodeId::Clean(file, i) => {
                let arena = self.document.arena(file);
                let is_json = arena.style(i) == Style::Double && hints.is_restyled(file);
                (is_json && written_tag(arena, i).is_none()).then(|| arena.string(i))
            }
            NodeId::Opened(id) => match self.document.opened(id).body() {
                Body::Scalar(Scalar::String(text)) if hints.is_restyled_opened(id) => {
                    Some(text.as_ref().into())
                }
                _ => None,
            },
        }
    }

    fn written_form(self, arena: &Arena, i: Index, place: Placement) -> ValueForm {
        if let Some(text) = self.unspelled(NodeId::Clean(arena.file(), i)) {
            return text_form(&text, place);
        }
        match arena.style(i) {
            Style::FlowSequence if self.is_unfolded(arena, i) => ValueForm::Sequence,
            Style::FlowMapping if self.is_unfolded(arena, i) => ValueForm::Mapping,
            Style::BlockSequence => ValueForm::Sequence,
            Style::BlockMapping => ValueForm::Mapping,
            Style::Literal | Style::Folded
                if self.stays_block_scalar(arena, i, place)
                    && !self.is_foreign(arena, i) =>
            {
                ValueForm::Scalar
            }
            _ => ValueForm::Inline,
        }
    }

    /// Returns true if flow collection `i` is printed in block style.
    fn is_unfolded(self, arena: &Arena, i: Index) -> bool {
        self.document.hints().is_restyled(arena.file()) && arena.next(i) > i + 1
    }

    /// Returns true if flow collection `i` is copied with its brackets.
    pub(super) fn copies_flow(self, arena: &Arena, i: Index) -> bool {
        is_flow(arena.style(i))
            && arena.style(i) != Style::FlowPair
            && !self.document.hints().is_restyled(arena.file())
            && self.copies(arena)
    }

    /// Returns true if a text reads the same in the printed text.
    pub(super) fn copies(self, arena: &Arena) -> bool {
        let base = self.document.base();
        let tags = !arena.declares_tags() && !base.declares_tags();
        arena.file() == base.file() || arena.dialect() == base.dialect() && tags
    }

    /// Returns the tag of a node, spelled so that it resolves to the same when printed.
    pub(super) fn tag(self, arena: &'a Arena, i: Index) -> Option<Cow<'a, str>> {
        let tag = written_tag(arena, i).filter(|_| !self.is_foreign(arena, i))?;
        let base = self.document.base();
        let is_base = arena.file() == base.file();
        if is_base || (!arena.declares_tags() && !base.declares_tags()) {
            return Some(tag.into());
        }
        let full = arena.resolved_tag(i).filter(|full| full.len() > 1)?;
        Some(verbatim_tag(&full).into())
    }

    /// Returns true if node `i` has a tag that the printed dialect does not know, or with which
    /// its text has another value there: `!!int 0777` is octal for yaml.v2 only.
    pub(super) fn is_foreign(self, arena: &Arena, i: Index) -> bool {
        let dialect = self.document.base().dialect();
        let Some(tag) = arena.tag(i).filter(|_| arena.dialect() != dialect) else {
            return false;
        };
        let style = arena.style(i);
        let is_scalar = !style.is_sequence() && !style.is_mapping();
        let name = arena.resolved_tag(i).filter(|_| is_scalar);
        let differs = name.is_some_and(|name| match Tag::named(&name) {
            // For yaml.v2 it gives a string.
            Tag::Binary => arena.dialect() == Dialect::Go,
            tag => {
                let text = arena.string(i);
                let here = tag.resolve(text.clone(), arena.dialect()).ok();
                here != tag.resolve(text, dialect).ok()
            }
        });
        // For yaml.v2 tags may have brackets.
        differs || tag.contains([',', '[', ']', '{', '}'])
    }

    /// Returns true if a written block scalar can be one in that place.
    fn stays_block_scalar(self, arena: &Arena, i: Index, place: Placement) -> bool {
        let layout = Layout { arena };
        let indicator = has_indicator(layout.header(i));
        let lines = layout.scalar_lines(i);
        let blank =
            lines.trim().is_empty() && !(self.is_given(arena) && lines.is_empty());
        !(blank
            || indicator && place.role == PlaceRole::Root
            || self.has_foreign_breaks(arena, i))
    }

    /// Returns true if a written scalar has characters that are line breaks in its own dialect
    /// or in the printed one, and not in the other.
    fn has_foreign_breaks(self, arena: &Arena, i: Index) -> bool {
        let differs = arena.dialect() != self.document.base().dialect();
        differs && arena.raw(i).contains(BREAKS_1_1)
    }

    /// Returns true if a written scalar reads the same in that place.
    pub(super) fn fits(self, arena: &Arena, i: Index, place: Placement) -> bool {
        let raw = arena.raw(i);
        let lines = arena.has(i, flag::MULTILINE);
        let marker = raw.starts_with("---") || raw.starts_with("...");
        match arena.style(i) {
            // Only yaml.v2 has this escape.
            Style::Double if raw.contains("\\'") && !self.copies(arena) => false,
            Style::Single | Style::Double => {
                !(lines && place.flow || self.has_foreign_breaks(arena, i))
            }
            Style::Plain => {
                (arena.has(i, flag::MERGE_KEY) || self.copies(arena))
                    && !(lines && place.flow)
                    && !(place.role == PlaceRole::Root && marker)
                    // At the start of a document it would mark the byte order.
                    && !raw.starts_with('\u{feff}')
                    && stays_plain(raw, place.flow)
            }
            Style::Alias => true,
            _ => false,
        }
    }

    /// Returns the header of a block scalar whose lines stand `step` columns deeper.
    pub(super) fn header(self, node: NodeId, step: usize) -> String {
        if let Some(text) = self.unspelled(node) {
            return literal_header(&text, step);
        }
        match node {
            NodeId::Clean(file, i) => {
                let layout = Layout { arena: self.document.arena(file) };
                let header = layout.header(i);
                let mut out = header[..1].to_owned();
                if has_indicator(header) {
                    out += &step.to_string();
                }
                let cut = !layout.scalar_lines(i).is_empty()
                    && !layout.after_break(layout.end(i))
                    && !layout.arena.string(i).ends_with('\n');
                match header.find(['-', '+']) {
                    // The last line of a text may have no break, nor has the value then.
                    _ if cut => out.push('-'),
                    Some(at) => out.push_str(&header[at..=at]),
                    None => {}
                }
                out
            }
            NodeId::Opened(id) => match self.document.opened(id).body() {
                Body::Scalar(Scalar::String(text)) => literal_header(text, step),
                Body::Scalar(_) | Body::Sequence(_) | Body::Mapping(_) => String::new(),
            },
        }
    }

    /// Returns true if new values are printed as they stand in that text.
    fn is_given(self, arena: &Arena) -> bool {
        self.document.hints().is_verbatim()
            && self.document.hints().comment_source() == Some(arena.file())
    }

    /// Returns the layout of a new value in the text that it is printed as.
    fn given(self, node: NodeId) -> Option<(Layout<'a>, Index)> {
        let NodeId::Clean(file, i) = node else { return None };
        let arena = self.document.arena(file);
        self.is_given(arena).then_some((Layout { arena }, i))
    }

    /// Returns by how many columns a new block value stands deeper than its key in the text
    /// that it is printed as; `None` if it is not.
    pub(super) fn given_depth(self, node: NodeId) -> Option<usize> {
        let (layout, i) = self.given(node)?;
        layout.depth(i)
    }

    /// Returns the comment lines between the key and a value of one line that stands below
    /// them in the printed text, and comes to another place there.
    pub(super) fn comments_above(
        self,
        node: NodeId,
        place: Placement,
    ) -> Option<Vec<&'a str>> {
        let NodeId::Clean(file, i) = node else { return None };
        let layout = Layout { arena: self.document.arena(file) };
        if place.role != PlaceRole::Value || file != self.document.base().file() {
            return None;
        }
        let below = layout.next_line(layout.after_indicator(i)?);
        let lines = layout.comment_lines(below..layout.line(layout.start(i)).max(below));
        let lines = lines.map(|(at, _)| layout.slice(at, layout.line_end(at)).trim());
        let lines: Vec<_> = lines.collect();
        (!lines.is_empty()).then_some(lines)
    }

    /// Returns the number of spaces before a new value on the line of its indicator in the
    /// text that it is printed as; `None` if it begins on another line.
    pub(super) fn given_gap(self, node: NodeId) -> Option<usize> {
        let (layout, i) = self.given(node)?;
        let blanks = layout.slice(layout.after_indicator(i)?, layout.start(i));
        let is_gap = !blanks.is_empty() && blanks.bytes().all(|byte| byte == b' ');
        is_gap.then_some(blanks.len())
    }

    /// Returns true if `key` needs no `?`.
    pub(super) fn is_simple(self, key: NodeId) -> bool {
        match key {
            NodeId::Clean(file, i) => {
                let arena = self.document.arena(file);
                let single = !arena.has(i, flag::MULTILINE);
                let scalar = match arena.style(i) {
                    Style::Plain | Style::Single | Style::Double | Style::Empty => true,
                    Style::Alias => self.document.kind(key) == Kind::Scalar,
                    _ => false,
                };
                scalar && single && arena.raw(i).len() < LONG_KEY
            }
            NodeId::Opened(_) => match self.document.scalar(key) {
                // A byte becomes six when it is escaped: `\u0007`.
                Scalar::String(text) => text.len() < LONG_KEY / 6,
                _ => self.document.kind(key) == Kind::Scalar,
            },
        }
    }

    /// Returns the style of a written node.
    pub(super) fn style(self, node: NodeId) -> Option<Style> {
        let NodeId::Clean(file, i) = node else { return None };
        Some(self.document.arena(file).style(i))
    }

    /// Returns the `:` after a key; an alias would take it for a part of its name.
    pub(super) fn colon(self, key: NodeId) -> &'static str {
        if self.style(key) == Some(Style::Alias) { " :" } else { ":" }
    }
}

/// Returns the header of a text whose lines stand `step` columns deeper.
fn literal_header(text: &str, step: usize) -> String {
    let Some(literal) = literal(text) else { return String::new() };
    let step = literal.indicator.then(|| step.to_string());
    format!("|{}{}", step.unwrap_or_default(), literal.chomping)
}

/// Returns the form of a new text.
fn text_form(text: &str, place: Placement) -> ValueForm {
    match literal(text) {
        // Readers differ on what the indentation of a root is counted from.
        Some(literal) if literal.indicator && place.role == PlaceRole::Root => {
            ValueForm::Inline
        }
        Some(_) => ValueForm::Scalar,
        None => ValueForm::Inline,
    }
}

/// Returns the tag of node `i`, unless it is a `!` without text: that is null, but with
/// quotes it is a text.
pub(super) fn written_tag(arena: &Arena, i: Index) -> Option<&str> {
    arena.tag(i).filter(|&tag| tag != "!" || arena.style(i) != Style::Empty)
}

/// Returns true if a written child is left.
pub(super) fn has_kept(slots: &[Slot]) -> bool {
    slots.iter().any(|slot| slot.was.is_some())
}

/// Returns the quotes of a written node.
pub(super) fn written_quote(arena: &Arena, i: Index) -> Option<Quote> {
    match arena.style(i) {
        Style::Single => Some(Quote::Single),
        Style::Double => Some(Quote::Double),
        _ => None,
    }
}

/// Returns true if the header of a block scalar tells the indentation.
fn has_indicator(header: &str) -> bool {
    header.contains(|c: char| c.is_ascii_digit())
}

/// Returns true if a written plain scalar is one in any place of block or flow style.
fn stays_plain(raw: &str, flow: bool) -> bool {
    // Stricter than YAML 1.2, since libyaml ends a plain scalar at `?` there.
    let ends = flow && raw.contains([',', '[', ']', '{', '}', '?']);
    let barred = matches!(raw, "-" | "?" | ":")
        || raw.contains(BREAKS_1_1)
        || ends
        || flow && raw.starts_with(':');
    // `[-]` and yaml.v2's `[a:]` are text only because of the bracket behind it.
    let mut behind = raw.match_indices(':').map(|(at, _)| &raw[at + 1..]);
    !barred && behind.all(|rest| rest.starts_with(|c: char| !c.is_whitespace()))
}
