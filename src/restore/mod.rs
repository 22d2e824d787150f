//! A document with directives and its expansion as somebody edited it → the document with
//! the edit in it and the directives kept.
//!
//! This is the put of a lens whose get is [`Get`]: compile, apply, fill in variables. The
//! result is read and expanded again before it goes out; what does not expand to what was
//! given is tried again, and what cannot be said as an override is written out.

mod align;
mod compare;
mod conflict;
mod expander;
mod explain;
mod put;
mod save;
mod site;
mod writing;
mod written;

pub use expander::{Directives, Get};
pub use explain::Saved;
pub use save::save;
