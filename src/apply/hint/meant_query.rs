//! JSONPaths in place of paths to one place: a path comes in that was meant for all children
//! of a node, for several items, or for a value that is no string, and the query that says so
//! goes out.

use crate::apply::resolve::{AnyPath, PathToken};
use crate::pointer::{JsonPointer, Token};
use crate::select::normalized_name;

/// The segments of a query, one for each token of a path.
pub(super) struct MeantQuery(Vec<String>);

impl MeantQuery {
    /// Reads a path. `None` if no query leads where it does: behind the last item of a list, or
    /// beside a place.
    pub(super) fn of(path: AnyPath<'_>) -> Option<MeantQuery> {
        let segments = (0..path.len()).map(|depth| segment(path.token(depth)));
        segments.collect::<Option<_>>().map(MeantQuery)
    }

    /// Returns the query with another condition in place of the token at `depth`: that `key`
    /// has a value that is spelt `literal`.
    pub(super) fn comparing(
        mut self,
        depth: usize,
        key: &str,
        literal: &str,
    ) -> MeantQuery {
        self.0[depth] = condition(key, literal);
        self
    }

    /// Returns the text of the query.
    pub(super) fn text(&self) -> String {
        format!("${}", self.0.concat())
    }
}

/// Returns the segment that leads where a token does.
fn segment(token: PathToken<'_>) -> Option<String> {
    match token {
        // The document decides what a number is; few keys are numbers.
        PathToken::Json(name) => match JsonPointer::index(name) {
            Some(index) => Some(format!("[{index}]")),
            None if name == "-" => None,
            None => Some(child(name)),
        },
        PathToken::Bosh(Token::Key(name)) => Some(child(name)),
        PathToken::Bosh(Token::Index(index, modifiers)) => {
            modifiers.is_empty().then(|| format!("[{index}]"))
        }
        PathToken::Bosh(Token::Match { key, value, modifiers }) => {
            let text = normalized_name(value);
            let literal = &text[1..text.len() - 1];
            modifiers.is_empty().then(|| condition(key, literal))
        }
        PathToken::Bosh(Token::End) | PathToken::Step(_) => None,
    }
}

/// Returns the segment of a key, or of all children.
fn child(name: &str) -> String {
    if name == "[*]" {
        return name.into();
    }
    let mut letters = name.chars();
    let begins = letters.next().is_some_and(|c| !c.is_ascii_digit());
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if name == "*" || begins && is_plain {
        return format!(".{name}");
    }
    normalized_name(name)
}

/// Returns the segment of the items in which a key has a value.
fn condition(key: &str, literal: &str) -> String {
    format!("[?@{} == {literal}]", child(key))
}

#[test]
fn paths_as_queries() {
    let query = |path: &str| {
        let pointer = crate::pointer::Pointer::parse(path).unwrap();
        MeantQuery::of((&pointer).into()).map(|query| query.text())
    };
    assert_eq!(query("/a/*/b-c").unwrap(), "$.a.*['b-c']");
    assert_eq!(query("/l/name=it's/0").unwrap(), r"$.l[?@.name == 'it\'s'][0]");
    assert_eq!(query("").unwrap(), "$");
    assert!(query("/l/-").is_none() && query("/l/0:after").is_none());
}
