//! The names of commands, and of the options that their help leaves out or changes.

use clap::Command;

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

/// The options about the result of the main job.
pub const RESULT_OPTIONS: [&str; 10] = [
    "in_place",
    "path",
    "paths",
    "keys",
    "raw",
    "default",
    "with_filename",
    "diff",
    "check",
    "all_documents",
];

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
