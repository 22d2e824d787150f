//! The names of commands, and of the options that their help leaves out or changes.

use clap::Command;
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

/// Returns a hint for a `word` in the place of BASE that is no file.
pub fn command_hint(word: &str) -> Option<String> {
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
    if COMMANDS.contains(&word) {
        return Some(format!("the command stands in front: `interpolate {word} …`"));
    }
    let names = COMMANDS.into_iter().chain(["help"]);
    near(names, word).map(|name| format!("did you mean the command '{name}'?"))
}

/// The options about the result of the main job.
pub const RESULT_OPTIONS: [&str; 6] =
    ["in_place", "path", "paths", "diff", "check", "all_documents"];

/// Hides the options from the help of a command that it has no use for.
pub fn hide(command: Command, ids: &[&'static str]) -> Command {
    ids.iter().fold(command, |command, &id| command.mut_arg(id, |arg| arg.hide(true)))
}

/// Replaces the help of an option of a command.
pub fn describe(command: Command, id: &'static str, help: &'static str) -> Command {
    command.mut_arg(id, |arg| arg.help(help).long_help(help))
}

/// As [`describe`], for an option of which the command does not take all values.
pub fn describe_alone(command: Command, id: &'static str, help: &'static str) -> Command {
    describe(command, id, help).mut_arg(id, |arg| arg.hide_possible_values(true))
}
