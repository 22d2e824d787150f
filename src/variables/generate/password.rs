//! Passwords: random lower-case letters and digits.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::Rng;

use super::options::GeneratorOptions;
use crate::variables::secret::{ErrorChain, Secret, within};

const ALPHABET: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";
const DEFAULT: i64 = 20;
/// Maximum length.
// bosh has none but its memory; no system accepts longer passwords.
const MAX_LENGTH: i64 = 1 << 20;

pub(super) fn generate(
    options: &str,
    random: &mut ChaCha20Rng,
) -> Result<Secret, ErrorChain> {
    let length = GeneratorOptions::read(options, |options| options.int("length", "int"))
        .map_err(within("Failed to generate password, parameters are invalid"))?;
    let refuse = |why: &str| {
        Err(vec![
            format!("Failed to generate password, 'length' param cannot {why}").into(),
        ])
    };
    let length = match length {
        ..0 => return refuse("be negative"),
        0 => DEFAULT,
        1..=MAX_LENGTH => length,
        _ => return refuse(&format!("exceed {MAX_LENGTH}")),
    };
    Ok(Secret::Text((0..length).map(|_| letter(random)).collect()))
}

/// Returns a random letter. Bytes from 252 on would favour the first letters.
fn letter(random: &mut ChaCha20Rng) -> char {
    loop {
        let [byte, ..] = random.next_u32().to_le_bytes();
        if byte < 252 {
            return char::from(ALPHABET[usize::from(byte % 36)]);
        }
    }
}
