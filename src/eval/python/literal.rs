//! `ast.literal_eval`.

use super::convert::parse_float;
use super::{
    Class, Dict, Exception, Key, Result, Set, Value, max_depth, negative, parse_int,
};

/// Implements `ast.literal_eval(text)`. Raises a syntax error if the text is no literal.
pub fn evaluate(text: &str) -> Result<Value> {
    if text.contains('\0') {
        return Err(malformed("source code string cannot contain null bytes"));
    }
    let mut parser = LiteralParser { text, at: 0, open: vec![OpenBracket::new(None)] };
    let first = text.trim_start_matches(['\n', '\r', '\x0c']);
    // `ast.parse` reports a leading space as an indentation.
    if first.starts_with([' ', '\t']) && !first.trim_start().is_empty() {
        return Err(malformed("unexpected indent"));
    }
    parser.blank(true);
    parser.read()
}

/// Returns the value of a literal, or the text if it is none (for `--python-literals`).
pub fn reread(text: &str) -> Value {
    // To Python blanks after the last line break are an indentation, which is an error.
    let last = text.rsplit_once('\n').map_or("", |(_, last)| last);
    if !last.is_empty() && last.trim_matches([' ', '\t']).is_empty() {
        return Value::from(text);
    }
    match evaluate(text) {
        // A string keeps its quotes, as in Ansible's `ansible_native_concat`.
        Ok(Value::Str(inner)) => {
            let quote = text.chars().next().unwrap_or('\'');
            Value::from(format!("{quote}{}{quote}", &*inner))
        }
        Ok(value) => value,
        Err(_) => Value::from(text),
    }
}

fn malformed(what: &str) -> Box<Exception> {
    Exception::new(Class::Syntax, what)
}

/// An open bracket, or the whole text.
#[derive(Default)]
struct OpenBracket {
    /// `(`, `[` or `{`; `None` for the whole text.
    bracket: Option<char>,
    /// Members, or the keys of a dict.
    items: Vec<Value>,
    /// Values of a dict; one per item but the last key.
    values: Vec<Value>,
    /// True if there is a colon, so that braces hold a dict.
    dict: bool,
    /// True if the last token is a colon.
    colon: bool,
    /// True if the last token is a comma, and if there is any comma.
    comma: bool,
    commas: bool,
}

#[derive(Clone, Copy)]
struct StringPrefix {
    raw: bool,
    bytes: bool,
}

/// The state of `literal_eval`: the text, the byte offset in it and the open brackets.
struct LiteralParser<'a> {
    text: &'a str,
    at: usize,
    open: Vec<OpenBracket>,
}

impl OpenBracket {
    fn new(bracket: Option<char>) -> OpenBracket {
        OpenBracket { bracket, comma: true, ..OpenBracket::default() }
    }

    fn lacks_value(&self) -> bool {
        self.dict && self.values.len() < self.items.len()
    }

    /// Returns true if a bracket may close here: it is empty or ends with a comma.
    fn empty(&self) -> bool {
        !self.colon && (self.items.is_empty() || self.commas)
    }

    fn can_be_dict(&self) -> bool {
        let first = self.items.len() == 1 && !self.commas && !self.dict;
        self.bracket == Some('{') && (first || self.lacks_value())
    }

    /// Returns the value of the closed bracket.
    fn close(mut self) -> Result<Value> {
        if self.lacks_value() {
            return Err(malformed("expression expected after dictionary key and ':'"));
        }
        match self.bracket {
            Some('[') => Ok(Value::list(self.items)),
            Some('{') if self.dict || self.items.is_empty() => {
                let entries = self.items.into_iter().zip(self.values);
                let entries = entries.map(|(key, value)| Ok((Key::new(key)?, value)));
                Ok(Value::Dict(entries.collect::<Result<Dict>>()?))
            }
            Some('{') => {
                let members = self.items.into_iter().map(Key::new);
                Ok(Value::Set(members.collect::<Result<Set>>()?))
            }
            _ if self.items.len() == 1 && !self.commas => {
                Ok(self.items.pop().unwrap_or(Value::None))
            }
            None if self.items.is_empty() => Err(malformed("invalid syntax")),
            _ => Ok(Value::tuple(self.items)),
        }
    }
}

impl<'a> LiteralParser<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Skips spaces, comments and escaped line breaks; with `lines` all line breaks.
    fn blank(&mut self, lines: bool) {
        let blanks = if lines { " \t\x0c\n\r" } else { " \t\x0c" };
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start_matches(|c| blanks.contains(c));
            let mut skipped = rest.len() - trimmed.len();
            if trimmed.starts_with('#') {
                skipped += trimmed.find(['\n', '\r']).unwrap_or(trimmed.len());
            } else if trimmed.starts_with("\\\n") {
                skipped += 2;
            }
            if skipped == 0 {
                return;
            }
            self.at += skipped;
        }
    }

    fn read(&mut self) -> Result<Value> {
        loop {
            let inside = self.open.len() > 1;
            self.blank(inside);
            let Some(open) = self.open.last_mut() else { return Err(invalid()) };
            let ready = open.comma || open.colon;
            match self.text.get(self.at..).and_then(|rest| rest.chars().next()) {
                Some(c @ (')' | ']' | '}')) => {
                    if open.bracket != Some(opening(c)) || open.comma && !open.empty() {
                        return Err(invalid());
                    }
                    self.at += 1;
                    let closed = self.open.pop().ok_or_else(invalid)?.close()?;
                    self.take(closed)?;
                }
                Some(',') if !ready && !open.lacks_value() => {
                    (open.comma, open.commas) = (true, true);
                    self.at += 1;
                }
                Some(':') if !ready && open.can_be_dict() => {
                    (open.dict, open.colon) = (true, true);
                    self.at += 1;
                }
                None | Some('\n' | '\r') if !inside => return self.end(),
                Some(c @ ('(' | '[' | '{')) if ready => {
                    // The limit of all operations; CPython's depends on its stack.
                    if self.open.len() > max_depth() {
                        return Err(malformed("too many nested parentheses"));
                    }
                    self.at += 1;
                    self.open.push(OpenBracket::new(Some(c)));
                }
                Some(_) if ready => {
                    let value = self.operand()?;
                    self.take(value)?;
                }
                _ => return Err(invalid()),
            }
        }
    }

    fn end(&mut self) -> Result<Value> {
        self.blank(true);
        self.open.pop().filter(|_| self.rest().is_empty()).ok_or_else(invalid)?.close()
    }

    /// Adds a value to the innermost bracket.
    fn take(&mut self, value: Value) -> Result<()> {
        let open = self.open.last_mut().ok_or_else(invalid)?;
        if open.colon {
            open.values.push(value);
        } else if open.comma {
            open.items.push(value);
        } else {
            return Err(invalid());
        }
        (open.comma, open.colon) = (false, false);
        Ok(())
    }

    fn operand(&mut self) -> Result<Value> {
        match self.peek() {
            Some(sign @ ('-' | '+')) => {
                self.at += 1;
                self.blank(self.open.len() > 1);
                if !self.peek().is_some_and(|c| c.is_ascii_digit() || c == '.') {
                    return Err(malformed("malformed node or string"));
                }
                let number = self.number()?;
                if sign == '+' { Ok(number) } else { negative(&number) }
            }
            Some(c) if c.is_ascii_digit() => self.number(),
            Some('.') if !self.rest().starts_with("...") => self.number(),
            Some('\'' | '"') => self.texts(),
            _ => self.word(),
        }
    }

    fn word(&mut self) -> Result<Value> {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        let word = &rest[..end.unwrap_or(rest.len())];
        if rest[word.len()..].starts_with(['\'', '"']) {
            return self.texts();
        }
        let value = match word {
            "None" => Value::None,
            "True" => Value::Bool(true),
            "False" => Value::Bool(false),
            "set" => {
                self.at += 3;
                for sign in ['(', ')'] {
                    self.blank(true);
                    if self.peek() != Some(sign) {
                        return Err(malformed("malformed node or string"));
                    }
                    self.at += 1;
                }
                return Ok(Value::Set(Set::default()));
            }
            _ => return Err(malformed("malformed node or string")),
        };
        self.at += word.len();
        Ok(value)
    }

    /// Reads a number, by the rules of `int(text, 0)` and `float(text)`.
    fn number(&mut self) -> Result<Value> {
        let rest = self.rest();
        let is_hex = rest.starts_with("0x") || rest.starts_with("0X");
        let ends = |(at, c): &(usize, char)| {
            let is_signed = !is_hex && rest[..*at].ends_with(['e', 'E']);
            let is_sign = is_signed && matches!(c, '+' | '-');
            !(c.is_alphanumeric() || matches!(c, '_' | '.') || is_sign)
        };
        let end = rest.char_indices().find(ends).map_or(rest.len(), |(at, _)| at);
        let token = &rest[..end];
        self.at += end;
        let value = if !is_hex && token.contains(['.', 'e', 'E']) {
            parse_float(token).map(Value::Float)
        } else {
            parse_int(token, 0)
        };
        // Digits of other scripts are for `int` and `float` only.
        let value = value.ok().filter(|_| token.is_ascii());
        value.ok_or_else(|| malformed("invalid decimal literal"))
    }

    /// Reads adjacent string literals as one value.
    fn texts(&mut self) -> Result<Value> {
        let mut codes = Vec::new();
        let mut kind = None;
        loop {
            let prefix = self.prefix()?;
            if *kind.get_or_insert(prefix.bytes) != prefix.bytes {
                return Err(malformed("cannot mix bytes and nonbytes literals"));
            }
            self.text(prefix, &mut codes)?;
            self.blank(self.open.len() > 1);
            let rest = self.rest();
            let prefix = rest.bytes().take(2).take_while(u8::is_ascii_alphabetic).count();
            if !rest[prefix..].starts_with(['\'', '"']) {
                break;
            }
        }
        Ok(match kind {
            Some(true) => Value::Bytes(codes.into_iter().map(|c| c as u8).collect()),
            _ => codes.into_iter().filter_map(char::from_u32).collect::<String>().into(),
        })
    }

    fn prefix(&mut self) -> Result<StringPrefix> {
        let rest = self.rest();
        let letters = &rest[..rest.find(['\'', '"']).unwrap_or(0)];
        let (raw, bytes) = match &*letters.to_ascii_lowercase() {
            "" | "u" => (false, false),
            "r" => (true, false),
            "b" => (false, true),
            "rb" | "br" => (true, true),
            _ => return Err(malformed("malformed node or string")),
        };
        self.at += letters.len();
        Ok(StringPrefix { raw, bytes })
    }

    /// Adds the codes of the characters or bytes of one string literal.
    fn text(&mut self, prefix: StringPrefix, codes: &mut Vec<u32>) -> Result<()> {
        let rest = self.rest();
        let quote = if rest.starts_with('"') { "\"" } else { "'" };
        let triple = quote.repeat(3);
        let quote = if rest.starts_with(&triple) { &*triple } else { quote };
        self.at += quote.len();
        loop {
            let rest = self.rest();
            if rest.starts_with(quote) {
                self.at += quote.len();
                return Ok(());
            }
            let c = self.peek().ok_or_else(unterminated)?;
            let code = match c {
                '\n' | '\r' if quote.len() == 1 => return Err(unterminated()),
                '\\' if prefix.raw => {
                    let next = rest[1..].chars().next().ok_or_else(unterminated)?;
                    self.at += 1;
                    codes.push('\\' as u32);
                    next as u32
                }
                '\\' => {
                    codes.extend(self.escape(prefix.bytes)?);
                    continue;
                }
                c => c as u32,
            };
            self.at += char::from_u32(code).map_or(1, char::len_utf8);
            if prefix.bytes && code > 0x7f {
                return Err(malformed("bytes can only contain ASCII literal characters"));
            }
            codes.push(code);
        }
    }

    /// Reads an escape. Returns `None` for an escaped line break.
    fn escape(&mut self, bytes: bool) -> Result<Option<u32>> {
        let after = &self.rest()[1..];
        let found = match after.chars().next() {
            None => return Err(unterminated()),
            // This would need the table of character names.
            Some('N') if !bytes => {
                return Err(malformed("names of characters are not known"));
            }
            Some('u' | 'U') if bytes => None,
            Some(_) => StringEscape::read(after)?,
        };
        let Some(StringEscape { code, length }) = found else {
            self.at += 1;
            return Ok(Some('\\' as u32));
        };
        self.at += 1 + length;
        if !bytes && code.is_some_and(|code| char::from_u32(code).is_none()) {
            return Err(malformed("half a character"));
        }
        Ok(code)
    }
}

fn invalid() -> Box<Exception> {
    malformed("invalid syntax")
}

fn opening(close: char) -> char {
    match close {
        ')' => '(',
        ']' => '[',
        _ => '{',
    }
}

/// Returns the character of an escape such as `\n`: those of Python, `re` and yaql.
pub fn simple_escape(letter: char) -> Option<char> {
    Some(match letter {
        'a' => '\x07',
        'b' => '\x08',
        'f' => '\x0c',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\x0b',
        _ => return None,
    })
}

/// The part of a string after a backslash that stands for a character.
pub struct StringEscape {
    /// Code of the character; `None` for a line break, which is left out.
    pub code: Option<u32>,
    /// Length in bytes, without the backslash.
    pub length: usize,
}

impl StringEscape {
    /// Reads what follows a backslash. Returns `None` if the backslash stands for itself.
    /// Raises a syntax error for a code that lacks digits.
    pub fn read(text: &str) -> Result<Option<StringEscape>> {
        let Some(c) = text.chars().next() else { return Ok(None) };
        let (code, length) = match c {
            '\n' => (None, 1),
            '\\' | '\'' | '"' => (Some(c as u32), 1),
            '0'..='7' => {
                let length = text.chars().take(3).take_while(|c| c.is_digit(8)).count();
                (u32::from_str_radix(&text[..length], 8).ok(), length)
            }
            'x' | 'u' | 'U' => {
                let last = match c {
                    'x' => 2,
                    'u' => 4,
                    _ => 8,
                };
                let hex = text.get(1..=last);
                let hex = hex.filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
                let code = hex.and_then(|hex| u32::from_str_radix(hex, 16).ok());
                (Some(code.ok_or_else(|| malformed("truncated escape"))?), last + 1)
            }
            _ => match simple_escape(c) {
                Some(escaped) => (Some(escaped as u32), 1),
                None => return Ok(None),
            },
        };
        Ok(Some(StringEscape { code, length }))
    }
}

/// Returns the offset of the quote that ends the string at the start of a text. A backslash
/// hides the character after it.
pub fn closing_quote(text: &str, quote: char) -> Option<usize> {
    let mut hidden = false;
    let mut rest = text.char_indices().skip(1);
    let end = rest.find(|(_, c)| {
        let ends = *c == quote && !hidden;
        hidden = *c == '\\' && !hidden;
        ends
    });
    end.map(|(at, _)| at)
}

/// Resolves the escapes of a string without its quotes.
pub fn unescape(text: &str) -> Result<String> {
    let wrong =
        || malformed("a string ends within an escape, or the escape is no character");
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        rest = after;
        match StringEscape::read(after).map_err(|_| wrong())? {
            None => out.push('\\'),
            Some(StringEscape { code, length }) => {
                if let Some(code) = code {
                    out.push(char::from_u32(code).ok_or_else(wrong)?);
                }
                rest = &after[length..];
            }
        }
    }
    Ok(out + rest)
}

fn unterminated() -> Box<Exception> {
    malformed("unterminated string literal")
}

#[cfg(test)]
mod tests {
    use super::{evaluate, reread};
    use crate::eval::python::{Result, repr};

    #[test]
    fn literals() -> Result<()> {
        let same =
            ["[1, (2,), {'a': -1.5}]", "{1, 2}", "(1, 2)", "b'\\x00a'", "None", "{}"];
        for text in same {
            assert_eq!(repr(&evaluate(text)?)?, text);
        }
        let cases = [
            ("1,2", "(1, 2)"),
            ("0x1F", "31"),
            ("'a' \"b\\n\" r'\\d'", "'ab\\n\\\\d'"),
            ("[\n1, # one\n]\n", "[1]"),
            ("1_000", "1000"),
        ];
        for (text, wanted) in cases {
            assert_eq!(repr(&evaluate(text)?)?, wanted);
        }
        for text in
            [" 1", "007", "a", "--1", "1 2", "[1,,]", "{1:}", "f'a'", "'", "(", ""]
        {
            assert!(evaluate(text).is_err(), "{text}");
            assert_eq!(reread(text).as_str(), Some(text));
        }
        assert_eq!(reread("'a'").as_str(), Some("'a'"));
        Ok(())
    }
}
