//! Why an op failed: go-patch's message, the token it failed at, and the deepest place
//! of the document that was reached.

use super::walk::{Walk, Way};
use crate::diagnostic::Diagnostic;
use crate::node::{Document, Kind, Node, Seat, SlotId};
use crate::patch::Op;
use crate::pointer::Token;
use crate::scalar::Scalar;
use crate::source::Span;

/// How many names are looked at for one that was meant: ops fail by the thousand, too.
const LOOKED_AT: usize = 1_000;

/// Longer names are not compared: that takes the square of their length.
const COMPARED: usize = 100;
/// One message lists so many keys, and keys of so many bytes.
const LISTED: usize = 1_000;
const LISTED_SIZE: usize = 64 << 10;

/// A value is named in so many characters, or not at all.
const NAMED: usize = 40;
/// Stands in a message for what a variable was filled into.
const HIDDEN: &str = "…";
/// This many of the items that match are shown.
const SHOWN: usize = 3;

/// An op that failed.
#[derive(Debug)]
pub(super) struct Failure {
    pub(super) message: String,
    /// The number of the token it failed at.
    pub(super) depth: usize,
    /// Whether the place does not exist, all else being well.
    pub(super) missing: bool,
    labels: Vec<(Span, String)>,
    hint: Option<String>,
}

impl Failure {
    pub(super) fn new(message: String, depth: usize) -> Failure {
        Failure { message, depth, missing: false, labels: Vec::new(), hint: None }
    }

    pub(super) fn missing(self) -> Failure {
        Failure { missing: true, ..self }
    }

    /// Says what is at a place, if that was written anywhere.
    pub(super) fn label(
        mut self,
        place: Option<Span>,
        text: impl Into<String>,
    ) -> Failure {
        self.labels.extend(place.map(|span| (span, text.into())));
        self
    }

    /// Helps, unless somebody did already.
    pub(super) fn hint(self, hint: Option<String>) -> Failure {
        Failure { hint: self.hint.or(hint), ..self }
    }

    pub(super) fn place(&self, diagnostic: Box<Diagnostic>) -> Box<Diagnostic> {
        let labels = self.labels.iter();
        let diagnostic = labels.fold(diagnostic, |d, (span, text)| d.label(*span, text));
        self.hint.iter().fold(diagnostic, Diagnostic::hint)
    }

    pub(super) fn diagnose(&self, op: &Op, document: &Document) -> Diagnostic {
        let span = token_span(op, document, self.depth).unwrap_or(op.origin.path);
        let diagnostic = Diagnostic::error(&*self.message);
        let operation = format!("operation [{}] fails here", op.origin.number);
        *self.place(diagnostic.label(span, operation))
    }
}

/// The candidate most like what was written.
fn nearest<'c>(written: &str, candidates: &'c [String]) -> Option<&'c String> {
    if written.len() > COMPARED {
        return None;
    }
    let lower = written.to_lowercase();
    let size = written.chars().count();
    let near = |c: &&String| {
        let allowed = 1 + c.len().min(written.len()) / 4;
        c.len() <= COMPARED && c.chars().count().abs_diff(size) <= allowed
    };
    let distance = |c: &String| strsim::osa_distance(&c.to_lowercase(), &lower);
    let known = |c: &&String| *c == written || *c == HIDDEN;
    let others = candidates.iter().take(LOOKED_AT).filter(near).filter(|c| !known(c));
    let likely = |&(far, c): &(usize, &String)| {
        let shorter = c.len().min(written.len());
        far < shorter && far <= 1 + shorter / 4
    };
    others.map(|c| (distance(c), c)).min().filter(likely).map(|(_, c)| c)
}

/// The part of a path that says the token at `depth`, if the path is written plainly.
fn token_span(op: &Op, document: &Document, depth: usize) -> Option<Span> {
    let path = op.origin.path;
    let text =
        document.arena(path.file).text().get(path.start as usize..path.end as usize)?;
    let mut slashes = text.match_indices('/').map(|(at, _)| at);
    (slashes.clone().count() == op.at.tokens.len()).then_some(())?;
    let start = slashes.nth(depth)?;
    let end = slashes.next().unwrap_or(text.trim_end_matches(['"', '\'']).len());
    (end > start).then_some(())?;
    Some(Span { start: path.start + start as u32, end: path.start + end as u32, ..path })
}

impl Document {
    /// What people call `node`: `the number 2`. A collection and a long text have no name.
    pub(super) fn describe(&self, node: Node) -> Option<String> {
        let name = match self.scalar(node) {
            _ if self.kind(node) != Kind::Scalar => return None,
            Scalar::Null => "null".into(),
            Scalar::Bool(x) => format!("the boolean {x}"),
            Scalar::Int(x) => format!("the number {x}"),
            Scalar::Big(x) => format!("the number {x}"),
            Scalar::Float(x) => format!("the number {x}"),
            Scalar::String(x) => format!("the string {x:?}"),
            Scalar::Binary(_) => return None,
        };
        (name.chars().count() <= NAMED).then_some(name)
    }

    /// What people call the type of `node`.
    pub(super) fn sort(&self, node: Node) -> &'static str {
        match self.type_name(node) {
            "[]interface {}" => "a list",
            "map[interface {}]interface {}" => "a mapping",
            "<nil>" => "null",
            "bool" => "a boolean",
            "string" => "a string",
            _ => "a number",
        }
    }

    /// The string keys of a mapping, sorted by their bytes, and whether it has any key.
    pub(super) fn keys(&self, mapping: Node) -> (Vec<String>, bool) {
        let pairs = self.pairs(mapping);
        let text = |key: Node| match self.scalar(key) {
            _ if self.is_hidden(key) => Some(HIDDEN.to_owned()),
            Scalar::String(text) if self.kind(key) == Kind::Scalar => {
                Some(text.into_owned())
            }
            _ => None,
        };
        let mut keys: Vec<String> =
            pairs.iter().filter_map(|&(key, _)| text(key)).collect();
        keys.sort_unstable();
        (keys, !pairs.is_empty())
    }

    /// What stands at `key` in the first mappings of a sequence.
    fn parts(&self, sequence: Node, key: &str) -> Vec<Node> {
        let items = self.items(sequence).into_iter().take(LOOKED_AT);
        items.filter_map(|item| self.get(item, key)).collect()
    }

    /// The string that `node` is.
    pub(super) fn string(&self, node: Node) -> Option<String> {
        match self.scalar(node) {
            Scalar::String(text) => Some(text.into_owned()),
            _ => None,
        }
    }
}

impl Walk<'_> {
    /// There is no entry `key` in the opened mapping at `seat`.
    pub(super) fn no_key(&self, seat: Seat, id: u32, depth: usize, key: &str) -> Failure {
        if self.brief {
            let path = self.path(depth);
            let message = format!("Expected to find a map key '{key}' for path '{path}'");
            return Failure::new(message, depth).missing();
        }
        let (keys, any) = self.document.keys(Node::Opened(id));
        let message = missing_key(key, &self.path(depth), &keys, any);
        let near = nearest(key, &keys).map(|key| format!("did you mean '{key}'?"));
        let token = &self.pointer.tokens[depth];
        let add =
            (self.way == Way::Replace).then(|| format!("write '{token}?' to add it"));
        Failure::new(message, depth)
            .missing()
            .label(
                self.document.span_at(seat),
                format!("{} has no such key", self.document.whole(seat)),
            )
            .hint(empty(key))
            .hint(near)
            .hint(add)
    }

    /// Not one item of the opened sequence at `seat` matches, but none or several.
    pub(super) fn no_match(
        &self,
        seat: Seat,
        id: u32,
        depth: usize,
        found: &[SlotId],
    ) -> Failure {
        let message = format!(
            "Expected to find exactly one matching array item for path '{}' but found {}",
            self.path(depth),
            found.len()
        );
        let failure = Failure::new(message, depth);
        let Token::Match { key, value, .. } = &self.pointer.tokens[depth] else {
            return failure;
        };
        if self.brief {
            return failure;
        }
        if found.is_empty() {
            let place = self.document.span_at(seat);
            let label = format!("{} has no such item", self.document.whole(seat));
            return failure.label(place, label).hint(self.document.meant(
                Node::Opened(id),
                key,
                value,
            ));
        }
        let item = |&at: &SlotId| self.document.span_at(Seat::Slot(id, at));
        let items = found.iter().take(SHOWN).map(item);
        items.fold(failure, |failure, place| failure.label(place, "this matches"))
    }

    /// `node` at `seat` is not the collection that is asked for.
    pub(super) fn no_container(&self, node: Node, seat: Seat, depth: usize) -> Failure {
        let token = &self.pointer.tokens[depth];
        let wanted = if let Token::Key(_) = token { "a map" } else { "an array" };
        let (path, found) = (self.path(depth), self.document.type_name(node));
        let message =
            format!("Expected to find {wanted} at path '{path}' but found '{found}'");
        let label =
            format!("{} is {}", self.document.whole(seat), self.document.sort(node));
        let failure =
            Failure::new(message, depth).label(self.document.span_at(seat), label);
        let Token::Key(key) = token else { return failure };
        if self.brief {
            return failure;
        }
        failure.hint(empty(key)).hint(self.document.item_called(node, key))
    }

    /// An item is asked for that the sequence at `seat` is too short for.
    pub(super) fn no_item(
        &self,
        seat: Seat,
        depth: usize,
        index: i64,
        len: i64,
    ) -> Failure {
        let message = format!(
            "Expected to find array index '{index}' but found array of length '{len}' for \
             path '{}'",
            self.path(depth)
        );
        let items = if len == 1 { "item" } else { "items" };
        Failure::new(message, depth).missing().label(
            self.document.span_at(seat),
            format!("{} has {len} {items}", self.document.whole(seat)),
        )
    }
}

impl Document {
    /// What people call what sits there.
    fn whole(&self, seat: Seat) -> &'static str {
        match seat {
            Seat::Root(_) => "the document",
            Seat::Slot(id, at) if self.children(id).get(at).key.is_none() => "this item",
            Seat::Slot(..) | Seat::Detached(_) => "this",
        }
    }

    /// What somebody may have meant who looked for an item by `key` and `value` in vain.
    fn meant(&self, sequence: Node, key: &str, value: &str) -> Option<String> {
        let parts = self.parts(sequence, key);
        if parts.is_empty() {
            let first = self.items(sequence).into_iter().next()?;
            let (keys, _) = self.keys(first);
            return nearest(key, &keys)
                .map(|key| format!("did you mean '{key}={value}'?"));
        }
        let parts: Vec<Node> =
            parts.into_iter().filter(|&part| !self.is_secret(part)).collect();
        let unlike = |&&part: &&Node| {
            self.string(part).is_none() && self.plainly(part).as_deref() == Some(value)
        };
        if let Some(name) =
            parts.iter().find(unlike).and_then(|&part| self.describe(part))
        {
            return Some(format!("only strings match; here {key} is {name}"));
        }
        let values: Vec<String> =
            parts.iter().filter_map(|&part| self.string(part)).collect();
        nearest(value, &values).map(|value| format!("did you mean '{value}'?"))
    }

    /// The scalar `node` as it was written.
    fn plainly(&self, node: Node) -> Option<String> {
        match self.follow(node) {
            Node::Clean(file, i) if self.kind(node) == Kind::Scalar => {
                Some(self.arena(file).string(i).into_owned())
            }
            Node::Clean(..) | Node::Opened(_) => None,
        }
    }

    /// The token that finds what is called `name` in a sequence.
    fn item_called(&self, sequence: Node, name: &str) -> Option<String> {
        let called = |part: Node| self.string(part).as_deref() == Some(name);
        let keys = ["name", "id", "key"].into_iter();
        let mut keys =
            keys.filter(|key| self.parts(sequence, key).into_iter().any(called));
        keys.next().map(|key| format!("did you mean '{key}={name}'?"))
    }
}

fn empty(key: &str) -> Option<String> {
    let hint = || "an empty token is the key ''; the root is the empty path".into();
    key.is_empty().then(hint)
}

/// The Go type of the token that stands for the place after the last item.
pub(super) const AFTER_LAST: &str = "patch.AfterLastIndexToken";

/// The message for a key that a mapping does not have.
fn missing_key(key: &str, path: &str, keys: &[String], any: bool) -> String {
    let found = if any {
        format!("found map keys: {}", list(keys))
    } else {
        "found no other map keys".into()
    };
    format!("Expected to find a map key '{key}' for path '{path}' ({found})")
}

/// As many of the keys as somebody may read.
fn list(keys: &[String]) -> String {
    let mut size = 0;
    let fits = |key: &&String| {
        size += key.len();
        size <= LISTED_SIZE
    };
    let shown = keys.iter().take(LISTED).take_while(fits).count();
    let list = format!("'{}'", keys[..shown].join("', '"));
    match (shown == keys.len(), shown) {
        (true, _) => list,
        (false, 0) => "…".into(),
        (false, _) => list + ", …",
    }
}

/// Whether a container for `next` can be made, and of which kind.
pub(super) fn container(next: &Token) -> Option<Kind> {
    match next {
        Token::Key(_) => Some(Kind::Mapping),
        Token::Match { .. } | Token::End => Some(Kind::Sequence),
        Token::Index(..) => None,
    }
}
