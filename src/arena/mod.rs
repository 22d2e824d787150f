//! The flat span tree of one text: every node in pre-order as a range of bytes. A parser
//! of [`yaml`](crate::yaml) builds a [`Layout`] in one pass; the [`Arena`] around it never
//! changes, and decodes a scalar on demand.

mod decode;
mod layout;

pub use layout::{
    Arena, Handle, Index, Layout, NONE, Props, Range, RawNode, Section, Style, flag,
};
