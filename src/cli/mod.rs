//! The command line: arguments come in, a library function does the work, text and an
//! exit code go out. Here and in `World` is all that touches the outside.

mod failure;
mod interpolate;
mod manual;
mod option;
mod output;
mod read;
mod variable;

use std::process::ExitCode;

use ::interpolate::source::Sources;
use clap::Parser;

use option::{Arguments, Command};

/// Runs the program.
pub(crate) fn run() -> ExitCode {
    let arguments = Arguments::parse();
    let mut sources = Sources::default();
    let done = match arguments.command {
        None => interpolate::run(&arguments.main, &mut sources),
        Some(Command::Completions { shell }) => manual::completions(shell),
        Some(Command::Man) => manual::page(),
    };
    done.unwrap_or_else(|failure| failure.report(&sources, &arguments.main.output))
}
