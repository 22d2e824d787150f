//! `binascii.a2b_base64`: digits of base 64 come in, the bytes they stand for go out.

use super::{Exception, Result};

/// The bytes of digits in base 64; what is no digit is passed over.
///
/// # Errors
/// They end within a byte.
pub fn decode(digits: &[u8]) -> Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3);
    let (mut bits, mut place, mut padding, mut count) = (0_u32, 0, 0, 0_usize);
    for b in digits {
        let digit = match b {
            b'=' => {
                padding += 1;
                if place >= 2 && place + padding >= 4 {
                    return Ok(bytes);
                }
                continue;
            }
            b'A'..=b'Z' => b - b'A',
            b'a'..=b'z' => b - b'a' + 26,
            b'0'..=b'9' => b - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => continue,
        };
        (padding, count) = (0, count + 1);
        bits = bits << 6 | u32::from(digit);
        if place > 0 {
            bytes.push((bits >> (6 - 2 * place)) as u8);
        }
        place = (place + 1) % 4;
    }
    match place {
        0 => Ok(bytes),
        1 => Err(Exception::of_value(format!(
            "Invalid base64-encoded string: number of data characters ({count}) cannot be \
             1 more than a multiple of 4"
        ))),
        _ => Err(Exception::of_value("Incorrect padding")),
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn decodes() {
        let cases: [(&str, &[u8]); 5] = [
            ("aGk=", b"hi"),
            ("a\nG k=!", b"hi"),
            ("aGkh", b"hi!"),
            ("YQ==YQ", b"a"),
            ("", b""),
        ];
        for (text, wanted) in cases {
            assert_eq!(decode(text.as_bytes()).as_deref(), Ok(wanted));
        }
        assert!(decode(b"aGk").is_err() && decode(b"a").is_err());
    }
}
