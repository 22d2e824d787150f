//! Texts and places: file names and bytes come in through [`World`]; [`Sources`]
//! numbers the texts, so that every later value knows where it was written.

mod allow;
#[cfg(unix)]
mod attributes;
mod memory;
mod os;
mod reason;
mod root;
mod temporary;
mod text;
mod world;
mod write;

pub use allow::Allow;
pub use memory::Memory;
pub use os::Os;
pub use reason::reason;
pub use temporary::remove_temporary_files;
pub(crate) use text::replace_ranges;
pub use text::{Encoding, FileId, Shown, Source, Sources, Span, Text};
pub use world::{Moment, World};
pub use write::{Replacement, Unkept};
