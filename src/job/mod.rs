//! The pipeline, and the way back. Directives, a patch, variables and templates come into a
//! document in this order: [`Patches::apply`], then [`Pipeline::finish`]. [`Lens`] puts an
//! edited result back into the document that it was made of.
//!
//! The command line and the public API run the same pipeline.

mod json_keys;
mod patches;
mod pipeline;
mod put;

pub use json_keys::{with_keys_of, with_keys_of_ours, with_same_keys};
pub use patches::Patches;
#[cfg(feature = "eval")]
pub use pipeline::EvaluationRules;
pub use pipeline::{Finished, Pipeline};
pub use put::{Lens, reread};
