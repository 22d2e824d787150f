//! Documents → patch: what was written is read once and becomes ops.

mod definition;
mod ops;

pub use definition::FIELDS;
pub use ops::ops;
