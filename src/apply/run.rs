//! One op at its turn: its target leads to places, and its edit changes them.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::budget::{OpsBudget, comment_size};
use super::combine::combine;
use super::comments::{comments_at, give_comments};
use super::failure::{OpFailure, OpResult};
use super::hint;
use super::in_place::{is_in_place, is_taken_in};
use super::json_value;
use super::note;
use super::place::{self, Landing, Purpose};
use super::remark::{Changes, RemarkKind};
use super::resolve::{AnyPath, entry};
use super::traversal::{Traversal, locate};
use crate::compare::is_json_equal;
use crate::diagnostic::Diagnostic;
use crate::node::{
    Aliases, EntryComments, Kind, NodeId, OpId, Path, Seat, SlotId, Step, Tree,
    entry_comments,
};
use crate::patch::{Combination, Content, Edit, Expect, Missing, NewComments, Op};
use crate::pointer::Token;
use crate::select::{Query, Selection};
use crate::target::Target;

/// An op and the document that it is applied to.
pub(super) struct Run<'a> {
    pub document: &'a mut Tree,
    pub op: &'a Op,
    /// The number of the op in the history of the document.
    pub by: OpId,
    /// The document of the stream.
    pub root: usize,
    /// Number of opened nodes that precede those of the patch.
    pub shift: u32,
    /// The remaining budget of the run.
    pub budget: &'a mut OpsBudget,
    /// True if the op was applied to another document before.
    pub is_repeated: bool,
    /// True if nobody reads the explanation of a failure.
    pub brief: bool,
    /// True once the op has removed what it moves: it has to succeed then.
    pub has_removed: bool,
    /// The remarkable changes that it has made.
    pub changes: Changes,
}

/// The outcome of an op that does not fail.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// A note, or a warning about an op without effect.
    pub note: Option<OpFailure>,
    /// Remarks about its changes.
    pub remarks: Vec<(RemarkKind, OpFailure)>,
}

impl<'a> Run<'a> {
    /// Applies the op. Returns what an op tells that does not fail.
    pub(super) fn run(mut self) -> OpResult<Outcome> {
        let op = self.op;
        if let Some(value) = op.edit.written_value() {
            json_value::check(self.document, value.shifted(self.shift))?;
        }
        if !self.brief {
            self.changes = Changes::begun(self.document, op, self.root, self.shift);
        }
        let note = note::of_argument(self.document, op, self.root);
        // An argument of the command line without `--anchors` says nothing about them.
        let is_silent = op.typed.is_some() && op.aliases.is_none();
        let is_told = is_silent && !matches!(op.edit, Edit::Remove);
        self.document.start_alias_edits(op.aliases.unwrap_or_default(), is_told);
        self.document.take_replaced_merge_keys();
        let done = match AnyPath::of(&op.at) {
            Ok(path) => self.edit_place(path),
            Err(query) => self.edit_matches(query),
        };
        let edited = self.document.end_alias_edits();
        let merge_keys = self.document.take_replaced_merge_keys();
        let note = note.or_else(|| note::of_merge_keys(self.document, op, &merge_keys));
        let remarks = self.changes.remarks(op);
        let outcome = |note| Outcome { note, remarks };
        match done {
            Ok(()) if !edited.is_empty() => {
                note::of_aliases(self.document, op, &edited).map(outcome)
            }
            Err(failure) if failure.leads_nowhere() && !self.has_removed => {
                match op.missing {
                    Missing::Fails => Err(failure),
                    Missing::Passes => Ok(Outcome::default()),
                    Missing::Warns => {
                        Ok(Outcome { note: Some(failure), ..Outcome::default() })
                    }
                }
            }
            done => done.map(|()| outcome(note)),
        }
    }

    /// Edits the one place that a path leads to.
    fn edit_place(&mut self, path: AnyPath<'a>) -> OpResult<()> {
        match &self.op.edit {
            Edit::Test(expect) => return self.test_place(path, *expect),
            Edit::Add(Content::Moved(from)) => {
                if self.stays(from)? {
                    return Ok(());
                }
                self.check_free(path)?;
                if self.renames(from)? {
                    return Ok(());
                }
            }
            Edit::Add(Content::Copied(_)) => self.check_free(path)?,
            _ => {}
        }
        let brought = self.brought()?;
        if self.is_idle_at(path, brought.as_ref())? {
            return Ok(());
        }
        match self.land(path)? {
            Some(landing) => {
                self.count_copies(brought.as_ref(), 1)?;
                self.change(landing, brought)
            }
            None => Ok(()),
        }
    }

    /// Fails if an argument moves or copies a value to a place that has one.
    fn check_free(&mut self, path: AnyPath<'a>) -> OpResult<()> {
        let Some(typed) = self.op.typed.as_ref().filter(|_| path.len() > 0) else {
            return Ok(());
        };
        let root = self.root;
        let there = self.traversal(path, Purpose::Find).seek(root);
        let Some(seat) = there.filter(|&seat| !path.ends_with_index(self.document, seat))
        else {
            return Ok(());
        };
        Err(hint::taken(self.document, seat, typed, path.len()))
    }

    /// Edits all places that a query selects.
    fn edit_matches(&mut self, query: &Query) -> OpResult<()> {
        if let Edit::Test(expect) = self.op.edit {
            return self.test_matches(query, expect);
        }
        let found = self.matches(query)?;
        let split = query.split_key().filter(|_| self.op.makes_key);
        let lacking = match &split {
            Some((around, key)) => self.lacking(around, key)?,
            None => Vec::new(),
        };
        if found.is_empty() && lacking.is_empty() {
            return Err(self.no_match(query));
        }
        if let Edit::Combine(_, Combination { is_strict: true, .. }) = self.op.edit {
            self.check_kinds(&found)?;
        }
        let mut places: Vec<QueryPlace<'_>> = Vec::new();
        places.extend(found.into_iter().map(|(_, path)| QueryPlace { path, new: None }));
        let new = split.as_ref().map(|(_, key)| *key);
        places.extend(lacking.into_iter().map(|path| QueryPlace { path, new }));
        places.sort_by(|a, b| compare_inner_first(&a.path, &b.path));
        // The way to each is opened from the root.
        let steps = places.iter().map(|place| place.path.len()).sum();
        self.budget.queries.take(steps).map_err(|error| query_failure(&error))?;
        let brought = self.brought()?;
        self.count_copies(brought.as_ref(), places.len())?;
        for place in &places {
            if place.new.is_none() && self.is_idle(&place.path, brought.as_ref())? {
                continue;
            }
            if let Some(landing) = self.landing(place)? {
                self.change(landing, brought.clone())?;
            }
        }
        Ok(())
    }

    /// Returns where a value is put at a place of a query. A list that is missing is made.
    fn landing<'k>(&mut self, place: &QueryPlace<'k>) -> OpResult<Option<Landing<'k>>> {
        let Some(seat) = locate(self.document, &place.path, self.root) else {
            return Ok(None);
        };
        let adds = matches!(self.op.edit, Edit::Add(_));
        let landing = match place.new {
            Some(key) => self.new_entry(seat, key),
            None => Some(Landing::Seat(seat)),
        };
        match landing {
            Some(Landing::Seat(seat)) if adds => self.end_of_list(seat),
            Some(entry @ Landing::Entry { .. }) if adds => {
                let list = self.document.new_sequence();
                let list = entry.put(self.document, list, Some(self.by));
                self.end_of_list(list)
            }
            landing => Ok(landing),
        }
    }

    /// Returns the place of a key that the mapping at a seat lacks. What is null becomes one.
    fn new_entry<'k>(&mut self, seat: Seat, key: &'k str) -> Option<Landing<'k>> {
        if self.document.is_null(self.document.node_at(seat)) {
            let mapping = self.document.new_mapping(&[], Some(self.by));
            self.document.set_at(seat, mapping, Some(self.by));
        }
        // An edit of another match may have replaced it, or changed it through an alias.
        if self.document.kind(self.document.node_at(seat)) != Kind::Mapping {
            return None;
        }
        let mapping = self.document.open(seat, true)?;
        place::note_change(self.document, seat);
        let there = self.document.entry(mapping, key, true);
        if there.is_none() && self.is_remarkable() {
            let around = NodeId::Opened(mapping);
            self.changes.add_key(self.document, around, key, self.budget);
        }
        Some(there.map_or(Landing::Entry { mapping, key }, Landing::Seat))
    }

    /// Counts what the op puts at several places, of one document or of several. A value that
    /// it does not copy from the document stands in the patch, or moves: the first place is no
    /// copy then.
    fn count_copies(&mut self, brought: Option<&Brought>, places: usize) -> OpResult<()> {
        let is_copied = matches!(
            &self.op.edit,
            Edit::Add(Content::Copied(_)) | Edit::Combine(Content::Copied(_), _)
        );
        let has_copies_only = is_copied || self.is_repeated;
        let copies = if has_copies_only { places } else { places.saturating_sub(1) };
        let is_plain = brought.is_none() && self.op.comments == NewComments::default();
        if copies == 0 || is_plain {
            return Ok(());
        }
        let value = brought.map(|it| self.document.printed_size(it.value));
        let comments = comment_size(&self.op.comments, brought.map(|it| &it.comments));
        self.budget.copy(value.unwrap_or_default(), comments, copies)
    }

    /// Applies the edit at one place.
    fn change(&mut self, at: Landing<'_>, brought: Option<Brought>) -> OpResult<()> {
        match (&self.op.edit, at, brought) {
            (Edit::Remove, Landing::Seat(seat), _) => self.remove(seat),
            (Edit::Keep, Landing::Seat(seat), _) => {
                self.comment(seat, EntryComments::default())
            }
            (Edit::Combine(_, rules), Landing::Seat(seat), Some(new)) => {
                let by = Some(self.by);
                let changes = &mut self.changes;
                combine(
                    self.document,
                    seat,
                    new.value,
                    *rules,
                    by,
                    self.budget,
                    changes,
                )?;
                self.comment(seat, EntryComments::default())
            }
            (Edit::Combine(..), _, Some(new)) => self.put(at, Brought::plain(new.value)),
            (Edit::Add(_), Landing::Gap { list, .. }, Some(new))
                if self.op.unless_exists && self.document.has_item(list, new.value) =>
            {
                Ok(())
            }
            (Edit::Add(_) | Edit::Replace(_), Landing::Seat(seat), Some(new))
                if self.is_in_place(seat, new.value)? =>
            {
                self.document.note_kept(seat, new.value);
                self.comment(seat, EntryComments::default())
            }
            (Edit::Add(_) | Edit::Replace(_), _, Some(new)) => {
                self.note_change(at, new.value);
                self.put(at, new)
            }
            _ => Err(OpFailure::new("Expected merges to come first".into(), 0)),
        }
    }

    fn traversal<'t, 'p>(
        &'t mut self,
        path: impl Into<AnyPath<'p>>,
        purpose: Purpose,
    ) -> Traversal<'t, 'p> {
        let typed = self.op.typed.as_ref();
        let has_marks = typed.is_none_or(|typed| typed.text.starts_with('/'));
        let traversal = Traversal::new(self.document, path, purpose);
        traversal.by(self.by, has_marks).brief(self.brief)
    }

    /// Returns the place that the path of the op leads to; `None` if it is optional and
    /// missing, and nothing is put there.
    fn land(&mut self, path: AnyPath<'a>) -> OpResult<Option<Landing<'a>>> {
        let purpose = match self.op.edit {
            Edit::Replace(_) | Edit::Combine(..) => Purpose::Replace,
            Edit::Add(_) => Purpose::Add,
            Edit::Remove => Purpose::Remove,
            _ => Purpose::Find,
        };
        let root = self.root;
        // An op that may have no effect fails before anything is opened.
        let may_pass = self.op.missing != Missing::Fails && !self.has_removed;
        if may_pass && purpose.puts() && matches!(path, AnyPath::Bosh(_)) {
            self.traversal(path, purpose).search(root)?;
        }
        let landed = self.traversal(path, purpose).land(root)?;
        let made = landed.as_ref().and_then(|landed| landed.made);
        if let Some(made) = made.filter(|_| self.is_remarkable()) {
            let token = path.token(made.depth);
            self.changes.make_token(self.document, token, made, self.budget);
        }
        match (&self.op.edit, path, landed.map(|landed| landed.at)) {
            // An index that is a key of a mapping names a list, and no place in one.
            (
                Edit::Add(Content::Written(_)),
                AnyPath::Bosh(_),
                Some(Landing::Seat(seat)),
            ) => self.end_of_list(seat),
            (_, _, landing) => Ok(landing),
        }
    }

    fn test_place(&mut self, path: AnyPath<'a>, expect: Expect) -> OpResult<()> {
        let depth = path.len();
        // A test for absence usually passes, and an explanation of the missing node is then
        // thrown away. It is made in a second search if the test fails.
        let expects_absence =
            expect == Expect::Absent && matches!(path, AnyPath::Bosh(_));
        match self.find(path, self.brief || expects_absence) {
            Ok(found) => self.check(expect, found, depth),
            Err(failure) if expects_absence && failure.is_missing_at(depth) => Ok(()),
            Err(failure) if self.brief || !expects_absence => Err(failure),
            Err(failure) => Err(self.find(path, false).err().unwrap_or(failure)),
        }
    }

    fn find(&mut self, path: AnyPath<'_>, brief: bool) -> OpResult<NodeId> {
        let root = Seat::Root(self.root);
        self.traversal(path, Purpose::Find).brief(brief).find(root)
    }

    /// Tests each match. A search opens nothing.
    fn test_matches(&mut self, query: &Query, expect: Expect) -> OpResult<()> {
        let found = self.select(query)?;
        if found.is_empty() && expect != Expect::Absent {
            return Err(self.no_match(query));
        }
        found.into_iter().try_for_each(|(node, _)| self.check(expect, node, usize::MAX))
    }

    /// Checks a node that was found. `depth` is the number of tokens of the path.
    fn check(&self, expect: Expect, found: NodeId, depth: usize) -> OpResult<()> {
        let document = &*self.document;
        let expect = self.shifted(expect);
        let is_met = match expect {
            Expect::Equal(value) => document.equal(found, value),
            Expect::EqualJson(value) => {
                // The value has an end: no limit of steps is needed.
                is_json_equal(document, found, value, &mut u64::MAX.clone())
            }
            Expect::Null => document.is_null(found),
            Expect::Absent => false,
        };
        if is_met {
            return Ok(());
        }
        Err(hint::unexpected(document, self.op, expect, found, depth))
    }

    fn shifted(&self, expect: Expect) -> Expect {
        match expect {
            Expect::Equal(value) => Expect::Equal(value.shifted(self.shift)),
            Expect::EqualJson(value) => Expect::EqualJson(value.shifted(self.shift)),
            Expect::Null | Expect::Absent => expect,
        }
    }

    /// Returns true if a value is moved to where it is. Fails if it is moved into itself.
    fn stays(&mut self, from: &Target) -> OpResult<bool> {
        if let (Target::Pointer(from), Target::Pointer(to)) = (from, &self.op.at)
            && from.tokens == to.tokens
        {
            self.find(from.into(), false)?;
            return Ok(true);
        }
        let (Target::Json(from), Target::Json(to)) = (from, &self.op.at) else {
            return Ok(false);
        };
        if from == to {
            self.find(from.into(), false)?;
            return Ok(true);
        }
        if to.tokens.starts_with(&from.tokens) {
            let message = format!("'{from}' cannot be moved into itself, to '{to}'");
            return Err(OpFailure::new(message, usize::MAX));
        }
        Ok(false)
    }

    /// Returns all nodes that a query selects, with the ways to them, in its order.
    fn select(&mut self, query: &Query) -> OpResult<Vec<(NodeId, Path)>> {
        let root = self.document.roots()[self.root];
        let queries = &mut self.budget.queries;
        let found = Selection::new(self.document, root, queries).select(query);
        found.map_err(|error| query_failure(&error))
    }

    /// Returns all nodes that a query selects, with the ways to them, each once: what is
    /// inside of a collection before the collection, and later items before earlier ones, so
    /// that no edit moves a place that is still to come.
    fn matches(&mut self, query: &Query) -> OpResult<Vec<(NodeId, Path)>> {
        let mut found = self.select(query)?;
        found.sort_unstable_by(|(_, a), (_, b)| compare_inner_first(a, b));
        found.dedup_by(|(_, a), (_, b)| a == b);
        Ok(found)
    }

    /// Returns the ways to the mappings among the matches of a query that lack a key. What is
    /// null becomes one.
    fn lacking(&mut self, query: &Query, key: &str) -> OpResult<Vec<Path>> {
        let mut lacking = Vec::new();
        for (node, path) in self.matches(query)? {
            if self.document.is_null(node) {
                lacking.push(path);
                continue;
            }
            if self.document.kind(node) != Kind::Mapping {
                continue;
            }
            let read = self.document.entries_to_read(node);
            self.budget.queries.take(read).map_err(|error| query_failure(&error))?;
            if self.document.member(node, key).is_none() {
                lacking.push(path);
            }
        }
        Ok(lacking)
    }

    /// Returns true if an op has no effect on what is at the end of a way: then nothing on the
    /// way is to be opened either.
    fn is_idle(&mut self, path: &Path, brought: Option<&Brought>) -> OpResult<bool> {
        // Only aliases and merge keys would be written out on the way. What is added to a list
        // is not compared with the list.
        let adds = matches!(self.op.edit, Edit::Add(_));
        let is_possible = self.may_be_idle() && self.document.has_aliases() && !adds;
        let Some(brought) = brought.filter(|_| is_possible) else { return Ok(false) };
        // An edit of another match may have replaced it.
        let root = self.document.roots()[self.root];
        let there = entry(self.document, path, root).map_or(root, |(_, slot)| slot.value);
        self.is_without_effect(there, brought.value)
    }

    /// Likewise for the end of a path.
    fn is_idle_at(
        &mut self,
        path: AnyPath<'a>,
        brought: Option<&Brought>,
    ) -> OpResult<bool> {
        let adds_item = matches!(self.op.edit, Edit::Add(Content::Written(_)))
            && matches!(path, AnyPath::Bosh(_));
        let is_possible = self.may_be_idle() && self.document.has_aliases() && !adds_item;
        let Some(brought) = brought.filter(|_| is_possible) else { return Ok(false) };
        let root = self.root;
        let Some(seat) = self.traversal(path, Purpose::Find).seek(root) else {
            return Ok(false);
        };
        if matches!(self.op.edit, Edit::Add(_))
            && path.ends_with_index(self.document, seat)
        {
            return Ok(false);
        }
        let there = self.document.node_at(seat);
        self.is_without_effect(there, brought.value)
    }

    /// Returns true if the op puts a value that may be there already, and nothing else. The
    /// journal has such a place, too: it is reached.
    fn may_be_idle(&self) -> bool {
        self.op.comments == NewComments::default()
            && !self.document.has_journal()
            && match &self.op.edit {
                Edit::Replace(_) | Edit::Combine(..) => true,
                Edit::Add(content) => !matches!(content, Content::Moved(_)),
                _ => false,
            }
    }

    /// Returns true if the op does not change a value that is there.
    fn is_without_effect(&mut self, there: NodeId, value: NodeId) -> OpResult<bool> {
        match self.op.edit {
            Edit::Combine(_, rules) => {
                is_taken_in(self.document, there, value, rules, self.budget)
            }
            _ => is_in_place(self.document, there, value, self.budget),
        }
    }

    /// Returns true if the value is at a seat already. One that was moved there is not.
    fn is_in_place(&mut self, seat: Seat, value: NodeId) -> OpResult<bool> {
        if matches!(self.op.edit, Edit::Add(Content::Moved(_))) {
            return Ok(false);
        }
        let there = self.document.node_at(seat);
        is_in_place(self.document, there, value, self.budget)
    }

    /// Fails if the matches are not all lists, all mappings or all scalars.
    fn check_kinds(&self, found: &[(NodeId, Path)]) -> OpResult<()> {
        let document = &*self.document;
        let mut nodes = found.iter().map(|&(node, _)| node);
        let Some(first) = nodes.next() else { return Ok(()) };
        let kind = document.kind(first);
        let other = nodes.find(|&node| document.kind(node) != kind);
        other.map_or(Ok(()), |other| Err(hint::different_kinds(document, first, other)))
    }

    /// Returns true if the op puts a value of the patch, and somebody reads remarks.
    fn is_remarkable(&self) -> bool {
        let is_brought = self.op.source().is_some();
        !is_brought && !self.brief
    }

    /// Notes what is remarkable about a value that is about to be put somewhere.
    fn note_change(&mut self, at: Landing<'_>, value: NodeId) {
        match at {
            _ if !self.is_remarkable() => {}
            Landing::Seat(seat) => {
                let there = self.document.node_at(seat);
                self.changes.replace(self.document, there, value);
            }
            Landing::Gap { list, .. } => {
                self.changes.add_item(self.document, NodeId::Opened(list), value);
            }
            Landing::Entry { .. } => {}
        }
    }

    fn put(&mut self, at: Landing<'_>, brought: Brought) -> OpResult<()> {
        let seat = at.put(self.document, brought.value, Some(self.by));
        self.document.put_down(seat);
        self.comment(seat, brought.comments)
    }

    /// Gives an entry the comments of the op, and those that came along.
    fn comment(&mut self, seat: Seat, brought: EntryComments) -> OpResult<()> {
        give_comments(self.document, seat, &self.op.comments, brought)
    }

    /// Returns the place behind the last item of a list.
    fn end_of_list<'k>(&mut self, seat: Seat) -> OpResult<Option<Landing<'k>>> {
        let node = self.document.node_at(seat);
        if self.document.kind(node) != Kind::Sequence {
            return Err(hint::no_list(self.document, node));
        }
        let Some(list) = self.document.open(seat, true) else { return Ok(None) };
        let position = self.document.children(list).len();
        Ok(Some(Landing::Gap { list, position }))
    }

    fn remove(&mut self, seat: Seat) -> OpResult<()> {
        if let Seat::Slot(mapping, at) = seat
            && self.equal_keys(seat).len() > 1
            && self.chooses_by_value()
        {
            self.document.remove_only(mapping, at);
            return Ok(());
        }
        self.check_one(seat)?;
        if place::remove(self.document, seat) {
            return Ok(());
        }
        Err(OpFailure::new("Cannot remove entire document".into(), 0))
    }

    /// Fails if the key at a seat stands more than once, and only one entry may go.
    fn check_one(&self, seat: Seat) -> OpResult<()> {
        hint::check_one(self.document, &self.equal_keys(seat))
    }

    /// Returns the keys that equal the one at a seat; it is among them.
    fn equal_keys(&self, seat: Seat) -> Vec<NodeId> {
        let Seat::Slot(mapping, at) = seat else { return Vec::new() };
        let key = self.document.children(mapping).get(at).key;
        key.map_or_else(Vec::new, |key| self.document.equal_keys(mapping, key))
    }

    /// Returns true if the op is for entries that fulfil a condition, whatever their keys are.
    fn chooses_by_value(&self) -> bool {
        matches!(&self.op.at, Target::Query(query) if query.ends_with_condition())
    }

    /// Returns the value that the op puts somewhere, if it does.
    fn brought(&mut self) -> OpResult<Option<Brought>> {
        match &self.op.edit {
            Edit::Replace(value) => Ok(Some(Brought::plain(value.shifted(self.shift)))),
            Edit::Add(content) | Edit::Combine(content, _) => {
                self.content(content).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Returns the value of an op. A moved one is removed where it is.
    fn content(&mut self, content: &Content) -> OpResult<Brought> {
        let from = match content {
            Content::Written(node) => {
                return Ok(Brought::plain(node.shifted(self.shift)));
            }
            Content::Copied(from) | Content::Moved(from) => from,
        };
        let found = self.find_one(from);
        let mut brought = found.map_err(|failure| failure.in_source(from))?;
        let counts = [Some(Aliases::Follow), Some(Aliases::Refuse)];
        if matches!(content, Content::Copied(_)) && counts.contains(&self.op.aliases) {
            // The copy of an alias is a node of its own: no edit of it reaches the anchor.
            brought.value = self.document.follow(brought.value);
        }
        self.check_aliases(brought.value)?;
        if let Content::Copied(_) = content {
            self.document.freeze_within(brought.value);
        } else {
            self.remove_one(from).map_err(|failure| failure.in_source(from))?;
            self.has_removed = true;
        }
        Ok(brought)
    }

    /// Refuses a value with aliases where aliases follow: it could come to contain itself.
    fn check_aliases(&mut self, value: NodeId) -> OpResult<()> {
        if self.op.aliases != Some(Aliases::Follow) || !self.document.has_alias(value) {
            return Ok(());
        }
        let message = "a value with aliases is not copied while aliases follow".into();
        let failure = OpFailure::new(message, usize::MAX);
        Err(failure.label(self.document.span(value), "this has an alias"))
    }

    fn find_one(&mut self, from: &Target) -> OpResult<Brought> {
        match AnyPath::of(from) {
            Ok(path) => {
                let root = Seat::Root(self.root);
                let seat = self.traversal(path, Purpose::Find).find_seat(root)?;
                let value = self.document.node_at(seat);
                Ok(Brought { value, comments: comments_at(self.document, seat) })
            }
            Err(query) => {
                let root = self.document.roots()[self.root];
                let path = self.one_match(query)?;
                let found = entry(self.document, &path, root);
                let Some((of, slot)) = found else { return Ok(Brought::plain(root)) };
                let comments = entry_comments(self.document, of, &slot);
                Ok(Brought { value: slot.value, comments })
            }
        }
    }

    fn remove_one(&mut self, from: &Target) -> OpResult<()> {
        let root = self.root;
        let seat = match AnyPath::of(from) {
            Ok(path) => self.traversal(path, Purpose::Remove).reach(root)?,
            Err(query) => {
                let path = self.one_match(query)?;
                locate(self.document, &path, root)
            }
        };
        let Some(seat) = seat else { return Ok(()) };
        self.check_one(seat)?;
        self.document.lift(seat);
        self.remove(seat)
    }

    /// Returns true if a value is moved to another key of its mapping. The entry then stays
    /// where it is, and has the new key.
    fn renames(&mut self, from: &Target) -> OpResult<bool> {
        let op = self.op;
        let Some(Renaming { around, old, new }) = Renaming::of(from, &op.at) else {
            return Ok(false);
        };
        let Ok(path) = AnyPath::of(&around) else { return Ok(false) };
        let root = self.root;
        let reached = self.traversal(path, Purpose::Find).reach(root);
        let Ok(Some(at)) = reached else { return Ok(false) };
        let Some(id) = self.document.open(at, true) else { return Ok(false) };
        if self.document.kind(NodeId::Opened(id)) != Kind::Mapping
            || self.document.has_merges(id)
            || self.named_slot(id, new).is_some()
        {
            return Ok(false);
        }
        let Some(slot) = self.named_slot(id, &old) else { return Ok(false) };
        let Some(key) = self.document.children(id).get(slot).key else {
            return Ok(false);
        };
        let seat = Seat::Slot(id, slot);
        self.check_one(seat).map_err(|failure| failure.in_source(from))?;
        let integer = self.document.integer_key(id, new);
        let new = integer.unwrap_or_else(|| self.document.new_text_like(new, key));
        self.document.move_key(id, slot, new, Some(self.by));
        self.document.remove_overridden(id, key);
        place::note_change(self.document, at);
        self.comment(seat, EntryComments::default())?;
        Ok(true)
    }

    /// Returns the own entry of an opened mapping to which a path leads by this name. Its key
    /// may be a number.
    fn named_slot(&mut self, mapping: u32, name: &str) -> Option<SlotId> {
        let is_json = matches!(self.op.at, Target::Json(_));
        let names_others = is_json || self.document.names_other_keys();
        let found = self.document.find_key(mapping, name);
        found.or_else(|| {
            let other = self.document.find_other_key(mapping, name);
            other.filter(|_| names_others)
        })
    }

    fn one_match(&mut self, query: &Query) -> OpResult<Path> {
        let mut found = self.matches(query)?;
        match (found.pop(), found.len()) {
            (Some((_, path)), 0) => Ok(path),
            (None, _) => Err(self.no_match(query)),
            (Some(_), more) => {
                let count = more + 1;
                let message = format!("'{query}' has {count} matches, and one is needed");
                Err(OpFailure::new(message, usize::MAX))
            }
        }
    }

    /// Returns the failure of a query that selects nothing.
    fn no_match(&self, query: &Query) -> OpFailure {
        if self.brief || self.op.missing == Missing::Passes {
            let message = format!("nothing matches '{query}'");
            return OpFailure::new(message, usize::MAX).nowhere();
        }
        let replaces = matches!(self.op.edit, Edit::Replace(_));
        let makes_key = self.op.makes_key && query.split_key().is_some();
        let document = &*self.document;
        let failure = hint::no_match(document, query, self.root, replaces && !makes_key);
        if !makes_key {
            return failure;
        }
        failure.hint(hint::last_key_only(document, query, self.root))
    }
}

/// A place that a query selects.
struct QueryPlace<'k> {
    path: Path,
    /// A key that the mapping there lacks: the place is its value.
    new: Option<&'k str>,
}

/// Compares ways so that what is inside of a collection comes before the collection, and later
/// items before earlier ones.
fn compare_inner_first(a: &Path, b: &Path) -> Ordering {
    b.iter().map(Step::rank).cmp(a.iter().map(Step::rank))
}

/// Returns the failure of a query that takes too much.
fn query_failure(error: &Diagnostic) -> OpFailure {
    let hint = error.hints.first().cloned();
    OpFailure::new(error.message.clone(), usize::MAX).hint(hint)
}

/// A move of a value to another key of its mapping.
struct Renaming<'t> {
    /// The mapping.
    around: Target,
    old: Cow<'t, str>,
    new: &'t str,
}

impl<'t> Renaming<'t> {
    fn of(from: &'t Target, to: &'t Target) -> Option<Renaming<'t>> {
        let (around, is_same, old, new) = match (from, to) {
            (Target::Pointer(from), Target::Pointer(to)) => {
                let ([around @ .., old], [same @ .., Token::Key(new)]) =
                    (&*from.tokens, &*to.tokens)
                else {
                    return None;
                };
                let old: Cow<'t, str> = match old {
                    Token::Key(old) => old.into(),
                    other => other.number()?.into(),
                };
                (from.prefix(around.len()).into(), around == same, old, new)
            }
            (Target::Json(from), Target::Json(to)) => {
                let ([around @ .., old], [same @ .., new]) = (&*from.tokens, &*to.tokens)
                else {
                    return None;
                };
                let around_target = Target::Json(from.prefix(around.len()));
                (around_target, around == same, old.into(), new)
            }
            _ => return None,
        };
        (is_same && old != *new).then_some(Renaming { around, old, new })
    }
}

/// A value that an op puts somewhere.
#[derive(Clone)]
struct Brought {
    value: NodeId,
    /// The comments that come along with it.
    comments: EntryComments,
}

impl Brought {
    /// Returns a value without comments.
    fn plain(value: NodeId) -> Brought {
        Brought { value, comments: EntryComments::default() }
    }
}
