//! An RSA key pair goes out as OpenSSH wants it: a line of `authorized_keys`, and the
//! fingerprint people compare.

use chacha20::ChaCha20Rng;
use md5::{Digest, Md5};
use rsa::RsaPrivateKey;
use rsa::traits::PublicKeyParts;

use super::rsa::{BITS, pair, private_pem};
use super::{Chain, Secret};
use crate::scalar::to_base64;

pub(super) fn generate(random: &mut ChaCha20Rng) -> Result<Secret, Chain> {
    let key = pair(BITS, random)?;
    let public = wire(&key);
    Ok(Secret::Entries(vec![
        ("private_key", private_pem(&key)?),
        ("public_key", format!("ssh-rsa {}\n", to_base64(&public))),
        ("public_key_fingerprint", fingerprint(&public)),
    ]))
}

/// The public key as RFC 4253, section 6.6, sends it.
fn wire(key: &RsaPrivateKey) -> Vec<u8> {
    let exponent = signed(&key.e().to_be_bytes_trimmed_vartime());
    let modulus = signed(&key.n().to_be_bytes_trimmed_vartime());
    let strings = [b"ssh-rsa", &*exponent, &*modulus];
    strings.map(|s| [&(s.len() as u32).to_be_bytes(), s].concat()).concat()
}

/// A positive number whose first bit says so.
fn signed(digits: &[u8]) -> Vec<u8> {
    let negative = digits.first().is_some_and(|digit| digit & 0x80 != 0);
    let sign: &[u8] = if negative { &[0] } else { &[] };
    [sign, digits].concat()
}

fn fingerprint(public: &[u8]) -> String {
    let bytes: Vec<_> = Md5::digest(public).iter().map(|b| format!("{b:02x}")).collect();
    bytes.join(":")
}
