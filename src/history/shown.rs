//! A way through the document as people read it.

use std::fmt::Write;

use crate::node::{Step, Tree};
use crate::pointer::Pointer;

/// Returns a way as a path that people read.
pub(super) fn shown(tree: &Tree, path: &[Step]) -> String {
    let mut out = String::new();
    for step in path {
        out.push('/');
        match *step {
            Step::Index(index) => {
                write!(out, "{index}").ok();
            }
            Step::Key(key) if tree.is_hidden(key) => out.push_str("***"),
            Step::Key(key) => {
                out.push_str(&Pointer::escape(
                    &tree.member_name(key).unwrap_or_default(),
                ));
            }
        }
    }
    out
}
