//! The bytes of a file → a text with the name of the file.

use super::{accept, bytes};
use crate::diagnostic::{Diagnostic, Result};
use crate::scalar::Dialect;
use crate::source::{Encoding, Source};

/// Decodes a file.
///
/// # Errors
/// Bytes that are no text, in libyaml's words. Go's yaml.v2 does not look at what stands
/// after the first document, and nor does its dialect.
pub fn decode(name: String, stored: Vec<u8>, dialect: Dialect) -> Result<Source> {
    let (text, encoding) = match String::from_utf8(stored) {
        Ok(text) => (text, Encoding::Utf8),
        Err(error) => foreign(&name, error.as_bytes(), dialect)?,
    };
    let text = text.into();
    Ok(Source { name, text, encoding, secret: false, stands_for: None })
}

fn foreign(name: &str, stored: &[u8], dialect: Dialect) -> Result<(String, Encoding)> {
    bytes::text(stored).or_else(|error| {
        let verdict = match dialect {
            Dialect::Go => accept::refuse(&error).map_err(|refusal| refusal.message),
            Dialect::Core | Dialect::Yaml11 => Err(error.message.to_owned()),
        };
        match verdict {
            Ok(_) => Ok((error.before, error.encoding)),
            Err(message) => {
                let hint = format!(
                    "'{name}' is not UTF-8 or UTF-16 from byte {} on",
                    error.offset
                );
                Err(Diagnostic::error(format!("yaml: {message}")).hint(hint))
            }
        }
    })
}
