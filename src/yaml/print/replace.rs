//! Another value in the place of a written one: the key stays, and the comment on its
//! line.

use std::ops::Range;

use super::content::{Content, Form};
use super::hint::Hints;
use super::layout::Layout;
use super::line;
use super::{Place, Printer, Seat, Site, Task, is_flow};
use crate::arena::{Index, Style};
use crate::node::{Kind, Node};

impl<'a> Printer<'a> {
    /// Writes `node` in the place of the written value.
    pub(super) fn replace(&mut self, site: Site, node: Node) {
        let mut content = self.content(node, site.place);
        if !matches!(content.form, Form::Alias(_)) && !content.props.contains('&') {
            self.keep_anchor(site.old, node, &mut content);
        }
        self.place_content(site, content);
    }

    /// The anchor of written node `old` stays on what stands in for it.
    fn keep_anchor(&mut self, old: Index, node: Node, content: &mut Content) {
        let arena = self.out.source().arena;
        let Some(name) = arena.anchor(old) else { return };
        if self.document.alias_value(arena.file(), old) != Some(node) {
            return;
        }
        let blank = if content.props.is_empty() { "" } else { " " };
        content.props = format!("&{name}{blank}{}", content.props);
        self.anchors.bind(name.to_owned(), Node::Clean(arena.file(), old));
    }

    /// Writes a value in the place of the written one.
    pub(super) fn place_content(&mut self, mut site: Site, content: Content) {
        let layout = self.out.layout();
        if !content.form.is_inline() {
            let was = self.written_hints(&site);
            let hints = was.0.or(|| site.place.hints.or(|| was.1));
            site.place.hints = self.settled(hints);
        }
        let block = layout.is_block(site.old);
        if site.from.is_none() && site.place.seat == Seat::Value && !site.place.flow {
            self.replace_nothing(site, content);
        } else if !content.form.is_inline() {
            self.put_block(site, content);
        } else if block && !site.place.flow {
            self.put_inline_for_block(site, content);
        } else {
            self.put_inline(site, content);
        }
    }

    /// How a block in the place of the written one is indented: one of its kind, any
    /// other one.
    fn written_hints(&self, site: &Site) -> (Hints, Hints) {
        let (layout, old) = (self.out.layout(), site.old);
        let below = site.place.seat == Seat::Value || layout.is_block_scalar(old);
        if !layout.is_block(old) || !below {
            return (Hints::default(), Hints::default());
        }
        let column = self.written_column(site);
        let deeper = layout.column(old).checked_sub(column);
        let step = deeper.filter(|deeper| (1..10).contains(deeper));
        let same = match layout.style(old) {
            Style::BlockSequence => Hints { step: None, sequence: deeper },
            _ => Hints { step, sequence: None },
        };
        (same, Hints { step, sequence: deeper })
    }

    /// Hints that leave nothing open.
    pub(super) fn settled(&mut self, hints: Hints) -> Hints {
        hints.or(|| self.majority().0)
    }

    /// Within a line.
    fn put_inline(&mut self, site: Site, content: Content) {
        let layout = self.out.layout();
        let old = site.old;
        match site.from {
            Some(after) if layout.style(old) == Style::Empty => {
                self.out.copy(after);
                self.out.push(" ");
            }
            None if layout.style(old) == Style::Empty
                && site.place.seat == Seat::Value =>
            {
                self.out.copy(layout.start(old));
                let bare = matches!(layout.style(old - 1), Style::Empty | Style::Alias);
                self.out.push(if bare { " : " } else { ": " });
            }
            _ => self.out.copy(layout.start(old)),
        }
        // In `{a: , b}` the blank belongs to the colon.
        let end = layout.end(old);
        let empty = site.place.flow && layout.style(old) == Style::Empty;
        let blank = empty && layout.slice(end, end + 1) == " ";
        self.tasks.push(Task::Skip(end + usize::from(blank)));
        self.inline(content, site.place);
    }

    /// A line in the place of a block.
    fn put_inline_for_block(&mut self, site: Site, content: Content) {
        let layout = self.out.layout();
        let tail = tail(layout, &site);
        let stop = self.stop(&site);
        self.copy_head(&site);
        self.schedule(vec![
            Task::Skip(tail.start),
            Task::Copy(tail.end),
            Task::EndLine,
            Task::Skip(stop),
        ]);
        self.inline(content, site.place);
    }

    /// Copies up to where the value begins on its key's line.
    fn copy_head(&mut self, site: &Site) {
        let layout = self.out.layout();
        let start = layout.first_start(site.old);
        match site.from {
            Some(after) if layout.line(after) != layout.line(start) => {
                self.out.copy(after);
                self.out.push(" ");
            }
            Some(_) => self.out.copy(start),
            None => self.out.copy(layout.start(site.old)),
        }
    }

    /// Offset of the first line after the entry of a site.
    fn stop(&self, site: &Site) -> usize {
        let layout = self.out.layout();
        layout.stop(layout.end(site.old), self.written_column(site))
    }

    /// The column in which the entry of a site was written.
    fn written_column(&self, site: &Site) -> usize {
        let shift = self.out.source().shift;
        (site.place.column + shift.from).saturating_sub(shift.to)
    }

    /// A block in the place of anything.
    fn put_block(&mut self, site: Site, content: Content) {
        let layout = self.out.layout();
        let tail = tail(layout, &site);
        let comment = !layout.is_blank(tail.start, tail.end);
        let start = layout.first_start(site.old);
        let stop = self.stop(&site);
        let mut place = site.place;
        let compact = place.seat == Seat::Item
            && content.props.is_empty()
            && content.form.is_collection()
            && !comment;
        if let Some(after) = site.from
            && compact
            && layout.line(after) == layout.line(start)
        {
            place.gap = (start - after).clamp(1, 8);
        }
        let deeper = self.deeper_comments(&site, tail.end, stop);
        self.schedule(vec![Task::EndLine, Task::Text(deeper), Task::Skip(stop)]);
        self.out.copy(site.from.unwrap_or(layout.start(site.old)));
        if compact {
            self.out.spaces(place.gap);
        } else {
            self.head(&content, place);
            self.out.skip(tail.start);
            self.out.copy(if comment { tail.end } else { tail.start });
            self.out.end_line();
        }
        self.body(content, place, compact);
    }

    /// The comments behind and below a value that was a line, which a block would
    /// swallow; what stands before `kept` stays where it is.
    fn deeper_comments(&self, site: &Site, kept: usize, stop: usize) -> String {
        let layout = self.out.layout();
        let end = layout.end(site.old);
        let from = if kept < end { end } else { layout.after_line(end) };
        if layout.is_block(site.old) || from >= stop {
            return String::new();
        }
        let mut out = String::new();
        for (line, _) in line::split(layout.slice(from, stop)) {
            let text = line.trim();
            if text.is_empty() && out.is_empty() {
                continue;
            }
            if !text.is_empty() {
                out.extend(std::iter::repeat_n(' ', site.place.column));
            }
            out.push_str(text);
            out.push_str(layout.newline());
        }
        out
    }

    /// What stands on the key's line of a block: properties, a header.
    pub(super) fn head(&mut self, content: &Content, place: Place) {
        let mut head = content.props.clone();
        if content.form == Form::Scalar {
            head.push_str(if head.is_empty() { "" } else { " " });
            head.push_str(&self.header(content, place));
        }
        if !head.is_empty() && !self.out.begins_line() {
            self.out.push(" ");
        }
        self.out.push(&head);
    }

    /// A value for a key that had not even a `:`.
    fn replace_nothing(&mut self, site: Site, content: Content) {
        let layout = self.out.layout();
        let end = layout.end(site.old).max(layout.end(site.old - 1));
        // A key that is a block scalar ends with its last line.
        let below = layout.after_break(end);
        self.out.copy(if below { end } else { layout.line_end(end) });
        self.out.end_line();
        self.out.spaces(site.place.column);
        self.out.push(":");
        self.tasks.push(Task::Skip(layout.after_line(end)));
        self.put(content, site.place);
    }

    /// The written collection of a site has lost its last child: `[]` on the key's line.
    pub(super) fn empty(&mut self, site: Site, node: Node) {
        let layout = self.out.layout();
        let content = self.own_content(node, site.place);
        let brackets = match self.document.kind(node) {
            Kind::Sequence => "[]",
            Kind::Mapping | Kind::Scalar => "{}",
        };
        let space = if content.props.is_empty() { "" } else { " " };
        let value = format!("{}{space}{brackets}", content.props);
        let Some(first) = layout.entries(site.old).next() else { return };
        let (tail, start) = (tail(layout, &site), layout.start(site.old));
        match (site.from, layout.after_props(site.old)) {
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
                self.out.end_line();
            }
            (None, _) => {
                self.out.copy(layout.lead(&first));
                self.out.spaces(site.place.column);
                self.out.push(brackets);
                self.out.end_line();
            }
        }
        self.drop_entries(site.old, first.first..layout.arena.next(site.old), true);
    }

    /// Takes the anchor from the node of a site if it means something else now, or gives
    /// it another.
    pub(super) fn settle_anchor(&mut self, site: Site, node: Node) {
        let (layout, i) = (self.out.layout(), site.old);
        let Some((written, props)) = layout.arena.anchor(i).zip(layout.arena.props(i))
        else {
            return;
        };
        let place = (layout.arena.file(), i);
        let name = self.anchors.anchor(node, place, site.place.scope, 0);
        if name.as_deref() == Some(written) {
            return;
        }
        let (from, to) = (props.anchor.0 as usize, props.anchor.1 as usize);
        let Some(name) = name else { return self.cut_word(from - 1, to) };
        self.out.copy(from);
        self.out.push(&name);
        self.out.skip(to);
    }

    /// Leaves out one of several words on a line.
    fn cut_word(&mut self, from: usize, to: usize) {
        let layout = self.out.layout();
        self.out.copy(from);
        let rest = layout.slice(to, layout.line_end(to));
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if blanks == rest.len() {
            self.out.trim_line();
            self.out.skip(to);
        } else {
            self.out.skip(to + blanks);
        }
    }

    /// Writes the root of a document that had none.
    pub(super) fn fill(
        &mut self,
        node: Node,
        marker: Option<usize>,
        section: Range<usize>,
        mut place: Place,
    ) {
        let layout = self.out.layout();
        let content = self.content(node, place);
        place.hints = self.settled(place.hints);
        if let (Some(marker), true) = (marker, content.form.is_inline()) {
            self.out.copy(marker);
            self.out.push(" ");
            return self.inline(content, place);
        }
        let mut at = marker.map_or(section.start, |marker| layout.after_line(marker));
        at += layout.mark(at);
        while at < section.end {
            let line = layout.slice(at, layout.next_line(at));
            if !line.trim_start().is_empty() && !line.trim_start().starts_with('#') {
                break;
            }
            at = layout.next_line(at);
        }
        self.out.copy(at.min(section.end));
        self.out.end_line();
        self.put(content, place);
    }
}

/// What stays on the line of the key of a site: its comment.
fn tail(layout: Layout<'_>, site: &Site) -> Range<usize> {
    let old = site.old;
    let rest = |at: usize| {
        let text = layout.slice(at, layout.line_end(at));
        let comment = text.trim_start().starts_with('#') || text.trim().is_empty();
        at..if comment { at + text.len() } else { at }
    };
    if layout.is_block_scalar(old) {
        return rest(layout.after_header(old));
    }
    let start = layout.first_start(old);
    let below = site.from.filter(|&after| layout.line(after) != layout.line(start));
    match below {
        Some(after) if layout.style(old) != Style::Empty => {
            let above = rest(layout.after_props_beside(old, after));
            let own = !layout.is_block(old) && layout.is_blank(above.start, above.end);
            if own { rest(layout.end(old)) } else { above }
        }
        _ if layout.is_block(old) => start..start,
        _ => rest(layout.end(old)),
    }
}

impl Layout<'_> {
    /// Offset of the first byte of a value, without properties that stand on the line of
    /// its key.
    fn first_start(self, i: Index) -> usize {
        match self.style(i) {
            Style::BlockSequence | Style::BlockMapping => {
                self.entries(i).next().map_or(self.start(i), |first| first.start)
            }
            _ => self.start(i),
        }
    }

    pub(super) fn is_block_scalar(self, i: Index) -> bool {
        matches!(self.style(i), Style::Literal | Style::Folded)
    }

    /// Whether `i` takes whole lines.
    fn is_block(self, i: Index) -> bool {
        let scalar = matches!(
            self.style(i),
            Style::Empty | Style::Plain | Style::Single | Style::Double | Style::Alias
        );
        !scalar && !is_flow(self.style(i))
    }
}
