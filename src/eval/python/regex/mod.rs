//! Python's `re`: patterns, matches and replacements.
//!
//! A pattern is translated to the syntax of `fancy-regex`, which does the search.

mod pattern;
mod template;
mod translate;

pub use pattern::{Flags, Match, Pattern, compile};
pub use template::escape;
