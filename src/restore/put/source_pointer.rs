//! Pointers to inherited values.

use crate::node::{NodeId, Tree};
use crate::patch::{Base, Source};
use crate::pointer::JsonPointer;
use crate::restore::written::ChildIndex;
use crate::scalar::Scalar;

/// A pointer to an inherited value: that of a directive, and tokens behind it.
#[derive(Clone, Debug)]
pub(super) struct SourcePointer {
    /// The key of the directive. A key made from the pointer is quoted as it is.
    pub key: NodeId,
    /// The key that imports the value.
    pub text: String,
}

impl SourcePointer {
    /// Returns the pointer of the directive `key`, whose tokens are `tokens` after the edit;
    /// `None` if its value can be named by no key alone.
    pub(super) fn of_import(
        document: &Tree,
        written: &mut ChildIndex<'_>,
        (key, source): (NodeId, &Source),
        tokens: &[String],
    ) -> Option<SourcePointer> {
        let NodeId::Clean(file, i) = key else { return None };
        let value = NodeId::Clean(file, document.base().next(i));
        if source.raw || !document.is_null(value) {
            return None;
        }
        let Scalar::String(name) = document.scalar(key) else { return None };
        let start = match source.base {
            Base::File(..) => return None,
            Base::Root | Base::Anchor(_) => name.split('/').next()?.to_owned(),
            Base::Parent(dots) => {
                let (_, here) = written.pointer_to_parent(document, key)?;
                let mark = if source.optional { "+?" } else { "+" };
                format!("{mark}{}", climb(&here, dots)?)
            }
        };
        let start = SourcePointer { key, text: start };
        Some(tokens.iter().fold(start, |pointer, token| pointer.child(token)))
    }

    /// Returns the pointer to a child.
    pub(super) fn child(&self, token: &str) -> SourcePointer {
        let text = format!("{}/{}", self.text, JsonPointer::escape(token));
        SourcePointer { key: self.key, text }
    }
}

/// Returns the pointer to the collection that a number of dots leads to; one dot is that at
/// `pointer`.
fn climb(pointer: &str, dots: u32) -> Option<&str> {
    (1..dots).try_fold(pointer, |at, _| Some(&at[..at.rfind('/')?]))
}
