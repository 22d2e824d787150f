//! The explanations of what a JSON Pointer does not find: the members and items of a place are
//! named by its tokens as they stand, and nothing is made on the way.

use super::{FailedStep, MeantQuery, items, name_with_slashes};
use crate::apply::failure::{OpFailure, describe_type};
use crate::apply::place::Purpose;
use crate::apply::resolve::{AnyPath, PathToken};
use crate::diagnostic::near_hint;
use crate::node::NodeId;

impl FailedStep<'_> {
    /// Returns the failure of a token of a JSON Pointer at a scalar.
    pub(in crate::apply) fn no_collection(self, token: &str) -> OpFailure {
        let path = self.path.prefix(self.depth);
        let kind = describe_type(self.document, self.node);
        // A null may become a collection.
        let made = if self.document.is_null(self.node) && self.depth > 0 {
            self.first_added(self.depth - 1)
        } else {
            None
        };
        self.failure(format!("'{path}' is {kind}, which has no '{token}'"))
            .label(self.document.span(self.node), format!("this is {kind}"))
            .hint(made)
    }

    /// Returns the failure of a token of a JSON Pointer that a mapping does not have.
    pub(in crate::apply) fn no_member(self, token: &str) -> OpFailure {
        let message = format!("{} has no member '{token}'", self.around());
        if self.brief {
            return self.failure(message).missing();
        }
        let document = &*self.document;
        let pairs = document.pairs(self.node);
        let keys = pairs.iter().filter(|(key, _)| !document.is_hidden(*key));
        let names: Vec<_> =
            keys.filter_map(|&(key, _)| document.member_name(key)).collect();
        let following = (self.depth..self.path.len()).map_while(|depth| self.name(depth));
        let joined =
            name_with_slashes(following, |name| names.iter().any(|it| it == name));
        let other = self.star_hint(token).or(joined);
        let added = other.is_none().then(|| self.how_to_add("it")).flatten();
        self.failure(message)
            .missing()
            .label(document.span(self.node), "this has no such member")
            .hint(other)
            .hint(near_hint(names.iter().map(|name| &**name), token))
            .also(added)
    }

    /// Returns the failure of a token of a JSON Pointer that names no item of a list.
    pub(in crate::apply) fn no_index(self, token: &str) -> OpFailure {
        let around = self.around();
        let count = self.document.items(self.node).len();
        let items = items(count);
        let message = match token {
            "-" => format!("there is no item at '-', the end of {around}"),
            _ => format!("{around} has {items}, and none at {token}"),
        };
        let is_end = token == "-" || token == count.to_string();
        // A later item is no place to replace something below.
        let may_add = is_end && (self.is_replaced() || self.purpose != Purpose::Replace);
        let added = may_add.then(|| self.how_to_add("an item")).flatten();
        self.failure(message)
            .missing()
            .label(self.document.span(self.node), format!("this has {items}"))
            .hint(added)
    }

    /// Returns the failure of a token of a JSON Pointer at a list that is no index.
    pub(in crate::apply) fn not_an_index(self, token: &str) -> OpFailure {
        let is_number = token.bytes().all(|byte| byte.is_ascii_digit());
        let hint = (is_number && !token.is_empty())
            .then(|| "an index has no leading zero".into());
        let all = self.star_hint(token).or_else(|| self.index_hint(token));
        self.failure(format!("an index of a list is expected, not '{token}'"))
            .hint(hint)
            .hint(all)
    }

    /// Returns a hint at the index that an index from the end, or a match, stands for elsewhere.
    fn index_hint(&self, token: &str) -> Option<String> {
        let items = self.document.items(self.node);
        if let Ok(index @ ..0) = token.parse::<i64>() {
            let last = i64::try_from(items.len()).ok()?;
            let index = last.checked_add(index).filter(|&index| index >= 0)?;
            return Some(format!("write '{index}': an index counts from the start"));
        }
        let (key, value) = token.split_once('=')?;
        let is_meant = |&item: &NodeId| {
            let found = self.document.member(item, key);
            found.is_some_and(|(_, found)| self.document.is_text(found, value))
        };
        let index = items.iter().position(is_meant)?;
        Some(format!("write '{index}': a JSON Pointer has no matches"))
    }

    fn around(&self) -> String {
        match self.path.prefix(self.depth) {
            path if path.is_empty() => "the document".into(),
            path => format!("'{path}'"),
        }
    }

    /// Returns the token at `depth`, if the path is a JSON Pointer.
    fn name(&self, depth: usize) -> Option<&str> {
        match self.path.token(depth) {
            PathToken::Json(name) => Some(name),
            PathToken::Bosh(_) | PathToken::Step(_) => None,
        }
    }

    /// Returns true if an op replaces what the token should lead to.
    fn is_replaced(&self) -> bool {
        self.purpose == Purpose::Replace && self.depth + 1 == self.path.len()
    }

    /// Returns a hint at a query, if a token was meant for all children.
    fn star_hint(&self, token: &str) -> Option<String> {
        let query = MeantQuery::of(self.path).filter(|_| token == "*")?.text();
        Some(format!(
            "a JSON Pointer leads to one place: an ops-file (`type:` in place of `op:`) \
             takes the JSONPath '{query}'"
        ))
    }

    /// Returns a hint at an op that adds what the token leads to.
    fn how_to_add(&self, what: &str) -> Option<String> {
        if self.is_replaced() {
            return Some(format!("write `add` in place of `replace` to add {what}"));
        }
        self.first_added(self.depth)
    }

    /// Returns a hint at the collection that an op adds something to, if it is to stand where
    /// the token at `depth` leads.
    fn first_added(&self, depth: usize) -> Option<String> {
        let AnyPath::Json(pointer) = self.path else { return None };
        let inner = pointer.tokens.get(depth + 1..).unwrap_or_default();
        let puts = matches!(self.purpose, Purpose::Add | Purpose::Replace);
        if !puts || inner.is_empty() {
            return None;
        }
        let value = collection_around(inner);
        let path = format!("{:?}", pointer.prefix(depth + 1).to_string());
        let added =
            format!("`{{\"op\": \"add\", \"path\": {path}, \"value\": {value}}}`");
        Some(if self.purpose == Purpose::Replace {
            format!(
                "`replace` adds nothing: add what is missing before, with {added}, and write `add`"
            )
        } else {
            format!(
                "nothing is made on the way: add what is missing before, with {added}"
            )
        })
    }
}

/// Returns the collection, as JSON, in which an op can add what these tokens lead to.
fn collection_around(tokens: &[String]) -> String {
    let mut value = String::new();
    for token in tokens.iter().rev() {
        value = match (&**token, value.is_empty()) {
            ("-" | "0", _) => format!("[{value}]"),
            (_, true) => "{}".into(),
            (_, false) => format!("{{{token:?}: {value}}}"),
        };
    }
    value
}
