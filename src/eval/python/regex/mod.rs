//! Python's `re`: patterns, matches and replacements.
//!
//! A pattern is translated to the syntax of `fancy-regex`, whose parser reads it. The
//! program made of it is run here, since each of its steps costs fuel.

mod character_set;
mod matcher;
mod pattern;
mod program;
mod translate;

pub use character_set::CharacterSet;
pub use pattern::{Match, Pattern, compile, escape};
pub use translate::Flags;
