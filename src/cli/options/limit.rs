//! The values of `--limit`.

use std::str::FromStr;

/// The names of limits.
pub const LIMITS: [&str; 10] = [
    "depth",
    "expansion",
    "include-bytes",
    "include-depth",
    "query-steps",
    "fuel",
    "output",
    "eval-depth",
    "yaql-iterators",
    "yaql-memory",
];

/// A limit and its value.
#[derive(Clone, Debug)]
pub struct Limit {
    name: &'static str,
    value: u64,
}

impl Limit {
    /// Returns its name, one of [`LIMITS`].
    pub fn name(&self) -> &'static str {
        self.name
    }

    pub fn value(&self) -> u64 {
        self.value
    }
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Limit, String> {
        let (name, value) = text.split_once('=').ok_or("a limit is NAME=N")?;
        let known = LIMITS.into_iter().find(|known| *known == name);
        let name = known.ok_or_else(|| {
            format!("there is no limit '{name}', only {}", LIMITS.join(", "))
        })?;
        let wrong = |error| format!("'{value}' is no limit: {error}");
        let value = match name {
            "depth" | "include-depth" | "eval-depth" => {
                value.parse::<u32>().map(u64::from)
            }
            _ => value.parse(),
        };
        value.map(|value| Limit { name, value }).map_err(wrong)
    }
}
