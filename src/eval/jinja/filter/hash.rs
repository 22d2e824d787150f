//! Texts → digests of them.

use sha2::Digest;

use super::parameter::{bind, only, text};
use crate::eval::jinja::Call;
use crate::python::{self, Arguments, Exception, Result, Value};

/// `md5`, `sha1`, `checksum`
pub(super) fn fixed(call: &Call<'_>, arguments: Arguments) -> Result<Value> {
    let value = only(arguments, call.name)?;
    let name = if call.name == "md5" { "md5" } else { "sha1" };
    digest(name, &bytes(&value)?).map(Value::from)
}

/// `hash`
pub(super) fn hash(_: &Call<'_>, arguments: Arguments) -> Result<Value> {
    let ([value], [name]) = bind(arguments, "get_hash", ["data"], ["hashtype"])?;
    digest(&text(name, "sha1")?, &bytes(&value)?).map(Value::from)
}

/// What Ansible hashes of a value: bytes as they are, all else as text.
pub(super) fn bytes(value: &Value) -> Result<Vec<u8>> {
    match value {
        Value::Bytes(bytes) => Ok(bytes.to_vec()),
        other => python::str(other).map(String::into_bytes),
    }
}

/// The hexadecimal digest that `hashlib` gives for a name.
pub(crate) fn digest(name: &str, bytes: &[u8]) -> Result<String> {
    // OpenSSL has several names for one digest: SHA256, SHA-256, SHA2-256.
    let known = name.to_ascii_lowercase().replace(['-', '/'], "_");
    let bare = known.strip_prefix("sha2_").or(known.strip_prefix("sha_"));
    let known = bare.map_or(known.clone(), |rest| format!("sha{rest}"));
    Ok(match &*known {
        "md5" => hex(&md5::Md5::digest(bytes)),
        "sha1" => hex(&sha1::Sha1::digest(bytes)),
        "md5_sha1" => format!("{}{}", digest("md5", bytes)?, digest("sha1", bytes)?),
        "sha224" => hex(&sha2::Sha224::digest(bytes)),
        "sha256" => hex(&sha2::Sha256::digest(bytes)),
        "sha384" => hex(&sha2::Sha384::digest(bytes)),
        "sha512" => hex(&sha2::Sha512::digest(bytes)),
        "sha512_224" => hex(&sha2::Sha512_224::digest(bytes)),
        "sha512_256" => hex(&sha2::Sha512_256::digest(bytes)),
        "sha3_224" => hex(&sha3::Sha3_224::digest(bytes)),
        "sha3_256" => hex(&sha3::Sha3_256::digest(bytes)),
        "sha3_384" => hex(&sha3::Sha3_384::digest(bytes)),
        "sha3_512" => hex(&sha3::Sha3_512::digest(bytes)),
        "blake2b" | "blake2b512" | "blake2b_512" => {
            hex(&blake2::Blake2b512::digest(bytes))
        }
        "blake2s" | "blake2s256" | "blake2s_256" => {
            hex(&blake2::Blake2s256::digest(bytes))
        }
        "ripemd160" | "ripemd_160" | "ripemd" | "rmd160" => {
            hex(&ripemd::Ripemd160::digest(bytes))
        }
        "sm3" => hex(&sm3::Sm3::digest(bytes)),
        "shake_128" | "shake_256" | "shake128" | "shake256" => {
            let message = "hexdigest() missing required argument 'length' (pos 1)";
            return Err(Exception::of_type(message));
        }
        _ => return Err(Exception::of_value(format!("unsupported hash type {name}"))),
    })
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The namespace of Ansible's UUIDs.
const NAMESPACE: &str = "361E6D51-FAEC-444A-9079-341386DA8E2E";

/// `to_uuid`: a UUID of version 5.
pub(super) fn to_uuid(_: &Call<'_>, arguments: Arguments) -> Result<Value> {
    let ([value], [namespace]) = bind(arguments, "to_uuid", ["string"], ["namespace"])?;
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
    match digits.len() == 32 && digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        true => u128::from_str_radix(&digits, 16).ok(),
        false => None,
    }
}
