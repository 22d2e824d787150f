//! Tags, and the value of a text under one.

use std::borrow::Cow;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use num_traits::ToPrimitive;

use super::time;
use super::value::{Dialect, Scalar, typed};

/// Base64 with padding, as in RFC 4648. YAML's readers ignore bits of the last digit that
/// belong to no byte (`YR==` is `a`), which the crate refuses unless it is told to.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true),
);

/// The beginning of the names of the tags of YAML itself, which `!!` stands for unless a
/// `%TAG` line redefines it.
pub const YAML_TAG_PREFIX: &str = "tag:yaml.org,2002:";

/// The tag of a key that merges another mapping: that of a plain `<<`.
pub(crate) const MERGE_TAG: &str = "tag:yaml.org,2002:merge";

/// The tag of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// `!`
    NonSpecific,
    /// `!!str`
    Str,
    /// `!!int`
    Int,
    /// `!!float`
    Float,
    /// `!!bool`
    Bool,
    /// `!!null`
    Null,
    /// `!!timestamp`
    Timestamp,
    /// `!!binary`
    Binary,
    /// `!local`
    Other,
}

impl Tag {
    /// Returns the tag with that full name: `tag:yaml.org,2002:int`.
    pub fn named(name: &str) -> Tag {
        match name.strip_prefix(YAML_TAG_PREFIX) {
            Some("str") => Tag::Str,
            Some("int") => Tag::Int,
            Some("float") => Tag::Float,
            Some("bool") => Tag::Bool,
            Some("null") => Tag::Null,
            Some("timestamp") => Tag::Timestamp,
            Some("binary") => Tag::Binary,
            _ if name == "!" => Tag::NonSpecific,
            _ => Tag::Other,
        }
    }

    /// Returns true if a value shows that it has the tag with that full name: an integer is
    /// no string, and a mapping no list.
    pub(crate) fn is_shown(name: &str) -> bool {
        match Tag::named(name) {
            Tag::Timestamp => false,
            Tag::Other => {
                matches!(name, "tag:yaml.org,2002:map" | "tag:yaml.org,2002:seq")
            }
            _ => true,
        }
    }

    /// Parses a scalar's text under this tag.
    ///
    /// # Errors
    /// A message in the words of yaml.v2 if the text does not fit the tag.
    pub fn resolve<'a>(
        self,
        text: impl Into<Cow<'a, str>>,
        dialect: Dialect,
    ) -> Result<Scalar<'a>, String> {
        let (text, go) = (text.into(), dialect == Dialect::Go);
        let found = match self {
            Tag::NonSpecific if dialect == Dialect::Yaml11 => {
                return Ok(Scalar::plain(text, dialect));
            }
            Tag::Str | Tag::Other | Tag::NonSpecific => return Ok(Scalar::String(text)),
            Tag::Binary => return binary(text, go),
            Tag::Timestamp if !go || time::is_timestamp(&text) => {
                return Ok(Scalar::String(text));
            }
            Tag::Int | Tag::Float | Tag::Bool | Tag::Null | Tag::Timestamp => {
                typed(&text, dialect)
            }
        };
        match (self, found) {
            (Tag::Int, Some(x @ (Scalar::Int(_) | Scalar::Big(_))))
            | (Tag::Float, Some(x @ Scalar::Float(_)))
            | (Tag::Bool, Some(x @ Scalar::Bool(_)))
            | (Tag::Null, Some(x @ Scalar::Null)) => Ok(x),
            (Tag::Float, Some(Scalar::Int(x))) if !go || i64::try_from(x).is_ok() => {
                Ok(Scalar::Float(x as f64))
            }
            (Tag::Float, Some(Scalar::Big(x))) => {
                Ok(Scalar::Float(x.to_f64().unwrap_or(f64::INFINITY)))
            }
            (_, found) => Err(mismatch(found.as_ref(), &text, self)),
        }
    }

    fn spelling(self) -> &'static str {
        match self {
            Tag::NonSpecific | Tag::Other => "!",
            Tag::Str => "!!str",
            Tag::Int => "!!int",
            Tag::Float => "!!float",
            Tag::Bool => "!!bool",
            Tag::Null => "!!null",
            Tag::Timestamp => "!!timestamp",
            Tag::Binary => "!!binary",
        }
    }
}

fn binary(text: Cow<'_, str>, go: bool) -> Result<Scalar<'_>, String> {
    let bytes = if go { from_base64(&text) } else { from_base64(&text.replace(' ', "")) };
    let bytes = bytes.ok_or("!!binary value contains invalid base64 data")?;
    if !go {
        return Ok(Scalar::Binary(bytes));
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => Scalar::String(text.into()),
        Err(no_text) => Scalar::Binary(no_text.into_bytes()),
    })
}

/// Returns the base64 text of `bytes`, on one line.
pub fn to_base64(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

/// Returns the bytes of base64 text with padding, which may have line breaks anywhere.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.bytes().filter(|b| !matches!(b, b'\n' | b'\r')).collect();
    BASE64.decode(digits).ok()
}

fn mismatch(found: Option<&Scalar>, text: &str, tag: Tag) -> String {
    let is = found.map_or("!!str", Scalar::tag_name);
    format!("cannot decode {is} `{text}` as a {}", tag.spelling())
}
