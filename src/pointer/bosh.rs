//! Pointers: the paths of an ops-file as tokens, in the grammar of go-patch, which
//! includes the escapes of RFC 6901.

use std::borrow::Cow;
use std::fmt::{self, Write};

/// The path of an op: `/instance_groups/name=web/jobs/0:after`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pointer {
    /// The tokens after the root.
    pub tokens: Vec<Token>,
    /// Number of tokens that must exist. Those after it are optional, as `?` carries over.
    pub required: usize,
}

/// One step of a pointer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Token {
    /// `name`: an entry of a mapping.
    Key(String),
    /// `0`, `-1:prev`: an item of a sequence, from its end if negative.
    Index(i64, Vec<Modifier>),
    /// `name=web`: the one item whose entry `name` is the string `web`.
    Match {
        /// Before the first `=`.
        key: String,
        /// After it.
        value: String,
        /// `:before`
        modifiers: Vec<Modifier>,
    },
    /// `-` at the end: the place after the last item.
    End,
}

/// A modifier, after a `:` in a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modifier {
    /// `:prev`
    Prev,
    /// `:next`
    Next,
    /// `:before`
    Before,
    /// `:after`
    After,
}

impl Pointer {
    /// Maximum number of tokens. A pointer makes as many nested nodes, and deeper ones
    /// could not be read again: yaml.v2 refuses documents nested 10,000 deep in total.
    pub const LONGEST: usize = 1000;

    /// Parses a pointer as bosh does.
    ///
    /// # Errors
    /// go-patch's message, e.g. `Expected to start with '/'`.
    pub fn parse(text: &str) -> Result<Pointer, String> {
        if text.is_empty() {
            return Ok(Pointer::default());
        }
        let Some(pieces) = text.strip_prefix('/') else {
            return Err("Expected to start with '/'".into());
        };
        let count = 1 + pieces.bytes().filter(|&byte| byte == b'/').count();
        if count > Pointer::LONGEST {
            return Err(format!(
                "Expected at most {} tokens but found {count}",
                Pointer::LONGEST
            ));
        }
        let mut tokens = Vec::with_capacity(count);
        let mut required = None;
        for (i, piece) in pieces.split('/').enumerate() {
            let (token, optional) = token(piece, i + 1 == count)?;
            if optional {
                required.get_or_insert(i);
            }
            tokens.push(token);
        }
        Ok(Pointer { tokens, required: required.unwrap_or(count) })
    }

    /// Returns a name with its escapes, as it stands in a path: `a/b` is `a~1b`.
    pub fn escape(name: &str) -> String {
        name.replace('~', "~0").replace('/', "~1").replace(':', "~7")
    }

    /// Returns true if the token at `depth` may be missing.
    pub fn optional(&self, depth: usize) -> bool {
        depth >= self.required
    }

    /// Returns the text that parses as this pointer; `Display` prints one `?` at most.
    pub(crate) fn spell(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, Token::needs_mark).ok();
        out
    }

    /// Prints the tokens, with a `?` behind the first optional one and those that need it.
    fn write(&self, out: &mut impl Write, needs_mark: fn(&Token) -> bool) -> fmt::Result {
        for (i, token) in self.tokens.iter().enumerate() {
            write!(out, "/{token}")?;
            if i == self.required && token.is_markable() || needs_mark(token) {
                out.write_str("?")?;
            }
            for modifier in token.modifiers() {
                write!(out, ":{}", modifier.word())?;
            }
        }
        Ok(())
    }

    /// The first `count` tokens.
    pub fn prefix(&self, count: usize) -> Pointer {
        let tokens = self.tokens[..count].to_vec();
        Pointer { required: self.required.min(count), tokens }
    }
}

fn token(piece: &str, last: bool) -> Result<(Token, bool), String> {
    let (name, words) = match piece.split_once(':') {
        Some((name, words)) => (name, Some(words)),
        None => (piece, None),
    };
    let name = unescape(name);
    let modifiers = words.map_or_else(|| Ok(Vec::new()), modifiers)?;
    if last && name == "-" {
        return if modifiers.is_empty() {
            Ok((Token::End, false))
        } else {
            Err("Expected not to find any modifiers with after last index token".into())
        };
    }
    let may_be_index = name.starts_with(|c: char| c.is_ascii_digit() || "+-".contains(c));
    if may_be_index && let Ok(index) = name.parse() {
        return Ok((Token::Index(index, modifiers), false));
    }
    let bare = name.strip_suffix('?');
    if let Some((key, value)) = name.split_once('=') {
        let value = value.strip_suffix('?').unwrap_or(value).to_owned();
        return Ok((
            Token::Match { key: key.to_owned(), value, modifiers },
            bare.is_some(),
        ));
    }
    if !modifiers.is_empty() {
        return Err("Expected not to find any modifiers with key token".into());
    }
    Ok((Token::Key(bare.unwrap_or(&name).to_owned()), bare.is_some()))
}

/// Parses the modifiers of one token. Like go-patch the message names the first one.
fn modifiers(words: &str) -> Result<Vec<Modifier>, String> {
    let first = words.split(':').next().unwrap_or_default();
    words
        .split(':')
        .map(|part| {
            Modifier::ALL.into_iter().find(|m| m.word() == part).ok_or_else(|| {
                format!(
                    "Expected to find one of the following modifiers: 'prev', 'next', \
                     'before', or 'after' but found '{first}'"
                )
            })
        })
        .collect()
}

impl Modifier {
    const ALL: [Modifier; 4] =
        [Modifier::Prev, Modifier::Next, Modifier::Before, Modifier::After];

    /// The word after the `:`.
    pub fn word(self) -> &'static str {
        match self {
            Modifier::Prev => "prev",
            Modifier::Next => "next",
            Modifier::Before => "before",
            Modifier::After => "after",
        }
    }
}

/// Resolves escapes in one pass from left to right, so that `~01` is `~1`.
fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('~') {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('~') {
        out.push_str(&rest[..at]);
        let (plain, len) = match rest.as_bytes().get(at + 1) {
            Some(b'0') => ('~', 2),
            Some(b'1') => ('/', 2),
            Some(b'7') => (':', 2),
            _ => ('~', 1),
        };
        out.push(plain);
        rest = &rest[at + len..];
    }
    (out + rest).into()
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, |_| false)
    }
}

impl Token {
    /// Returns true if the token needs a `?` to parse as itself: `/1?` is a key.
    pub(crate) fn needs_mark(&self) -> bool {
        match self {
            Token::Key(key) => {
                key.ends_with('?') || key == "-" || key.parse::<i64>().is_ok()
            }
            Token::Match { value, .. } => value.ends_with('?'),
            Token::Index(..) | Token::End => false,
        }
    }

    fn is_markable(&self) -> bool {
        matches!(self, Token::Key(_) | Token::Match { .. })
    }

    /// Returns the text of an index, which is the name of a key where the document has a
    /// mapping.
    pub(crate) fn number(&self) -> Option<String> {
        match self {
            Token::Index(index, modifiers) if modifiers.is_empty() => {
                Some(index.to_string())
            }
            _ => None,
        }
    }

    /// The modifiers after the token's name.
    pub fn modifiers(&self) -> &[Modifier] {
        match self {
            Token::Index(_, modifiers) | Token::Match { modifiers, .. } => modifiers,
            Token::Key(_) | Token::End => &[],
        }
    }
}

/// Prints the token without its modifiers and its `?`.
impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Key(key) => f.write_str(&Pointer::escape(key)),
            Token::Index(index, _) => write!(f, "{index}"),
            Token::Match { key, value, .. } => {
                write!(f, "{}={}", Pointer::escape(key), Pointer::escape(value))
            }
            Token::End => f.write_str("-"),
        }
    }
}
