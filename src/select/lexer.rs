//! The words of a query: names, texts, numbers. Each reads from a cursor, and leaves it
//! behind what it read.

use num_bigint::BigInt;

use super::error::QueryError;
use crate::scalar::{MAX_INTEGER_DIGITS, Scalar};

/// The largest index, 2^53 - 1: I-JSON's largest exact integer.
const MAX_INDEX: i64 = (1 << 53) - 1;

type Result<T> = std::result::Result<T, QueryError>;

/// A position in the text of a query.
#[derive(Clone, Copy)]
pub(super) struct QueryCursor<'q> {
    text: &'q str,
    /// The offset in bytes.
    pub at: usize,
}

impl<'q> QueryCursor<'q> {
    pub(super) fn new(text: &'q str) -> QueryCursor<'q> {
        QueryCursor { text, at: 0 }
    }

    pub(super) fn rest(&self) -> &'q str {
        &self.text[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn advance(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// Reads `word` if it is next.
    pub(super) fn take(&mut self, word: &str) -> bool {
        let found = self.rest().starts_with(word);
        self.at += if found { word.len() } else { 0 };
        found
    }

    pub(super) fn skip_blanks(&mut self) {
        self.take_while(|c| matches!(c, ' ' | '\t' | '\n' | '\r'));
    }

    pub(super) fn take_while(&mut self, is: impl Fn(char) -> bool) -> &'q str {
        let rest = self.rest();
        let end = rest.find(|c| !is(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    pub(super) fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(QueryError { message: message.into(), at: self.at, hint: None })
    }

    /// Reads the name of a member after `.`.
    pub(super) fn name(&mut self) -> Result<String> {
        let rest = *self;
        let name =
            self.take_while(|c| c == '_' || c.is_ascii_alphanumeric() || !c.is_ascii());
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return rest.error("expected a name; quote others in brackets: ['1-a']");
        }
        Ok(name.to_owned())
    }

    /// Reads an index, or a bound of a slice.
    pub(super) fn index(&mut self) -> Result<i64> {
        let start = *self;
        let negative = self.take("-");
        let digits = self.take_while(|c| c.is_ascii_digit());
        let canonical = match digits.as_bytes() {
            [b'0'] => !negative,
            [b'0', ..] | [] => false,
            _ => true,
        };
        if !canonical {
            return start.error("an index has no leading zero and no '+'");
        }
        match digits.parse::<i64>() {
            Ok(index) if index <= MAX_INDEX => Ok(if negative { -index } else { index }),
            Ok(_) | Err(_) => start.error("an index is at most 2^53 - 1"),
        }
    }

    /// Reads the number of a comparison.
    pub(super) fn number(&mut self) -> Result<Scalar<'static>> {
        let start = *self;
        self.take("-");
        let whole = self.take_while(|c| c.is_ascii_digit());
        let mut wrong = whole.is_empty() || whole.len() > 1 && whole.starts_with('0');
        let mut is_integer = true;
        if self.take(".") {
            is_integer = false;
            wrong |= self.take_while(|c| c.is_ascii_digit()).is_empty();
        }
        if self.take("e") || self.take("E") {
            is_integer = false;
            let _sign = self.take("-") || self.take("+");
            wrong |= self.take_while(|c| c.is_ascii_digit()).is_empty();
        }
        let text = &self.text[start.at..self.at];
        if wrong {
            return start.error("a number is written as in JSON: 1, -0.5, 1e3");
        }
        let is_short = text.len() <= MAX_INTEGER_DIGITS;
        let integer = is_integer && is_short;
        let integer = integer.then(|| text.parse::<BigInt>().ok()).flatten();
        match (integer, text.parse::<f64>()) {
            (Some(integer), _) => Ok(Scalar::integer(integer)),
            (None, Ok(float)) => Ok(Scalar::Float(float)),
            (None, Err(_)) => start.error("a number is written as in JSON: 1, -0.5, 1e3"),
        }
    }

    /// Reads a text in quotes.
    pub(super) fn quoted(&mut self) -> Result<String> {
        let open = *self;
        let Some(quote) = self.peek() else { return self.error("expected a quote") };
        self.advance(1);
        let mut text = String::new();
        while let Some(c) = self.peek() {
            match c {
                _ if c == quote => {
                    self.advance(1);
                    return Ok(text);
                }
                '\\' => text.push(self.escape(quote)?),
                '\0'..='\x1f' => {
                    return self.error("write a control character as \\u00XX");
                }
                _ => {
                    text.push(c);
                    self.advance(c.len_utf8());
                }
            }
        }
        open.error(format!("the {quote} is not closed"))
    }

    fn escape(&mut self, quote: char) -> Result<char> {
        let start = *self;
        self.advance(1);
        let letter = self.peek();
        self.advance(letter.map_or(0, char::len_utf8));
        Ok(match letter {
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some(c) if matches!(c, '/' | '\\') || c == quote => c,
            Some('u') => return self.code_point(start),
            Some(_) | None => return start.error("there is no such escape"),
        })
    }

    /// Reads what follows `\u`: a code point, or the two halves of one.
    fn code_point(&mut self, start: QueryCursor<'q>) -> Result<char> {
        let first = self.hex(start)?;
        if !(0xD800..0xE000).contains(&first) {
            return char::from_u32(first).map_or_else(|| start.error("no character"), Ok);
        }
        let low = if first < 0xDC00 && self.take("\\u") { self.hex(start)? } else { 0 };
        if !(0xDC00..0xE000).contains(&low) {
            return start.error("half a character: \\uD800 to \\uDFFF stand in pairs");
        }
        let code = 0x10000 + ((first - 0xD800) << 10) + (low - 0xDC00);
        char::from_u32(code).map_or_else(|| start.error("no character"), Ok)
    }

    fn hex(&mut self, start: QueryCursor<'q>) -> Result<u32> {
        let digits =
            self.rest().get(..4).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        let Some(digits) = digits else {
            return start.error("\\u needs four hexadecimal digits");
        };
        self.advance(4);
        u32::from_str_radix(digits, 16).or_else(|_| start.error("no number"))
    }
}
