//! The methods of `bytes`. Most of them run the method of `str` on a string with one
//! character for each byte.

use std::sync::Arc;

use super::super::character::only;
use super::super::{
    Arguments, Bound, Exception, Result, Signature, Value, codec, limit, limit_bytes,
};
use super::dispatch::{MethodTable, method, row};
use super::text;

pub const BYTES: MethodTable<Arc<[u8]>> = &[
    method(Signature::named("decode", &["encoding", "errors"]), |bytes, arguments| {
        let (encoding, errors) = text::coding(arguments)?;
        Ok(codec::decode(bytes, &encoding, &errors)?.into())
    }),
    method(Signature::named("hex", &["sep", "bytes_per_sep"]), hex),
];

/// Names of the methods of `str` that `bytes` lacks.
const TEXT_ONLY: &str = "casefold encode format format_map isdecimal isidentifier isnumeric \
    isprintable maketrans translate";

/// Returns the name of a method that `str` has, too.
pub fn shared(name: &str) -> Option<&'static str> {
    let row = row(text::TEXT, name)?;
    (!TEXT_ONLY.split(' ').any(|only| only == name)).then_some(row.signature.name())
}

/// Calls a method that `str` has, too.
pub fn call(bytes: &[u8], name: &str, arguments: Arguments) -> Result<Value> {
    limit_bytes(bytes.len())?;
    // A string is made of the bytes, and most methods look at each character.
    limit::charge_bytes(bytes.len().saturating_mul(48));
    let Some(row) = row(text::TEXT, name) else { return Ok(Value::None) };
    let mut arguments = row.signature.bind_method("bytes", arguments)?;
    // The string has other characters for the bytes beyond ASCII, but never ASCII ones.
    if name == "isascii" {
        return Ok(Value::Bool(bytes.is_ascii()));
    }
    arguments.convert(to_text)?;
    Ok(from_text(&(row.run)(&spread(bytes).into(), &arguments).map_err(in_bytes)?))
}

/// Replaces the words of a method of `str` in an error by those of `bytes`.
fn in_bytes(mut error: Box<Exception>) -> Box<Exception> {
    for (of_text, of_bytes) in [
        ("substring", "subsection"),
        ("str.", "bytes."),
        ("be str", "be bytes"),
        ("of str", "of bytes"),
        ("or str", "or bytes"),
        ("contain str", "contain bytes"),
        ("expected str instance", "expected a bytes-like object"),
    ] {
        // The messages differ by these words only.
        error.message = error.message.replace(of_text, of_bytes);
    }
    error
}

/// Returns a string with a character for each byte.
// Bytes beyond ASCII become private-use characters, since `isalpha` and `upper` of `bytes`
// know ASCII only. So do 0x1c to 0x1f, which are spaces in a `str` but not in `bytes`.
fn spread(bytes: &[u8]) -> String {
    let chars = bytes.iter().map(|&byte| match byte {
        0x80.. | 0x1c..=0x1f => char::from_u32(0xe000 + u32::from(byte)).unwrap_or(' '),
        ascii => char::from(ascii),
    });
    chars.collect()
}

/// Returns the bytes of a string that [`spread`] made.
fn gather(text: &str) -> Vec<u8> {
    text.chars().map(|c| (u32::from(c) & 0xff) as u8).collect()
}

fn to_text(value: &Value) -> Result<Value> {
    let one = |value: &Value| match value {
        Value::Bytes(bytes) => Ok(Value::from(spread(bytes))),
        Value::Str(_) => {
            Err(Exception::of_type("a bytes-like object is required, not 'str'"))
        }
        other => Ok(other.clone()),
    };
    match value {
        Value::Tuple(members) => {
            members.iter().map(one).collect::<Result<_>>().map(Value::Tuple)
        }
        Value::List(members) => {
            members.items()?.iter().map(one).collect::<Result<_>>().map(Value::List)
        }
        other => one(other),
    }
}

fn from_text(value: &Value) -> Value {
    text::map_texts(value, |text| Value::Bytes(gather(text).into()))
}

fn hex(bytes: &Arc<[u8]>, arguments: &Bound) -> Result<Value> {
    limit_bytes(bytes.len().saturating_mul(3))?;
    limit::charge_bytes(bytes.len().saturating_mul(48));
    let separator = match arguments.get(0) {
        None => None,
        Some(Value::Str(text)) => {
            Some(only(text).ok_or_else(|| Exception::of_value("sep must be length 1."))?)
        }
        Some(_) => return Err(Exception::of_type("sep must be str or bytes.")),
    };
    let group = arguments.integer(1, 1)?;
    let size = usize::try_from(group.unsigned_abs()).unwrap_or(usize::MAX);
    let mut out = String::new();
    for (at, byte) in bytes.iter().enumerate() {
        let place = if group < 0 { at } else { bytes.len() - at };
        if at > 0 && size > 0 && place.is_multiple_of(size) {
            out.extend(separator);
        }
        out.push_str(&format!("{byte:02x}"));
    }
    Ok(out.into())
}
