//! The `put` of the lens: writes an edit into a document. Input: the document, its
//! expansion and the edited expansion; output: the document in which the edit is an
//! override at the deepest site above it. Nodes that did not change keep their bytes.
//!
//! [`write_edit`] takes one pending node after another and leaves each to the writer of its
//! kind: of a mapping, of a list, or of a mapping with directives. These share a
//! [`PutState`](put_state::PutState).

mod edit_writer;
mod inherited_entries;
mod list_writer;
mod mapping_writer;
mod new_values;
mod put_state;

pub(super) use edit_writer::write_edit;
pub(super) use new_values::{MARKERS, NewValues};
pub(super) use put_state::{DirectiveChange, PutMode};
