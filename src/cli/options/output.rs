//! Options of the output.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use interpolate::unstable::pointer::Pointer;
use interpolate::unstable::select::Mistake;
use interpolate::unstable::target::Target;

/// Options of the output.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct Output {
    /// Format of the result: yaml, json or bosh
    ///
    /// `yaml`, the default, is the text as it was read, except for changes. `json` is one JSON value
    /// for each document, with its keys in their order. `bosh` is the output of `bosh interpolate`,
    /// byte for byte.
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    pub format: Option<Format>,
    /// Print the value at a path: jobs[name=web].port
    ///
    /// PATH is dotted, begins with `/` as in an ops-file (/jobs/name=web), or is a JSONPath, of
    /// which the list of all matches is printed: '$.jobs[*].name'. A string is printed without
    /// quotes. '.' is the whole document. A path that leads nowhere is an error.
    #[arg(long, value_name = "PATH", value_parser = PathArgument::parse)]
    pub path: Vec<PathArgument>,
    /// Print the normalized paths of all that a path leads to, one a line
    #[arg(
        long,
        value_name = "PATH",
        value_parser = PathArgument::parse,
        conflicts_with = "path",
        hide_short_help = true
    )]
    pub paths: Option<PathArgument>,
    /// Print the keys at a path, one a line
    #[arg(
        long,
        value_name = "PATH",
        value_parser = PathArgument::parse,
        conflicts_with_all = ["path", "paths"]
    )]
    pub keys: Option<PathArgument>,
    /// Print each match of --path on a line, bare
    ///
    /// For scripts: strings have no quotes, a collection is one line of JSON, nothing stands between documents, and a
    /// text that ends with a line break gets no other. A JSONPath without a match is an error.
    #[arg(short, long)]
    pub raw: bool,
    /// Print a text where a path leads nowhere
    ///
    /// A value that is null is there. Of a JSONPath, it is printed if no document has a match.
    #[arg(long, value_name = "TEXT")]
    pub default: Option<String>,
    /// Print the name of the file before each line of what --path, --paths or --keys finds
    #[arg(long, hide_short_help = true)]
    pub with_filename: bool,
    /// Write the result back to the file
    #[arg(short, long, conflicts_with_all = ["path", "paths", "keys", "output", "check"])]
    pub in_place: bool,
    /// Write the result to a file
    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["diff", "check"]
    )]
    pub output: Option<PathBuf>,
    /// Print a unified diff of what changes
    ///
    /// With -i, the result is written too.
    #[arg(long, conflicts_with_all = ["path", "paths", "keys"])]
    pub diff: bool,
    /// Print nothing; exit with 1 if there is a change
    #[arg(long, conflicts_with_all = ["path", "paths", "keys"])]
    pub check: bool,
    /// Colours in messages and diffs
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_short_help = true)]
    pub color: Color,
    /// Form of errors on standard error
    ///
    /// With `json`, a run that fails prints one JSON text there and no warnings: {"errors":
    /// [{message, file, line, column, op, hints}]}.
    #[arg(long, value_name = "FORM", default_value = "human", hide_short_help = true)]
    pub errors: ErrorFormat,
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

    /// Removes the format from the options, for a command that gives it a meaning of its own.
    pub fn take_format(&mut self) -> Format {
        let format = self.format();
        (self.format, self.json) = (None, false);
        format
    }

    /// Returns true if the result and errors are printed as bosh's report in JSON.
    pub fn reports_json(&self) -> bool {
        self.json && self.format() == Format::Bosh
    }

    /// Returns the question that is asked about the result.
    pub fn question(&self) -> Option<Question<'_>> {
        let Output { path, paths, keys, .. } = self;
        let path = path.last().map(|path| (QuestionKind::Value, path));
        let paths = paths.as_ref().map(|path| (QuestionKind::Paths, path));
        let keys = keys.as_ref().map(|path| (QuestionKind::Keys, path));
        let (kind, path) = path.or(paths).or(keys)?;
        Some(Question { kind, path })
    }

    /// Returns the option that asks for a part of the result, or says how it is printed.
    pub fn asking(&self) -> Option<&'static str> {
        let options = [
            ("--path", !self.path.is_empty()),
            ("--paths", self.paths.is_some()),
            ("--keys", self.keys.is_some()),
            ("--raw", self.raw),
            ("--default", self.default.is_some()),
            ("--with-filename", self.with_filename),
        ];
        options.into_iter().find(|(_, is_given)| *is_given).map(|(name, _)| name)
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

/// A path as it was typed, in one of three languages.
#[derive(Clone, Debug)]
pub struct PathArgument {
    text: String,
    target: std::result::Result<Target, Mistake>,
    /// The same text as bosh reads it.
    pointer: std::result::Result<Pointer, String>,
}

impl PathArgument {
    /// Reads a path.
    ///
    /// # Errors
    /// It is a path in no format of the result.
    pub fn parse(text: &str) -> std::result::Result<PathArgument, Mistake> {
        let path = PathArgument {
            text: text.to_owned(),
            target: Target::parse_argument(text),
            pointer: Pointer::parse(text),
        };
        match (&path.target, &path.pointer) {
            (Err(mistake), Err(_)) => Err(mistake.clone()),
            _ => Ok(path),
        }
    }

    /// Returns the path as it was typed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the places that the path names.
    ///
    /// # Errors
    /// A mistake in the path; in the format of bosh it is a pointer.
    pub fn target(&self, format: Format) -> std::result::Result<Target, Mistake> {
        match format {
            Format::Bosh => Ok(Target::Pointer(self.pointer.clone()?)),
            Format::Yaml | Format::Json => self.target.clone(),
        }
    }
}

/// A question about the result.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    pub kind: QuestionKind,
    pub path: &'a PathArgument,
}

/// The part of a place that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionKind {
    /// `--path`
    Value,
    /// `--paths`
    Paths,
    /// `--keys`
    Keys,
}

impl QuestionKind {
    /// Returns the option that asks for it.
    pub fn option(self) -> &'static str {
        match self {
            QuestionKind::Value => "--path",
            QuestionKind::Paths => "--paths",
            QuestionKind::Keys => "--keys",
        }
    }
}

/// The form of errors on standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ErrorFormat {
    /// Messages with the lines they are about
    #[default]
    Human,
    /// One JSON text
    Json,
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
