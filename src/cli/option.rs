//! Arguments → options. What the parser cannot say about their combinations is said by
//! [`Interpolate::check`].

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use interpolate::pointer::Pointer;
use interpolate::scalar::Dialect;

use super::input::Input;

/// The whole command line.
#[derive(Debug, Parser)]
#[command(
    name = "interpolate",
    version,
    about = "Patch YAML without losing a byte; print what `bosh interpolate` prints",
    override_usage = "interpolate BASE [-o OPS]... [OPTIONS]",
    after_help = SHORT,
    after_long_help = LONG,
    max_term_width = 100,
    args_override_self = true,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) main: Interpolate,
}

const SHORT: &str = "\
Examples:
  Patching  interpolate base.yml -o scale.yml -o operations/
  Reading   interpolate base.yml --schema yaml-1.1 --path /jobs/name=web/instances
  Output    interpolate base.yml -o scale.yml --diff
  Safety    interpolate base.yml -o theirs.yml --root . --limit depth=100

`--help` says more.";
const LONG: &str = "\
Examples:
  Show what two ops-files and a folder of them make of a manifest:
    interpolate base.yml -o scale.yml -o network.yml -o operations/
  Change the manifest itself, keeping every comment:
    interpolate base.yml -o scale.yml -i
  See what would change, and fail in CI if something would:
    interpolate base.yml -o scale.yml --diff --check
  Print one value:
    interpolate base.yml --path /instance_groups/name=web/instances
  Print what bosh prints:
    interpolate base.yml -o scale.yml --format bosh

Exit codes:
  0  done
  1  the input is at fault, or --check found a difference
  2  wrong usage, or a file that cannot be read or written

After a failure nothing was printed on standard output and no file was touched.";

/// What to do instead of the main job.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Put an edited expansion back into the document it was expanded from
    Save(Box<super::save::Save>),
    /// Print the ops-file that turns one document into another
    Diff(Box<super::diff::Diff>),
    /// Evaluate an expression or a template, about a document
    Eval(Box<super::eval::Eval>),
    /// Evaluate a Heat template
    Hot(Box<super::hot::Hot>),
    /// Print a completion script for a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

/// The main job.
#[derive(Debug, Args)]
pub(crate) struct Interpolate {
    /// The document to patch; `-` is standard input
    #[arg(value_name = "BASE", required = true, value_hint = ValueHint::FilePath)]
    pub(super) base: Option<OsString>,
    #[arg(hide = true)]
    pub(super) extra: Vec<OsString>,
    #[command(flatten)]
    pub(crate) input: Input,
    #[command(flatten)]
    pub(crate) output: Output,
    #[command(flatten)]
    pub(super) globals: Globals,
}

/// What to print and where.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Output {
    /// How the result is written [default: yaml]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// Print only the value a pointer leads to, e.g. /jobs/name=web/instances
    ///
    /// A string is printed as it is, without quotes. '' is the whole document.
    #[arg(long, value_name = "POINTER", value_parser = Pointer::parse)]
    pub(crate) path: Option<Pointer>,
    /// Write the result back to BASE
    #[arg(short, long, conflicts_with_all = ["path", "output", "diff", "check"])]
    pub(crate) in_place: bool,
    /// Write the result to a file
    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["diff", "check"]
    )]
    pub(crate) output: Option<PathBuf>,
    /// Print a unified diff of BASE and the result
    #[arg(long, conflicts_with = "path")]
    pub(crate) diff: bool,
    /// Print nothing; exit with 1 if BASE and the result differ
    #[arg(long, conflicts_with = "path")]
    pub(crate) check: bool,
    /// Whether messages and diffs are coloured
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    color: Color,
    /// Print nothing but errors and the result
    #[arg(short, long)]
    pub(crate) quiet: bool,
    /// `--format json`, as bosh spells it
    #[arg(long, hide = true, conflicts_with = "format")]
    json: bool,
    /// `--color never`, as bosh spells it
    #[arg(long, hide = true)]
    no_color: bool,
}

/// Options of bosh that mean nothing here, accepted so that pipelines need no change.
#[derive(Debug, Default, Args)]
pub(crate) struct Globals {
    #[arg(short, long, hide = true)]
    non_interactive: bool,
    #[arg(long, hide = true)]
    tty: bool,
    #[arg(long, hide = true)]
    sha2: bool,
    #[arg(short, long, hide = true)]
    environment: Option<OsString>,
    #[arg(short, long, hide = true)]
    deployment: Option<OsString>,
    #[arg(long, hide = true)]
    client: Option<OsString>,
    #[arg(long, hide = true)]
    client_secret: Option<OsString>,
    #[arg(long, hide = true)]
    ca_cert: Option<OsString>,
    #[arg(long, hide = true)]
    config: Option<OsString>,
    #[arg(long, hide = true)]
    parallel: Option<OsString>,
    #[arg(long, hide = true)]
    column: Vec<OsString>,
}

/// How a result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// As it was read, but for what changed
    Yaml,
    /// Byte for byte what `bosh interpolate` prints
    Bosh,
    /// A JSON value for each document, keys in order
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Interpolate {
    /// The document to patch, as it was given.
    pub(crate) fn base(&self) -> OsString {
        self.base.clone().unwrap_or_default()
    }

    /// How the result is written.
    pub(crate) fn format(&self) -> Format {
        self.output.format()
    }

    /// What is to be printed, if not BASE as a whole.
    pub(crate) fn path(&self) -> Option<&Pointer> {
        let whole = |path: &&Pointer| path.tokens.is_empty();
        let path = self.output.path.as_ref();
        path.filter(|path| self.format() != Format::Yaml || !whole(path))
    }

    /// The rules to read by, if they were asked for.
    pub(crate) fn dialect(&self) -> Option<Dialect> {
        match self.input.dialect() {
            None if self.format() == Format::Bosh => Some(Dialect::Go),
            given => given,
        }
    }
}

impl Output {
    /// How the result is written.
    pub(crate) fn format(&self) -> Format {
        let format = if self.json { Some(Format::Json) } else { self.format };
        format.unwrap_or(Format::Yaml)
    }

    /// Whether BASE and the result are held against each other.
    pub(crate) fn compares(&self) -> bool {
        self.diff || self.check || self.in_place
    }

    /// Whether to colour what goes to `stream`.
    pub(crate) fn colour(&self, stream: &impl anstream::stream::RawStream) -> bool {
        let choice = match self.color {
            Color::Never => anstream::ColorChoice::Never,
            Color::Always => anstream::ColorChoice::Always,
            Color::Auto if self.no_color => anstream::ColorChoice::Never,
            Color::Auto => anstream::AutoStream::choice(stream),
        };
        choice != anstream::ColorChoice::Never
    }
}
