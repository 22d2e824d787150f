//! What comes to stand in a place: a node becomes what is written before it (anchor and
//! tag), the form it takes there, and then text.

use std::borrow::Cow;
use std::ops::Range;

use super::anchor::Scope;
use super::layout::Layout;
use super::line;
use super::output::{Shift, Source};
use super::{Block, Flow, Place, Printer, Seat, Site, Task, anew, is_flow};
use crate::arena::{Index, Style};
use crate::node::{Body, Document, Kind, Node, Slot};
use crate::scalar::{Dialect, Quote, Scalar, Tag, literal, spell_quoted};
use crate::source::FileId;

/// A value that is to be written.
pub(super) struct Content {
    pub(super) node: Node,
    /// `&a !t`
    pub(super) props: String,
    pub(super) form: Form,
    pub(super) scope: Scope,
}

/// The form that a value takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `*name`
    Alias(String),
    /// `text`, `[a]`
    Inline,
    /// `|`
    Scalar,
    /// `- a`
    Sequence,
    /// `a: b`
    Mapping,
}

impl Form {
    /// Whether it begins and ends within a line of its place.
    pub(super) fn is_inline(&self) -> bool {
        matches!(self, Form::Alias(_) | Form::Inline)
    }

    pub(super) fn is_collection(&self) -> bool {
        matches!(self, Form::Sequence | Form::Mapping)
    }
}

impl<'a> Printer<'a> {
    /// What `node` is in that place: an alias stays one if it finds what it stands for.
    pub(super) fn content(&mut self, node: Node, place: Place) -> Content {
        self.scoped(node, place, Scope { own: false, ..place.scope })
    }

    /// What `node` is in its own place.
    pub(super) fn own_content(&mut self, node: Node, place: Place) -> Content {
        self.scoped(node, place, place.scope)
    }

    fn scoped(&mut self, node: Node, place: Place, outer: Scope) -> Content {
        let (mut scope, mut aliases, followed) = (outer, 0, self.document.follow(node));
        if let Node::Clean(file, i) = node
            && followed != node
        {
            if let Some(name) = self.anchors.alias(file, i, outer) {
                let form = Form::Alias(name);
                return Content { node, props: String::new(), form, scope };
            }
            (scope.expanded, aliases) = (true, 1);
        }
        let props = self.props(followed, outer, aliases);
        let form = form(self.document, followed, place);
        Content { node: followed, props, form, scope }
    }

    /// The anchor and tag that `node` brings along.
    fn props(&mut self, node: Node, scope: Scope, aliases: u32) -> String {
        let written = match node {
            Node::Clean(file, i) => Some((file, i)),
            Node::Opened(id) => self.document.origin(id),
        };
        let Some((file, i)) = written else { return String::new() };
        let anchor = self.anchors.anchor(node, (file, i), scope, aliases);
        let mut props = anchor.map_or(String::new(), |name| format!("&{name}"));
        if let Some(tag) = self.tag(file, i) {
            props.push_str(if props.is_empty() { "" } else { " " });
            props.push_str(&tag);
        }
        props
    }

    /// The tag of a node, spelled so that it means the same in the text that is printed.
    fn tag(&self, file: FileId, i: Index) -> Option<Cow<'a, str>> {
        let arena = self.document.arena(file);
        let tag = arena.tag(i).filter(|_| !is_foreign(self.document, file, i))?;
        let base = self.document.base();
        if file == base.file() || (!arena.declares_tags() && !base.declares_tags()) {
            return Some(tag.into());
        }
        let full = arena.resolved_tag(i).filter(|full| full.len() > 1)?;
        Some(format!("!<{full}>").into())
    }

    /// Writes what is no block: text, an alias, a flow collection.
    pub(super) fn inline(&mut self, content: Content, place: Place) {
        if let Form::Alias(name) = &content.form {
            self.out.push("*");
            return self.out.push(name);
        }
        self.out.push(&content.props);
        let bare = content.props.is_empty();
        let Node::Clean(file, i) = content.node else {
            return self.inline_opened(content, place);
        };
        let style = self.document.arena(file).style(i);
        let kind = self.document.kind(content.node);
        if kind == Kind::Scalar {
            return self.inline_scalar((file, i), bare, place);
        }
        self.out.push(if bare { "" } else { " " });
        if !is_flow(style) || style == Style::FlowPair || !self.copies(file) || place.json
        {
            let slots = self.document.slots(content.node);
            return self.new_collection(content, slots, place);
        }
        let slots = (!self.anchors.passes(file, self.inside(file, i), content.scope))
            .then(|| self.document.slots(content.node));
        self.copy_flow((file, i), slots, content.scope, place);
    }

    /// The quotes of the written node that a text stands in the place of.
    fn quote(&self, was: Option<(FileId, Index)>) -> Option<Quote> {
        let (file, i) = was?;
        match self.document.arena(file).style(i) {
            Style::Single => Some(Quote::Single),
            Style::Double => Some(Quote::Double),
            _ => None,
        }
    }

    fn inline_opened(&mut self, content: Content, place: Place) {
        let Node::Opened(id) = content.node else { return };
        let opened = self.document.opened(id);
        self.out.push(if content.props.is_empty() { "" } else { " " });
        if let Body::Scalar(scalar) = opened.body() {
            return match (scalar, self.quote(opened.origin())) {
                (Scalar::String(text), Some(quote)) => {
                    self.out.push(&spell_quoted(text, quote));
                }
                _ => self.spell(scalar, place),
            };
        }
        let slots = self.document.slots(content.node);
        match opened.origin() {
            Some((file, i)) if !place.json && self.stays_flow(file, i, &slots) => {
                self.copy_flow((file, i), Some(slots), content.scope, place);
            }
            _ => self.new_collection(content, slots, place),
        }
    }

    fn stays_flow(&self, file: FileId, i: Index, slots: &[Slot]) -> bool {
        let style = self.document.arena(file).style(i);
        self.copies(file)
            && is_flow(style)
            && style != Style::FlowPair
            && slots.iter().any(|slot| slot.was.is_some())
    }

    /// Writes a new collection in flow style.
    fn new_collection(&mut self, content: Content, slots: Cow<'a, [Slot]>, place: Place) {
        let mapping = self.document.kind(content.node) == Kind::Mapping;
        let place = Place { flow: true, scope: content.scope, ..place };
        self.new_flow(Box::new(anew::Rest { slots, at: 0, mapping, place }));
    }

    /// Copies a flow collection from elsewhere; `slots` are its children if they are to
    /// be looked at.
    fn copy_flow(
        &mut self,
        (file, i): (FileId, Index),
        slots: Option<Cow<'a, [Slot]>>,
        scope: Scope,
        place: Place,
    ) {
        let arena = self.document.arena(file);
        let layout = Layout { arena };
        let (at, end) = (layout.content(i), layout.end(i));
        let mut from = layout.entry_column(layout.start(i));
        if layout.next_line(at) < end {
            from = from.min(layout.indent(layout.next_line(at)).saturating_sub(1));
        }
        let shift = Shift { from, to: place.column };
        self.out.enter(Source { arena, at, shift, scope });
        let Some(slots) = slots else {
            self.anchors.pass(file, self.inside(file, i), scope);
            self.out.copy(end);
            return self.out.leave();
        };
        let site =
            Site { old: i, from: None, place: Place { flow: true, scope, ..place } };
        let walk = Task::Flow(Box::new(Flow::new(site, slots)));
        self.schedule(vec![walk, Task::Copy(end), Task::Leave(None)]);
    }

    /// Writes the block that `content` is, below or beside its key.
    pub(super) fn body(&mut self, content: Content, place: Place, compact: bool) {
        if content.form == Form::Scalar {
            return self.block_scalar(&content, place);
        }
        let column = match (place.seat, &content.form) {
            (Seat::Root, _) => 0,
            (Seat::Item, _) => place.column + 1 + place.gap,
            (Seat::Value, Form::Sequence) => place.column + place.hints.sequence(),
            (Seat::Value, _) => place.column + place.hints.step(),
        };
        let slots = self.document.slots(content.node);
        let written = match content.node {
            Node::Clean(file, i) => Some((file, i)),
            Node::Opened(id) => {
                let kept = slots.iter().any(|slot| slot.was.is_some());
                self.document.origin(id).filter(|_| kept)
            }
        };
        match written {
            Some((file, i)) if self.copies_block(file, i, column) => {
                let whole = content.node == Node::Clean(file, i)
                    && self.anchors.passes(file, self.inside(file, i), content.scope);
                let slots = (!whole).then_some(slots);
                self.copy_block((file, i), slots, (column, compact), &content, place);
            }
            _ => {
                let mapping = content.form == Form::Mapping;
                let place = Place { column, scope: content.scope, ..place };
                let rest = anew::Rest { slots, at: 0, mapping, place };
                self.tasks.push(Task::NewBlock(Box::new(rest)));
                if !compact {
                    self.out.spaces(column);
                }
            }
        }
    }

    /// Copies a block collection from elsewhere to another column.
    fn copy_block(
        &mut self,
        (file, i): (FileId, Index),
        slots: Option<Cow<'a, [Slot]>>,
        (column, compact): (usize, bool),
        content: &Content,
        place: Place,
    ) {
        let arena = self.document.arena(file);
        let layout = Layout { arena };
        let scope = content.scope;
        let Some(first) = layout.entries(i).next() else { return };
        let alone = layout.begins_line(first.start);
        let first_stays = |slots: &[Slot]| slots.first().and_then(|slot| slot.was);
        let stays = slots.as_deref().is_none_or(|s| first_stays(s) == Some(first.first));
        let at = match (compact, layout.lead(&first)) {
            (false, lead) if alone => lead,
            (true, lead) if alone && stays => lead + layout.indent(lead),
            _ => first.start,
        };
        if !compact && !alone {
            self.out.spaces(column);
        }
        let compact = compact || !alone;
        let shift = Shift { from: layout.column(i), to: column };
        self.out.enter(Source { arena, at, shift, scope });
        let to = layout.tail(i);
        let last = arena.next(i) - 1;
        match slots {
            None => {
                self.anchors.pass(file, self.inside(file, i), scope);
                self.schedule(vec![Task::CopyEnd(to), Task::Leave(Some(last))]);
            }
            Some(slots) => {
                let site = Site { old: i, from: None, place: Place { scope, ..place } };
                let walk =
                    Task::Block(Box::new(Block::new(site, slots, (column, compact))));
                self.schedule(vec![walk, Task::CopyEnd(to), Task::Leave(Some(last))]);
            }
        }
    }

    /// The nodes in collection `i`.
    fn inside(&self, file: FileId, i: Index) -> Range<Index> {
        i + 1..self.document.arena(file).next(i)
    }

    /// Whether the text of that file means the same in the text that is printed.
    pub(super) fn copies(&self, file: FileId) -> bool {
        let (arena, base) = (self.document.arena(file), self.document.base());
        let tags = !arena.declares_tags() && !base.declares_tags();
        file == base.file() || arena.dialect() == base.dialect() && tags
    }

    /// Whether block collection `i` can be copied to that column: in the first one, no
    /// line may look like a marker.
    fn copies_block(&self, file: FileId, i: Index, column: usize) -> bool {
        let arena = self.document.arena(file);
        let layout = Layout { arena };
        let risky = |(line, _): (&str, bool)| {
            let text = line.trim_start_matches(' ');
            text.starts_with("---") || text.starts_with("...")
        };
        let safe = column > 0
            || !line::split(layout.slice(layout.content(i), layout.end(i))).any(risky);
        let block = matches!(arena.style(i), Style::BlockSequence | Style::BlockMapping);
        block && safe && self.copies(file)
    }
}

/// The form that `node` takes in that place.
fn form(document: &Document, node: Node, place: Place) -> Form {
    if place.flow {
        return Form::Inline;
    }
    match node {
        Node::Clean(file, i) => match document.arena(file).style(i) {
            Style::BlockSequence => Form::Sequence,
            Style::BlockMapping => Form::Mapping,
            Style::Literal | Style::Folded
                if stands(document, file, i, place) && !is_foreign(document, file, i) =>
            {
                Form::Scalar
            }
            _ => Form::Inline,
        },
        Node::Opened(id) => {
            let opened = document.opened(id);
            let slots = document.slots(node);
            let in_flow = opened.origin().is_some_and(|(file, i)| {
                is_flow(document.arena(file).style(i))
                    && slots.iter().any(|slot| slot.was.is_some())
            });
            match opened.body() {
                Body::Scalar(Scalar::String(text)) => spelled(text, place),
                Body::Scalar(_) => Form::Inline,
                Body::Sequence(_) | Body::Mapping(_) if slots.is_empty() || in_flow => {
                    Form::Inline
                }
                Body::Sequence(_) => Form::Sequence,
                Body::Mapping(_) => Form::Mapping,
            }
        }
    }
}

/// Whether node `i` has a tag that the dialect of the printed text does not know: in Go's,
/// `!!binary` is a string, and a tag may hold brackets.
pub(super) fn is_foreign(document: &Document, file: FileId, i: Index) -> bool {
    let (arena, dialect) = (document.arena(file), document.base().dialect());
    let Some(tag) = arena.tag(i).filter(|_| arena.dialect() != dialect) else {
        return false;
    };
    let binary = arena.dialect() == Dialect::Go
        && arena.resolved_tag(i).is_some_and(|name| Tag::named(&name) == Tag::Binary);
    binary || tag.contains([',', '[', ']', '{', '}'])
}

/// The form of a new string. A block that keeps blank lines would swallow those that
/// follow, and readers differ on what the indentation of a root is counted from.
fn spelled(text: &str, place: Place) -> Form {
    match literal(text) {
        Some(literal) if literal.chomping == "+" => Form::Inline,
        Some(literal) if literal.indicator && place.seat == Seat::Root => Form::Inline,
        Some(_) => Form::Scalar,
        None => Form::Inline,
    }
}

/// Whether a written block scalar stays one in that place.
fn stands(document: &Document, file: FileId, i: Index, place: Place) -> bool {
    let layout = Layout { arena: document.arena(file) };
    let header = layout.slice(layout.content(i), layout.after_header(i));
    let indicator = header.contains(|c: char| c.is_ascii_digit());
    let blank = layout.is_blank(layout.after_header(i), layout.end(i));
    !(blank || indicator && place.seat == Seat::Root)
}
