//! The explanations of what an op does not find or cannot do: go-patch's message, labels at
//! the deepest place of the document that was reached, and hints at what was likely meant.

mod json_pointer;
mod meant_query;

use std::borrow::Cow;

use self::meant_query::MeantQuery;
use super::failure::{OpFailure, OpResult, describe, describe_type};
use super::place::Purpose;
use super::resolve::AnyPath;
use crate::compare::NAME_KEYS;
use crate::diagnostic::{Diagnostic, listed, shell_word};
use crate::node::{Kind, NodeId, Seat, SlotId, Tree};
use crate::patch::{Expect, Op, TypedPath};
use crate::pointer::{Pointer, Token};
use crate::scalar::{Dialect, Scalar};
use crate::select::{DeadEnd, PatternWarning, Query};

/// The Go type of the token for the place after the last item, which go-patch prints.
const AFTER_LAST: &str = "patch.AfterLastIndexToken";

/// Maximum number of names of items that are told: they fit a line.
const MAX_SHOWN_NAMES: usize = 5;

/// Maximum number of matches that are labelled: each label takes several lines.
// The message has the number of all; three show what they have in common.
const MAX_SHOWN_MATCHES: usize = 3;

/// Maximum number of names that are compared anew for each of many failures.
// As many as `diagnostic::near` compares for one failure.
const MAX_CANDIDATES: usize = 1_000;

/// Maximum length of compared names in bytes: the time grows with the product of both.
// Names of keys are shorter; a longer one was hardly misspelt by a letter.
const MAX_COMPARED_LENGTH: usize = 100;

/// Maximum number of keys in one message, and of bytes in them.
// go-patch lists all keys, and so do we for any mapping written by hand. Each of many failing ops
// lists them again, so that a mapping with 100,000 keys would fill the memory.
const MAX_LISTED_KEYS: usize = 1_000;
const MAX_LISTED_BYTES: usize = 64 << 10;

/// Replaces a key that was made of the value of a variable.
const HIDDEN: &str = "…";

/// A token of a path that leads nowhere, and the seat that it was followed from.
pub(super) struct FailedStep<'a> {
    pub(super) document: &'a mut Tree,
    pub(super) path: AnyPath<'a>,
    pub(super) depth: usize,
    pub(super) seat: Seat,
    pub(super) node: NodeId,
    pub(super) purpose: Purpose,
    /// True if a `?` marks what may be missing.
    pub(super) has_marks: bool,
    /// True if nobody reads the explanation.
    pub(super) brief: bool,
}

impl<'a> FailedStep<'a> {
    /// The path as far as the token, as its language prints it.
    fn path(&self) -> String {
        self.path.prefix(self.depth + 1)
    }

    fn token(&self) -> &'a Token {
        &self.path.tokens()[self.depth]
    }

    /// Returns true if a `?` would add what is missing.
    fn adds(&self) -> bool {
        self.purpose.puts() && self.has_marks
    }

    fn failure(&self, message: String) -> OpFailure {
        OpFailure::new(message, self.depth)
    }

    /// Adds a label about the node at the seat.
    fn labelled(&self, failure: OpFailure, what: &str) -> OpFailure {
        let subject = match self.seat {
            Seat::Root(_) => "the document",
            Seat::Slot(id, at) if self.document.children(id).get(at).key.is_none() => {
                "this item"
            }
            Seat::Slot(..) | Seat::Detached(_) => "this",
        };
        failure.label(self.document.span_at(self.seat), format!("{subject} {what}"))
    }

    /// Returns the failure of a key that the opened mapping does not have. It hints at how to
    /// add the key if that is possible.
    pub(super) fn no_key(self, id: u32, key: &str) -> OpFailure {
        let path = self.path();
        let message = format!("Expected to find a map key '{key}' for path '{path}'");
        if self.brief {
            return self.failure(message).missing();
        }
        let names = self.document.sorted_keys(id, HIDDEN);
        let mapping = NodeId::Opened(id);
        let found = if self.document.slots(mapping).is_empty() {
            "found no other map keys".into()
        } else {
            format!("found map keys: {}", list_keys(&names))
        };
        let near = nearest(key, &names).map(|key| format!("did you mean '{key}'?"));
        let may_differ =
            !self.document.names_other_keys() && !self.document.has_only_strings(id);
        let others =
            may_differ.then(|| unlike_key(self.document, mapping, key)).flatten();
        let other = others.or_else(|| self.spelt_key(&names, key));
        let add = (self.adds() && other.is_none() && !key.is_empty())
            .then(|| format!("write '{}?' to add it", self.token()));
        let failure = self.failure(format!("{message} ({found})")).missing();
        self.labelled(failure, "has no such key")
            .hint(empty_token_hint(key))
            .hint(other)
            .hint(near)
            .also(add)
    }

    /// Returns a hint at a key that the path spells in another way, e.g. with a slash.
    fn spelt_key(&self, names: &[String], key: &str) -> Option<String> {
        let following = &self.path.tokens()[self.depth + 1..];
        if key == "*" {
            let one = "an op is about one place: name the key in place of '*'";
            return Some(format!("{one}{}", self.or_all()));
        }
        if let Some((name, rest)) = key.split_once(['[', '.'])
            && is_among(names, name)
        {
            let rest = rest.replace([']', '"', '\''], "").replace(['[', '.'], "/");
            let rest = rest.trim_matches('/');
            return Some(format!("write '{name}/{rest}': '/' stands between names"));
        }
        let following = || {
            following.iter().map_while(|token| match token {
                Token::Key(name) => Some(&**name),
                _ => None,
            })
        };
        let names_it = |name: &str| is_among(names, name);
        let all = std::iter::once(key).chain(following());
        // A '.' in a dotted path may be a part of a name, too.
        name_with_slashes(all, names_it).or_else(|| {
            if self.has_marks {
                return None;
            }
            let mut name = key.to_owned();
            following().find_map(|next| {
                name = format!("{name}.{next}");
                let hint = || format!("write ['{name}']: a '.' in a name needs quotes");
                names_it(&name).then(hint)
            })
        })
    }

    /// Returns the end of a hint: the query that reaches all that the path was meant for.
    fn or_all(&self) -> String {
        let query = MeantQuery::of(self.path).map(|query| query.text());
        let all = query.map(|query| format!(", or write '{query}' for all"));
        all.unwrap_or_default()
    }

    /// Returns the failure of a match token with these matches in the opened list.
    pub(super) fn no_match(self, id: u32, found: &[SlotId]) -> OpFailure {
        let path = self.path();
        let failure = self.failure(format!(
            "Expected to find exactly one matching array item for path '{path}' but found {}",
            found.len()
        ));
        let failure = if found.is_empty() { failure.nowhere() } else { failure };
        let Token::Match { key, value, .. } = self.token() else { return failure };
        if self.brief {
            return failure;
        }
        if found.is_empty() {
            let (other, add) = self.unmatched(NodeId::Opened(id), key, value);
            let failure = self.labelled(failure, "has no such item");
            return failure.hint(other).also(add);
        }
        let all = MeantQuery::of(self.path).map(|query| query.text());
        let all = all.map(|query| format!("'{query}' selects them all"));
        let shown = found.iter().take(MAX_SHOWN_MATCHES);
        let failure = shown.fold(failure, |failure, &at| {
            failure.label(self.document.span_at(Seat::Slot(id, at)), "this matches")
        });
        failure.hint(all)
    }

    /// Returns a hint for a match token `key=value` that no item of `sequence` matches, and
    /// one at how to add the item, if that may be meant.
    fn unmatched(
        &self,
        sequence: NodeId,
        key: &str,
        value: &str,
    ) -> (Option<String>, Option<String>) {
        if let (Some(key), Some(value)) = (key.strip_prefix('['), value.strip_suffix(']'))
        {
            let hint = format!("write '{key}={value}': a match has no brackets");
            return (Some(hint), None);
        }
        let mut parts = parts(self.document, sequence, key);
        parts.retain(|&part| !self.document.is_secret(part));
        // `port=80` does not match the number 80.
        let unlike = parts.iter().find(|&&part| is_unlike(self.document, part, value));
        let unlike = unlike.and_then(|&part| self.unlike_match(key, part));
        if unlike.is_some() {
            return (unlike, None);
        }
        let token = match self.token() {
            token if self.has_marks => token.to_string(),
            _ => format!("[{key}={value}]"),
        };
        let add = format!("write '{token}?' to add it");
        let add = self.purpose.puts().then_some(add);
        let near = near_match(self.document, sequence, key, value);
        (near.or_else(|| self.names_there(key, &parts)), add)
    }

    /// Returns a hint at the texts that items have at a key.
    fn names_there(&self, key: &str, parts: &[NodeId]) -> Option<String> {
        let texts = parts.iter().filter_map(|&part| self.document.string(part));
        let mut names: Vec<String> = texts.map(|text| format!("'{text}'")).collect();
        names.dedup();
        let left_out = names.len().saturating_sub(MAX_SHOWN_NAMES);
        names.truncate(MAX_SHOWN_NAMES);
        let there = if names.len() == 1 { "there is an item" } else { "there are items" };
        if names.is_empty() {
            return None;
        }
        Some(format!("{there} with {key} {}", listed(names, left_out)))
    }

    /// Returns a hint at a value that a match token does not match, as it is no string.
    fn unlike_match(&self, key: &str, part: NodeId) -> Option<String> {
        let found = describe(self.document, part)?;
        let told = format!("only strings match; here {key} is {found}");
        let query = literal(&self.document.scalar(part))
            .zip(MeantQuery::of(self.path))
            .map(|(literal, query)| query.comparing(self.depth, key, &literal).text());
        Some(match query {
            Some(query) => format!("{told}, which '{query}' finds"),
            None => told,
        })
    }

    /// Returns the failure of a node that is not of the kind that the token needs.
    pub(super) fn no_container(self) -> OpFailure {
        let token = self.token();
        let (wanted, kind) = match token {
            Token::Key(_) => ("a map", Kind::Mapping),
            Token::Index(..) | Token::Match { .. } | Token::End => {
                ("an array", Kind::Sequence)
            }
        };
        let failure = self.failure(format!(
            "Expected to find {wanted} at path '{}' but found '{}'",
            self.path(),
            self.document.type_name(self.node)
        ));
        let failure = failure.mismatch(kind, self.document, self.node);
        let what = format!("is {}", describe_type(self.document, self.node));
        let failure = self.labelled(failure, &what);
        let Token::Key(key) = token else { return failure };
        if self.brief {
            return failure;
        }
        failure
            .hint(empty_token_hint(key))
            .hint(self.item_hint(key))
            .hint(self.list_hint(key))
            .hint(self.item_key_hint(key))
    }

    /// Returns a hint at the item that a name was meant for: `list.web` for `list[name=web]`.
    fn item_hint(&self, name: &str) -> Option<String> {
        let mut keys = NAME_KEYS.into_iter().filter(|key| {
            let mut parts = parts(self.document, self.node, key).into_iter();
            parts.any(|part| self.document.string(part).as_deref() == Some(name))
        });
        let key = keys.next()?;
        Some(if self.has_marks {
            format!("did you mean '{key}={name}'?")
        } else {
            let around = self.path.prefix(self.depth);
            let list =
                around.rsplit('/').next().unwrap_or_default().trim_end_matches('?');
            format!("did you mean '{list}[{key}={name}]'?")
        })
    }

    /// Returns a hint for a key such as `*` or `[0]` that stands for an item of a list.
    fn list_hint(&self, key: &str) -> Option<String> {
        if self.document.kind(self.node) != Kind::Sequence {
            return None;
        }
        let inner = key.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        if key == "*" || inner == Some("*") {
            let one =
                "an op is about one item: write an index or a match, such as '0' or";
            let all = self.or_all();
            return Some(format!("{one} 'name=web', in place of '{key}'{all}"));
        }
        let inner = inner?;
        let is_index = inner.parse::<i64>().is_ok();
        is_index.then(|| format!("write '{inner}': an index has no brackets"))
    }

    /// Returns a hint at the match that chooses an item by this key.
    fn item_key_hint(&self, key: &str) -> Option<String> {
        let is_list = self.document.kind(self.node) == Kind::Sequence;
        if is_list && key.parse::<u32>().is_ok() {
            return Some(format!("an index stands in brackets: '[{key}]'"));
        }
        if parts(self.document, self.node, key).is_empty() {
            return None;
        }
        let around = self.path.prefix(self.depth);
        Some(format!(
            "an item is chosen by a match: '{around}/{key}=…', in an option \
             '{around}[{key}=…]'"
        ))
    }

    /// Returns the failure of an index that a list of this length does not have.
    pub(super) fn no_item(self, index: i64, len: usize) -> OpFailure {
        let path = self.path();
        let failure = self.failure(format!(
            "Expected to find array index '{index}' but found array of length '{len}' for \
             path '{path}'"
        ));
        self.labelled(failure.missing(), &format!("has {}", items(len)))
    }

    /// Returns the failure of `-` where no value is put.
    pub(super) fn no_end(self, finds: bool) -> OpFailure {
        let path = self.path.prefix(self.path.len());
        self.failure(if finds {
            format!(
                "Expected not to find after last index token in path '{path}' (not \
                 supported in find operations)"
            )
        } else {
            format!("Expected to not find token '{AFTER_LAST}' at path '{path}'")
        })
    }
}

/// Returns the failure of a token that tells nothing about a missing node, which is not made
/// then.
pub(super) fn not_made(path: AnyPath<'_>, depth: usize, puts: bool) -> OpFailure {
    let end = if puts {
        "key, matching index or after last index"
    } else {
        "key or matching index"
    };
    let path = path.prefix(depth + 1);
    OpFailure::new(format!("Expected to find {end} token at path '{path}'"), depth)
}

fn items(count: usize) -> String {
    format!("{count} {}", if count == 1 { "item" } else { "items" })
}

/// Returns true if a name is among some that are sorted.
fn is_among(names: &[String], name: &str) -> bool {
    names.binary_search_by(|it| (**it).cmp(name)).is_ok()
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
    let others = candidates.iter().take(MAX_CANDIDATES).filter(near);
    let others = others.filter(|&c| c != written && c != HIDDEN);
    let (far, likely) =
        others.map(|c| (strsim::osa_distance(&c.to_lowercase(), &lower), c)).min()?;
    let shorter = likely.len().min(written.len());
    (far < shorter && far <= 1 + shorter / 4).then_some(likely)
}

/// Returns a hint at a match token that is like `key=value` and that an item of `sequence`
/// matches.
fn near_match(
    document: &Tree,
    sequence: NodeId,
    key: &str,
    value: &str,
) -> Option<String> {
    let mut parts = parts(document, sequence, key);
    if parts.is_empty() {
        let first = document.items(sequence).into_iter().next()?;
        let pairs = document.pairs(first).into_iter();
        let keys = pairs.map(|(key, _)| key).filter(|&key| !document.is_hidden(key));
        let mut names: Vec<String> =
            keys.filter_map(|key| Some(document.string(key)?.into_owned())).collect();
        names.sort_unstable();
        return nearest(key, &names).map(|key| format!("did you mean '{key}={value}'?"));
    }
    parts.retain(|&part| !document.is_secret(part));
    let values = parts.iter().filter_map(|&part| document.string(part));
    let values: Vec<String> = values.map(Cow::into_owned).collect();
    nearest(value, &values).map(|value| format!("did you mean '{value}'?"))
}

/// Spells a scalar as a literal of a query; `None` for a string, and for what has none there.
fn literal(scalar: &Scalar) -> Option<String> {
    match scalar {
        Scalar::Null => Some("null".into()),
        Scalar::Bool(value) => Some(value.to_string()),
        Scalar::Int(value) => Some(value.to_string()),
        Scalar::Big(value) => Some(value.to_string()),
        Scalar::Float(value) => value.is_finite().then(|| value.to_string()),
        Scalar::String(_) | Scalar::Binary(_) => None,
    }
}

/// Returns the first of the names that the joined parts of a path give which is there: as
/// they are spelt where a '/' in a name is thought to need no escape, or another one.
fn name_with_slashes<'p>(
    parts: impl Iterator<Item = &'p str>,
    is_there: impl Fn(&str) -> bool,
) -> Option<String> {
    let mut name = String::new();
    for (at, part) in parts.enumerate() {
        if at > 0 {
            name.push('/');
        }
        name += &part.trim_end_matches('\\').replace("%2F", "/").replace("%2f", "/");
        if name.len() > MAX_COMPARED_LENGTH {
            return None;
        }
        if name.contains('/') && is_there(&name) {
            let name = Pointer::escape(&name);
            return Some(format!("write '{name}': a '/' in a name is '~1'"));
        }
    }
    None
}

fn parts(document: &Tree, sequence: NodeId, key: &str) -> Vec<NodeId> {
    let items = document.items(sequence).into_iter().take(MAX_CANDIDATES);
    items.filter_map(|item| document.get(item, key)).collect()
}

/// Returns true if a scalar is written as `text` and is no string.
fn is_unlike(document: &Tree, node: NodeId, text: &str) -> bool {
    match document.follow(node) {
        NodeId::Clean(file, i) if document.kind(node) == Kind::Scalar => {
            document.string(node).is_none() && document.arena(file).string(i) == text
        }
        NodeId::Clean(..) | NodeId::Opened(_) => false,
    }
}

/// Returns a hint at a key that is written like `name` and is no string, in a document of bosh.
fn unlike_key(document: &Tree, mapping: NodeId, name: &str) -> Option<String> {
    let mut keys = document.pairs(mapping).into_iter().map(|(key, _)| key);
    let key =
        keys.find(|&key| !document.is_hidden(key) && is_unlike(document, key, name))?;
    let kind = describe_type(document, key);
    Some(format!(
        "'{name}' is there as {kind}, to which no path of bosh leads; with `--schema core` \
         one does"
    ))
}

fn empty_token_hint(token: &str) -> Option<String> {
    let hint = "an empty token is the key ''; the root is the empty path";
    token.is_empty().then(|| hint.into())
}

/// Returns the failure of a query that selects nothing, with the place that it reaches; for
/// an op that replaces, with how to add what is missing.
pub(super) fn no_match(
    document: &Tree,
    query: &Query,
    root: usize,
    replaces: bool,
) -> OpFailure {
    let failure =
        OpFailure::new(format!("nothing matches '{query}'"), usize::MAX).nowhere();
    let Some(end) = DeadEnd::of(document, document.roots()[root], query) else {
        return failure;
    };
    let add = end.new_key.filter(|_| replaces).map(|(mappings, key)| {
        let path = format!("path: \"{mappings}\"");
        format!(
            "a query makes no keys: `{{type: merge, {path}, value: {{{key}: …}}}}` does"
        )
    });
    let pattern = query.pattern_warnings().first().map(PatternWarning::told);
    let failure = failure.label_line(document, end.node, end.lacks);
    failure.hint(pattern).hint(end.hint).hint(add)
}

/// Returns a hint at the key that an argument with a query makes, if a key before it is missing.
pub(super) fn last_key_only(
    document: &Tree,
    query: &Query,
    root: usize,
) -> Option<String> {
    let (around, key) = query.split_key()?;
    let end = DeadEnd::of(document, document.roots()[root], &around)?;
    end.new_key?;
    Some(format!("only the last key is made: '{around}={{{key}: …}}' makes both"))
}

/// Returns a warning about a query that selects nothing, if another one was likely meant.
pub fn likely_meant(
    document: &Tree,
    query: &Query,
    root: usize,
) -> Option<Box<Diagnostic>> {
    let end = DeadEnd::of(document, document.roots()[root], query)?;
    let warning = Diagnostic::warning(format!("nothing matches '{query}'"));
    let place = document.span(end.node).map(|span| document.first_line(span));
    let warning = place.into_iter().fold(warning, |d, at| d.label(at, &*end.lacks));
    Some(warning.hint(end.hint?))
}

/// Returns the failure of a node that is not as a test expects it. `depth` is the number of
/// tokens of the path.
pub(super) fn unexpected(
    document: &Tree,
    op: &Op,
    expect: Expect,
    found: NodeId,
    depth: usize,
) -> OpFailure {
    let expected = match expect {
        Expect::Absent => {
            let message = format!("Expected to not find '{}'", op.at);
            let failure = OpFailure::new(message, depth);
            return failure.label_line(document, found, "this is here");
        }
        Expect::Equal(value) | Expect::EqualJson(value) => Some(value),
        Expect::Null => None,
    };
    let message = "Found value does not match expected value".into();
    let failure = OpFailure::new(message, depth);
    let failure = match expected {
        Some(value) => {
            failure.label_line(document, value, verbal(document, "expected", value))
        }
        None => failure.hint(Some("`absent: false` without a value expects null".into())),
    };
    failure.label_line(document, found, verbal(document, "found", found))
}

fn verbal(document: &Tree, verb: &str, node: NodeId) -> String {
    format!("{verb} {}", describe(document, node).as_deref().unwrap_or("this"))
}

/// Returns the failure of matches that are not combined with one value.
pub(super) fn different_kinds(
    document: &Tree,
    first: NodeId,
    other: NodeId,
) -> OpFailure {
    let a = describe_type(document, first);
    let b = describe_type(document, other);
    let message = format!("the matches are of different kinds: {b} and {a}");
    OpFailure::new(message, usize::MAX)
        .label(document.span(other), format!("this is {b}"))
        .label(document.span(first), format!("this is {a}"))
}

/// Fails if a key that is to be removed stands more than once. bosh removes all.
pub(super) fn check_one(document: &Tree, keys: &[NodeId]) -> OpResult<()> {
    if keys.len() < 2 || document.dialect() == Dialect::Go {
        return Ok(());
    }
    Err(several_keys(document, keys))
}

/// Returns the failure of a removal of a key that stands more than once.
fn several_keys(document: &Tree, keys: &[NodeId]) -> OpFailure {
    let name = keys.first().and_then(|&key| document.member_name(key));
    let name = name.filter(|_| !keys.iter().any(|&key| document.is_hidden(key)));
    let key = name.map_or("the key".into(), |name| format!("the key '{name}'"));
    let times =
        if keys.len() == 2 { "twice".into() } else { format!("{} times", keys.len()) };
    let message = format!("{key} is there {times}, and only one entry goes");
    let failure = OpFailure::new(message, usize::MAX);
    let failure = keys
        .iter()
        .take(MAX_SHOWN_MATCHES)
        .fold(failure, |failure, &key| failure.label_line(document, key, "it is here"));
    failure.hint(Some("remove the others in the file first".into()))
}

/// Returns the failure of a match that gets no item.
pub(super) fn no_list(document: &Tree, node: NodeId) -> OpFailure {
    let kind = describe_type(document, node);
    let message = format!("an item is added to a list, not to {kind}");
    let failure = OpFailure::new(message, usize::MAX);
    failure.label(document.span(node), format!("this is {kind}"))
}

/// Returns the failure of an argument that moves or copies a value to a place that has one.
pub(super) fn taken(
    document: &Tree,
    seat: Seat,
    typed: &TypedPath,
    depth: usize,
) -> OpFailure {
    let path = &typed.text;
    let message = format!("'{path}' is there already");
    let failure = OpFailure::new(message, depth.saturating_sub(1));
    let failure = failure.label(document.span_at(seat), "this would be lost");
    let option = shell_word(path);
    failure.hint(Some(format!("`--rm {option}` before it removes what is there")))
}

/// Returns the failure of values that are not combined.
pub(super) fn unlike(document: &Tree, here: NodeId, value: NodeId) -> OpFailure {
    let old = describe_type(document, here);
    let new = describe_type(document, value);
    OpFailure::new(format!("{new} cannot be combined with {old}"), usize::MAX)
        .label_line(document, value, format!("this is {new}"))
        .label_line(document, here, format!("this is {old}"))
}
