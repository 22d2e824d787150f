//! `str()`, `repr()` and `ascii()`.

use num_bigint::BigInt;

use super::convert::MAX_INT_DIGITS;
use super::{Exception, Result, Value, View, character, float, limit, limit_bytes};

pub fn str(value: &Value) -> Result<String> {
    match value {
        Value::Str(text) => Ok(text.to_string()),
        Value::Object(object) if value.downcast::<View>().is_none() => object.display(),
        Value::Lazy(lazy) => str(&lazy.force()?),
        other => repr(other),
    }
}

pub fn repr(value: &Value) -> Result<String> {
    let mut writer = ReprWriter::default();
    writer.pending.push(ReprPiece::Value(value.clone()));
    let written = writer.write();
    limit::charge_bytes(writer.out.len());
    written.map(|()| writer.out)
}

/// Writes values without recursion, because templates build values of any depth.
#[derive(Default)]
struct ReprWriter {
    out: String,
    /// The pieces that follow, the next one last.
    pending: Vec<ReprPiece>,
    /// Identities of containers being written; 0 for those that cannot hold themselves.
    open: Vec<usize>,
}

/// A piece of the text that is still to be written.
enum ReprPiece {
    Value(Value),
    Text(&'static str),
    Close(&'static str),
}

impl ReprWriter {
    fn write(&mut self) -> Result<()> {
        while let Some(step) = self.pending.pop() {
            match step {
                ReprPiece::Text(text) => self.out.push_str(text),
                ReprPiece::Close(text) => {
                    self.out.push_str(text);
                    self.open.pop();
                }
                ReprPiece::Value(value) => self.show(value)?,
            }
            limit_bytes(self.out.len())?;
        }
        Ok(())
    }

    fn show(&mut self, value: Value) -> Result<()> {
        match &value {
            Value::Str(text) => quote(&mut self.out, text, text.is_markup()),
            Value::List(items) if self.is_open(items.address()) => {
                self.out.push_str("[...]");
            }
            Value::List(items) => {
                self.open("[", "]", items.address())?;
                self.members(items.items()?);
            }
            Value::Tuple(members) => {
                let close = if members.len() == 1 { ",)" } else { ")" };
                self.open("(", close, 0)?;
                self.members(members.to_vec());
            }
            Value::Set(members) if members.0.is_empty() => self.out.push_str("set()"),
            Value::Set(members) => {
                self.open("{", "}", 0)?;
                self.members(members.0.iter().map(|key| key.value().clone()).collect());
            }
            Value::Dict(dict) if self.is_open(dict.address()) => {
                self.out.push_str("{...}");
            }
            Value::Dict(dict) => {
                self.open("{", "}", dict.address())?;
                let mut entries = Vec::new();
                for (at, (key, value)) in dict.entries()?.into_iter().enumerate() {
                    entries.extend((at > 0).then_some(ReprPiece::Text(", ")));
                    let key = ReprPiece::Value(key.into_value());
                    entries.extend([key, ReprPiece::Text(": "), ReprPiece::Value(value)]);
                }
                self.pending.extend(entries.into_iter().rev());
            }
            Value::Lazy(lazy) => self.pending.push(ReprPiece::Value(lazy.force()?)),
            Value::Object(object) => match value.downcast::<View>() {
                Some(view) => {
                    self.out.push_str(view.name());
                    self.open("([", "])", 0)?;
                    self.members(view.members()?);
                }
                None => self.out.push_str(&object.repr()?),
            },
            plain => self.out.push_str(&show_plain(plain)?),
        }
        Ok(())
    }

    fn is_open(&self, address: usize) -> bool {
        self.open.contains(&address)
    }

    fn open(&mut self, open: &str, close: &'static str, address: usize) -> Result<()> {
        limit::limit_depth(self.open.len() + 1, "while getting the repr of an object")?;
        self.out.push_str(open);
        self.open.push(address);
        self.pending.push(ReprPiece::Close(close));
        Ok(())
    }

    fn members(&mut self, members: Vec<Value>) {
        for (at, member) in members.into_iter().enumerate().rev() {
            self.pending.push(ReprPiece::Value(member));
            self.pending.extend((at > 0).then_some(ReprPiece::Text(", ")));
        }
    }
}

/// Returns the text of a value without members.
fn show_plain(value: &Value) -> Result<String> {
    Ok(match value {
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Int(x) => x.to_string(),
        Value::Big(x) => digits(x)?,
        Value::Float(x) => float::shortest(*x),
        Value::Bytes(bytes) => show_bytes(bytes),
        Value::Range(range) => {
            let step =
                if range.step == 1 { String::new() } else { format!(", {}", range.step) };
            format!("range({}, {}{step})", range.start, range.stop)
        }
        _ => "None".to_owned(),
    })
}

/// Returns the decimal digits. Raises a `ValueError` for more than [`MAX_INT_DIGITS`].
pub(super) fn digits(number: &BigInt) -> Result<String> {
    // Converting takes quadratic time: a number that is certainly too long is not
    // converted.
    let text = if number.bits() < 4 * MAX_INT_DIGITS as u64 {
        number.to_string()
    } else {
        String::new()
    };
    match text.trim_start_matches('-').len() {
        1..=MAX_INT_DIGITS => Ok(text),
        _ => Err(Exception::of_value(
            "Exceeds the limit (4300 digits) for integer string conversion; \
             use sys.set_int_max_str_digits() to increase the limit",
        )),
    }
}

fn quote(out: &mut String, text: &str, is_markup: bool) {
    if is_markup {
        out.push_str("Markup(");
    }
    let mark = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(mark);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            c if c == mark => out.extend(['\\', c]),
            c if character::is_printable(c) => out.push(c),
            c => escape(out, c),
        }
    }
    out.push(mark);
    if is_markup {
        out.push(')');
    }
}

fn escape(out: &mut String, c: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c if (c as u32) < 0x100 => out.push_str(&format!("\\x{:02x}", c as u32)),
        c if (c as u32) < 0x1_0000 => out.push_str(&format!("\\u{:04x}", c as u32)),
        c => out.push_str(&format!("\\U{:08x}", c as u32)),
    }
}

/// Escapes all characters outside of ASCII: `ascii()` of a text that `repr()` gave.
pub fn ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() { out.push(c) } else { escape(&mut out, c) }
    }
    out
}

fn show_bytes(bytes: &[u8]) -> String {
    let mark = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { '"' } else { '\'' };
    let mut out = format!("b{mark}");
    for &byte in bytes {
        match char::from(byte) {
            '\\' => out.push_str("\\\\"),
            c if c == mark => out.extend(['\\', c]),
            c @ ' '..='~' => out.push(c),
            c => escape(&mut out, c),
        }
    }
    out.push(mark);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::python::{Class, Dict, Key, List};

    #[test]
    fn quotes_as_python_does() {
        for (text, shown) in [
            ("x", "'x'"),
            ("it's", "\"it's\""),
            ("it's \"x\"", "'it\\'s \"x\"'"),
            (
                "a\\\n\t\x07é\u{ad}\u{2028}\u{10ffff}",
                r"'a\\\n\t\x07é\xad\u2028\U0010ffff'",
            ),
        ] {
            assert_eq!(repr(&text.into()).unwrap_or_default(), shown);
        }
        assert_eq!(show_bytes(b"a'\xff\n"), r#"b"a'\xff\n""#);
    }

    #[test]
    fn shows_recursive_containers() {
        let list = List::from_iter([Value::Int(1), Value::tuple([Value::None])]);
        list.write().push(Value::List(list.clone()));
        let dict = Dict::from_iter([(Key::text("a"), Value::List(list.clone()))]);
        let shown = repr(&Value::Dict(dict)).unwrap_or_default();
        assert_eq!(shown, "{'a': [1, (None,), [...]]}");
        list.write().clear();
    }

    #[test]
    fn deep_values_are_errors() {
        let mut value = Value::list([]);
        for _ in 0..100_000 {
            value = Value::list([value]);
        }
        assert!(repr(&value).is_err_and(|e| e.class == Class::Recursion));
    }
}
