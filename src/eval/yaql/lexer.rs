//! The lexer. It runs on demand: an invalid character is an error when it is reached.

use crate::eval::python::literal::StringEscape;
use crate::eval::python::{self, Class, Exception, Result, Value, character};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenClass {
    /// `$`, `$name`
    Variable,
    /// `name(`
    Call,
    Word,
    /// A number, a quoted string, `true`, `false` or `null`.
    Constant,
    /// An operator: a sign or a word.
    Operator(&'static str),
    /// `=>`, a bracket or a comma.
    Mark(&'static str),
    End,
}

#[derive(Clone, Debug)]
pub struct YaqlToken {
    pub kind: TokenClass,
    /// Value of a constant; for other tokens their text, without the bracket of a call.
    pub value: Value,
    /// Position in characters.
    pub at: usize,
}

impl YaqlToken {
    pub fn is(&self, mark: &str) -> bool {
        matches!(self.kind, TokenClass::Mark(sign) if sign == mark)
    }
}

/// Operators made of signs, the longest first.
const SIGNS: [&str; 17] = [
    "=>", "->", "?.", "=~", "!~", ">=", "<=", "!=", ".", "+", "-", "*", "/", ">", "<",
    "=", "[",
];

const MARKS: [&str; 6] = ["{", "(", ")", "]", "}", ","];

/// Operators made of letters.
const WORDS: [&str; 5] = ["and", "in", "mod", "not", "or"];

#[derive(Debug)]
pub struct YaqlLexer {
    chars: Vec<char>,
    at: usize,
}

impl YaqlLexer {
    pub fn new(text: &str) -> YaqlLexer {
        YaqlLexer { chars: text.chars().collect(), at: 0 }
    }

    /// Returns the next token. Fails with a syntax error if no token starts here.
    pub fn next(&mut self) -> Result<YaqlToken> {
        while matches!(self.peek(0), Some(' ' | '\t' | '\r' | '\n')) {
            self.at += 1;
        }
        let at = self.at;
        let Some(first) = self.peek(0) else {
            return Ok(YaqlToken { kind: TokenClass::End, value: Value::None, at });
        };
        let (kind, value) = match first {
            '$' => {
                self.at = self.run_end(at + 1, is_word);
                (TokenClass::Variable, Value::from(self.text(at, self.at)))
            }
            '\'' | '"' | '`' => (TokenClass::Constant, self.quoted(first)?),
            c if character::is_decimal(c) => (TokenClass::Constant, self.number()?),
            c if is_word(c) => self.name()?,
            _ => self.sign()?,
        };
        Ok(YaqlToken { kind, value, at })
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn text(&self, from: usize, to: usize) -> String {
        self.chars.get(from..to).unwrap_or_default().iter().collect()
    }

    /// Returns the end of the characters that are accepted from a position on.
    fn run_end(&self, from: usize, accepts: fn(char) -> bool) -> usize {
        from + self.chars.iter().skip(from).take_while(|c| accepts(**c)).count()
    }

    /// Returns true if no word goes on at a position.
    fn ends_word(&self, at: usize) -> bool {
        !self.chars.get(at).copied().is_some_and(is_word)
    }

    fn illegal_character(&self) -> Box<Exception> {
        let at = self.at;
        let c = self.peek(0).unwrap_or(' ');
        let message = format!("Lexical error: illegal character '{c}' at position {at}");
        Exception::new(Class::Syntax, message)
    }

    /// Reads digits, with a fraction if it ends at the end of a word.
    fn number(&mut self) -> Result<Value> {
        let whole = self.run_end(self.at, character::is_decimal);
        let fraction = match self.chars.get(whole) {
            Some('.') => self.run_end(whole + 1, character::is_decimal),
            _ => whole,
        };
        let is_float = fraction > whole + 1 && self.ends_word(fraction);
        let end = if is_float { fraction } else { whole };
        if !self.ends_word(end) {
            return Err(self.illegal_character());
        }
        let text = self.text(self.at, end);
        self.at = end;
        if is_float {
            python::float(&Value::from(text)).map(Value::Float)
        } else {
            python::int(&Value::from(text))
        }
    }

    /// Reads a call, an operator, a constant or a bare word.
    fn name(&mut self) -> Result<(TokenClass, Value)> {
        let end = self.run_end(self.at, is_word);
        let name = self.text(self.at, end);
        // A call has no space before its bracket: `len ("a")` is a syntax error.
        if self.chars.get(end) == Some(&'(') {
            self.at = end + 1;
            return Ok((TokenClass::Call, Value::from(name)));
        }
        // yaql reserves these names (`(?!__)` in its expression for words).
        if name.starts_with("__") {
            return Err(self.illegal_character());
        }
        self.at = end;
        if let Some(word) = WORDS.iter().find(|word| **word == name) {
            return Ok((TokenClass::Operator(word), Value::from(name)));
        }
        let constant = match &*name {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::None,
            _ => return Ok((TokenClass::Word, Value::from(name))),
        };
        Ok((TokenClass::Constant, constant))
    }

    fn sign(&mut self) -> Result<(TokenClass, Value)> {
        let starts =
            |sign: &str| sign.chars().enumerate().all(|(at, c)| self.peek(at) == Some(c));
        let sign = SIGNS.iter().find(|sign| starts(sign));
        let mark = MARKS.iter().find(|mark| starts(mark));
        let (sign, kind) = match (sign, mark) {
            // These are operators to PLY's lexer, but marks to the grammar.
            (Some(sign @ &("=>" | "[")), _) | (None, Some(sign)) => {
                (sign, TokenClass::Mark(sign))
            }
            (Some(sign), _) => (sign, TokenClass::Operator(sign)),
            (None, None) => return Err(self.illegal_character()),
        };
        self.at += sign.len();
        Ok((kind, Value::from(*sign)))
    }

    /// Reads a string. Backticks quote a verbatim string.
    fn quoted(&mut self, mark: char) -> Result<Value> {
        let mut end = self.at + 1;
        loop {
            match self.chars.get(end) {
                Some(c) if *c == mark => break,
                Some('\\') if !matches!(self.chars.get(end + 1), None | Some('\n')) => {
                    end += 2;
                }
                // An escape cannot contain a line break (`\\.` in PLY's expression).
                None | Some('\\') => return Err(self.illegal_character()),
                Some(_) => end += 1,
            }
        }
        let text = self.text(self.at + 1, end);
        self.at = end + 1;
        match mark {
            '`' => Ok(Value::from(text.replace("\\`", "`"))),
            _ => unescape(&text).map(Value::from),
        }
    }
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// Decodes Python's escapes. Unknown ones are kept.
fn unescape(text: &str) -> Result<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        rest = after;
        if after.starts_with("N{") && after.contains('}') {
            let message = "characters by name (\\N{...}) are not supported";
            return Err(Exception::new(Class::Unsupported, message));
        }
        let escape = StringEscape::read(after);
        if let Ok(Some(StringEscape { code: Some(code), length })) = escape
            && let Some(c) = char::from_u32(code)
        {
            out.push(c);
            rest = after.get(length..).unwrap_or_default();
        } else if let Ok(None) = escape {
            out.push('\\');
        } else {
            out.push(no_character(after)?);
        }
    }
    Ok(out + rest)
}

/// Returns a backslash for an escape that is cut off. Raises a `ValueError` for another one
/// that is no character.
fn no_character(escape: &str) -> Result<char> {
    let (count, truncated) = match escape.as_bytes().first() {
        Some(b'x') => (2, "truncated \\xXX escape"),
        Some(b'u') => (4, "truncated \\uXXXX escape"),
        _ => (8, "truncated \\UXXXXXXXX escape"),
    };
    let digits: Vec<char> = escape.chars().skip(1).take(count).collect();
    if digits.len() < count || digits.contains(&'\n') {
        return Ok('\\');
    }
    let valid = digits.iter().take_while(|c| c.is_ascii_hexdigit()).count();
    let reason = if valid == count { "illegal Unicode character" } else { truncated };
    Err(Exception::of_value(format!(
        "'unicodeescape' codec can't decode bytes in position 0-{}: {reason}",
        valid + 1
    )))
}
