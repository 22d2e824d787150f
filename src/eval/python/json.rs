//! Python's `json`: `json.loads` and `json.dumps`.

use std::fmt::Write;

use num_bigint::BigInt;

use super::float::shortest;
use super::{
    Class, Dict, Exception, Key, List, Result, Value, limit, limit_bytes, sort_by_key,
};

/// The keyword arguments of `json.dumps`.
#[derive(Clone, Debug)]
pub struct JsonStyle {
    /// Indentation of a level; everything is on one line if there is none.
    pub indent: Option<String>,
    pub sort: KeyOrder,
    /// True if characters beyond ASCII are escaped.
    pub ascii: bool,
    /// Separators of items and of keys; the default depends on `indent`.
    pub separators: Option<(String, String)>,
    /// Returns a replacement for a value that JSON does not have.
    pub default: fn(&Value) -> Result<Option<Value>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyOrder {
    /// Insertion order.
    #[default]
    Never,
    /// Order of the keys as values. Keys that cannot be compared are an error.
    Keys,
    /// Order of the written keys.
    Text,
}

/// A container that is being written.
struct EncodingContainer {
    members: std::vec::IntoIter<(Option<String>, Value)>,
    close: char,
    empty: bool,
}

/// The state of `json.dumps`: the output and the open containers.
struct JsonEncoder<'a> {
    out: String,
    style: &'a JsonStyle,
    item: &'a str,
    key: &'a str,
    open: Vec<EncodingContainer>,
}

impl Default for JsonStyle {
    fn default() -> JsonStyle {
        let (indent, sort, separators) = (None, KeyOrder::Never, None);
        JsonStyle { indent, sort, ascii: true, separators, default: |_| Ok(None) }
    }
}

/// Implements `json.dumps`. Raises a `TypeError` for a value that JSON does not have.
pub fn dump(value: &Value, style: &JsonStyle) -> Result<String> {
    let (item, key) = match (&style.separators, &style.indent) {
        (Some((item, key)), _) => (&**item, &**key),
        (None, Some(_)) => (",", ": "),
        (None, None) => (", ", ": "),
    };
    let mut encoder =
        JsonEncoder { out: String::new(), style, item, key, open: Vec::new() };
    encoder.value(value)?;
    encoder.members()?;
    limit::charge_bytes(encoder.out.len());
    Ok(encoder.out)
}

/// Appends a text as a JSON string.
pub fn quote(text: &str, ascii: bool, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\x0c' => out.push_str("\\f"),
            '\x08' => out.push_str("\\b"),
            ' '..='~' => out.push(c),
            c if ascii || c < ' ' => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

impl JsonEncoder<'_> {
    fn members(&mut self) -> Result<()> {
        while let Some(container) = self.open.last_mut() {
            let first = std::mem::take(&mut container.empty);
            let Some((key, value)) = container.members.next() else {
                let close = container.close;
                self.open.pop();
                if !first {
                    self.line();
                }
                self.out.push(close);
                continue;
            };
            if !first {
                self.out.push_str(self.item);
            }
            self.line();
            if let Some(key) = key {
                quote(&key, self.style.ascii, &mut self.out);
                self.out.push_str(self.key);
            }
            self.value(&value)?;
            limit_bytes(self.out.len())?;
        }
        Ok(())
    }

    fn line(&mut self) {
        if let Some(indent) = &self.style.indent {
            self.out.push('\n');
            self.open.iter().for_each(|_| self.out.push_str(indent));
        }
    }

    /// Writes a scalar, or opens a container.
    fn value(&mut self, value: &Value) -> Result<()> {
        match &value.force()? {
            Value::Str(text) => quote(text, self.style.ascii, &mut self.out),
            Value::List(items) => return self.begin_list(items.items()?),
            Value::Tuple(items) => return self.begin_list(items.to_vec()),
            Value::Dict(entries) => return self.begin_dict(entries.entries()?),
            other => match scalar(other) {
                Some(text) => self.out.push_str(&text),
                None => return self.other(other),
            },
        }
        Ok(())
    }

    fn other(&mut self, value: &Value) -> Result<()> {
        let not_serializable = || {
            let name = value.type_name();
            Exception::of_type(format!("Object of type {name} is not JSON serializable"))
        };
        let replacement = (self.style.default)(value)?.ok_or_else(not_serializable)?;
        match replacement {
            // A replacement that is not JSON either would recurse forever.
            Value::Object(_) | Value::Bytes(_) | Value::Set(_) | Value::Range(_) => {
                Err(not_serializable())
            }
            plain => self.value(&plain),
        }
    }

    fn begin_list(&mut self, items: Vec<Value>) -> Result<()> {
        self.begin('[', ']', items.into_iter().map(|item| (None, item)).collect())
    }

    fn begin_dict(&mut self, mut entries: Vec<(Key, Value)>) -> Result<()> {
        if self.style.sort == KeyOrder::Keys {
            entries = sorted(&entries)?;
        }
        let named =
            entries.into_iter().map(|(key, value)| Ok((Some(name(&key)?), value)));
        let mut named: Vec<_> = named.collect::<Result<_>>()?;
        if self.style.sort == KeyOrder::Text {
            named.sort_by(|a, b| a.0.cmp(&b.0));
        }
        self.begin('{', '}', named)
    }

    fn begin(
        &mut self,
        open: char,
        close: char,
        members: Vec<(Option<String>, Value)>,
    ) -> Result<()> {
        // Python's encoder is recursive and fails at its limit.
        limit::limit_depth(self.open.len() + 1, "while encoding a JSON object")?;
        self.out.push(open);
        self.open.push(EncodingContainer {
            members: members.into_iter(),
            close,
            empty: true,
        });
        Ok(())
    }
}

fn sorted(entries: &[(Key, Value)]) -> Result<Vec<(Key, Value)>> {
    let keys: Vec<Value> = entries.iter().map(|(key, _)| key.value().clone()).collect();
    let places = sort_by_key(&keys, false)?.into_iter();
    Ok(places.filter_map(|at| entries.get(at).cloned()).collect())
}

/// Returns the text of `None`, a boolean or a number.
fn scalar(value: &Value) -> Option<String> {
    Some(match value {
        Value::None => "null".to_owned(),
        Value::Bool(x) => x.to_string(),
        Value::Int(x) => x.to_string(),
        Value::Big(x) => x.to_string(),
        Value::Float(x) if x.is_nan() => "NaN".to_owned(),
        Value::Float(f64::INFINITY) => "Infinity".to_owned(),
        Value::Float(f64::NEG_INFINITY) => "-Infinity".to_owned(),
        Value::Float(x) => shortest(*x),
        _ => return None,
    })
}

fn name(key: &Key) -> Result<String> {
    if let Some(text) = key.as_str() {
        return Ok(text.to_owned());
    }
    scalar(key.value()).ok_or_else(|| {
        Exception::of_type(format!(
            "keys must be str, int, float, bool or None, not {}",
            key.value().type_name()
        ))
    })
}

/// Maximum number of digits of an integer, as `sys.get_int_max_str_digits()`.
// Parsing takes quadratic time, which is why CPython has the limit.
const MAX_DIGITS: usize = 4300;

/// The state of `json.loads`: the text and the byte offset in it.
struct JsonDecoder<'a> {
    text: &'a str,
    at: usize,
}

/// A container that is being read; an object with the key whose value comes next.
enum DecodingContainer {
    List(Vec<Value>),
    Dict(Vec<(Key, Value)>, Key),
}

/// A complete value or the start of a container.
enum Decoded {
    Value(Value),
    Container(DecodingContainer),
}

/// Implements `json.loads`. Raises a syntax error in Python's words, with the position.
pub fn load(text: &str) -> Result<Value> {
    let mut decoder = JsonDecoder { text, at: 0 };
    if text.starts_with('\u{feff}') {
        return Err(decoder.error("Unexpected UTF-8 BOM (decode using utf-8-sig)", 0));
    }
    let mut open: Vec<DecodingContainer> = Vec::new();
    loop {
        let mut value = match decoder.value()? {
            Decoded::Value(value) => value,
            Decoded::Container(container) => {
                limit::limit_depth(open.len() + 1, "while decoding JSON")?;
                open.push(container);
                continue;
            }
        };
        loop {
            let Some(container) = open.pop() else {
                decoder.blank();
                return if decoder.at == text.len() {
                    Ok(value)
                } else {
                    Err(decoder.error("Extra data", decoder.at))
                };
            };
            match decoder.after(container, value)? {
                Decoded::Value(whole) => value = whole,
                Decoded::Container(container) => {
                    open.push(container);
                    break;
                }
            }
        }
    }
}

impl<'a> JsonDecoder<'a> {
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

    fn error(&self, what: &str, at: usize) -> Box<Exception> {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        let at = before.chars().count();
        let message = format!("{what}: line {line} column {column} (char {at})");
        Exception::new(Class::Syntax, message)
    }

    fn value(&mut self) -> Result<Decoded> {
        self.blank();
        let at = self.at;
        match self.peek() {
            Some(b'"') => Ok(Decoded::Value(Value::from(self.string()?))),
            Some(b'{') => self.begin_dict(),
            Some(b'[') => {
                self.at += 1;
                self.blank();
                Ok(if self.eat(b']') {
                    Decoded::Value(Value::list([]))
                } else {
                    Decoded::Container(DecodingContainer::List(Vec::new()))
                })
            }
            _ => {
                let found = self.word().or_else(|| self.number());
                found.unwrap_or_else(|| Err(self.error("Expecting value", at)))
            }
        }
    }

    fn begin_dict(&mut self) -> Result<Decoded> {
        self.at += 1;
        self.blank();
        if self.eat(b'}') {
            return Ok(Decoded::Value(Value::Dict(Dict::default())));
        }
        Ok(Decoded::Container(DecodingContainer::Dict(Vec::new(), self.key()?)))
    }

    fn key(&mut self) -> Result<Key> {
        if self.peek() != Some(b'"') {
            let message = "Expecting property name enclosed in double quotes";
            return Err(self.error(message, self.at));
        }
        let key = self.string()?;
        self.blank();
        if !self.eat(b':') {
            return Err(self.error("Expecting ':' delimiter", self.at));
        }
        Ok(Key::text(&key))
    }

    /// Adds a value to a container and reads what follows it: an end or a comma.
    fn after(
        &mut self,
        mut container: DecodingContainer,
        value: Value,
    ) -> Result<Decoded> {
        let close = match &mut container {
            DecodingContainer::List(items) => {
                items.push(value);
                b']'
            }
            DecodingContainer::Dict(entries, key) => {
                entries.push((key.clone(), value));
                b'}'
            }
        };
        self.blank();
        if self.eat(close) {
            return Ok(Decoded::Value(match container {
                DecodingContainer::List(items) => Value::List(List::from_iter(items)),
                DecodingContainer::Dict(entries, _) => {
                    Value::Dict(Dict::from_iter(entries))
                }
            }));
        }
        if !self.eat(b',') {
            return Err(self.error("Expecting ',' delimiter", self.at));
        }
        if let DecodingContainer::Dict(_, key) = &mut container {
            self.blank();
            *key = self.key()?;
        }
        Ok(Decoded::Container(container))
    }

    fn word(&mut self) -> Option<Result<Decoded>> {
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
        Some(Ok(Decoded::Value(value)))
    }

    fn number(&mut self) -> Option<Result<Decoded>> {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let rest = self.rest();
        let sign = usize::from(rest.starts_with('-'));
        // A leading zero ends the number, so `01` is reported as extra data.
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
        } else if whole > MAX_DIGITS {
            let message = format!(
                "Exceeds the limit ({MAX_DIGITS} digits) for integer string conversion: \
                     value has {whole} digits"
            );
            return Some(Err(Exception::of_value(message)));
        } else {
            Value::integer(text.parse::<BigInt>().unwrap_or_default())
        };
        self.at = at + end;
        Some(Ok(Decoded::Value(value)))
    }

    fn string(&mut self) -> Result<String> {
        let (start, mut text) = (self.at, String::new());
        self.at += 1;
        loop {
            let rest = self.rest();
            let special = |b: u8| matches!(b, b'"' | b'\\' | ..0x20);
            let Some(length) = rest.bytes().position(special) else {
                return Err(self.error("Unterminated string starting at", start));
            };
            text.push_str(&rest[..length]);
            self.at += length;
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => text.push(self.escape(start)?),
                _ => return Err(self.error("Invalid control character at", self.at)),
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
            Some(_) => return Err(self.error("Invalid \\escape", at)),
            None => return Err(self.error("Unterminated string starting at", start)),
        })
    }

    /// Reads the digits after `\u`, and a second escape for a surrogate pair.
    fn code(&mut self, at: usize) -> Result<char> {
        let high = self.unit(at)?;
        // A code below or above the surrogates is complete.
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
        // Python accepts a lone surrogate. A Rust string cannot hold it.
        Err(self.error(&format!("\\u{high:04x} alone is half a character"), at))
    }

    fn unit(&mut self, at: usize) -> Result<u32> {
        let hex = self.rest().get(..4);
        let hex = hex.filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
        let unit = hex.and_then(|hex| u32::from_str_radix(hex, 16).ok());
        self.at += 4;
        unit.ok_or_else(|| self.error("Invalid \\uXXXX escape", at + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::{JsonStyle, KeyOrder, dump, load};
    use crate::eval::python::Result;

    #[test]
    fn writes_what_it_reads() -> Result<()> {
        let cases = [
            ("[1, -2.5e3, NaN, null, true]", "[1, -2500.0, NaN, null, true]"),
            (
                r#"{"b":"\ud83d\ude00\u007f", "a":{}}"#,
                r#"{"b": "\ud83d\ude00\u007f", "a": {}}"#,
            ),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            (r#" {"a": 1, "b": [], "a": 2} "#, r#"{"a": 2, "b": []}"#),
        ];
        for (text, wanted) in cases {
            assert_eq!(dump(&load(text)?, &JsonStyle::default())?, wanted);
        }
        let indent = Some("  ".to_owned());
        let nice = JsonStyle {
            indent,
            sort: KeyOrder::Keys,
            ascii: false,
            ..JsonStyle::default()
        };
        let text = dump(&load(r#"{"é":[1,{}],"a":"\u001f"}"#)?, &nice)?;
        assert_eq!(text, "{\n  \"a\": \"\\u001f\",\n  \"é\": [\n    1,\n    {}\n  ]\n}");
        Ok(())
    }

    #[test]
    fn says_what_is_wrong() {
        let cases = [
            ("", "Expecting value: line 1 column 1 (char 0)"),
            ("[1,\n]", "Expecting value: line 2 column 1 (char 4)"),
            (
                "{'a'",
                "Expecting property name enclosed in double quotes: line 1 column 2 (char 1)",
            ),
            ("1 2", "Extra data: line 1 column 3 (char 2)"),
            ("\"a\nb\"", "Invalid control character at: line 1 column 3 (char 2)"),
        ];
        for (text, wanted) in cases {
            assert_eq!(
                load(text).map(|_| ()).map_err(|e| e.message),
                Err(wanted.to_owned())
            );
        }
        assert!(load(&"[".repeat(100_000)).is_err());
    }
}
