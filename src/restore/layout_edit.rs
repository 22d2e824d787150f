//! The changes of an edited text beside the values (the order of keys, comments and blank lines), as
//! edits of the saved document; and the entries that both and the expansion have in common. The
//! expansion has the values of the edited text, so that keys and positions lead from one to the
//! other.

use std::collections::VecDeque;
use std::ops::Range;

use hashbrown::{HashMap, HashSet};

use super::compare::ChildIndex;
use super::expander::ExpandedSource;
use super::site::merges;
use crate::arena::{Arena, Index, Style};
use crate::layout::{Layout, bare_lines, is_comment, may_hold_comment};
use crate::merge::Strategy;
use crate::node::{EntryComments, Kind, NodeId, Seat, SlotId, Tree};
use crate::scalar::Identity;

/// The texts between which comments and the order of keys are compared. `expanded` is the
/// expansion of `saved`: where `edited` differs from it, somebody edited that.
pub(super) struct LayoutChange<'a> {
    pub saved: Layout<'a>,
    pub expanded: Layout<'a>,
    pub edited: Layout<'a>,
    pub matched: &'a Correspondence,
    pub kept: KeptLines,
    /// The comments that the source had and `saved` lacks: their entries went.
    pub orphans: &'a HashSet<&'a str>,
}

/// The lines of the source that stay although the edited text does not have them: no text
/// that a tool printed has any.
#[derive(Clone, Copy)]
pub(super) struct KeptLines {
    pub comments: bool,
    pub blank_lines: bool,
}

/// The edits of a document.
#[derive(Default)]
pub(super) struct LayoutEdits {
    /// The new order of the slots of collections, by the numbers of these.
    orders: HashMap<usize, Vec<SlotId>>,
    /// The comments and blank lines of entries, by their numbers.
    comments: Vec<(usize, EntryComments)>,
    /// The lines at the ends of documents, by their numbers.
    dangling: Vec<(usize, Box<str>)>,
    /// The number of comments that the edited text lacks although their entries stay.
    pub missing: usize,
}

/// The kinds of edits that are made.
#[derive(Clone, Copy)]
pub(super) struct LayoutParts {
    pub order: bool,
    pub comments: bool,
}

impl LayoutParts {
    /// The kinds to try, one after another, until the document has the edited values.
    pub(super) const ATTEMPTS: [LayoutParts; 3] = [
        LayoutParts { order: true, comments: true },
        LayoutParts { order: false, comments: true },
        LayoutParts { order: true, comments: false },
    ];
}

impl LayoutEdits {
    /// Returns the document with edits of some kinds; `None` if there are none.
    pub(super) fn applied(
        &self,
        document: &Tree,
        matched: &Correspondence,
        parts: LayoutParts,
    ) -> Option<Tree> {
        let has_order = !self.orders.is_empty();
        let has_comments = !(self.comments.is_empty() && self.dangling.is_empty());
        let LayoutParts { order, comments } = parts;
        // Without the other kind it is the document that is tried without it.
        if order && !has_order || comments && !has_comments {
            return None;
        }
        let mut out =
            LayoutWriter { tree: document.clone(), matched, opened: HashMap::new() };
        out.tree.hints_mut().print_verbatim();
        for number in (0..matched.collections.len()).filter(|_| order) {
            if let Some(order) = self.orders.get(&number)
                && let Some(id) = out.open(number)
            {
                out.tree.reorder(id, order);
            }
        }
        for (entry, new) in self.comments.iter().filter(|_| comments) {
            let entry = &matched.entries[*entry];
            if let Some(saved) = entry.saved
                && let Some(id) = out.open(entry.of)
            {
                let seat = Seat::Slot(id, saved.position as SlotId);
                out.tree.give_comments(seat, new.clone());
            }
        }
        for (root, lines) in self.dangling.iter().filter(|_| comments) {
            out.tree.hints_mut().give_dangling(*root, lines.clone());
        }
        Some(out.tree)
    }
}

/// A document that is being edited.
struct LayoutWriter<'a> {
    tree: Tree,
    matched: &'a Correspondence,
    /// The opened nodes of collections, by the numbers of these.
    opened: HashMap<usize, u32>,
}

impl LayoutWriter<'_> {
    /// Opens a collection and those around it. Its aliases follow.
    fn open(&mut self, number: usize) -> Option<u32> {
        let mut around = Vec::new();
        let mut next = Some(number);
        while let Some(number) = next.filter(|next| !self.opened.contains_key(next)) {
            around.push(number);
            next = match self.matched.collections[number].place {
                MatchedPlace::Root(_) => None,
                MatchedPlace::Entry(entry) => Some(self.matched.entries[entry].of),
            };
        }
        for number in around.into_iter().rev() {
            let collection = &self.matched.collections[number];
            let seat = self.seat(collection.place)?;
            let id = self.tree.open(seat, true)?;
            let saved = collection.saved?;
            if self.tree.base().anchor(saved).is_some() {
                self.tree.set_alias_value(self.tree.file(), saved, NodeId::Opened(id));
            }
            self.opened.insert(number, id);
        }
        self.opened.get(&number).copied()
    }

    fn seat(&self, place: MatchedPlace) -> Option<Seat> {
        let entry = match place {
            MatchedPlace::Root(at) => return Some(Seat::Root(at)),
            MatchedPlace::Entry(entry) => &self.matched.entries[entry],
        };
        // The slots of an opened node are numbered in the order of the text.
        let slot = entry.saved?.position as SlotId;
        Some(Seat::Slot(*self.opened.get(&entry.of)?, slot))
    }
}

impl<'a> LayoutChange<'a> {
    /// Returns the edits that take the order of keys, comments and blank lines of the edited
    /// text into the saved document.
    pub(super) fn edits(&self) -> LayoutEdits {
        let mut edits = LayoutEdits::default();
        let mut comments = CommentCount::default();
        for number in 0..self.matched.collections.len() {
            let order = self.new_order(&self.matched.collections[number]);
            self.change_entries(number, order.as_deref(), &mut edits, &mut comments);
            edits.orders.extend(order.map(|order| (number, order)));
        }
        self.change_documents(&mut edits, &mut comments);
        edits.missing = comments.missing();
        edits
    }

    /// Returns the slots of a mapping in the edited order; `None` if nobody moved a key.
    fn new_order(&self, of: &MatchedCollection) -> Option<Vec<SlotId>> {
        let entries = &self.matched.entries[of.entries.clone()];
        if entries.is_sorted_by_key(|entry| entry.edited.position) {
            return None;
        }
        let saved = of.saved.filter(|&saved| self.can_reorder(saved))?;
        let own = entries.iter().filter_map(|entry| {
            Some((entry.edited.position, entry.saved?.position as SlotId))
        });
        let mut own: Vec<(usize, SlotId)> = own.collect();
        if own.is_sorted() {
            return None;
        }
        own.sort_unstable();
        let target: Vec<SlotId> = own.into_iter().map(|(_, slot)| slot).collect();
        if target.is_sorted() {
            return None;
        }
        // Entries that are no keys of the expansion, as directives are, keep their places.
        let mut places = target.clone();
        places.sort_unstable();
        let count = self.saved.arena.entries(saved).count() as SlotId;
        let mut order: Vec<SlotId> = (0..count).collect();
        for (place, slot) in places.into_iter().zip(target) {
            order[place as usize] = slot;
        }
        Some(order)
    }

    /// Returns true if the entries of a collection can change places.
    fn can_reorder(&self, saved: Index) -> bool {
        let range = self.saved.start(saved)..self.saved.end(saved);
        match self.saved.style(saved) {
            Style::BlockMapping => true,
            // Nothing tells which of two entries a comment between them belongs to.
            Style::FlowMapping => !may_hold_comment(&self.saved.text()[range]),
            _ => false,
        }
    }

    /// Finds the comments that the entries of a collection get, in whose new order `order`
    /// they stand.
    fn change_entries(
        &self,
        number: usize,
        order: Option<&[SlotId]>,
        edits: &mut LayoutEdits,
        comments: &mut CommentCount<'a>,
    ) {
        let of = &self.matched.collections[number];
        let mut entries: Vec<usize> = of.entries.clone().collect();
        entries.sort_by_key(|&entry| self.matched.entries[entry].edited.position);
        let mut orphans = Vec::new();
        for number in entries {
            let entry = &self.matched.entries[number];
            let given = text_around(self.edited, of.edited, entry.edited);
            if orphans.is_empty()
                && given.is_some()
                && given == text_around(self.expanded, of.expanded, entry.expanded)
            {
                continue;
            }
            let is = EntryText::new(self.edited, of.edited, entry.edited);
            let Some((saved, place)) = of.saved.zip(entry.saved) else {
                // A comment of an entry that went stays above the next one beside it.
                let lines = bare_lines(is.above).map(str::trim);
                orphans.extend(lines.filter(|line| self.orphans.contains(line)));
                continue;
            };
            let was = EntryText::new(self.expanded, of.expanded, entry.expanded);
            comments.add(was.comments(), is.comments());
            if orphans.is_empty() && was.is_same(&is) {
                continue;
            }
            let mut own = EntryText::new(self.saved, saved, place);
            if let Some(order) = order {
                let is_first = order.first() == Some(&(place.position as SlotId));
                own.begins_line = !is_first || self.begins_line(saved);
            }
            let versions = EntryVersions { own, was, is };
            let new = self.new_comments(&versions, &orphans, order.is_some());
            orphans.clear();
            if !new.is_unchanged() {
                edits.comments.push((number, new));
            }
        }
    }

    /// Returns true if the first entry of a collection begins a line.
    fn begins_line(&self, saved: Index) -> bool {
        let first = self.saved.entries(saved).next();
        first.is_some_and(|first| self.saved.begins_line(first.start))
    }

    /// Returns the comments that an entry gets, with those of entries that went above it.
    /// `is_moved`: entries of its collection change places.
    fn new_comments(
        &self,
        versions: &EntryVersions<'_>,
        orphans: &[&str],
        is_moved: bool,
    ) -> EntryComments {
        let EntryVersions { own, was, is } = versions;
        let mut above = versions.lines(|text| text.above);
        let column = " ".repeat(is.column);
        above.is.splice(0..0, orphans.iter().map(|line| format!("{column}{line}")));
        let above = above.merged(self.kept);
        let stays = self.kept.comments && is.trailing().trim().is_empty();
        let is_changed = was.trailing() != is.trailing() && !stays;
        let trailing = own.trailing.filter(|&own| is_changed && own != is.trailing());
        let below = versions.lines(|text| text.dangling).merged(self.kept);
        EntryComments {
            trailing: trailing.map(|_| is.trailing().into()),
            leading: above.as_ref().and_then(|lines| {
                let has_lines = own.begins_line;
                if has_lines { Some("".into()) } else { comments_beside(lines, is_moved) }
            }),
            gap: above.filter(|_| own.begins_line).map(|lines| self.joined(&lines)),
            dangling: below.map(|lines| self.joined(&lines)),
        }
    }

    /// Finds the lines at the ends of documents.
    fn change_documents(&self, edits: &mut LayoutEdits, comments: &mut CommentCount<'a>) {
        let [saved, expanded, edited] =
            [self.saved, self.expanded, self.edited].map(document_ends);
        let ends = saved.into_iter().zip(expanded).zip(edited);
        for (root, ((own, was), is)) in ends.enumerate() {
            let is: Vec<&str> = bare_lines(is).collect();
            let was: Vec<&str> = bare_lines(was).map(str::trim_end).collect();
            comments.add(trimmed_comments(&was), trimmed_comments(&is));
            let is = is.into_iter().map(str::to_owned).collect();
            let own = bare_lines(own).collect();
            let lines = LineVersions { own, was, is, from: 0, to: 0 };
            if let Some(lines) = lines.merged(self.kept) {
                edits.dangling.push((root, self.joined(&lines)));
            }
        }
    }

    fn joined(&self, lines: &[String]) -> Box<str> {
        let newline = self.saved.newline();
        lines.iter().flat_map(|line| [line, newline]).collect()
    }
}

fn trimmed_comments<'a>(lines: &[&'a str]) -> impl Iterator<Item = &'a str> {
    lines.iter().map(|line| line.trim()).filter(|line| is_comment(line))
}

/// Returns a scalar entry of a block collection with all that stands between its neighbours,
/// and its column; `None` if it has no such neighbours. Most entries are as they were.
fn text_around(
    layout: Layout<'_>,
    of: Index,
    entry: PlacedEntry,
) -> Option<(&str, usize)> {
    // Blank lines below a block scalar are inside of its extent.
    let before = entry.first.checked_sub(1).filter(|&i| !layout.is_block_scalar(i))?;
    let before = layout.end(before);
    let next = entry.value + 1;
    let is_scalar = layout.arena.next(entry.value) == next;
    let has_next = (next as usize) < layout.arena.nodes().len();
    let is_block = layout.style(of).is_block_collection();
    let to = (is_scalar && has_next && is_block).then(|| layout.content(next))?;
    let is_behind = before <= layout.content(entry.first);
    is_behind.then(|| (layout.slice(before, to), layout.column(of)))
}

/// Returns the lines behind the last entry of each document.
fn document_ends(text: Layout<'_>) -> Vec<&str> {
    let ends = text.arena.sections().iter().map(|it| text.document_dangling(it));
    ends.map(|lines| text.slice(lines.start, lines.end)).collect()
}

/// Returns the comments above an entry beside an indicator, which has no line for blank ones.
fn comments_beside(lines: &[String], is_moved: bool) -> Option<Box<str>> {
    let comments = lines.iter().map(|line| line.trim());
    let comments: Vec<&str> = comments.filter(|line| !line.is_empty()).collect();
    (is_moved || !comments.is_empty()).then(|| comments.join("\n").into())
}

/// An entry with its comments and blank lines in one text.
struct EntryText<'a> {
    /// Column of its first byte.
    column: usize,
    /// True if the lines above it can be its own: it begins a line.
    begins_line: bool,
    /// The blank lines and comments above it, but for those of the entry before.
    above: &'a str,
    /// The text behind it on its line; `None` if something else stands there.
    trailing: Option<&'a str>,
    /// The deeper comments below it.
    dangling: &'a str,
}

impl<'a> EntryText<'a> {
    fn new(layout: Layout<'a>, of: Index, entry: PlacedEntry) -> EntryText<'a> {
        let written = layout.entry_of(entry.first, entry.value);
        let parts = layout.parts(of, &written);
        let is_flow = layout.style(of).is_flow();
        EntryText {
            column: if is_flow {
                layout.indent(written.start)
            } else {
                layout.column(of)
            },
            begins_line: layout.begins_line(written.start),
            above: layout.slice(parts.gap.start, parts.leading.end),
            trailing: parts.trailing.map(|at| layout.slice(at.start, at.end)),
            dangling: layout.slice(parts.dangling.start, parts.dangling.end),
        }
    }

    fn trailing(&self) -> &'a str {
        self.trailing.unwrap_or_default()
    }

    /// Returns the comments of the entry, without the blanks around them.
    fn comments(&self) -> impl Iterator<Item = &'a str> {
        let lines = bare_lines(self.above).chain([self.trailing()]);
        let lines = lines.chain(bare_lines(self.dangling)).map(str::trim);
        lines.filter(|line| !line.is_empty())
    }

    /// Returns true if another text has the same comments and blank lines.
    fn is_same(&self, other: &EntryText<'_>) -> bool {
        self.above == other.above
            && self.trailing() == other.trailing()
            && self.dangling == other.dangling
    }
}

/// The comments and blank lines of an entry in three texts.
struct EntryVersions<'a> {
    own: EntryText<'a>,
    was: EntryText<'a>,
    is: EntryText<'a>,
}

impl EntryVersions<'_> {
    fn lines<'v>(&'v self, part: fn(&EntryText<'v>) -> &'v str) -> LineVersions<'v> {
        LineVersions {
            own: bare_lines(part(&self.own)).collect(),
            was: bare_lines(part(&self.was)).map(str::trim_end).collect(),
            is: bare_lines(part(&self.is)).map(str::to_owned).collect(),
            from: self.is.column,
            to: self.own.column,
        }
    }
}

/// Comment lines and blank lines at one place in three texts.
struct LineVersions<'a> {
    own: Vec<&'a str>,
    was: Vec<&'a str>,
    is: Vec<String>,
    /// The column that becomes column `to` in the saved document.
    from: usize,
    to: usize,
}

impl LineVersions<'_> {
    /// Puts the edit `was` → `is` into `own`, which may have lines that `was` lacks. `None` if
    /// there is no edit.
    fn merged(self, kept: KeptLines) -> Option<Vec<String>> {
        let LineVersions { own, mut was, is, from, to } = self;
        // A line that `was` does not have is none that went.
        was.retain(|line| !(kept.blank_lines && line.is_empty()));
        let known: HashSet<&str> = was.iter().copied().collect();
        // A comment in the place of another one is a changed comment.
        let was_count = was.iter().filter(|line| is_comment(line)).count();
        let is_count = is.iter().filter(|line| is_comment(line)).count();
        let keeps_missing = kept.comments && is_count < was_count;
        let is_unchanged = was.iter().copied().eq(is.iter().map(|line| line.trim_end()));
        let mut new = is.iter().filter(|line| !known.contains(line.trim_end()));
        if is_unchanged || keeps_missing && !new.any(|line| is_comment(line)) {
            return None;
        }
        // Lines are compared without the blanks around them.
        let given: HashSet<&str> = is.iter().map(|line| line.trim()).collect();
        let was = was.iter().map(|line| line.trim());
        let mut known = LineCount::new(was.clone());
        let new = is.iter().map(|line| line.trim()).filter(|line| !known.take(line));
        let mut new = LineCount::new(new);
        let mut left = LineCount::new(was.clone());
        let stays = |line: &&&str| {
            let text = line.trim();
            let is_lost = keeps_missing && !text.is_empty() && !given.contains(text);
            // A new line may be there already.
            if left.take(text) { is_lost } else { !new.take(text) }
        };
        let kept: Vec<String> =
            own.iter().filter(stays).map(|&line| line.to_owned()).collect();
        let mut known = LineCount::new(was);
        let mut there = LineCount::new(own.iter().map(|line| line.trim()));
        // A comment that only the expansion has here stands elsewhere in the saved document.
        let new =
            is.iter().filter(|line| !known.take(line.trim()) || there.take(line.trim()));
        let new = new.map(|line| moved(line, from, to));
        Some(kept.into_iter().chain(new).collect())
    }
}

/// The lines that are left of some.
pub(super) struct LineCount<'a>(HashMap<&'a str, usize>);

impl<'a> LineCount<'a> {
    pub(super) fn new(lines: impl Iterator<Item = &'a str>) -> LineCount<'a> {
        let mut count = HashMap::new();
        lines.for_each(|line| *count.entry(line).or_default() += 1);
        LineCount(count)
    }

    /// Takes a line. Returns false if it is not there.
    pub(super) fn take(&mut self, line: &str) -> bool {
        let left = self.0.get_mut(line).filter(|left| **left > 0);
        left.map(|left| *left -= 1).is_some()
    }
}

/// Returns a line whose entry moves from one column to another.
fn moved(line: &str, from: usize, to: usize) -> String {
    let text = line.trim_start_matches(' ');
    let blanks = line.len() - text.len();
    if text.is_empty() || from == to {
        return line.to_owned();
    }
    format!("{}{text}", " ".repeat((blanks + to).saturating_sub(from)))
}

/// The comments of the expansion and of the edited text, entry by entry.
#[derive(Default)]
struct CommentCount<'a> {
    /// The comments of the edited text.
    found: HashMap<&'a str, usize>,
    /// The comments of an entry in the expansion, and the number of those in the edited text.
    entries: Vec<(Vec<&'a str>, usize)>,
}

impl<'a> CommentCount<'a> {
    fn add(
        &mut self,
        was: impl Iterator<Item = &'a str>,
        is: impl Iterator<Item = &'a str>,
    ) {
        let mut count = 0;
        for comment in is {
            *self.found.entry(comment).or_default() += 1;
            count += 1;
        }
        let was: Vec<&str> = was.collect();
        if !was.is_empty() {
            self.entries.push((was, count));
        }
    }

    /// Counts the comments that the edited text has neither at their entries nor elsewhere.
    /// A comment in the place of another one is a changed comment.
    fn missing(mut self) -> usize {
        let mut missing = 0;
        for (was, is) in self.entries {
            let mut removed = was.len();
            for comment in &was {
                if let Some(left @ 1..) = self.found.get_mut(comment) {
                    *left -= 1;
                    removed -= 1;
                }
            }
            missing += removed.min(was.len().saturating_sub(is));
        }
        missing
    }
}

/// The collections that the three texts have in common, the outer ones first, and their
/// entries.
#[derive(Default)]
pub(super) struct Correspondence {
    pub collections: Vec<MatchedCollection>,
    pub entries: Vec<MatchedEntry>,
}

/// A mapping or a list in the three texts.
pub(super) struct MatchedCollection {
    pub place: MatchedPlace,
    /// The node in the saved document; `None` if the collection is inherited.
    pub saved: Option<Index>,
    pub expanded: Index,
    pub edited: Index,
    /// The numbers of its entries, in the order of the expansion.
    pub entries: Range<usize>,
}

/// The place of a collection.
#[derive(Clone, Copy)]
pub(super) enum MatchedPlace {
    /// The root of a document, by its number.
    Root(usize),
    /// The value of an entry, by its number.
    Entry(usize),
}

/// An entry of a mapping, or an item of a list, in the three texts.
pub(super) struct MatchedEntry {
    /// The number of its collection.
    pub of: usize,
    /// The entry in the saved document; `None` if it is inherited.
    pub saved: Option<PlacedEntry>,
    pub expanded: PlacedEntry,
    pub edited: PlacedEntry,
}

/// An entry in one text: its key and its value, or twice the item.
#[derive(Clone, Copy)]
pub(super) struct PlacedEntry {
    /// Its position in its collection.
    pub position: usize,
    pub first: Index,
    pub value: Index,
}

impl Correspondence {
    /// Walks over the documents of `current`, of its expansion as it is printed and of the
    /// edited text.
    pub(super) fn find(
        current: &ExpandedSource,
        expanded: &Arena,
        edited: &Arena,
    ) -> Correspondence {
        let saved = current.source.base();
        let item_counts = item_counts(current, edited.sections().len());
        let found = Correspondence::default();
        MatchedWalk { saved, expanded, edited, item_counts, found }.run()
    }
}

struct MatchedWalk<'a> {
    saved: &'a Arena,
    expanded: &'a Arena,
    edited: &'a Arena,
    /// The number of items that mappings of the saved document expand to in a list, where
    /// it is not one.
    item_counts: HashMap<Index, usize>,
    found: Correspondence,
}

impl MatchedWalk<'_> {
    fn run(mut self) -> Correspondence {
        let texts = [self.saved, self.expanded, self.edited].map(Arena::sections);
        let [saved, expanded, edited] = texts;
        for (at, ((saved, expanded), edited)) in
            saved.iter().zip(expanded).zip(edited).enumerate()
        {
            let saved = Some(saved.root);
            self.push(MatchedPlace::Root(at), saved, expanded.root, edited.root);
        }
        let mut next = 0;
        while next < self.found.collections.len() {
            self.visit(next);
            next += 1;
        }
        self.found
    }

    /// Records a value that is a collection of the same kind in the edited text.
    fn push(
        &mut self,
        place: MatchedPlace,
        saved: Option<Index>,
        expanded: Index,
        edited: Index,
    ) {
        let style = self.expanded.style(expanded);
        if are_one_kind(self.edited.style(edited), style) {
            let saved =
                saved.filter(|&saved| are_one_kind(self.saved.style(saved), style));
            let entries = 0..0;
            let new = MatchedCollection { place, saved, expanded, edited, entries };
            self.found.collections.push(new);
        }
    }

    /// Records the entries of a collection, and their values.
    fn visit(&mut self, of: usize) {
        let first = self.found.entries.len();
        if self.expanded.style(self.found.collections[of].expanded).is_mapping() {
            self.match_entries(of);
        } else {
            self.match_items(of);
        }
        let entries = first..self.found.entries.len();
        for number in entries.clone() {
            let MatchedEntry { saved, expanded, edited, .. } = self.found.entries[number];
            let saved = saved.map(|saved| saved.value);
            let place = MatchedPlace::Entry(number);
            self.push(place, saved, expanded.value, edited.value);
        }
        self.found.collections[of].entries = entries;
    }

    fn match_entries(&mut self, of: usize) {
        let MatchedCollection { saved, expanded, edited, .. } =
            self.found.collections[of];
        let mut written = saved.map(|saved| EntriesByKey::new(self.saved, saved));
        let mut given = EntriesByKey::new(self.edited, edited);
        for expanded in placed_entries(self.expanded, expanded) {
            let Some(key) = key(self.expanded, expanded.first) else { continue };
            let Some(edited) = given.take(&key) else { continue };
            let saved = written.as_mut().and_then(|it| it.take(&key));
            self.found.entries.push(MatchedEntry { of, saved, expanded, edited });
        }
    }

    fn match_items(&mut self, of: usize) {
        let MatchedCollection { saved, expanded, edited, .. } =
            self.found.collections[of];
        let count = self.expanded.children(expanded).count();
        let mut written = Vec::new();
        for item in saved.into_iter().flat_map(|saved| placed_items(self.saved, saved)) {
            match self.item_counts.get(&item.first) {
                Some(&count) => written.extend(std::iter::repeat_n(None, count)),
                None => written.push(Some(item)),
            }
        }
        if written.len() != count {
            written = vec![None; count];
        }
        let both =
            placed_items(self.expanded, expanded).zip(placed_items(self.edited, edited));
        for ((expanded, edited), saved) in both.zip(written) {
            self.found.entries.push(MatchedEntry { of, saved, expanded, edited });
        }
    }
}

fn are_one_kind(a: Style, b: Style) -> bool {
    a.is_mapping() && b.is_mapping() || a.is_sequence() && b.is_sequence()
}

fn placed_entries(arena: &Arena, mapping: Index) -> impl Iterator<Item = PlacedEntry> {
    let entries = arena.entries(mapping).enumerate();
    entries.map(|(position, (first, value))| PlacedEntry { position, first, value })
}

fn placed_items(arena: &Arena, list: Index) -> impl Iterator<Item = PlacedEntry> {
    let items = arena.children(list).enumerate();
    items.map(|(position, item)| PlacedEntry { position, first: item, value: item })
}

/// The entries of a mapping that are not taken yet, without collections as keys.
struct EntriesByKey<'a> {
    /// The entries from the first one on that was not asked for in its turn.
    rest: std::vec::IntoIter<(Identity<'a>, PlacedEntry)>,
    /// The rest by its keys, once an entry was asked for out of turn.
    index: Option<HashMap<Identity<'a>, VecDeque<PlacedEntry>>>,
}

impl<'a> EntriesByKey<'a> {
    fn new(arena: &'a Arena, mapping: Index) -> EntriesByKey<'a> {
        let entries = placed_entries(arena, mapping);
        let entries = entries.filter_map(|entry| Some((key(arena, entry.first)?, entry)));
        EntriesByKey { rest: entries.collect::<Vec<_>>().into_iter(), index: None }
    }

    /// Takes the first entry of a key.
    fn take(&mut self, key: &Identity<'a>) -> Option<PlacedEntry> {
        // Two versions of a mapping mostly have the same keys in the same order.
        if let (None, Some((next, _))) = (&self.index, self.rest.as_slice().first())
            && next == key
        {
            return self.rest.next().map(|(_, entry)| entry);
        }
        let index = self.index.get_or_insert_with(|| {
            let mut index: HashMap<Identity<'_>, VecDeque<_>> = HashMap::new();
            for (key, entry) in &mut self.rest {
                index.entry(key).or_default().push_back(entry);
            }
            index
        });
        index.get_mut(key).and_then(VecDeque::pop_front)
    }
}

/// Returns the identity of a written key; `None` for a collection and for an alias.
fn key(arena: &Arena, i: Index) -> Option<Identity<'_>> {
    let style = arena.style(i);
    let scalar = !(style.is_mapping() || style.is_sequence() || style == Style::Alias);
    scalar.then(|| arena.scalar(i).identity())
}

/// Returns the number of items that a mapping of the source expands to in a list, for those
/// with a lone directive that imports no mapping, and for whiteouts.
fn item_counts(current: &ExpandedSource, given: usize) -> HashMap<Index, usize> {
    let ExpandedSource { source, patches, view } = current;
    let mut written = ChildIndex::new(source.base());
    let mut counts = HashMap::new();
    let mut imported = view.roots()[source.roots().len() + given..].iter();
    for (patch, &root) in patches.iter().zip(source.roots()) {
        for merge in merges(patch) {
            let found: Vec<Option<NodeId>> = merge
                .imports
                .iter()
                .map(|import| import.found.and_then(|_| imported.next().copied()))
                .collect();
            let nodes = written.nodes_on_path(root, &merge.site);
            let site = nodes.and_then(|nodes| nodes.last().copied());
            let (&[found], Some(site)) = (&found[..], site) else { continue };
            let lone = source.base().entries(site).count() == 1;
            let count = match found.map(|found| (view.kind(found), found)) {
                None => 0,
                Some((Kind::Mapping, _)) => continue,
                Some((Kind::Sequence, found)) => view.items(found).len(),
                Some((Kind::Scalar, _)) => 1,
            };
            if lone {
                counts.insert(site, count);
            }
        }
        if let NodeId::Clean(file, root) = root {
            let nodes = root..source.base().next(root);
            let markers = nodes.filter(|&i| is_marker(source, NodeId::Clean(file, i)));
            counts.extend(markers.map(|i| (i, 0)));
        }
    }
    counts
}

/// Returns true for a whiteout or a nullout, of which nothing is left in a list.
fn is_marker(source: &Tree, node: NodeId) -> bool {
    let strategy = Strategy::of(source, node);
    matches!(strategy, Some(Strategy::Whiteout | Strategy::Nullout))
}
