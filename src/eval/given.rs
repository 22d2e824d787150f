//! The variables of the command line → names and what they stand for.

use std::sync::Arc;

use super::read;
use crate::diagnostic::Result;
use crate::eval::python::{Dict, Key};
use crate::node::Document;
use crate::variables::Bindings;

/// The values as they were given; a name with dots makes a mapping. `blank` is an empty
/// document of the same [`Sources`](crate::source::Sources).
///
/// # Errors
/// It is of other sources.
pub fn given(given: &Bindings, mut blank: Document) -> Result<Dict> {
    let nodes = given.nodes(&mut blank)?;
    let document = Arc::new(blank);
    let entry = |(name, node): (String, _)| (Key::text(&name), read(&document, node));
    Ok(nodes.into_iter().map(entry).collect())
}
