//! The traversal of a pointer. One traversal serves the three purposes of an op: to find
//! a node, to replace one (making what is optional on the way), to remove one.

use super::failure::{Failure, Result, describe, describe_type};
use super::place::Place;
use crate::compare::NAME_KEYS;
use crate::node::{Kind, NodeId, OpId, Seat, SlotId, Tree};
use crate::pointer::{Modifier, Pointer, Token};
use crate::scalar::Dialect;

/// The Go type of the token for the place after the last item, which go-patch prints.
const AFTER_LAST: &str = "patch.AfterLastIndexToken";

/// Maximum number of matches that are labelled: each label takes several lines.
// The message has the number of all; three show what they have in common.
const MAX_SHOWN_MATCHES: usize = 3;

/// Maximum number of names that are compared anew for each of many failures.
// As many as `diagnostic::near` compares for one failure.
const MAX_CANDIDATES: usize = 1_000;

/// Maximum length of compared names in bytes: the time grows with the product of both.
const MAX_COMPARED_LENGTH: usize = 100;

/// Maximum number of keys in one message, and of bytes in them: go-patch lists all keys.
const MAX_LISTED_KEYS: usize = 1_000;
const MAX_LISTED_BYTES: usize = 64 << 10;

/// Replaces a key that was made of the value of a variable.
const HIDDEN: &str = "…";

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Purpose {
    Find,
    Replace,
    Remove,
}

enum Landing {
    /// A node that exists.
    Existing(Seat),
    /// An item that exists, or a place beside it.
    Item { id: u32, at: SlotId, beside: Option<Modifier> },
    /// A place in this opened container that is missing and may be.
    Missing(u32),
}

/// The effect of a node on the way that is missing and may be.
#[derive(Clone, Copy)]
enum Absence {
    /// The traversal stops before it.
    Stops,
    /// The traversal goes on in a new node outside of the tree.
    Detached,
    /// The node is made.
    Made,
}

/// The end of a way.
struct Reached {
    seat: Seat,
    /// Number of tokens that were followed.
    depth: usize,
}

pub(super) struct Traversal<'a> {
    document: &'a mut Tree,
    pointer: &'a Pointer,
    purpose: Purpose,
    /// True if opened nodes become part of the document. A search must not change it, and
    /// a removal only once it is known to find something.
    attach: bool,
    brief: bool,
    /// True if a `?` marks a key that may be missing. In a dotted path it is a part of the key.
    has_marks: bool,
    by: Option<OpId>,
}

impl<'a> Traversal<'a> {
    pub(super) fn new(
        document: &'a mut Tree,
        pointer: &'a Pointer,
        purpose: Purpose,
    ) -> Self {
        let attach = purpose == Purpose::Replace;
        let (brief, has_marks, by) = (false, true, None);
        Traversal { document, pointer, purpose, attach, brief, has_marks, by }
    }

    pub(super) fn by(self, id: OpId) -> Self {
        Traversal { by: Some(id), ..self }
    }

    pub(super) fn brief(self, brief: bool) -> Self {
        Traversal { brief, ..self }
    }

    pub(super) fn has_marks(self, has_marks: bool) -> Self {
        Traversal { has_marks, ..self }
    }

    pub(super) fn find(mut self, seat: Seat) -> Result<NodeId> {
        let seat = self.find_seat(seat)?;
        Ok(self.document.node_at(seat))
    }

    /// Returns the seat of a node. It may be a seat outside of the tree.
    pub(super) fn find_seat(&mut self, seat: Seat) -> Result<Seat> {
        let reached = self.follow(seat, self.pointer.tokens.len(), Absence::Detached)?;
        Ok(reached.seat)
    }

    /// Searches what the pointer leads to. Returns false if it is optional and missing.
    ///
    /// Nothing is changed. Where the search leads nowhere, a single pass would have copied
    /// aliases and merged entries on the way for nothing.
    pub(super) fn search(&mut self, root: usize) -> Result<bool> {
        let attach = std::mem::replace(&mut self.attach, false);
        let count = self.pointer.tokens.len();
        let reached = self.follow(Seat::Root(root), count, Absence::Stops)?;
        self.attach = attach;
        Ok(reached.depth == count)
    }

    /// Returns the seats that the tokens lead to, one after another, as far as they lead
    /// anywhere. They may be outside of the tree.
    pub(super) fn seats(mut self, root: usize) -> Vec<Seat> {
        let (mut seats, mut seat) = (Vec::new(), Seat::Root(root));
        for depth in 0..self.pointer.tokens.len() {
            seat = match self.step(seat, depth) {
                Ok(Landing::Existing(seat)) => seat,
                Ok(Landing::Item { id, at, .. }) => Seat::Slot(id, at),
                Ok(Landing::Missing(_)) | Err(_) => break,
            };
            seats.push(seat);
        }
        seats
    }

    /// Returns the seat in the tree that the pointer leads to; `None` if it is optional and
    /// missing. Nothing is made.
    pub(super) fn reach(mut self, root: usize) -> Result<Option<Seat>> {
        if !self.search(root)? {
            return Ok(None);
        }
        self.attach = true;
        let count = self.pointer.tokens.len();
        let reached = self.follow(Seat::Root(root), count, Absence::Stops)?;
        Ok((reached.depth == count).then_some(reached.seat))
    }

    /// Returns true if a replacement surely succeeds. Nothing is changed.
    pub(super) fn reaches(mut self, root: usize) -> bool {
        self.attach = false;
        let tokens = &self.pointer.tokens;
        let reached = self.follow(Seat::Root(root), tokens.len(), Absence::Stops);
        reached.is_ok_and(|reached| can_make(&tokens[reached.depth..]))
    }

    /// Follows the first `count` tokens from a seat. Stops before them if something is missing
    /// that may be, and the absence stops a search.
    fn follow(
        &mut self,
        mut seat: Seat,
        count: usize,
        absence: Absence,
    ) -> Result<Reached> {
        for depth in 0..count {
            seat = match (self.step(seat, depth)?, absence) {
                (Landing::Existing(seat), _) => seat,
                (Landing::Item { id, at, .. }, _) => self.enter_item(id, at, depth),
                (Landing::Missing(_), Absence::Stops) => {
                    return Ok(Reached { seat, depth });
                }
                (Landing::Missing(_), Absence::Detached) => {
                    Seat::Detached(self.make(depth)?)
                }
                (Landing::Missing(id), Absence::Made) => {
                    let node = self.make(depth)?;
                    self.missing(id, depth).put(self.document, node, self.by)
                }
            };
        }
        Ok(Reached { seat, depth: count })
    }

    /// Replaces what the pointer leads to, or puts a value at the place where it is missing.
    pub(super) fn replace(mut self, root: usize, value: NodeId) -> Result<()> {
        let place = self.land(root)?;
        place.put(self.document, value, self.by);
        Ok(())
    }

    /// Returns the place that the pointer leads to. What is optional and missing on the way
    /// is made.
    pub(super) fn land(&mut self, root: usize) -> Result<Place> {
        let Some(last) = self.pointer.tokens.len().checked_sub(1) else {
            return Ok(Place::Seat(Seat::Root(root)));
        };
        let around = self.follow(Seat::Root(root), last, Absence::Made)?.seat;
        Ok(match self.step(around, last)? {
            Landing::Existing(seat) => Place::Seat(seat),
            Landing::Item { id, at, beside: None } => Place::Seat(Seat::Slot(id, at)),
            Landing::Item { id, at, beside: Some(beside) } => {
                let after = usize::from(beside == Modifier::After);
                let position = self.document.children(id).position(at) + after;
                Place::Gap { list: id, position }
            }
            Landing::Missing(id) => self.missing(id, last),
        })
    }

    /// Returns the place at which a value is added: a key, or a gap before an item.
    pub(super) fn place_to_add(&mut self, root: usize) -> Result<Place> {
        let place = self.land(root)?;
        Ok(match (place, self.pointer.tokens.last()) {
            (Place::Seat(Seat::Slot(list, at)), Some(Token::Index(..))) => {
                let position = self.document.children(list).position(at);
                Place::Gap { list, position }
            }
            (place, _) => place,
        })
    }

    /// Removes what the pointer leads to; nothing if it is optional and missing.
    pub(super) fn remove(mut self, root: usize) -> Result<()> {
        let Some(last) = self.pointer.tokens.len().checked_sub(1) else {
            return Err(Failure::new("Cannot remove entire document".into(), 0));
        };
        if !self.search(root)? {
            return Ok(());
        }
        self.attach = true;
        let around = self.follow(Seat::Root(root), last, Absence::Stops)?;
        if around.depth < last {
            return Ok(());
        }
        match (self.step(around.seat, last)?, &self.pointer.tokens[last]) {
            (Landing::Existing(Seat::Slot(id, _)), Token::Key(key)) => {
                self.document.remove_entry(id, key);
            }
            (Landing::Item { id, at, .. }, _) => self.document.remove_item(id, at),
            _ => {}
        }
        Ok(())
    }

    fn step(&mut self, seat: Seat, depth: usize) -> Result<Landing> {
        let pointer = self.pointer;
        match &pointer.tokens[depth] {
            Token::Key(key) => self.key(seat, depth, key),
            Token::Index(index, modifiers) => {
                let id = self.sequence(seat, depth)?;
                self.item(id, *index, modifiers, depth, seat)
            }
            Token::Match { key, value, modifiers } => {
                let id = self.sequence(seat, depth)?;
                let found = self.document.find_matches(id, key, value);
                match found[..] {
                    [at] => {
                        let index = self.document.children(id).position(at) as i64;
                        self.item(id, index, modifiers, depth, seat)
                    }
                    [] if pointer.optional(depth) => Ok(Landing::Missing(id)),
                    _ => Err(self.no_match(seat, id, depth, &found)),
                }
            }
            Token::End => self.end(seat, depth),
        }
    }

    fn key(&mut self, seat: Seat, depth: usize, key: &str) -> Result<Landing> {
        let id = self.container(seat, depth, Kind::Mapping)?;
        if let Some(seat) = self.document.entry(id, key, self.attach) {
            return Ok(Landing::Existing(seat));
        }
        if self.pointer.optional(depth) {
            return Ok(Landing::Missing(id));
        }
        Err(self.no_key(seat, id, depth, key))
    }

    fn sequence(&mut self, seat: Seat, depth: usize) -> Result<u32> {
        self.container(seat, depth, Kind::Sequence)
    }

    fn container(&mut self, seat: Seat, depth: usize, kind: Kind) -> Result<u32> {
        let node = self.document.node_at(seat);
        if self.document.kind(node) == kind
            && let Some(id) = self.document.open(seat, self.attach)
        {
            return Ok(id);
        }
        Err(self.no_container(node, seat, depth))
    }

    /// Follows an index: modifiers shift it, then a negative one counts from the end.
    fn item(
        &mut self,
        id: u32,
        index: i64,
        modifiers: &[Modifier],
        depth: usize,
        seat: Seat,
    ) -> Result<Landing> {
        let insert =
            self.purpose == Purpose::Replace && depth + 1 == self.pointer.tokens.len();
        let (shift, beside) =
            shift(modifiers, insert).map_err(|message| Failure::new(message, depth))?;
        let index = index.saturating_add(shift);
        let slots = self.document.children(id);
        let len = slots.len() as i64;
        let position = if index < 0 { index.saturating_add(len) } else { index };
        let at =
            (0..len).contains(&position).then(|| slots.at(position as usize)).flatten();
        let Some(at) = at else {
            return Err(self.no_item(seat, depth, index, len));
        };
        Ok(Landing::Item { id, at, beside })
    }

    /// Follows `-`, which only a replacement may end with.
    fn end(&mut self, seat: Seat, depth: usize) -> Result<Landing> {
        let path = self.pointer;
        match self.purpose {
            Purpose::Replace => self.sequence(seat, depth).map(Landing::Missing),
            Purpose::Remove => Err(Failure::new(
                format!("Expected to not find token '{AFTER_LAST}' at path '{path}'"),
                depth,
            )),
            Purpose::Find => Err(Failure::new(
                format!(
                    "Expected not to find after last index token in path '{path}' (not \
                     supported in find operations)"
                ),
                depth,
            )),
        }
    }

    /// Enters an item. If one of its entries is about to change, indexes of the sequence
    /// have to know.
    fn enter_item(&mut self, id: u32, at: SlotId, depth: usize) -> Seat {
        if let (true, Some(Token::Key(key))) =
            (self.attach, self.pointer.tokens.get(depth + 1))
        {
            self.document.mark_changed(id, at, key);
        }
        Seat::Slot(id, at)
    }

    /// Makes the missing node at `depth`: what its token describes, or a container for
    /// the next token.
    fn make(&mut self, depth: usize) -> Result<NodeId> {
        if let Token::Match { key, value, .. } = &self.pointer.tokens[depth] {
            return Ok(self.document.new_mapping(&[(key, value)], self.by));
        }
        let Some(next) = self.pointer.tokens.get(depth + 1) else {
            return Ok(self.document.new_null());
        };
        let replace = self.purpose == Purpose::Replace;
        match container_for(next) {
            Some(Kind::Mapping) => Ok(self.document.new_mapping(&[], self.by)),
            Some(Kind::Sequence) if replace || *next != Token::End => {
                Ok(self.document.new_sequence())
            }
            _ => Err(Failure::new(self.cannot_make(depth + 1), depth + 1)),
        }
    }

    fn cannot_make(&self, depth: usize) -> String {
        let tokens = match self.purpose {
            Purpose::Replace => "key, matching index or after last index",
            Purpose::Find | Purpose::Remove => "key or matching index",
        };
        format!("Expected to find {tokens} token at path '{}'", self.path(depth))
    }

    /// Returns the place in an opened container at which the token at `depth` is missing.
    fn missing(&self, id: u32, depth: usize) -> Place {
        match &self.pointer.tokens[depth] {
            Token::Key(key) => Place::Entry { mapping: id, key: key.clone() },
            Token::Match { .. } | Token::Index(..) | Token::End => {
                Place::Gap { list: id, position: self.document.children(id).len() }
            }
        }
    }

    /// The pointer as far as the token at `depth`, as bosh prints it.
    fn path(&self, depth: usize) -> String {
        self.pointer.prefix(depth + 1).to_string()
    }

    fn no_key(&mut self, seat: Seat, id: u32, depth: usize, key: &str) -> Failure {
        let path = self.path(depth);
        if self.brief {
            let message = format!("Expected to find a map key '{key}' for path '{path}'");
            return Failure::new(message, depth).missing();
        }
        let names = self.document.sorted_keys(id, HIDDEN);
        let (document, mapping) = (&*self.document, NodeId::Opened(id));
        let is_empty = document.slots(mapping).is_empty();
        let (message, near) = missing_key(&names, is_empty, key, &path);
        let token = &self.pointer.tokens[depth];
        let unlike = || unlike_key(document, mapping, key);
        let others = (!document.has_only_strings(id)).then(unlike).flatten();
        let other = others.or_else(|| self.spelt_key(&names, depth, key));
        let may_add = self.purpose == Purpose::Replace && self.has_marks;
        let add = (may_add && other.is_none() && !key.is_empty())
            .then(|| format!("write '{token}?' to add it"));
        let label = format!("{} has no such key", subject(document, seat));
        Failure::new(message, depth)
            .missing()
            .label(document.span_at(seat), label)
            .hint(empty_token_hint(key))
            .hint(other)
            .hint(near)
            .also(add)
    }

    /// Returns a hint at a key that the path spells in another way, e.g. with a slash.
    fn spelt_key(&self, names: &[String], depth: usize, key: &str) -> Option<String> {
        let known = |name: &str| names.binary_search_by(|it| (**it).cmp(name)).is_ok();
        if key == "*" {
            return Some("an op is about one place: name the key in place of '*'".into());
        }
        if let Some((name, rest)) = key.split_once(['[', '.'])
            && known(name)
        {
            let rest = rest.replace([']', '"', '\''], "").replace(['[', '.'], "/");
            let rest = rest.trim_matches('/');
            return Some(format!("write '{name}/{rest}': '/' stands between names"));
        }
        // A slash in a name is `~1`.
        let mut name = key.to_owned();
        for token in &self.pointer.tokens[depth + 1..] {
            let Token::Key(next) = token else { return None };
            name = format!("{name}/{next}");
            if name.len() > MAX_COMPARED_LENGTH {
                return None;
            }
            if known(&name) {
                return Some(format!(
                    "write '{}': a '/' in a name is '~1'",
                    Pointer::escape(&name)
                ));
            }
        }
        // A '.' in a dotted path may be a part of a name, too.
        let mut name = key.to_owned();
        for token in &self.pointer.tokens[depth + 1..] {
            let Token::Key(next) = token else { return None };
            name = format!("{name}.{next}");
            if known(&name) {
                return Some(format!("write ['{name}']: a '.' in a name needs quotes"));
            }
        }
        None
    }

    fn no_match(&self, seat: Seat, id: u32, depth: usize, found: &[SlotId]) -> Failure {
        let document = &*self.document;
        let message = format!(
            "Expected to find exactly one matching array item for path '{}' but found {}",
            self.path(depth),
            found.len()
        );
        let failure = Failure::new(message, depth);
        let Token::Match { key, value, .. } = &self.pointer.tokens[depth] else {
            return failure;
        };
        let failure = if found.is_empty() { failure.nowhere() } else { failure };
        if self.brief {
            return failure;
        }
        if found.is_empty() {
            let label = format!("{} has no such item", subject(document, seat));
            return failure.label(document.span_at(seat), label).hint(match_hint(
                document,
                NodeId::Opened(id),
                key,
                value,
            ));
        }
        let item = |&at: &SlotId| document.span_at(Seat::Slot(id, at));
        let items = found.iter().take(MAX_SHOWN_MATCHES).map(item);
        items.fold(failure, |failure, place| failure.label(place, "this matches"))
    }

    /// `node` at `seat` is not of the kind that the token needs.
    fn no_container(&self, node: NodeId, seat: Seat, depth: usize) -> Failure {
        let document = &*self.document;
        let token = &self.pointer.tokens[depth];
        let wanted = if let Token::Key(_) = token { "a map" } else { "an array" };
        let (path, found) = (self.path(depth), document.type_name(node));
        let message =
            format!("Expected to find {wanted} at path '{path}' but found '{found}'");
        let label =
            format!("{} is {}", subject(document, seat), describe_type(document, node));
        let wanted = if let Token::Key(_) = token { "a mapping" } else { "a list" };
        let failure = Failure::new(message, depth)
            .kinds(wanted, describe_type(document, node))
            .label(document.span_at(seat), label);
        let Token::Key(key) = token else { return failure };
        if self.brief {
            return failure;
        }
        failure
            .hint(empty_token_hint(key))
            .hint(item_hint(document, node, key))
            .hint(list_hint(document, node, key))
            .hint(self.match_hint(node, depth, key))
    }

    /// Returns a hint at the match that chooses an item by this key.
    fn match_hint(&self, list: NodeId, depth: usize, key: &str) -> Option<String> {
        let around = self.pointer.prefix(depth);
        let is_index = self.document.kind(list) == Kind::Sequence;
        if is_index && key.parse::<u32>().is_ok() {
            return Some(format!("an index stands in brackets: '[{key}]'"));
        }
        let has_key = !parts(self.document, list, key).is_empty();
        has_key.then(|| {
            format!(
                "an item is chosen by a match: '{around}/{key}=…', in an option \
                 '{around}[{key}=…]'"
            )
        })
    }

    fn no_item(&self, seat: Seat, depth: usize, index: i64, len: i64) -> Failure {
        let message = format!(
            "Expected to find array index '{index}' but found array of length '{len}' for \
             path '{}'",
            self.path(depth)
        );
        let items = if len == 1 { "item" } else { "items" };
        let label = format!("{} has {len} {items}", subject(self.document, seat));
        Failure::new(message, depth).missing().label(self.document.span_at(seat), label)
    }
}

/// Returns how far `:prev` and `:next` shift an index, and the `:before` or `:after`
/// that ends them where an item may be inserted. Fails with go-patch's message if a
/// modifier cannot stand there.
pub(super) fn shift(
    modifiers: &[Modifier],
    insert: bool,
) -> std::result::Result<(i64, Option<Modifier>), String> {
    let (mut shift, mut beside) = (0, None);
    for &modifier in modifiers {
        if let Some(last) = beside {
            let (last, name) = (Modifier::word(last), type_name(modifier));
            return Err(format!(
                "Expected to not find any modifiers after '{last}' modifier, but found \
                 modifier '{name}'"
            ));
        }
        match modifier {
            Modifier::Prev => shift -= 1,
            Modifier::Next => shift += 1,
            Modifier::Before | Modifier::After if insert => beside = Some(modifier),
            Modifier::Before | Modifier::After => {
                return Err(format!(
                    "Expected to find one of the following modifiers: 'prev', 'next', but \
                     found modifier '{}'",
                    type_name(modifier)
                ));
            }
        }
    }
    Ok((shift, beside))
}

/// The Go type of a modifier, which go-patch prints.
fn type_name(modifier: Modifier) -> &'static str {
    match modifier {
        Modifier::Prev => "patch.PrevModifier",
        Modifier::Next => "patch.NextModifier",
        Modifier::Before => "patch.BeforeModifier",
        Modifier::After => "patch.AfterModifier",
    }
}

fn subject(document: &Tree, seat: Seat) -> &'static str {
    match seat {
        Seat::Root(_) => "the document",
        Seat::Slot(id, at) if document.children(id).get(at).key.is_none() => "this item",
        Seat::Slot(..) | Seat::Detached(_) => "this",
    }
}

/// Returns go-patch's message for a missing key, and the hint at a similar one.
fn missing_key(
    keys: &[String],
    is_empty: bool,
    key: &str,
    path: &str,
) -> (String, Option<String>) {
    let found = if is_empty {
        "found no other map keys".into()
    } else {
        format!("found map keys: {}", list_keys(keys))
    };
    let message =
        format!("Expected to find a map key '{key}' for path '{path}' ({found})");
    (message, nearest(key, keys).map(|key| format!("did you mean '{key}'?")))
}

/// The string keys among entries, sorted by their bytes as go-patch lists them.
fn string_keys(document: &Tree, pairs: &[(NodeId, NodeId)]) -> Vec<String> {
    let text = |key: NodeId| {
        if document.is_hidden(key) {
            return Some(HIDDEN.to_owned());
        }
        Some(document.string(key)?.into_owned())
    };
    let mut keys: Vec<String> = pairs.iter().filter_map(|&(key, _)| text(key)).collect();
    keys.sort_unstable();
    keys
}

/// Lists keys in quotes, and `…` for those beyond the limits.
fn list_keys(keys: &[String]) -> String {
    let mut size = 0;
    let fits = |key: &&String| {
        size += key.len();
        size <= MAX_LISTED_BYTES
    };
    let shown = keys.iter().take(MAX_LISTED_KEYS).take_while(fits).count();
    let list = format!("'{}'", keys[..shown].join("', '"));
    match (shown == keys.len(), shown) {
        (true, _) => list,
        (false, 0) => "…".into(),
        (false, _) => list + ", …",
    }
}

/// Returns the candidate that is most like what was written.
fn nearest<'c>(written: &str, candidates: &'c [String]) -> Option<&'c String> {
    if written.len() > MAX_COMPARED_LENGTH {
        return None;
    }
    let lower = written.to_lowercase();
    let size = written.chars().count();
    // The distance is at least the difference of the lengths: most names need none.
    let near = |c: &&String| {
        let allowed = 1 + c.len().min(written.len()) / 4;
        c.len() <= MAX_COMPARED_LENGTH && c.chars().count().abs_diff(size) <= allowed
    };
    let distance = |c: &String| strsim::osa_distance(&c.to_lowercase(), &lower);
    let known = |c: &&String| *c == written || *c == HIDDEN;
    let others = candidates.iter().take(MAX_CANDIDATES).filter(near);
    let others = others.filter(|c| !known(c)).map(|c| (distance(c), c));
    let likely = |&(far, c): &(usize, &String)| {
        let shorter = c.len().min(written.len());
        far < shorter && far <= 1 + shorter / 4
    };
    others.min().filter(likely).map(|(_, c)| c)
}

/// Returns a hint for a match token `key=value` that no item of `sequence` matches.
fn match_hint(
    document: &Tree,
    sequence: NodeId,
    key: &str,
    value: &str,
) -> Option<String> {
    if let (Some(key), Some(value)) = (key.strip_prefix('['), value.strip_suffix(']')) {
        return Some(format!("write '{key}={value}': a match has no brackets"));
    }
    let parts = parts(document, sequence, key);
    if parts.is_empty() {
        let first = document.items(sequence).into_iter().next()?;
        let keys = string_keys(document, &document.pairs(first));
        return nearest(key, &keys).map(|key| format!("did you mean '{key}={value}'?"));
    }
    let parts: Vec<NodeId> =
        parts.into_iter().filter(|&part| !document.is_secret(part)).collect();
    // `port=80` does not match the number 80.
    let unlike = |&&part: &&NodeId| {
        document.string(part).is_none()
            && as_written(document, part) == Some(value.into())
    };
    if let Some(name) =
        parts.iter().find(unlike).and_then(|&part| describe(document, part))
    {
        return Some(format!("only strings match; here {key} is {name}"));
    }
    let string = |&part: &NodeId| Some(document.string(part)?.into_owned());
    let values: Vec<String> = parts.iter().filter_map(string).collect();
    nearest(value, &values).map(|value| format!("did you mean '{value}'?"))
}

fn parts(document: &Tree, sequence: NodeId, key: &str) -> Vec<NodeId> {
    let items = document.items(sequence).into_iter().take(MAX_CANDIDATES);
    items.filter_map(|item| document.get(item, key)).collect()
}

fn as_written(document: &Tree, node: NodeId) -> Option<String> {
    match document.follow(node) {
        NodeId::Clean(file, i) if document.kind(node) == Kind::Scalar => {
            Some(document.arena(file).string(i).into_owned())
        }
        NodeId::Clean(..) | NodeId::Opened(_) => None,
    }
}

/// Returns a hint at the match token that finds the item called `name`.
fn item_hint(document: &Tree, sequence: NodeId, name: &str) -> Option<String> {
    let called = |part: NodeId| document.string(part).as_deref() == Some(name);
    let mut keys = NAME_KEYS
        .into_iter()
        .filter(|key| parts(document, sequence, key).into_iter().any(called));
    keys.next().map(|key| format!("did you mean '{key}={name}'?"))
}

/// Returns a hint for a key such as `*` or `[0]` that stands for an item of a list.
fn list_hint(document: &Tree, node: NodeId, key: &str) -> Option<String> {
    if document.kind(node) != Kind::Sequence {
        return None;
    }
    let inner = key.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    if key == "*" || inner == Some("*") {
        let one = "an op is about one item: write an index or a match, such as '0' or";
        return Some(format!("{one} 'name=web', in place of '{key}'"));
    }
    let inner = inner?;
    let is_index = inner.parse::<i64>().is_ok();
    is_index.then(|| format!("write '{inner}': an index has no brackets"))
}

/// Returns a hint at a key that is written like `name` and is no string.
fn unlike_key(document: &Tree, mapping: NodeId, name: &str) -> Option<String> {
    let pairs = document.pairs(mapping);
    let mut keys = pairs.into_iter().map(|(key, _)| key);
    let unlike = |key: &NodeId| {
        document.string(*key).is_none()
            && !document.is_hidden(*key)
            && as_written(document, *key).as_deref() == Some(name)
    };
    let kind = describe_type(document, keys.find(unlike)?);
    let how = match document.dialect() {
        Dialect::Core => "quote it in the document",
        Dialect::Go | Dialect::Yaml11 if kind == "a boolean" => {
            "`--schema core` reads it as a string"
        }
        Dialect::Go | Dialect::Yaml11 => "quote it in the document",
    };
    Some(format!("'{name}' is there as {kind}, which no path leads to; {how}"))
}

fn empty_token_hint(token: &str) -> Option<String> {
    let hint = || "an empty token is the key ''; the root is the empty path".into();
    token.is_empty().then(hint)
}

/// Returns true if missing nodes at these tokens can surely be made.
fn can_make(tokens: &[Token]) -> bool {
    tokens.windows(2).all(|pair| match pair {
        // The mapping that is made for a match has one entry.
        [Token::Match { key, .. }, Token::Key(next)] => next != key,
        [Token::Match { .. }, _] | [_, Token::Index(..)] => false,
        _ => true,
    })
}

/// The kind of container that a missing node needs so that `next` can be made in it.
/// `None` for an index: the items before it are unknown.
fn container_for(next: &Token) -> Option<Kind> {
    match next {
        Token::Key(_) => Some(Kind::Mapping),
        Token::Match { .. } | Token::End => Some(Kind::Sequence),
        Token::Index(..) => None,
    }
}
