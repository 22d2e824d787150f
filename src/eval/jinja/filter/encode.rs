//! Texts ⇄ base64.

use super::hash;
use super::parameter::{flag, text};
use crate::eval::jinja::CallSite;
use crate::eval::python::{self, Bound, Result, Value, base64};
use crate::scalar::to_base64;

pub(super) fn b64encode(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [encoding, safe]) = arguments.split();
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
    Ok(Value::from(if flag(safe, false)? {
        encoded.replace('+', "-").replace('/', "_")
    } else {
        encoded
    }))
}

pub(super) fn b64decode(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [encoding, safe]) = arguments.split();
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
    let bytes = Value::Bytes(base64::decode(&encoded)?.into());
    let encoding = text(encoding, "utf-8")?;
    super::parameter::method(&bytes, "decode", [encoding.into()])
}
