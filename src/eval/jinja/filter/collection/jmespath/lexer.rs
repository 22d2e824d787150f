//! The text of an expression → its tokens.

use super::wrong;
use crate::eval::python::{Exception, Result, Value, json};

/// A token, and the byte it begins at.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) at: usize,
}

/// What a token is.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    /// `name`
    Name(String),
    /// `"name"`
    Quoted(String),
    /// `` `1` `` or `'text'`
    Literal(Value),
    /// `-1`
    Number(i64),
    /// All else.
    Sign(&'static str),
    /// There is nothing more.
    End,
}

/// Those that begin like others come after them.
const SIGNS: &[&str] = &[
    "[?", "[]", "[", "]", "||", "|", "&&", "&", "<=", "<", ">=", ">", "==", "!=", "!",
    ".", "*", ",", ":", "@", "(", ")", "{", "}",
];

/// Splits an expression.
pub(super) fn tokens(query: &str) -> Result<Vec<Token>> {
    let (mut tokens, mut at) = (Vec::new(), 0);
    while let Some(rest) = query.get(at..).filter(|rest| !rest.is_empty()) {
        let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
        if blank > 0 {
            at += blank;
            continue;
        }
        let (kind, length) = token(query, at, rest)?;
        tokens.push(Token { kind, at });
        at += length;
    }
    tokens.push(Token { kind: Kind::End, at: query.len() });
    Ok(tokens)
}

fn token(query: &str, at: usize, rest: &str) -> Result<(Kind, usize)> {
    let first = rest.as_bytes().first().copied().unwrap_or(0);
    let run = |from: usize, holds: fn(&u8) -> bool| {
        from + rest.bytes().skip(from).take_while(holds).count()
    };
    let text = |end: usize| rest.get(..end).unwrap_or(rest);
    let quoted = |mark: char| {
        closing(rest, mark).ok_or_else(|| wrong(query, at, &format!("Unclosed {mark}")))
    };
    Ok(match first {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
            let end = run(0, |b| b.is_ascii_alphanumeric() || *b == b'_');
            (Kind::Name(text(end).to_owned()), end)
        }
        b'0'..=b'9' | b'-' => {
            let end = run(1, u8::is_ascii_digit);
            let number = text(end).parse();
            let number = number.map_err(|_| wrong(query, at, "Unknown token '-'"))?;
            (Kind::Number(number), end)
        }
        b'"' => {
            let end = quoted('"')?;
            let name =
                json::load(text(end + 1)).map_err(|error| bad(query, at, &error))?;
            (Kind::Quoted(name.as_str().unwrap_or_default().to_owned()), end + 1)
        }
        b'\'' => {
            let end = quoted('\'')?;
            let raw = rest.get(1..end).unwrap_or_default().replace("\\'", "'");
            (Kind::Literal(Value::from(raw)), end + 1)
        }
        b'`' => {
            let end = quoted('`')?;
            let raw = rest.get(1..end).unwrap_or_default().replace("\\`", "`");
            let bare = || json::load(&format!("\"{}\"", raw.trim_start()));
            let value = json::load(&raw).or_else(|_| bare());
            (Kind::Literal(value.map_err(|error| bad(query, at, &error))?), end + 1)
        }
        _ => {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            let sign = sign.ok_or_else(|| wrong(query, at, "Unknown token"))?;
            (Kind::Sign(sign), sign.len())
        }
    })
}

fn bad(query: &str, at: usize, error: &Exception) -> Box<Exception> {
    wrong(query, at, &format!("Bad token ({})", error.message))
}

/// Where the mark that a text begins with closes it; a backslash hides one.
fn closing(text: &str, mark: char) -> Option<usize> {
    let mut hidden = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if hidden => hidden = false,
            '\\' => hidden = true,
            c if c == mark => return Some(at),
            _ => {}
        }
    }
    None
}
