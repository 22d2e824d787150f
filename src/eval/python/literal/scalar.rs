//! Numbers and texts of Python literals: how they are written comes in, values go out.

use num_bigint::BigInt;

use super::{Reader, malformed};
use crate::eval::python::{Result, Value};

/// What a text begins with beside its quotes.
#[derive(Clone, Copy)]
struct Prefix {
    raw: bool,
    bytes: bool,
}

impl Reader<'_> {
    pub(super) fn number(&mut self) -> Result<Value> {
        let rest = self.rest();
        let lower = rest.get(..2).unwrap_or("").to_ascii_lowercase();
        let radix = match &*lower {
            "0x" => 16,
            "0o" => 8,
            "0b" => 2,
            _ => return self.decimal(),
        };
        let digits = run(&rest[2..], radix, true).ok_or_else(invalid)?;
        let value = BigInt::parse_bytes(digits.replace('_', "").as_bytes(), radix);
        self.at += 2 + digits.len();
        self.ends()?;
        value.map(Value::integer).ok_or_else(invalid)
    }

    fn decimal(&mut self) -> Result<Value> {
        let rest = self.rest();
        let whole = run(rest, 10, false).unwrap_or("");
        let mut end = whole.len();
        let mut float = false;
        if rest[end..].starts_with('.') {
            float = true;
            end += 1;
            end += run(&rest[end..], 10, false).unwrap_or("").len();
        }
        if let Some(exponent) = rest[end..].strip_prefix(['e', 'E']) {
            let sign = usize::from(exponent.starts_with(['-', '+']));
            if let Some(digits) = run(&exponent[sign..], 10, false) {
                float = true;
                end += 1 + sign + digits.len();
            }
        }
        let text = rest[..end].replace('_', "");
        self.at += end;
        self.ends()?;
        if float {
            return text.parse().map(Value::Float).map_err(|_| invalid());
        }
        let zero = text.bytes().all(|b| b == b'0');
        if text.len() > 4300 || text.starts_with('0') && !zero {
            return Err(invalid());
        }
        text.parse::<BigInt>().map(Value::integer).map_err(|_| invalid())
    }

    /// Makes sure that a number ends here.
    fn ends(&self) -> Result<()> {
        match self.peek() {
            Some(c) if c.is_alphanumeric() || c == '_' || c == '.' => Err(invalid()),
            _ => Ok(()),
        }
    }

    /// Texts that stand side by side are one.
    pub(super) fn texts(&mut self) -> Result<Value> {
        let (mut text, mut bytes, mut kind) = (String::new(), Vec::new(), None);
        loop {
            let prefix = self.prefix()?;
            if *kind.get_or_insert(prefix.bytes) != prefix.bytes {
                return Err(malformed("cannot mix bytes and nonbytes literals"));
            }
            self.text(prefix, &mut text, &mut bytes)?;
            self.blank(self.open.len() > 1);
            let rest = self.rest();
            let letters =
                rest.bytes().take(2).take_while(u8::is_ascii_alphabetic).count();
            if !rest[letters..].starts_with(['\'', '"']) {
                break;
            }
        }
        Ok(match kind {
            Some(true) => Value::Bytes(bytes.into()),
            _ => Value::from(text),
        })
    }

    fn prefix(&mut self) -> Result<Prefix> {
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
        Ok(Prefix { raw, bytes })
    }

    fn text(
        &mut self,
        prefix: Prefix,
        text: &mut String,
        bytes: &mut Vec<u8>,
    ) -> Result<()> {
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
                    push(prefix, '\\' as u32, text, bytes)?;
                    next as u32
                }
                '\\' => match self.escape(prefix.bytes)? {
                    Some(code) => {
                        push(prefix, code, text, bytes)?;
                        continue;
                    }
                    None => continue,
                },
                c => c as u32,
            };
            self.at += char::from_u32(code).map_or(1, char::len_utf8);
            if prefix.bytes && code > 0x7f {
                let message = "bytes can only contain ASCII literal characters";
                return Err(malformed(message));
            }
            push(prefix, code, text, bytes)?;
        }
    }

    /// What a backslash and what follows it stand for; a line that goes on stands for
    /// nothing.
    fn escape(&mut self, bytes: bool) -> Result<Option<u32>> {
        let mut rest = self.rest()[1..].chars();
        let c = rest.next().ok_or_else(unterminated)?;
        let after = rest.as_str();
        let plain = match c {
            '\n' => None,
            '\\' | '\'' | '"' => Some(c as u32),
            'a' => Some(7),
            'b' => Some(8),
            'f' => Some(12),
            'n' => Some(10),
            'r' => Some(13),
            't' => Some(9),
            'v' => Some(11),
            '0'..='7' => {
                let digits = &self.rest()[1..];
                let count = digits.bytes().take(3).filter(|b| (b'0'..=b'7').contains(b));
                let count = count.count().min(run(digits, 8, false).map_or(0, str::len));
                let code = u32::from_str_radix(&digits[..count], 8).unwrap_or(0);
                self.at += 1 + count;
                return Ok(Some(if bytes { code & 0xff } else { code }));
            }
            'x' => return self.code(after, 2).map(Some),
            'u' if !bytes => return self.code(after, 4).map(Some),
            'U' if !bytes => return self.code(after, 8).map(Some),
            'N' if !bytes => return Err(malformed("names of characters are not known")),
            _ => {
                self.at += 1;
                return Ok(Some('\\' as u32));
            }
        };
        self.at += 1 + c.len_utf8();
        Ok(plain)
    }

    fn code(&mut self, after: &str, digits: usize) -> Result<u32> {
        let hex = after.get(..digits);
        let hex = hex.filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
        let code = hex.and_then(|hex| u32::from_str_radix(hex, 16).ok());
        self.at += 2 + digits;
        code.ok_or_else(|| malformed("truncated escape"))
    }
}

fn push(prefix: Prefix, code: u32, text: &mut String, bytes: &mut Vec<u8>) -> Result<()> {
    if prefix.bytes {
        bytes.push(code as u8);
        return Ok(());
    }
    text.push(char::from_u32(code).ok_or_else(|| malformed("half a character"))?);
    Ok(())
}

/// Digits with single `_` between them, or before them after `0x`.
fn run(text: &str, radix: u32, led: bool) -> Option<&str> {
    let end = text.find(|c: char| !(c.is_digit(radix) || c == '_'));
    let digits = &text[..end.unwrap_or(text.len())];
    let start = if led { digits.strip_prefix('_').unwrap_or(digits) } else { digits };
    let wrong = start.is_empty()
        || start.starts_with('_')
        || start.ends_with('_')
        || start.contains("__");
    (!wrong).then_some(digits)
}

fn invalid() -> Box<crate::eval::python::Exception> {
    malformed("invalid decimal literal")
}

fn unterminated() -> Box<crate::eval::python::Exception> {
    malformed("unterminated string literal")
}
