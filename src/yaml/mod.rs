//! Text ⇄ tree: reading a text into a document, printing a document.

pub mod accept;
pub mod bytes;
mod expanded;
pub mod go;
pub mod json;
mod ops;
mod options;
mod parse;
mod print;
mod read;
mod serde;

pub use expanded::Expansion;
pub use ops::print_ops;
pub use options::{Options, Target};
pub use print::{Printed, print, print_found};
pub(crate) use read::hide;
pub use read::{decode, read, version};
