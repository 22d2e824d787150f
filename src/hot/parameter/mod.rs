//! The parameters of a template. Input: their schemas and the values given to them.
//! Output: the values that `get_param` returns.

mod custom;
mod environment;
mod parameters;
mod schema;

pub(super) use parameters::{HIDDEN_PLACEHOLDER, Parameters};
