//! The type and the options of a variable come in, a fresh secret goes out: `password`,
//! `rsa`, `ssh` and `certificate`, as bosh generates them.
//!
//! Everything here is a function of its arguments: the time and the random seed are handed in.

mod certificate;
mod key;
mod options;
mod password;
mod secret;
mod x509;

use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng;

use crate::source::Moment;

pub use secret::{ErrorChain, ErrorLine, Secret};

/// Generates the value of a variable.
///
/// `options` is the text of its options as yaml.v2 prints them, which is what the line
/// numbers in messages count in. `find` gives the value of another variable, printed
/// likewise, for a certificate that is signed by it.
///
/// # Errors
/// The type is unknown, an option is wrong, or what `find` gave cannot sign.
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
