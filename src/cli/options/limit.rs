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
        let most = match name {
            "depth" | "include-depth" | "eval-depth" => u64::from(u32::MAX),
            _ => u64::MAX,
        };
        let number = value.parse().ok().filter(|&number: &u64| number <= most);
        let value =
            number.ok_or_else(|| format!("'{value}' is no whole number up to {most}"))?;
        Ok(Limit { name, value })
    }
}
