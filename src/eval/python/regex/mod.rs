//! Python's `re`: patterns, matches and replacements.
//!
//! A pattern is translated to the syntax of `fancy-regex`, which does the search.

mod pattern;
mod translate;

pub use pattern::{Match, Pattern, compile, escape};
pub use translate::Flags;
