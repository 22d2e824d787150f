//! I-Regexp (RFC 9485), the regular expressions of JSONPath. The time of a match grows with
//! the length of the text times that of the pattern, and no further.

mod foreign;
mod parser;
mod program;

pub(super) use foreign::{Foreign, foreign};
pub(super) use program::IRegexp;
