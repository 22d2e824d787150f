//! The flat span tree of one text: every node in pre-order as a range of bytes. A parser
//! of [`yaml`](crate::yaml) builds a [`Tree`] in one pass; the [`Arena`] around it never
//! changes, and decodes a scalar on demand.

mod decode;
mod tree;

pub(crate) use tree::NONE;
pub use tree::{Arena, Handle, Index, Props, Range, RawNode, Section, Style, Tree, flag};
