//! `binascii.a2b_base64`.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

use super::{Exception, Result};

/// Base64 digits alone, because [`decode`] handles the padding.
const DIGITS: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::RequireNone),
);

/// Decodes base64 as Python does without `validate`: characters outside of the alphabet
/// are discarded, and everything after complete padding is ignored. Raises a
/// `binascii.Error` if the digits end within a byte or padding is missing.
pub fn decode(text: &[u8]) -> Result<Vec<u8>> {
    let mut digits = Vec::with_capacity(text.len());
    let mut padding = 0;
    let mut is_padded = false;
    for &b in text {
        if b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/') {
            digits.push(b);
            padding = 0;
        } else if b == b'=' {
            padding += 1;
            let place = digits.len() % 4;
            if place >= 2 && place + padding >= 4 {
                is_padded = true;
                break;
            }
        }
    }
    match digits.len() % 4 {
        1 => Err(Exception::of_value(format!(
            "Invalid base64-encoded string: number of data characters ({}) cannot be 1 more \
             than a multiple of 4",
            digits.len()
        ))),
        2 | 3 if !is_padded => Err(Exception::of_value("Incorrect padding")),
        _ => DIGITS.decode(&digits).map_err(|e| Exception::of_value(e.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn decodes() {
        let cases: [(&str, &[u8]); 6] = [
            ("aGk=", b"hi"),
            ("a\nG k=!", b"hi"),
            ("aGkh", b"hi!"),
            ("YQ==YQ", b"a"),
            ("", b""),
            ("=", b""),
        ];
        for (text, wanted) in cases {
            assert_eq!(decode(text.as_bytes()).as_deref(), Ok(wanted));
        }
        for wrong in [&b"aGk"[..], b"a", b"aGkha", b"aG=k"] {
            assert!(decode(wrong).is_err(), "{wrong:?}");
        }
    }
}
