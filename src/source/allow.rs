//! The parts of the outside that documents may reach, as `env,file,url`.

use std::fmt;
use std::str::FromStr;

/// The field that allows a part.
type Part = fn(&mut Allow) -> &mut bool;

/// The words for the parts, and the fields that allow them.
const PARTS: [(&str, Part); 5] = [
    ("env", |allow| &mut allow.env),
    ("file", |allow| &mut allow.file),
    ("url", |allow| &mut allow.url),
    ("pipe", |allow| &mut allow.pipe),
    ("write", |allow| &mut allow.write),
];

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
    pub fn has(mut self, word: &str) -> bool {
        PARTS.iter().any(|(name, part)| *name == word && *part(&mut self))
    }

    /// Returns the parts that either allows.
    #[must_use]
    pub fn or(mut self, mut other: Allow) -> Allow {
        PARTS.iter().for_each(|(_, part)| *part(&mut self) |= *part(&mut other));
        self
    }

    /// Returns the command-line option that allows the part `word` as well.
    pub fn option(self, word: &str) -> String {
        format!("`--allow {}`", self.or(word.parse().unwrap_or_default()))
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
            match PARTS.iter().find(|(name, _)| *name == word) {
                Some((_, part)) => *part(&mut allow) = true,
                None if word == "all" => allow = Allow::ALL,
                None => {
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
        for (word, _) in PARTS.iter().filter(|(word, _)| self.has(word)) {
            write!(f, "{between}{word}")?;
            between = ",";
        }
        Ok(())
    }
}
