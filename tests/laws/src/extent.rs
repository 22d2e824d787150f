//! The extent of entries in a written text, by the rule of comments: an entry owns the comment
//! on its line, and the lines directly above it at its indentation. Computed from the text
//! alone, not by the printer.

use std::ops::Range;

use interpolate::unstable::arena::{Arena, Index, Style};

/// A written text with its nodes.
#[derive(Clone, Copy)]
pub(crate) struct Written<'a>(pub &'a Arena);

/// An item, or a key and its value.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    /// The item or the key.
    pub first: Index,
    /// The item or the value.
    pub value: Index,
}

impl<'a> Written<'a> {
    pub(crate) fn text(self) -> &'a str {
        self.0.text()
    }

    pub(crate) fn entries(self, of: Index) -> Vec<Entry> {
        if self.0.style(of).is_mapping() {
            let entries = self.0.entries(of);
            entries.map(|(first, value)| Entry { first, value }).collect()
        } else {
            self.0.children(of).map(|first| Entry { first, value: first }).collect()
        }
    }

    /// Returns the extents of an entry of `of` with everything it owns.
    pub(crate) fn entry(
        self,
        of: Index,
        entry: Entry,
        keeps_head: bool,
    ) -> Vec<Range<usize>> {
        let start = self.start(entry);
        let end = self.end(entry);
        let (begins, ends) = (self.begins_line(start), self.rest_of_line(end));
        let is_flow = self.0.style(of).is_flow();
        let mut extents: Vec<Range<usize>> = Vec::new();
        extents.push(if begins { self.lead(start, keeps_head)..end } else { start..end });
        extents.extend(self.value(of, entry));
        if let Some(ends) = ends {
            extents.push(end..ends);
        }
        if !is_flow {
            extents.push(end..self.tail(end, self.column(start) + 1));
        }
        extents
    }

    /// Returns the extents of the value of an entry, without what the entry owns.
    pub(crate) fn value(self, _: Index, entry: Entry) -> Vec<Range<usize>> {
        self.node(entry.value, Some(entry))
    }

    /// Returns the extents of a node, the value of an entry or a root.
    pub(crate) fn node(self, i: Index, entry: Option<Entry>) -> Vec<Range<usize>> {
        let (start, end) = self.0.extent(i);
        let (start, end) = (start as usize, end as usize);
        let node = &self.0.nodes()[i as usize];
        match self.0.style(i) {
            Style::Literal | Style::Folded => {
                let line_end = self.line_end(node.start as usize);
                let header = self.header_tail(i).map_or(line_end, |tail| tail.start);
                vec![start..header, line_end..end.max(line_end)]
            }
            style if style.is_block_collection() => {
                let content = node.start as usize;
                let from = self.after_key(i).map_or(content, |after| {
                    self.rest_of_line(after).unwrap_or(after).min(content)
                });
                let column = entry.map_or(0, |entry| self.column(self.start(entry)));
                let whole = from..self.tail(end, column + 1);
                let mut extents: Vec<_> = std::iter::once(whole).collect();
                if let Some(props) = self.0.props(i) {
                    let props_end = props.anchor.1.max(props.tag.1) as usize;
                    extents.push(props.start as usize..props_end);
                }
                extents
            }
            _ => std::iter::once(start..end).collect(),
        }
    }

    /// Returns the rest of the line behind the header of a block scalar.
    fn header_tail(self, i: Index) -> Option<Range<usize>> {
        if !matches!(self.0.style(i), Style::Literal | Style::Folded) {
            return None;
        }
        let content = self.0.nodes()[i as usize].start as usize;
        let line_end = self.line_end(content);
        let header = self.text()[content..line_end].find([' ', '\t', '#']);
        header.map(|length| content + length..line_end)
    }

    /// Returns the offset of the `-`, `?` or `:` of a node.
    pub(crate) fn indicator(self, i: Index) -> Option<usize> {
        self.0.indicator(i).map(|at| at as usize)
    }

    /// Returns the offset behind the indicator of a value, and its properties on the same line.
    fn after_key(self, value: Index) -> Option<usize> {
        let after = self.indicator(value)? + 1;
        let props =
            self.0.props(value).map_or([0; 2], |props| [props.anchor.1, props.tag.1]);
        let line_end = self.line_end(after);
        let beside =
            props.into_iter().map(|end| end as usize).filter(|&end| end <= line_end);
        Some(beside.fold(after, usize::max))
    }

    /// Returns the extent of the comments below an entry that are deeper than it.
    pub(crate) fn below(self, entry: Entry) -> Range<usize> {
        let end = self.end(entry);
        let stop = self.tail(end, self.column(self.start(entry)) + 1);
        self.line_end(end).min(stop)..stop
    }

    /// Returns the comments that an entry owns, without those inside of it.
    pub(crate) fn comments(self, entry: Entry, keeps_head: bool) -> Vec<Range<usize>> {
        let start = self.start(entry);
        let mut found = Vec::new();
        if self.begins_line(start) {
            found.push(self.lead(start, keeps_head)..self.line_start(start));
        }
        let mut ends = vec![self.end(entry)];
        // The line of a compact item goes on with its first entry.
        let mut at = Some(entry);
        while let Some(entry) = at {
            ends.extend(self.after_key(entry.value));
            ends.push(self.end(entry));
            found.extend(self.header_tail(entry.value));
            at = self.entries(entry.value).first().copied();
            at = at.filter(|_| self.0.style(entry.value).is_block_collection());
            at = at.filter(|inner| !self.begins_line(self.start(*inner)));
        }
        for end in ends {
            found.extend(self.rest_of_line(end).map(|stop| end..stop));
        }
        found
    }

    /// Returns the offset of the first byte of an entry: its indicator, or its properties.
    pub(crate) fn start(self, entry: Entry) -> usize {
        let start = || self.0.outer_start(entry.first) as usize;
        self.indicator(entry.first).unwrap_or_else(start)
    }

    fn end(self, entry: Entry) -> usize {
        let indicator = |i: Index| self.indicator(i).map_or(0, |at| at + 1);
        let end = |i: Index| (self.0.extent(i).1 as usize).max(indicator(i));
        end(entry.first).max(end(entry.value))
    }

    fn line_start(self, at: usize) -> usize {
        self.text()[..at].rfind(['\n', '\r']).map_or(0, |at| at + 1)
    }

    fn line_end(self, at: usize) -> usize {
        if at > 0 && self.text()[..at].ends_with(['\n', '\r']) {
            return at;
        }
        at + self.text()[at..].find(['\n', '\r']).unwrap_or(self.text().len() - at)
    }

    fn column(self, at: usize) -> usize {
        let before = &self.text()[self.line_start(at)..at];
        before.trim_start_matches('\u{feff}').len()
    }

    pub(crate) fn begins_line(self, at: usize) -> bool {
        let before = &self.text()[self.line_start(at)..at];
        before.trim_start_matches('\u{feff}').bytes().all(|byte| byte == b' ')
    }

    /// Returns the end of the line if only a comma, blanks and a comment follow.
    fn rest_of_line(self, at: usize) -> Option<usize> {
        let end = self.line_end(at);
        let rest = self.text()[at..end].trim_start();
        let rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
        (rest.is_empty() || rest.starts_with('#')).then_some(end)
    }

    /// Returns the offset of the first comment line directly above, at the same indentation;
    /// the head of a document is not owned.
    fn lead(self, start: usize, keeps_head: bool) -> usize {
        let (text, column) = (self.text(), self.column(start));
        let mut line = self.line_start(start);
        let mut above = line;
        while above > 0 {
            let previous =
                self.line_start(text[..above].trim_end_matches(['\n', '\r']).len());
            let whole = &text[previous..above];
            let is_one_line = whole.lines().count() == 1;
            let whole = whole.trim_start_matches('\u{feff}');
            let comment = whole.trim_start_matches(' ');
            if !is_one_line
                || !comment.starts_with('#')
                || whole.len() - comment.len() != column
            {
                break;
            }
            above = previous;
        }
        let before = text[..above].lines().last();
        let is_head = above == 0 || before.is_some_and(is_marker);
        let is_head = keeps_head && is_head;
        if !is_head || above == line {
            line = above;
        }
        line
    }

    /// Returns true if the head of a document stands directly above an entry.
    pub(crate) fn has_head(self, entry: Entry) -> bool {
        let start = self.start(entry);
        self.begins_line(start) && self.lead(start, true) != self.lead(start, false)
    }

    /// Returns the offset behind the comments below `end` that are at least in a column.
    fn tail(self, end: usize, floor: usize) -> usize {
        let mut at = self.line_end(end);
        let mut stop = at;
        if !self.text()[end..at].trim().is_empty()
            && !self.text()[end..at].trim().starts_with('#')
        {
            return end;
        }
        while at < self.text().len() {
            let from = at + self.text()[at..].len()
                - self.text()[at..].trim_start_matches(['\n', '\r']).len();
            let next = from
                + self.text()[from..]
                    .find(['\n', '\r'])
                    .unwrap_or(self.text().len() - from);
            let line = &self.text()[from..next];
            let comment = line.trim_start_matches(' ');
            if comment.trim().is_empty() {
                if next == at {
                    break;
                }
                at = next;
                continue;
            }
            if !comment.starts_with('#') || line.len() - comment.len() < floor {
                break;
            }
            stop = next;
            at = next;
        }
        stop
    }
}

/// Returns true if a line, which a byte order mark may precede, begins a document.
fn is_marker(line: &str) -> bool {
    line.trim_start_matches('\u{feff}').starts_with("---")
}
