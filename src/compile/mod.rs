//! Documents → patch: what was written is read once and becomes ops.

mod definition;
mod ops;
mod unmarshal;

pub use definition::FIELDS;
pub use ops::ops;
pub(crate) use unmarshal::{Misfit, report, static_misfit};
