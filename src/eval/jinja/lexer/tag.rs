//! The text of a tag, up to its end → tokens.

use super::{Lexer, Mark, wrong};
use crate::eval::jinja::number::number;
use crate::eval::jinja::text;
use crate::eval::jinja::token::Lexeme;
use crate::eval::python::{Result, Value};

const SIGNS: [&str; 27] = [
    "//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[", "]", "(", ")",
    "{", "}", ">", "<", "=", ".", ":", "|", ",", ";", "!",
];

impl<'t> Lexer<'t> {
    /// The tokens of a tag.
    pub(super) fn tag(&mut self, mark: Mark) -> Result<()> {
        let variable = mark == Mark::Variable;
        self.push(if variable { Lexeme::Variable } else { Lexeme::Block });
        let close = match mark {
            Mark::Variable => &*self.syntax.variable.1,
            Mark::LineStatement => "\n",
            _ => &*self.syntax.block.1,
        };
        let mut open = Vec::new();
        loop {
            let rest = self.rest();
            if open.is_empty() && self.closes(mark, close) {
                return Ok(());
            }
            let Some(c) = rest.chars().next() else {
                return Err(wrong("unexpected end of template: the tag is not closed"));
            };
            if c.is_whitespace() {
                self.at += c.len_utf8();
                continue;
            }
            let length = self.token(rest, c, self.raw && variable, &mut open)?;
            self.at += length;
        }
    }

    /// Whether the tag ends here.
    fn closes(&mut self, mark: Mark, close: &str) -> bool {
        let rest = self.rest();
        if mark == Mark::LineStatement {
            let blank = rest.len() - rest.trim_start_matches([' ', '\t', ':']).len();
            let rest = rest.get(blank..).unwrap_or_default();
            if rest.is_empty() || rest.starts_with('\n') {
                self.push(Lexeme::End);
                self.at += blank + usize::from(!rest.is_empty());
                return true;
            }
            return false;
        }
        let sign = rest.chars().next().filter(|c| *c == '-' || *c == '+');
        let sign = sign.filter(|c| *c == '-' || mark == Mark::Block);
        for sign in [None, sign] {
            let skip = usize::from(sign.is_some());
            if rest.get(skip..).is_some_and(|rest| rest.starts_with(close)) {
                self.push(Lexeme::End);
                self.at += skip + close.len();
                self.after(sign, mark == Mark::Block && self.syntax.trim);
                return true;
            }
        }
        false
    }

    /// One token of a tag; its length goes out.
    fn token(
        &mut self,
        rest: &'t str,
        c: char,
        raw: bool,
        open: &mut Vec<char>,
    ) -> Result<usize> {
        if c == '\'' || c == '"' {
            return self.string(rest, c, raw);
        }
        if c.is_ascii_digit() {
            let dotted = self.text.get(..self.at).is_some_and(|t| t.ends_with('.'));
            let (value, length) = number(rest, !dotted);
            self.push(Lexeme::Const(value));
            return Ok(length);
        }
        if c == '_' || c.is_alphabetic() {
            let end = rest.find(|c: char| c != '_' && !c.is_alphanumeric());
            let name = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
            self.push(Lexeme::Name(name.to_owned()));
            return Ok(name.len());
        }
        let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign) && *sign != "!");
        let Some(sign) = sign else {
            return Err(wrong(&format!("unexpected char {}", quoted(c))));
        };
        match sign {
            "(" | "[" | "{" => open.push(c),
            ")" | "]" | "}" => {
                let expected = match open.pop() {
                    Some('(') => ")",
                    Some('[') => "]",
                    Some(_) => "}",
                    None => return Err(wrong(&format!("unexpected '{sign}'"))),
                };
                if expected != sign {
                    return Err(wrong(&format!(
                        "unexpected '{sign}', expected '{expected}'"
                    )));
                }
            }
            _ => {}
        }
        self.push(Lexeme::Sign(sign));
        Ok(sign.len())
    }

    fn string(&mut self, rest: &'t str, quote: char, raw: bool) -> Result<usize> {
        let (mut escaped, mut end) = (false, None);
        for (at, c) in rest.char_indices().skip(1) {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                c if c == quote => {
                    end = Some(at);
                    break;
                }
                _ => {}
            }
        }
        let Some(end) = end else {
            return Err(wrong(&format!("unexpected char {}", quoted(quote))));
        };
        let inner = rest.get(1..end).unwrap_or_default();
        let value = if raw { inner.to_owned() } else { text::unescape(inner)? };
        self.push(Lexeme::Const(Value::text(value)));
        Ok(end + 1)
    }
}

fn quoted(c: char) -> String {
    if c == '\'' { "\"'\"".into() } else { format!("'{c}'") }
}
