//! JSON Pointers (RFC 6901), the paths of JSON Patch.

use std::fmt;

/// The path of an operation of a JSON Patch: `/jobs/0/name`. A token is the name of a
/// member of a mapping, or the index of an item of a list: the document decides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JsonPointer {
    /// The tokens after the root, with their escapes resolved.
    pub tokens: Vec<String>,
}

impl JsonPointer {
    /// Creates the pointer of these tokens.
    pub fn of(tokens: impl IntoIterator<Item = impl Into<String>>) -> JsonPointer {
        JsonPointer { tokens: tokens.into_iter().map(Into::into).collect() }
    }

    /// Returns the pointer to an entry or item of what this one leads to.
    ///
    /// ```
    /// let jobs = interpolate::JsonPointer::of(["jobs"]);
    /// assert_eq!(jobs.child("a/b").to_string(), "/jobs/a~1b");
    /// ```
    #[must_use]
    pub fn child(&self, token: impl Into<String>) -> JsonPointer {
        let mut child = self.clone();
        child.tokens.push(token.into());
        child
    }

    /// Parses a pointer.
    ///
    /// # Errors
    /// It does not begin with `/`, or a `~` stands before anything but `0` and `1`.
    ///
    /// ```
    /// use interpolate::unstable::pointer::JsonPointer;
    /// assert_eq!(JsonPointer::parse("/a~1b/0").unwrap().tokens, ["a/b", "0"]);
    /// assert!(JsonPointer::parse("a/b").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<JsonPointer, &'static str> {
        let pointer = jsonptr::Pointer::parse(text).map_err(|error| match error {
            jsonptr::ParseError::NoLeadingSlash => "a path is empty or begins with '/'",
            jsonptr::ParseError::InvalidEncoding { .. } => {
                "in a path '~' is written '~0', and '/' in a name is written '~1'"
            }
        })?;
        let tokens = pointer.tokens().map(|token| token.decoded().into_owned());
        Ok(JsonPointer { tokens: tokens.collect() })
    }

    /// Returns a token with its escapes, as it stands in a pointer: `a/b` is `a~1b`.
    pub fn escape(token: &str) -> String {
        token.replace('~', "~0").replace('/', "~1")
    }

    /// Reads a token as an index: digits without a leading zero. Too large ones saturate.
    pub(crate) fn index(token: &str) -> Option<u32> {
        let is_number = !token.is_empty() && token.bytes().all(|b| b.is_ascii_digit());
        let is_canonical = is_number && (token == "0" || !token.starts_with('0'));
        is_canonical.then(|| token.parse().unwrap_or(u32::MAX))
    }

    /// Returns the first `count` tokens.
    pub fn prefix(&self, count: usize) -> JsonPointer {
        JsonPointer { tokens: self.tokens[..count].to_vec() }
    }
}

impl fmt::Display for JsonPointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tokens = self.tokens.iter();
        tokens.try_for_each(|token| write!(f, "/{}", JsonPointer::escape(token)))
    }
}
