//! A node comes in, what Go's yaml.v2 prints for its value goes out, byte for byte: keys
//! sorted, aliases and `<<` written out, text folded at 80 columns.

mod emitter;
mod printer;
mod sort;

pub use printer::{print, print_found};
