//! Options that protect against hostile input, and against loss.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueHint};
use interpolate::unstable::eval::OperationLimits;
use interpolate::unstable::source::Allow;

/// Options that protect against hostile input, and against loss.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Safety")]
pub struct Safety {
    /// Keep what documents name inside a folder, also through links, and the environment away
    ///
    /// Only regular files are read, and variables of the environment only with `--allow env`.
    /// What is named on the command line may be anywhere.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, hide_short_help = true)]
    pub root: Option<PathBuf>,
    /// Permissions of includes, templates and expressions: env, file, url, pipe, write, or all
    /// [default: env,file]
    ///
    /// The list replaces the default: `file` allows reading files, `write` writing them, `pipe`
    /// running programs.
    #[arg(long, value_name = "LIST", hide_short_help = true)]
    allow: Vec<Allow>,
    /// Set a limit: depth, expansion, include-bytes, include-depth, query-steps, fuel, output, eval-depth,
    /// value-bytes, value-depth, value-members, yaql-iterators or yaql-memory
    ///
    /// `depth` limits the nesting of collections, `expansion` the bytes of a document with its
    /// aliases and directives expanded, of what ops copy and combine, and of what a JSONPath selects, `include-bytes` the bytes of all files that directives include or that templates read,
    /// `include-depth` the nesting of includes, `query-steps` the steps of all JSONPaths. `fuel` limits the steps of all templates and
    /// expressions together, `output` the characters of one result, `eval-depth` the nesting of
    /// evaluations. `value-bytes` limits the bytes that one operation of a template makes,
    /// `value-depth` the nesting of a value that it follows, `value-members` the members of all
    /// lists and mappings that live at a time: these three can only be lower than without the
    /// option. `yaql-iterators` limits the members of a collection in yaql, `yaql-memory`
    /// the bytes of one value (0: no limit).
    #[arg(long, value_name = "NAME=N", hide_short_help = true)]
    limit: Vec<Limit>,
    /// Replace a file also if it loses its owner, group, permissions or another attribute
    ///
    /// Without it, that is an error, and nothing is written. Nobody gets more rights on the
    /// file: if it loses its group or its access control list, its mode is narrowed.
    #[arg(long, help_heading = "Output", hide_short_help = true)]
    pub force: bool,
}

impl Safety {
    /// Returns the permissions. A document that is kept in a folder sees no environment,
    /// unless that is asked for.
    pub fn allow(&self) -> Allow {
        let default = Allow { env: self.root.is_none(), ..Allow::default() };
        self.allow.iter().copied().reduce(Allow::or).unwrap_or(default)
    }

    /// Returns the last value given for a limit.
    pub fn limit(&self, name: &str) -> Option<u64> {
        let mut limits = self.limit.iter().rev();
        limits.find(|limit| limit.name == name).map(|limit| limit.value)
    }
}

/// The names of limits.
pub const LIMITS: [&str; 13] = [
    "depth",
    "expansion",
    "include-bytes",
    "include-depth",
    "query-steps",
    "fuel",
    "output",
    "eval-depth",
    "value-bytes",
    "value-depth",
    "value-members",
    "yaql-iterators",
    "yaql-memory",
];

/// A limit and its value.
#[derive(Clone, Debug)]
struct Limit {
    /// One of [`LIMITS`].
    name: &'static str,
    value: u64,
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Limit, String> {
        let (name, value) = text.split_once('=').ok_or("a limit is NAME=N")?;
        let known = LIMITS.into_iter().find(|known| *known == name);
        let name = known.ok_or_else(|| {
            format!("there is no limit '{name}', only {}", LIMITS.join(", "))
        })?;
        let highest = OperationLimits::HIGHEST;
        let most = match name {
            "depth" | "include-depth" | "eval-depth" => u64::from(u32::MAX),
            "value-bytes" => highest.bytes as u64,
            "value-depth" => highest.depth as u64,
            "value-members" => highest.members as u64,
            _ => u64::MAX,
        };
        let number = value.parse().ok().filter(|&number: &u64| number <= most);
        let value =
            number.ok_or_else(|| format!("'{value}' is no whole number up to {most}"))?;
        Ok(Limit { name, value })
    }
}
