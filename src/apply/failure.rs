//! Failures of ops: go-patch's message, the token at which the op failed, and labels and
//! hints at the deepest place of the document that was reached.

use crate::diagnostic::Diagnostic;
use crate::node::{Document, Kind, Node, Seat};
use crate::patch::Op;
use crate::pointer::Token;
use crate::scalar::Scalar;
use crate::source::Span;

/// Maximum number of names that are compared with the one that was written.
///
/// Ops fail by the thousand, and each failure compares names anew.
const MAX_CANDIDATES: usize = 1_000;

/// Maximum length of the names that are compared, in bytes. An edit distance takes time
/// proportional to the product of both lengths.
const MAX_COMPARED_LENGTH: usize = 100;

/// Maximum number of keys in one message, and of bytes in them. go-patch lists every key;
/// of a mapping with a million keys that is a message of many megabytes.
const MAX_LISTED_KEYS: usize = 1_000;
const MAX_LISTED_BYTES: usize = 64 << 10;

/// Maximum length of a description, in characters: it stands inside of a label on one
/// line of a terminal.
const MAX_DESCRIPTION_LENGTH: usize = 40;

/// Replaces a key that was made of the value of a variable.
const HIDDEN: &str = "…";

/// An op that failed.
#[derive(Debug)]
pub(super) struct Failure {
    message: String,
    /// The number of the token at which it failed.
    depth: usize,
    /// True if only the last step is missing, so that a test for absence passes.
    missing: bool,
    labels: Vec<(Span, String)>,
    hint: Option<String>,
}

impl Failure {
    pub(super) fn new(message: String, depth: usize) -> Failure {
        Failure { message, depth, missing: false, labels: Vec::new(), hint: None }
    }

    /// Marks that nothing exists at the place, and that this is the only error.
    pub(super) fn missing(self) -> Failure {
        Failure { missing: true, ..self }
    }

    /// Returns true if the last token of a pointer of `depth` tokens is what is missing.
    pub(super) fn is_missing_at(&self, depth: usize) -> bool {
        self.missing && self.depth + 1 == depth
    }

    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// Adds a label at a place, unless it was never written.
    pub(super) fn label(
        mut self,
        place: Option<Span>,
        text: impl Into<String>,
    ) -> Failure {
        self.labels.extend(place.map(|span| (span, text.into())));
        self
    }

    /// Adds a hint, unless there is one already.
    pub(super) fn hint(self, hint: Option<String>) -> Failure {
        Failure { hint: self.hint.or(hint), ..self }
    }

    pub(super) fn into_diagnostic(self) -> Box<Diagnostic> {
        self.add_to(Diagnostic::error(&*self.message))
    }

    fn add_to(&self, diagnostic: Box<Diagnostic>) -> Box<Diagnostic> {
        let labels = self.labels.iter();
        let diagnostic = labels.fold(diagnostic, |d, (span, text)| d.label(*span, text));
        self.hint.iter().fold(diagnostic, Diagnostic::hint)
    }

    /// Returns the diagnostic, with the op as its first place.
    pub(super) fn diagnose(&self, op: &Op, document: &Document) -> Diagnostic {
        let span = token_span(op, document, self.depth).unwrap_or(op.origin.path);
        let diagnostic = Diagnostic::error(&*self.message);
        let operation = format!("operation [{}] fails here", op.origin.number);
        *self.add_to(diagnostic.label(span, operation))
    }
}

/// Returns the part of the written path that is the token at `depth`.
fn token_span(op: &Op, document: &Document, depth: usize) -> Option<Span> {
    let path = op.origin.path;
    let text =
        document.arena(path.file).text().get(path.start as usize..path.end as usize)?;
    let mut slashes = text.match_indices('/').map(|(at, _)| at);
    // A path in double quotes may spell a slash as an escape, `\x2f`.
    (slashes.clone().count() == op.at.tokens.len()).then_some(())?;
    let start = slashes.nth(depth)?;
    let end = slashes.next().unwrap_or(text.trim_end_matches(['"', '\'']).len());
    (end > start).then_some(())?;
    Some(Span { start: path.start + start as u32, end: path.start + end as u32, ..path })
}

/// Describes a short scalar, e.g. `the number 2`; `None` for anything else.
pub(super) fn describe(document: &Document, node: Node) -> Option<String> {
    let name = match document.scalar(node) {
        _ if document.kind(node) != Kind::Scalar => return None,
        Scalar::Null => "null".into(),
        Scalar::Bool(x) => format!("the boolean {x}"),
        Scalar::Int(x) => format!("the number {x}"),
        Scalar::Big(x) => format!("the number {x}"),
        Scalar::Float(x) => format!("the number {x}"),
        Scalar::String(x) => format!("the string {x:?}"),
        Scalar::Binary(_) => return None,
    };
    (name.chars().count() <= MAX_DESCRIPTION_LENGTH).then_some(name)
}

/// Describes the type of `node`, e.g. `a list`.
pub(super) fn describe_type(document: &Document, node: Node) -> &'static str {
    match document.type_name(node) {
        "[]interface {}" => "a list",
        "map[interface {}]interface {}" => "a mapping",
        "<nil>" => "null",
        "bool" => "a boolean",
        "string" => "a string",
        _ => "a number",
    }
}

/// Names the node at `seat` in the subject of a label.
pub(super) fn subject(document: &Document, seat: Seat) -> &'static str {
    match seat {
        Seat::Root(_) => "the document",
        Seat::Slot(id, at) if document.children(id).get(at).key.is_none() => "this item",
        Seat::Slot(..) | Seat::Detached(_) => "this",
    }
}

/// Returns go-patch's message for a key that `mapping` does not have, and the hint at a
/// similar key.
pub(super) fn missing_key(
    document: &Document,
    mapping: Node,
    key: &str,
    path: &str,
) -> (String, Option<String>) {
    let pairs = document.pairs(mapping);
    let keys = string_keys(document, &pairs);
    let found = if pairs.is_empty() {
        "found no other map keys".into()
    } else {
        format!("found map keys: {}", list_keys(&keys))
    };
    let message =
        format!("Expected to find a map key '{key}' for path '{path}' ({found})");
    (message, nearest(key, &keys).map(|key| format!("did you mean '{key}'?")))
}

/// The string keys among entries, sorted by their bytes as go-patch lists them.
fn string_keys(document: &Document, pairs: &[(Node, Node)]) -> Vec<String> {
    let text = |key: Node| {
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
pub(super) fn match_hint(
    document: &Document,
    sequence: Node,
    key: &str,
    value: &str,
) -> Option<String> {
    let parts = parts(document, sequence, key);
    if parts.is_empty() {
        let first = document.items(sequence).into_iter().next()?;
        let keys = string_keys(document, &document.pairs(first));
        return nearest(key, &keys).map(|key| format!("did you mean '{key}={value}'?"));
    }
    let parts: Vec<Node> =
        parts.into_iter().filter(|&part| !document.is_secret(part)).collect();
    // `port=80` does not match the number 80.
    let unlike = |&&part: &&Node| {
        document.string(part).is_none()
            && as_written(document, part) == Some(value.into())
    };
    if let Some(name) =
        parts.iter().find(unlike).and_then(|&part| describe(document, part))
    {
        return Some(format!("only strings match; here {key} is {name}"));
    }
    let string = |&part: &Node| Some(document.string(part)?.into_owned());
    let values: Vec<String> = parts.iter().filter_map(string).collect();
    nearest(value, &values).map(|value| format!("did you mean '{value}'?"))
}

/// The values of `key` in the first mappings of a sequence.
fn parts(document: &Document, sequence: Node, key: &str) -> Vec<Node> {
    let items = document.items(sequence).into_iter().take(MAX_CANDIDATES);
    items.filter_map(|item| document.get(item, key)).collect()
}

/// The text of a written scalar, whatever its type.
fn as_written(document: &Document, node: Node) -> Option<String> {
    match document.follow(node) {
        Node::Clean(file, i) if document.kind(node) == Kind::Scalar => {
            Some(document.arena(file).string(i).into_owned())
        }
        Node::Clean(..) | Node::Opened(_) => None,
    }
}

/// Returns a hint at the match token that finds the item called `name`.
pub(super) fn item_hint(
    document: &Document,
    sequence: Node,
    name: &str,
) -> Option<String> {
    let called = |part: Node| document.string(part).as_deref() == Some(name);
    let keys = ["name", "id", "key"].into_iter();
    let mut keys =
        keys.filter(|key| parts(document, sequence, key).into_iter().any(called));
    keys.next().map(|key| format!("did you mean '{key}={name}'?"))
}

/// Returns a hint for the empty token of `/` and `a//b`.
pub(super) fn empty_token_hint(token: &str) -> Option<String> {
    let hint = || "an empty token is the key ''; the root is the empty path".into();
    token.is_empty().then(hint)
}

/// The kind of container that a missing node needs so that `next` can be made in it.
/// `None` for an index: the items before it are unknown.
pub(super) fn container_for(next: &Token) -> Option<Kind> {
    match next {
        Token::Key(_) => Some(Kind::Mapping),
        Token::Match { .. } | Token::End => Some(Kind::Sequence),
        Token::Index(..) => None,
    }
}
