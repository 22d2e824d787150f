//! The printer of values as Go's yaml.v2 writes them, byte for byte: keys sorted, aliases
//! and `<<` written out, text folded at 80 columns. bosh prints all documents in this
//! way.

mod emitter;
mod printer;
mod sort;

pub use printer::{print, print_found};
