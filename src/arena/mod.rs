//! The flat span tree of one text: every node in pre-order as a range of bytes. A parser
//! of [`yaml`](crate::yaml) builds a [`Layout`] in one pass; the [`Arena`] around it never
//! changes, and decodes a scalar on demand.

mod decode;
pub mod flag;
mod layout;
mod nodes;

pub(crate) use layout::verbatim_tag;
pub use layout::{Arena, Handle, Layout, Props, Range, Section};
pub use nodes::Style;
pub use nodes::{Index, NONE, Nodes, RawNode};
