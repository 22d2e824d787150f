//! A patched document, before it is printed.

use interpolate::unstable::node::Tree;

use super::side_output::SideOutput;

/// BASE, patched, filled in and evaluated.
pub struct Patched {
    pub document: Tree,
    pub side: SideOutput,
    /// The documents of the stream that are printed where not all are, by position.
    pub printed: Vec<usize>,
}
