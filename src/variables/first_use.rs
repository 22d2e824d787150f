//! The variables in a node.

use super::syntax::uses;
use crate::node::{Kind, NodeId, Tree};
use crate::scalar::Scalar;

/// Returns true if a text uses a variable.
pub(super) fn is_use(document: &Tree, node: NodeId) -> bool {
    first_use(document, node).is_some()
}

/// Returns the name of the first variable in a string, or in binary data that is text.
///
/// # Example
/// ```
/// use interpolate::unstable::source::Sources;
/// use interpolate::unstable::variables::first_use;
/// use interpolate::unstable::yaml::{self, Options};
///
/// let mut sources = Sources::default();
/// let file = sources.add("base.yml", "((a)) and ((b))");
/// let tree = yaml::read(&sources, file, &Options::default())?;
/// assert_eq!(first_use(&tree, tree.root()).as_deref(), Some("a"));
/// # Ok::<(), Box<interpolate::unstable::diagnostic::Diagnostic>>(())
/// ```
pub fn first_use(document: &Tree, node: NodeId) -> Option<String> {
    if document.kind(node) != Kind::Scalar {
        return None;
    }
    let text = match document.scalar(node) {
        Scalar::String(text) => text,
        Scalar::Binary(bytes) => String::from_utf8_lossy(&bytes).into_owned().into(),
        _ => return None,
    };
    uses(&text).next().map(|found| found.name.to_owned())
}
