//! `vault` and `unvault`: strings encrypted as in Ansible's vault, with AES-256.

use aes::Aes256;
use aes::cipher::{BlockCipherEncrypt, KeyInit};
use hmac::{Hmac, Mac};
use sha2::Sha256;

use super::parameter::{bytes, flag, given, text};
use crate::eval::jinja::{CallSite, Plugin, PluginTable};
use crate::eval::python::hashlib::hex;
use crate::eval::python::{Bound, Exception, Result, Value};

#[rustfmt::skip]
pub(super) const FILTERS: PluginTable = &[
    Plugin::new("unvault", "do_unvault", &["vault", "secret"], &["vault_id", "vaultid"], unvault),
    Plugin::new("vault", "do_vault", &["data", "secret"],
        &["salt", "vault_id", "wrap_object", "vaultid"], vault),
];

/// The start of an encrypted string.
const MARK: &str = "$ANSIBLE_VAULT;";

/// Iterations of PBKDF2.
// Fixed by the format of Ansible's vault: other keys could not decrypt its strings.
const ITERATIONS: u32 = 10_000;

/// Steps that the keys take.
// Each iteration makes three digests of two blocks, which takes as long as eight steps.
const KEY_STEPS: u64 = 8 * ITERATIONS as u64;

/// The keys of a password: one to encrypt, one to sign, and the start of the counter.
struct Keys {
    cipher: [u8; 32],
    signature: [u8; 32],
    start: [u8; 16],
}

/// Returns the bytes of a string; raises a `TypeError` that begins with `complaint`.
fn secret<'a>(value: &'a Value, complaint: &str) -> Result<&'a [u8]> {
    bytes(value, &format!("{complaint}, instead we got <class '{{}}'>."))
}

fn vault(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([data, password], [salt, id, wrap, other]) = arguments.split();
    let password = secret(&password, "Secret passed is required to be a string")?;
    let data = secret(&data, "Can only vault strings")?;
    if flag(wrap, false)? {
        let message = "wrap_object: a locked value stands in YAML of Ansible alone";
        return Err(Exception::new(crate::eval::python::Class::Unsupported, message));
    }
    let salt = match given(salt) {
        Some(salt) => secret(&salt, "A salt is required to be a string")?.to_vec(),
        None => call.scope.context.moment()?.seed.to_vec(),
    };
    let id = text(given(other).or(given(id)), "filter_default")?;
    call.scope.context.spend(KEY_STEPS)?;
    let keys = Keys::of(password, &salt);
    // PKCS#7: padding to whole blocks, of which each byte is the number of bytes added.
    let padding = 16 - data.len() % 16;
    let mut body = data.to_vec();
    body.extend(std::iter::repeat_n(padding as u8, padding));
    keys.apply_cipher(&mut body);
    let parts = [hex(&salt), hex(&keys.sign(&body)), hex(&body)].join("\n");
    let head = match &*id {
        "" | "default" => format!("{MARK}1.1;AES256\n"),
        // Version 1.2 of the format differs by the label only.
        id => format!("{MARK}1.2;AES256;{id}\n"),
    };
    let digits = hex(parts.as_bytes());
    let lines = digits.as_bytes().chunks(80).map(String::from_utf8_lossy);
    Ok(Value::from(lines.fold(head, |out, line| out + &line + "\n")))
}

/// `unvault`: a string that is not encrypted stays as it is.
fn unvault(call: &CallSite<'_>, arguments: Bound) -> Result<Value> {
    let ([encrypted, password], [_, _]) = arguments.split();
    let password = secret(&password, "Secret passed is required to be as string")?;
    let bytes = secret(&encrypted, "Vault should be in the form of a string")?;
    let encrypted = String::from_utf8_lossy(bytes);
    let Some(envelope) = encrypted.strip_prefix(MARK) else {
        return Ok(Value::text(&*encrypted));
    };
    call.scope.context.spend(KEY_STEPS)?;
    let decrypted = decrypt(envelope, password).map(String::from_utf8);
    decrypted.and_then(std::result::Result::ok).map(Value::from).ok_or_else(|| {
        Exception::of_value(
            "Unable to decrypt: Decryption failed (no vault secrets were found that could \
             decrypt).",
        )
    })
}

fn decrypt(envelope: &str, password: &[u8]) -> Option<Vec<u8>> {
    let (_, digits) = envelope.split_once('\n')?;
    let digits: String = digits.split_whitespace().collect();
    let parts = String::from_utf8(unhex(&digits)?).ok()?;
    let mut parts = parts.split('\n').map(unhex);
    let (salt, signature, mut body) = (parts.next()??, parts.next()??, parts.next()??);
    let keys = Keys::of(password, &salt);
    // The signature is checked before decryption: a wrong password shows here.
    if keys.sign(&body) != *signature {
        return None;
    }
    keys.apply_cipher(&mut body);
    let padding = usize::from(*body.last()?);
    body.truncate(body.len().checked_sub(padding)?);
    Some(body)
}

fn unhex(digits: &str) -> Option<Vec<u8>> {
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let whole = digits.len().is_multiple_of(2);
    digits.as_bytes().chunks(2).map(byte).collect::<Option<_>>().filter(|_| whole)
}

/// Returns a function that returns the HMAC of some parts. The key is hashed once: it may be
/// long.
fn signer(key: &[u8]) -> impl Fn(&[&[u8]]) -> [u8; 32] {
    let keyed = <Hmac<Sha256> as hmac::KeyInit>::new_from_slice(key).ok();
    move |parts| {
        let Some(mut signer) = keyed.clone() else { return [0; 32] };
        parts.iter().for_each(|part| signer.update(part));
        signer.finalize().into_bytes().into()
    }
}

impl Keys {
    /// Derives the keys with PBKDF2.
    fn of(password: &[u8], salt: &[u8]) -> Keys {
        let sign = signer(password);
        let mut whole = Vec::with_capacity(96);
        for block in 1u32..=3 {
            let mut last = sign(&[salt, &block.to_be_bytes()]);
            let mut sum = last;
            for _ in 1..ITERATIONS {
                last = sign(&[&last]);
                sum.iter_mut().zip(last).for_each(|(sum, last)| *sum ^= last);
            }
            whole.extend(sum);
        }
        let mut bytes = whole.into_iter();
        let mut next = || bytes.next().unwrap_or(0);
        Keys {
            cipher: std::array::from_fn(|_| next()),
            signature: std::array::from_fn(|_| next()),
            start: std::array::from_fn(|_| next()),
        }
    }

    fn sign(&self, body: &[u8]) -> [u8; 32] {
        signer(&self.signature)(&[body])
    }

    /// Encrypts or decrypts in counter mode, which is its own inverse.
    fn apply_cipher(&self, body: &mut [u8]) {
        let cipher = Aes256::new(&self.cipher.into());
        let mut counter = u128::from_be_bytes(self.start);
        for chunk in body.chunks_mut(16) {
            let mut block = counter.to_be_bytes().into();
            cipher.encrypt_block(&mut block);
            chunk.iter_mut().zip(block).for_each(|(byte, mask)| *byte ^= mask);
            counter = counter.wrapping_add(1);
        }
    }
}
