//! The command line: reads arguments, calls functions of the library, prints text and
//! returns an exit code. Only this module and `World` reach outside the process.

// The program exports nothing: `pub` means visible to the other files of this module.
#![allow(unreachable_pub)]

mod answer;
mod arguments;
mod bosh;
mod check;
mod completion;
mod diff;
mod draft;
mod eval;
mod explain;
mod failure;
mod git_diff;
mod habits;
mod hot;
mod interpolate;
mod main_options;
mod merge;
mod options;
mod output;
mod plan;
mod printed;
mod progress;
mod read;
mod rebase;
mod replacement;
mod save;
mod side_output;
mod stream_ops;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use ::interpolate::unstable::source::Sources;
use arguments::{BARE_HELP, Command, arguments, command};
use clap::ArgMatches;
use failure::{Result, print_errors};
use main_options::MainOptions;
use options::Output;

pub(crate) fn run() -> ExitCode {
    if std::env::args_os().len() < 2 {
        write!(io::stderr(), "{BARE_HELP}").ok();
        return ExitCode::from(2);
    }
    let arguments = match arguments() {
        Ok(arguments) => arguments,
        Err(error) => return refuse(&error),
    };
    let mut sources = Sources::default();
    let sources = &mut sources;
    let given = &arguments.given;
    let (options, done) = match arguments.command {
        None => {
            let mut main = arguments.main;
            main.input.patching.record(given);
            main.warn(sources);
            let done = match &main.extra[..] {
                [] => interpolate::run(&main, sources),
                _ => interpolate::run_all(&mut main, sources),
            };
            (main, done)
        }
        Some(Command::Save(save)) => perform(given, save.split(), save::run, sources),
        Some(Command::Diff(diff)) => perform(given, diff.split(), diff::run, sources),
        Some(Command::Merge(merge)) => perform(given, merge.split(), merge::run, sources),
        Some(Command::Check(check)) => perform(given, check.split(), check::run, sources),
        Some(Command::Plan(plan)) => perform(given, plan.split(), plan::run, sources),
        Some(Command::Explain(explain)) => {
            perform(given, explain.split(), explain::run, sources)
        }
        Some(Command::Rebase(rebase)) => {
            perform(given, rebase.split(), rebase::run, sources)
        }
        Some(Command::Eval(eval)) => perform(given, eval.split(), eval::run, sources),
        Some(Command::Hot(hot)) => perform(given, hot.split(), hot::run, sources),
        Some(Command::Completions { shell, install }) => {
            let done = match shell.filter(|_| !install) {
                Some(shell) => arguments::completions(shell),
                None => arguments::install_completions(shell),
            };
            (arguments.main, done)
        }
        Some(Command::Man { command }) => {
            (arguments.main, arguments::page(command.as_deref()))
        }
    };
    done.unwrap_or_else(|failure| failure.report(sources, &options.output))
}

/// Runs a command with the options of the main job, and its own. Returns the former.
fn perform<J>(
    given: &ArgMatches,
    (mut options, job): (MainOptions, J),
    run: impl FnOnce(&MainOptions, &J, &mut Sources) -> Result<ExitCode>,
    sources: &mut Sources,
) -> (MainOptions, Result<ExitCode>) {
    options.input.patching.record(given);
    options.warn(sources);
    let done = run(&options, &job, sources);
    (options, done)
}

/// Prints the error of the parser, or the help that was asked for.
fn refuse(error: &clap::Error) -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    if error.use_stderr() && asks_for_json_errors(&words) {
        print_errors(&[arguments::record(error)]);
        return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
    }
    let printed = error.print().and_then(|()| io::stdout().flush());
    // There is no other place to report an error of standard error.
    if !error.use_stderr()
        && let Err(failure) = output::check_printed(printed)
    {
        return failure.report(&Sources::default(), &Output::default());
    }
    if error.use_stderr()
        && let Some(refusal) = bosh::refusal(command(), &words)
    {
        writeln!(io::stderr(), "\n{refusal}").ok();
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// Returns true if errors are printed as JSON. The command line could not be parsed.
fn asks_for_json_errors(words: &[OsString]) -> bool {
    words.iter().any(|word| word == "--errors=json")
        || words.windows(2).any(|two| two[0] == "--errors" && two[1] == "json")
}
