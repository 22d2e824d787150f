//! The time and the randomness of one secret.

use std::time::SystemTime;

use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng;
use rsa::RsaPrivateKey;

use super::chain::{cause, within};
use crate::source::Moment;
use crate::variables::secret::ErrorChain;

/// The time and the randomness of one secret. Its key pair may be made in advance, in
/// another thread; the secret is the same.
pub struct KeySource {
    pub(super) now: SystemTime,
    seed: [u8; 32],
    pub(super) random: ChaCha20Rng,
    /// The key pair, with its length.
    key: Option<(usize, RsaPrivateKey)>,
}

impl KeySource {
    /// Returns the source of a moment.
    pub fn new(Moment { now, seed }: Moment) -> KeySource {
        KeySource { now, seed, random: ChaCha20Rng::from_seed(seed), key: None }
    }

    /// Makes the key pair in advance.
    pub fn make(&mut self, bits: usize) {
        // A failure is found again, and reported, when the key is taken.
        self.key = self.fresh(bits).ok().map(|key| (bits, key));
    }

    /// Returns the key pair, the first that the secret takes from its randomness.
    pub(super) fn pair(&mut self, bits: usize) -> Result<RsaPrivateKey, ErrorChain> {
        match self.key.take() {
            Some((length, key)) if length == bits => Ok(key),
            _ => self.fresh(bits),
        }
    }

    fn fresh(&mut self, bits: usize) -> Result<RsaPrivateKey, ErrorChain> {
        self.random = ChaCha20Rng::from_seed(self.seed);
        let key = RsaPrivateKey::new(&mut self.random, bits);
        key.map_err(cause).map_err(within("Generating Key"))
    }
}
