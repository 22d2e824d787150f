//! RSA key pairs as PEM and in the format of OpenSSH.

use md5::{Digest, Md5};
use rsa::RsaPrivateKey;
use rsa::pkcs1::EncodeRsaPrivateKey;
use rsa::pkcs8::{EncodePublicKey, LineEnding};
use rsa::traits::PublicKeyParts;

use super::chain::cause;
use super::key_source::KeySource;
use crate::scalar::to_base64;
use crate::variables::secret::{ErrorChain, Secret};

/// Length of the keys of the types `rsa` and `ssh`, as in bosh.
pub(super) const BITS: usize = 2048;

pub(super) fn rsa(source: &mut KeySource) -> Result<Secret, ErrorChain> {
    let key = source.pair(BITS)?;
    let public = key.to_public_key().to_public_key_pem(LineEnding::LF);
    Ok(Secret::Entries(vec![
        ("private_key", private_pem(&key)?),
        ("public_key", public.map_err(cause)?),
    ]))
}

pub(super) fn private_pem(key: &RsaPrivateKey) -> Result<String, ErrorChain> {
    Ok(key.to_pkcs1_pem(LineEnding::LF).map_err(cause)?.as_str().to_owned())
}

pub(super) fn ssh(source: &mut KeySource) -> Result<Secret, ErrorChain> {
    let key = source.pair(BITS)?;
    let public = wire(&key);
    Ok(Secret::Entries(vec![
        ("private_key", private_pem(&key)?),
        ("public_key", format!("ssh-rsa {}\n", to_base64(&public))),
        ("public_key_fingerprint", fingerprint(&public)),
    ]))
}

/// Returns the public key in the wire format of RFC 4253, section 6.6.
fn wire(key: &RsaPrivateKey) -> Vec<u8> {
    let exponent = signed(&key.e().to_be_bytes_trimmed_vartime());
    let modulus = signed(&key.n().to_be_bytes_trimmed_vartime());
    let strings = [b"ssh-rsa", &*exponent, &*modulus];
    strings.map(|s| [&(s.len() as u32).to_be_bytes(), s].concat()).concat()
}

/// Adds a zero byte to a number whose first bit would read as a sign.
fn signed(digits: &[u8]) -> Vec<u8> {
    let negative = digits.first().is_some_and(|digit| digit & 0x80 != 0);
    let sign: &[u8] = if negative { &[0] } else { &[] };
    [sign, digits].concat()
}

fn fingerprint(public: &[u8]) -> String {
    let bytes: Vec<_> = Md5::digest(public).iter().map(|b| format!("{b:02x}")).collect();
    bytes.join(":")
}
