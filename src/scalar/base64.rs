//! Bytes ⇄ base64 text, for `!!binary`.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};

/// Base64 with padding, as in RFC 4648. YAML's readers ignore bits of the last digit that
/// belong to no byte (`YR==` is `a`), which the crate refuses unless it is told to.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

/// Returns the base64 text of `bytes`, on one line.
pub fn to_base64(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

/// Returns the bytes of base64 text with padding, which may have line breaks anywhere.
pub(super) fn from_base64(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.bytes().filter(|b| !matches!(b, b'\n' | b'\r')).collect();
    BASE64.decode(digits).ok()
}
