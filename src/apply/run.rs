//! One op at its turn: its target leads to places, and its edit changes them.

use super::combine::combine;
use super::comments::{comments_at, give_comments};
use super::failure::{Failure, Result, describe, describe_type};
use super::json_pointer;
use super::matches::{matches, no_match, nodes};
use super::place::{self, Place, entry, locate};
use super::resolve::{Located, resolve};
use super::traversal::{Purpose, Traversal};
use crate::arena::Style;
use crate::compare::is_json_equal;
use crate::diagnostic::is_misspelling;
use crate::node::{
    Aliases, EntryComments, Kind, NodeId, OpId, Path, Seat, Tree, entry_comments,
};
use crate::patch::{
    Combination, Content, Edit, Expect, Joining, Missing, NewComments, Op,
};
use crate::pointer::{Pointer, Token};
use crate::scalar::Scalar;
use crate::select::Query;
use crate::source::Span;
use crate::target::Target;

/// Maximum number of places of an anchor and its aliases that are shown.
// The anchor and three aliases fit a screen; the message has the number of all.
const MAX_SHOWN_ALIASES: usize = 4;

/// Length in letters of the shortest new key that may be another one, misspelt.
// Shorter keys, such as `ip` and `pi`, are often meant.
const SHORTEST_MISSPELT: usize = 4;

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
    /// Maximum number of steps of a query.
    pub query_steps: u64,
    /// True if nobody reads the explanation of a failure.
    pub brief: bool,
    /// True once the op has removed what it moves: it has to succeed then.
    pub has_removed: bool,
}

impl<'a> Run<'a> {
    /// Applies the op. Returns what an op tells that does not fail.
    pub(super) fn run(mut self) -> Result<Option<Failure>> {
        let op = self.op;
        let note = self.misspelt_key().or_else(|| self.lost_quotes());
        // An argument of the command line without `--anchors` says nothing about them.
        let is_silent = op.typed.is_some() && op.aliases.is_none();
        let is_told = is_silent && !matches!(op.edit, Edit::Remove);
        self.document.start_alias_edits(op.aliases.unwrap_or_default(), is_told);
        let done = match &op.at {
            Target::Query(query) => self.at_matches(query),
            pointer => self.at_place(pointer),
        };
        let edited = self.document.end_alias_edits();
        match done {
            Ok(()) if !edited.is_empty() => self.tell_aliases(&edited),
            Err(failure) if failure.leads_nowhere() && !self.has_removed => {
                match op.missing {
                    Missing::Fails => Err(failure),
                    Missing::Passes => Ok(None),
                    Missing::Warns => Ok(Some(failure)),
                }
            }
            done => done.map(|()| note),
        }
    }

    /// Returns a note if an argument of the command line puts a number or a boolean in the
    /// place of a quoted text that reads as one without its quotes.
    fn lost_quotes(&self) -> Option<Failure> {
        let (Edit::Replace(value), Target::Pointer(at)) = (&self.op.edit, &self.op.at)
        else {
            return None;
        };
        self.op.typed.as_ref()?;
        let document = &*self.document;
        let root = Located::root(document.roots()[self.root]);
        let old = resolve(document, root, at)?.node;
        let NodeId::Clean(file, i) = old else { return None };
        let arena = document.arena(file);
        let is_quoted = matches!(arena.style(i), Style::Single | Style::Double);
        let was = is_quoted.then(|| document.string(old)).flatten()?;
        let plain = Scalar::plain(was, arena.dialect());
        let is = document.scalar(value.shifted(self.shift));
        let kind = match (plain, is) {
            (Scalar::Bool(_), Scalar::Bool(_)) => "a boolean",
            (plain, is) if plain.is_number() && is.is_number() => "a number",
            _ => return None,
        };
        let message = format!("the value was a text in quotes, and is {kind} now");
        let note = Failure::new(message, usize::MAX).done("changes it");
        let note = note.label(document.span(old), "the text");
        Some(note.hint(Some("`--set-string` sets a text".into())))
    }

    /// Returns a note if an argument of the command line adds a key beside one that was likely
    /// meant.
    fn misspelt_key(&self) -> Option<Failure> {
        let (Edit::Replace(_), Target::Pointer(at)) = (&self.op.edit, &self.op.at) else {
            return None;
        };
        let Some(Token::Key(made)) = at.tokens.last() else { return None };
        let depth = at.tokens.len() - 1;
        if self.op.typed.is_none() || made.chars().count() < SHORTEST_MISSPELT {
            return None;
        }
        // A search opens nothing: an alias that is opened follows no more.
        let document = &*self.document;
        let root = Located::root(document.roots()[self.root]);
        let mapping = resolve(document, root, &at.prefix(depth))?.node;
        if document.kind(mapping) != Kind::Mapping {
            return None;
        }
        let keys: Vec<NodeId> =
            document.pairs(mapping).into_iter().map(|(key, _)| key).collect();
        if keys.iter().any(|&key| document.is_text(key, made)) {
            return None;
        }
        let near = keys.into_iter().find(|&key| {
            let name = document.string(key).filter(|_| !document.is_hidden(key));
            name.is_some_and(|name| is_misspelling(made, &name))
        })?;
        let name = document.string(near)?;
        let message = format!("'{made}' is new, beside '{name}'");
        let failure = Failure::new(message, depth).done("adds it");
        Some(failure.hint(Some(format!("did you mean '{name}'?"))))
    }

    /// Fails if nodes with aliases may not be edited, else tells which aliases followed, or
    /// did not.
    fn tell_aliases(&self, edited: &[(Span, Vec<Span>)]) -> Result<Option<Failure>> {
        let refuses = self.op.aliases == Some(Aliases::Refuse);
        let keeps = self.op.aliases.is_none();
        let count: usize = edited.iter().map(|(_, aliases)| aliases.len()).sum();
        let aliases = if count == 1 { "an alias" } else { "aliases" };
        let message = if refuses {
            format!("this node has {aliases}, and is not to be edited")
        } else {
            // The edited place may be that of the anchor or of an alias.
            let places = if count == 1 { "place" } else { "places" };
            let what = match (keeps, count) {
                (true, 1) => "keeps the old value",
                (true, _) => "keep the old value",
                (false, _) => "changed with it",
            };
            format!("{count} other {places} of this node {what}")
        };
        let places = edited.iter().flat_map(|(node, aliases)| {
            let named = (*node, "the anchor");
            std::iter::once(named).chain(aliases.iter().map(|&alias| (alias, "an alias")))
        });
        let failure = Failure::new(message, usize::MAX);
        let failure =
            places.take(MAX_SHOWN_ALIASES).fold(failure, |failure, (span, note)| {
                failure.label(Some(self.document.first_line(span)), note)
            });
        if refuses {
            return Err(failure);
        }
        let hint = "`--anchors follow` changes the aliases too, `--anchors copy` says that they stay";
        Ok(Some(failure.done("changes it").hint(keeps.then(|| hint.to_owned()))))
    }

    fn traversal<'t>(&'t mut self, at: &'t Pointer, purpose: Purpose) -> Traversal<'t> {
        let typed = self.op.typed.as_ref();
        let has_marks = typed.is_none_or(|typed| typed.text.starts_with('/'));
        let traversal = Traversal::new(self.document, at, purpose);
        traversal.by(self.by).brief(self.brief).has_marks(has_marks)
    }

    /// Applies the op at the one place that a pointer leads to.
    fn at_place(&mut self, at: &'a Target) -> Result<()> {
        match &self.op.edit {
            Edit::Replace(value) => {
                let place = self.land(at, false)?;
                self.put(place, Brought::plain(value.shifted(self.shift)))
            }
            Edit::Remove => self.remove_at(at),
            Edit::Test(expect) => self.test_place(at, *expect),
            Edit::Add(content) => {
                if self.stays(content, at)? || self.renames(content)? {
                    return Ok(());
                }
                let brought = self.content(content)?;
                let place = self.land(at, true)?;
                self.add(place, brought)
            }
            Edit::Combine(content, rules) => {
                let Brought { value, .. } = self.content(content)?;
                match self.land(at, false)? {
                    Place::Seat(seat) => self.combine(seat, value, *rules),
                    place => self.put(place, Brought::plain(value)),
                }
            }
            Edit::Keep => {
                let seat = self.reach(at)?;
                seat.map_or(Ok(()), |seat| self.comment(seat, EntryComments::default()))
            }
            Edit::Merge(_) | Edit::RemoveWhiteouts => Err(out_of_order()),
        }
    }

    /// Returns the place that a pointer leads to; if a value is added there, the gap before an
    /// item.
    fn land(&mut self, at: &Target, adds: bool) -> Result<Place> {
        let root = self.root;
        match at {
            Target::Pointer(at) => {
                self.probe(at)?;
                let mut traversal = self.traversal(at, Purpose::Replace);
                if adds { traversal.place_to_add(root) } else { traversal.land(root) }
            }
            Target::Json(at) if adds => json_pointer::place(self.document, at, root),
            Target::Json(at) => {
                json_pointer::seat(self.document, at, root).map(Place::Seat)
            }
            Target::Query(_) => Err(out_of_order()),
        }
    }

    /// Returns the seat in the tree that a pointer leads to; `None` if it is optional and
    /// missing.
    fn reach(&mut self, at: &Target) -> Result<Option<Seat>> {
        let root = self.root;
        match at {
            Target::Pointer(at) => self.traversal(at, Purpose::Find).reach(root),
            Target::Json(at) => json_pointer::seat(self.document, at, root).map(Some),
            Target::Query(_) => Ok(None),
        }
    }

    /// Removes what a target leads to, which is one place.
    fn remove_at(&mut self, at: &Target) -> Result<()> {
        let root = self.root;
        let seat = match at {
            Target::Pointer(at) => {
                return self.traversal(at, Purpose::Remove).remove(root);
            }
            Target::Json(at) => Some(json_pointer::seat(self.document, at, root)?),
            Target::Query(query) => locate(self.document, &self.one_match(query)?, root),
        };
        seat.map_or(Ok(()), |seat| self.remove(seat))
    }

    /// Fails if an op that may have no effect has none, before anything is opened.
    fn probe(&mut self, at: &Pointer) -> Result<()> {
        if self.op.missing == Missing::Fails || self.has_removed {
            return Ok(());
        }
        let root = self.root;
        self.traversal(at, Purpose::Replace).search(root).map(drop)
    }

    fn test_place(&mut self, at: &Target, expect: Expect) -> Result<()> {
        let expect = self.shifted(expect);
        let (root, brief) = (self.root, self.brief);
        let depth = at.token_count().unwrap_or(usize::MAX);
        let find = |document: &mut Tree, brief| match at {
            Target::Pointer(at) => Traversal::new(document, at, Purpose::Find)
                .brief(brief)
                .find(Seat::Root(root)),
            Target::Json(at) => json_pointer::find(document, at, root),
            Target::Query(_) => Err(out_of_order()),
        };
        // A test for absence usually passes, and an explanation of the missing node is then
        // thrown away. It is made in a second search if the test fails.
        let expects_absence = expect == Expect::Absent && !matches!(at, Target::Json(_));
        match find(self.document, brief || expects_absence) {
            Ok(found) => check_expectation(self.document, self.op, expect, found, depth),
            Err(failure) if expects_absence && failure.is_missing_at(depth) => Ok(()),
            Err(failure) if brief || !expects_absence => Err(failure),
            Err(failure) => Err(find(self.document, false).err().unwrap_or(failure)),
        }
    }

    /// Returns true if a value is moved to where it is. Fails if it is moved into itself.
    fn stays(&mut self, content: &Content, to: &Target) -> Result<bool> {
        let (Content::Moved(Target::Json(from)), Target::Json(to)) = (content, to) else {
            return Ok(false);
        };
        if from == to {
            json_pointer::find(self.document, from, self.root)?;
            return Ok(true);
        }
        if to.tokens.starts_with(&from.tokens) {
            let message = format!("'{from}' cannot be moved into itself, to '{to}'");
            return Err(Failure::new(message, usize::MAX));
        }
        Ok(false)
    }

    fn at_matches(&mut self, query: &Query) -> Result<()> {
        if let Edit::Test(expect) = self.op.edit {
            return self.test_matches(query, expect);
        }
        let found = matches(self.document, query, self.root, self.query_steps)?;
        if found.is_empty() {
            return Err(self.no_match(query));
        }
        let edit = &self.op.edit;
        if let Edit::Combine(_, Combination { is_strict: true, .. }) = edit {
            self.check_kinds(&found)?;
        }
        let brought = match edit {
            Edit::Add(content) | Edit::Combine(content, _) => {
                Some(self.content(content)?)
            }
            Edit::Replace(value) => Some(Brought::plain(value.shifted(self.shift))),
            _ => None,
        };
        for (_, path) in &found {
            if let (Edit::Combine(_, rules), Some(brought)) = (edit, &brought)
                && self.is_idle(path, brought.value, *rules)
            {
                continue;
            }
            let Some(seat) = locate(self.document, path, self.root) else { continue };
            match (edit, brought.clone()) {
                (Edit::Remove, _) => self.remove(seat)?,
                (Edit::Keep, _) => self.comment(seat, EntryComments::default())?,
                (Edit::Replace(_), Some(brought)) => {
                    self.put(Place::Seat(seat), brought)?;
                }
                (Edit::Add(_), Some(brought)) => self.append(seat, brought)?,
                (Edit::Combine(_, rules), Some(brought)) => {
                    self.combine(seat, brought.value, *rules)?;
                }
                _ => return Err(out_of_order()),
            }
        }
        Ok(())
    }

    /// Returns true if nothing is added to what is at the end of a way: then nothing on the way
    /// is to be opened either.
    fn is_idle(&self, path: &Path, value: NodeId, rules: Combination) -> bool {
        let kind = self.document.kind(value);
        let is_joined = match kind {
            Kind::Mapping => true,
            Kind::Sequence => rules.lists == Joining::Append,
            Kind::Scalar => false,
        };
        let is_empty = is_joined
            && self.document.slots(value).is_empty()
            && self.op.comments == NewComments::default();
        if !is_empty {
            return false;
        }
        // An edit of another match may have replaced it.
        let root = self.document.roots()[self.root];
        let there = entry(self.document, path, root).map_or(root, |(_, slot)| slot.value);
        self.document.kind(there) == kind
    }

    /// Tests each match. A search opens nothing.
    fn test_matches(&mut self, query: &Query, expect: Expect) -> Result<()> {
        let expect = self.shifted(expect);
        let nodes = nodes(self.document, query, self.root, self.query_steps)?;
        if nodes.is_empty() && expect != Expect::Absent {
            return Err(self.no_match(query));
        }
        let depth = usize::MAX;
        let mut nodes = nodes.into_iter();
        nodes.try_for_each(|node| {
            check_expectation(self.document, self.op, expect, node, depth)
        })
    }

    /// Fails if the matches are not all lists, all mappings or all scalars.
    fn check_kinds(&self, found: &[(NodeId, Path)]) -> Result<()> {
        let mut first = None;
        for &(node, _) in found {
            let &mut other = first.get_or_insert(node);
            if self.document.kind(other) != self.document.kind(node) {
                let [a, b] = [other, node].map(|node| describe_type(self.document, node));
                let message = format!("the matches are of different kinds: {b} and {a}");
                let failure = Failure::new(message, usize::MAX);
                let failure =
                    failure.label(self.document.span(node), format!("this is {b}"));
                return Err(
                    failure.label(self.document.span(other), format!("this is {a}"))
                );
            }
        }
        Ok(())
    }

    /// Returns true if the list has an equal item, and the op is not to add another.
    fn exists(&mut self, place: &Place, value: NodeId) -> bool {
        let Place::Gap { list, .. } = place else { return false };
        self.op.unless_exists && self.document.has_item(*list, value)
    }

    /// Puts a value at a place, unless the op is not to add an equal item.
    fn add(&mut self, place: Place, brought: Brought) -> Result<()> {
        if self.exists(&place, brought.value) {
            return Ok(());
        }
        self.put(place, brought)
    }

    fn put(&mut self, place: Place, brought: Brought) -> Result<()> {
        let seat = place.put(self.document, brought.value, Some(self.by));
        self.comment(seat, brought.comments)
    }

    /// Gives an entry the comments of the op, and those that came along.
    fn comment(&mut self, seat: Seat, brought: EntryComments) -> Result<()> {
        give_comments(self.document, seat, &self.op.comments, brought)
    }

    fn append(&mut self, seat: Seat, brought: Brought) -> Result<()> {
        let node = self.document.node_at(seat);
        if self.document.kind(node) != Kind::Sequence {
            let kind = describe_type(self.document, node);
            let message = format!("an item is added to a list, not to {kind}");
            let failure = Failure::new(message, usize::MAX);
            return Err(
                failure.label(self.document.span(node), format!("this is {kind}"))
            );
        }
        let Some(list) = self.document.open(seat, true) else { return Ok(()) };
        let position = self.document.children(list).len();
        self.add(Place::Gap { list, position }, brought)
    }

    fn combine(&mut self, seat: Seat, value: NodeId, rules: Combination) -> Result<()> {
        combine(self.document, seat, value, rules, Some(self.by))?;
        self.comment(seat, EntryComments::default())
    }

    fn remove(&mut self, seat: Seat) -> Result<()> {
        if place::remove(self.document, seat) {
            return Ok(());
        }
        Err(Failure::new("Cannot remove entire document".into(), 0))
    }

    /// Returns the value that an op puts somewhere. A moved one is removed where it is.
    fn content(&mut self, content: &Content) -> Result<Brought> {
        match content {
            Content::Written(node) => Ok(Brought::plain(node.shifted(self.shift))),
            Content::Copied(from) => {
                let brought = self.find_one(from)?;
                self.check_aliases(brought.value)?;
                self.document.freeze_within(brought.value);
                Ok(brought)
            }
            Content::Moved(from) => {
                let brought = self.find_one(from)?;
                self.check_aliases(brought.value)?;
                self.remove_at(from).map_err(|failure| failure.in_source(from))?;
                self.has_removed = true;
                Ok(brought)
            }
        }
    }

    /// Refuses a value with aliases where aliases follow: it could come to contain itself.
    fn check_aliases(&mut self, value: NodeId) -> Result<()> {
        if self.op.aliases != Some(Aliases::Follow) || !self.document.has_alias(value) {
            return Ok(());
        }
        let message = "a value with aliases is not copied while aliases follow".into();
        let failure = Failure::new(message, usize::MAX);
        Err(failure.label(self.document.span(value), "this has an alias"))
    }

    fn find_one(&mut self, from: &Target) -> Result<Brought> {
        let root = self.root;
        let found = match from {
            Target::Pointer(pointer) => self
                .traversal(pointer, Purpose::Find)
                .find_seat(Seat::Root(root))
                .map(|seat| self.brought(seat)),
            Target::Json(pointer) => json_pointer::reach(self.document, pointer, root)
                .map(|seat| self.brought(seat)),
            Target::Query(query) => self.one_match(query).map(|path| {
                let root = self.document.roots()[root];
                match entry(self.document, &path, root) {
                    Some((of, slot)) => Brought {
                        value: slot.value,
                        comments: entry_comments(self.document, of, &slot),
                    },
                    None => Brought::plain(root),
                }
            }),
        };
        found.map_err(|failure| failure.in_source(from))
    }

    fn brought(&self, seat: Seat) -> Brought {
        let value = self.document.node_at(seat);
        Brought { value, comments: comments_at(self.document, seat) }
    }

    /// Returns true if a value is moved to another key of its mapping. The entry then stays
    /// where it is, and has the new key.
    fn renames(&mut self, content: &Content) -> Result<bool> {
        let Content::Moved(from) = content else { return Ok(false) };
        let op = self.op;
        let Some((around, old, new)) = renamed_key(from, &op.at) else {
            return Ok(false);
        };
        let (old, new) = (&*old, &*new);
        let Ok(Some(at)) = self.reach(&around) else { return Ok(false) };
        let Some(id) = self.document.open(at, true) else { return Ok(false) };
        if self.document.kind(NodeId::Opened(id)) != Kind::Mapping
            || self.document.has_merges(id)
            || self.document.find_key(id, new).is_some()
            || self.has_member(id, new)
        {
            return Ok(false);
        }
        let Some(slot) = self.document.find_key(id, old) else { return Ok(false) };
        let Some(key) = self.document.children(id).get(slot).key else {
            return Ok(false);
        };
        let key = self.document.new_text_like(new, key);
        let seat = Seat::Slot(id, slot);
        self.document.move_key(id, slot, key, Some(self.by));
        self.document.remove_named(id, old);
        place::note_change(self.document, at);
        self.comment(seat, EntryComments::default())?;
        Ok(true)
    }

    /// Returns true if a JSON Pointer leads to a key with this name. It may be a number.
    fn has_member(&self, mapping: u32, name: &str) -> bool {
        let is_json = matches!(self.op.at, Target::Json(_));
        is_json
            && !self.document.has_only_strings(mapping)
            && self.document.member(NodeId::Opened(mapping), name).is_some()
    }

    fn one_match(&self, query: &Query) -> Result<Path> {
        let mut found = matches(self.document, query, self.root, self.query_steps)?;
        match (found.pop(), found.len()) {
            (Some((_, path)), 0) => Ok(path),
            (None, _) => Err(self.no_match(query)),
            (Some(_), more) => {
                let count = more + 1;
                let message = format!("'{query}' has {count} matches, and one is needed");
                Err(Failure::new(message, usize::MAX))
            }
        }
    }

    /// Returns the failure of a query that selects nothing.
    fn no_match(&self, query: &Query) -> Failure {
        if self.brief || self.op.missing == Missing::Passes {
            let message = format!("nothing matches '{query}'");
            return Failure::new(message, usize::MAX).nowhere();
        }
        let replaces = matches!(self.op.edit, Edit::Replace(_));
        no_match(self.document, query, self.root, replaces)
    }

    fn shifted(&self, expect: Expect) -> Expect {
        match expect {
            Expect::Equal(value) => Expect::Equal(value.shifted(self.shift)),
            Expect::EqualJson(value) => Expect::EqualJson(value.shifted(self.shift)),
            Expect::Null | Expect::Absent => expect,
        }
    }
}

/// Returns the mapping in which a key is moved to another, and both keys.
fn renamed_key(from: &Target, to: &Target) -> Option<(Target, String, String)> {
    match (from, to) {
        (Target::Pointer(from), Target::Pointer(to)) => {
            let ([around @ .., Token::Key(old)], [same @ .., Token::Key(new)]) =
                (&*from.tokens, &*to.tokens)
            else {
                return None;
            };
            let renames = around == same && old != new;
            let around = from.prefix(around.len());
            renames.then(|| (around.into(), old.clone(), new.clone()))
        }
        (Target::Json(from), Target::Json(to)) => {
            let ([around @ .., old], [same @ .., new]) = (&*from.tokens, &*to.tokens)
            else {
                return None;
            };
            let renames = around == same && old != new;
            let around = Target::Json(from.prefix(around.len()));
            renames.then(|| (around, old.clone(), new.clone()))
        }
        _ => None,
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

fn out_of_order() -> Failure {
    Failure::new("Expected merges to come first".into(), 0)
}

/// Checks a node that was found. `depth` is the number of tokens of the path.
fn check_expectation(
    document: &Tree,
    op: &Op,
    expect: Expect,
    found: NodeId,
    depth: usize,
) -> Result<()> {
    let first_line = |node| document.span(node).map(|span| document.first_line(span));
    let is_met = match expect {
        Expect::Equal(value) => document.equal(found, value),
        Expect::EqualJson(value) => {
            // The value has an end: no limit of steps is needed.
            is_json_equal(document, found, value, &mut u64::MAX.clone())
        }
        Expect::Null => document.is_null(found),
        Expect::Absent => {
            let message = format!("Expected to not find '{}'", op.at);
            return Err(
                Failure::new(message, depth).label(first_line(found), "this is here")
            );
        }
    };
    if is_met {
        return Ok(());
    }
    let label = |verb: &str, node| match describe(document, node) {
        Some(name) => format!("{verb} {name}"),
        None => format!("{verb} this"),
    };
    let failure = Failure::new("Found value does not match expected value".into(), depth);
    let failure = match expect {
        Expect::Equal(value) | Expect::EqualJson(value) => {
            failure.label(first_line(value), label("expected", value))
        }
        Expect::Null | Expect::Absent => {
            failure.hint(Some("`absent: false` without a value expects null".into()))
        }
    };
    Err(failure.label(first_line(found), label("found", found)))
}
