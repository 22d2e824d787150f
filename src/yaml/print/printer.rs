//! The printer: walks the opened nodes of a document and writes its text.

use std::borrow::Cow;
use std::ops::Range;

use hashbrown::HashMap;

use super::anchor::{Anchors, Provenance};
use super::output::{Output, Printed};
use crate::arena::{Arena, Index, NONE, Style, flag, verbatim_tag};
use crate::layout::{
    Chomping, IndentHints, Layout, WrittenEntry, bare_lines, begins_with_comment,
    is_comment, is_comment_or_blank, is_flow, is_json, majority, may_hold_comment,
    written_comments,
};
use crate::node::{Body, EntryComments, Kind, NodeId, Slot, Tree, entry_comments};
use crate::scalar::{
    BREAKS_1_1, Context, Dialect, Quote, Scalar, Tag, literal, spell_json, spell_quoted,
    spell_with,
};
use crate::source::FileId;

/// Maximum length in bytes of a key without `?`.
// YAML allows 1,024 characters; the rest is for an anchor and a tag.
const LONG_KEY: usize = 1000;

/// Writes the text of a document that has edits.
pub(super) fn write(document: &Tree) -> Printed<'_> {
    let mut printer = Printer {
        document,
        out: Output::new(document.base()),
        anchors: Anchors::new(document),
        tasks: (0..document.roots().len()).rev().map(PrintTask::Root).collect(),
        majority: None,
        left_out: left_out_comments(document),
    };
    while let Some(task) = printer.tasks.pop() {
        printer.step(task);
    }
    printer.out.finish()
}

/// Maximum number of spaces after the `-` of a new item.
// More spaces align one item with another text and are no habit.
const MAX_DASH_SPACES: usize = 8;

struct Printer<'a> {
    document: &'a Tree,
    out: Output<'a>,
    anchors: Anchors<'a>,
    tasks: Vec<PrintTask<'a>>,
    majority: Option<(IndentHints, Quote)>,
    /// Offsets of the comments that are left out where values are copied, in their order.
    left_out: Vec<usize>,
}

/// Returns the offsets of the comments that are not printed with values of their text.
fn left_out_comments(document: &Tree) -> Vec<usize> {
    let arena = document.hints().uncommented().map(|file| document.arena(file));
    let comments = arena.into_iter().flat_map(written_comments);
    comments.map(|comment| comment.start).collect()
}

/// A task; the last one of the stack is done next.
enum PrintTask<'a> {
    Root(usize),
    /// Continues a written block collection.
    Block(Box<BlockWalk<'a>>),
    /// Continues a written flow collection.
    Flow(Box<FlowWalk<'a>>),
    /// Continues a new block collection.
    NewBlock(Box<NewCollection<'a>>),
    /// Continues a new flow collection.
    NewFlow(Box<NewCollection<'a>>),
    FlowEntry(Slot, Placement),
    /// Copies a written entry of a flow collection to another place of it.
    MovedFlow(WrittenEntry, Slot, Placement),
    /// Writes a value after the `-` or `:` of a new entry.
    Value(NodeId, Placement),
    /// Writes a value after the `-` or `:` of a new entry, with a comment beside it.
    Commented(NodeId, Placement, &'a str),
    /// Writes a key or value in flow style.
    Inline(NodeId, Placement),
    /// Copies up to an offset what was neither copied nor skipped.
    Copy(usize),
    CopyEnd(usize),
    /// Skips up to an offset what was neither copied nor skipped.
    Skip(usize),
    /// Writes lines in the place of those below an entry or a document.
    Dangling(LinesBelow<'a>),
    /// Ends the last document, behind which text may stand that is never read.
    End(usize),
    Text(String),
    /// Begins a line with that many spaces.
    Line(usize),
    /// Ends the line, unless it has ended.
    EndLine,
    /// Copies the comment lines below a new block collection.
    CopyBelow(CommentsBelow),
    /// Ends what is copied from elsewhere; the node behind it.
    Leave(Option<Index>),
}

#[derive(Clone, Copy, Debug)]
struct Placement {
    role: Role,
    /// Column of the entry.
    column: usize,
    flow: bool,
    /// True if the document is JSON.
    json: bool,
    /// Number of spaces after a `-`.
    gap: usize,
    hints: IndentHints,
    provenance: Provenance,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Root,
    Item,
    Value,
}

/// A value in its place in a written text.
#[derive(Clone, Copy)]
struct WrittenValue {
    /// The value that was written there.
    old: Index,
    /// Offset after the `-`, `:` or `---` before it.
    from: Option<usize>,
    place: Placement,
    /// True if an edit has the lines below it written.
    closes: bool,
}

/// Lines that an edit put below an entry or a document.
struct LinesBelow<'a> {
    /// The written lines in their place.
    written: Range<usize>,
    lines: &'a str,
    /// The node behind the entry.
    next: Index,
    /// Column of the entry.
    column: usize,
}

/// The comments behind and below a value that a block collection replaces.
struct CommentsBelow {
    /// The text from the end of the value to the end of its entry.
    text: Range<usize>,
    /// Column of the new entries.
    column: usize,
}

impl<'a> Printer<'a> {
    fn step(&mut self, task: PrintTask<'a>) {
        match task {
            PrintTask::Root(at) => self.root(at),
            PrintTask::Block(walk) => self.walk_block(walk),
            PrintTask::Flow(walk) => self.walk_flow(walk),
            PrintTask::NewBlock(rest) => self.new_block(rest),
            PrintTask::NewFlow(rest) => self.new_flow(rest),
            PrintTask::FlowEntry(slot, place) => self.flow_entry(slot, place),
            PrintTask::MovedFlow(entry, slot, place) => {
                self.moved_flow_entry(entry, &slot, place);
            }
            PrintTask::Value(node, place) => self.new_value(node, place),
            PrintTask::Commented(node, place, comment) => {
                self.value_with_comment(node, place, comment);
            }
            PrintTask::Inline(node, place) => self.inline_node(node, place),
            PrintTask::Copy(to) => self.out.copy(to),
            PrintTask::CopyEnd(to) => {
                self.seal_last_scalar(to);
                self.out.copy(to);
            }
            PrintTask::Skip(to) => self.out.skip(to),
            PrintTask::Dangling(lines) => self.put_dangling(&lines),
            PrintTask::End(end) => self.end_document(end),
            PrintTask::Text(text) => self.out.push(&text),
            PrintTask::Line(column) => {
                self.out.newline();
                self.out.spaces(column);
            }
            PrintTask::EndLine => self.out.end_line(),
            PrintTask::CopyBelow(comments) => self.copy_below(comments),
            PrintTask::Leave(next) => self.leave(next),
        }
    }

    /// Schedules tasks before all others, in the order given.
    fn schedule(&mut self, tasks: Vec<PrintTask<'a>>) {
        self.tasks.extend(tasks.into_iter().rev());
    }

    fn root(&mut self, at: usize) {
        self.anchors.clear();
        let document = self.document;
        let base = document.base();
        let (node, section) = (document.roots()[at], base.sections()[at]);
        let old = section.root;
        let layout = Layout { arena: base };
        let dangling = document.hints().dangling(at).map(|lines| LinesBelow {
            written: layout.document_dangling(&section),
            lines,
            next: base.next(old),
            column: 0,
        });
        if node == NodeId::Clean(base.file(), old) {
            self.tasks.extend(dangling.map(PrintTask::Dangling));
            return;
        }
        let place = Placement {
            role: Role::Root,
            column: 0,
            flow: false,
            json: false,
            gap: 1,
            hints: IndentHints::default(),
            provenance: self.out.provenance(),
        };
        let marker = (section.marker != NONE).then_some(section.marker as usize);
        if base.style(old) == Style::Empty && layout.after_props(old).is_none() {
            let end = section.end as usize;
            return self.put_empty_root(node, marker, section.start as usize..end, place);
        }
        let same_line =
            |&marker: &usize| layout.line(marker) == layout.line(layout.start(old));
        if at + 1 == base.sections().len() && section.suffix == NONE {
            self.tasks.push(PrintTask::End(section.end as usize));
        }
        let closes = dangling.is_some();
        self.tasks.extend(dangling.map(PrintTask::Dangling));
        self.enter(
            WrittenValue { old, from: marker.filter(same_line), place, closes },
            node,
        );
    }

    /// Skips the text behind the first document that is no part of it.
    fn end_document(&mut self, end: usize) {
        let layout = self.out.layout();
        // yaml.v2 reads one document and ignores errors behind it. Behind a changed
        // document the rest might become a part of it.
        let is_nothing =
            |line: &str| is_comment_or_blank(line) || line.starts_with('\u{feff}');
        let rest = layout.slice(end, layout.text().len());
        let mut rest = bare_lines(rest).map(str::trim);
        let beside = rest.next().is_none_or(is_nothing);
        if !beside || !rest.all(is_nothing) {
            self.out.copy(if beside { layout.next_line(end) } else { end });
            self.out.end_line();
            self.out.skip(layout.text().len());
        }
    }

    /// Prints the value of a written entry, which is now `node`.
    fn enter(&mut self, written: WrittenValue, node: NodeId) {
        let arena = self.out.layout().arena;
        let here = NodeId::Clean(arena.file(), written.old);
        match node {
            NodeId::Clean(..) if node == here => self.enter_clean(written),
            NodeId::Opened(id)
                if self.document.kind(node) != Kind::Scalar
                    && self.document.origin(id) == Some((arena.file(), written.old)) =>
            {
                self.enter_opened(written, id);
            }
            NodeId::Clean(..) | NodeId::Opened(_) => self.replace(written, node),
        }
    }

    fn enter_clean(&mut self, written: WrittenValue) {
        let (arena, provenance, old) =
            (self.out.layout().arena, written.place.provenance, written.old);
        // The cursor copies it on the way to the next edit.
        if !arena.has(old, flag::HAS_ALIAS | flag::HAS_ANCHOR) {
            return;
        }
        let nodes = old..arena.next(old);
        if self.anchors.can_copy(arena.file(), nodes.clone(), provenance) {
            return self.anchors.record_copy(arena.file(), nodes, provenance);
        }
        let node = NodeId::Clean(arena.file(), old);
        // An empty item that loses its anchor would leave `[, b]`.
        let item = written.place.flow && written.place.role == Role::Item;
        let bare = item && arena.style(old) == Style::Empty;
        if arena.style(old) == Style::Alias || bare {
            return self.replace(written, node);
        }
        self.update_anchor(written, node);
        self.walk(written, self.document.slots(node));
    }

    fn enter_opened(&mut self, written: WrittenValue, id: u32) {
        let (layout, node) = (self.out.layout(), NodeId::Opened(id));
        let slots = self.document.slots(node);
        let flow = is_flow(layout.style(written.old));
        let was_empty = layout.arena.nodes()[written.old as usize].len == 1;
        if slots.is_empty() && !flow {
            return self.put_empty(written, node);
        }
        // `[]` shows no style: what is put into it becomes a block. A comment inside stays.
        let content = layout.content(written.old)..layout.end(written.old);
        let inside = layout.slice(content.start, content.end);
        let is_bare = was_empty && !may_hold_comment(inside);
        if !slots.is_empty() && flow && is_bare && !written.place.flow {
            let content = self.own_content(node, written.place);
            return self.place_content(written, content);
        }
        let Some(tag) = self.new_tag(written.old, node) else {
            self.update_anchor(written, node);
            return self.walk(written, slots);
        };
        if !flow && !layout.arena.has(written.old, flag::PROPS) {
            // A block has no line for a first tag.
            let content = self.own_content(node, written.place);
            return self.place_content(written, content);
        }
        self.update_anchor(written, node);
        self.update_tag(written.old, tag.as_deref());
        self.walk(written, slots);
    }

    /// Walks a written collection, whose children are now `slots`.
    fn walk(&mut self, mut written: WrittenValue, slots: Cow<'a, [Slot]>) {
        if slots.is_empty() && !is_flow(self.out.layout().style(written.old)) {
            return;
        }
        self.tasks.push(if is_flow(self.out.layout().style(written.old)) {
            let root = written.place.role == Role::Root;
            let json = root && !self.document.hints().is_verbatim();
            written.place.json |= json && is_json(self.out.layout().arena);
            PrintTask::Flow(FlowWalk::new(written, slots))
        } else {
            let layout = self.out.layout();
            let column = self.out.column(layout.column(written.old));
            let first = layout.first_start(written.old);
            let compact = self.out.at() == first && !self.out.begins_line();
            PrintTask::Block(BlockWalk::new(written, slots, (column, compact)))
        });
    }

    /// Ends what was copied from elsewhere, up to before node `next`.
    fn leave(&mut self, next: Option<Index>) {
        let layout = self.out.layout();
        let scalar = next.and_then(|next| layout.last_block_scalar(next));
        let chomping = scalar.map(|last| layout.chomping(last));
        self.out.leave();
        if let Some(chomping) = chomping {
            self.out.end_line();
            self.out.ends_copied_scalar(chomping);
        }
    }

    /// Returns the most frequent indentation and quotes, where neighbours give no hint.
    fn majority(&mut self) -> (IndentHints, Quote) {
        *self.majority.get_or_insert_with(|| majority(self.document.base()))
    }
}

struct ValueContent {
    node: NodeId,
    /// Anchor and tag: `&a !t`.
    props: String,
    form: ValueForm,
    provenance: Provenance,
    /// The quotes of the text that it replaces. A text of a JSON patch takes them, which
    /// has no spelling of its own.
    quote: Option<Quote>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum ValueForm {
    /// `*name`
    Alias(String),
    Inline,
    Scalar,
    Sequence,
    Mapping,
}

impl ValueForm {
    /// Returns true if the form begins and ends within a line of its place.
    fn is_inline(&self) -> bool {
        matches!(self, ValueForm::Alias(_) | ValueForm::Inline)
    }

    fn is_collection(&self) -> bool {
        matches!(self, ValueForm::Sequence | ValueForm::Mapping)
    }
}

/// The content of a place: a node becomes properties, a form, and text.
impl<'a> Printer<'a> {
    /// Returns the content for `node` outside of its own place.
    fn content(&mut self, node: NodeId, place: Placement) -> ValueContent {
        self.scoped(node, place, Provenance { in_place: false, ..place.provenance })
    }

    /// Returns the content for `node` in its own place.
    fn own_content(&mut self, node: NodeId, place: Placement) -> ValueContent {
        self.scoped(node, place, place.provenance)
    }

    fn scoped(
        &mut self,
        node: NodeId,
        place: Placement,
        outer: Provenance,
    ) -> ValueContent {
        let (mut provenance, mut aliases, followed) =
            (outer, 0, self.document.follow(node));
        if let NodeId::Clean(file, i) = node
            && followed != node
        {
            // An alias stays one if its name still leads to the same node.
            if let Some(name) = self.anchors.alias(file, i, outer) {
                let form = ValueForm::Alias(name);
                let props = String::new();
                return ValueContent { node, props, form, provenance, quote: None };
            }
            (provenance.expanded, aliases) = (true, 1);
        }
        let props = self.props(followed, outer, aliases);
        let form = form(self.document, followed, place);
        ValueContent { node: followed, props, form, provenance, quote: None }
    }

    /// Returns the anchor and tag of `node`.
    fn props(&mut self, node: NodeId, provenance: Provenance, aliases: u32) -> String {
        let written = match node {
            NodeId::Clean(file, i) => Some((file, i)),
            NodeId::Opened(id) => self.document.origin(id),
        };
        let anchor = written
            .and_then(|written| self.anchors.anchor(node, written, provenance, aliases));
        let mut props = anchor.map_or(String::new(), |name| format!("&{name}"));
        let tagged = self.document.tagged_as(node);
        if let Some(tag) = tagged.and_then(|(file, i)| self.tag(file, i)) {
            props.push_str(if props.is_empty() { "" } else { " " });
            props.push_str(&tag);
        }
        props
    }

    /// Returns the tag of a node, spelled so that it resolves to the same when printed.
    fn tag(&self, file: FileId, i: Index) -> Option<Cow<'a, str>> {
        let arena = self.document.arena(file);
        let tag =
            written_tag(arena, i).filter(|_| !is_foreign(self.document, file, i))?;
        let base = self.document.base();
        if file == base.file() || (!arena.declares_tags() && !base.declares_tags()) {
            return Some(tag.into());
        }
        let full = arena.resolved_tag(i).filter(|full| full.len() > 1)?;
        Some(verbatim_tag(&full).into())
    }

    /// Writes text, an alias or a flow collection.
    fn inline(&mut self, content: ValueContent, place: Placement) {
        if let ValueForm::Alias(name) = &content.form {
            self.out.push("*");
            return self.out.push(name);
        }
        self.out.push(&content.props);
        let bare = content.props.is_empty();
        let NodeId::Clean(file, i) = content.node else {
            return self.inline_opened(content, place);
        };
        let style = self.document.arena(file).style(i);
        let kind = self.document.kind(content.node);
        if kind == Kind::Scalar {
            return self.inline_scalar((file, i), &content, place);
        }
        self.out.push(if bare { "" } else { " " });
        let is_new = place.json
            || self.document.hints().is_restyled(file)
            || self.leaves_out(file, i);
        if !is_flow(style) || style == Style::FlowPair || !self.copies(file) || is_new {
            let slots = self.document.slots(content.node);
            return self.new_collection(content, slots, place);
        }
        let slots = (!self.can_copy_inner(file, i, content.provenance))
            .then(|| self.document.slots(content.node));
        self.copy_flow((file, i), slots, content.provenance, place);
    }

    /// Returns the quotes of the written node that a text replaces.
    fn quote(&self, was: Option<(FileId, Index)>) -> Option<Quote> {
        let (file, i) = was?;
        match self.document.arena(file).style(i) {
            Style::Single => Some(Quote::Single),
            Style::Double => Some(Quote::Double),
            _ => None,
        }
    }

    fn inline_opened(&mut self, content: ValueContent, place: Placement) {
        let NodeId::Opened(id) = content.node else { return };
        if self.document.hints().is_left_out(content.node) {
            return;
        }
        let opened = self.document.opened(id);
        self.out.push(if content.props.is_empty() { "" } else { " " });
        if let Body::Scalar(scalar) = opened.body() {
            let quote = self.quote(opened.origin());
            return self.spell_text(scalar, quote, place);
        }
        let slots = self.document.slots(content.node);
        match opened.origin() {
            Some((file, i)) if !place.json && self.is_kept_flow(file, i, &slots) => {
                self.copy_flow((file, i), Some(slots), content.provenance, place);
            }
            _ => self.new_collection(content, slots, place),
        }
    }

    /// Writes a scalar; a text in the quotes of the one before it.
    fn spell_text(&mut self, scalar: &Scalar, quote: Option<Quote>, place: Placement) {
        match (scalar, quote) {
            (Scalar::String(text), Some(quote)) if !place.json => {
                self.out.push(&spell_quoted(text, quote));
            }
            _ => self.spell(scalar, place),
        }
    }

    fn is_kept_flow(&self, file: FileId, i: Index, slots: &[Slot]) -> bool {
        let style = self.document.arena(file).style(i);
        self.copies(file)
            && !self.document.hints().is_restyled(file)
            && is_flow(style)
            && style != Style::FlowPair
            && slots.iter().any(|slot| slot.was.is_some())
    }

    /// Writes a new collection in flow style.
    fn new_collection(
        &mut self,
        content: ValueContent,
        slots: Cow<'a, [Slot]>,
        place: Placement,
    ) {
        let mapping = self.document.kind(content.node) == Kind::Mapping;
        let place = Placement { flow: true, provenance: content.provenance, ..place };
        self.new_flow(Box::new(NewCollection { slots, at: 0, mapping, place }));
    }

    /// Copies a flow collection from elsewhere; `slots` are children to look at.
    fn copy_flow(
        &mut self,
        (file, i): (FileId, Index),
        slots: Option<Cow<'a, [Slot]>>,
        provenance: Provenance,
        place: Placement,
    ) {
        let arena = self.document.arena(file);
        let layout = Layout { arena };
        let (at, end) = (layout.content(i), layout.end(i));
        let mut from = layout.entry_column(layout.start(i));
        if layout.next_line(at) < end {
            from = from.min(layout.indent(layout.next_line(at)).saturating_sub(1));
        }
        self.out.enter(arena, at, (from, place.column), provenance);
        let Some(slots) = slots else {
            self.anchors.record_copy(file, self.inner_nodes(file, i), provenance);
            self.out.copy(end);
            return self.out.leave();
        };
        let written = WrittenValue {
            old: i,
            from: None,
            place: Placement { flow: true, provenance, ..place },
            closes: false,
        };
        let walk = PrintTask::Flow(FlowWalk::new(written, slots));
        self.schedule(vec![walk, PrintTask::Copy(end), PrintTask::Leave(None)]);
    }

    /// Writes the block of `content`, below its key or beside it (`compact`).
    fn body(&mut self, content: ValueContent, place: Placement, compact: bool) {
        if content.form == ValueForm::Scalar {
            return self.block_scalar(&content, place);
        }
        let given = self.given_depth(content.node).filter(|_| place.role == Role::Value);
        let hinted = block_column(place, &content.form);
        let column = given.map_or(hinted, |deeper| place.column + deeper);
        let slots = self.document.slots(content.node);
        let written = match content.node {
            NodeId::Clean(file, i) => Some((file, i)),
            NodeId::Opened(id) => {
                // Without a child that stays there is no layout to follow.
                let kept = slots.iter().any(|slot| slot.was.is_some());
                self.document.origin(id).filter(|_| kept)
            }
        };
        match written {
            Some((file, i)) if self.copies_block(file, i, column) => {
                let whole = content.node == NodeId::Clean(file, i)
                    && self.can_copy_inner(file, i, content.provenance);
                let slots = (!whole).then_some(slots);
                self.copy_block((file, i), slots, (column, compact), &content, place);
            }
            _ => {
                let mapping = content.form == ValueForm::Mapping;
                let place = Placement { column, provenance: content.provenance, ..place };
                let rest = NewCollection { slots, at: 0, mapping, place };
                self.tasks.push(PrintTask::NewBlock(Box::new(rest)));
                if !compact {
                    self.out.spaces(column);
                }
            }
        }
    }

    /// Returns by how many columns a new block value stands deeper than its key in the text
    /// that it is printed as; `None` if it is not.
    fn given_depth(&self, node: NodeId) -> Option<usize> {
        let (layout, i) = self.given(node)?;
        let colon = layout.after_indicator(i)? - 1;
        layout.column(i).checked_sub(layout.entry_column(colon))
    }

    /// Returns the number of spaces before a new value on the line of its indicator in the
    /// text that it is printed as; `None` if it begins on another line.
    fn given_gap(&self, node: NodeId) -> Option<usize> {
        let (layout, i) = self.given(node)?;
        let blanks = layout.slice(layout.after_indicator(i)?, layout.start(i));
        let is_gap = !blanks.is_empty() && blanks.bytes().all(|byte| byte == b' ');
        is_gap.then_some(blanks.len())
    }

    /// Returns the place of a new value in the text that it is printed as.
    fn given(&self, node: NodeId) -> Option<(Layout<'a>, Index)> {
        let NodeId::Clean(file, i) = node else { return None };
        let verbatim = self.document.hints().is_verbatim();
        let given = verbatim && self.document.hints().comment_source() == Some(file);
        given.then(|| (Layout { arena: self.document.arena(file) }, i))
    }

    /// Copies a block collection from elsewhere to another column.
    fn copy_block(
        &mut self,
        (file, i): (FileId, Index),
        slots: Option<Cow<'a, [Slot]>>,
        (column, compact): (usize, bool),
        content: &ValueContent,
        place: Placement,
    ) {
        let arena = self.document.arena(file);
        let layout = Layout { arena };
        let provenance = content.provenance;
        let Some(first) = layout.entries(i).next() else { return };
        let alone = layout.begins_line(first.start);
        let first_stays = |slots: &[Slot]| slots.first().and_then(|slot| slot.was);
        let stays = slots.as_deref().is_none_or(|s| first_stays(s) == Some(first.first));
        let at = match (compact, layout.lead(&first)) {
            (false, lead) if alone && file == self.document.file() => {
                layout.first_comment(i).unwrap_or(lead)
            }
            (false, lead) if alone => lead,
            (true, lead) if alone && stays => lead + layout.indent(lead),
            _ => first.start,
        };
        if !compact && !alone {
            self.out.spaces(column);
        }
        let compact = compact || !alone;
        self.out.enter(arena, at, (layout.column(i), column), provenance);
        let to = layout.collection_stop(i);
        let next = arena.next(i);
        match slots {
            None => {
                self.anchors.record_copy(file, self.inner_nodes(file, i), provenance);
                self.schedule(vec![PrintTask::CopyEnd(to), PrintTask::Leave(Some(next))]);
            }
            Some(slots) => {
                let written = WrittenValue {
                    old: i,
                    from: None,
                    place: Placement { provenance, ..place },
                    closes: false,
                };
                let walk =
                    PrintTask::Block(BlockWalk::new(written, slots, (column, compact)));
                self.schedule(vec![
                    walk,
                    PrintTask::CopyEnd(to),
                    PrintTask::Leave(Some(next)),
                ]);
            }
        }
    }

    fn inner_nodes(&self, file: FileId, i: Index) -> Range<Index> {
        i + 1..self.document.arena(file).next(i)
    }

    /// Returns true if the nodes in collection `i` can be copied as text.
    fn can_copy_inner(&mut self, file: FileId, i: Index, provenance: Provenance) -> bool {
        self.anchors.can_copy(file, self.inner_nodes(file, i), provenance)
    }

    /// Returns true if text of that file reads the same in the printed text.
    fn copies(&self, file: FileId) -> bool {
        let (arena, base) = (self.document.arena(file), self.document.base());
        let tags = !arena.declares_tags() && !base.declares_tags();
        file == base.file() || arena.dialect() == base.dialect() && tags
    }

    /// Returns true if collection `i` of another text has comments that are not printed.
    fn leaves_out(&self, file: FileId, i: Index) -> bool {
        if self.document.hints().uncommented() != Some(file) {
            return false;
        }
        let layout = Layout { arena: self.document.arena(file) };
        let first = layout.entries(i).next();
        let from = first.map_or(layout.content(i), |first| layout.lead(&first));
        let is_block = layout.style(i).is_block_collection();
        let to = if is_block { layout.collection_stop(i) } else { layout.end(i) };
        let next = self.left_out.partition_point(|&comment| comment < from);
        self.left_out.get(next).is_some_and(|&comment| comment < to)
    }

    /// Returns true if block collection `i` can be copied to that column.
    fn copies_block(&self, file: FileId, i: Index, column: usize) -> bool {
        let arena = self.document.arena(file);
        let layout = Layout { arena };
        let risky = |line: &str| {
            let text = line.trim_start_matches(' ');
            // In column 0 it would be a document marker, or mark the byte order.
            text.starts_with("---")
                || text.starts_with("...")
                || text.starts_with('\u{feff}')
        };
        let safe = column > 0
            || !bare_lines(layout.slice(layout.content(i), layout.end(i))).any(risky);
        let block = arena.style(i).is_block_collection();
        block && safe && self.copies(file) && !self.leaves_out(file, i)
    }
}

/// Returns the column of the entries of a block collection in that place.
fn block_column(place: Placement, form: &ValueForm) -> usize {
    match (place.role, form) {
        (Role::Root, _) => 0,
        (Role::Item, _) => place.column + 1 + place.gap,
        (Role::Value, ValueForm::Sequence) => place.column + place.hints.sequence(),
        (Role::Value, _) => place.column + place.hints.step(),
    }
}

/// Returns the form that `node` takes in that place.
fn form(document: &Tree, node: NodeId, place: Placement) -> ValueForm {
    if place.flow {
        return ValueForm::Inline;
    }
    match node {
        NodeId::Clean(file, i) => match document.arena(file).style(i) {
            Style::FlowSequence | Style::FlowMapping
                if document.hints().is_restyled(file)
                    && document.arena(file).next(i) > i + 1 =>
            {
                match document.kind(node) {
                    Kind::Mapping => ValueForm::Mapping,
                    Kind::Sequence | Kind::Scalar => ValueForm::Sequence,
                }
            }
            Style::BlockSequence => ValueForm::Sequence,
            Style::BlockMapping => ValueForm::Mapping,
            Style::Literal | Style::Folded
                if stays_block_scalar(document, file, i, place)
                    && !is_foreign(document, file, i) =>
            {
                ValueForm::Scalar
            }
            _ => ValueForm::Inline,
        },
        NodeId::Opened(id) => {
            let opened = document.opened(id);
            let slots = document.slots(node);
            let kept_flow = opened.origin().is_some_and(|(file, i)| {
                is_flow(document.arena(file).style(i))
                    && !document.hints().is_restyled(file)
                    && slots.iter().any(|slot| slot.was.is_some())
            });
            let in_flow = kept_flow || document.hints().is_in_brackets(node);
            match opened.body() {
                Body::Scalar(Scalar::String(text)) => new_string_form(text, place),
                Body::Scalar(_) => ValueForm::Inline,
                // A block collection cannot be empty.
                Body::Sequence(_) | Body::Mapping(_) if slots.is_empty() || in_flow => {
                    ValueForm::Inline
                }
                Body::Sequence(_) => ValueForm::Sequence,
                Body::Mapping(_) => ValueForm::Mapping,
            }
        }
    }
}

/// Returns the tag of node `i`, unless it is a `!` without text: that is null, but with
/// quotes it is a text.
fn written_tag(arena: &Arena, i: Index) -> Option<&str> {
    arena.tag(i).filter(|&tag| tag != "!" || arena.style(i) != Style::Empty)
}

/// Returns true if node `i` has a tag that the printed dialect does not know, or with which
/// its text has another value there: `!!int 0777` is octal for yaml.v2 only.
fn is_foreign(document: &Tree, file: FileId, i: Index) -> bool {
    let (arena, dialect) = (document.arena(file), document.base().dialect());
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
            let value = |dialect| tag.resolve(arena.string(i), dialect).ok();
            value(arena.dialect()) != value(dialect)
        }
    });
    // For yaml.v2 tags may have brackets.
    differs || tag.contains([',', '[', ']', '{', '}'])
}

fn new_string_form(text: &str, place: Placement) -> ValueForm {
    match literal(text) {
        // A block that keeps line breaks would swallow blank lines that follow.
        Some(literal) if literal.chomping == "+" => ValueForm::Inline,
        // Readers differ on what the indentation of a root is counted from.
        Some(literal) if literal.indicator && place.role == Role::Root => {
            ValueForm::Inline
        }
        Some(_) => ValueForm::Scalar,
        None => ValueForm::Inline,
    }
}

/// Returns true if a written block scalar can be one in that place.
fn stays_block_scalar(document: &Tree, file: FileId, i: Index, place: Placement) -> bool {
    let layout = Layout { arena: document.arena(file) };
    let header = layout.slice(layout.content(i), layout.after_header(i));
    let indicator = header.contains(|c: char| c.is_ascii_digit());
    let lines = layout.scalar_lines(i);
    let is_given =
        document.hints().is_verbatim() && document.hints().comment_source() == Some(file);
    let blank = lines.trim().is_empty() && !(is_given && lines.is_empty());
    !(blank
        || indicator && place.role == Role::Root
        || has_foreign_breaks(document, file, i))
}

/// Returns true if a written scalar has characters that are line breaks in its own dialect or
/// in the printed one, and not in the other.
fn has_foreign_breaks(document: &Tree, file: FileId, i: Index) -> bool {
    let arena = document.arena(file);
    arena.dialect() != document.base().dialect() && arena.raw(i).contains(BREAKS_1_1)
}

/// Returns true if a written plain scalar is one in any place of block or flow style.
fn stays_plain(raw: &str, flow: bool) -> bool {
    // Stricter than YAML 1.2, since libyaml ends a plain scalar at `?` there.
    let ends = |c: char| flow && matches!(c, ',' | '[' | ']' | '{' | '}' | '?');
    // `[-]` and yaml.v2's `[a:]` are text only because of the bracket behind it.
    let inner = |(at, _)| raw[at + 1..].starts_with(|c: char| !c.is_whitespace());
    let barred = matches!(raw, "-" | "?" | ":")
        || raw.contains(BREAKS_1_1)
        || raw.contains(ends)
        || flow && raw.starts_with(':');
    !barred && raw.match_indices(':').all(inner)
}

/// Scalars that do not stand in their own place.
impl<'a> Printer<'a> {
    /// Spells a value on one line.
    fn spell(&mut self, scalar: &Scalar<'_>, place: Placement) {
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

    /// Writes written scalar `i` within a line, behind its properties.
    fn inline_scalar(
        &mut self,
        (file, i): (FileId, Index),
        content: &ValueContent,
        place: Placement,
    ) {
        let arena = self.document.arena(file);
        let bare = content.props.is_empty();
        let tagged = written_tag(arena, i).is_some();
        let style = arena.style(i);
        let is_foreign = is_foreign(self.document, file, i);
        if style == Style::Empty && tagged && !is_foreign && !place.flow {
            return;
        }
        self.out.push(if bare { "" } else { " " });
        if is_foreign {
            let scalar = self.document.scalar(NodeId::Clean(file, i));
            return self.spell(&scalar, place);
        }
        let merge = style == Style::Plain && arena.raw(i) == "<<";
        if place.json && bare && !merge {
            let scalar = self.document.scalar(NodeId::Clean(file, i));
            return self.spell(&scalar, place);
        }
        let is_text = style == Style::Double && self.document.hints().is_restyled(file);
        if is_text && !tagged {
            let scalar = self.document.scalar(NodeId::Clean(file, i));
            return self.spell_text(&scalar, content.quote, place);
        }
        if self.fits((file, i), place) {
            return self.copy_scalar((file, i), place);
        }
        let untyped = matches!(style, Style::Plain | Style::Empty) && !tagged;
        if untyped {
            let scalar = self.document.scalar(NodeId::Clean(file, i));
            return self.spell(&scalar, place);
        }
        let quote = self.majority().1;
        self.out.push(&spell_quoted(&arena.string(i), quote));
    }

    /// Returns true if a written scalar reads the same in that place.
    fn fits(&self, (file, i): (FileId, Index), place: Placement) -> bool {
        let arena = self.document.arena(file);
        let (raw, lines) = (arena.raw(i), arena.has(i, flag::MULTILINE));
        let marker = raw.starts_with("---") || raw.starts_with("...");
        match arena.style(i) {
            // Only yaml.v2 has this escape.
            Style::Double if raw.contains("\\'") && !self.copies(file) => false,
            Style::Single | Style::Double => {
                !(lines && place.flow || has_foreign_breaks(self.document, file, i))
            }
            Style::Plain => {
                let merge = arena.has(i, flag::MERGE_KEY);
                (merge || self.copies(file))
                    && !(lines && place.flow)
                    && !(place.role == Role::Root && marker)
                    // At the start of a document it would mark the byte order.
                    && !raw.starts_with('\u{feff}')
                    && stays_plain(raw, place.flow)
            }
            Style::Alias => true,
            _ => false,
        }
    }

    fn copy_scalar(&mut self, (file, i): (FileId, Index), place: Placement) {
        let arena = self.document.arena(file);
        let layout = Layout { arena };
        let (at, end) = (layout.content(i), layout.end(i));
        if !arena.has(i, flag::MULTILINE) {
            return self.out.push(arena.raw(i));
        }
        let from = layout.indent(layout.next_line(at).min(end));
        let to = place.column + place.hints.step();
        self.out.enter(arena, at, (from, to), place.provenance);
        self.out.copy(end);
        self.out.leave();
    }

    fn header(&self, content: &ValueContent, place: Placement) -> String {
        let step = place.hints.step();
        match content.node {
            NodeId::Clean(file, i) => {
                let layout = Layout { arena: self.document.arena(file) };
                let header = layout.slice(layout.content(i), layout.after_header(i));
                let mut out = header[..1].to_owned();
                if header.contains(|c: char| c.is_ascii_digit()) {
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
            NodeId::Opened(id) => {
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

    fn block_scalar(&mut self, content: &ValueContent, place: Placement) {
        let column = place.column + place.hints.step();
        let chomping = Chomping::of(&self.header(content, place));
        match content.node {
            NodeId::Clean(file, i) => {
                let layout = Layout { arena: self.document.arena(file) };
                self.indented(layout.scalar_lines(i), layout.column(i), column);
                self.out.ends_scalar(chomping);
            }
            NodeId::Opened(_) => {
                let scalar = self.document.scalar(content.node);
                if let Scalar::String(text) = &scalar {
                    self.indented(text, 0, column);
                }
                self.out.ends_scalar(chomping);
            }
        }
    }

    /// Writes lines that stood in column `from` in column `to`.
    fn indented(&mut self, lines: &str, from: usize, to: usize) {
        for line in bare_lines(lines) {
            let blanks = line.bytes().take_while(|&byte| byte == b' ').count();
            // A tab left of the column belongs to no line of the text.
            let text = if blanks < from { "" } else { &line[from..] };
            if !text.is_empty() {
                self.out.spaces(to);
                self.out.push(text);
            }
            self.out.newline();
        }
    }

    /// Writes a `-` into the header of the last block scalar if it ends without a break.
    fn seal_last_scalar(&mut self, to: usize) {
        let layout = self.out.layout();
        // A left-out value may be the last node; it stands behind its key.
        let count = layout.arena.nodes().len() as Index;
        let written = |i: &Index| layout.content(*i) < layout.end(*i);
        let Some(last) = (0..count).rev().find(written) else { return };
        let open = to == layout.text().len()
            && !layout.after_break(to)
            && layout.is_block_scalar(last)
            && layout.end(last) == to
            && !layout.arena.string(last).ends_with('\n');
        // A line break is written behind it, which must not become part of its value.
        let after = layout.after_header(last);
        let header = layout.slice(layout.content(last), after);
        if !open || header.contains('-') || self.out.at() > layout.content(last) {
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

/// Values that replace written ones.
impl<'a> Printer<'a> {
    /// Writes `node` in the place of the written value.
    fn replace(&mut self, written: WrittenValue, node: NodeId) {
        let mut content = self.content(node, written.place);
        content.quote = self.quote(Some((self.out.layout().arena.file(), written.old)));
        if !matches!(content.form, ValueForm::Alias(_)) && !content.props.contains('&') {
            self.keep_anchor(written.old, node, &mut content);
        }
        self.place_content(written, content);
    }

    /// Keeps the anchor of written node `old` on the value that replaces it.
    fn keep_anchor(&mut self, old: Index, node: NodeId, content: &mut ValueContent) {
        let arena = self.out.layout().arena;
        let Some(name) = arena.anchor(old) else { return };
        if self.document.alias_value(arena.file(), old) != Some(node) {
            return;
        }
        let blank = if content.props.is_empty() { "" } else { " " };
        content.props = format!("&{name}{blank}{}", content.props);
        // Aliases still ask for the written node.
        self.anchors.bind(name.to_owned(), NodeId::Clean(arena.file(), old));
    }

    /// Writes a value in the place of the written one.
    fn place_content(&mut self, mut written: WrittenValue, content: ValueContent) {
        let layout = self.out.layout();
        if !content.form.is_inline() {
            let was = self.written_hints(&written);
            let hints = was.0.or(|| written.place.hints.or(|| was.1));
            written.place.hints = self.complete_hints(hints);
        }
        let block = layout.is_block(written.old);
        if written.from.is_none()
            && written.place.role == Role::Value
            && !written.place.flow
        {
            self.replace_nothing(written, content);
        } else if !content.form.is_inline() {
            self.put_block(written, content);
        } else if block && !written.place.flow {
            self.put_inline_for_block(written, content);
        } else {
            self.put_inline(written, content);
        }
    }

    /// Returns the hints of the written block: for the same kind, and for any other.
    fn written_hints(&self, written: &WrittenValue) -> (IndentHints, IndentHints) {
        let (layout, old) = (self.out.layout(), written.old);
        let below = written.place.role == Role::Value || layout.is_block_scalar(old);
        if !layout.is_block(old) || !below {
            return (IndentHints::default(), IndentHints::default());
        }
        let column = self.written_column(written);
        let deeper = layout.column(old).checked_sub(column);
        // The indentation of a block scalar is one digit in its header.
        let step = deeper.filter(|deeper| (1..10).contains(deeper));
        let same = match layout.style(old) {
            Style::BlockSequence => IndentHints { step: None, sequence: deeper },
            _ => IndentHints { step, sequence: None },
        };
        (same, IndentHints { step, sequence: deeper })
    }

    /// Returns the hints with what is missing taken from the whole text.
    fn complete_hints(&mut self, hints: IndentHints) -> IndentHints {
        hints.or(|| self.majority().0)
    }

    /// Writes within a line in the place of a line.
    fn put_inline(&mut self, written: WrittenValue, content: ValueContent) {
        let layout = self.out.layout();
        let old = written.old;
        match written.from {
            Some(after) if layout.style(old) == Style::Empty => {
                self.out.copy(after);
                self.out.push(" ");
            }
            None if layout.style(old) == Style::Empty
                && written.place.role == Role::Value =>
            {
                self.out.copy(layout.start(old));
                let bare = matches!(layout.style(old - 1), Style::Empty | Style::Alias);
                // `*a:` would be an alias of that name.
                self.out.push(if bare { " : " } else { ": " });
            }
            from => {
                let start = layout.start(old);
                match from.zip(self.given_gap(content.node)) {
                    Some((after, gap))
                        if layout.slice(after, start).starts_with(' ')
                            && layout.is_blank(after, start)
                            && layout.line(after) == layout.line(start) =>
                    {
                        self.out.copy(after);
                        self.out.spaces(gap);
                    }
                    _ => self.out.copy(start),
                }
                // In `{a:[b], *c:[d], :[e]}` the colon needs no blank, before a scalar it does.
                let is_bare = |key| {
                    matches!(
                        layout.style(key),
                        Style::Plain | Style::Alias | Style::Empty
                    )
                };
                if from == Some(start) && is_bare(old - 1) {
                    self.out.push(" ");
                }
            }
        }
        // In `{a: , b}` the blank belongs to the colon.
        let end = layout.end(old);
        let empty = written.place.flow && layout.style(old) == Style::Empty;
        let blank = empty && layout.slice(end, end + 1) == " ";
        self.tasks.push(PrintTask::Skip(end + usize::from(blank)));
        self.inline(content, written.place);
    }

    /// Writes within a line in the place of a block.
    fn put_inline_for_block(&mut self, written: WrittenValue, content: ValueContent) {
        let layout = self.out.layout();
        let tail = layout.line_tail(written.old, written.from);
        let stop = self.stop(&written);
        self.copy_head(&written);
        let mut tasks = vec![PrintTask::Skip(tail.start)];
        tasks.push(match self.out.take_replacement(tail.start..=stop) {
            Some(comment) => PrintTask::Text(comment.into()),
            None => PrintTask::Copy(tail.end),
        });
        tasks.extend([PrintTask::EndLine, PrintTask::Skip(stop)]);
        self.schedule(tasks);
        self.inline(content, written.place);
    }

    /// Copies up to the value, which then begins on the line of its key.
    fn copy_head(&mut self, written: &WrittenValue) {
        let layout = self.out.layout();
        let start = layout.first_start(written.old);
        match written.from {
            Some(after) if layout.line(after) != layout.line(start) => {
                self.out.copy(after);
                self.out.push(" ");
            }
            Some(_) => self.out.copy(start),
            None => self.out.copy(layout.start(written.old)),
        }
    }

    /// Returns the offset of the first line after the entry of a written value.
    fn stop(&self, written: &WrittenValue) -> usize {
        let layout = self.out.layout();
        layout.entry_stop(layout.end(written.old), self.written_column(written))
    }

    /// Returns the column in which the entry of a written value stands in its text.
    fn written_column(&self, written: &WrittenValue) -> usize {
        self.out.original_column(written.place.column)
    }

    /// Writes a block in the place of any value.
    fn put_block(&mut self, written: WrittenValue, content: ValueContent) {
        let layout = self.out.layout();
        let tail = layout.line_tail(written.old, written.from);
        let start = layout.first_start(written.old);
        let stop = self.stop(&written);
        let given = self.out.take_replacement(tail.start..=stop);
        let beside = given.as_deref().unwrap_or(layout.slice(tail.start, tail.end));
        let comment = !beside.trim().is_empty();
        let mut place = written.place;
        let compact = place.role == Role::Item
            && content.props.is_empty()
            && content.form.is_collection()
            && !comment;
        if let Some(after) = written.from
            && compact
            && layout.line(after) == layout.line(start)
        {
            place.gap = (start - after).clamp(1, MAX_DASH_SPACES);
        }
        let end = layout.end(written.old);
        // Text before `tail.end` stays where it is.
        let below = if tail.end < end { end } else { layout.after_line(end) };
        let below = below..if layout.is_block(written.old) { below } else { stop };
        self.schedule(vec![
            PrintTask::EndLine,
            if content.form.is_collection() {
                place.hints = self.fitting_hints(place, &content.form, below.clone());
                let column = block_column(place, &content.form);
                PrintTask::CopyBelow(CommentsBelow { text: below, column })
            } else {
                PrintTask::Text(self.comments_outside(below, place.column))
            },
            PrintTask::Skip(stop),
        ]);
        self.out.copy(written.from.unwrap_or(layout.start(written.old)));
        if compact {
            self.out.spaces(place.gap);
        } else {
            self.head(&content, place);
            self.out.skip(tail.start);
            match &given {
                Some(comment) => self.out.push(comment),
                None => self.out.copy(if comment { tail.end } else { tail.start }),
            }
            self.out.end_line();
        }
        self.body(content, place, compact);
    }

    /// Returns the hints for a collection so that its entries stand in the column of the
    /// comment lines that are in `below`.
    fn fitting_hints(
        &self,
        place: Placement,
        form: &ValueForm,
        below: Range<usize>,
    ) -> IndentHints {
        let columns = self.out.layout().comment_lines(below);
        let column = columns.map(|(_, indent)| self.out.column(indent)).min();
        let deeper = column.and_then(|column| column.checked_sub(place.column));
        // The indentation of a block scalar is one digit in its header.
        let deeper = deeper.filter(|deeper| (1..10).contains(deeper));
        let fitting = match form {
            ValueForm::Sequence => IndentHints { step: None, sequence: deeper },
            _ => IndentHints { step: deeper, sequence: None },
        };
        fitting.or(|| place.hints)
    }

    /// Copies the comments below a new collection, which stay in it.
    fn copy_below(&mut self, comments: CommentsBelow) {
        let CommentsBelow { text, column } = comments;
        let layout = self.out.layout();
        let mut from = text.start;
        self.out.skip(from);
        if from < text.end && !layout.opens_line(from) {
            let beside = layout.slice(from, layout.line_end(from)).trim();
            if !beside.is_empty() {
                self.out.spaces(column);
                self.out.push(beside);
                self.out.newline();
            }
            from = layout.next_line(from);
            self.out.skip(from);
        }
        if self.out.is_behind_scalar() {
            // A block scalar would take deeper comments for its own text.
            for (at, indent) in layout.comment_lines(from..text.end) {
                if self.out.column(indent) > column {
                    self.out.copy(at);
                    self.out.spaces(column);
                    self.out.skip(at + indent);
                }
            }
        }
        self.out.copy(text.end);
    }

    /// Returns the comments in `below`, moved out of a block scalar to `column`.
    // A block scalar would take deeper comments for its own text.
    fn comments_outside(&self, below: Range<usize>, column: usize) -> String {
        let layout = self.out.layout();
        let mut out = String::new();
        for line in bare_lines(layout.slice(below.start, below.end)) {
            let text = line.trim();
            if text.is_empty() && out.is_empty() {
                continue;
            }
            if !text.is_empty() {
                out.extend(std::iter::repeat_n(' ', column));
            }
            out.push_str(text);
            out.push_str(layout.newline());
        }
        out
    }

    /// Writes the line of a block's key: properties and the header of a scalar.
    fn head(&mut self, content: &ValueContent, place: Placement) {
        let mut head = content.props.clone();
        if content.form == ValueForm::Scalar {
            head.push_str(if head.is_empty() { "" } else { " " });
            head.push_str(&self.header(content, place));
        }
        if !head.is_empty() && !self.out.begins_line() {
            self.out.push(" ");
        }
        self.out.push(&head);
    }

    /// Writes a value for a key that has not even a `:`.
    fn replace_nothing(&mut self, written: WrittenValue, content: ValueContent) {
        let layout = self.out.layout();
        let end = layout.end(written.old).max(layout.end(written.old - 1));
        // A key that is a block scalar ends with its last line.
        let below = layout.after_break(end);
        self.out.copy(if below { end } else { layout.line_end(end) });
        self.out.end_line();
        self.out.spaces(written.place.column);
        self.out.push(":");
        self.tasks.push(PrintTask::Skip(layout.after_line(end)));
        self.put(content, written.place);
    }

    /// Writes `[]` or `{}` on the key's line for a collection that lost its last child.
    fn put_empty(&mut self, written: WrittenValue, node: NodeId) {
        let layout = self.out.layout();
        let content = self.own_content(node, written.place);
        let brackets = match self.document.kind(node) {
            Kind::Sequence => "[]",
            Kind::Mapping | Kind::Scalar => "{}",
        };
        let space = if content.props.is_empty() { "" } else { " " };
        let value = format!("{}{space}{brackets}", content.props);
        let Some(first) = layout.entries(written.old).next() else { return };
        let (tail, start) =
            (layout.line_tail(written.old, written.from), layout.start(written.old));
        match (written.from, layout.after_props(written.old)) {
            (Some(_), Some(end)) => {
                self.out.copy(start);
                self.out.push(&value);
                self.out.skip(end);
            }
            (Some(after), _) if layout.line(after) != layout.line(first.start) => {
                self.out.copy(after);
                self.out.push(" ");
                self.out.push(&value);
                self.out.skip(tail.start);
            }
            (Some(_), _) => {
                self.out.copy(first.start);
                self.out.push(&value);
                let comment = self.out.take_replacement(first.start..=first.end);
                self.out.push(comment.as_deref().unwrap_or_default());
                self.out.end_line();
            }
            (None, _) => {
                self.out.copy(layout.lead(&first));
                self.out.spaces(written.place.column);
                self.out.push(brackets);
                self.out.end_line();
            }
        }
        self.drop_entries(written.old, first.first..layout.arena.next(written.old), true);
    }

    /// Removes or renames the anchor of a written node if aliases need that.
    fn update_anchor(&mut self, written: WrittenValue, node: NodeId) {
        let (layout, i) = (self.out.layout(), written.old);
        let Some((anchor, props)) = layout.arena.anchor(i).zip(layout.arena.props(i))
        else {
            return;
        };
        let place = (layout.arena.file(), i);
        let name = self.anchors.anchor(node, place, written.place.provenance, 0);
        if name.as_deref() == Some(anchor) {
            return;
        }
        let (from, to) = (props.anchor.0 as usize, props.anchor.1 as usize);
        let Some(name) = name else { return self.cut_word(from - 1, to) };
        self.out.copy(from);
        self.out.push(&name);
        self.out.skip(to);
    }

    /// Returns the tag of an opened node, or the lack of one, unless it is as written.
    fn new_tag(&self, old: Index, node: NodeId) -> Option<Option<Cow<'a, str>>> {
        let (file, i) = self.document.tagged_as(node)?;
        let is_written = (file, i) == (self.out.layout().arena.file(), old);
        (!is_written).then(|| self.tag(file, i))
    }

    /// Writes another tag for a collection that has an anchor or a tag, or is of flow style.
    fn update_tag(&mut self, old: Index, tag: Option<&str>) {
        let layout = self.out.layout();
        let place =
            |(from, to): (u32, u32)| (from < to).then_some((from as usize, to as usize));
        let props = layout.arena.props(old);
        let [anchor, written] = [props.map(|it| it.anchor), props.map(|it| it.tag)]
            .map(|it| it.and_then(place));
        match (written, anchor, tag) {
            (Some((from, to)), _, Some(tag)) => {
                self.out.copy(from);
                self.out.push(tag);
                self.out.skip(to);
            }
            (Some((from, to)), _, None) => self.cut_word(from, to),
            (None, Some((_, end)), Some(tag)) => {
                self.out.copy(end);
                self.out.push(" ");
                self.out.push(tag);
            }
            (None, None, Some(tag)) => {
                self.out.copy(layout.content(old));
                self.out.push(tag);
                self.out.push(" ");
            }
            (None, _, None) => {}
        }
    }

    /// Leaves out one of several words on a line.
    fn cut_word(&mut self, from: usize, to: usize) {
        let layout = self.out.layout();
        self.out.copy(from);
        let rest = layout.slice(to, layout.line_end(to));
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if blanks == rest.len() {
            self.out.trim_line();
        }
        // yaml.v2 refuses a tab behind a bare `-`.
        self.out.skip(to + blanks);
    }

    /// Writes the root of a document that was empty.
    fn put_empty_root(
        &mut self,
        node: NodeId,
        marker: Option<usize>,
        section: Range<usize>,
        mut place: Placement,
    ) {
        let layout = self.out.layout();
        let content = self.content(node, place);
        place.hints = self.complete_hints(place.hints);
        if let (Some(marker), true) = (marker, content.form.is_inline()) {
            self.out.copy(marker);
            self.out.push(" ");
            return self.inline(content, place);
        }
        let mut at = marker.map_or(section.start, |marker| layout.after_line(marker));
        at += layout.bom_len(at);
        while at < section.end {
            let line = layout.slice(at, layout.next_line(at));
            if !is_comment_or_blank(line) {
                break;
            }
            at = layout.next_line(at);
        }
        self.out.copy(at.min(section.end));
        self.out.end_line();
        self.put(content, place);
    }
}

/// Keys that replace written ones.
impl Printer<'_> {
    /// Returns true if a new key can be written in the place of written key `was`.
    fn can_replace_key(&self, was: Index, key: NodeId) -> bool {
        let layout = self.out.layout();
        let arena = layout.arena;
        let scalar =
            matches!(arena.style(was), Style::Plain | Style::Single | Style::Double);
        key != NodeId::Clean(arena.file(), was)
            && self.document.kind(key) == Kind::Scalar
            && self.is_simple(key)
            && scalar
            && !arena.has(was, flag::MULTILINE | flag::PROPS)
            && layout.after_indicator(arena.next(was)).is_some()
    }

    /// Writes a key in the place of written key `was`, unless it is the same.
    fn replace_key(&mut self, was: Index, key: NodeId, place: Placement) {
        let layout = self.out.layout();
        if key == NodeId::Clean(layout.arena.file(), was) {
            return;
        }
        self.out.copy(layout.start(was));
        // Behind properties alone the `:` needs a blank, as inside brackets.
        let place = Placement { flow: place.flow || self.is_empty(key), ..place };
        let content = self.content(key, place);
        self.inline(content, place);
        self.out.skip(layout.end(was));
    }
}

struct NewCollection<'a> {
    slots: Cow<'a, [Slot]>,
    at: usize,
    mapping: bool,
    /// The place of its entries in block style, its own place in flow style.
    place: Placement,
}

/// New entries and collections.
impl<'a> Printer<'a> {
    /// Writes the next entry of a new block collection, whose indentation is written.
    fn new_block(&mut self, mut rest: Box<NewCollection<'a>>) {
        let Some(&slot) = rest.slots.get(rest.at) else { return };
        let role = if rest.mapping { Role::Value } else { Role::Item };
        let place = Placement { role, gap: 1, ..rest.place };
        if rest.at > 0 {
            self.out.end_line();
            let given = self.document.comments(&slot);
            if let Some(lines) = given.and_then(|given| given.gap.as_deref()) {
                self.write_lines(lines, place.column);
            }
            self.out.spaces(place.column);
        }
        rest.at += 1;
        self.tasks.push(PrintTask::NewBlock(rest));
        if !self.given_above(&slot, place.column) {
            self.lead_comments(&slot, place);
        }
        self.new_entry(slot, place);
    }

    /// Writes an entry in block style on a line that is indented.
    fn new_entry(&mut self, slot: Slot, place: Placement) {
        let value = match self.comment_beside(&slot) {
            Some(comment) => PrintTask::Commented(slot.value, place, comment),
            None => PrintTask::Value(slot.value, place),
        };
        self.tasks.push(PrintTask::EndLine);
        if !self.document.hints().is_left_out(slot.value) {
            self.tasks.push(value);
        }
        let Some(key) = slot.key else { return self.out.push("-") };
        let in_key = Placement { role: Role::Root, ..place };
        if self.is_simple(key) {
            self.tasks.push(PrintTask::Text(self.colon(key).into()));
            let plain = Placement { flow: !self.is_written_plain(key), ..in_key };
            let content = self.content(key, plain);
            return self.inline(content, plain);
        }
        self.out.push("? ");
        self.schedule(vec![
            PrintTask::Inline(key, Placement { flow: true, ..in_key }),
            PrintTask::Line(place.column),
            PrintTask::Text(":".into()),
        ]);
    }

    fn is_written_plain(&self, key: NodeId) -> bool {
        let NodeId::Clean(file, i) = key else { return false };
        self.document.arena(file).style(i) == Style::Plain
    }

    /// Returns true if no text is written for `key`, but properties at most.
    fn is_empty(&self, key: NodeId) -> bool {
        let NodeId::Clean(file, i) = key else { return false };
        self.document.arena(file).style(i) == Style::Empty
    }

    /// Returns true if `key` needs no `?`.
    fn is_simple(&self, key: NodeId) -> bool {
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

    /// Returns the `:` after a key; an alias would take it for a part of its name.
    fn colon(&self, key: NodeId) -> &'static str {
        match key {
            NodeId::Clean(file, i)
                if self.document.arena(file).style(i) == Style::Alias =>
            {
                " :"
            }
            NodeId::Clean(..) | NodeId::Opened(_) => ":",
        }
    }

    fn inline_node(&mut self, node: NodeId, place: Placement) {
        let place = Placement { flow: true, ..place };
        let content = self.content(node, place);
        self.inline(content, place);
    }

    /// Writes the value after a `-` or `:`.
    fn new_value(&mut self, node: NodeId, place: Placement) {
        if place.flow {
            return self.inline_node(node, place);
        }
        let place = self.with_given_gap(node, place);
        let content = self.content(node, place);
        self.put(content, place);
    }

    /// Returns the place with the spaces that a new value has before it in the text that it is
    /// printed as.
    fn with_given_gap(&self, node: NodeId, place: Placement) -> Placement {
        Placement { gap: self.given_gap(node).unwrap_or(place.gap), ..place }
    }

    /// Writes a value on the rest of the line and below it.
    fn put(&mut self, content: ValueContent, place: Placement) {
        self.tasks.push(PrintTask::EndLine);
        if content.form.is_inline() {
            if !self.out.begins_line() {
                self.out.spaces(place.gap);
            }
            return self.inline(content, place);
        }
        let item = place.role == Role::Item;
        if item && content.form.is_collection() && content.props.is_empty() {
            self.out.spaces(place.gap);
            return self.body(content, place, true);
        }
        self.head(&content, place);
        self.out.end_line();
        self.body(content, place, false);
    }

    /// Writes the next piece of a new flow collection.
    fn new_flow(&mut self, mut rest: Box<NewCollection<'a>>) {
        if rest.at == 0 {
            self.out.push(if rest.mapping { "{" } else { "[" });
        }
        let Some(&slot) = rest.slots.get(rest.at) else {
            return self.out.push(if rest.mapping { "}" } else { "]" });
        };
        if rest.at > 0 {
            self.out.push(", ");
        }
        rest.at += 1;
        let place = rest.place;
        self.tasks.push(PrintTask::NewFlow(rest));
        self.flow_entry(slot, place);
    }

    fn flow_entry(&mut self, slot: Slot, place: Placement) {
        let place = Placement { flow: true, role: Role::Item, ..place };
        let Some(key) = slot.key else {
            // A task, not a call: flow collections may nest in each other deeply.
            return self.tasks.push(PrintTask::Inline(slot.value, place));
        };
        if !self.is_simple(key) {
            self.out.push("? ");
        }
        let colon = if self.is_simple(key) { self.colon(key) } else { " :" };
        self.schedule(vec![
            PrintTask::Inline(key, place),
            PrintTask::Text(format!("{colon} ")),
            PrintTask::Inline(slot.value, place),
        ]);
    }
}

struct BlockWalk<'a> {
    old: Index,
    slots: Cow<'a, [Slot]>,
    next_slot: usize,
    next_child: Index,
    /// The written entry before the next slot, until something is written after it.
    last_entry: Option<WrittenEntry>,
    /// True if nothing stands before the next slot.
    at_start: bool,
    /// True if the first entry stands on the line of an indicator.
    compact: bool,
    /// True if blank lines stand between the neighbours of a new entry.
    spaced: bool,
    /// Number of columns between the key and the entries.
    deeper: Option<usize>,
    /// The place that its entries have in common, with hints once they are needed.
    place: Placement,
    hints_known: bool,
    /// True if an edit has the lines below it written.
    closes: bool,
    /// The comments that new entries may bring, counted when they are needed first.
    surplus: Option<Surplus<'a>>,
    /// True if written entries changed places.
    is_reordered: bool,
}

impl<'a> BlockWalk<'a> {
    /// Returns a walk over a written collection that is moved to `column`.
    /// `compact`: its first line is indented already.
    fn new(
        written: WrittenValue,
        slots: Cow<'a, [Slot]>,
        (column, compact): (usize, bool),
    ) -> Box<BlockWalk<'a>> {
        let below = written.place.role == Role::Value;
        Box::new(BlockWalk {
            old: written.old,
            deeper: column.checked_sub(written.place.column).filter(|_| below),
            slots,
            next_slot: 0,
            next_child: written.old + 1,
            last_entry: None,
            at_start: true,
            compact,
            spaced: false,
            place: Placement { column, flow: false, gap: 1, ..written.place },
            hints_known: false,
            closes: written.closes,
            surplus: None,
            is_reordered: false,
        })
    }

    /// Returns true if written entries are printed in another order than they stand in.
    fn has_new_order(&self, arena: &Arena) -> bool {
        let inside = self.old..arena.next(self.old);
        let stays = self.slots.iter().filter_map(|slot| slot.was);
        !stays.filter(|was| inside.contains(was)).is_sorted()
    }
}

/// Written block collections whose children were edited.
impl<'a> Printer<'a> {
    /// Prints entries until one needs other tasks first.
    fn walk_block(&mut self, mut walk: Box<BlockWalk<'a>>) {
        let layout = self.out.layout();
        let end = layout.arena.next(walk.old);
        if walk.next_slot == 0 {
            let first = layout.entry(walk.old, walk.old + 1);
            walk.compact |= !layout.begins_line(first.start);
            let mapping = layout.is_mapping(walk.old);
            walk.place.role = if mapping { Role::Value } else { Role::Item };
            walk.place.provenance = self.out.provenance();
            walk.is_reordered = walk.has_new_order(layout.arena);
        }
        while let Some(&slot) = walk.slots.get(walk.next_slot) {
            walk.next_slot += 1;
            let depth = self.tasks.len();
            let scope = walk.place.provenance;
            if !self.is_kept(walk.old, walk.next_child, &slot, scope) {
                self.insert_entry(&mut walk, slot);
            } else if walk.is_reordered {
                self.move_entry(&mut walk, &slot);
            } else {
                self.keep_entry(&mut walk, &slot);
            }
            if self.tasks.len() > depth {
                // Below the tasks of the entry, which come first.
                return self.tasks.insert(depth, PrintTask::Block(walk));
            }
        }
        if walk.is_reordered {
            let stop = layout.entry_stop(layout.end(walk.old), layout.column(walk.old));
            self.out.skip(stop);
        } else if walk.next_child < end && walk.closes {
            let first = layout.entry(walk.old, walk.next_child);
            let stop = layout.entry_stop(layout.end(walk.old), layout.column(walk.old));
            self.copy_to_gap(layout.gap(walk.old, &first).start, first.first);
            self.out.skip(stop);
        } else if walk.next_child < end {
            self.drop_entries(walk.old, walk.next_child..end, walk.at_start);
        }
    }

    /// Returns true if `slot` holds a written entry of `collection` in its place: at
    /// child `next` or behind it.
    fn is_kept(
        &mut self,
        collection: Index,
        next: Index,
        slot: &Slot,
        provenance: Provenance,
    ) -> bool {
        let arena = self.out.layout().arena;
        let Some(was) = slot.was.filter(|&was| was >= next) else { return false };
        was < arena.next(collection)
            && slot.key.is_none_or(|key| {
                let nodes = was..arena.next(was);
                key == NodeId::Clean(arena.file(), was)
                    && self.anchors.can_copy(arena.file(), nodes, provenance)
                    || self.can_replace_key(was, key)
            })
    }

    fn keep_entry(&mut self, walk: &mut BlockWalk<'a>, slot: &Slot) {
        let layout = self.out.layout();
        let Some(was) = slot.was else { return };
        let entry = layout.entry(walk.old, was);
        let given = self.document.comments(slot);
        let gap = given.and_then(|given| given.gap.as_deref());
        let gap = gap.filter(|_| layout.begins_line(entry.start));
        let is_begun = walk.at_start && walk.compact;
        if was > walk.next_child && (gap.is_none() || is_begun) {
            self.drop_before(walk, was);
        }
        if let Some(lines) = gap.filter(|_| !is_begun) {
            let first = layout.entry(walk.old, walk.next_child);
            let start = layout.gap(walk.old, &first).start;
            self.change_gap(
                start..layout.lead(&entry),
                lines,
                first.first,
                walk.place.column,
            );
        } else if !walk.at_start && was == walk.old + 1 {
            self.out.blank_line(walk.spaced);
            self.out.spaces(if walk.compact { walk.place.column } else { 0 });
        }
        walk.next_child = layout.arena.next(entry.value);
        let before = walk.last_entry.replace(entry);
        walk.at_start = false;
        self.change_comments(walk.old, &entry, slot, walk.place.column);
        if before.is_some_and(|before| layout.may_take_colon(&before, &entry)) {
            self.out.copy(entry.start);
            if layout.is_compact(&entry) {
                // Behind a key of one line, a block collection begins on a new line.
                self.out.push("?");
                self.out.push(self.out.line_break());
                self.out.spaces(walk.place.column);
            } else {
                self.out.push("null");
            }
        }
        self.enter_entry(walk, &entry, slot);
    }

    /// Prints the key, the value and the lines below a written entry.
    fn enter_entry(
        &mut self,
        walk: &mut BlockWalk<'a>,
        entry: &WrittenEntry,
        slot: &Slot,
    ) {
        let layout = self.out.layout();
        let file = layout.arena.file();
        if let Some(key) = slot.key {
            let nodes = entry.first..entry.value;
            self.anchors.record_copy(file, nodes, walk.place.provenance);
            self.replace_key(entry.first, key, walk.place);
        }
        let given = self.document.comments(slot);
        let dangling = given.and_then(|given| given.dangling.as_deref());
        let dangling = dangling.map(|lines| LinesBelow {
            written: layout.parts(walk.old, entry).dangling,
            lines,
            next: layout.arena.next(entry.value),
            column: walk.place.column,
        });
        let closes = dangling.is_some();
        self.tasks.extend(dangling.map(PrintTask::Dangling));
        if self.joins(walk.old, entry, slot) {
            self.join(entry);
        }
        if slot.value == NodeId::Clean(file, entry.value)
            && self.is_without_names(entry.value)
        {
            return;
        }
        let place = self.entry_place(walk);
        let from = layout.after_indicator(entry.value);
        self.enter(WrittenValue { old: entry.value, from, place, closes }, slot.value);
    }

    /// Returns true if the block of an item stands below its `-` only because of a comment
    /// there, which an edit removed.
    fn joins(&self, of: Index, entry: &WrittenEntry, slot: &Slot) -> bool {
        let layout = self.out.layout();
        let given = self.document.comments(slot);
        let is_removed = given.is_some_and(|it| it.trailing.as_deref() == Some(""));
        if !is_removed || slot.key.is_some() || !self.document.hints().is_verbatim() {
            return false;
        }
        let tail = layout.beside(of, entry).unwrap_or_default();
        is_comment(layout.slice(tail.start, tail.end))
            && layout.style(entry.value).is_block_collection()
            && layout.after_props(entry.value).is_none()
            && !layout.is_compact(entry)
            && !self.has_lines_above(entry.value, slot.value)
    }

    /// Returns true if blank lines or comments stand above the first entry of written
    /// collection `of`, which is now `node`.
    fn has_lines_above(&self, of: Index, node: NodeId) -> bool {
        let layout = self.out.layout();
        let slots = self.document.slots(node);
        let given = slots.first().and_then(|slot| self.document.comments(slot));
        let Some(first) = layout.entries(of).next() else { return false };
        let parts = layout.parts(of, &first);
        let has = |given: Option<&Box<str>>, written: Range<usize>| {
            given.map_or(!written.is_empty(), |given| !given.is_empty())
        };
        has(given.and_then(|it| it.gap.as_ref()), parts.gap)
            || has(given.and_then(|it| it.leading.as_ref()), parts.leading)
    }

    /// Begins the block of an item beside its `-`.
    fn join(&mut self, entry: &WrittenEntry) {
        let layout = self.out.layout();
        let Some(after) = layout.after_indicator(entry.first) else { return };
        let first = layout.first_start(entry.value);
        let blanks = layout.indent(first) + layout.line(after);
        self.out.copy(after);
        self.out.spaces(blanks.saturating_sub(after).max(1));
        self.out.skip(first);
    }

    /// Copies a written entry of a collection in which entries changed places, with its
    /// comments and its gap.
    fn move_entry(&mut self, walk: &mut BlockWalk<'a>, slot: &Slot) {
        let layout = self.out.layout();
        let Some(was) = slot.was else { return };
        let entry = layout.entry(walk.old, was);
        let opens = walk.at_start && walk.compact;
        if walk.at_start {
            let first = layout.entry(walk.old, walk.old + 1);
            let above = layout.gap(walk.old, &first).start;
            self.out.copy(if opens { first.start } else { above });
        } else {
            self.out.end_line();
        }
        if !opens {
            let given = self.document.comments(slot);
            let given = given.and_then(|given| given.gap.as_deref());
            let gap = layout.gap(walk.old, &entry);
            let lines = given.unwrap_or(layout.slice(gap.start, gap.end));
            self.write_lines(lines, usize::MAX);
        }
        walk.at_start = false;
        walk.last_entry = None;
        self.copy_entry(walk, &entry, slot, opens);
    }

    /// Copies a written entry with its comments. `opens`: it stands beside an indicator.
    fn copy_entry(
        &mut self,
        walk: &mut BlockWalk<'a>,
        entry: &WrittenEntry,
        slot: &Slot,
        opens: bool,
    ) {
        let layout = self.out.layout();
        let (lead, column) = (layout.lead(entry), layout.column(walk.old));
        let given = self.document.comments(slot);
        let is_given = given.is_some_and(|given| given.leading.is_some());
        let at = match (layout.begins_line(entry.start), opens) {
            (false, _) => entry.start,
            (true, false) => lead,
            (true, true) if is_given => entry.start,
            (true, true) => lead + layout.indent(lead),
        };
        if !opens && at == entry.start && !layout.opens_line(at) {
            self.out.spaces(walk.place.column);
        }
        let columns = (column, walk.place.column);
        self.out.enter(layout.arena, at, columns, walk.place.provenance);
        self.change_comments(walk.old, entry, slot, walk.place.column);
        self.schedule(vec![
            PrintTask::CopyEnd(layout.entry_stop(entry.end, column)),
            PrintTask::Leave(Some(layout.arena.next(entry.value))),
            PrintTask::EndLine,
        ]);
        self.enter_entry(walk, entry, slot);
    }

    /// Returns true if a written node has neither anchors nor aliases.
    fn is_without_names(&self, i: Index) -> bool {
        !self.out.layout().arena.has(i, flag::HAS_ALIAS | flag::HAS_ANCHOR)
    }

    /// Returns the place of an entry, with hints from its neighbours.
    fn entry_place(&mut self, walk: &mut BlockWalk<'a>) -> Placement {
        if !walk.hints_known {
            walk.hints_known = true;
            let layout = self.out.layout();
            let outer = walk.place.hints;
            let own = if layout.is_mapping(walk.old) {
                IndentHints { step: walk.deeper, sequence: None }
            } else {
                IndentHints { step: None, sequence: walk.deeper }
            };
            walk.place.hints = IndentHints::of(layout, walk.old).or(|| own.or(|| outer));
        }
        walk.place
    }

    fn insert_entry(&mut self, walk: &mut BlockWalk<'a>, slot: Slot) {
        let layout = self.out.layout();
        let column = layout.column(walk.old);
        let first = layout.entry(walk.old, walk.old + 1);
        let given = self.document.comments(&slot);
        let lines = given.and_then(|given| given.gap.as_deref());
        if let Some(before) = walk.last_entry.take() {
            let stop = layout.entry_stop(before.end, column);
            self.seal_last_scalar(stop);
            self.copy_to_gap(stop, layout.arena.next(before.value));
            walk.spaced = layout.is_spaced(walk.old, &before);
        } else if walk.at_start {
            let above = layout.gap(walk.old, &first);
            let is_given = lines.is_some() || walk.is_reordered;
            self.out.copy(if is_given { above.start } else { above.end });
            walk.spaced = layout.is_spaced(walk.old, &first);
        }
        if !(walk.at_start && walk.compact) {
            self.out.end_line();
            match lines {
                Some(lines) => {
                    self.write_lines(lines, walk.place.column);
                }
                None => self.out.blank_line(walk.spaced && !walk.at_start),
            }
        }
        let opens = walk.at_start && walk.compact;
        walk.at_start = false;
        if let Some(was) = self.moved_item(walk, &slot)
            && self.has_own_comments(walk.old, was, &slot)
        {
            return self.move_item(walk, was, slot.value, opens);
        }
        if !opens {
            self.out.spaces(walk.place.column);
        }
        let mut place = self.entry_place(walk);
        place.hints = self.complete_hints(place.hints);
        place.gap = gap(layout.slice(first.start, layout.start(first.value)));
        self.new_lead_comments(walk, &slot, place);
        self.new_entry(slot, place);
    }

    /// Returns the item of the same collection that a new slot holds.
    fn moved_item(&self, walk: &BlockWalk<'_>, slot: &Slot) -> Option<Index> {
        let arena = self.out.layout().arena;
        let (file, was) = match slot.value {
            NodeId::Clean(file, i) => (file, i),
            NodeId::Opened(id) => self.document.origin(id)?,
        };
        let inside =
            file == arena.file() && (walk.old..arena.next(walk.old)).contains(&was);
        // An item has its `-` in the column of the collection; deeper nodes have not.
        let layout = self.out.layout();
        let is_item = || {
            let start = layout.after_indicator(was)? - 1;
            (layout.slice(start, start + 1) == "-").then_some(())?;
            (start - layout.line(start) == layout.column(walk.old)).then_some(was)
        };
        (inside && slot.key.is_none()).then(is_item)?
    }

    /// Returns true if a slot that holds item `was` of the same collection has its comments.
    fn has_own_comments(&self, of: Index, was: Index, slot: &Slot) -> bool {
        let arena = self.out.layout().arena;
        let node = NodeId::Clean(arena.file(), of);
        let item = Slot { was: Some(was), ..Slot::new(None, slot.value, None) };
        let given = self.document.comments(slot);
        given.is_none_or(|given| {
            let own = entry_comments(self.document, node, &item);
            given.clone().or(own.clone()) == own.or(given.clone())
        })
    }

    /// Copies an item from another place of its collection, with its comments.
    fn move_item(
        &mut self,
        walk: &mut BlockWalk<'a>,
        was: Index,
        value: NodeId,
        opens: bool,
    ) {
        let layout = self.out.layout();
        let entry = layout.entry(walk.old, was);
        let (lead, column) = (layout.lead(&entry), layout.column(walk.old));
        let bare = opens && self.document.hints().is_verbatim();
        let at = if bare || !layout.begins_line(entry.start) {
            entry.start
        } else if opens {
            lead + layout.indent(lead)
        } else {
            lead
        };
        if !opens && at == entry.start {
            self.out.spaces(walk.place.column);
        }
        let mut place = self.entry_place(walk);
        let arena = layout.arena;
        self.out.enter(arena, at, (column, place.column), place.provenance);
        let stop = layout.entry_stop(entry.end, column);
        self.schedule(vec![
            PrintTask::CopyEnd(stop),
            PrintTask::Leave(Some(arena.next(was))),
            PrintTask::EndLine,
        ]);
        place.hints = self.complete_hints(place.hints);
        let from = layout.after_indicator(was);
        self.enter(WrittenValue { old: was, from, place, closes: false }, value);
    }

    /// Leaves out the entries before the written entry `was`.
    fn drop_before(&mut self, walk: &mut BlockWalk<'a>, was: Index) {
        let layout = self.out.layout();
        if !(walk.at_start && walk.compact) {
            return self.drop_entries(walk.old, walk.next_child..was, walk.at_start);
        }
        let (first, next) =
            (layout.entry(walk.old, walk.old + 1), layout.entry(walk.old, was));
        self.out.copy(first.start);
        if self.document.hints().is_verbatim() || self.only_blanks(walk.old, first, next)
        {
            self.out.skip(next.start);
        } else {
            self.out.trim_line();
            self.out.newline();
            self.out.skip(layout.entry_stop(first.end, layout.column(walk.old)));
            self.drop_entries(walk.old, layout.arena.next(first.value)..was, true);
        }
    }

    /// Returns true if only blank lines would be left between two entries.
    fn only_blanks(&self, of: Index, first: WrittenEntry, next: WrittenEntry) -> bool {
        let layout = self.out.layout();
        let mut from = layout.entry_stop(first.end, layout.column(of));
        let mut at = layout.arena.next(first.value);
        while at < next.first {
            let entry = layout.entry(of, at);
            if !layout.is_blank(from, layout.lead(&entry)) {
                return false;
            }
            from = layout.entry_stop(entry.end, layout.column(of));
            at = layout.arena.next(entry.value);
        }
        layout.is_blank(from, next.start)
    }

    /// Leaves out entries of block collection `of`. `fresh`: nothing stands before them.
    fn drop_entries(&mut self, of: Index, gone: Range<Index>, fresh: bool) {
        let layout = self.out.layout();
        let last = gone.end == layout.arena.next(of);
        let mut at = gone.start;
        while at < gone.end {
            let entry = layout.entry(of, at);
            let removed = layout.removed_lines(of, &entry, last, fresh);
            self.out.copy(removed.start);
            let before = layout.last_block_scalar(at).filter(|_| at == gone.start);
            if let Some(last) = before {
                self.out.ends_copied_scalar(layout.chomping(last));
            }
            self.out.skip(removed.end);
            at = layout.arena.next(entry.value);
        }
    }
}

/// Returns the number of spaces between the `-` of a neighbour and its content.
fn gap(item: &str) -> usize {
    let blanks = item.strip_prefix('-').unwrap_or_default();
    let spaces = blanks.bytes().take_while(|&byte| byte == b' ').count();
    if spaces == blanks.len() { spaces.clamp(1, MAX_DASH_SPACES) } else { 1 }
}

/// Number of copies of a comment that new entries may still bring.
type Surplus<'a> = HashMap<Vec<&'a str>, i64>;

/// Comments that an entry of another text brings along.
impl<'a> Printer<'a> {
    /// Writes the comments above an entry of a new collection on an indented line.
    fn lead_comments(&mut self, slot: &Slot, place: Placement) {
        let Some((from, entry)) = self.source_entry(slot) else { return };
        for comment in from.lead_lines(&entry) {
            self.out.push(comment);
            self.out.newline();
            self.out.spaces(place.column);
        }
    }

    /// Writes the comments that an edit gave to be above a new entry in block style, whose
    /// line is indented. Returns false if it gave none.
    fn given_above(&mut self, slot: &Slot, column: usize) -> bool {
        let given = self.document.comments(slot);
        let Some(above) = given.and_then(|given| given.leading.as_deref()) else {
            return false;
        };
        if !above.is_empty() {
            self.comment_lines(above, column);
            self.out.spaces(column);
        }
        true
    }

    /// Writes comments on lines of their own, of which the first may be begun.
    fn comment_lines(&mut self, comments: &str, column: usize) {
        self.out.trim_line();
        self.out.end_line();
        for line in comments.lines() {
            self.out.spaces(column);
            self.out.push(line);
            self.out.newline();
        }
    }

    /// Writes the comments that an edit gave to a written entry of `of`.
    fn change_comments(
        &mut self,
        of: Index,
        entry: &WrittenEntry,
        slot: &Slot,
        column: usize,
    ) {
        let Some(given) = self.document.comments(slot) else { return };
        let layout = self.out.layout();
        if let Some(above) = &given.leading {
            self.change_above(entry, above, column, given.gap.is_some());
        }
        let tail = given.trailing.as_deref().zip(layout.beside(of, entry));
        if let Some((beside, tail)) = tail {
            self.out.copy(entry.start);
            self.out.replace(tail, beside.into());
        }
    }

    /// Writes lines in the place of those between what stands before a written entry and its
    /// leading comments. `next`: the node behind what stands before.
    fn change_gap(&mut self, gap: Range<usize>, lines: &str, next: Index, column: usize) {
        self.copy_to_gap(gap.start, next);
        self.write_lines(lines, column);
        self.out.skip(gap.end);
    }

    /// Copies what stands before `next`, which ends at `to`, and ends its line.
    fn copy_to_gap(&mut self, to: usize, next: Index) {
        let layout = self.out.layout();
        let scalar = layout.last_block_scalar(next).filter(|_| self.out.at() < to);
        // This may copy up to `to` already.
        self.seal_last_scalar(to);
        self.out.copy_through(to);
        self.out.end_line();
        if let Some(last) = scalar {
            self.out.ends_copied_scalar(layout.chomping(last));
        }
    }

    /// Writes lines in the place of those below an entry or a document.
    fn put_dangling(&mut self, below: &LinesBelow<'a>) {
        self.copy_to_gap(below.written.start, below.next);
        self.write_lines(below.lines, below.column);
        self.out.skip(below.written.end);
    }

    /// Writes comments and blank lines above or below an entry in a column.
    fn write_lines(&mut self, lines: &str, column: usize) {
        self.out.end_line();
        // A block scalar would take deeper comments for its own text.
        let most = if self.out.is_behind_scalar() { column } else { usize::MAX };
        for line in bare_lines(lines) {
            let text = line.trim_start_matches(' ');
            if text.is_empty() {
                self.out.blank_line(true);
                continue;
            }
            self.out.spaces(self.out.column(line.len() - text.len()).min(most));
            self.out.push(text);
            self.out.newline();
        }
    }

    /// Writes comments in the place of those above a written entry in block style.
    fn change_above(
        &mut self,
        entry: &WrittenEntry,
        above: &str,
        column: usize,
        has_gap: bool,
    ) {
        let layout = self.out.layout();
        let (lead, line) = (layout.lead(entry), layout.line(entry.start));
        if !layout.begins_line(entry.start) {
            self.out.copy(entry.start);
            if !above.is_empty() {
                self.comment_lines(above, column);
                self.out.spaces(column);
            }
            return;
        }
        let head = layout.head_lines(entry);
        if !above.is_empty()
            && !has_gap
            && head.ends_with(&above.lines().collect::<Vec<_>>())
        {
            return;
        }
        self.out.copy(lead);
        // Behind the `-` of a copied item the first line is indented already.
        let begun = self.out.at() > lead;
        if !above.is_empty() {
            // Without a blank line the comments would become a part of the head of the file.
            if !head.is_empty() && !has_gap {
                self.out.newline();
            }
            self.comment_lines(above, column);
            self.out.spaces(if begun { column } else { 0 });
        }
        self.out.skip(if begun { entry.start } else { line.max(lead) });
    }

    /// Writes the comments above a new entry, unless entries that stay have them.
    fn new_lead_comments(
        &mut self,
        walk: &mut BlockWalk<'a>,
        slot: &Slot,
        place: Placement,
    ) {
        if self.given_above(slot, place.column) {
            return;
        }
        let Some((from, entry)) = self.source_entry(slot) else { return };
        let comments = from.lead_lines(&entry);
        if comments.is_empty() {
            return;
        }
        let mut surplus = walk.surplus.take();
        let known = surplus.get_or_insert_with(|| self.surplus(walk, from, &entry));
        let left = known.get_mut(&comments);
        let brings = left.as_ref().is_none_or(|left| **left > 0);
        left.into_iter().for_each(|left| *left -= 1);
        walk.surplus = surplus;
        if brings {
            self.lead_comments(slot, place);
        }
    }

    /// Counts the comments around `entry`, less the same above the entries that stay.
    fn surplus(
        &self,
        walk: &BlockWalk<'a>,
        from: Layout<'a>,
        entry: &WrittenEntry,
    ) -> Surplus<'a> {
        let (layout, mut surplus) = (self.out.layout(), Surplus::new());
        let around = from.parent(entry.first);
        let there = around.into_iter().flat_map(|of| from.entries(of));
        let there = there.map(|entry| from.lead_lines(&entry));
        for comments in there.chain(around.map(|of| from.comments_behind(of))) {
            *surplus.entry(comments).or_default() += 1;
        }
        let stays = walk.slots.iter().filter_map(|slot| slot.was);
        let stays = stays.map(|was| layout.lead_lines(&layout.entry(walk.old, was)));
        for comments in stays.chain([layout.comments_behind(walk.old)]) {
            *surplus.entry(comments).or_default() -= 1;
        }
        surplus
    }

    fn comment_beside(&self, slot: &Slot) -> Option<&'a str> {
        let given = self.document.comments(slot);
        if let Some(beside) = given.and_then(|given| given.trailing.as_deref()) {
            return (!beside.is_empty()).then_some(beside);
        }
        let (from, WrittenEntry { value, end, .. }) = self.source_entry(slot)?;
        let end = match from.style(value) {
            Style::BlockMapping | Style::BlockSequence => {
                let after = from.after_indicator(value)?;
                from.after_props_beside(value, after)
            }
            Style::Literal | Style::Folded => from.after_header(value),
            _ => end,
        };
        let rest = from.slice(end, from.line_end(end));
        let comment = rest.trim_start_matches([' ', '\t']);
        let begins = is_comment(comment) && comment.len() < rest.len();
        begins.then(|| rest.trim_end())
    }

    /// Writes a value after the `-` or `:` of a new entry, and a comment beside it.
    fn value_with_comment(&mut self, node: NodeId, place: Placement, comment: &'a str) {
        let place = self.with_given_gap(node, place);
        let content = self.content(node, place);
        self.tasks.push(PrintTask::EndLine);
        if content.form.is_inline() {
            self.tasks.push(PrintTask::Text(comment.into()));
            self.out.spaces(place.gap);
            return self.inline(content, place);
        }
        self.head(&content, place);
        self.out.push(comment);
        self.out.end_line();
        self.body(content, place, false);
    }

    /// Returns the layout that a slot brings its comments from, and its entry there.
    fn source_entry(&self, slot: &Slot) -> Option<(Layout<'a>, WrittenEntry)> {
        let NodeId::Clean(file, first) = slot.key.unwrap_or(slot.value) else {
            return None;
        };
        if self.document.hints().comment_source() != Some(file) {
            return None;
        }
        let layout = Layout { arena: self.document.arena(file) };
        // A key without a `?` has no indicator, but its value has one.
        let value = if slot.key.is_some() { layout.arena.next(first) } else { first };
        layout.after_indicator(value)?;
        Some((layout, layout.entry_of(first, value)))
    }
}

struct FlowWalk<'a> {
    old: Index,
    slots: Cow<'a, [Slot]>,
    next_slot: usize,
    /// The written entry before the next slot.
    last_entry: Option<WrittenEntry>,
    /// True if its value is the written one.
    kept: bool,
    /// True if the text before the entry of `next_slot` is written.
    reached: bool,
    place: Placement,
    /// Offsets of the text between its brackets.
    inner: (usize, usize),
    /// The text after its last entry.
    tail: Gap,
    /// True if it is a pair that needs braces now.
    braces: bool,
    /// The comment that an edit gave to be behind `last_entry`.
    beside: Option<&'a str>,
}

impl<'a> FlowWalk<'a> {
    fn new(written: WrittenValue, slots: Cow<'a, [Slot]>) -> Box<FlowWalk<'a>> {
        Box::new(FlowWalk {
            old: written.old,
            slots,
            next_slot: 0,
            last_entry: None,
            kept: false,
            reached: false,
            place: Placement { flow: true, role: Role::Item, ..written.place },
            inner: (0, 0),
            tail: Gap { from: 0, comma: None, line: 0, to: 0 },
            braces: false,
            beside: None,
        })
    }

    /// Returns the written child after `last_entry`.
    fn after(&self, layout: Layout<'_>) -> Index {
        self.last_entry.map_or(self.old + 1, |before| layout.arena.next(before.value))
    }

    /// Describes the text from `last_entry` to `next`.
    fn crossing(&self, layout: Layout<'_>, next: Option<WrittenEntry>) -> Crossing<'a> {
        let (open, close) = self.inner;
        let end = layout.arena.next(self.old);
        let mut at = self.after(layout);
        let beside = if at < end { layout.entry(self.old, at).start } else { close };
        let from = self.last_entry.map_or(open, |before| layout.flow_end(before));
        let left = Gap::new(layout, from, beside);
        let mut right = self.tail;
        if let Some(next) = next {
            let mut from = left.from;
            while at < next.first {
                let gone = layout.entry(self.old, at);
                (at, from) = (layout.arena.next(gone.value), layout.flow_end(gone));
            }
            right = Gap::new(layout, from, next.start);
        }
        let bare = end == self.old + 1;
        Crossing {
            left,
            right,
            first: self.last_entry.is_none(),
            last: next.is_none(),
            trailing: !bare && self.tail.comma.is_some(),
            bare,
            colon: self.kept
                && self.last_entry.is_some_and(|it| layout.ends_in_colon(it)),
            indicator: self.kept
                && self.last_entry.is_some_and(|it| layout.ends_in_indicator(it)),
            beside: self.beside,
        }
    }
}

/// Written flow collections whose children were edited.
impl<'a> Printer<'a> {
    /// Goes on to the next written entry, or into the one that was reached.
    fn walk_flow(&mut self, mut walk: Box<FlowWalk<'a>>) {
        if walk.reached {
            return self.enter_flow_entry(walk);
        }
        if walk.last_entry.is_none() {
            self.open_flow(&mut walk);
        }
        let layout = self.out.layout();
        let (mut end, after) = (walk.next_slot, walk.after(layout));
        let (collection, provenance) = (walk.old, walk.place.provenance);
        let is_new = |slot: &&Slot| !self.is_kept(collection, after, slot, provenance);
        end += walk.slots[end..].iter().take_while(is_new).count();
        let next_slot = walk.slots.get(end).copied();
        let next = next_slot.and_then(|slot| slot.was);
        let next = next.map(|was| layout.entry(walk.old, was));
        if let Some((entry, slot)) = next.zip(next_slot) {
            self.change_flow_above(walk.old, &entry, &slot);
        }
        let mut tasks = self.crossing_tasks(&walk, walk.next_slot..end, next);
        if tasks.is_empty() {
            tasks = self.flow_beside(&walk);
        }
        if next.is_none() && walk.braces {
            tasks.extend([PrintTask::Copy(walk.inner.1), PrintTask::Text("}".into())]);
        }
        (walk.next_slot, walk.reached) = (end, true);
        self.tasks.push(PrintTask::Flow(walk));
        self.schedule(tasks);
    }

    fn enter_flow_entry(&mut self, mut walk: Box<FlowWalk<'a>>) {
        let Some(&slot) = walk.slots.get(walk.next_slot) else { return };
        let Some(was) = slot.was else { return };
        let layout = self.out.layout();
        let entry = layout.entry(walk.old, was);
        let (mut place, mut from) = (walk.place, None);
        if let Some(key) = slot.key {
            place.role = Role::Value;
            from = layout.after_indicator(entry.value);
            self.anchors.record_copy(
                layout.arena.file(),
                was..entry.value,
                place.provenance,
            );
            self.replace_key(was, key, place);
        }
        walk.next_slot += 1;
        walk.last_entry = Some(entry);
        walk.kept = slot.value == NodeId::Clean(layout.arena.file(), entry.value);
        let given = self.document.comments(&slot).filter(|_| !walk.place.json);
        walk.beside = given.and_then(|given| given.trailing.as_deref());
        walk.reached = false;
        self.tasks.push(PrintTask::Flow(walk));
        self.enter(
            WrittenValue { old: entry.value, from, place, closes: false },
            slot.value,
        );
    }

    /// Has the comments written that an edit gave to be above a written entry.
    fn change_flow_above(&mut self, of: Index, entry: &WrittenEntry, slot: &Slot) {
        let layout = self.out.layout();
        let given = self.document.comments(slot);
        let Some(given) = given.filter(|_| layout.begins_line(entry.start)) else {
            return;
        };
        if let Some(lines) = &given.gap {
            self.out.replace(layout.gap(of, entry), Cow::Borrowed(lines));
        }
        let Some(above) = &given.leading else { return };
        let line = layout.line(entry.start);
        let indent = " ".repeat(self.out.column(layout.indent(line)));
        let lines = above.lines();
        let lines = lines.map(|text| format!("{indent}{text}{}", self.out.line_break()));
        self.out.replace(layout.lead(entry)..line, lines.collect::<String>().into());
    }

    /// Returns the tasks that write the comment that an edit gave to the last entry.
    fn flow_beside(&self, walk: &FlowWalk<'a>) -> Vec<PrintTask<'a>> {
        let layout = self.out.layout();
        let Some((beside, entry)) = walk.beside.zip(walk.last_entry) else {
            return Vec::new();
        };
        let Some(tail) = layout.beside(walk.old, &entry) else { return Vec::new() };
        vec![
            PrintTask::Copy(tail.start),
            PrintTask::Text(beside.to_owned()),
            PrintTask::Skip(tail.end),
        ]
    }

    fn open_flow(&mut self, walk: &mut FlowWalk<'a>) {
        let layout = self.out.layout();
        let (start, end) = (layout.content(walk.old), layout.end(walk.old));
        walk.place.provenance = self.out.provenance();
        walk.inner = (start + 1, end - 1);
        let last = layout.entries(walk.old).last();
        let from = last.map_or(start + 1, |last| layout.flow_end(last));
        walk.tail = Gap::new(layout, from, end - 1);
        if layout.style(walk.old) == Style::FlowPair {
            let start = layout.entry(walk.old, walk.old + 1).start;
            walk.inner = (start, end);
            walk.tail = Gap::new(layout, end, end);
            let [Slot { was: Some(_), .. }] = &*walk.slots else {
                walk.braces = true;
                self.out.copy(start);
                return self.out.push("{");
            };
        }
    }

    /// Returns the tasks from the last entry over removed and new ones to `next`.
    fn crossing_tasks(
        &mut self,
        walk: &FlowWalk<'a>,
        new: Range<usize>,
        next: Option<WrittenEntry>,
    ) -> Vec<PrintTask<'a>> {
        let layout = self.out.layout();
        let after = walk.after(layout);
        let end = next.map_or(layout.arena.next(walk.old), |next| next.first);
        if after == end && new.is_empty() {
            return Vec::new();
        }
        let crossing = walk.crossing(layout, next);
        if crossing.first && crossing.last && new.is_empty() {
            return self.emptied_tasks(walk, &crossing);
        }
        let new = walk.slots[new].iter();
        if crossing.left.has_line() || crossing.right.has_line() {
            let indent = self.line_indent(walk, next);
            let place = Placement { column: indent.len(), ..walk.place };
            let entry = |&slot: &Slot| NewFlowEntry {
                task: self.new_flow_entry(walk.old, slot, place),
                comments: self.document.comments(&slot).filter(|_| !place.json),
            };
            crossing.lines(layout, new.map(entry).collect(), &indent)
        } else {
            let new = new.map(|&slot| self.new_flow_entry(walk.old, slot, walk.place));
            crossing.line(&self.separator(walk.old), new.collect())
        }
    }

    /// Returns the task that writes an entry of flow collection `of` where it did not stand.
    fn new_flow_entry(&self, of: Index, slot: Slot, place: Placement) -> PrintTask<'a> {
        let layout = self.out.layout();
        let arena = layout.arena;
        let is_inside = |was: &Index| (of + 1..arena.next(of)).contains(was);
        match slot.was.filter(is_inside) {
            Some(was)
                if slot.key.is_none_or(|key| key == NodeId::Clean(arena.file(), was))
                    && self.is_without_names(was) =>
            {
                PrintTask::MovedFlow(layout.entry(of, was), slot, place)
            }
            _ => PrintTask::FlowEntry(slot, place),
        }
    }

    fn moved_flow_entry(&mut self, entry: WrittenEntry, slot: &Slot, place: Placement) {
        let layout = self.out.layout();
        let column = layout.indent(entry.start);
        let columns = (column, self.out.column(column));
        self.out.enter(layout.arena, entry.start, columns, place.provenance);
        self.schedule(vec![
            PrintTask::Copy(layout.flow_end(entry)),
            PrintTask::Leave(None),
        ]);
        let from = layout.after_indicator(entry.value);
        let is_item = slot.key.is_none();
        let role = if is_item { Role::Item } else { Role::Value };
        let place = Placement { flow: true, role, ..place };
        let written = WrittenValue {
            old: entry.value,
            from: from.filter(|_| !is_item),
            place,
            closes: false,
        };
        self.enter(written, slot.value);
    }

    /// Returns the tasks for a collection that lost its last entry. The comment behind the
    /// bracket belongs to the entry around it, and stays.
    fn emptied_tasks(
        &self,
        walk: &FlowWalk<'a>,
        crossing: &Crossing<'_>,
    ) -> Vec<PrintTask<'a>> {
        let (layout, Crossing { left, right, .. }) = (self.out.layout(), crossing);
        let beside = layout.slice(left.from, left.line);
        if !is_comment(beside) {
            return vec![PrintTask::Copy(left.from), PrintTask::Skip(right.to)];
        }
        let mut tasks = vec![PrintTask::Copy(left.line)];
        if right.has_line() {
            tasks.push(PrintTask::Skip(right.line));
        } else {
            let indent = self.line_indent(walk, None);
            tasks.extend([
                PrintTask::Line(0),
                PrintTask::Text(indent),
                PrintTask::Skip(right.to),
            ]);
        }
        tasks
    }

    /// Returns the separator of two entries of collection `of`: with a line break if each
    /// has a line of its own, the first one that of the bracket.
    fn separator(&self, of: Index) -> String {
        let layout = self.out.layout();
        let mut entries = layout.entries(of);
        let (Some(first), Some(second)) = (entries.next(), entries.next()) else {
            return ", ".to_owned();
        };
        let gap = layout.slice(layout.flow_end(first), second.start);
        let plain = gap.trim() == ",";
        if plain && gap.contains(['\n', '\r']) && layout.begins_line(second.start) {
            let column = self.out.column(layout.indent(second.start));
            return format!(",{}{}", self.out.line_break(), " ".repeat(column));
        }
        let single = plain && !gap.contains(['\t', '\n', '\r']);
        if single { gap.to_owned() } else { ", ".to_owned() }
    }

    /// Returns the blanks before a new entry on a line of its own.
    fn line_indent(&self, walk: &FlowWalk<'_>, next: Option<WrittenEntry>) -> String {
        let layout = self.out.layout();
        let first = layout.entries(walk.old).next();
        let before =
            |entry: &WrittenEntry| layout.slice(layout.line(entry.start), entry.start);
        let own = |entry: &WrittenEntry| {
            before(entry).bytes().all(|byte| b" \t".contains(&byte))
        };
        let neighbour = [next, walk.last_entry, first].into_iter().flatten().find(own);
        let column = match neighbour {
            Some(entry) if before(&entry).contains('\t') => return before(&entry).into(),
            Some(entry) => self.out.column(layout.indent(entry.start)),
            None => self.out.column(layout.entry_column(layout.start(walk.old))) + 2,
        };
        " ".repeat(column)
    }
}

/// The text between two entries, or between an entry and a bracket.
#[derive(Clone, Copy)]
struct Gap {
    from: usize,
    comma: Option<usize>,
    /// Offset of the first line break after the comma, or `to`.
    line: usize,
    to: usize,
}

impl Gap {
    fn new(layout: Layout<'_>, from: usize, to: usize) -> Gap {
        let bytes = layout.text().as_bytes();
        let comma = layout.comma(from..to);
        let from_line = comma.map_or(from, |comma| comma + 1);
        // The line may be as long as the text.
        let found = memchr::memchr2(b'\n', b'\r', &bytes[from_line.min(to)..to]);
        Gap { from, comma, line: found.map_or(to, |at| from_line + at), to }
    }

    fn after_comma(self) -> usize {
        self.comma.map_or(self.from, |comma| comma + 1)
    }

    fn has_line(self) -> bool {
        self.line < self.to
    }
}

/// An entry that is written on a line of its own.
struct NewFlowEntry<'a> {
    task: PrintTask<'a>,
    comments: Option<&'a EntryComments>,
}

impl<'a> NewFlowEntry<'a> {
    /// Returns the comment behind the entry.
    fn beside(&self) -> PrintTask<'a> {
        let beside = self.comments.and_then(|comments| comments.trailing.as_deref());
        PrintTask::Text(beside.unwrap_or_default().into())
    }

    /// Adds the tasks that write the entry with the lines above it.
    fn push(self, tasks: &mut Vec<PrintTask<'a>>, indent: &str) {
        let gap = self.comments.and_then(|comments| comments.gap.as_deref());
        for line in bare_lines(gap.unwrap_or_default()) {
            tasks.extend([PrintTask::Line(0), PrintTask::Text(line.to_owned())]);
        }
        let above = self.comments.and_then(|comments| comments.leading.as_deref());
        for line in above.unwrap_or_default().lines() {
            let text = format!("{indent}{line}");
            tasks.extend([PrintTask::Line(0), PrintTask::Text(text)]);
        }
        tasks.extend([PrintTask::Line(0), PrintTask::Text(indent.to_owned()), self.task]);
    }
}

/// The text between two entries of a flow collection that stay.
struct Crossing<'a> {
    /// The text after the entry before.
    left: Gap,
    /// The text before the next entry.
    right: Gap,
    /// True if there is no entry before.
    first: bool,
    /// True if there is no next entry.
    last: bool,
    /// True if the last entry is followed by a comma.
    trailing: bool,
    /// True if the collection was empty.
    bare: bool,
    /// True if the entry before ends in a `:` that needs a blank.
    colon: bool,
    /// True if the entry before ends in a plain `-` or `?`, which is an indicator before a
    /// blank.
    indicator: bool,
    /// The comment that an edit gave to be behind the entry before.
    beside: Option<&'a str>,
}

impl<'a> Crossing<'a> {
    /// Returns the tasks for entries on lines of their own.
    fn lines(
        self,
        layout: Layout<'_>,
        new: Vec<NewFlowEntry<'a>>,
        indent: &str,
    ) -> Vec<PrintTask<'a>> {
        let Crossing { left, right, .. } = self;
        let mut tasks = Vec::new();
        let more = !new.is_empty() || !self.last;
        let has_comma = !self.first && (more || self.trailing || self.indicator);
        if self.first {
            tasks.push(PrintTask::Copy(left.from));
        } else {
            tasks.push(PrintTask::Copy(left.comma.unwrap_or(left.from)));
            if self.colon && left.comma.is_none() {
                tasks.push(PrintTask::Text(" ".into()));
            }
            let comma = if has_comma { "," } else { "" };
            tasks.push(PrintTask::Text(comma.into()));
        }
        let mut comment = "";
        if left.has_line() || left.from == right.from {
            let written = layout.slice(left.after_comma(), left.line).trim_end();
            comment = self.beside.unwrap_or(written);
            // Behind a comma, a comment needs no blank.
            if !has_comma && !self.first && begins_with_comment(comment) {
                tasks.push(PrintTask::Text(" ".into()));
            }
            tasks.push(PrintTask::Text(comment.to_owned()));
        }
        let count = new.len();
        let ends = self.last && (comment.is_empty() || count > 0);
        let over = if right.has_line() || ends { right } else { left };
        for (i, entry) in new.into_iter().enumerate() {
            let beside = entry.beside();
            entry.push(&mut tasks, indent);
            if i + 1 < count || !self.last || self.trailing {
                tasks.push(PrintTask::Text(",".into()));
            }
            if i + 1 < count || over.has_line() {
                tasks.push(beside);
            }
        }
        let (from, to) = if over.has_line() {
            (over.line, over.to)
        } else {
            (over.after_comma(), over.to)
        };
        tasks.extend([
            PrintTask::Skip(from),
            PrintTask::Copy(to),
            PrintTask::Skip(right.to),
        ]);
        tasks
    }

    /// Returns the tasks for entries side by side.
    fn line(self, comma: &str, new: Vec<PrintTask<'a>>) -> Vec<PrintTask<'a>> {
        let Crossing { left, right, .. } = self;
        // A blank makes an indicator of a plain `-` or `?` before it.
        let comma_after_left = if self.indicator { comma.trim_start() } else { comma };
        let text = |text: &str| PrintTask::Text(text.to_owned());
        let (empty, mut tasks) = (new.is_empty(), Vec::new());
        let head = self.first && !self.bare;
        tasks.push(PrintTask::Copy(if head { left.to } else { left.from }));
        if self.colon && !empty {
            tasks.push(PrintTask::Text(" ".into()));
        }
        for (i, entry) in new.into_iter().enumerate() {
            if i > 0 {
                tasks.push(text(comma));
            } else if !self.first {
                tasks.push(text(comma_after_left));
            }
            tasks.push(entry);
        }
        if self.first && !self.last && !empty {
            tasks.push(text(comma));
        }
        if self.first && !self.last || self.bare {
            tasks.push(PrintTask::Skip(right.to));
        } else {
            let mut from = if self.last || !empty { right.from } else { left.from };
            if self.last && empty && self.indicator {
                from = right.comma.unwrap_or(right.to);
            }
            let to = if self.last || !empty { right.to } else { left.to };
            tasks.extend([
                PrintTask::Skip(from),
                PrintTask::Copy(to),
                PrintTask::Skip(right.to),
            ]);
        }
        tasks
    }
}
