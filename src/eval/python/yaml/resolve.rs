//! The text of a plain scalar comes in, the tag that PyYAML gives it goes out.

use std::sync::LazyLock;

use fancy_regex::Regex;

/// What a scalar is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// `!!str`
    Str,
    /// `!!null`
    Null,
    /// `!!bool`
    Bool,
    /// `!!int`
    Int,
    /// `!!float`
    Float,
    /// `!!timestamp`
    Timestamp,
    /// `!!merge`: `<<`
    Merge,
    /// `!!value`: `=`
    Value,
}

impl Tag {
    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Tag::Str => "!!str",
            Tag::Null => "!!null",
            Tag::Bool => "!!bool",
            Tag::Int => "!!int",
            Tag::Float => "!!float",
            Tag::Timestamp => "!!timestamp",
            Tag::Merge => "!!merge",
            Tag::Value => "!!value",
        }
    }
}

const FLOAT: &str = r"^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$";

const INT: &str = r"^(?:[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$";

const TIMESTAMP: &str = r"^(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?)$";

static NUMBERS: LazyLock<Vec<(Tag, Regex)>> = LazyLock::new(|| {
    let all = [(Tag::Float, FLOAT), (Tag::Int, INT), (Tag::Timestamp, TIMESTAMP)];
    all.into_iter().filter_map(|(tag, re)| Some((tag, Regex::new(re).ok()?))).collect()
});

/// What a plain scalar is.
pub fn resolve(text: &str) -> Tag {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Tag::Null,
        "yes" | "Yes" | "YES" | "no" | "No" | "NO" | "true" | "True" | "TRUE"
        | "false" | "False" | "FALSE" | "on" | "On" | "ON" | "off" | "Off" | "OFF" => {
            Tag::Bool
        }
        "<<" => Tag::Merge,
        "=" => Tag::Value,
        _ if text.starts_with(|c: char| c.is_ascii_digit() || "-+.".contains(c)) => {
            let found = NUMBERS.iter().find(|(_, re)| re.is_match(text).unwrap_or(false));
            found.map_or(Tag::Str, |(tag, _)| *tag)
        }
        _ => Tag::Str,
    }
}
