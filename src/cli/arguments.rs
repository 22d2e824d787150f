//! The whole command line, with completion scripts and the manual page.

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use super::failure::Failure;
use super::main_options::MainOptions;
use super::output::print;
use super::{diff, eval, hot, save};

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "interpolate",
    version,
    about = "Patch YAML without losing a byte, compatible with `bosh interpolate`",
    override_usage = "interpolate BASE [-o OPS]... [OPTIONS]",
    after_help = SHORT_HELP,
    after_long_help = LONG_HELP,
    max_term_width = 100,
    args_override_self = true,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true
)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub main: MainOptions,
}

const SHORT_HELP: &str = "\
Examples:
  Patching  interpolate base.yml -o scale.yml -o operations/
  Reading   interpolate base.yml --schema yaml-1.1 --path /jobs/name=web/instances
  Output    interpolate base.yml -o scale.yml --diff
  Safety    interpolate base.yml -o theirs.yml --root . --limit depth=100

`--help` lists all options.";

const LONG_HELP: &str = "\
Examples:
  Apply two ops-files and a folder of ops-files to a manifest:
    interpolate base.yml -o scale.yml -o network.yml -o operations/
  Change the manifest itself and keep every comment:
    interpolate base.yml -o scale.yml -i
  Show the changes, and fail in CI if there are any:
    interpolate base.yml -o scale.yml --diff --check
  Print one value:
    interpolate base.yml --path /instance_groups/name=web/instances
  Print the output of bosh:
    interpolate base.yml -o scale.yml --format bosh

Exit codes:
  0  done
  1  the input is wrong, or --check found a difference
  2  wrong usage, or a file that cannot be read or written

A failed run prints nothing on standard output and changes no file.";

/// A command other than the main job.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Put an edited expansion back into the document it was expanded from
    Save(Box<save::SaveOptions>),
    /// Print the ops-file that turns one document into another
    Diff(Box<diff::Diff>),
    /// Evaluate an expression or a template on a document
    Eval(Box<eval::Eval>),
    /// Evaluate a Heat template
    Hot(Box<hot::Hot>),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

pub fn arguments() -> clap::error::Result<Arguments> {
    let matches = command().try_get_matches()?;
    let mut arguments = Arguments::from_arg_matches(&matches)?;
    arguments.main.input.matches = matches;
    Ok(arguments)
}

/// Returns the command line; each command hides options that it has no use for.
fn command() -> clap::Command {
    let command = Arguments::command();
    command
        .mut_subcommand("save", save::command)
        .mut_subcommand("diff", diff::command)
        .mut_subcommand("eval", eval::command)
        .mut_subcommand("hot", hot::command)
}

pub fn completions(shell: clap_complete::Shell) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    let mut command = Arguments::command();
    clap_complete::generate(shell, &mut command, "interpolate", &mut script);
    print(&[&script])?;
    Ok(ExitCode::SUCCESS)
}

pub fn page() -> Result<ExitCode, Failure> {
    let mut page = Vec::new();
    let written = clap_mangen::Man::new(Arguments::command()).render(&mut page);
    written.map_err(|error| Failure::file(error.to_string()))?;
    let page = String::from_utf8_lossy(&page)
        .replace(".SH EXTRA\nExamples:", ".SH EXAMPLES\n.nf")
        .replace("\nExit codes:", ".fi\n.SH \"EXIT STATUS\"\n.nf")
        .replace("\n.SH VERSION", "\n.fi\n.SH VERSION")
        // Commands have no manual pages of their own.
        .replace("\ninterpolate\\-", "\ninterpolate ")
        .replace("(1)\n", "\n");
    print(&[page.as_bytes()])?;
    Ok(ExitCode::SUCCESS)
}
