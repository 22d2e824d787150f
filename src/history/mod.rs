//! The history of a document: who put each value where it is. A patch, variables and
//! templates on their way through a document come in; for each place, the events that
//! made it what it is go out.
//!
//! Nothing is kept twice. A [`Recorder`] keeps the effects that the journal of the tree
//! tells of; all else is read from the tree, in which also replaced and removed nodes
//! still stand. The effects at the seat of a place split time into intervals, in each of
//! which one node stood there ([`finder`]). The nodes of two neighbouring intervals are
//! what was there before and after a [`HistoryEvent`].

mod annotated;
mod changes;
mod child_index;
mod derivation;
mod finder;
mod place_search;
mod record;
mod recorder;
mod value;

pub use annotated::{Annotated, AnnotatedLine};
pub use place_search::{Action, AppliedOp, By, HistoryEvent, PlaceRecord};
pub use record::DocumentHistory;
pub use recorder::Recorder;
pub use value::{Length, PastValue, Redaction};
