//! `str.encode` and `bytes.decode`.

use super::{Class, Exception, Result, limit_bytes};

// No code pages beyond Latin-1: the expressions of the languages served use UTF-8, and a
// table of 100 encodings would be larger than this module.
#[derive(Clone, Copy, PartialEq)]
enum Codec {
    Utf8,
    Utf8Signed,
    Ascii,
    Latin1,
    Utf16 { little: bool, marked: bool },
    Utf32 { little: bool, marked: bool },
}

impl Codec {
    fn named(name: &str) -> Result<Codec> {
        let plain: String = name
            .to_lowercase()
            .chars()
            .map(|c| if c == '-' || c == ' ' { '_' } else { c })
            .collect();
        Ok(match &*plain {
            "utf_8" | "utf8" | "u8" | "utf" | "cp65001" => Codec::Utf8,
            "utf_8_sig" | "utf8_sig" => Codec::Utf8Signed,
            "ascii" | "us_ascii" | "646" => Codec::Ascii,
            "latin_1" | "latin1" | "latin" | "l1" | "iso_8859_1" | "iso8859_1"
            | "8859" => Codec::Latin1,
            "utf_16" | "utf16" | "u16" => Codec::Utf16 { little: true, marked: true },
            "utf_16_le" | "utf_16le" => Codec::Utf16 { little: true, marked: false },
            "utf_16_be" | "utf_16be" => Codec::Utf16 { little: false, marked: false },
            "utf_32" | "utf32" | "u32" => Codec::Utf32 { little: true, marked: true },
            "utf_32_le" | "utf_32le" => Codec::Utf32 { little: true, marked: false },
            "utf_32_be" | "utf_32be" => Codec::Utf32 { little: false, marked: false },
            _ => {
                let message = format!("unknown encoding: {name}");
                return Err(Exception::new(Class::Key, message));
            }
        })
    }
}

/// `text.encode(encoding, errors)`. Raises a `LookupError` or a `UnicodeEncodeError`.
pub fn encode(text: &str, encoding: &str, errors: &str) -> Result<Vec<u8>> {
    limit_bytes(text.len().saturating_mul(4))?;
    let mark = |marked: bool| if marked { "\u{feff}" } else { "" };
    Ok(match Codec::named(encoding)? {
        Codec::Utf8 => text.as_bytes().to_vec(),
        Codec::Utf8Signed => [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        Codec::Ascii => narrow(text, "ascii", 0x80, errors)?,
        Codec::Latin1 => narrow(text, "latin-1", 0x100, errors)?,
        Codec::Utf16 { little, marked } => {
            let units = mark(marked).encode_utf16().chain(text.encode_utf16());
            let bytes = if little { u16::to_le_bytes } else { u16::to_be_bytes };
            units.flat_map(bytes).collect()
        }
        Codec::Utf32 { little, marked } => {
            let chars = mark(marked).chars().chain(text.chars());
            let bytes = if little { u32::to_le_bytes } else { u32::to_be_bytes };
            chars.map(u32::from).flat_map(bytes).collect()
        }
    })
}

/// Encodes each character as one byte below `limit`.
fn narrow(text: &str, name: &str, limit: u32, errors: &str) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    for (at, c) in text.chars().enumerate() {
        match (c as u32, errors) {
            (code, _) if code < limit => out.extend(u8::try_from(code).ok()),
            (_, "ignore") => {}
            (_, "replace") => out.push(b'?'),
            (code, "xmlcharrefreplace") => out.extend(format!("&#{code};").bytes()),
            (_, "backslashreplace") => out.extend(super::ascii(&c.to_string()).bytes()),
            _ => {
                // Python reports the whole run of characters that cannot be encoded.
                let run = text.chars().skip(at).take_while(|c| *c as u32 >= limit);
                let end = at + run.count() - 1;
                let place = if end == at {
                    let c = super::ascii(&c.to_string());
                    format!("character '{c}' in position {at}")
                } else {
                    format!("characters in position {at}-{end}")
                };
                return Err(Exception::of_value(format!(
                    "'{name}' codec can't encode {place}: ordinal not in range({limit})"
                )));
            }
        }
    }
    Ok(out)
}

/// `bytes.decode(encoding, errors)`. Raises a `LookupError` or a `UnicodeDecodeError`.
pub fn decode(bytes: &[u8], encoding: &str, errors: &str) -> Result<String> {
    limit_bytes(bytes.len().saturating_mul(4))?;
    let bad = |name: &str, at: usize, end: usize, why: &str| match errors {
        "ignore" => Ok(String::new()),
        "replace" => Ok("\u{fffd}".to_owned()),
        "backslashreplace" => {
            let bytes = bytes.get(at..end).unwrap_or_default();
            Ok(bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect())
        }
        _ => Err(invalid(bytes, name, at, end, why)),
    };
    match Codec::named(encoding)? {
        Codec::Utf8 => utf8(bytes, &bad),
        Codec::Utf8Signed => {
            utf8(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), &bad)
        }
        Codec::Latin1 => Ok(bytes.iter().map(|byte| char::from(*byte)).collect()),
        Codec::Ascii => {
            let mut out = String::new();
            for (at, byte) in bytes.iter().enumerate() {
                if byte.is_ascii() {
                    out.push(char::from(*byte));
                } else {
                    out += &bad("ascii", at, at + 1, "ordinal not in range(128)")?;
                }
            }
            Ok(out)
        }
        Codec::Utf16 { little, marked } => utf16(bytes, little, marked, &bad),
        Codec::Utf32 { little, marked } => utf32(bytes, little, marked, &bad),
    }
}

fn invalid(bytes: &[u8], name: &str, at: usize, end: usize, why: &str) -> Box<Exception> {
    let place = match (bytes.get(at), end - at) {
        (Some(byte), 1) => format!("byte {byte:#04x} in position {at}"),
        _ => format!("bytes in position {at}-{}", end - 1),
    };
    Exception::of_value(format!("'{name}' codec can't decode {place}: {why}"))
}

/// Returns the replacement for invalid bytes, or the error: encoding, start, end, reason.
type OnError<'a> = &'a dyn Fn(&str, usize, usize, &str) -> Result<String>;

fn utf8(bytes: &[u8], bad: OnError) -> Result<String> {
    let mut out = String::new();
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        at += chunk.valid().len();
        let invalid = chunk.invalid();
        let why = match invalid.first() {
            None => continue,
            Some(0x80..=0xc1 | 0xf5..) => "invalid start byte",
            Some(_) if at + invalid.len() == bytes.len() => "unexpected end of data",
            Some(_) => "invalid continuation byte",
        };
        out += &bad("utf-8", at, at + invalid.len(), why)?;
        at += invalid.len();
    }
    Ok(out)
}

fn utf16(bytes: &[u8], little: bool, marked: bool, bad: OnError) -> Result<String> {
    let (little, body) = byte_order(bytes, little, marked, 2);
    let units = body.chunks_exact(2).map(|unit| code_unit(unit, little) as u16);
    match char::decode_utf16(units).collect::<std::result::Result<String, _>>() {
        Ok(text) if body.len().is_multiple_of(2) => Ok(text),
        Ok(text) => {
            let at = bytes.len() - 1;
            Ok(text + &bad("utf-16", at, at + 1, "truncated data")?)
        }
        Err(_) => bad("utf-16", 0, bytes.len(), "illegal encoding"),
    }
}

fn utf32(bytes: &[u8], little: bool, marked: bool, bad: OnError) -> Result<String> {
    let (little, body) = byte_order(bytes, little, marked, 4);
    let chars = body.chunks_exact(4).map(|c| char::from_u32(code_unit(c, little)));
    match chars.collect::<Option<String>>() {
        Some(text) if body.len().is_multiple_of(4) => Ok(text),
        _ => bad("utf-32", 0, bytes.len(), "code point not in range(0x110000)"),
    }
}

/// Returns true for little-endian, and the bytes after the byte order mark.
fn byte_order(bytes: &[u8], little: bool, marked: bool, size: usize) -> (bool, &[u8]) {
    let (first, rest) = bytes.split_at(size.min(bytes.len()));
    match (marked, first) {
        (true, [0xff, 0xfe] | [0xff, 0xfe, 0, 0]) => (true, rest),
        (true, [0xfe, 0xff] | [0, 0, 0xfe, 0xff]) => (false, rest),
        _ => (little, bytes),
    }
}

fn code_unit(bytes: &[u8], little: bool) -> u32 {
    (0..bytes.len()).fold(0, |unit, at| {
        let byte = bytes[if little { bytes.len() - 1 - at } else { at }];
        unit << 8 | u32::from(byte)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        for encoding in
            ["utf-8", "UTF-8-sig", "utf-16", "utf-16-be", "utf-32", "utf_32_be"]
        {
            let bytes = encode("aé日😀", encoding, "strict").unwrap_or_default();
            let text = decode(&bytes, encoding, "strict");
            assert_eq!(text.as_deref().unwrap_or("!"), "aé日😀", "{encoding}");
        }
    }

    #[test]
    fn reports_errors_as_python_does() {
        let message =
            |result: Result<String>| result.err().map(|e| e.message).unwrap_or_default();
        for (bytes, what) in [
            (&b"\xff"[..], "byte 0xff in position 0: invalid start byte"),
            (b"a\xe2\x82", "bytes in position 1-2: unexpected end of data"),
            (b"\xe2a", "byte 0xe2 in position 0: invalid continuation byte"),
        ] {
            let expected = format!("'utf-8' codec can't decode {what}");
            assert_eq!(message(decode(bytes, "utf8", "strict")), expected);
        }
        let error = encode("aé", "ascii", "strict").err().map(|e| e.message);
        assert_eq!(
            error.unwrap_or_default(),
            "'ascii' codec can't encode character '\\xe9' in position 1: ordinal not in range(128)"
        );
    }
}
