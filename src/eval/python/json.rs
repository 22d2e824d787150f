//! Python's `json`: `json.loads` and `json.dumps`.

use std::fmt::Write;

use num_bigint::BigInt;

use super::character::digit_count;
use super::convert::MAX_INT_DIGITS;
use super::float::shortest;
use super::{Class, Exception, Key, Result, Value, limit, limit_bytes, sort_by_key};

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
        let indent = None;
        let sort = KeyOrder::Never;
        let separators = None;
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
    let mut json = JsonEncoder { out: String::new(), style, item, key, open: Vec::new() };
    json.value(value)?;
    json.members()?;
    limit::charge_bytes(json.out.len());
    Ok(json.out)
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
        let message = "Object of type {} is not JSON serializable";
        match (self.style.default)(value)? {
            // A replacement that is not JSON either would recurse forever.
            Some(
                Value::Object(_) | Value::Bytes(_) | Value::Set(_) | Value::Range(_),
            )
            | None => Err(Exception::of_type_of(value, message)),
            Some(plain) => self.value(&plain),
        }
    }

    fn begin_list(&mut self, items: Vec<Value>) -> Result<()> {
        self.begin('[', ']', items.into_iter().map(|item| (None, item)).collect())
    }

    fn begin_dict(&mut self, mut entries: Vec<(Key, Value)>) -> Result<()> {
        if self.style.sort == KeyOrder::Keys {
            entries = sorted(&entries)?;
        }
        let named = entries.into_iter().map(|(key, v)| Ok((Some(name(&key)?), v)));
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
        let members = members.into_iter();
        self.open.push(EncodingContainer { members, close, empty: true });
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
    let message = "keys must be str, int, float, bool or None, not {}";
    scalar(key.value()).ok_or_else(|| Exception::of_type_of(key.value(), message))
}

/// The state of `json.loads`: the text, the byte offset in it and the open containers.
struct JsonDecoder<'a> {
    text: &'a str,
    at: usize,
    open: Vec<DecodingContainer>,
}

/// A container that is being read.
struct DecodingContainer {
    members: Vec<Value>,
    /// The keys of an object, with that of the next member.
    keys: Option<Vec<Key>>,
}

/// Implements `json.loads`. Raises a syntax error in Python's words, with the position.
pub fn load(text: &str) -> Result<Value> {
    let mut decoder = JsonDecoder { text, at: 0, open: Vec::new() };
    if text.starts_with('\u{feff}') {
        return Err(decoder.error("Unexpected UTF-8 BOM (decode using utf-8-sig)", 0));
    }
    loop {
        // There is none where a container begins or goes on.
        let mut whole = decoder.value()?;
        while let Some(value) = whole {
            if decoder.open.is_empty() {
                decoder.blank();
                if decoder.at < text.len() {
                    return Err(decoder.error("Extra data", decoder.at));
                }
                return Ok(value);
            }
            whole = decoder.after(value)?;
        }
    }
}

impl DecodingContainer {
    fn close(self) -> Value {
        match self.keys {
            None => Value::list(self.members),
            Some(keys) => Value::Dict(keys.into_iter().zip(self.members).collect()),
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

    /// Reads a scalar or an empty container, or opens one.
    fn value(&mut self) -> Result<Option<Value>> {
        self.blank();
        match self.peek() {
            Some(b'"') => self.string().map(|text| Some(text.into())),
            Some(b'{') => self.begin(b'}', Some(Vec::new())),
            Some(b'[') => self.begin(b']', None),
            _ => match self.word() {
                None => self.number().map(Some),
                word => Ok(word),
            },
        }
    }

    fn begin(&mut self, close: u8, keys: Option<Vec<Key>>) -> Result<Option<Value>> {
        self.at += 1;
        self.blank();
        let mut container = DecodingContainer { members: Vec::new(), keys };
        if self.eat(close) {
            return Ok(Some(container.close()));
        }
        if let Some(keys) = &mut container.keys {
            keys.push(self.key()?);
        }
        self.open.push(container);
        limit::limit_depth(self.open.len(), "while decoding JSON")?;
        Ok(None)
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

    /// Adds a value to the innermost container and reads what follows it: an end, which
    /// makes the container the next value, or a comma.
    fn after(&mut self, value: Value) -> Result<Option<Value>> {
        self.blank();
        let Some(mut container) = self.open.pop() else { return Ok(Some(value)) };
        container.members.push(value);
        if self.eat(if container.keys.is_some() { b'}' } else { b']' }) {
            return Ok(Some(container.close()));
        }
        if !self.eat(b',') {
            return Err(self.error("Expecting ',' delimiter", self.at));
        }
        if let Some(keys) = &mut container.keys {
            self.blank();
            keys.push(self.key()?);
        }
        self.open.push(container);
        Ok(None)
    }

    fn word(&mut self) -> Option<Value> {
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
        Some(value)
    }

    fn number(&mut self) -> Result<Value> {
        let rest = self.rest();
        let sign = usize::from(rest.starts_with('-'));
        // A leading zero ends the number, so `01` is reported as extra data.
        let whole =
            if rest[sign..].starts_with('0') { 1 } else { digit_count(&rest[sign..]) };
        if whole == 0 {
            return Err(self.error("Expecting value", self.at));
        }
        let mut end = sign + whole;
        if let Some(fraction) = rest[end..].strip_prefix('.') {
            let length = digit_count(fraction);
            end += if length > 0 { length + 1 } else { 0 };
        }
        if let Some(exponent) = rest[end..].strip_prefix(['e', 'E']) {
            let sign = usize::from(exponent.starts_with(['-', '+']));
            let length = digit_count(&exponent[sign..]);
            end += if length > 0 { length + sign + 1 } else { 0 };
        }
        self.at += end;
        let text = &rest[..end];
        if end != sign + whole {
            return Ok(Value::Float(text.parse().unwrap_or(f64::NAN)));
        }
        if whole > MAX_INT_DIGITS {
            return Err(Exception::of_value(format!(
                "Exceeds the limit ({MAX_INT_DIGITS} digits) for integer string conversion: \
                     value has {whole} digits"
            )));
        }
        Ok(Value::integer(text.parse::<BigInt>().unwrap_or_default()))
    }

    fn string(&mut self) -> Result<String> {
        let start = self.at;
        let mut text = String::new();
        self.at += 1;
        loop {
            let rest = self.rest();
            let special = rest.bytes().position(|b| matches!(b, b'"' | b'\\' | ..0x20));
            let Some(length) = special else {
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
