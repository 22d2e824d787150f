//! Texts → digests of them.

use sha1::Digest;

use super::parameter::text;
use crate::eval::jinja::CallSite;
use crate::eval::python::hashlib::digest;
use crate::eval::python::{self, Bound, Exception, Result, Value};

/// `md5`, `sha1`, `checksum`
pub(super) fn fixed(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let value = arguments.only();
    let name = if call.name == "md5" { "md5" } else { "sha1" };
    digest(name, &bytes(&value)?).map(Value::from)
}

/// `hash`
pub(super) fn hash(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [name]) = arguments.split();
    digest(&text(name, "sha1")?, &bytes(&value)?).map(Value::from)
}

/// What Ansible hashes of a value: bytes as they are, all else as text.
pub(super) fn bytes(value: &Value) -> Result<Vec<u8>> {
    match value {
        Value::Bytes(bytes) => Ok(bytes.to_vec()),
        other => python::str(other).map(String::into_bytes),
    }
}

/// The namespace of Ansible's UUIDs.
const NAMESPACE: &str = "361E6D51-FAEC-444A-9079-341386DA8E2E";

/// `to_uuid`: a UUID of version 5.
pub(super) fn to_uuid(_: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([value], [namespace]) = arguments.split();
    let namespace = text(namespace, NAMESPACE)?;
    let Some(number) = uuid(&namespace) else {
        return Err(Exception::of_value(format!(
            "Invalid value '{namespace}' for 'namespace': badly formed hexadecimal UUID string"
        )));
    };
    let mut whole = number.to_be_bytes().to_vec();
    whole.extend(bytes(&value)?);
    let hash = sha1::Sha1::digest(&whole);
    let number =
        hash.iter().take(16).fold(0, |number, byte| number << 8 | u128::from(*byte));
    let number = number & !(0xf << 76) & !(0x3 << 62) | 5 << 76 | 2 << 62;
    let digits = format!("{number:032x}");
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
    let parts = [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)];
    Ok(Value::from(parts.join("-")))
}

/// The number of a UUID, however it is set off.
fn uuid(text: &str) -> Option<u128> {
    let text = text.replace("urn:", "").replace("uuid:", "");
    let digits = text.trim_matches(['{', '}']).replace('-', "");
    if digits.len() == 32 && digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        u128::from_str_radix(&digits, 16).ok()
    } else {
        None
    }
}
