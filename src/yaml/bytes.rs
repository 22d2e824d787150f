//! The encodings of a text: UTF-8, or UTF-16 after a byte order mark, which is kept.

use crate::source::Encoding;

/// The first bytes of a file that are no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BytesError {
    /// The error in the words of libyaml.
    pub message: &'static str,
    /// Offset in bytes of the error.
    pub offset: usize,
    /// The encoding in which the bytes were read.
    pub encoding: Encoding,
    /// The text before the error.
    pub before: String,
    /// Length in bytes of the bad character; `usize::MAX` if its end is missing.
    pub width: usize,
}

/// Decodes bytes.
///
/// # Errors
/// The first character that is not valid in its encoding.
pub fn text(bytes: &[u8]) -> Result<(String, Encoding), BytesError> {
    match bytes {
        [0xff, 0xfe, ..] => utf16(bytes, Encoding::Utf16Le, u16::from_le_bytes),
        [0xfe, 0xff, ..] => utf16(bytes, Encoding::Utf16Be, u16::from_be_bytes),
        _ => utf8(bytes),
    }
}

/// Encodes a text as it was stored.
pub fn bytes(text: &str, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Utf8 => text.as_bytes().to_vec(),
        Encoding::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
        Encoding::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
    }
}

fn utf8(bytes: &[u8]) -> Result<(String, Encoding), BytesError> {
    let good = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok((text.to_owned(), Encoding::Utf8)),
        Err(error) => error.valid_up_to(),
    };
    let (before, rest) = bytes.split_at(good);
    let (message, ahead, width) = utf8_problem(rest);
    Err(BytesError {
        message,
        offset: good + ahead,
        encoding: Encoding::Utf8,
        before: String::from_utf8_lossy(before).into_owned(),
        width,
    })
}

/// Returns the error of the first character, its offset and its length, as libyaml does.
fn utf8_problem(rest: &[u8]) -> (&'static str, usize, usize) {
    let first = rest.first().copied().unwrap_or(0);
    let width = match first.leading_ones() {
        count @ 2..=4 => count as usize,
        _ => return ("invalid leading UTF-8 octet", 0, 1),
    };
    let Some(inner) = rest.get(1..width) else {
        return ("incomplete UTF-8 octet sequence", 0, usize::MAX);
    };
    if let Some(bad) = inner.iter().position(|byte| byte & 0xc0 != 0x80) {
        return ("invalid trailing UTF-8 octet", 1 + bad, width);
    }
    let short =
        matches!((first, inner[0]), (0xc0 | 0xc1, _) | (0xe0, ..0xa0) | (0xf0, ..0x90));
    if short {
        ("invalid length of a UTF-8 sequence", 0, width)
    } else {
        ("invalid Unicode character", 0, width)
    }
}

fn utf16(
    bytes: &[u8],
    encoding: Encoding,
    unit: fn([u8; 2]) -> u16,
) -> Result<(String, Encoding), BytesError> {
    let pairs = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let mut before = String::with_capacity(bytes.len() / 2);
    let mut offset = 0;
    for read in char::decode_utf16(pairs) {
        let Ok(c) = read else { break };
        before.push(c);
        offset += 2 * c.len_utf16();
    }
    let (message, ahead, width) = match &bytes[offset..] {
        [] => return Ok((before, encoding)),
        [_] => ("incomplete UTF-16 character", 0, usize::MAX),
        [a, b, ..] if unit([*a, *b]) & 0xfc00 == 0xdc00 => {
            ("unexpected low surrogate area", 0, 2)
        }
        [_, _] | [_, _, _] => ("incomplete UTF-16 surrogate pair", 0, usize::MAX),
        _ => ("expected low surrogate area", 2, 4),
    };
    Err(BytesError { message, offset: offset + ahead, encoding, before, width })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways() {
        for (bytes, text, encoding) in [
            (&b"\xef\xbb\xbfa\xc3\xa9"[..], "\u{feff}aé", Encoding::Utf8),
            (b"\xff\xfea\0\x3d\xd8\0\xde", "\u{feff}a😀", Encoding::Utf16Le),
            (b"\xfe\xff\0a\xd8\x3d\xde\0", "\u{feff}a😀", Encoding::Utf16Be),
        ] {
            assert_eq!(super::text(bytes), Ok((text.to_owned(), encoding)));
            assert_eq!(super::bytes(text, encoding), bytes);
        }
    }

    #[test]
    fn errors() {
        for (bytes, message, offset) in [
            (&b"a\x80"[..], "invalid leading UTF-8 octet", 1),
            (b"a\xff", "invalid leading UTF-8 octet", 1),
            (b"a\xe2(\xa1", "invalid trailing UTF-8 octet", 2),
            (b"a\xe2\x82", "incomplete UTF-8 octet sequence", 1),
            (b"a\xe2(", "incomplete UTF-8 octet sequence", 1),
            (b"a\xc0\x80", "invalid length of a UTF-8 sequence", 1),
            (b"a\xed\xa0\x80", "invalid Unicode character", 1),
            (b"a\xf7\xbf\xbf\xbf", "invalid Unicode character", 1),
            (b"\xff\xfea", "incomplete UTF-16 character", 2),
            (b"\xff\xfe\0\xdc", "unexpected low surrogate area", 2),
            (b"\xff\xfe\0\xd8a", "incomplete UTF-16 surrogate pair", 2),
            (b"\xff\xfe\0\xd8a\0", "expected low surrogate area", 4),
        ] {
            let error = text(bytes).expect_err(message);
            assert_eq!((error.message, error.offset), (message, offset));
        }
    }
}
