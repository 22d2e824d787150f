//! Options of the output.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use interpolate::unstable::pointer::Pointer;
use interpolate::unstable::select::{self, Mistake, Query};
use interpolate::unstable::target::Target;

/// Options of the output.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct Output {
    /// Format of the result [default: yaml]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// Print only the value at a path, e.g. /jobs/name=web/instances
    ///
    /// A string is printed without quotes. '' is the whole document. A path that begins with `$`
    /// is a JSONPath, of which the list of all matches is printed: '$.jobs[*].name'.
    #[arg(long, value_name = "PATH", value_parser = target)]
    pub path: Vec<Target>,
    /// Print the normalized paths of all matches of a JSONPath, one a line
    #[arg(long, value_name = "JSONPATH", value_parser = query, conflicts_with = "path")]
    pub paths: Option<Query>,
    /// Write the result back to BASE
    #[arg(short, long, conflicts_with_all = ["path", "paths", "output", "check"])]
    pub in_place: bool,
    /// Write the result to a file
    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["diff", "check"]
    )]
    pub output: Option<PathBuf>,
    /// Print a unified diff of BASE and the result
    ///
    /// With -i, the result is written too.
    #[arg(long, conflicts_with_all = ["path", "paths"])]
    pub diff: bool,
    /// Print nothing; exit with 1 if BASE and the result differ
    #[arg(long, conflicts_with_all = ["path", "paths"])]
    pub check: bool,
    /// Colours in messages and diffs
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
    /// Print only errors and the result
    #[arg(short, long)]
    pub quiet: bool,
    /// `--format json`; with `--format bosh` the report of bosh in JSON
    #[arg(long, hide = true)]
    pub json: bool,
    /// `--color never`, as bosh spells it
    #[arg(long, hide = true)]
    pub no_color: bool,
}

impl Output {
    pub fn format(&self) -> Format {
        let default = if self.json { Format::Json } else { Format::Yaml };
        self.format.unwrap_or(default)
    }

    /// Returns the format, and sets the default: the command has a meaning of its own for it.
    pub fn take_format(&mut self) -> Format {
        let format = self.format();
        (self.format, self.json) = (None, false);
        format
    }

    /// Returns true if the result and errors are printed as bosh's report in JSON.
    pub fn reports_json(&self) -> bool {
        self.json && self.format() == Format::Bosh
    }

    /// Returns true if BASE and the result are compared.
    pub fn compares(&self) -> bool {
        self.diff || self.check || self.in_place
    }

    /// Returns true if text for `stream` is coloured.
    pub fn colour(&self, stream: &impl anstream::stream::RawStream) -> bool {
        let choice = match self.color {
            Color::Never => anstream::ColorChoice::Never,
            Color::Always => anstream::ColorChoice::Always,
            Color::Auto if self.no_color => anstream::ColorChoice::Never,
            Color::Auto => anstream::AutoStream::choice(stream),
        };
        choice != anstream::ColorChoice::Never
    }
}

fn query(text: &str) -> Result<Query, Mistake> {
    Query::parse(text).map_err(|error| error.told(text))
}

fn target(text: &str) -> Result<Target, Mistake> {
    let likely = || {
        let is_one = !text.contains(['*', '?', '=']) && !text.contains("[]");
        let pointer = Pointer::respelt(text).filter(|_| is_one);
        let is_path = text.contains(['.', '[']) || pointer.is_none();
        let query = select::meant(text).filter(|_| is_path);
        let meant = pointer.into_iter().chain(query).map(|path| format!("'{path}'"));
        let meant = meant.collect::<Vec<_>>().join(" or ");
        let is_other = !text.starts_with(['/', '$']) && !meant.is_empty();
        is_other.then(|| format!("did you mean {meant}?"))
    };
    Target::parse(text)
        .map_err(|mistake| Mistake { hint: mistake.hint.or_else(likely), ..mistake })
}

/// The colours of messages and diffs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// A format of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// The text as it was read, except for changes
    Yaml,
    /// The output of `bosh interpolate`, byte for byte
    Bosh,
    /// One JSON value for each document, with its keys in their order
    Json,
}
