//! The type and the options of a variable come in, a fresh secret goes out: `password`,
//! `rsa`, `ssh` and `certificate`, as bosh generates them.
//!
//! Everything here is a function of its arguments: the time and the random seed are handed in.

mod authority;
mod certificate;
mod options;
mod password;
mod rsa;
mod ssh;
mod x509;

use std::fmt::Display;

use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng;

use crate::source::Moment;

/// A value that was generated. (It cannot be printed for debugging.)
#[derive(Clone, PartialEq, Eq)]
pub enum Secret {
    /// A password.
    Text(String),
    /// A key or a certificate: its entries, in the order bosh writes them.
    Entries(Vec<(&'static str, String)>),
}

/// Why nothing was generated: messages from the outermost to the cause.
pub type Chain = Vec<Line>;

/// A message. What it quotes of the options may be the value of another variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// All of it.
    pub text: String,
    hidden: String,
}

impl Line {
    /// A message with a quotation.
    fn quoting(before: &str, quoted: impl Display, after: &str) -> Line {
        let text = format!("{before}{quoted}{after}");
        Line { text, hidden: format!("{before}…{after}") }
    }

    /// The message without what it quotes.
    pub(super) fn hide(self) -> Line {
        Line::from(self.hidden)
    }
}

impl From<String> for Line {
    fn from(text: String) -> Line {
        Line { hidden: text.clone(), text }
    }
}

impl From<&str> for Line {
    fn from(text: &str) -> Line {
        Line::from(text.to_owned())
    }
}

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
    find: impl FnOnce(&str) -> Result<Option<String>, Chain>,
) -> Result<Secret, Chain> {
    let mut random = ChaCha20Rng::from_seed(moment.seed);
    match kind {
        "password" => password::generate(options, &mut random),
        "rsa" => rsa::generate(&mut random),
        "ssh" => ssh::generate(&mut random),
        "certificate" => certificate::generate(options, moment.now, &mut random, find),
        _ => Err(vec![format!("Unsupported value type: {kind}").into()]),
    }
}

/// Says what was being done when it failed.
fn within(context: impl Into<Line>) -> impl FnOnce(Chain) -> Chain {
    |mut chain| {
        chain.insert(0, context.into());
        chain
    }
}

/// A cause, in the words of the library that met it.
fn cause(error: impl Display) -> Chain {
    vec![error.to_string().into()]
}
