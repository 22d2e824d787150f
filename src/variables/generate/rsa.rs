//! A length in bits comes in, an RSA key pair goes out; keys as PEM text.

use chacha20::ChaCha20Rng;
use rsa::RsaPrivateKey;
use rsa::pkcs1::EncodeRsaPrivateKey;
use rsa::pkcs8::{EncodePublicKey, LineEnding};

use super::{Chain, Secret, cause, within};

/// The length of the keys of types `rsa` and `ssh`.
pub(super) const BITS: usize = 2048;

pub(super) fn generate(random: &mut ChaCha20Rng) -> Result<Secret, Chain> {
    let key = pair(BITS, random)?;
    let public = key.to_public_key().to_public_key_pem(LineEnding::LF);
    Ok(Secret::Entries(vec![
        ("private_key", private_pem(&key)?),
        ("public_key", public.map_err(cause)?),
    ]))
}

/// A new pair of keys.
pub(super) fn pair(
    bits: usize,
    random: &mut ChaCha20Rng,
) -> Result<RsaPrivateKey, Chain> {
    RsaPrivateKey::new(random, bits).map_err(cause).map_err(within("Generating Key"))
}

/// The private key as PKCS#1 has it.
pub(super) fn private_pem(key: &RsaPrivateKey) -> Result<String, Chain> {
    let text = key.to_pkcs1_pem(LineEnding::LF).map_err(cause)?;
    Ok(text.as_str().to_owned())
}
