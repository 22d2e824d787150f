//! RSA key pairs: where their randomness comes from, made on all cores, and as PEM and in the
//! format of OpenSSH.

use std::sync::{Mutex, PoisonError, mpsc};
use std::thread::{self, Builder};
use std::time::{Duration, SystemTime};

use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng;
use md5::{Digest, Md5};
use rsa::RsaPrivateKey;
use rsa::pkcs1::EncodeRsaPrivateKey;
use rsa::pkcs8::{EncodePublicKey, LineEnding};
use rsa::traits::PublicKeyParts;

use crate::scalar::to_base64;
use crate::source::Moment;
use crate::variables::secret::{ErrorChain, Secret, cause, within};

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

/// The time and the randomness of one secret. Its key pair may be made in advance, in
/// another thread; the secret is the same.
pub struct KeySource {
    pub(super) now: SystemTime,
    seed: [u8; 32],
    pub(super) random: ChaCha20Rng,
    /// True if a certificate names the country and the organization that one of bosh names.
    pub names_of_bosh: bool,
    /// The key pair, with its length.
    key: Option<(usize, RsaPrivateKey)>,
}

impl KeySource {
    /// Returns the source of a moment.
    pub fn new(Moment { now, seed }: Moment) -> KeySource {
        let random = ChaCha20Rng::from_seed(seed);
        KeySource { now, seed, random, names_of_bosh: true, key: None }
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

/// Time between two reports of the progress.
const TICK: Duration = Duration::from_millis(200);

/// A source, and the length of the key pair to make.
pub type KeyTask<'k> = (&'k mut KeySource, usize);

/// Makes key pairs in advance, and tells how many of all are made, again and again.
///
/// If no thread can be started, the pairs are made when they are needed.
pub fn make_keys(tasks: Vec<KeyTask<'_>>, tell: &mut dyn FnMut(usize, usize)) {
    let all = tasks.len();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let todo = Mutex::new(tasks.into_iter());
    thread::scope(|scope| {
        let (made, is_made) = mpsc::channel();
        let start = |_| {
            let made = made.clone();
            let todo = &todo;
            Builder::new().spawn_scoped(scope, move || work(todo, &made)).ok()
        };
        let started = (0..cores.min(all)).map_while(start).count();
        drop(made);
        let mut count = 0;
        // A target without threads has no clock to wait by, either.
        while started > 0 && count < all {
            match is_made.recv_timeout(TICK) {
                Ok(()) => count += 1,
                Err(mpsc::RecvTimeoutError::Timeout) => {}
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
            tell(count, all);
        }
    });
}

fn work(todo: &Mutex<std::vec::IntoIter<KeyTask<'_>>>, made: &mpsc::Sender<()>) {
    loop {
        // The others must not wait for a lock while a key is made.
        let next = todo.lock().unwrap_or_else(PoisonError::into_inner).next();
        let Some((source, bits)) = next else { return };
        source.make(bits);
        // Nobody waits any more after a panic of the thread that tells.
        made.send(()).ok();
    }
}
