//! The values of `--format`.

use clap::ValueEnum;

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
