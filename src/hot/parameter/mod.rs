//! The parameters of a template: their schemas and what was given come in, values go out.

mod custom;
mod environment;
mod parameters;
mod schema;

pub(super) use parameters::{HIDDEN, Parameters};
