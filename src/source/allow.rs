//! The parts of the outside that documents may reach, as `env,file,url`.

use std::fmt;
use std::str::FromStr;

/// The parts of the [`World`](super::World) that documents may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allow {
    /// `env`: read variables of the environment.
    pub env: bool,
    /// `file`: read files.
    pub file: bool,
    /// `url`: read what URLs name.
    pub url: bool,
    /// `pipe`: run programs.
    pub pipe: bool,
    /// `write`: write files.
    pub write: bool,
}

impl Allow {
    /// `all`
    pub const ALL: Allow =
        Allow { env: true, file: true, url: true, pipe: true, write: true };
    /// Nothing at all.
    pub const NOTHING: Allow =
        Allow { env: false, file: false, url: false, pipe: false, write: false };

    /// Returns true if the part with that name is allowed.
    pub fn has(self, word: &str) -> bool {
        self.words().contains(&(true, word))
    }

    /// Returns the parts that either allows.
    #[must_use]
    pub fn or(self, other: Allow) -> Allow {
        Allow {
            env: self.env || other.env,
            file: self.file || other.file,
            url: self.url || other.url,
            pipe: self.pipe || other.pipe,
            write: self.write || other.write,
        }
    }

    /// Returns the command-line option that allows the part `word` as well.
    pub fn option(self, word: &str) -> String {
        format!("`--allow {}`", self.or(word.parse().unwrap_or_default()))
    }

    fn words(self) -> [(bool, &'static str); 5] {
        [
            (self.env, "env"),
            (self.file, "file"),
            (self.url, "url"),
            (self.pipe, "pipe"),
            (self.write, "write"),
        ]
    }
}

/// Allows the environment and files. A document that reaches the network, runs programs
/// or writes files does more than its text shows, so that the user has to agree.
impl Default for Allow {
    fn default() -> Self {
        Allow { env: true, file: true, ..Allow::NOTHING }
    }
}

impl FromStr for Allow {
    type Err = String;

    fn from_str(text: &str) -> Result<Allow, String> {
        let mut allow = Allow::NOTHING;
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            match word {
                "env" => allow.env = true,
                "file" => allow.file = true,
                "url" => allow.url = true,
                "pipe" => allow.pipe = true,
                "write" => allow.write = true,
                "all" => allow = Allow::ALL,
                _ => {
                    return Err(format!(
                        "'{word}' is none of env, file, url, pipe, write and all"
                    ));
                }
            }
        }
        Ok(allow)
    }
}

impl fmt::Display for Allow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut between = "";
        for (_, word) in self.words().into_iter().filter(|&(given, _)| given) {
            write!(f, "{between}{word}")?;
            between = ",";
        }
        Ok(())
    }
}
