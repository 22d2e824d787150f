//! Texts ⇄ base64.

use super::hash;
use super::parameter::{bind, flag, text};
use crate::eval::jinja::Call;
use crate::python::{self, Arguments, Exception, Result, Value};
use crate::scalar::to_base64;

pub(super) fn b64encode(_: &Call<'_>, arguments: Arguments) -> Result<Value> {
    let optional = ["encoding", "urlsafe"];
    let ([value], [encoding, safe]) = bind(arguments, "b64encode", ["string"], optional)?;
    let bytes = match &value {
        Value::Bytes(bytes) => bytes.to_vec(),
        other => {
            let text = Value::from(python::str(other)?);
            let encoding = encoding.unwrap_or_else(|| Value::text("utf-8"));
            let encoded = super::parameter::method(&text, "encode", [encoding])?;
            hash::bytes(&encoded)?
        }
    };
    let encoded = to_base64(&bytes);
    Ok(Value::from(match flag(safe, false)? {
        true => encoded.replace('+', "-").replace('/', "_"),
        false => encoded,
    }))
}

pub(super) fn b64decode(_: &Call<'_>, arguments: Arguments) -> Result<Value> {
    let optional = ["encoding", "urlsafe"];
    let ([value], [encoding, safe]) = bind(arguments, "b64decode", ["string"], optional)?;
    let mut encoded = hash::bytes(&value)?;
    if flag(safe, false)? {
        for byte in &mut encoded {
            match byte {
                b'-' => *byte = b'+',
                b'_' => *byte = b'/',
                _ => {}
            }
        }
    }
    let bytes = Value::Bytes(decode(&encoded)?.into());
    let encoding = text(encoding, "utf-8")?;
    super::parameter::method(&bytes, "decode", [encoding.into()])
}

/// The bytes of base64 as Python reads it: what is no digit is passed over, and nothing is
/// read behind the padding.
pub(crate) fn decode(encoded: &[u8]) -> Result<Vec<u8>> {
    let (mut bytes, mut bits, mut digits, mut padding) = (Vec::new(), 0u32, 0usize, 0);
    for byte in encoded {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => {
                padding += usize::from(digits % 4 >= 2);
                if digits % 4 >= 2 && digits % 4 + padding >= 4 {
                    return Ok(bytes);
                }
                continue;
            }
            _ => continue,
        };
        (padding, bits, digits) = (0, bits << 6 | u32::from(digit), digits + 1);
        if digits % 4 != 1 {
            bytes.push((bits >> (6 - 2 * ((digits + 3) % 4))) as u8);
        }
    }
    match digits % 4 {
        0 => Ok(bytes),
        1 => Err(Exception::of_value(format!(
            "Invalid base64-encoded string: number of data characters ({digits}) cannot be 1 \
             more than a multiple of 4"
        ))),
        _ => Err(Exception::of_value("Incorrect padding")),
    }
}
