//! Values that are written anew or copied from elsewhere, and the entries that hold them.

use std::borrow::Cow;
use std::ops::Range;

use super::super::anchor::Provenance;
use super::block::BlockWalk;
use super::flow::FlowWalk;
use super::reuse::{Reuse, has_kept, written_quote, written_tag};
use super::{
    NewCollection, PlaceRole, Placement, PrintTask, TreePrinter, ValueContent, ValueForm,
    WrittenValue,
};

use crate::arena::{Arena, Index, Style, flag};
use crate::layout::{Chomping, CommonQuotes, IndentHints, Layout, bare_lines, majority};
use crate::node::{Body, Kind, NodeId, Slot};
use crate::scalar::{
    Context, Quote, Scalar, spell_in, spell_json, spell_quoted, spell_with,
};
use crate::source::FileId;

impl<'a> TreePrinter<'a> {
    /// Schedules tasks before all others, in the order given.
    pub(super) fn schedule(
        &mut self,
        tasks: impl IntoIterator<IntoIter: DoubleEndedIterator<Item = PrintTask<'a>>>,
    ) {
        self.tasks.extend(tasks.into_iter().rev());
    }

    /// Returns the most frequent indentation and quotes, where neighbours give no hint.
    pub(super) fn majority(&mut self) -> (IndentHints, Quote) {
        *self.majority.get_or_insert_with(|| majority(self.document.base()))
    }

    /// Returns the hints with what is missing taken from the whole text.
    pub(super) fn complete_hints(&mut self, hints: IndentHints) -> IndentHints {
        hints.or(|| self.majority().0)
    }

    /// Returns true if written value `i` of another text has lists that are indented in another way
    /// than those of the document.
    pub(super) fn has_other_lists(&mut self, layout: Layout<'_>, i: Index) -> bool {
        let file = layout.arena.file();
        if !self.document.hints().is_relisted(file) {
            return false;
        }
        let Some(wanted) = self.majority().0.sequence else { return false };
        let lists = self.other_lists.entry(file).or_insert_with(|| {
            let lists = layout.arena.indices();
            let lists = lists.filter(|&at| layout.style(at) == Style::BlockSequence);
            lists.filter(|&at| layout.depth(at).is_some_and(|it| it != wanted)).collect()
        });
        let next = lists.partition_point(|&at| at < i);
        lists.get(next).is_some_and(|&at| at < layout.arena.next(i))
    }

    pub(super) fn reuse(&self) -> Reuse<'a> {
        Reuse::of(self.document)
    }

    /// Returns the content for `node` outside of its own place.
    pub(super) fn content(&mut self, node: NodeId, place: Placement) -> ValueContent {
        let provenance = Provenance { in_place: false, ..place.provenance };
        self.own_content(node, Placement { provenance, ..place })
    }

    /// Returns the content for `node` in its own place.
    pub(super) fn own_content(&mut self, node: NodeId, place: Placement) -> ValueContent {
        let outer = place.provenance;
        let followed = self.document.follow(node);
        let mut provenance = outer;
        if let NodeId::Clean(file, i) = node
            && followed != node
        {
            // An alias stays one if its name still leads to the same node. JSON has none.
            let name = self.anchors.alias(file, i, outer);
            if let Some(name) = name.filter(|_| !place.json) {
                let form = ValueForm::Alias(name);
                let props = String::new();
                return ValueContent { node, props, form, provenance, quote: None };
            }
            provenance.expanded = true;
        }
        let anchor = self.anchor(followed, outer, u32::from(followed != node));
        let props = self.props(followed, anchor.filter(|_| !place.json));
        let form = self.reuse().form(followed, place);
        let quote = place.quotes.texts;
        ValueContent { node: followed, props, form, provenance, quote }
    }

    /// Returns the anchor that is written on `node`.
    fn anchor(
        &mut self,
        node: NodeId,
        provenance: Provenance,
        aliases: u32,
    ) -> Option<String> {
        let (file, i) = self.document.origin_of(node)?;
        self.anchors.anchor(node, file, i, provenance, aliases)
    }

    /// Returns an anchor and the tag of `node`.
    fn props(&self, node: NodeId, anchor: Option<String>) -> String {
        let mut props = anchor.map_or(String::new(), |name| format!("&{name}"));
        let tagged = self.document.tagged_as(node);
        let tag =
            tagged.and_then(|(file, i)| self.reuse().tag(self.document.arena(file), i));
        if let Some(tag) = tag {
            props.push_str(if props.is_empty() { "" } else { " " });
            props.push_str(&tag);
        }
        props
    }

    /// Writes an entry in block style on a line that is indented.
    pub(super) fn new_entry(&mut self, slot: Slot, place: Placement) {
        let below = self.comments.given(&slot).dangling.as_deref();
        let column = place.column;
        let step = ValueForm::Mapping.column(place).saturating_sub(column);
        self.tasks.extend(below.map(|lines| PrintTask::Below { lines, column, step }));
        self.tasks.push(PrintTask::EndLine);
        if !self.document.hints().is_left_out(slot.value) {
            let beside = self.comments.beside(&slot);
            self.tasks.push(PrintTask::Value(slot.value, place, beside));
        }
        let Some(key) = slot.key else { return self.out.push("-") };
        let reuse = self.reuse();
        let in_key = Placement { role: PlaceRole::Root, ..place };
        if reuse.is_simple(key) {
            self.tasks.push(PrintTask::Text(reuse.colon(key).into()));
            let flow = reuse.style(key) != Some(Style::Plain);
            let plain = Placement { flow, ..in_key.of_key() };
            let content = self.content(key, plain);
            return self.inline(content, plain);
        }
        self.out.push("? ");
        self.schedule([
            PrintTask::Inline(key, in_key),
            PrintTask::Line(place.column),
            PrintTask::Text(":".into()),
        ]);
    }

    /// Writes the comments that an edit gave to be above a new entry in block style, whose
    /// line is indented. Returns false if it gave none.
    pub(super) fn given_above(&mut self, slot: &Slot, column: usize) -> bool {
        let above = self.comments.given(slot).leading.as_deref();
        self.out.lines_above(above.unwrap_or_default(), column);
        above.is_some()
    }

    /// Writes an entry in flow style.
    pub(super) fn flow_entry(&mut self, slot: Slot, place: Placement) {
        let place = place.in_brackets();
        let Some(key) = slot.key else {
            // A task, not a call: flow collections may nest in each other deeply.
            return self.tasks.push(PrintTask::Inline(slot.value, place));
        };
        let is_simple = self.reuse().is_simple(key);
        self.out.push(if is_simple { "" } else { "? " });
        let colon = if is_simple { self.reuse().colon(key) } else { " :" };
        self.schedule([
            PrintTask::Inline(key, place.of_key()),
            PrintTask::Text(format!("{colon} ").into()),
            PrintTask::Inline(slot.value, place),
        ]);
    }

    /// Writes the value after the `-` or `:` of a new entry, with a comment beside it.
    pub(super) fn new_value(
        &mut self,
        node: NodeId,
        place: Placement,
        beside: Option<&'a str>,
    ) {
        let gap = self.reuse().given_gap(node).unwrap_or(place.gap);
        let place = Placement { gap, ..place };
        let content = self.content(node, place);
        self.put(content, place, beside);
    }

    /// Writes a value on the rest of the line, with a comment there, and below it.
    pub(super) fn put(
        &mut self,
        content: ValueContent,
        place: Placement,
        beside: Option<&'a str>,
    ) {
        self.tasks.push(PrintTask::EndLine);
        if content.form.is_inline() {
            if let Some(lines) = self.reuse().comments_above(content.node, place) {
                self.out.push(beside.unwrap_or_default());
                return self.inline_below(&lines, content, place);
            }
            self.tasks.extend(beside.map(|comment| PrintTask::Text(comment.into())));
            let is_blank =
                content.props.is_empty() && self.is_nothing(content.node, place);
            let is_first = is_blank || self.out.begins_line();
            self.out.spaces(if is_first { 0 } else { place.gap });
            return self.inline(content, place);
        }
        let compact = place.role == PlaceRole::Item
            && content.form.is_collection()
            && content.props.is_empty()
            && beside.is_none();
        if compact {
            self.out.spaces(place.gap);
        } else {
            self.head(&content, place);
            self.out.push(beside.unwrap_or_default());
            self.out.end_line();
        }
        self.body(content, place, compact);
    }

    /// Writes a value on a line of its own, below comments.
    fn inline_below(&mut self, lines: &[&str], content: ValueContent, place: Placement) {
        let column = ValueForm::Scalar.column(place);
        self.out.end_line();
        self.out.spaces(column);
        self.out.lead_with(lines, column);
        self.inline(content, place);
    }

    /// Writes the line of a block's key: properties and the header of a scalar.
    pub(super) fn head(&mut self, content: &ValueContent, place: Placement) {
        let mut head = content.props.clone();
        if content.form == ValueForm::Scalar {
            head.push_str(if head.is_empty() { "" } else { " " });
            head.push_str(&self.reuse().header(content.node, place.hints.step()));
        }
        if !head.is_empty() && !self.out.begins_line() {
            self.out.push(" ");
        }
        self.out.push(&head);
    }

    pub(super) fn inline_node(&mut self, node: NodeId, place: Placement) {
        let place = Placement { flow: true, ..place };
        let content = self.content(node, place);
        self.inline(content, place);
    }

    /// Writes text, an alias or a flow collection.
    pub(super) fn inline(&mut self, content: ValueContent, place: Placement) {
        if let ValueForm::Alias(name) = &content.form {
            self.out.push("*");
            return self.out.push(name);
        }
        self.out.push(&content.props);
        if self.is_nothing(content.node, place) {
            return;
        }
        self.out.push(if content.props.is_empty() { "" } else { " " });
        if let NodeId::Opened(id) = content.node
            && let Body::Scalar(scalar) = self.document.opened(id).body()
        {
            let was = self.document.origin(id);
            let own =
                was.and_then(|(file, i)| written_quote(self.document.arena(file), i));
            let is_new_key = place.is_key && was.is_none();
            let is_free = is_new_key || self.reuse().unspelled(content.node).is_some();
            return self.spell(scalar, own.or(content.quote.filter(|_| is_free)), place);
        }
        match content.node {
            NodeId::Clean(file, i)
                if self.document.kind(content.node) == Kind::Scalar =>
            {
                self.inline_scalar(self.document.arena(file), i, &content, place);
            }
            node => self.inline_collection(node, content.provenance, place),
        }
    }

    /// Returns true if no text is written for `node`, but properties at most.
    pub(super) fn is_nothing(&self, node: NodeId, place: Placement) -> bool {
        match node {
            NodeId::Clean(file, i) => {
                let arena = self.document.arena(file);
                // Of an argument, nothing is null, and `!` alone is an empty text.
                let is_empty_entry = arena.indicator(i).is_some()
                    && arena.tag(i).is_none()
                    && place.role != PlaceRole::Root;
                arena.style(i) == Style::Empty
                    && (is_empty_entry || written_tag(arena, i).is_some())
                    && !self.reuse().is_foreign(arena, i)
                    && !place.flow
            }
            NodeId::Opened(_) => self.document.hints().is_left_out(node),
        }
    }

    /// Writes a collection in flow style.
    fn inline_collection(
        &mut self,
        node: NodeId,
        provenance: Provenance,
        place: Placement,
    ) {
        let place = Placement { flow: true, provenance, ..place };
        let origin = self.document.origin_of(node).filter(|_| !place.json);
        if let Some((file, i)) = origin
            && self.reuse().copies_flow(self.document.arena(file), i)
        {
            let layout = Layout { arena: self.document.arena(file) };
            let is_clean = matches!(node, NodeId::Clean(..));
            let whole = is_clean && self.can_copy_inner(layout.arena, i, provenance);
            let slots = (!whole).then(|| self.document.slots(node));
            // Without a child that stays there is no layout to follow.
            let kept = is_clean || slots.as_deref().is_some_and(has_kept);
            if kept && !(is_clean && self.comments.leaves_out(layout, i)) {
                return self.copy_flow(layout, i, slots, place);
            }
        }
        if let Some((file, i)) = origin {
            self.unplaced.note(Layout { arena: self.document.arena(file) }, i);
        }
        self.new_collection(node, self.document.kind(node) == Kind::Mapping, place);
    }

    /// Begins a new collection in that place; in block style, the place of its entries.
    fn new_collection(&mut self, node: NodeId, mapping: bool, place: Placement) {
        let slots = self.document.slots(node);
        self.continue_new(Box::new(NewCollection { slots, at: 0, mapping, place }));
    }

    /// Writes the next entry of a new collection, and at the end its bracket.
    pub(super) fn continue_new(&mut self, mut rest: Box<NewCollection<'a>>) {
        let Placement { flow, column, .. } = rest.place;
        let [open, close] = if rest.mapping { ["{", "}"] } else { ["[", "]"] };
        if flow && rest.at == 0 {
            self.out.push(open);
        }
        let Some(&slot) = rest.slots.get(rest.at) else {
            return self.out.push(if flow { close } else { "" });
        };
        let role = if rest.mapping { PlaceRole::Value } else { PlaceRole::Item };
        let place = Placement { role, gap: 1, ..rest.place };
        let is_first = rest.at == 0;
        rest.at += 1;
        self.tasks.push(PrintTask::New(rest));
        if flow {
            self.out.push(if is_first { "" } else { ", " });
            self.note_unplaced(&slot, place);
            return self.flow_entry(slot, place);
        }
        if !is_first {
            self.out.end_line();
            let lines = self.comments.given(&slot).gap.as_deref();
            self.out.write_lines(lines.unwrap_or_default(), column);
            self.out.spaces(column);
        }
        if !self.given_above(&slot, column) {
            self.out.lead_with(&self.comments.above(&slot), column);
        }
        self.new_entry(slot, place);
    }

    /// Notes the comments that an edit gave to an entry which is printed beside others. JSON has
    /// none.
    pub(super) fn note_unplaced(&mut self, slot: &Slot, place: Placement) {
        if !place.json {
            self.unplaced.note_given(self.comments.given(slot));
        }
    }

    /// Copies a flow collection from elsewhere; `slots` are children to look at.
    fn copy_flow(
        &mut self,
        layout: Layout<'a>,
        i: Index,
        slots: Option<Cow<'a, [Slot]>>,
        place: Placement,
    ) {
        let at = layout.content(i);
        let end = layout.end(i);
        let mut from = layout.entry_column(layout.start(i));
        if layout.next_line(at) < end {
            from = from.min(layout.indent(layout.next_line(at)).saturating_sub(1));
        }
        self.out.enter(layout.arena, at, from, place.column, place.provenance);
        self.schedule([PrintTask::Copy(end), PrintTask::Leave(None)]);
        match slots {
            Some(slots) => {
                let written = WrittenValue::new(i, None, place);
                self.tasks.push(PrintTask::Walk(FlowWalk::new(written, slots)));
            }
            None => self.record_inner(layout.arena, i, place.provenance),
        }
    }

    /// Writes the block of `content`, below its key or beside it (`compact`).
    pub(super) fn body(
        &mut self,
        content: ValueContent,
        place: Placement,
        compact: bool,
    ) {
        if content.form == ValueForm::Scalar {
            return self.block_scalar(content.node, place);
        }
        let ValueContent { node, form, provenance, .. } = content;
        let hinted = form.column(place);
        let given = self.reuse().given_depth(node);
        let given = given.filter(|_| place.role == PlaceRole::Value);
        let column = given.map_or(hinted, |deeper| place.column + deeper);
        let place = Placement { provenance, ..place };
        let slots = self.document.slots(node);
        // Without a child that stays there is no layout to follow.
        let kept = matches!(node, NodeId::Clean(..)) || has_kept(&slots);
        if let Some((file, i)) = self.document.origin_of(node).filter(|_| kept) {
            let layout = Layout { arena: self.document.arena(file) };
            if self.copies_block(layout, i, column) {
                let whole = node == NodeId::Clean(file, i)
                    && !self.has_other_lists(layout, i)
                    && self.can_copy_inner(layout.arena, i, provenance);
                let slots = (!whole).then_some(slots);
                return self.copy_block(layout, i, slots, column, compact, place);
            }
        }
        self.out.spaces(if compact { 0 } else { column });
        let mapping = form == ValueForm::Mapping;
        let quotes = CommonQuotes::default();
        self.new_collection(node, mapping, Placement { column, quotes, ..place });
    }

    /// Returns true if block collection `i` can be copied to that column.
    fn copies_block(&self, layout: Layout<'a>, i: Index, column: usize) -> bool {
        let mut lines = bare_lines(layout.slice(layout.content(i), layout.end(i)));
        let safe = column > 0
            || !lines.any(|line| {
                let text = line.trim_start_matches(' ');
                // In column 0 it would be a document marker, or mark the byte order.
                ["---", "...", "\u{feff}"].iter().any(|mark| text.starts_with(mark))
            });
        layout.style(i).is_block_collection()
            && safe
            && self.reuse().copies(layout.arena)
            && !self.comments.leaves_out(layout, i)
    }

    /// Returns true for a text whose values bring the comments above their first entry, too.
    // In a patch they may be about the op.
    fn brings_all_comments(&self, file: FileId) -> bool {
        file == self.document.file() || self.document.hints().is_version_text(file)
    }

    /// Copies a block collection from elsewhere to another column.
    fn copy_block(
        &mut self,
        layout: Layout<'a>,
        i: Index,
        slots: Option<Cow<'a, [Slot]>>,
        column: usize,
        compact: bool,
        place: Placement,
    ) {
        let Some(first) = layout.entries(i).next() else { return };
        let alone = layout.begins_line(first.start);
        let lead = layout.lead(&first);
        let stays = slots.as_deref().is_none_or(|slots| {
            slots.first().is_some_and(|slot| slot.was == Some(first.first))
        });
        let at = if !alone || compact && !stays {
            first.start
        } else if compact {
            lead + layout.indent(lead)
        } else if self.brings_all_comments(layout.arena.file()) {
            layout.first_comment(i).unwrap_or(lead)
        } else {
            lead
        };
        self.out.spaces(if compact || alone { 0 } else { column });
        self.out.enter(layout.arena, at, layout.column(i), column, place.provenance);
        self.schedule([
            PrintTask::CopyEnd(layout.collection_stop(i)),
            PrintTask::Leave(Some(layout.arena.next(i))),
        ]);
        match slots {
            Some(slots) => {
                let written = WrittenValue::new(i, None, place);
                let compact = compact || !alone;
                let walk = BlockWalk::new(written, slots, column, compact, &self.out);
                self.tasks.push(PrintTask::Walk(walk));
            }
            None => self.record_inner(layout.arena, i, place.provenance),
        }
    }

    /// Returns true if the nodes in collection `i` can be copied as text.
    fn can_copy_inner(
        &mut self,
        arena: &Arena,
        i: Index,
        provenance: Provenance,
    ) -> bool {
        self.anchors.can_copy(arena.file(), inner_nodes(arena, i), provenance)
    }

    fn record_inner(&mut self, arena: &Arena, i: Index, provenance: Provenance) {
        self.anchors.record_copy(arena.file(), inner_nodes(arena, i), provenance);
    }

    fn block_scalar(&mut self, node: NodeId, place: Placement) {
        let step = place.hints.step();
        let column = place.column + step;
        let chomping = Chomping::of(&self.reuse().header(node, step));
        if let Some(text) = self.reuse().unspelled(node) {
            self.out.indented(&text, 0, column);
        } else if let NodeId::Clean(file, i) = node {
            let layout = Layout { arena: self.document.arena(file) };
            self.out.indented(layout.scalar_lines(i), layout.column(i), column);
        } else if let Scalar::String(text) = &self.document.scalar(node) {
            self.out.indented(text, 0, column);
        }
        self.out.ends_scalar(chomping);
    }

    /// Writes written scalar `i` within a line, behind its properties.
    fn inline_scalar(
        &mut self,
        arena: &'a Arena,
        i: Index,
        content: &ValueContent,
        place: Placement,
    ) {
        let style = arena.style(i);
        let tagged = written_tag(arena, i).is_some();
        let merge = style == Style::Plain && arena.raw(i) == "<<";
        let is_text = self.reuse().unspelled(content.node).is_some();
        let is_spelled = self.reuse().is_foreign(arena, i)
            || place.json && content.props.is_empty() && !merge
            || is_text;
        if !is_spelled && self.reuse().fits(arena, i, place) {
            return self.copy_scalar(Layout { arena }, i, place);
        }
        if is_spelled || matches!(style, Style::Plain | Style::Empty) && !tagged {
            let quote = content.quote.filter(|_| is_text);
            return self.spell(&self.document.scalar(content.node), quote, place);
        }
        let quote = self.majority().1;
        self.out.push(&spell_quoted(&arena.string(i), quote));
    }

    /// Spells a value on one line; a text in the quotes of the one before it.
    fn spell(&mut self, scalar: &Scalar<'_>, quote: Option<Quote>, place: Placement) {
        let context = if place.flow { Context::Flow } else { Context::Block };
        let text = match (scalar, quote) {
            (Scalar::String(text), _) if place.json => spell_json(text),
            // The name that JSON has for a key of another type.
            _ if place.json && place.is_key => {
                spell_json(&spell_with(scalar, context, Quote::default()))
            }
            (Scalar::String(text), Some(quote)) => spell_in(text, quote),
            (Scalar::String(_), None) => spell_with(scalar, context, self.majority().1),
            _ => spell_with(scalar, context, Quote::default()),
        };
        self.out.push(&text);
    }

    fn copy_scalar(&mut self, layout: Layout<'a>, i: Index, place: Placement) {
        let arena = layout.arena;
        if !arena.has(i, flag::MULTILINE) {
            return self.out.push(arena.raw(i));
        }
        let at = layout.content(i);
        let end = layout.end(i);
        let from = layout.indent(layout.next_line(at).min(end));
        let to = place.column + place.hints.step();
        self.out.enter(arena, at, from, to, place.provenance);
        self.out.copy(end);
        self.out.leave();
    }
}

/// Returns the nodes in collection `i`.
fn inner_nodes(arena: &Arena, i: Index) -> Range<Index> {
    i + 1..arena.next(i)
}
