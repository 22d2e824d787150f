//! The history of a document: who put each value where it is. A patch, variables and
//! templates on their way through a document come in; for each place, the events that
//! made it what it is go out.
//!
//! Nothing is kept twice. A [`Recorder`] keeps the effects that the journal of the tree
//! tells of; all else is read from the tree, in which also replaced and removed nodes
//! still stand. The effects at the seat of a place split time into intervals, in each of
//! which one node stood there ([`timeline`]). The nodes of two neighbouring intervals are
//! what was there before and after an [`Event`].

mod annotated;
mod applied_op;
mod change;
mod changes;
mod child;
mod child_index;
mod derivation;
mod event;
mod events;
mod finder;
mod links;
mod name_lookup;
mod orders;
mod place_history;
mod place_search;
mod record;
mod recorder;
mod shown;
mod timeline;
mod value;

pub use annotated::{Annotated, Line};
pub use applied_op::AppliedOp;
pub use event::{Action, By, Event};
pub use place_history::PlaceHistory;
pub use record::History;
pub use recorder::Recorder;
pub use value::{Length, Redaction, Value};
