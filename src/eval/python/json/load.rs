//! A JSON text comes in, the value that `json.loads` makes of it goes out.

use num_bigint::BigInt;

use crate::eval::python::{Class, DEPTH, Dict, Exception, Key, List, Result, Value};

/// The most digits of an integer.
const DIGITS: usize = 4300;

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

/// A container that is being read; a dict with the key whose value comes next.
enum Open {
    List(Vec<Value>),
    Dict(Vec<(Key, Value)>, Key),
}

/// What was read: a whole value, or the beginning of a container.
enum Read {
    Whole(Value),
    Open(Open),
}

/// `json.loads`
///
/// # Errors
/// What is wrong with the text and where, in Python's words.
pub fn load(text: &str) -> Result<Value> {
    let mut reader = Reader { text, at: 0 };
    if text.starts_with('\u{feff}') {
        let message = "Unexpected UTF-8 BOM (decode using utf-8-sig)";
        return Err(reader.wrong(message, 0));
    }
    let mut open: Vec<Open> = Vec::new();
    loop {
        let mut value = match reader.value()? {
            Read::Whole(value) => value,
            Read::Open(_) if open.len() >= DEPTH => {
                let message = "maximum recursion depth exceeded while decoding JSON";
                return Err(Exception::new(Class::Recursion, message));
            }
            Read::Open(container) => {
                open.push(container);
                continue;
            }
        };
        loop {
            let Some(container) = open.pop() else {
                reader.blank();
                return if reader.at == text.len() {
                    Ok(value)
                } else {
                    Err(reader.wrong("Extra data", reader.at))
                };
            };
            match reader.after(container, value)? {
                Read::Whole(whole) => value = whole,
                Read::Open(container) => {
                    open.push(container);
                    break;
                }
            }
        }
    }
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn blank(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn wrong(&self, what: &str, at: usize) -> Box<Exception> {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        let at = before.chars().count();
        let message = format!("{what}: line {line} column {column} (char {at})");
        Exception::new(Class::Syntax, message)
    }

    fn value(&mut self) -> Result<Read> {
        self.blank();
        let at = self.at;
        match self.peek() {
            Some(b'"') => Ok(Read::Whole(Value::from(self.string()?))),
            Some(b'{') => self.begin_dict(),
            Some(b'[') => {
                self.at += 1;
                self.blank();
                Ok(if self.eat(b']') {
                    Read::Whole(Value::list([]))
                } else {
                    Read::Open(Open::List(Vec::new()))
                })
            }
            _ => {
                let found = self.word().or_else(|| self.number());
                found.unwrap_or_else(|| Err(self.wrong("Expecting value", at)))
            }
        }
    }

    fn begin_dict(&mut self) -> Result<Read> {
        self.at += 1;
        self.blank();
        if self.eat(b'}') {
            return Ok(Read::Whole(Value::Dict(Dict::default())));
        }
        let key = self.key()?;
        Ok(Read::Open(Open::Dict(Vec::new(), key)))
    }

    fn key(&mut self) -> Result<Key> {
        if self.peek() != Some(b'"') {
            let message = "Expecting property name enclosed in double quotes";
            return Err(self.wrong(message, self.at));
        }
        let key = self.string()?;
        self.blank();
        if !self.eat(b':') {
            return Err(self.wrong("Expecting ':' delimiter", self.at));
        }
        Ok(Key::text(&key))
    }

    /// What a container becomes with one more value and what follows it.
    fn after(&mut self, mut container: Open, value: Value) -> Result<Read> {
        let close = match &mut container {
            Open::List(items) => {
                items.push(value);
                b']'
            }
            Open::Dict(entries, key) => {
                entries.push((key.clone(), value));
                b'}'
            }
        };
        self.blank();
        if self.eat(close) {
            return Ok(Read::Whole(match container {
                Open::List(items) => Value::List(List::from_iter(items)),
                Open::Dict(entries, _) => Value::Dict(Dict::from_iter(entries)),
            }));
        }
        if !self.eat(b',') {
            return Err(self.wrong("Expecting ',' delimiter", self.at));
        }
        if let Open::Dict(_, key) = &mut container {
            self.blank();
            *key = self.key()?;
        }
        Ok(Read::Open(container))
    }

    fn word(&mut self) -> Option<Result<Read>> {
        let words = [
            ("null", Value::None),
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
            ("NaN", Value::Float(f64::NAN)),
            ("Infinity", Value::Float(f64::INFINITY)),
            ("-Infinity", Value::Float(f64::NEG_INFINITY)),
        ];
        let rest = self.rest();
        let (word, value) = words.into_iter().find(|(word, _)| rest.starts_with(word))?;
        self.at += word.len();
        Some(Ok(Read::Whole(value)))
    }

    fn number(&mut self) -> Option<Result<Read>> {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let rest = self.rest();
        let sign = usize::from(rest.starts_with('-'));
        let whole = if rest[sign..].starts_with('0') { 1 } else { digits(&rest[sign..]) };
        if whole == 0 {
            return None;
        }
        let mut end = sign + whole;
        if let Some(fraction) = rest[end..].strip_prefix('.') {
            let length = digits(fraction);
            end += if length > 0 { length + 1 } else { 0 };
        }
        if let Some(exponent) = rest[end..].strip_prefix(['e', 'E']) {
            let sign = usize::from(exponent.starts_with(['-', '+']));
            let length = digits(&exponent[sign..]);
            end += if length > 0 { length + sign + 1 } else { 0 };
        }
        let (text, at) = (&rest[..end], self.at);
        let value = if end != sign + whole {
            Value::Float(text.parse().unwrap_or(f64::NAN))
        } else if whole > DIGITS {
            let message = format!(
                "Exceeds the limit ({DIGITS} digits) for integer string conversion: \
                     value has {whole} digits"
            );
            return Some(Err(Exception::of_value(message)));
        } else {
            Value::integer(text.parse::<BigInt>().unwrap_or_default())
        };
        self.at = at + end;
        Some(Ok(Read::Whole(value)))
    }

    fn string(&mut self) -> Result<String> {
        let (start, mut text) = (self.at, String::new());
        self.at += 1;
        loop {
            let rest = self.rest();
            let special = |b: u8| matches!(b, b'"' | b'\\' | ..0x20);
            let Some(length) = rest.bytes().position(special) else {
                return Err(self.wrong("Unterminated string starting at", start));
            };
            text.push_str(&rest[..length]);
            self.at += length;
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => text.push(self.escape(start)?),
                _ => return Err(self.wrong("Invalid control character at", self.at)),
            }
        }
        self.at += 1;
        Ok(text)
    }

    fn escape(&mut self, start: usize) -> Result<char> {
        let at = self.at;
        self.at += 2;
        Ok(match self.text.as_bytes().get(at + 1) {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\x08',
            Some(b'f') => '\x0c',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.code(at),
            Some(_) => return Err(self.wrong("Invalid \\escape", at)),
            None => return Err(self.wrong("Unterminated string starting at", start)),
        })
    }

    /// The four digits after `\u`, and another four where they make one character.
    fn code(&mut self, at: usize) -> Result<char> {
        let high = self.unit(at)?;
        if let Some(c) = char::from_u32(high) {
            return Ok(c);
        }
        if high < 0xdc00 && self.rest().starts_with("\\u") {
            self.at += 2;
            let low = self.unit(at)?;
            if (0xdc00..0xe000).contains(&low) {
                let code = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
                return Ok(char::from_u32(code).unwrap_or('\u{fffd}'));
            }
        }
        let message = format!("\\u{high:04x} alone is half a character");
        Err(self.wrong(&message, at))
    }

    fn unit(&mut self, at: usize) -> Result<u32> {
        let hex = self.rest().get(..4);
        let hex = hex.filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
        let unit = hex.and_then(|hex| u32::from_str_radix(hex, 16).ok());
        self.at += 4;
        unit.ok_or_else(|| self.wrong("Invalid \\uXXXX escape", at + 1))
    }
}
