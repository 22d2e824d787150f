//! Generators of values: a secret from a type (`password`, `rsa`, `ssh` or `certificate`)
//! and its options, as bosh generates it.
//!
//! All functions are pure: the time and the random seed are arguments.

mod certificate;
mod chain;
mod key;
mod options;
mod password;
mod x509;

use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng;

use crate::source::Moment;

pub use super::secret::{ErrorChain, ErrorLine, Secret};

/// Generates the value of a variable.
///
/// `options` is the text of its options as yaml.v2 prints them; line numbers in messages
/// count in it. `find` returns the value of another variable, printed the same way, for a
/// certificate that is signed by it.
///
/// # Errors
/// The type is unknown, an option is wrong, or the value from `find` cannot sign.
pub fn generate(
    kind: &str,
    options: &str,
    moment: Moment,
    find: impl FnOnce(&str) -> Result<Option<String>, ErrorChain>,
) -> Result<Secret, ErrorChain> {
    let mut random = ChaCha20Rng::from_seed(moment.seed);
    match kind {
        "password" => password::generate(options, &mut random),
        "rsa" => key::rsa(&mut random),
        "ssh" => key::ssh(&mut random),
        "certificate" => certificate::generate(options, moment.now, &mut random, find),
        _ => Err(vec![format!("Unsupported value type: {kind}").into()]),
    }
}
