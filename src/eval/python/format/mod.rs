//! Python's format strings: `str.format` and `format(value, specification)`.

mod formatter;
mod specification;

pub use formatter::{format, format_map};
pub use specification::{FormatSpec, character, in_base};
