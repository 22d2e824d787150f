//! Texts and places: file names and bytes come in through [`World`]; [`Sources`]
//! numbers the texts, so that every later value knows where it was written.

mod allow;
mod memory;
mod network;
mod os;
mod replace;
mod root;
mod seed;
mod temporary;
mod text;
mod waiting;
mod world;
mod write;

pub use allow::Allow;
pub use memory::Memory;
pub use os::Os;
pub(crate) use replace::replace_ranges;
pub use text::{Encoding, FileId, Shown, Source, Sources, Span, Text};
pub use world::{Moment, World, reason};
pub use write::Replacement;
