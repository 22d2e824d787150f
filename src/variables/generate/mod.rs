//! Generators of values: a secret from a type (`password`, `rsa`, `ssh` or `certificate`)
//! and its options, as bosh generates it.
//!
//! All functions are pure: the time and the random seed are arguments.

mod certificate;
mod key;
mod options;
mod password;

pub use super::secret::{ErrorChain, ErrorLine, Secret};
pub use key::{KeySource, KeyTask, make_keys};

/// Generates the value of a variable.
///
/// `options` is the text of its options as yaml.v2 prints them; line numbers in messages
/// count in it. `find` returns the value of another variable, printed the same way, for a
/// certificate that is signed by it.
///
/// # Errors
/// The type is unknown, an option is wrong, or the value from `find` cannot sign.
pub fn generate(
    source: &mut KeySource,
    kind: &str,
    options: &str,
    find: impl FnOnce(&str) -> Result<Option<String>, ErrorChain>,
) -> Result<Secret, ErrorChain> {
    match kind {
        "password" => password::generate(options, &mut source.random),
        "rsa" => key::rsa(source),
        "ssh" => key::ssh(source),
        "certificate" => certificate::generate(options, source, find),
        _ => Err(vec![format!("Unsupported value type: {kind}").into()]),
    }
}

/// Returns the length of the key pair that a variable needs, if it is known.
pub(super) fn key_length(kind: &str, options: &str) -> Option<usize> {
    match kind {
        "rsa" | "ssh" => Some(key::BITS),
        "certificate" => certificate::key_length(options),
        _ => None,
    }
}
