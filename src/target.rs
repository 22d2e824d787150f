//! Targets: the places that an op or an option addresses, in one of three languages.

use std::fmt;

use crate::node::{Kind, NodeId, Tree};
use crate::pointer::{JsonPointer, Pointer, Token, parse_argument};
use crate::select::{Mistake, Query};

/// The places in a document that a path names.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// One place: `/jobs/name=web`.
    Pointer(Pointer),
    /// One place: `/jobs/0/name`.
    Json(JsonPointer),
    /// Any number of nodes: `$.jobs[*].name`.
    Query(Box<Query>),
}

impl Target {
    /// Parses a path: a JSONPath query if it begins with `$`, else a pointer of bosh.
    ///
    /// # Errors
    /// The mistake, with its position in a query.
    pub fn parse(text: &str) -> Result<Target, Mistake> {
        Target::parse_with(text, Pointer::parse)
    }

    /// Parses a path as people type it: a query if it begins with `$`, else a pointer or
    /// `jobs[name=web].instances`.
    ///
    /// # Errors
    /// The mistake.
    pub fn parse_argument(text: &str) -> Result<Target, Mistake> {
        let parsed = Target::parse_with(text, |text| parse_argument(text, false));
        parsed.map_err(|mistake| mistake.or_meant(text))
    }

    /// Returns the target in a document. A `.` that the typed path begins with is part of the
    /// first key if the root of a document has such a key: `.default` in a file of GitLab. So it is
    /// in a new key beside such keys.
    pub fn settled(&self, typed: &str, document: &Tree) -> Option<Target> {
        let dotted = self.dotted(typed)?;
        let Some(Token::Key(name)) = dotted.tokens().first() else { return None };
        let mappings = document.roots().iter().copied();
        let mappings: Vec<NodeId> =
            mappings.filter(|&root| document.kind(root) == Kind::Mapping).collect();
        let has = |name: &str| {
            mappings.iter().any(|&root| document.find_slot(root, name).is_some())
        };
        let has_dotted = || {
            let mut keys = mappings.iter().flat_map(|&root| document.pairs(root));
            keys.any(|(key, _)| {
                document.string(key).is_some_and(|it| it.starts_with('.'))
            })
        };
        (has(name) || !has(&name[1..]) && has_dotted()).then_some(dotted)
    }

    /// Returns the target in which the `.` that the typed path begins with is part of the
    /// first key.
    pub(crate) fn dotted(&self, typed: &str) -> Option<Target> {
        let Target::Pointer(pointer) = self else { return None };
        let Some(Token::Key(first)) = pointer.tokens.first() else { return None };
        let name = typed.starts_with('.').then(|| format!(".{first}"))?;
        let mut pointer = pointer.clone();
        pointer.tokens[0] = Token::Key(name);
        Some(Target::Pointer(pointer))
    }

    /// Parses a path: a query if it begins with `$`, else a pointer.
    ///
    /// # Errors
    /// The mistake.
    pub(crate) fn parse_with(
        text: &str,
        pointer: impl Fn(&str) -> Result<Pointer, String>,
    ) -> Result<Target, Mistake> {
        if text.starts_with('$') {
            let query = Query::parse(text).map_err(|error| error.told(text))?;
            return Ok(Target::Query(Box::new(query)));
        }
        Ok(Target::Pointer(pointer(text)?))
    }

    /// Returns the same target, whose last key may be missing.
    pub(crate) fn with_new_key(self) -> Target {
        match self {
            Target::Pointer(mut pointer) => {
                if let Some(Token::Key(_)) = pointer.tokens.last() {
                    pointer.required = pointer.required.min(pointer.tokens.len() - 1);
                }
                Target::Pointer(pointer)
            }
            Target::Json(_) | Target::Query(_) => self,
        }
    }

    /// Returns the place after the last item of a list, which is made if it is missing; of a query
    /// the list itself.
    pub(crate) fn end_of_list(self) -> Target {
        let Target::Pointer(mut pointer) = self else { return self };
        if pointer.tokens.last() != Some(&Token::End) {
            let last = pointer.tokens.len().saturating_sub(1);
            let is_key = matches!(pointer.tokens.last(), Some(Token::Key(_)));
            pointer.required = pointer.required.min(last + usize::from(!is_key));
            pointer.tokens.push(Token::End);
        }
        Target::Pointer(pointer)
    }

    /// Returns the text that parses as this target.
    pub(crate) fn spell(&self) -> String {
        match self {
            Target::Pointer(pointer) => pointer.spell(),
            Target::Json(_) | Target::Query(_) => self.to_string(),
        }
    }

    /// The tokens of a pointer of bosh; none of any other target.
    pub(crate) fn tokens(&self) -> &[Token] {
        match self {
            Target::Pointer(pointer) => &pointer.tokens,
            Target::Json(_) | Target::Query(_) => &[],
        }
    }
}

/// The root.
impl Default for Target {
    fn default() -> Target {
        Target::Pointer(Pointer::default())
    }
}

impl From<Pointer> for Target {
    fn from(pointer: Pointer) -> Target {
        Target::Pointer(pointer)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Pointer(pointer) => pointer.fmt(f),
            Target::Json(pointer) => pointer.fmt(f),
            Target::Query(query) => query.fmt(f),
        }
    }
}
