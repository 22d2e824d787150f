//! Values and keys in the places of written ones: kept, changed, or replaced by others.

use std::borrow::Cow;
use std::ops::Range;

use super::super::anchor::Provenance;
use super::block::BlockWalk;
use super::flow::FlowWalk;
use super::reuse::written_quote;
use super::{
    LinesBelow, MAX_DASH_SPACES, PlaceRole, Placement, PrintTask, TreePrinter,
    ValueContent, ValueForm, WrittenValue,
};
use crate::arena::{Index, NONE, Style, flag};
use crate::layout::{
    CommonQuotes, IndentHints, Layout, is_comment_or_blank, is_flow, is_json,
    may_hold_comment,
};
use crate::node::{Kind, NodeId, Slot};
use crate::scalar::Scalar;

impl<'a> TreePrinter<'a> {
    pub(super) fn root(&mut self, at: usize) {
        self.anchors.clear();
        let document = self.document;
        let base = document.base();
        let node = document.roots()[at];
        let section = base.sections()[at];
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
            role: PlaceRole::Root,
            column: 0,
            flow: false,
            json: false,
            is_key: false,
            gap: 1,
            hints: IndentHints::default(),
            quotes: CommonQuotes::default(),
            provenance: self.out.provenance(),
        };
        let marker = (section.marker != NONE).then_some(section.marker as usize);
        if base.style(old) == Style::Empty && layout.after_props(old).is_none() {
            let end = section.end as usize;
            return self.put_empty_root(node, marker, section.start as usize..end, place);
        }
        if at + 1 == base.sections().len() && section.suffix == NONE {
            self.tasks.push(PrintTask::End(section.end as usize));
        }
        let closes = dangling.is_some();
        self.tasks.extend(dangling.map(PrintTask::Dangling));
        let line = layout.line(layout.start(old));
        let from = marker.filter(|&marker| layout.line(marker) == line);
        self.enter(WrittenValue { old, from, place, closes }, node);
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
        self.put(content, place, None);
    }

    /// Prints the value of a written entry, which is now `node`.
    pub(super) fn enter(&mut self, written: WrittenValue, node: NodeId) {
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
        let arena = self.out.layout().arena;
        let provenance = written.place.provenance;
        let old = written.old;
        let layout = self.out.layout();
        if self.has_other_lists(layout, old) {
            return self.enter_other_lists(written);
        }
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
        let item = written.place.flow && written.place.role == PlaceRole::Item;
        let bare = item && arena.style(old) == Style::Empty;
        if arena.style(old) == Style::Alias || bare {
            return self.replace(written, node);
        }
        self.update_anchor(written, node);
        self.walk(written, self.document.slots(node));
    }

    /// Prints a written value of a patch with its lists as deep as those of the document.
    fn enter_other_lists(&mut self, mut written: WrittenValue) {
        let layout = self.out.layout();
        let node = NodeId::Clean(layout.arena.file(), written.old);
        let wanted = self.majority().0.sequence;
        if layout.style(written.old) == Style::BlockSequence
            && wanted.is_some_and(|wanted| layout.depth(written.old) != Some(wanted))
            && written.place.role == PlaceRole::Value
        {
            let content = self.own_content(node, written.place);
            written.place.hints.sequence = wanted;
            // Its last comments are copied with it.
            self.tasks.push(PrintTask::Skip(layout.collection_stop(written.old)));
            return self.put_block(written, content);
        }
        self.update_anchor(written, node);
        self.walk(written, self.document.slots(node));
    }

    fn enter_opened(&mut self, written: WrittenValue, id: u32) {
        let layout = self.out.layout();
        let node = NodeId::Opened(id);
        let slots = self.document.slots(node);
        let flow = is_flow(layout.style(written.old));
        if slots.is_empty() && !flow {
            return self.put_empty(written, node);
        }
        // `[]` shows no style: what is put into it becomes a block. A comment inside stays.
        let unfolds = !slots.is_empty()
            && flow
            && !written.place.flow
            && layout.arena.next(written.old) == written.old + 1
            && !may_hold_comment(
                layout.slice(layout.content(written.old), layout.end(written.old)),
            );
        let tag = self.new_tag(written.old, node);
        // A block has no line for a first tag.
        let has_no_line =
            tag.is_some() && !flow && !layout.arena.has(written.old, flag::PROPS);
        if unfolds || has_no_line {
            let content = self.own_content(node, written.place);
            return self.place_content(written, content);
        }
        self.update_anchor(written, node);
        if let Some(tag) = tag {
            self.update_tag(written.old, tag.as_deref());
        }
        self.walk(written, slots);
    }

    /// Walks a written collection, whose children are now `slots`.
    fn walk(&mut self, mut written: WrittenValue, slots: Cow<'a, [Slot]>) {
        let layout = self.out.layout();
        if is_flow(layout.style(written.old)) {
            let root = written.place.role == PlaceRole::Root;
            let json = root && !self.document.hints().is_verbatim();
            written.place.json |= json && is_json(layout.arena);
            self.tasks.push(PrintTask::Walk(FlowWalk::new(written, slots)));
        } else if !slots.is_empty() {
            let column = self.out.column(layout.column(written.old));
            let first = layout.first_start(written.old);
            let compact = self.out.at() == first && !self.out.begins_line();
            let walk = BlockWalk::new(written, slots, column, compact, &self.out);
            self.tasks.push(PrintTask::Walk(walk));
        }
    }

    /// Writes `node` in the place of the written value.
    fn replace(&mut self, written: WrittenValue, node: NodeId) {
        let mut content = self.content(node, written.place);
        let arena = self.out.layout().arena;
        content.quote = match arena.style(written.old) {
            Style::Plain if matches!(arena.scalar(written.old), Scalar::String(_)) => {
                None
            }
            _ => written_quote(arena, written.old).or(content.quote),
        };
        if !matches!(content.form, ValueForm::Alias(_)) {
            self.keep_anchor(written.old, node, &mut content);
        }
        self.place_content(written, content);
    }

    /// Keeps the anchor of written node `old` on the value that replaces it, if its aliases
    /// follow or the value has the same one. Aliases follow to another anchor of the value.
    fn keep_anchor(&mut self, old: Index, node: NodeId, content: &mut ValueContent) {
        let arena = self.out.layout().arena;
        let Some(name) = arena.anchor(old) else { return };
        let follows = self.document.alias_value(arena.file(), old) == Some(node);
        let own = content.props.strip_prefix('&').and_then(|it| it.split(' ').next());
        let hints = self.document.hints();
        let brought = self.document.origin_of(content.node);
        let brought = brought
            .filter(|&(file, _)| file != arena.file() && hints.is_patch_text(file));
        let brought = brought.and_then(|(file, i)| self.document.arena(file).anchor(i));
        let is_same = own.is_some() && brought == Some(name);
        let is_free = is_same && !self.anchors.has_aliases_left(arena.file(), old);
        if !follows && !is_free {
            return;
        }
        let name = own.filter(|_| !is_same).unwrap_or(name).to_owned();
        let mut words = content.props.split(' ').filter(|word| !word.is_empty());
        let tag = words.find(|word| !word.starts_with('&')).unwrap_or_default();
        let blank = if tag.is_empty() { "" } else { " " };
        content.props = format!("&{name}{blank}{tag}");
        if is_same {
            self.anchors.bind(name.clone(), content.node);
        }
        if follows {
            // Aliases still ask for the written node.
            self.anchors.bind(name, NodeId::Clean(arena.file(), old));
        }
    }

    /// Writes a value in the place of the written one.
    fn place_content(&mut self, mut written: WrittenValue, content: ValueContent) {
        let layout = self.out.layout();
        if !content.form.is_inline() {
            let [same, any] = self.written_hints(&written);
            let hints = same.or(|| written.place.hints.or(|| any));
            written.place.hints = self.complete_hints(hints);
        }
        let block = layout.is_block(written.old);
        if written.from.is_none()
            && written.place.role == PlaceRole::Value
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
    fn written_hints(&self, written: &WrittenValue) -> [IndentHints; 2] {
        let layout = self.out.layout();
        let old = written.old;
        let below = written.place.role == PlaceRole::Value || layout.is_block_scalar(old);
        if !layout.is_block(old) || !below {
            return [IndentHints::default(); 2];
        }
        let column = self.written_column(written);
        let deeper = layout.column(old).checked_sub(column);
        let any = IndentHints { step: deeper.filter(is_digit), sequence: deeper };
        let same = match layout.style(old) {
            Style::BlockSequence => IndentHints { step: None, ..any },
            _ => IndentHints { sequence: None, ..any },
        };
        [same, any]
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
                && written.place.role == PlaceRole::Value =>
            {
                self.out.copy(layout.start(old));
                let bare = matches!(layout.style(old - 1), Style::Empty | Style::Alias);
                // `*a:` would be an alias of that name.
                self.out.push(if bare { " : " } else { ": " });
            }
            from => {
                let start = layout.start(old);
                match from.zip(self.reuse().given_gap(content.node)) {
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
                if from == Some(start)
                    && matches!(
                        layout.style(old - 1),
                        Style::Plain | Style::Alias | Style::Empty
                    )
                {
                    self.out.push(" ");
                }
            }
        }
        let end = self.end_with_blanks(&written);
        self.tasks.push(PrintTask::Skip(end));
        self.trim_before(&content, &written);
        self.inline(content, written.place);
    }

    /// Returns the end of a written value. Behind one that is empty, the blank of `{a: , b}`
    /// and the blanks up to the end of the line belong to the colon or the dash.
    fn end_with_blanks(&self, written: &WrittenValue) -> usize {
        let layout = self.out.layout();
        let end = layout.end(written.old);
        if layout.style(written.old) != Style::Empty {
            return end;
        }
        let line_end = layout.line_end(end);
        if layout.is_blank(end, line_end) {
            return line_end;
        }
        let has_blank = written.place.flow && layout.slice(end, end + 1) == " ";
        end + usize::from(has_blank)
    }

    /// Writes within a line in the place of a block.
    fn put_inline_for_block(&mut self, written: WrittenValue, content: ValueContent) {
        let layout = self.out.layout();
        let tail = layout.line_tail(written.old, written.from);
        let stop = self.stop(&written);
        let end = layout.after_line(layout.end(written.old));
        self.copy_head(&written);
        let comment = self.out.take_replacement(tail.start..=stop);
        self.schedule([
            PrintTask::Skip(tail.start),
            comment.map_or(PrintTask::Copy(tail.end), PrintTask::Text),
            PrintTask::EndLine,
            // Comments in a collection go with it, those below a block scalar stay.
            PrintTask::Skip(if layout.is_block_scalar(written.old) { end } else { stop }),
            PrintTask::Copy(stop),
        ]);
        self.trim_before(&content, &written);
        self.inline(content, written.place);
    }

    /// Takes away the blanks before a value for which nothing is written.
    fn trim_before(&mut self, content: &ValueContent, written: &WrittenValue) {
        if content.props.is_empty() && self.is_nothing(content.node, written.place) {
            self.out.trim_line();
        }
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
        let compact = place.role == PlaceRole::Item
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
        let has_comments = layout.style(written.old).is_block_collection();
        let below = below..if has_comments { below } else { stop };
        self.schedule([
            PrintTask::EndLine,
            if content.form.is_collection() {
                place.hints = self.fitting_hints(place, &content.form, below.clone());
                let column = content.form.column(place);
                PrintTask::CopyBelow(below, column)
            } else {
                PrintTask::CopyOutside(below, place.column)
            },
            PrintTask::Skip(stop),
        ]);
        self.out.copy(written.from.unwrap_or(layout.start(written.old)));
        if compact {
            self.out.spaces(place.gap);
        } else {
            self.head(&content, place);
            // The comment of a whole document has a line of its own.
            let blanks = beside.len() - beside.trim_start().len();
            let blanks = if self.out.begins_line() { blanks } else { 0 };
            match &given {
                Some(comment) => {
                    self.out.skip(tail.start);
                    self.out.push(&comment[blanks..]);
                }
                None => {
                    self.out.skip(tail.start + blanks);
                    self.out.copy(if comment { tail.end } else { tail.start + blanks });
                }
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
        let deeper = deeper.filter(is_digit);
        let fitting = match form {
            ValueForm::Sequence => IndentHints { step: None, sequence: deeper },
            _ => IndentHints { step: deeper, sequence: None },
        };
        fitting.or(|| place.hints)
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
        self.put(content, written.place, None);
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
        match (written.from, layout.after_props(written.old)) {
            (Some(_), Some(end)) => {
                self.out.substitute(layout.start(written.old)..end, &value);
            }
            (Some(after), _) if layout.line(after) != layout.line(first.start) => {
                let tail = layout.line_tail(written.old, written.from);
                self.out.substitute(after..tail.start, &format!(" {value}"));
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
        self.out.drop_entries(
            written.old,
            first.first..layout.arena.next(written.old),
            true,
        );
    }

    /// Removes or renames the anchor of a written node if aliases need that.
    fn update_anchor(&mut self, written: WrittenValue, node: NodeId) {
        let arena = self.out.layout().arena;
        let i = written.old;
        let Some((anchor, props)) = arena.anchor(i).zip(arena.props(i)) else { return };
        let provenance = written.place.provenance;
        let from = props.anchor.0 as usize;
        let to = props.anchor.1 as usize;
        match self.anchors.anchor(node, arena.file(), i, provenance, 0) {
            None => self.out.cut_word(from - 1, to),
            Some(name) if name != anchor => self.out.substitute(from..to, &name),
            Some(_) => {}
        }
    }

    /// Returns the tag of an opened node, or the lack of one, unless it is as written.
    fn new_tag(&self, old: Index, node: NodeId) -> Option<Option<Cow<'a, str>>> {
        let (file, i) = self.document.tagged_as(node)?;
        let is_written = (file, i) == (self.out.layout().arena.file(), old);
        (!is_written).then(|| self.reuse().tag(self.document.arena(file), i))
    }

    /// Writes another tag for a collection that has an anchor or a tag, or is of flow style.
    fn update_tag(&mut self, old: Index, tag: Option<&str>) {
        let layout = self.out.layout();
        let props = layout.arena.props(old);
        let anchor_end = props.map(|it| it.anchor).filter(|anchor| anchor.0 < anchor.1);
        let anchor_end = anchor_end.map(|anchor| anchor.1 as usize);
        let written = props.map(|it| it.tag).filter(|tag| tag.0 < tag.1);
        let written = written.map(|tag| tag.0 as usize..tag.1 as usize);
        match (written, tag, anchor_end) {
            (Some(range), Some(tag), _) => self.out.substitute(range, tag),
            (Some(range), None, _) => self.out.cut_word(range.start, range.end),
            (None, Some(tag), Some(at)) => {
                self.out.substitute(at..at, &format!(" {tag}"));
            }
            (None, Some(tag), None) => {
                let at = layout.content(old);
                self.out.substitute(at..at, &format!("{tag} "));
            }
            (None, None, _) => {}
        }
    }

    /// Returns true if a new key can be written in the place of written key `was`.
    pub(super) fn can_replace_key(&self, was: Index, key: NodeId) -> bool {
        let layout = self.out.layout();
        let arena = layout.arena;
        let scalar =
            matches!(arena.style(was), Style::Plain | Style::Single | Style::Double);
        key != NodeId::Clean(arena.file(), was)
            && self.document.kind(key) == Kind::Scalar
            && self.reuse().is_simple(key)
            && scalar
            && !arena.has(was, flag::MULTILINE | flag::PROPS)
            && layout.after_indicator(arena.next(was)).is_some()
    }

    /// Writes a key in the place of written key `was`, unless it is the same.
    pub(super) fn replace_key(&mut self, was: Index, key: NodeId, place: Placement) {
        let layout = self.out.layout();
        if key == NodeId::Clean(layout.arena.file(), was) {
            return;
        }
        self.out.copy(layout.start(was));
        let is_empty = self.reuse().style(key) == Some(Style::Empty);
        // Behind properties alone the `:` needs a blank, as inside brackets.
        let place = Placement { flow: place.flow || is_empty, ..place };
        let content = self.content(key, place);
        self.inline(content, place);
        self.out.skip(layout.end(was));
    }

    /// Returns true if `slot` holds a written entry of `collection` in its place: at
    /// child `next` or behind it.
    pub(super) fn is_kept(
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

    /// Returns true if a written node has neither anchors nor aliases.
    pub(super) fn is_without_names(&self, i: Index) -> bool {
        !self.out.layout().arena.has(i, flag::HAS_ALIAS | flag::HAS_ANCHOR)
    }
}

/// Returns true for a number of columns that the header of a block scalar can tell: one digit.
fn is_digit(columns: &usize) -> bool {
    (1..10).contains(columns)
}
