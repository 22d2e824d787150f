//! The names of the commands, and those that were likely meant by a word in the place of BASE.

use interpolate::unstable::diagnostic::near;

/// The names of the commands.
pub const COMMANDS: [&str; 11] = [
    "save",
    "diff",
    "merge",
    "plan",
    "check",
    "explain",
    "rebase",
    "eval",
    "hot",
    "completions",
    "man",
];

/// Returns a hint for a `word` that is no file.
pub fn hint(word: &str) -> Option<String> {
    if matches!(word, "int" | "interpolate") {
        return Some(format!(
            "`interpolate BASE` does what `bosh {word} BASE` does: leave out '{word}'"
        ));
    }
    if word == "version" {
        return Some("`interpolate -V` prints the version".into());
    }
    if matches!(word, "patch" | "apply") {
        return Some("`interpolate BASE -o OPS` patches BASE".into());
    }
    let names = COMMANDS.into_iter().chain(["help"]);
    near(names, word).map(|name| format!("did you mean the command '{name}'?"))
}
