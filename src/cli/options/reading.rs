//! Options of reading.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use interpolate::unstable::patch::Lists;
use interpolate::unstable::scalar::Dialect;

/// Options of reading.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Reading")]
pub struct Reading {
    /// Dialect of BASE and ops-files [default: core]
    ///
    /// `--format bosh` implies `go`. Without this option, a line `%YAML 1.1` selects `yaml-1.1`.
    #[arg(long, value_name = "SCHEMA", value_parser = schemas(), hide_short_help = true)]
    schema: Option<Dialect>,
    /// Refuse documents that YAML 1.2 forbids although common readers accept them
    #[arg(long, hide_short_help = true)]
    pub strict_yaml: bool,
    /// Patch and print every document of a stream
    ///
    /// Without it, later documents are not changed, and `--format bosh` and `--format json` leave
    /// them out. Documents that are empty but for comments are passed over.
    #[arg(long, help_heading = "Patching")]
    pub all_documents: bool,
    /// Do not expand merge directives: keys such as `+/a` are plain keys
    #[arg(long, hide_short_help = true)]
    pub no_directives: bool,
    /// Effect of an own list on an imported one [default: replace]
    #[arg(long, value_name = "HOW", value_parser = lists(), hide_short_help = true)]
    pub lists: Option<Lists>,
    /// Folder of the `repository` NAME of an include
    #[arg(long, value_name = "NAME=DIR", value_parser = repository, hide_short_help = true)]
    pub repository: Vec<(String, PathBuf)>,
}

impl Reading {
    /// Returns the dialect that the options ask for.
    pub fn dialect(&self) -> Option<Dialect> {
        self.schema.or_else(|| self.strict_yaml.then_some(Dialect::Core))
    }
}

/// Returns the parser of `--lists`.
fn lists() -> impl TypedValueParser<Value = Lists> {
    let values = [
        PossibleValue::new("replace")
            .help("It replaces the imported list, as documented"),
        PossibleValue::new("union")
            .help("Its items are added to it, as in Unfurl's code"),
    ];
    PossibleValuesParser::new(values).map(|name| match &*name {
        "union" => Lists::Union,
        _ => Lists::Replace,
    })
}

/// Returns the parser of `--schema`.
fn schemas() -> impl TypedValueParser<Value = Dialect> {
    let values = Dialect::ALL.map(|dialect| {
        PossibleValue::new(dialect.name()).help(match dialect {
            Dialect::Core => "YAML 1.2: only `true` and `false` are booleans",
            Dialect::Go => "Go's yaml.v2, as in bosh: `yes` and `on` are booleans too",
            Dialect::Yaml11 => "YAML 1.1 as PyYAML reads it",
        })
    });
    PossibleValuesParser::new(values).try_map(|name| name.parse())
}

fn repository(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, folder)) if !name.is_empty() && !folder.is_empty() => {
            Ok((name.to_owned(), folder.into()))
        }
        Some(_) | None => Err("a repository is NAME=DIR".into()),
    }
}
