//! The command line: reads arguments, calls functions of the library, prints text and
//! returns an exit code. Only this module and `World` reach outside the process.

// The program exports nothing: `pub` means visible to the other files of this module.
#![allow(unreachable_pub)]

mod arguments;
mod bases;
mod bosh;
mod check;
mod command_name;
mod completion;
mod diff;
mod diff_language;
mod eval;
mod expansion;
mod explain;
mod failure;
mod git_diff;
mod hot;
mod interpolate;
mod later_options;
mod main_options;
mod merge;
mod options;
mod output;
mod patched;
mod plan;
mod plan_printer;
mod read;
mod rebase;
mod report;
mod save;
mod side_output;
mod store_file;
mod stream_ops;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use ::interpolate::unstable::source::Sources;
use clap::CommandFactory;

use arguments::{Arguments, BARE_HELP, Command, arguments};

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
    let (options, done) = match arguments.command {
        None => {
            let mut main = arguments.main;
            main.warn(sources);
            let done = match &main.extra[..] {
                [] => interpolate::run(&main, sources),
                _ => bases::run(&mut main, sources),
            };
            (main, done)
        }
        Some(Command::Save(save)) => {
            let (options, job) = save.split();
            options.warn(sources);
            let done = save::run(&options, &job, sources);
            (options, done)
        }
        Some(Command::Diff(diff)) => {
            let (options, job) = diff.split();
            options.warn(sources);
            let done = diff::run(&options, &job, sources);
            (options, done)
        }
        Some(Command::Merge(merge)) => {
            let (options, job) = merge.split();
            options.warn(sources);
            let done = merge::run(&options, &job, sources);
            (options, done)
        }
        Some(Command::Check(check)) => {
            let (options, job) = check.split();
            options.warn(sources);
            let done = check::run(&options, &job, sources);
            (options, done)
        }
        Some(Command::Plan(plan)) => {
            let (options, format) = plan.split();
            options.warn(sources);
            let done = plan::run(&options, format, sources);
            (options, done)
        }
        Some(Command::Explain(explain)) => {
            let (options, question) = explain.split();
            options.warn(sources);
            let done = explain::run(&options, &question, sources);
            (options, done)
        }
        Some(Command::Rebase(rebase)) => {
            let (options, job) = rebase.split();
            options.warn(sources);
            let done = rebase::run(&options, &job, sources);
            (options, done)
        }
        Some(Command::Eval(eval)) => {
            let (options, expression, selection) = eval.split();
            options.warn(sources);
            let done = eval::run(&options, &expression, &selection, sources);
            (options, done)
        }
        Some(Command::Hot(hot)) => {
            let (options, stack, selection) = hot.split();
            options.warn(sources);
            let done = hot::run(&options, &stack, &selection, sources);
            (options, done)
        }
        Some(Command::Completions { shell }) => {
            (arguments.main, arguments::completions(shell))
        }
        Some(Command::Man { command }) => {
            (arguments.main, arguments::page(command.as_deref()))
        }
    };
    done.unwrap_or_else(|failure| failure.report(sources, &options.output))
}

/// Prints the error of the parser, or the help that was asked for.
fn refuse(error: &clap::Error) -> ExitCode {
    // There is no other place to report an error of standard error.
    error.print().ok();
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    if error.use_stderr()
        && let Some(refusal) = bosh::refusal(Arguments::command(), &words)
    {
        writeln!(io::stderr(), "\n{refusal}").ok();
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}
