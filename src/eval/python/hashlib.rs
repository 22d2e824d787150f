//! `hashlib`: digests by the name of the algorithm.

use blake2::{Blake2b512, Blake2s256};
use ripemd::Ripemd160;
use sha2::Digest;

use super::limit::charge_work;
use super::{Exception, Result};

/// Cost of a byte, in bytes that are copied.
const DIGEST: u64 = 8;

/// `hashlib.new(name, bytes).hexdigest()`. Raises a `ValueError` for an unknown
/// algorithm, a `TypeError` for one without a digest length.
pub fn digest(name: &str, bytes: &[u8]) -> Result<String> {
    charge_work((bytes.len() as u64).saturating_mul(DIGEST))?;
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
        "blake2b" | "blake2b512" | "blake2b_512" => hex(&Blake2b512::digest(bytes)),
        "blake2s" | "blake2s256" | "blake2s_256" => hex(&Blake2s256::digest(bytes)),
        "ripemd160" | "ripemd_160" | "ripemd" | "rmd160" => {
            hex(&Ripemd160::digest(bytes))
        }
        "sm3" => hex(&sm3::Sm3::digest(bytes)),
        "shake_128" | "shake_256" | "shake128" | "shake256" => {
            let message = "hexdigest() missing required argument 'length' (pos 1)";
            return Err(Exception::of_type(message));
        }
        _ => return Err(Exception::of_value(format!("unsupported hash type {name}"))),
    })
}

pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
