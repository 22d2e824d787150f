//! Documents → patch: what was written is read once and becomes ops.

mod anchor;
mod branch;
mod definition;
mod directive;
mod expand;
mod import;
mod link;
mod lookup;
mod mark;
mod ops;
mod place;
mod report;
mod unmarshal;

pub use definition::FIELDS;
pub(crate) use directive::counts;
pub use link::{Rules, directives};
pub use ops::ops;
pub(crate) use unmarshal::{Misfit, report, static_misfit};
